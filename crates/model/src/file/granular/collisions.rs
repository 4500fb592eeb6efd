//! `[collisions]` and `[material]`: what a collision leaves of the velocities.

use super::super::keys::Keys;
use crate::granular::{CollisionLaw, RestitutionModel, Viscosity};
use crate::units::Wanted;
use crate::walker::{Item, Section, Setting};
use jostle_core::parameters::granular::{ContactTime, Material};

pub(super) fn law(root: &Section<'_>) -> CollisionLaw {
    let section = root.table("collisions");
    let law =
        CollisionLaw { restitution: restitution(&section), contact_time: contact_time(&section) };
    section.finish();
    law
}

#[derive(Clone, Copy, PartialEq)]
enum Word {
    Elastic,
    Constant,
    Viscoelastic,
    Plastic,
}

fn restitution(section: &Section<'_>) -> RestitutionModel {
    const WORDS: [(&str, Word); 4] = [
        ("constant", Word::Constant),
        ("viscoelastic", Word::Viscoelastic),
        ("plastic", Word::Plastic),
        ("elastic", Word::Elastic),
    ];
    let item = section.get("restitution");
    let word = item.and_then(|item| item.word(&WORDS)).unwrap_or(Word::Viscoelastic);
    if word != Word::Constant {
        section.refuse(
            "coefficient",
            "a single coefficient for all collisions needs `restitution = \"constant\"`",
        );
    }
    if word != Word::Viscoelastic {
        let why = "this sets the viscosity of the balls and needs `restitution = \"viscoelastic\"`";
        section.refuse("reference", why);
        section.refuse("constant_A", why);
    }
    match word {
        Word::Elastic => RestitutionModel::Elastic,
        Word::Plastic => RestitutionModel::Plastic,
        Word::Constant => RestitutionModel::Constant(section.needed("coefficient")),
        Word::Viscoelastic => RestitutionModel::Viscoelastic(viscosity(section)),
    }
}

fn viscosity(section: &Section<'_>) -> Viscosity {
    let given = (section.get("reference"), section.get("constant_A"));
    if let (Some(_), Some(item)) = &given {
        item.fault("`reference` and `constant_A` say the same thing: keep one");
    }
    match given.1 {
        Some(_) => Viscosity::Constant(section.setting("constant_A")),
        None => section.setting("reference"),
    }
}

/// One collision of two like balls.
impl Setting for Viscosity {
    const FAULTY: Option<Self> = Some(Self::Constant(f64::NAN));

    fn read(item: &Item<'_>) -> Option<Self> {
        let section = item.section()?;
        let [coefficient, speed, radius] =
            ["coefficient", "speed", "radius"].map(|key| section.setting(key));
        section.finish();
        Some(Self::Reference { coefficient, speed, radius })
    }
}

fn contact_time(section: &Section<'_>) -> ContactTime {
    let Some(item) = section.get("tc") else {
        return ContactTime::Hertz;
    };
    if item.is_word("auto") {
        ContactTime::Hertz
    } else if item.is_word("none") {
        ContactTime::None
    } else {
        let wanted = Wanted { noun: "\"auto\", \"none\" or a time", ..Wanted::TIME };
        item.positive_as(&wanted).map_or(ContactTime::Hertz, ContactTime::Constant)
    }
}

/// Steel, unless the file says otherwise.
pub(super) fn material(root: &Section<'_>) -> Material {
    let section = root.table("material");
    let material = Material::read(&section);
    section.finish();
    material
}
