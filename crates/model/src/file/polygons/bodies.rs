//! The `[[species]]` tables of a polygon model.

use crate::Placement;
use crate::granular::Motion;
use crate::polygons::{Bodies, Turned};
use crate::units::Wanted;
use crate::walker::Section;
use jostle_core::species::{Drift, Species};

use super::super::{particles, places, region};
use super::Context;
use super::places::{BodyPlacement, placed};
use super::shapes::{FAULTY, shape};
use super::walls::turning;

/// What the `[[species]]` tables say.
#[derive(Default)]
pub(super) struct Read {
    pub(super) species: Vec<Species>,
    pub(super) placement: Vec<Placement>,
    pub(super) bodies: Vec<Bodies>,
}

/// The species, where their bodies are, and what these are like.
pub(super) fn species(root: &Section<'_>, context: &mut Context<'_>) -> Read {
    let (sections, declared) = particles::tables(root);
    if sections.is_empty() {
        root.fault("there is no species: `[[species]]` with name, shape, density and count");
    }
    let mut read = Read::default();
    for section in sections {
        let name = particles::plain_name(&section, context);
        let number = read.species.len() as u16;
        context.kinds.add(&name, &[]);
        let given = section.require("shape");
        let shape = given.map_or(FAULTY, |item| shape(&item));
        let BodyPlacement { how, angles } = placed(&section, context, &name);
        read.species.push(Species {
            name,
            radius: Some(shape.reach()),
            diffusion_coefficient: None,
            drift: Drift::Still,
            sites: Default::default(),
        });
        read.bodies.push(Bodies {
            shape,
            density: density(&section),
            turned: turned(&section, angles),
            motion: motion(&section),
            angular_velocity: section
                .get("angular_velocity")
                .and_then(|item| turning(&item))
                .unwrap_or(0.0),
            region: section.get("region").and_then(|item| region::region(&item, context)),
        });
        read.placement.extend(how.map(|how| Placement {
            sites: 0,
            species: number,
            how,
            asked: None,
            origin: places::origin(&section),
        }));
        section.finish();
    }
    particles::check_number(root, declared.max(read.species.len()));
    read
}

fn density(section: &Section<'_>) -> f64 {
    let item = section.require("density");
    item.and_then(|item| item.positive()).unwrap_or(f64::NAN)
}

fn turned(section: &Section<'_>, angles: Option<Vec<f64>>) -> Turned {
    let given = section.get("angle");
    if let (Some(item), Some(_)) = (&given, &angles) {
        item.fault("the placement already gives the orientation of each particle");
    }
    match (given, angles) {
        (_, Some(angles)) => Turned::Each(angles),
        (Some(item), None) if item.is_word("random") => Turned::Random,
        (Some(item), None) => {
            let wanted = Wanted { noun: "\"random\" or an angle", ..Wanted::ANGLE };
            Turned::By(item.quantity_as(&wanted).unwrap_or(0.0))
        }
        (None, None) => Turned::By(0.0),
    }
}

fn motion(section: &Section<'_>) -> Motion {
    let (speed, velocity) = (section.get("speed"), section.get("velocity"));
    if let (Some(item), true) = (&speed, velocity.is_some()) {
        item.fault(
            "particles start with random velocities of a mean `speed`, or all with the same `velocity`: keep one",
        );
    }
    let speed = speed.and_then(|item| item.not_negative()).map(Motion::Maxwell);
    let alike = || velocity?.components(2).map(Motion::Alike);
    speed.or_else(alike).unwrap_or(Motion::Rest)
}
