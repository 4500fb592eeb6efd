//! Boxes that close on themselves.

use super::super::Laguerre;
use super::super::exact::Circle;
use super::scenes::{crowd, line, square_lattice};
use super::storm::{Storm, random_velocity};
use crate::kinetic::{Facets, Kinetic};
use jostle_core::agenda::Timetable;
use jostle_core::space::{Domain, Flight, Flights, Vector};

/// The triangulation of a box as built, which is held to be right.
fn built(edges: [f64; 2], periodic: [bool; 2], disks: &[Circle]) -> (Laguerre, Vec<Vec<u32>>) {
    let still = |(position, radius): &Circle| Flight {
        position: *position,
        velocity: Vector::ZERO,
        since: 0.0,
        radius: *radius,
    };
    let all: Vec<_> = disks.iter().map(still).collect();
    let domain = Domain::new(edges, periodic);
    let flights = Flights { domain: &domain, acceleration: Vector::ZERO, all: &all };
    let mut structure = Laguerre::default();
    structure.build(&flights, 0.0, &mut Facets::new(&mut Timetable::default(), 0));
    structure.assert_well_formed(&flights, 0.0);
    let near = |i: u32| {
        let mut near = Vec::new();
        structure.near(i, &flights, 0.0, &mut near);
        near
    };
    let near: Vec<_> = (0..all.len() as u32).map(near).collect();
    for (i, list) in (0..).zip(&near) {
        assert!(list.iter().all(|&j| near[j as usize].contains(&i)), "{i} is a neighbour as well");
    }
    (structure, near)
}

/// Twice as many triangles as disks, whose areas add up to that of the box: with certificates that hold,
/// there is one triangulation of that kind. On average six edges meet in a disk.
#[test]
fn triangles_fill_the_box_once() {
    for (edges, count) in [([1.0, 1.0], 400), ([1.0, 1.0], 3), ([1.0, 1.0], 1), ([9.0, 1.0], 5)] {
        let disks = crowd(count, count as usize, 1e-3);
        let (structure, near) = built(edges, [true; 2], &disks);
        let mesh = &structure.mesh;
        assert_eq!(mesh.edges(), 3 * count as u32);
        let mut area = 0.0;
        for half in 0..2 * mesh.edges() {
            let at = mesh.corners(half).map(|corner| {
                let place = disks[corner.site as usize].0;
                Vector::<2>::from_fn(|k| place[k] + f64::from(corner.away[k]) * edges[k])
            });
            let [p, q] = [at[1] - at[0], at[2] - at[0]];
            let doubled = p[0] * q[1] - p[1] * q[0];
            assert!(doubled > 0.0, "{at:?} turn left");
            area += doubled / 6.0;
        }
        assert!((area / (edges[0] * edges[1]) - 1.0).abs() < 1e-9, "{area}");
        if count == 400 {
            let pairs: usize = near.iter().map(Vec::len).sum();
            assert_eq!(pairs, 6 * disks.len());
        }
    }
}

/// Next to each other along an axis, also round the box, and nobody with itself.
#[test]
fn lattices_close_on_themselves() {
    for side in 1..=7_usize {
        for periodic in [[true; 2], [true, false], [false, true]] {
            let middle = |n: usize| (n as f64 + 0.5) / side as f64;
            let at = |n: usize| Vector([middle(n % side), middle(n / side)]);
            let radius = 0.5 / side as f64;
            let disks: Vec<Circle> = (0..side * side).map(|n| (at(n), radius)).collect();
            let (_, near) = built([1.0; 2], periodic, &disks);
            for (n, list) in near.iter().enumerate() {
                assert!(!list.contains(&(n as u32)));
                for (k, step) in [(0, 1), (1, side)] {
                    let along = n / step % side;
                    let next = n + step - if along + 1 == side { side * step } else { 0 };
                    let is_beside = along + 1 < side || (periodic[k] && side > 1);
                    assert!(!is_beside || list.contains(&(next as u32)), "{n} and {next} touch");
                }
            }
        }
    }
}

#[test]
fn crowds_that_fly_round_the_box_stay_right() {
    let mut contacts = 0;
    for (periodic, count, pull) in [
        ([true, true], 60, [0.0, 0.0]),
        ([true, true], 1, [0.0, 0.0]),
        ([true, true], 2, [0.3, 0.0]),
        ([true, true], 5, [0.0, -1.0]),
        ([true, false], 40, [0.0, -1.0]),
        ([false, true], 12, [0.5, 0.0]),
        ([true, false], 2, [0.0, 0.0]),
    ] {
        let disks = crowd(count, count as usize, 3e-3);
        let mut storm = Storm::<2, Laguerre>::new(&disks, 1.0, pull, random_velocity(9, 2.0));
        storm.domain = Domain::new([1.0; 2], periodic);
        storm.with_structure(|structure, flights, facets| structure.build(flights, 0.0, facets));
        storm.run(if count > 20 { 1.0 } else { 10.0 }, 9);
        let flips = storm.structure.topology().events;
        assert_eq!(storm.afresh, 0, "flips did all");
        assert!(flips > 100 || count < 3, "{flips} flips of {count}");
        contacts += storm.contacts;
    }
    assert!(contacts > 30, "{contacts} contacts");
}

/// Rows that close on themselves, and such as pass each other.
#[test]
fn rows_pass_each_other_round_the_box() {
    for (disks, speeds) in [
        (line(8, [1.0, 0.0]), [0.0, 0.0]),
        (square_lattice(4, 0.4), [0.0, 0.3]),
        (square_lattice(4, 0.4), [1e-9, 0.0]),
    ] {
        let high = disks.iter().fold(0.0, |high: f64, disk| high.max(disk.0[0]).max(disk.0[1]));
        let edge = high + 1.0;
        let row = |i: u64| (disks[i as usize].0[1] as i64).rem_euclid(2) as f64;
        let velocity = |i: u64| Vector([0.25 + row(i) * speeds[1], speeds[0] * i as f64]);
        let mut storm = Storm::<2, Laguerre>::new(&disks, 1e3, [0.0; 2], velocity);
        storm.domain = Domain::new([edge; 2], [true; 2]);
        storm.with_structure(|structure, flights, facets| structure.build(flights, 0.0, facets));
        storm.run(30.0, 0);
        let flips = storm.structure.topology().events;
        let turns = 30.0 * speeds[1] / edge;
        assert!(flips as f64 <= 200.0 * (turns + 1.0), "{flips} flips");
        assert_eq!(storm.afresh, 0, "flips did all");
    }
}
