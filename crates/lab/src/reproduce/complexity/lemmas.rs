//! Lemmas 2 and 3: how many particles a cell holds, and how many checks a trajectory event takes,
//! are bounded by constants as long as the ratio of the sizes is fixed. And how these grow with it.

use super::scene::melted;
use crate::reproduce::{ReproduceError, structures};
use jostle_core::agenda::Timetable;
use jostle_core::space::{Flight, Flights};
use jostle_events::kinetic::{Facets, KineticKind};

/// The packing of the small particles.
const PACKING: f64 = 0.2;

/// One particle of the largest size among so many of the smallest.
#[derive(Clone, Debug)]
pub struct Ratio {
    /// Of space.
    pub dimension: usize,
    /// How many particles.
    pub particles: usize,
    /// The greatest diameter in units of the least.
    pub ratio: f64,
    /// The most particles in a cell as wide as the largest.
    pub in_a_cell: f64,
    /// With each structure: collision checks per trajectory event, the mean and the most.
    pub checks: Vec<(KineticKind, [f64; 2])>,
}

pub(super) fn ratio<const D: usize>(particles: usize, ratio: f64) -> Result<Ratio, ReproduceError> {
    let scene = melted::<D>(particles, PACKING, ratio)?;
    let flight = |grain: &jostle_events::granular::Grain<D>| Flight {
        position: grain.position,
        velocity: grain.velocity,
        since: 0.0,
        radius: grain.radius,
    };
    let all: Vec<Flight<D>> = scene.grains.iter().map(flight).collect();
    let zero = jostle_core::space::Vector::ZERO;
    let flights = Flights { domain: &scene.domain, acceleration: zero, all: &all };
    let mut checks = Vec::new();
    for kind in structures::contestants(D).into_iter().filter(|&kind| kind != KineticKind::Direct) {
        let mut structure =
            structures::build(kind, Some(2.0 * ratio)).ok_or(ReproduceError::NoStructure(kind))?;
        let mut timetable = Timetable::new(all.len());
        structure.build(&flights, 0.0, &mut Facets::new(&mut timetable, all.len() as u32));
        let (mut near, mut sum, mut most) = (Vec::new(), 0, 0);
        for i in 0..all.len() as u32 {
            near.clear();
            structure.near(i, &flights, 0.0, &mut near);
            sum += near.len();
            most = most.max(near.len());
        }
        checks.push((kind, [sum as f64 / all.len() as f64, most as f64]));
    }
    Ok(Ratio {
        dimension: D,
        particles: all.len(),
        ratio,
        in_a_cell: fullest_cell(&flights),
        checks,
    })
}

/// The most particles in a cell, cells being as wide as the largest particle at least.
fn fullest_cell<const D: usize>(flights: &Flights<'_, D>) -> f64 {
    let edges = flights.domain.edges();
    let counts =
        edges.map(|edge| ((edge / (2.0 * flights.largest_radius())).floor() as usize).max(1));
    let mut held = vec![0_u32; counts.iter().product()];
    for flight in flights.all {
        let mut cell = 0;
        for k in 0..D {
            let along = (flight.position[k] / edges[k] * counts[k] as f64) as usize;
            cell = cell * counts[k] + along.min(counts[k] - 1);
        }
        held[cell] += 1;
    }
    f64::from(held.into_iter().max().unwrap_or(0))
}
