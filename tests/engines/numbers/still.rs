//! Nothing that moves, nothing that has an extent, and two in one place.

use jostle::brownian::Seed;
use jostle::rules::{Action, ContactRule, RuleSet};
use jostle::space::Vector;
use jostle::species::Drift;
use jostle_lab::validate::world::{World, on_lattice};

use super::runs::{at, one_step, steps};

#[test]
fn where_nothing_diffuses_nothing_moves() {
    let world = World::<3>::periodic(6.0).species(0.5, 0.0);
    let particles = on_lattice(6.0, 216, 1);
    let run = steps(&world, &particles, 20);
    assert_eq!((run.tally.contacts, run.images.iter().all(|image| *image == [0; 3])), (0, true));
    assert!(run.places.iter().zip(&particles).all(|(end, start)| *end == start.position));
}

#[test]
fn particles_that_do_not_diffuse_stay_where_they_are_however_often_they_are_hit() {
    let world = World::<2>::periodic(12.0).species(0.5, 0.0).species(0.5, 0.05);
    let particles = on_lattice(12.0, 64, 2);
    let run = steps(&world, &particles, 60);
    assert!(run.tally.contacts > 100, "{:?}", run.tally);
    let resting = run.places.iter().zip(&particles).filter(|(_, start)| start.species == 0);
    assert_eq!(resting.filter(|(end, start)| **end == start.position).count(), 32);
    assert!(run.overlap(&world) < 1e-12);
}

/// Neither gives way more than the other: 1/D is infinite for both.
#[test]
fn two_that_only_drift_bounce_like_equals() {
    let drift = |v: f64| Drift::Constant([v, 0.0, 0.0]);
    let world =
        World::<2>::periodic(20.0).drifting(0.5, 0.0, drift(2.0)).drifting(0.5, 0.0, drift(-2.0));
    let seed = |species: u16, x: f64| Seed { species, position: Vector([x, 5.0]) };
    let run = steps(&world, &[seed(0, 4.0), seed(1, 7.0)], 1);
    assert_eq!((run.pairs(), run.contacts[0].time), (vec![[0, 1]], 0.5));
    run.assert_places(&[[4.0, 5.0], [7.0, 5.0]]);
}

#[test]
fn particles_of_no_or_next_to_no_extent_diffuse_and_miss_each_other() {
    for radius in [0.0, 1e-300, f64::MIN_POSITIVE] {
        let world = World::<3>::periodic(1.0).species(radius, 0.01);
        let run = steps(&world, &on_lattice(1.0, 64, 1), 10);
        assert_eq!(run.tally.contacts, 0);
        assert!(run.places.iter().all(|x| x.is_finite()));
        // Between walls they are thrown back.
        let world = World::<2>::closed(1.0).species(radius, 0.01);
        let run = steps(&world, &on_lattice(1.0, 64, 1), 10);
        assert!(run.tally.wall_contacts > 10 && run.tally.contacts == 0, "{:?}", run.tally);
    }
}

/// On one line they cannot miss each other.
#[test]
fn points_that_meet_head_on_bounce() {
    for radius in [0.0, 1e-300, 1e-160, 1e-20] {
        let world = World::<3>::periodic(16.0).species(radius, 1.0);
        let run = one_step(&world, &[[[4.0; 3], [6.0, 4.0, 4.0]], [[5.0, 4.0, 4.0]; 2]]);
        assert_eq!((run.pairs(), run.contacts[0].time), (vec![[0, 1]], 0.5));
        run.assert_places(&[[5.0, 4.0, 4.0], [6.0, 4.0, 4.0]]);
    }
}

/// As long as steps are not so much longer than they that rounding decides which touches: `check`
/// refuses steps of more than ten radii.
#[test]
fn small_ones_on_a_line_keep_their_order() {
    for radius in [1e-6, 1e-3] {
        let world = World::<1>::closed(8.0).species(radius, 0.3);
        let places: Vec<_> = (0..16).map(|n| [0.25 + 0.5 * f64::from(n)]).collect();
        let run = steps(&world, &at(&places), 200);
        assert!(run.tally.contacts > 500, "{:?}", run.tally);
        assert!(run.places.is_sorted_by(|a, b| a[0] <= b[0]), "{radius:e}: {:?}", run.places);
    }
}

/// Radii so small that their squares are nothing.
#[test]
fn small_beside_large_is_kept_out() {
    let world = World::<3>::periodic(8.0).species(1.0, 0.0).species(1e-300, 0.05);
    let run = steps(&world, &on_lattice(8.0, 64, 2), 40);
    assert!(run.tally.contacts > 20, "{:?}", run.tally);
    assert!(run.overlap(&world) < 1e-12, "{}", run.overlap(&world));
}

#[test]
fn two_in_one_place_are_refused_and_named() {
    let world = World::<3>::periodic(8.0).species(0.5, 0.1);
    let refused =
        world.with(&at(&[[1.0; 3], [4.0; 3], [1.0; 3]])).err().map(|error| error.to_string());
    let said = "particles 0 and 2 (counted from 0) overlap at the start by 1 nm";
    assert_eq!(refused.as_deref(), Some(said));
}

#[test]
fn two_in_one_place_continue_where_they_may_pass() {
    for action in [Action::Pass, Action::Ignore] {
        let rules = RuleSet {
            contact: vec![ContactRule::plain("pass", [0, 0], action)],
            ..RuleSet::default()
        };
        let world = World::<2>::periodic(4.0).species(0.5, 0.1).rules(rules);
        let run = steps(&world, &at(&[[1.0; 2], [1.0; 2], [0.0; 2], [0.0; 2]]), 40);
        assert_eq!(run.tally.contacts > 0, action == Action::Pass, "{:?}", run.tally);
        assert!(run.places.iter().all(|x| x.is_finite()));
    }
}
