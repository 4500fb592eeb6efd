//! Boxes that close on themselves.

use std::f64::consts::PI;

use super::super::SpatialLaguerre;
use super::places::rows;
use crate::kinetic::{Facets, Kinetic};
use jostle_core::agenda::Timetable;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Flight, Flights, Vector};

/// The neighbours of each ball in a box, which are held to be mutual.
fn neighbours(
    edges: [f64; 3],
    periodic: [bool; 3],
    balls: &[(Vector<3>, f64)],
) -> (SpatialLaguerre, Vec<Vec<u32>>) {
    let flight = |(position, radius): &(Vector<3>, f64)| Flight {
        position: *position,
        velocity: Vector::ZERO,
        since: 0.0,
        radius: *radius,
    };
    let all: Vec<_> = balls.iter().map(flight).collect();
    let domain = Domain::new(edges, periodic);
    let flights = Flights { domain: &domain, acceleration: Vector::ZERO, all: &all };
    let mut structure = SpatialLaguerre { few: 0, ..SpatialLaguerre::default() };
    structure.build(&flights, 0.0, &mut Facets::new(&mut Timetable::default(), 0));
    structure.assert_well_formed(&flights, 0.0);
    let near = |i: u32| {
        let mut near = Vec::new();
        structure.near(i, &flights, 0.0, &mut near);
        near
    };
    let near: Vec<_> = (0..all.len() as u32).map(near).collect();
    // With several boxes beside each other, what is left open by lattices may differ among them.
    for (i, list) in (0..).zip(&near).filter(|_| structure.sites.copies(structure.particles) == 1) {
        assert!(list.iter().all(|&j| near[j as usize].contains(&i)), "{i} is a neighbour as well");
    }
    (structure, near)
}

/// 4000 points at random have 2 + 48 π²/35 = 15.54 neighbours on average (Meijering 1953). The mean
/// scatters by 0.06 from sample to sample, so that chance makes this fail once in 10^6 seeds.
#[test]
fn points_at_random_have_as_many_neighbours_as_in_theory() {
    let random = Random::new(21);
    let points: Vec<_> = (0..4000)
        .map(|i| {
            let draw = |k| random.uniform(Purpose::Placement, [i, k as u64, 0, 0]);
            (Vector::from_fn(draw), 0.0)
        })
        .collect();
    let (structure, near) = neighbours([1.0; 3], [true; 3], &points);
    assert!(structure.tells_images_apart(), "one site for each is enough");
    let mean = near.iter().map(Vec::len).sum::<usize>() as f64 / points.len() as f64;
    assert!((mean - (2.0 + 48.0 * PI * PI / 35.0)).abs() < 0.3, "{mean}");
}

/// Next to each other along an axis, also round the box, and with itself nobody.
#[test]
fn lattices_close_on_themselves() {
    for side in 1..=6_usize {
        for periodic in [[true; 3], [true, false, true], [false, true, false]] {
            let balls = rows([side; 3], 0.5);
            let (_, near) = neighbours([1.0; 3], periodic, &balls);
            let number = |x: [usize; 3]| ((x[0] * side + x[1]) * side + x[2]) as u32;
            for (i, list) in (0..).zip(&near) {
                assert!(!list.contains(&i));
                let at = [i as usize / side / side, i as usize / side % side, i as usize % side];
                for k in 0..3 {
                    let mut next = at;
                    next[k] += 1;
                    if next[k] == side {
                        next[k] = 0;
                        if !periodic[k] || side == 1 {
                            continue;
                        }
                    }
                    assert!(list.contains(&number(next)), "{at:?} and {next:?} touch");
                }
            }
        }
    }
}

/// A few balls need more than one box, and a flat box more boxes along its short edge.
#[test]
fn narrow_boxes_are_put_beside_themselves() {
    let pair = [(Vector([0.2, 0.5, 0.5]), 0.1), (Vector([0.7, 0.5, 0.5]), 0.1)];
    for (edges, balls) in [([1.0; 3], &pair[..]), ([1.0; 3], &pair[..1]), ([9.0, 1.0, 1.0], &pair)]
    {
        let (structure, near) = neighbours(edges, [true; 3], balls);
        assert!(!structure.tells_images_apart());
        assert!(near.iter().all(|list| list.len() == balls.len() - 1), "{near:?}");
    }
}
