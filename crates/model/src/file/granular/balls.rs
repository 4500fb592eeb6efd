//! The `[[species]]` tables of a granular model.

use crate::Placement;
use crate::granular::{Balls, MassLaw, Motion};
use crate::walker::{Item, Section};
use jostle_core::parameters::granular::Material;
use jostle_core::species::{Drift, Species};

use super::super::{particles, places};
use super::Context;

/// The species, where their balls are, and what these are like.
pub(super) fn species(
    root: &Section<'_>,
    context: &mut Context<'_>,
    material: &Material,
) -> (Vec<Species>, Vec<Placement>, Vec<Balls>) {
    let (sections, declared) = particles::tables(root);
    if sections.is_empty() {
        root.fault("there is no species: `[[species]]` with name, radius and count");
    }
    let (mut species, mut placement, mut balls) = (Vec::new(), Vec::new(), Vec::new());
    for section in sections {
        let name = particles::plain_name(&section, context);
        let first = context.kinds.len() as u16;
        context.kinds.add(&name, &[]);
        let radius = radius(&section);
        species.push(Species {
            name: name.clone(),
            radius: Some(radius[1]),
            diffusion_coefficient: None,
            drift: Drift::Still,
            sites: Default::default(),
        });
        balls.push(Balls {
            radius,
            mass: mass(&section, radius, context.dimension, material),
            motion: motion(&section, context.dimension),
        });
        placement.extend(places::placements(&section, context, &name, first));
        section.finish();
    }
    particles::check_number(root, declared.max(species.len()));
    (species, placement, balls)
}

/// One radius, or the least and the largest.
fn radius(section: &Section<'_>) -> [f64; 2] {
    let Some(item) = section.require("radius") else {
        return [f64::NAN; 2];
    };
    if !item.is_list() {
        return [item.positive().unwrap_or(f64::NAN); 2];
    }
    let list = item.list().unwrap_or_default();
    let [low, high] = list.as_slice() else {
        item.fault(
            "a list of radii has two entries, the smallest and the largest, for example [\"1 mm\", \"10 mm\"]",
        );
        return [f64::NAN; 2];
    };
    let ends = [low, high].map(|item| item.positive().unwrap_or(f64::NAN));
    if ends[0] > ends[1] {
        item.fault(format!(
            "the smallest radius comes first, but {:?} nm is above {:?} nm",
            ends[0], ends[1]
        ));
    }
    ends
}

fn mass(section: &Section<'_>, radius: [f64; 2], dimension: usize, material: &Material) -> MassLaw {
    let words = [("volume", false), ("area", true)];
    let law = section.get("mass_law");
    let area = law.as_ref().and_then(|item| item.word(&words)).unwrap_or(false);
    if let (Some(item), true) = (&law, area && dimension != 2) {
        item.fault("masses by area are for discs in 2D only; spheres have a volume");
    }
    let (mass, density) = (section.get("mass"), section.get("density"));
    if let (Some(item), true) = (&mass, density.is_some()) {
        item.fault("`mass` and `density` say the same thing: keep one");
    }
    if let (Some(item), true) = (&mass, radius[0] != radius[1] && !radius[0].is_nan()) {
        item.fault("balls of different sizes differ in mass: give their `density`");
    }
    if let Some(item) = mass {
        return MassLaw::Given(item.positive().unwrap_or(f64::NAN));
    }
    let density = density.map_or(material.density, |item| item.positive().unwrap_or(f64::NAN));
    if area { MassLaw::Area { density } } else { MassLaw::Volume { density } }
}

fn motion(section: &Section<'_>, dimension: usize) -> Motion {
    let (speed, velocity) = (section.get("speed"), section.get("velocity"));
    if let (Some(item), true) = (&speed, velocity.is_some()) {
        item.fault(
            "balls start with random velocities of a mean `speed`, or all with the same `velocity`: keep one",
        );
    }
    let speed = speed.and_then(|item: Item<'_>| item.not_negative()).map(Motion::Maxwell);
    let alike = || velocity?.components(dimension).map(Motion::Alike);
    speed.or_else(alike).unwrap_or(Motion::Rest)
}
