//! The `[[species]]` tables of a disk gas.

use std::f64::consts::PI;

use crate::Placement;
use crate::granular::{Balls, MassLaw, Motion};
use crate::walker::Section;
use jostle_core::species::Species;

use super::super::{particles, places};
use super::Context;

/// Boltzmann's constant: 1.380649e-23 J/K by definition. \[kg nm²/µs²/K\]
const BOLTZMANN: f64 = 1.380_649e-17;

/// The species, where their disks are, and what these are like.
pub(super) fn species(
    root: &Section<'_>,
    context: &mut Context<'_>,
) -> (Vec<Species>, Vec<Placement>, Vec<Balls>) {
    let needed = "name, radius, mass and count";
    particles::plain(root, context, needed, |section, context, name, number| {
        let (radius, mass) = (section.setting("radius"), section.setting("mass"));
        let motion = motion(section, context.dimension, mass);
        let disks = Balls { radius: [radius; 2], mass: MassLaw::Given(mass), motion };
        (radius, disks, places::placements(section, context, name, number))
    })
}

/// As of other particles with momentum, or of disks at a temperature.
fn motion(section: &Section<'_>, dimension: usize, mass: f64) -> Motion {
    let Some(temperature) = section.get("temperature") else {
        return particles::motion(section, dimension);
    };
    if section.has("speed") || section.has("velocity") {
        section.fault(
            "disks start with random velocities, from a `temperature` or a mean `speed`, or all \
             with the same `velocity`: keep one",
        );
    }
    // The mean speed of a Maxwell distribution in two dimensions.
    let of_temperature = |kelvin: f64| (0.5 * PI * BOLTZMANN * kelvin / mass).sqrt();
    temperature.quantity().map_or(Motion::Rest, |kelvin| Motion::Maxwell(of_temperature(kelvin)))
}
