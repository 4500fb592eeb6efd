//! The page's algorithm, held to what can be counted and worked out.

use super::*;
use jostle_core::observe::NoObserver;
use jostle_core::random::{Purpose, Random};

const DIAMETER: f64 = 4.0;
const EDGES: [f64; 2] = [600.0, 6000.0];

/// Independent uniform centres, overlaps included.
fn scattered(count: u64, seed: u64, speed: f64) -> Vec<Disk> {
    let random = Random::new(seed);
    let uniform = |n, k| random.uniform(Purpose::Placement, [n, k, 0, 0]);
    let place = |n, k: usize| 2.0 + (EDGES[k] - 4.0) * uniform(n, k as u64);
    (0..count)
        .map(|n| Disk {
            position: Vector([place(n, 0), place(n, 1)]),
            velocity: random.normal(0, n) * speed,
            radius: 0.5 * DIAMETER,
            mass: 1.0,
            species: 0,
        })
        .collect()
}

fn gas(disks: &[Disk], timestep: f64, arrangement: Arrangement) -> Gas {
    let domain = Domain::new(EDGES, [false; 2]);
    Gas::new(GasSetup { domain, timestep, gravity: Vector::ZERO, arrangement }, disks).unwrap()
}

fn strips(axis: usize) -> Arrangement {
    Arrangement::Strips { axis, width: DIAMETER }
}

#[test]
fn all_with_all_are_as_many_comparisons_as_the_page_says() {
    let mut gas = gas(&scattered(3000, 1, 0.1), 1.0, Arrangement::Naive);
    gas.step(&mut NoObserver).unwrap();
    assert_eq!(gas.tally().comparisons, 4_498_500);
    assert_eq!(gas.tally().placements, 0);
}

#[test]
fn strips_compare_a_particle_that_is_in_the_same_or_the_next_one_once() {
    let disks = scattered(500, 2, 0.0);
    for (axis, count) in [(0, 150), (1, 1500)] {
        let mut gas = gas(&disks, 1.0, strips(axis));
        gas.step(&mut NoObserver).unwrap();
        assert_eq!(gas.strips.count(), count);
        let strips: Vec<_> =
            disks.iter().map(|disk| (disk.position[axis] / DIAMETER).floor() as i64).collect();
        let near =
            |i: usize| strips[..i].iter().filter(|&&other| (other - strips[i]).abs() < 2).count();
        let expected: usize = (0..disks.len()).map(near).sum();
        assert_eq!(gas.tally().comparisons, expected as u64);
        assert_eq!(gas.tally().placements, 500);
    }
}

/// From the same state, every arrangement finds the same overlaps; the order of the exchanges may
/// differ, and with it the outcome where one disk overlaps several.
#[test]
fn all_arrangements_find_the_same_overlaps() {
    let disks = scattered(3000, 3, 0.0);
    let counts = [Arrangement::Naive, strips(0), strips(1)].map(|arrangement| {
        let mut gas = gas(&disks, 1.0, arrangement);
        gas.step(&mut NoObserver).unwrap();
        gas.tally().overlaps
    });
    assert!(counts[0] > 10 && counts.iter().all(|&count| count == counts[0]), "{counts:?}");
}

#[test]
fn an_exchange_is_elastic_for_any_masses() {
    let at = |x: f64, vx: f64, mass: f64| Disk {
        position: Vector([x, 100.0]),
        velocity: Vector([vx, 0.5]),
        radius: 2.0,
        mass,
        species: 0,
    };
    // Equal masses swap; a light one is thrown back by a heavy one at rest.
    for (masses, after) in [([1.0, 1.0], [0.0, 1.0]), ([1.0, 3.0], [-0.5, 0.5])] {
        let disks = [at(100.0, 1.0, masses[0]), at(104.5, 0.0, masses[1])];
        let mut gas = gas(&disks, 1.0, strips(0));
        gas.step(&mut NoObserver).unwrap();
        assert_eq!(gas.tally().collisions, 1);
        let found = [0, 1].map(|i| gas.particles().velocity[i]);
        for (found, after) in found.into_iter().zip(after) {
            assert!((found - Vector([after, 0.5])).norm() < 1e-15, "{found:?}");
        }
        // They overlap still, on their way apart.
        gas.step(&mut NoObserver).unwrap();
        assert_eq!(gas.tally().collisions, 1);
    }
}

#[test]
fn walls_throw_back_what_went_through_them() {
    let disk = Disk {
        position: Vector([3.0, 5997.0]),
        velocity: Vector([-2.0, 1.5]),
        radius: 2.0,
        mass: 1.0,
        species: 0,
    };
    let mut gas = gas(&[disk], 1.0, strips(1));
    gas.step(&mut NoObserver).unwrap();
    assert_eq!(gas.particles().position[0], Vector([3.0, 5997.5]));
    assert_eq!(gas.particles().velocity[0], Vector([2.0, -1.5]));
    assert_eq!(gas.tally().wall_collisions, 2);
}

#[test]
fn strips_narrower_than_a_disk_are_refused_with_the_width_that_would_do() {
    let domain = Domain::new(EDGES, [false; 2]);
    let arrangement = Arrangement::Strips { axis: 0, width: 2.0 };
    let setup = GasSetup { domain, timestep: 1.0, gravity: Vector::ZERO, arrangement };
    let error = Gas::new(setup, &scattered(3, 1, 0.0)).err().unwrap().to_string();
    assert!(error.contains("at least the largest diameter, 4.0 nm"), "{error}");
}
