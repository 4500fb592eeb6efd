//! Storms in all kinds of boxes, lattices, and what Gavrilova & Rokne (2002) count.

use super::storms::{Draws, Speeds, World, storm};
use super::*;
use jostle_core::space::{Domain, Flight, Vector};

/// `n` particles anywhere in a box of edge 8; the first one is `ratio` times as large as the
/// others.
fn anywhere<const D: usize>(
    n: usize,
    radius: f64,
    ratio: f64,
    periodic: [bool; D],
    acceleration: Vector<D>,
    speeds: Speeds,
) -> World<D> {
    let mut draws = Draws::new(n as u64);
    let all = (0..n)
        .map(|i| Flight {
            position: Vector::from_fn(|_| 8.0 * draws.uniform()),
            velocity: draws.velocity(speeds),
            since: 0.0,
            radius: if i == 0 { ratio * radius } else { radius },
        })
        .collect();
    World::new(Domain::new([8.0; D], periodic), acceleration, all)
}

/// Particles on the corners of a lattice, touching, and at rest.
fn lattice<const D: usize>(side: usize, periodic: [bool; D]) -> World<D> {
    let all = (0..side.pow(D as u32))
        .map(|i| Flight {
            position: Vector::from_fn(|k| (i / side.pow(k as u32) % side) as f64),
            velocity: Vector::ZERO,
            since: 0.0,
            radius: 0.5,
        })
        .collect();
    World::new(Domain::new([side as f64; D], periodic), Vector::ZERO, all)
}

fn down<const D: usize>() -> Vector<D> {
    Vector::from_fn(|k| if k + 1 == D { -0.3 } else { 0.0 })
}

/// Periodic, closed and mixed; straight and falling; dilute, dense, and of size ratio 100.
fn storms_in<const D: usize>(rounds: usize) {
    let mixed = std::array::from_fn(|k| k % 2 == 0);
    for (seed, periodic) in [[true; D], [false; D], mixed].into_iter().enumerate() {
        for acceleration in [Vector::ZERO, down()] {
            for (radius, ratio) in [(0.1, 1.0), (0.9, 1.5), (0.015, 100.0)] {
                for speeds in [Speeds::Any, Speeds::Whole, Speeds::Line] {
                    let mut world = anywhere(9, radius, ratio, periodic, acceleration, speeds);
                    storm(&mut world, speeds, rounds, true, seed as u64);
                    let swapped = world.structure.topology().events;
                    assert!(swapped > rounds as u64 / 10, "{swapped} swaps in {rounds} rounds");
                }
            }
        }
    }
}

#[test]
fn storms_of_swaps_leave_order_lists_and_plans_right_in_1d() {
    storms_in::<1>(300);
}

#[test]
fn storms_of_swaps_leave_order_lists_and_plans_right_in_2d() {
    storms_in::<2>(300);
}

#[test]
fn storms_of_swaps_leave_order_lists_and_plans_right_in_3d() {
    storms_in::<3>(300);
}

#[test]
fn a_long_storm_of_many_particles_stays_right() {
    let mut world = anywhere::<2>(300, 0.1, 19.0, [true, false], down(), Speeds::Any);
    storm(&mut world, Speeds::Any, 40_000, false, 1);
    let mut world = anywhere::<3>(200, 0.3, 5.0, [true; 3], Vector::ZERO, Speeds::Whole);
    storm(&mut world, Speeds::Whole, 40_000, false, 2);
}

#[test]
fn a_lattice_at_rest_never_swaps_and_every_touching_pair_is_listed() {
    for periodic in [[true; 3], [false; 3]] {
        let world = lattice(4, periodic);
        assert_eq!(world.timetable.pending(), 0);
        world.examine();
        // The 26 around each, on a torus; those within the block otherwise.
        let pairs = if periodic[0] { 64 * 26 / 2 } else { (10_usize.pow(3) - 64) / 2 };
        assert_eq!(world.listed().len(), pairs);
    }
}

