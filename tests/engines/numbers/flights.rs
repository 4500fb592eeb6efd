//! The granular engine at the edge of what can be, the same through every kinetic structure.

use jostle::granular::{Grain, Granular, SetupError};
use jostle::kinetic::KineticKind;
use jostle::observe::{Contact, NoObserver};
use jostle::space::Vector;
use jostle_lab::validate::granular::world::{GranularWorld, Hear, ball, gas, overlap};

/// What came of it: particles and time of each contact, and where every particle is in the end.
#[derive(Clone, Debug, PartialEq)]
struct Course<const D: usize> {
    contacts: Vec<(u64, String, f64)>,
    places: Vec<Vector<D>>,
}

impl<const D: usize> Course<D> {
    #[track_caller]
    fn assert_places(&self, expected: &[[f64; D]]) {
        for (found, expected) in self.places.iter().zip(expected) {
            assert!(
                (*found - Vector(*expected)).norm() < 1e-12,
                "{:?}, not {expected:?}",
                self.places
            );
        }
    }
}

fn course<const D: usize>(world: &GranularWorld<D>, grains: &[Grain<D>], end: f64) -> Course<D> {
    let mut engine = world.start(grains).unwrap_or_else(|error| panic!("{error}"));
    let mut contacts = Vec::new();
    let mut hear = Hear(|contact: &Contact<D>| {
        let time = contact.step as f64 + contact.time;
        contacts.push((contact.id, format!("{:?}", contact.partner), time));
    });
    engine.advance(end, &mut hear).unwrap_or_else(|fault| panic!("{:?}: {fault}", world.kind));
    assert_eq!(engine.tally().late, 0, "{:?}", world.kind);
    let apart = overlap(world, &engine);
    assert!(apart < 1e-6, "{:?}: {apart:e}", world.kind);
    let flights = engine.flights();
    let places =
        (0..flights.len() as u32).map(|i| flights.domain.wrap(flights.at(i, engine.now())).0);
    let places = places.collect();
    Course { contacts, places }
}

/// Through every structure that serves this box.
fn everywhere<const D: usize>(
    world: &GranularWorld<D>,
    grains: &[Grain<D>],
    end: f64,
) -> Course<D> {
    let first = course(&world.clone().kind(KineticKind::Direct), grains, end);
    for kind in KineticKind::ALL.into_iter().filter(|kind| kind.serves(D)) {
        assert_eq!(course(&world.clone().kind(kind), grains, end), first, "{kind:?}");
    }
    first
}

#[test]
fn balls_that_touch_across_a_face_or_corner_part_or_meet_at_once() {
    let world = GranularWorld::periodic([10.0; 2]);
    let parting = [ball([9.5, 5.0], [-1.0, 0.0]), ball([0.5, 5.0], [1.0, 0.0])];
    assert_eq!(everywhere(&world, &parting, 1.0).contacts, []);
    let meeting = [ball([9.5, 5.0], [1.0, 0.0]), ball([0.5, 5.0], [-1.0, 0.0])];
    let run = everywhere(&world, &meeting, 1.0);
    assert_eq!((run.contacts.len(), run.contacts[0].2), (1, 0.0));
    run.assert_places(&[[8.5, 5.0], [1.5, 5.0]]);
    // Centres at opposite corners of the box, (0.6, 0.8) apart.
    let corner = [ball([0.0, 0.0], [-0.6, -0.8]), ball([9.4, 9.2], [0.6, 0.8])];
    let run = everywhere(&world, &corner, 1.0);
    assert!(run.contacts.len() == 1 && run.contacts[0].2 < 1e-12, "{:?}", run.contacts);
}

#[test]
fn a_ball_in_a_corner_of_walls_meets_both_at_once_and_leaves() {
    let grains = [
        ball([0.5, 0.5], [-1.0, -2.0]),
        ball([9.5, 9.5], [1.0, 0.0]),
        ball([0.5, 9.5], [1.0, 0.0]),
    ];
    let run = everywhere(&GranularWorld::closed([10.0; 2]), &grains, 1.0);
    let times: Vec<f64> = run.contacts.iter().map(|contact| contact.2).collect();
    assert_eq!(times, [0.0; 3]);
    run.assert_places(&[[1.5, 2.5], [8.5, 9.5], [1.5, 9.5]]);
}

/// Turned by several angles, so that rounding takes every side.
#[test]
fn three_balls_may_meet_at_the_same_instant() {
    for turn in 0..8 {
        let grains: Vec<_> = (0..3)
            .map(|n| {
                let angle = std::f64::consts::TAU * (f64::from(n) / 3.0 + f64::from(turn) / 17.0);
                let (sine, cosine) = libm::sincos(angle);
                ball([10.0 + 2.0 * cosine, 10.0 + 2.0 * sine], [-cosine, -sine])
            })
            .collect();
        for world in [GranularWorld::closed([20.0; 2]), GranularWorld::periodic([20.0; 2])] {
            let run = everywhere(&world, &grains, 3.0);
            assert!(run.contacts.len() >= 3, "{:?}", run.contacts);
            let time = 2.0 - 1.0 / 3.0f64.sqrt();
            assert!(run.contacts[..3].iter().all(|contact| (contact.2 - time).abs() < 1e-12));
        }
    }
}

#[test]
fn one_ball_may_be_hit_from_both_sides_at_the_same_instant() {
    let grains =
        [ball([2.0, 5.0], [1.0, 0.0]), ball([4.0, 5.0], [0.0; 2]), ball([6.0, 5.0], [-1.0, 0.0])];
    for world in [GranularWorld::closed([10.0; 2]), GranularWorld::periodic([10.0; 2])] {
        everywhere(&world, &grains, 2.0).assert_places(&[[2.0, 5.0], [4.0, 5.0], [6.0, 5.0]]);
    }
}

