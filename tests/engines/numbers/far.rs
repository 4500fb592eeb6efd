//! Far from the origin: many periods, more than can be counted, and places outside the box.

use jostle::brownian::{Brownian, Seed, SetupError, StepError};
use jostle::observe::NoObserver;
use jostle::space::Vector;
use jostle::species::Drift;
use jostle_lab::validate::world::{World, unwrapped};

use super::runs::{at, everywhere, one_step, steps};

#[test]
fn a_step_over_a_million_periods_ends_where_it_should() {
    let world = World::<3>::periodic(7.0).species(0.5, 1.0).ghosts();
    let along = Vector([7e6 + 1.25, -7e6 - 1.5, 3.5]);
    let run = everywhere(&world, &at(&[[1.0; 3], [2.0; 3]]), |engine, heard| {
        (0..3).for_each(|_| engine.step_along(|_| along, heard).unwrap());
        for (place, start) in unwrapped(engine).into_iter().zip([1.0, 2.0]) {
            assert!((place - Vector([start; 3]) - along * 3.0).norm() < 1e-8, "{place:?}");
        }
    });
    assert_eq!(run.images[0], [3_000_000, -3_000_001, 1]);
}

/// Images a thousand periods off are met in their order.
#[test]
fn a_path_over_many_periods_meets_the_first_in_its_way() {
    let world = World::<2>::periodic(10.0).species(0.5, 1.0);
    let run = one_step(&world, &[[[1.0, 1.0], [10_001.0, 1.0]], [[8.0, 1.0]; 2]]);
    assert_eq!(run.pairs()[0], [0, 1]);
    assert!((run.contacts[0].time - 6e-4).abs() < 1e-15);
    assert!(run.overlap(&world) < 1e-9);
}

/// Far from where they began, particles continue as near it: what is kept is the place in the box.
#[test]
fn after_a_long_way_contacts_are_as_good_as_before() {
    let drift = |v: f64| Drift::Constant([v, 0.0, 0.0]);
    let world = World::<2>::periodic(10.0).drifting(0.5, 1e-3, drift(9e5)).ghosts();
    let mut engine = world.with(&at(&[[1.0; 2], [5.0; 2]])).unwrap();
    (0..1000).for_each(|_| engine.step(&mut NoObserver).unwrap());
    assert!(engine.particles().image.iter().all(|image| (image[0] - 90_000_000).abs() < 10));
    // Crowded, with periods behind them.
    let world = World::<2>::periodic(10.0).species(0.5, 0.02);
    let places: Vec<_> =
        (0..36).map(|n| [0.8 + 1.6 * f64::from(n % 6), 0.8 + 1.6 * f64::from(n / 6)]).collect();
    let run = everywhere(&world, &at(&places), |engine, heard| {
        engine.step_along(|_| Vector([1e7, -1e7]), heard).unwrap();
        (0..40).for_each(|_| engine.step(heard).unwrap());
    });
    assert!(run.tally.contacts > 100 && run.overlap(&world) < 1e-12, "{:?}", run.tally);
    assert!(run.images.iter().all(|image| image[0] >= 999_999), "{:?}", run.images);
}

/// The counts of periods have 32 bits.
#[test]
fn more_periods_than_can_be_counted_end_the_run_with_a_message() {
    let far = |world: &World<2>, way: f64| {
        let mut engine = world.with(&at(&[[1.0; 2], [3.0; 2]])).unwrap();
        let go = |engine: &mut Brownian<2>| {
            engine.step_along(|id| Vector([way * id as f64, 0.0]), &mut NoObserver)
        };
        (0..5).find_map(|_| go(&mut engine).err())
    };
    let ghosts = World::<2>::periodic(4.0).species(0.5, 1.0).ghosts();
    assert!(far(&ghosts, 4e8).is_none());
    for way in [4e9, -4e9, 4e12, -1e15, 1e18] {
        let fault = far(&ghosts, way).expect("it cannot be counted");
        assert!(matches!(fault, StepError::TooFar { id: 1, .. }), "{way:e}: {fault}");
        let said = "particle 1 is more than 2147483646 periods of the box from where it began";
        assert!(fault.to_string().contains(said), "{fault}");
    }
}

#[test]
fn one_that_begins_outside_the_box_is_named() {
    for outside in [-1e-9, 10.5, 1e9, -1e300, f64::NAN, f64::INFINITY] {
        for world in [World::<2>::periodic(10.0), World::closed(10.0)] {
            let world = world.species(0.5, 0.1);
            let refused = world.with(&at(&[[5.0; 2], [5.0, outside]])).err();
            assert_eq!(refused, Some(SetupError::Outside { particle: 1 }));
        }
    }
}

/// The edge itself is the origin along a periodic axis.
#[test]
fn one_that_begins_on_the_upper_face_of_the_box_is_at_its_lower_one() {
    let world = World::<2>::periodic(10.0).species(0.5, 0.01);
    let run = steps(&world, &at(&[[10.0, 10.0], [1.0, 0.0], [9.0, 10.0], [0.0, 5.0]]), 20);
    assert!(run.tally.contacts > 0 && run.overlap(&world) < 1e-12, "{:?}", run.tally);
    let refused = world
        .with(&[[10.0, 5.0], [0.25, 5.0]].map(|x| Seed { species: 0, position: Vector(x) }))
        .err();
    assert!(refused.is_some_and(|error| error.to_string().contains("particles 0 and 1")));
}
