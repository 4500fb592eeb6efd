//! The gas in which structures are measured: hard spheres of radius 1 and speed about 1 between
//! walls, on a lattice, which they then have time to leave.

use std::f64::consts::PI;

use crate::reproduce::{ReproduceError, structures};
use jostle_core::observe::NoObserver;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Vector};
use jostle_events::granular::container::Container;
use jostle_events::granular::forces::Forces;
use jostle_events::granular::{Collisions, Grain, Granular, Setup};
use jostle_events::kinetic::KineticKind;

/// A box and what is in it.
#[derive(Clone, Debug)]
pub(super) struct Scene<const D: usize> {
    pub(super) domain: Domain<D>,
    pub(super) grains: Vec<Grain<D>>,
}

/// How long particles fly before anything is measured: each collides some times, and is nowhere
/// near its first place.
const MELTING: f64 = 8.0;

/// The gas of [`on_lattice`] after some time.
pub(super) fn melted<const D: usize>(
    particles: usize,
    packing: f64,
    ratio: f64,
) -> Result<Scene<D>, ReproduceError> {
    let Scene { domain, mut grains } = on_lattice::<D>(particles, packing, ratio);
    let kind = KineticKind::Levels;
    let setup = Setup {
        container: Container::new_box(domain.clone(), None)?,
        forces: Forces::default(),
        trajectory: None,
        collisions: Collisions::elastic(),
        search: structures::build(kind, None).ok_or(ReproduceError::NoStructure(kind))?,
        output_interval: MELTING,
    };
    let mut engine = Granular::new(setup, &grains)?;
    engine.step(&mut NoObserver)?;
    let flights = engine.flights();
    for (i, grain) in (0..).zip(&mut grains) {
        grain.position = flights.at(i, MELTING);
        grain.velocity = flights.velocity_at(i, MELTING);
    }
    Ok(Scene { domain, grains })
}

/// The volume of a sphere of radius 1.
fn unit_volume(dimension: usize) -> f64 {
    [2.0, PI, 4.0 / 3.0 * PI][dimension.clamp(1, 3) - 1]
}

/// At least `particles` places for spheres of radius 1 that fill `packing` of the box; the first
/// particle is `ratio` times as large as the others, of which those that it would touch are left
/// out.
fn on_lattice<const D: usize>(particles: usize, packing: f64, ratio: f64) -> Scene<D> {
    let random = Random::new(9);
    let side = libm::cbrt(particles as f64);
    let side = if D == 3 { side } else { libm::pow(particles as f64, 1.0 / D as f64) };
    // 1000 particles have a side of 10, in spite of rounding.
    let side = (side - 1e-9).ceil() as usize;
    let spacing = libm::pow(unit_volume(D) / packing, 1.0 / D as f64);
    let edge = spacing * side as f64;
    let free = 0.5 * spacing - 1.0;
    let large = (ratio > 1.0).then(|| Grain {
        position: Vector([0.5 * edge; D]),
        velocity: random.normal::<D>(0, u64::MAX) * (1.0 / ratio),
        radius: ratio,
        mass: libm::pow(ratio, D as f64),
        species: 0,
    });
    let mut grains: Vec<Grain<D>> = large.into_iter().collect();
    for n in 0..side.pow(D as u32) {
        let cell = |k: usize| (n / side.pow(k as u32) % side) as f64;
        let jitter =
            |k: usize| 2.0 * random.uniform(Purpose::Placement, [n as u64, k as u64, 0, 0]) - 1.0;
        let position = Vector::from_fn(|k| (cell(k) + 0.5) * spacing + 0.999 * free * jitter(k));
        if large.is_none_or(|large| (position - large.position).norm() > large.radius + 1.0) {
            let velocity = random.normal::<D>(0, n as u64);
            grains.push(Grain { position, velocity, radius: 1.0, mass: 1.0, species: 0 });
        }
    }
    grains.truncate(particles.max(1));
    Scene { domain: Domain::new([edge; D], [false; D]), grains }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_apart<const D: usize>(ratio: f64) {
        let Scene { domain, grains } = on_lattice::<D>(300, 0.3, ratio);
        assert!(grains.len() > 200);
        for (n, a) in grains.iter().enumerate() {
            for k in 0..D {
                assert!(a.position[k] >= a.radius && a.position[k] + a.radius <= domain.edges()[k]);
            }
            for b in &grains[n + 1..] {
                assert!((a.position - b.position).norm() >= a.radius + b.radius, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn none_overlaps() {
        assert_apart::<2>(1.0);
        assert_apart::<2>(4.0);
        assert_apart::<3>(1.0);
        assert_apart::<3>(3.0);
    }

    #[test]
    fn a_thousand_spheres_have_ten_along_an_edge() {
        assert_eq!(on_lattice::<3>(1000, 0.3, 1.0).grains.len(), 1000);
        assert_eq!(on_lattice::<2>(10_000, 0.3, 1.0).grains.len(), 10_000);
    }
}
