//! Simultaneous and touching: the order of events at one time, grazing contacts, what may stand at
//! the start.

use jostle::granular::forces::{Forces, Well};
use jostle::granular::{Grain, SetupError};
use jostle::kinetic::KineticKind;
use jostle::space::Vector;

use super::worlds::{GranularWorld, Start, ball, energy, lattice, run, uniform};

/// Disks that touch in a row, hit by one: only the last moves on. Events at the same time come in
/// the order of the numbers of the particles, and each hit hands the motion on at once; also where
/// the row lies askew, so that nothing is exact, and however the particles are numbered.
#[test]
fn a_cradle_hands_the_motion_to_its_last_ball() {
    for turn in 0..200 {
        let angle = if turn == 0 { 0.0 } else { 6.3 * uniform(33, turn, 0) };
        let (sine, cosine) = libm::sincos(angle);
        let along = Vector([cosine, sine]);
        let places = [-3.0, 0.0, 1.0, 2.0, 3.0, 4.0];
        for reversed in [false, true] {
            let mut grains: Vec<Grain<2>> = places
                .iter()
                .map(|&s| Grain {
                    position: Vector([50.0; 2]) + along * s,
                    ..ball([0.0; 2], [0.0; 2])
                })
                .collect();
            grains[0].velocity = along;
            if reversed {
                grains.reverse();
            }
            let mut engine = GranularWorld::closed([100.0; 2]).engine(&grains);
            run(&mut engine, 10.0);
            let mut speeds: Vec<f64> =
                engine.flights().all.iter().map(|flight| flight.velocity.dot(along)).collect();
            if reversed {
                speeds.reverse();
            }
            for (i, speed) in speeds.iter().enumerate() {
                let expected = if i == 5 { 1.0 } else { 0.0 };
                assert!((speed - expected).abs() < 1e-7, "turn {turn}: {speeds:?}");
            }
            assert!(engine.tally().collisions < 40, "{:?}", engine.tally());
        }
    }
}

