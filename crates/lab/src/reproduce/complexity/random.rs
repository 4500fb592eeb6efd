//! Neighbours of points at random: what theory knows of the triangulation.

use std::f64::consts::PI;

use crate::reproduce::{ReproduceError, structures};
use jostle_core::agenda::Timetable;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Flight, Flights, Vector};
use jostle_events::kinetic::{Facets, KineticKind};

/// Neighbours in the Delaunay triangulation of points at random in space, on average: 2 + 48 π²/35
/// (Meijering 1953).
pub const AT_RANDOM: f64 = 2.0 + 48.0 * PI * PI / 35.0;

/// The triangulation of so many points at random in a periodic cube.
#[derive(Clone, Copy, Debug)]
pub struct PointsAtRandom {
    /// Number of points.
    pub points: usize,
    /// Neighbours of a point, on average and the most.
    pub neighbours: [f64; 2],
}

pub(super) fn points_at_random(points: usize) -> Result<PointsAtRandom, ReproduceError> {
    let random = Random::new(1);
    let flight = |i: u64| Flight {
        position: Vector::from_fn(|k| random.uniform(Purpose::Placement, [i, k as u64, 0, 0])),
        velocity: Vector::ZERO,
        since: 0.0,
        radius: 0.0,
    };
    let all: Vec<Flight<3>> = (0..points as u64).map(flight).collect();
    let domain = Domain::new([1.0; 3], [true; 3]);
    let flights = Flights { domain: &domain, acceleration: Vector::ZERO, all: &all };
    let kind = KineticKind::Laguerre;
    let mut structure = structures::build(kind, None).ok_or(ReproduceError::NoStructure(kind))?;
    let mut timetable = Timetable::default();
    structure.build(&flights, 0.0, &mut Facets::new(&mut timetable, 0));
    let (mut near, mut sum, mut most) = (Vec::new(), 0, 0);
    for i in 0..points as u32 {
        near.clear();
        structure.near(i, &flights, 0.0, &mut near);
        sum += near.len();
        most = most.max(near.len());
    }
    Ok(PointsAtRandom { points, neighbours: [sum as f64 / points as f64, most as f64] })
}
