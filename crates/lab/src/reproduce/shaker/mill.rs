//! The mill that Gavrilova et al. (2003) describe, at the sizes of its tables: shaken, with
//! gravity, and steel balls that lose energy when they collide.

use std::f64::consts::TAU;

use super::placement::{MILLIMETRE, Speeds, place, set_moving};
use super::printed::{COLUMNS, Column};
use super::run::{Counts, Physics, run, square};
use super::study::alike_for_all;
use crate::reproduce::{Progress, ReproduceError};
use jostle_core::random::Random;
use jostle_core::space::Vector;
use jostle_events::granular::container::{Container, Shaking};
use jostle_events::granular::forces::Forces;
use jostle_events::granular::restitution::{Material, Restitution};
use jostle_events::granular::tc::ContactTime;
use jostle_events::granular::{Collisions, TrajectoryClock};
use jostle_events::kinetic::KineticKind;

/// \[mm\]
pub(super) const AMPLITUDE: f64 = 5.0;
/// \[Hz\]
pub(super) const FREQUENCY: f64 = 20.0;
/// \[s\]
pub(super) const DURATION: f64 = 1.0;
/// 9.81 m/s². \[nm/µs²\]
const GRAVITY: f64 = 9.81e-3;
/// Where the restitution is 0.93: two balls of this radius \[mm\] that meet at this speed \[mm/s\].
const REFERENCE: [f64; 2] = [5.0, 1000.0];

/// The greatest acceleration of the container, in units of gravity.
pub(super) fn strength() -> f64 {
    let omega = TAU * FREQUENCY * 1e-6;
    AMPLITUDE * MILLIMETRE * omega * omega / GRAVITY
}

/// What a column gave.
#[derive(Clone, Debug)]
pub struct Milled {
    /// The column.
    pub column: Column,
    /// The structures.
    pub kinds: Vec<KineticKind>,
    /// With each of them.
    pub counts: Vec<Counts>,
    /// Kinetic and potential energy at the start, and how much of all energy is not accounted for
    /// at the end, as a share of what the walls gave.
    pub imbalance: f64,
}

/// Shakes the balls of the 5, 33 and 70 % columns of Tables 1 and 3.
///
/// # Errors
/// As [`super::study::study`].
pub fn mill(
    columns: &[usize],
    kinds: &[KineticKind],
    progress: Progress<'_>,
) -> Result<Vec<Milled>, ReproduceError> {
    let columns = columns.iter().map(|&n| &COLUMNS[n]).filter(|c| c.table != 5);
    columns.map(|column| shake(column, kinds, progress)).collect()
}

fn shake(
    column: &Column,
    kinds: &[KineticKind],
    progress: Progress<'_>,
) -> Result<Milled, ReproduceError> {
    let case = format!("the mill at the sizes of {}", column.title());
    progress(&case);
    let random = Random::new(1);
    let balls = place(column, &random)
        .ok_or_else(|| ReproduceError::NoPlacement { column: column.title(), seed: 1 })?;
    let material = Material::default();
    let mut grains = set_moving(&balls, &random, Speeds::Alike);
    grains.iter_mut().for_each(|grain| grain.mass = material.ball_mass(grain.radius));
    let [radius, speed] = REFERENCE;
    let restitution =
        Restitution::viscoelastic_through(&material, 0.93, speed, radius * MILLIMETRE)
            .unwrap_or(Restitution::Plastic);
    let shaking = Shaking {
        axis: 1,
        amplitude: AMPLITUDE * MILLIMETRE,
        frequency: FREQUENCY * 1e-6,
        phase: 0.0,
    };
    let physics = Physics {
        container: Container::new_box(square(), Some(shaking))?,
        forces: Forces { gravity: Vector([0.0, -GRAVITY]), ..Forces::default() },
        collisions: Collisions { restitution, material, contact_time: ContactTime::Hertz },
        clock: TrajectoryClock::Grid,
        duration: DURATION,
    };
    let counts = alike_for_all(&case, kinds, |kind| run(&physics, &grains, kind))?;
    let at_start: f64 = grains
        .iter()
        .map(|grain| {
            grain.mass * (0.5 * grain.velocity.norm_squared() + GRAVITY * grain.position[1])
        })
        .sum();
    let c = &counts[0];
    let missing = at_start + c.wall_work - c.dissipated - c.kinetic - c.potential;
    Ok(Milled {
        column: *column,
        kinds: kinds.to_vec(),
        counts: counts.clone(),
        imbalance: missing / c.wall_work,
    })
}
