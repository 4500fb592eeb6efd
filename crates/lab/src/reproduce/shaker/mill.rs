//! The mill that Gavrilova et al. (2003) describe: shaken, with gravity, and steel balls that lose
//! energy when they collide. In the plane at the sizes of its tables, in space as an upright
//! cylinder.

use std::f64::consts::TAU;

use super::mixture::BallMixture;
use super::placement::{Ball, MILLIMETRE, Speeds, from_faces, place, set_moving};
use super::printed::{COLUMNS, EDGE};
use super::run::{Counts, Physics, run, square};
use super::study::alike_for_all;
use crate::reproduce::{Progress, ReproduceError};
use jostle_core::random::Random;
use jostle_core::space::{Domain, Vector};
use jostle_events::granular::container::{Container, Shaken, Shaking};
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

/// What a mill did.
#[derive(Clone, Debug)]
pub struct Milled {
    /// Where sizes and packing are from.
    pub sizes: String,
    /// The structures.
    pub kinds: Vec<KineticKind>,
    /// With each of them.
    pub counts: Vec<Counts>,
    /// Energy that is not accounted for at the end, as a share of what the walls gave.
    pub imbalance: f64,
}

/// Shakes the balls of columns of Tables 1 and 3, in their square box.
///
/// # Errors
/// As [`super::study::study`].
pub fn mill(
    columns: &[usize],
    kinds: &[KineticKind],
    progress: Progress<'_>,
) -> Result<Vec<Milled>, ReproduceError> {
    let columns = columns.iter().map(|&n| &COLUMNS[n]).filter(|c| c.table != 5);
    let shake_column = |column: &super::printed::Column| {
        let balls = place(column, &Random::new(SEED))
            .ok_or_else(|| ReproduceError::NoPlacement { column: column.title(), seed: SEED })?;
        let container = Container::new_box(square(), Some(shaking(1)))?;
        shake(column.title(), container, &balls, kinds, progress)
    };
    columns.map(shake_column).collect()
}

/// Shakes balls in an upright cylinder that fills a cube.
///
/// # Errors
/// As [`super::study::study`].
pub fn mill_in_space(
    mixtures: &[BallMixture],
    kinds: &[KineticKind],
    progress: Progress<'_>,
) -> Result<Vec<Milled>, ReproduceError> {
    let from_walls = |centre: &[f64; 3]| {
        let [x, y] = [0, 1].map(|k| centre[k] - 0.5 * EDGE);
        from_faces(centre).min(0.5 * EDGE - (x * x + y * y).sqrt())
    };
    let shake_cylinder = |mixture: &BallMixture| {
        let balls = mixture.balls::<3>(SEED, from_walls)?;
        let cube = Domain::new([EDGE * MILLIMETRE; 3], [false; 3]);
        let container = Container::cylinder(cube, 2, Some(shaking(2)))?;
        shake(format!("cylinder, {}", mixture.name(3)), container, &balls, kinds, progress)
    };
    mixtures.iter().map(shake_cylinder).collect()
}

/// Of the placement.
const SEED: u64 = 1;

fn shaking(axis: usize) -> Shaking {
    Shaking {
        walls: Shaken::All,
        axis,
        amplitude: AMPLITUDE * MILLIMETRE,
        frequency: FREQUENCY * 1e-6,
        phase: 0.0,
    }
}

/// Gravity is along the last axis.
fn shake<const D: usize>(
    sizes: String,
    container: Container<D>,
    balls: &[Ball<D>],
    kinds: &[KineticKind],
    progress: Progress<'_>,
) -> Result<Milled, ReproduceError> {
    progress(&format!("the mill: {sizes}"));
    let material = Material::default();
    let mut grains = set_moving(balls, &Random::new(SEED), Speeds::Alike);
    grains.iter_mut().for_each(|grain| grain.mass = material.ball_mass(grain.radius));
    let [radius, speed] = REFERENCE;
    let restitution =
        Restitution::viscoelastic_through(&material, 0.93, speed, radius * MILLIMETRE)
            .unwrap_or(Restitution::Plastic);
    let down = Vector::from_fn(|k| if k + 1 == D { -GRAVITY } else { 0.0 });
    let physics = Physics {
        container,
        forces: Forces { gravity: down, ..Forces::default() },
        collisions: Collisions { restitution, material, contact_time: ContactTime::Hertz },
        clock: TrajectoryClock::Grid,
        duration: DURATION,
    };
    let counts = alike_for_all(&sizes, kinds, |kind| run(&physics, &grains, kind))?;
    let at_start: f64 = grains
        .iter()
        .map(|grain| {
            grain.mass * (0.5 * grain.velocity.norm_squared() + GRAVITY * grain.position[D - 1])
        })
        .sum();
    let c = &counts[0];
    let missing = at_start + c.wall_work - c.dissipated - c.kinetic - c.potential;
    Ok(Milled { sizes, kinds: kinds.to_vec(), imbalance: missing / c.wall_work, counts })
}
