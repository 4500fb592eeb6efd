//! The `[[species]]` tables of a disk gas.

use std::f64::consts::PI;

use crate::Placement;
use crate::granular::{Balls, MassLaw, Motion};
use crate::walker::Section;
use jostle_core::species::{Drift, Species};

use super::super::{particles, places};
use super::Context;

/// Boltzmann's constant: 1.380649e-23 J/K by definition. \[kg nm²/µs²/K\]
const BOLTZMANN: f64 = 1.380_649e-17;

/// The species, where their disks are, and what these are like.
pub(super) fn species(
    root: &Section<'_>,
    context: &mut Context<'_>,
) -> (Vec<Species>, Vec<Placement>, Vec<Balls>) {
    let (sections, declared) = particles::tables(root);
    if sections.is_empty() {
        root.fault("there is no species: `[[species]]` with name, radius, mass and count");
    }
    let (mut species, mut placement, mut balls) = (Vec::new(), Vec::new(), Vec::new());
    for section in sections {
        let name = particles::plain_name(&section, context);
        let first = context.kinds.len() as u16;
        context.kinds.add(&name, &[]);
        let positive =
            |key| section.require(key).and_then(|item| item.positive()).unwrap_or(f64::NAN);
        let (radius, mass) = (positive("radius"), positive("mass"));
        species.push(Species {
            name: name.clone(),
            radius: Some(radius),
            diffusion_coefficient: None,
            drift: Drift::Still,
            sites: Default::default(),
        });
        let motion = motion(&section, context.dimension, mass);
        balls.push(Balls { radius: [radius; 2], mass: MassLaw::Given(mass), motion });
        placement.extend(places::placements(&section, context, &name, first));
        section.finish();
    }
    particles::check_number(root, declared.max(species.len()));
    (species, placement, balls)
}

fn motion(section: &Section<'_>, dimension: usize, mass: f64) -> Motion {
    let (temperature, speed) = (section.get("temperature"), section.get("speed"));
    let velocity = section.get("velocity");
    if [&temperature, &speed, &velocity].iter().filter(|item| item.is_some()).count() > 1 {
        section.fault(
            "disks start with random velocities, from a `temperature` or a mean `speed`, or all \
             with the same `velocity`: keep one",
        );
    }
    let of_temperature = |kelvin: f64| (0.5 * PI * BOLTZMANN * kelvin / mass).sqrt();
    let thermal = temperature.and_then(|item| item.not_negative()).map(of_temperature);
    let speed = thermal.or_else(|| speed?.not_negative()).map(Motion::Maxwell);
    let alike = || velocity?.components(dimension).map(Motion::Alike);
    speed.or_else(alike).unwrap_or(Motion::Rest)
}
