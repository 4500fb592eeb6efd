//! The unit of length does not matter: boxes of 1e-9 and of 1e9.

use jostle::brownian::{Scheduler, Seed};
use jostle::model;
use jostle::run::{Options, run};
use jostle::space::{Domain, Vector};
use jostle_lab::validate::world::{World, on_lattice};
use std::sync::atomic::AtomicBool;

use super::runs::{Run, steps};

/// A crowd of two sizes between a wall and periodic faces, all lengths times `scale`.
fn crowd(scale: f64) -> Run<3> {
    let mut world = World::periodic(1.0)
        .species(0.5 * scale, 0.01 * scale * scale)
        .species(0.3 * scale, 0.03 * scale * scale);
    world.domain = Domain::new([8.0 * scale; 3], [true, true, false]);
    let particles: Vec<_> = on_lattice(8.0, 216, 2)
        .into_iter()
        .map(|seed| Seed { position: seed.position * scale, ..seed })
        .collect();
    steps(&world, &particles, 12)
}

/// A power of two, so that nothing is rounded differently: 2^30 is about 1e9.
#[test]
fn in_another_unit_of_length_all_digits_are_the_same() {
    let usual = crowd(1.0);
    assert!(usual.tally.contacts > 100 && usual.tally.wall_contacts > 10, "{:?}", usual.tally);
    for exponent in [-30, 30, -60, 60] {
        let scale = libm::exp2(f64::from(exponent));
        let other = crowd(scale);
        assert_eq!((other.tally.contacts, other.tally.wall_contacts), {
            (usual.tally.contacts, usual.tally.wall_contacts)
        });
        assert_eq!(other.images, usual.images);
        for (a, b) in other.contacts.iter().zip(&usual.contacts) {
            assert_eq!(
                (a.step, a.time, a.id, a.normal),
                (b.step, b.time, b.id, b.normal),
                "{exponent}"
            );
        }
        for (a, b) in other.places.iter().zip(&usual.places) {
            assert_eq!(*a, *b * scale, "{exponent}");
        }
    }
}

/// The same as a model file, in decimal figures.
#[test]
fn a_model_in_a_box_of_a_billionth_or_a_billion_nanometres_runs_as_any() {
    let contacts = |length: f64, diffusion: f64| {
        let text = format!(
            "[units]\nlength = \"nm\"\ntime = \"us\"\n[space]\ndimension = 3\nedges = {:e}\n[run]\ntimestep = 1\n\
             steps = 300\n[[species]]\nname = \"A\"\nradius = {:e}\ndiffusion = \"{:e} nm^2/us\"\ncount = 300\n",
            10.0 * length,
            0.4 * length,
            0.005 * diffusion,
        );
        let model = model::parse(&text, "scaled", &[]).unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!(model.brownian().unwrap().scheduler, Scheduler::Islands);
        let options = Options {
            out: None,
            force: false,
            self_check: true,
            stop: &AtomicBool::new(false),
            progress: &mut |_| (),
            checkpoints: Default::default(),
        };
        let summary = run(&model, options).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(summary.steps, [300, 300]);
        summary.account.contacts as f64
    };
    let usual = contacts(1.0, 1.0);
    let others = [contacts(1e-10, 1e-20), contacts(1e8, 1e16)];
    println!("{usual} contacts, and {others:?}");
    assert!(usual > 1000.0, "{usual}");
    // Decimal figures are rounded otherwise in another unit, and then contacts come to others.
    assert!(others.iter().all(|other| (other / usual - 1.0).abs() < 0.1), "{usual} {others:?}");
}

/// So small beside the box that neighbours are lost in it: the origin is no better a place than the
/// far corner.
#[test]
fn two_that_are_a_billionth_of_the_box_bounce() {
    for edge in [1.0, 1e9, 1e-9] {
        let radius = 1e-9 * edge;
        let world = World::<2>::periodic(edge).species(radius, 0.02 * radius * radius);
        let place = |x: f64, y: f64| Seed { species: 0, position: Vector([x * edge, y * edge]) };
        let near = 2.2e-9;
        let pairs = [
            [place(0.75, 0.75), place(0.75 + near, 0.75)],
            [place(0.0, 0.0), place(1.0 - near, 0.0)],
            [place(0.5, 0.0), place(0.5, 1.0 - near)],
            [place(0.25, 0.5), place(0.25, 0.5 + near)],
        ];
        let particles = pairs.concat();
        let run = steps(&world, &particles, 400);
        assert!(run.tally.contacts > 10, "{edge:e}: {:?}", run.tally);
        // Places are known to 1e-16 of the box.
        assert!(run.overlap(&world) < 1e-6, "{edge:e}: {}", run.overlap(&world));
    }
}

/// A thread and a sheet, a thousand million times as long as thick: cells are not as many as would
/// fit in.
#[test]
fn boxes_much_longer_than_thick_are_no_harder() {
    for edges in [[1e9, 4.0, 4.0], [4.0, 1e9, 1e9]] {
        for periodic in [[true; 3], [false; 3]] {
            let mut world = World::periodic(1.0).species(0.5, 0.02);
            world.domain = Domain::new(edges, periodic);
            let seed = |n: u32| Seed {
                species: 0,
                position: Vector::from_fn(|k| 1.0 + 1.5 * f64::from(n >> k & 1)),
            };
            let particles: Vec<_> = (0..8).map(seed).collect();
            let run = steps(&world, &particles, 60);
            assert!(run.tally.contacts > 20, "{edges:?}: {:?}", run.tally);
            // Places are known to 1e-16 of the longest edge.
            assert!(run.overlap(&world) < 1e-6, "{edges:?}: {}", run.overlap(&world));
        }
    }
}
