//! Particles that touch exactly, meet at the same instant, or are exactly on the faces of cells and
//! boxes.

use jostle::brownian::{Scheduler, StepError};
use jostle::observe::NoObserver;
use jostle::search::Kind;
use jostle::space::{Domain, Vector};
use jostle_lab::validate::world::World;

use super::runs::{at, everywhere, one_step, steps};

/// Disks of diameter 1 in a periodic box.
fn around() -> World<2> {
    World::periodic(20.0).species(0.5, 1.0)
}

#[test]
fn particles_that_touch_and_part_or_rest_or_slide_past_do_not_meet() {
    let parting = one_step(&around(), &[[[4.0, 5.0], [3.0, 5.0]], [[5.0, 5.0], [6.0, 5.0]]]);
    let resting = one_step(&around(), &[[[4.0, 5.0]; 2], [[5.0, 5.0]; 2]]);
    let sliding = one_step(&around(), &[[[4.0, 5.0], [4.0, 7.0]], [[5.0, 5.0], [5.0, 2.0]]]);
    for run in [&parting, &resting, &sliding] {
        assert_eq!(run.pairs(), [[0; 2]; 0]);
    }
    parting.assert_places(&[[3.0, 5.0], [6.0, 5.0]]);
    sliding.assert_places(&[[4.0, 7.0], [5.0, 2.0]]);
}

#[test]
fn particles_that_touch_and_approach_meet_at_once() {
    let run = one_step(&around(), &[[[4.0, 5.0], [5.0, 5.0]], [[5.0, 5.0], [4.0, 5.0]]]);
    assert_eq!(run.pairs(), [[0, 1]]);
    assert_eq!(run.contacts[0].time, 0.0);
    run.assert_places(&[[3.0, 5.0], [6.0, 5.0]]);
}

#[test]
fn particles_that_touch_across_a_periodic_face_or_the_corner_of_the_box_meet_at_once() {
    let face = one_step(&around(), &[[[19.5, 5.0], [20.5, 5.0]], [[0.5, 5.0], [-0.5, 5.0]]]);
    assert_eq!((face.pairs(), face.contacts[0].time), (vec![[0, 1]], 0.0));
    face.assert_places(&[[18.5, 5.0], [1.5, 5.0]]);
    let parting = one_step(&around(), &[[[19.5, 5.0], [18.5, 5.0]], [[0.5, 5.0], [1.5, 5.0]]]);
    assert_eq!(parting.pairs(), [[0; 2]; 0]);
    // 0.3, 0.4, 0.5: the one in the corner itself.
    let world = World::periodic(20.0).species(0.25, 1.0);
    let corner = one_step(&world, &[[[0.0, 0.0], [0.6, 0.8]], [[19.7, 19.6]; 2], [[0.3, 0.4]; 2]]);
    assert_eq!(corner.pairs()[0], [0, 2]);
    assert!(corner.contacts[0].time < 1e-12 && corner.overlap(&world) < 1e-12);
}

/// At the start of the step particles touch both walls of a corner and fly at both, along one, or
/// away.
#[test]
fn particles_that_touch_a_wall_or_a_corner_of_walls_meet_it_at_once_or_leave() {
    let world = World::closed(10.0).species(0.5, 1.0);
    let run = one_step(
        &world,
        &[
            [[0.5, 0.5], [-0.5, -0.5]],
            [[9.5, 9.5], [10.5, 9.5]],
            [[0.5, 9.5], [2.5, 9.5]],
            [[9.5, 0.5], [8.5, 1.5]],
            [[5.0, 0.5], [5.0, 0.5]],
        ],
    );
    assert_eq!(run.pairs(), [[0, 1000], [0, 1002], [1, 1001]]);
    assert!(run.contacts.iter().all(|contact| contact.time == 0.0), "{:?}", run.contacts);
    run.assert_places(&[[1.5, 1.5], [8.5, 9.5], [2.5, 9.5], [8.5, 1.5], [5.0, 0.5]]);
}

#[test]
fn a_particle_that_reaches_a_corner_of_walls_comes_back_the_way_it_went() {
    let world = World::<3>::closed(10.0).species(0.5, 1.0);
    let run = one_step(&world, &[[[1.5, 1.5, 1.5], [-0.5, -0.5, -0.5]]]);
    assert_eq!(run.pairs(), [[0, 1000], [0, 1002], [0, 1004]]);
    run.assert_places(&[[1.5, 1.5, 1.5]]);
}

#[test]
fn a_cradle_hands_the_motion_to_its_last_ball() {
    let mut ways = vec![[[0.0, 5.0], [3.0, 5.0]]];
    ways.extend((2..7).map(|x| [[f64::from(x), 5.0]; 2]));
    let run = one_step(&around(), &ways);
    assert_eq!(run.pairs(), [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]]);
    assert!(run.contacts.iter().all(|contact| (contact.time - 1.0 / 3.0).abs() < 1e-15));
    run.assert_places(&[[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [4.0, 5.0], [5.0, 5.0], [8.0, 5.0]]);
    // From both ends at the same instant: both come back, and the five stay.
    ways.push([[8.0, 5.0], [5.0, 5.0]]);
    let run = one_step(&around(), &ways);
    run.assert_places(&[
        [19.0, 5.0],
        [2.0, 5.0],
        [3.0, 5.0],
        [4.0, 5.0],
        [5.0, 5.0],
        [6.0, 5.0],
        [9.0, 5.0],
    ]);
}