/// At whole numbers, with speeds of whole numbers, in a box of whole numbers: on the faces and
/// corners of cells again and again, and meeting at the same instants.
#[test]
fn balls_on_the_faces_and_corners_of_cells_are_found_by_all() {
    for periodic in [[true; 2], [true, false], [false; 2]] {
        let edges = periodic.map(|periodic| if periodic { 8.0 } else { 7.0 });
        let margin = periodic.map(|periodic| if periodic { 0.0 } else { 0.5 });
        let grains: Vec<_> = (0..16u32)
            .map(|n| {
                let place = std::array::from_fn(|k| margin[k] + f64::from(n >> (2 * k) & 3) * 2.0);
                ball(place, std::array::from_fn(|k| f64::from((n * 7 + k as u32 * 3) % 5) - 2.0))
            })
            .collect();
        let run = everywhere(&GranularWorld::still(edges, periodic), &grains, 6.0);
        assert!(run.contacts.len() > 30, "{}", run.contacts.len());
    }
}

#[test]
fn balls_of_no_or_next_to_no_extent_fly_and_miss_each_other() {
    for radius in [0.0, 1e-300] {
        let (grains, edge) = gas::<3>(3, 0.1, 7);
        let grains: Vec<_> = grains.into_iter().map(|grain| Grain { radius, ..grain }).collect();
        assert_eq!(everywhere(&GranularWorld::periodic([edge; 3]), &grains, 10.0).contacts, []);
    }
}

#[test]
fn balls_of_next_to_no_extent_that_meet_head_on_bounce() {
    for radius in [1e-300, 1e-160, 1e-20] {
        let small = |x: f64, v: f64| Grain { radius, ..ball([x, 4.0, 4.0], [v, 0.0, 0.0]) };
        let world = GranularWorld::periodic([16.0; 3]);
        let run =
            course(&world.kind(KineticKind::Direct), &[small(4.0, 1.0), small(6.0, -1.0)], 2.0);
        assert_eq!((run.contacts.len(), run.contacts[0].2), (1, 1.0), "{radius:e}");
        run.assert_places(&[[4.0; 3], [6.0, 4.0, 4.0]]);
    }
}

#[test]
fn balls_in_one_place_are_refused_and_named() {
    let grains = [ball([3.0; 2], [0.0; 2]), ball([7.0; 2], [0.0; 2]), ball([3.0; 2], [1.0; 2])];
    for world in [GranularWorld::closed([10.0; 2]), GranularWorld::periodic([10.0; 2])] {
        for kind in KineticKind::ALL {
            assert_eq!(
                world.clone().kind(kind).start(&grains).err(),
                Some(SetupError::Overlap(0, 2, 1.0))
            );
        }
    }
}

/// Powers of two, so that nothing is rounded differently: 2^30 is about 1e9.
#[test]
fn in_another_unit_of_length_all_digits_are_the_same() {
    let (grains, edge) = gas::<3>(4, 0.3, 5);
    let scaled = |scale: f64| {
        let grains = grains.iter().map(|grain| Grain {
            position: grain.position * scale,
            velocity: grain.velocity * scale,
            radius: grain.radius * scale,
            ..*grain
        });
        let edges = [edge * scale; 3];
        let world = GranularWorld::still(edges, [true, false, true]);
        // Lattices touch no wall.
        everywhere(&world, &grains.collect::<Vec<_>>(), 3.0)
    };
    let usual = scaled(1.0);
    assert!(usual.contacts.len() > 100);
    for exponent in [-30, 30, -60, 60] {
        let scale = libm::exp2(f64::from(exponent));
        let other = scaled(scale);
        assert_eq!(other.contacts, usual.contacts, "{exponent}");
        assert!(
            other.places.iter().zip(&usual.places).all(|(a, b)| *a == *b * scale),
            "{exponent}"
        );
    }
}

/// A thread and a sheet, a thousand million times as long as thick.
#[test]
fn boxes_much_longer_than_thick_are_no_harder() {
    for edges in [[1e9, 4.0, 4.0], [4.0, 1e9, 1e9]] {
        for periodic in [[true; 3], [false; 3]] {
            let velocity = |n: u32, k: u32| f64::from((n * 7 + k * 3) % 5) - 2.0;
            let grains: Vec<Grain<3>> = (0..8)
                .map(|n| {
                    let place = |k: usize| 1.0 + 1.5 * f64::from(n >> k & 1);
                    ball(std::array::from_fn(place), std::array::from_fn(|k| velocity(n, k as u32)))
                })
                .collect();
            let run = everywhere(&GranularWorld::still(edges, periodic), &grains, 10.0);
            assert!(run.contacts.len() > 1, "{edges:?}: {:?}", run.contacts);
        }
    }
}

/// A million periods behind them, balls meet as they did at first.
#[test]
fn a_million_periods_from_where_they_began_balls_meet_as_before() {
    let common = Vector([1e7, 0.0]);
    let grains = [[1.0, 5.0], [3.0, 5.0], [8.0, 2.0]]
        .map(|x| Grain { velocity: common, ..ball(x, [0.0; 2]) });
    let mut grains = grains.to_vec();
    grains[0].velocity += Vector([2.0, 0.0]);
    let world = GranularWorld::periodic([10.0; 2]);
    let mut engine = world.kind(KineticKind::Direct).start(&grains).unwrap();
    engine.step(&mut NoObserver).unwrap();
    assert_eq!(engine.tally().collisions, 1);
    let image = |engine: &Granular<2>| engine.view().particles.image[1][0];
    assert!((image(&engine) - 1_000_000).abs() < 2, "{}", image(&engine));
}