#[test]
fn a_lattice_whose_particles_leave_all_at_once_stays_in_order() {
    for periodic in [[true; 2], [false; 2]] {
        let mut world = lattice(4, periodic);
        storm(&mut world, Speeds::Whole, 3000, true, 3);
        let mut world = lattice(4, periodic);
        let mut draws = Draws::new(4);
        for i in 0..16 {
            world.turn(i, draws.velocity(Speeds::Whole));
        }
        storm(&mut world, Speeds::Whole, 1000, true, 5);
    }
}

/// Two that fall side by side and were rebased at different times: their closing speed is 0 or
/// rounding.
#[test]
fn one_that_falls_side_by_side_never_swaps_for_ever() {
    let at = |x, since: f64| Flight {
        position: Vector([x, 9.0 - 0.15 * since * since]),
        velocity: Vector([0.0, -0.3 * since]),
        since,
        radius: 0.5,
    };
    let all = vec![at(1.0, 0.0), at(2.0, 0.1), at(3.0, 0.7)];
    let mut world = World::new(Domain::new([10.0; 2], [true, false]), Vector([0.0, -0.3]), all);
    world.examine();
    for step in 1..100 {
        while world.timetable.first().time <= 0.01 * f64::from(step) {
            world.swap(&mut Vec::new());
        }
        world.now = 0.01 * f64::from(step);
        let falling = world.flights().velocity_at(step % 3, world.now);
        world.turn(step % 3, falling);
    }
    world.examine();
    assert!(world.structure.topology().events < 1000, "{:?}", world.structure.topology());
}

/// A head-on meeting at x = 4, at t = 2, worked out by hand: boxes touch at t = 1.5.
#[test]
fn a_pair_is_gained_when_its_boxes_meet_and_lost_when_they_part() {
    let at = |x, v, y| Flight {
        position: Vector([x, y]),
        velocity: Vector([v, 0.0]),
        since: 0.0,
        radius: 0.5,
    };
    let all = vec![at(2.0, 1.0, 3.0), at(6.0, -1.0, 3.5)];
    let mut world = World::new(Domain::new([8.0; 2], [false; 2]), Vector::ZERO, all);
    let mut seen = Vec::new();
    while world.timetable.first().time < 10.0 {
        let (before, mut gained) = (world.listed().len(), Vec::new());
        world.swap(&mut gained);
        seen.push((before, gained.len(), world.listed().len(), (world.now * 1e6).round() / 1e6));
    }
    // Swaps: end on beginning, both beginnings and both ends, beginning on end.
    assert_eq!(seen, [(0, 1, 1, 1.5), (1, 0, 1, 2.0), (1, 0, 1, 2.0), (1, 0, 0, 2.5)]);
    assert_eq!(world.structure.topology().gained, 1);
}

#[test]
fn a_swap_plans_three_facets_at_most_and_a_change_of_path_4d() {
    let mut world = anywhere::<3>(30, 0.5, 1.0, [true; 3], Vector::ZERO, Speeds::Any);
    let planned = |world: &World<3>| world.structure.topology().planned;
    let before = planned(&world);
    world.turn(7, Vector([0.1, 0.2, 0.3]));
    assert_eq!(planned(&world) - before, 12);
    let before = planned(&world);
    world.swap(&mut Vec::new());
    assert_eq!(planned(&world) - before, 3);
    assert!(world.timetable.pending() <= 30 * 6);
}

#[test]
fn a_particle_alone_and_no_particle_at_all_are_no_trouble() {
    for n in 0..2 {
        let mut world = anywhere::<2>(n, 0.5, 1.0, [true, false], Vector::ZERO, Speeds::Any);
        world.examine();
        assert_eq!(world.timetable.pending(), 0);
        if n == 1 {
            world.turn(0, Vector([1.0, 2.0]));
            assert_eq!(world.timetable.pending(), 0);
        }
    }
}
