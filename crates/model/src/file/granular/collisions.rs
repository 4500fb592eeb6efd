//! `[collisions]` and `[material]`: what a collision leaves of the velocities.

use crate::granular::{CollisionLaw, RestitutionModel, Viscosity};
use crate::units::Wanted;
use crate::walker::{Item, Section};
use jostle_core::parameters::granular::{ContactTime, Material};

/// Steel balls of 5 mm that meet at 1 m/s: the coefficient that such a collision is held to have if
/// the file does not say.
const REFERENCE: Viscosity = Viscosity::Reference { coefficient: 0.93, speed: 1e3, radius: 5e6 };

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
        Word::Constant => {
            let item = section.require("coefficient");
            RestitutionModel::Constant(item.and_then(|item| coefficient(&item)).unwrap_or(f64::NAN))
        }
        Word::Viscoelastic => RestitutionModel::Viscoelastic(viscosity(section)),
    }
}

/// Between 0 and 1, both included.
fn coefficient(item: &Item<'_>) -> Option<f64> {
    let value = item.quantity()?;
    if (0.0..=1.0).contains(&value) {
        return Some(value);
    }
    item.fault(format!(
        "found {value:?}, but a coefficient of restitution, the fraction of the speed that remains after a \
         collision, is from 0 to 1"
    ));
    None
}

fn viscosity(section: &Section<'_>) -> Viscosity {
    let given = (section.get("reference"), section.get("constant_A"));
    let found = match given {
        (Some(_), Some(item)) => {
            item.fault("`reference` and `constant_A` say the same thing: keep one");
            None
        }
        (Some(item), None) => item.section().and_then(reference),
        (None, Some(item)) => item.not_negative().map(Viscosity::Constant),
        (None, None) => None,
    };
    found.unwrap_or(REFERENCE)
}

fn reference(section: Section<'_>) -> Option<Viscosity> {
    let value = section.require("coefficient");
    let value = value.and_then(|item| {
        let value = coefficient(&item)?;
        if value > 0.0 {
            return Some(value);
        }
        item.fault("viscoelastic balls never lose all of their speed: the value must be above 0");
        None
    });
    let speed = section.require("speed").and_then(|item| item.positive());
    let radius = section.require("radius").and_then(|item| item.positive());
    section.finish();
    let found =
        || Some(Viscosity::Reference { coefficient: value?, speed: speed?, radius: radius? });
    found()
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
    let positive = |key, usual: f64| {
        section.get(key).map_or(usual, |item| item.positive().unwrap_or(f64::NAN))
    };
    let usual = Material::STEEL;
    let poissons_ratio = section.get("poissons_ratio").map_or(usual.poissons_ratio, |item| {
        let value = item.quantity().unwrap_or(f64::NAN);
        if value <= -1.0 || value > 0.5 {
            item.fault(format!(
                "found {value:?}, but Poisson's ratio is above -1 and at most 0.5; 0.3 is usual"
            ));
        }
        value
    });
    let material = Material {
        youngs_modulus: positive("youngs_modulus", usual.youngs_modulus),
        poissons_ratio,
        density: positive("density", usual.density),
        yield_pressure: positive("yield_pressure", usual.yield_pressure),
        heat_capacity: positive("heat_capacity", usual.heat_capacity),
    };
    section.finish();
    material
}