#[test]
fn one_particle_may_be_hit_from_both_sides_at_the_same_instant() {
    let run =
        one_step(&around(), &[[[2.0, 5.0], [4.0, 5.0]], [[4.0, 5.0]; 2], [[6.0, 5.0], [4.0, 5.0]]]);
    assert_eq!(run.contacts[0].time, 0.5);
    assert!(run.tally.contacts >= 3, "{:?}", run.pairs());
    run.assert_places(&[[2.0, 5.0], [4.0, 5.0], [6.0, 5.0]]);
}

/// Three fly at the point between them, as far from each other as can be; turned by several angles,
/// so that rounding takes every side.
#[test]
fn three_may_meet_at_the_same_instant() {
    for turn in 0..8 {
        let ways: Vec<_> = (0..3)
            .map(|n| {
                let angle = std::f64::consts::TAU * (f64::from(n) / 3.0 + f64::from(turn) / 17.0);
                let (sine, cosine) = libm::sincos(angle);
                let at = |r: f64| [10.0 + r * cosine, 10.0 + r * sine];
                [at(2.0), at(-1.0)]
            })
            .collect();
        let run = one_step(&around(), &ways);
        assert!(run.tally.contacts >= 3, "{:?}", run.pairs());
        // A third of the way ends where they touch.
        let time = (2.0 - 1.0 / 3.0f64.sqrt()) / 3.0;
        assert!(run.contacts[..3].iter().all(|contact| (contact.time - time).abs() < 1e-12));
        assert!(run.overlap(&around()) < 1e-12);
        let sum = run.places.iter().fold(Vector::ZERO, |sum, x| sum + *x);
        assert!(
            (sum - Vector([30.0; 2])).norm() < 1e-11,
            "what moves the one moves the others back: {sum:?}"
        );
    }
}

/// Spheres at whole numbers in a box of whole numbers: on the faces, edges and corners of any
/// sensible cells, on those of the box, and where there are walls in contact with them. First they
/// go by whole numbers, then by chance.
#[test]
fn particles_on_the_faces_and_corners_of_cells_are_found_by_all() {
    for periodic in [[true; 3], [true, false, true], [false; 3]] {
        let mut world = World::periodic(8.0).species(0.5, 0.02);
        world.domain =
            Domain::new(periodic.map(|periodic| if periodic { 8.0 } else { 7.0 }), periodic);
        let margin = periodic.map(|periodic| if periodic { 0.0 } else { 0.5 });
        let place = |n: u32| std::array::from_fn(|k| margin[k] + f64::from(n >> (2 * k) & 3) * 2.0);
        let places: Vec<[f64; 3]> = (0..64).map(place).collect();
        let run = everywhere(&world, &at(&places), |engine, heard| {
            for step in 0..4 {
                let along = |id: u64| {
                    Vector::from_fn(|k| ((id * 7 + step * 5 + k as u64 * 3) % 5) as f64 - 2.0)
                };
                engine.step_along(along, heard).unwrap();
            }
            (0..10).for_each(|_| engine.step(heard).unwrap());
        });
        assert!(run.tally.contacts > 100, "{:?}", run.tally);
        assert!(run.overlap(&world) < 1e-12, "{}", run.overlap(&world));
    }
}

/// A lattice of disks that touch each other on all sides, in a box with a little room beside it.
#[test]
fn a_lattice_in_which_all_touch_continues() {
    for periodic in [[true; 2], [false; 2]] {
        let mut world = World::periodic(6.5).species(0.5, 0.01);
        world.domain = Domain::new([6.5; 2], periodic);
        let places: Vec<_> =
            (0..36).map(|n| [0.5 + f64::from(n % 6), 0.5 + f64::from(n / 6)]).collect();
        let run = steps(&world, &at(&places), 5);
        assert!(run.tally.contacts > 100, "{:?}", run.tally);
        assert!(run.overlap(&world) < 1e-12, "{}", run.overlap(&world));
    }
}

/// Without any room they would collide for ever.
#[test]
fn a_lattice_without_any_room_ends_the_run_with_a_message() {
    let world = around().search(Kind::Cubic).scheduler(Scheduler::Queue);
    let world = World { domain: Domain::new([6.0; 2], [true; 2]), ..world };
    let places: Vec<_> = (0..36).map(|n| [f64::from(n % 6), f64::from(n / 6)]).collect();
    let mut engine = world.with(&at(&places)).unwrap();
    let fault = engine.step(&mut NoObserver).expect_err("there is no room");
    assert!(matches!(fault, StepError::Wedged { step: 0, .. }), "{fault}");
    assert!(fault.to_string().contains("a lower packing fraction, would let it out"), "{fault}");
}

/// So would a particle between two walls that it touches both.
#[test]
fn a_particle_without_room_between_walls_is_told_so() {
    let world = World::periodic(1.0).species(0.5, 0.01);
    let world = World { domain: Domain::new([1.0, 6.0], [false, true]), ..world };
    let mut engine = world.with(&at(&[[0.5, 3.0]])).unwrap();
    let fault = engine.step(&mut NoObserver).expect_err("there is no room");
    assert!(fault.to_string().contains("a wider gap"), "{fault}");
    // Its own periodic image is always as far away.
    let world = World { domain: Domain::new([1.0, 6.0], [true; 2]), ..world };
    let run = steps(&world, &at(&[[0.5, 3.0]]), 20);
    assert!(run.overlap(&world) < 1e-12, "{}", run.overlap(&world));
}