/// Two hit three: two leave.
#[test]
fn two_balls_drive_two_out_of_a_cradle() {
    let grains = [(-3.0, 1.0), (-2.0, 1.0), (0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]
        .map(|(x, v)| ball([x + 20.0, 5.0], [v, 0.0]));
    let mut engine = GranularWorld::closed([40.0, 10.0]).engine(&grains);
    run(&mut engine, 5.0);
    let speeds: Vec<f64> = engine.flights().all.iter().map(|flight| flight.velocity[0]).collect();
    assert_eq!(speeds, [0.0, 0.0, 0.0, 1.0, 1.0]);
}

/// A light ball just above a heavy one, dropped together: the floor turns the heavy one, which
/// throws the light one up at (3 - r)/(1 + r) times the speed, r the ratio of masses.
#[test]
fn of_two_balls_dropped_together_the_light_one_leaves_three_times_as_fast() {
    for (ratio, gap) in [(1e-2, 0.0), (1e-4, 0.0), (1e-6, 0.0), (1e-6, 1e-9)] {
        let grains =
            [ball([5.0, 2.5], [0.0; 2]), Grain { mass: ratio, ..ball([5.0, 3.5 + gap], [0.0; 2]) }];
        let world = GranularWorld::closed([10.0, 100.0]).falling(1.0);
        let mut engine = world.engine(&grains);
        let v = 2.0;
        run(&mut engine, 2.0 + 1e-6);
        let flights = engine.flights();
        let light = flights.velocity_at(1, engine.now())[1];
        let expected = v * (3.0 - ratio) / (1.0 + ratio);
        assert!((light - expected).abs() < 1e-5, "{light} for {expected}");
        assert_eq!((engine.tally().collisions, engine.tally().wall_collisions), (1, 1));
    }
}

/// Particles that touch at the start and leave each other, or a wall, or slide past, have no
/// collision.
#[test]
fn particles_that_touch_and_part_do_not_collide() {
    let grains = [
        ball([0.5, 5.0], [1.0, 0.0]),
        ball([9.5, 2.0], [-1.0, 0.0]),
        ball([3.0, 9.5], [0.0, 0.0]),
        ball([5.0, 0.5], [0.0, 1.0]),
        ball([5.0, 1.5], [0.0, 1.0]),
        ball([6.0, 1.5], [0.0, 2.0]),
    ];
    let mut engine = GranularWorld::closed([10.0; 2]).engine(&grains);
    run(&mut engine, 1.0);
    let tally = engine.tally();
    assert_eq!((tally.collisions, tally.wall_collisions), (0, 0));
}

/// Pairs that touch and slide past each other, up to rounding: no storm of events, no loss.
#[test]
fn sliding_past_each_other_is_no_storm() {
    for case in 0..20_000 {
        let angle = 6.3 * uniform(34, case, 0);
        let (sine, cosine) = libm::sincos(angle);
        // A common speed makes rounding of the relative one as bad as can be.
        let common = Vector([uniform(34, case, 1), uniform(34, case, 2)])
            * libm::pow(10.0, (case % 7) as f64 - 3.0);
        let slip = Vector([-sine, cosine]) * [1.0, 1e-3, 1e-9, 0.0][case as usize % 4];
        let place = Vector([10.0 + uniform(34, case, 3), 10.0 + uniform(34, case, 4)]);
        let grains = [
            Grain { position: place, velocity: common, ..ball([0.0; 2], [0.0; 2]) },
            Grain {
                position: place + Vector([cosine, sine]),
                velocity: common + slip,
                ..ball([0.0; 2], [0.0; 2])
            },
        ];
        let mut engine =
            GranularWorld::periodic([20.0; 2]).kind(KineticKind::Direct).engine(&grains);
        run(&mut engine, 3.0);
        assert!(engine.tally().collisions < 10, "{case}: {:?}", engine.tally());
        assert!(
            (energy(&engine) / grains.iter().map(|g| 0.5 * g.velocity.norm_squared()).sum::<f64>()
                - 1.0)
                .abs()
                < 1e-12
        );
    }
}

/// Without velocities nothing happens, in a lattice whose balls touch each other and the walls too.
#[test]
fn at_rest_nothing_happens() {
    let grains = lattice([4; 3], [4.0; 3]);
    let mut engine = GranularWorld::closed([4.0; 3]).engine(&grains);
    run(&mut engine, 100.0);
    let tally = engine.tally();
    assert_eq!((tally.collisions, tally.wall_collisions, tally.void), (0, 0, 0));
    assert_eq!(engine.now(), 100.0);
}

/// A symmetric break: eight balls fly from the middle to the corners and all meet walls and each
/// other at the same times. Symmetry survives to rounding, since events at one time do not hinder
/// each other.
#[test]
fn simultaneous_events_keep_the_symmetry() {
    let mut grains = Vec::new();
    for n in 0..8 {
        let sign = |k: usize| if n >> k & 1 == 1 { 1.0 } else { -1.0 };
        grains.push(ball(
            std::array::from_fn(|k| 8.0 + 2.0 * sign(k)),
            std::array::from_fn(|k| sign(k) * [1.0, 0.75, 0.5][k]),
        ));
    }
    let mut engine = GranularWorld::closed([16.0; 3]).engine(&grains);
    run(&mut engine, 30.0);
    let flights = engine.flights();
    let first = flights.at(0, 30.0);
    for n in 0..8u32 {
        let x = flights.at(n, 30.0);
        for k in 0..3 {
            let mirrored = if n >> k & 1 == 1 { 16.0 - first[k] } else { first[k] };
            assert!((x[k] - mirrored).abs() < 1e-12, "{x:?} {first:?}");
        }
    }
    let tally = engine.tally();
    assert!(tally.wall_collisions > 8 && tally.wall_collisions.is_multiple_of(8), "{tally:?}");
    assert!(tally.collisions >= 4 && tally.collisions.is_multiple_of(4), "{tally:?}");
}

#[test]
fn bad_starts_are_refused() {
    let world = GranularWorld::closed([10.0; 2]);
    let refused = |grains: &[Grain<2>]| world.start(grains).err();
    let overlapping =
        [ball([3.0, 3.0], [0.0; 2]), ball([8.0, 8.0], [0.0; 2]), ball([3.9, 3.0], [0.0; 2])];
    assert!(
        matches!(refused(&overlapping), Some(SetupError::Overlap(0, 2, share)) if (share - 0.1).abs() < 1e-12)
    );
    assert!(
        matches!(refused(&[ball([0.4, 5.0], [0.0; 2])]), Some(SetupError::Stuck(0, share)) if (share - 0.2).abs() < 1e-12)
    );
    assert!(matches!(refused(&[ball([5.0, 11.0], [0.0; 2])]), Some(SetupError::Stuck(0, _))));
    // By rounding is no matter.
    assert_eq!(
        refused(&[ball([3.0, 0.5 - 1e-12], [0.0; 2]), ball([4.0 - 1e-12, 0.5], [0.0; 2])]),
        None
    );
    let around = GranularWorld::periodic([10.0; 2]);
    assert!(matches!(
        around.start(&[ball([0.2, 5.0], [0.0; 2]), ball([9.9, 5.0], [0.0; 2])]).err(),
        Some(SetupError::Overlap(0, 1, _))
    ));
    let forces =
        Forces { well: Some(Well { centre: Vector([5.0; 2]), rate: 1.0 }), ..Forces::default() };
    let driven = GranularWorld { forces, ..GranularWorld::closed([10.0; 2]) };
    assert_eq!(driven.start(&[]).err(), Some(SetupError::NoTrajectoryEvents));
}
