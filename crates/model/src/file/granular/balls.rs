//! The `[[species]]` tables of a granular model.

use crate::Placement;
use crate::granular::{Balls, MassLaw};
use crate::walker::Section;
use jostle_core::parameters::granular::Material;
use jostle_core::species::Species;

use super::super::{particles, places};
use super::Context;

/// The species, where their balls are, and what these are like.
pub(super) fn species(
    root: &Section<'_>,
    context: &mut Context<'_>,
    material: &Material,
) -> (Vec<Species>, Vec<Placement>, Vec<Balls>) {
    particles::plain(root, context, "name, radius and count", |section, context, name, number| {
        let radius = radius(section);
        let mass = mass(section, radius, context.dimension, material);
        let motion = particles::motion(section, context.dimension);
        let placement = places::placements(section, context, name, number);
        // The largest stands for the species where one number is needed.
        (radius[1], Balls { radius, mass, motion }, placement)
    })
}

/// One radius, or the least and the largest.
fn radius(section: &Section<'_>) -> [f64; 2] {
    let Some(item) = section.require("radius") else {
        return [f64::NAN; 2];
    };
    if !item.is_list() {
        return [item.quantity().unwrap_or(f64::NAN); 2];
    }
    let list = item.list().unwrap_or_default();
    let [low, high] = list.as_slice() else {
        item.fault(
            "a list of radii has two entries, the smallest and the largest, for example [\"1 mm\", \"10 mm\"]",
        );
        return [f64::NAN; 2];
    };
    let ends = [low, high].map(|item| item.quantity().unwrap_or(f64::NAN));
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
        return MassLaw::Given(item.quantity().unwrap_or(f64::NAN));
    }
    let density = density.map_or(material.density, |item| item.quantity().unwrap_or(f64::NAN));
    if area { MassLaw::Area { density } } else { MassLaw::Volume { density } }
}
