//! The polygon engine at the edge of what can be, the same on any number of threads.

use jostle::polygons::{Polygons, Setup, SetupError};
use jostle::space::{Domain, Outline, Vector};
use jostle_lab::validate::polygons::world::{SMOOTH, advance, put, rectangle, velocity, world};

fn start(world: &Setup) -> Polygons {
    Polygons::new(world.clone()).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Places, turns and velocities of all, after so many steps on one thread and on three.
fn course(world: &Setup, steps: u64) -> Vec<[f64; 6]> {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut engine = start(world);
            advance(&mut engine, steps).unwrap_or_else(|fault| panic!("{fault}"));
            let bodies = world.solids.len();
            let state = |n: usize, engine: &mut Polygons| {
                let [x, y, angle] = jostle_lab::validate::polygons::world::place(engine, n);
                let [vx, vy, turning] = velocity(engine, n);
                [x, y, angle, vx, vy, turning]
            };
            (0..bodies).map(|n| state(n, &mut engine)).collect::<Vec<_>>()
        })
    };
    let one = on(1);
    assert_eq!(one, on(3));
    one
}

#[test]
fn bodies_in_one_place_are_refused_and_named() {
    for outline in [Outline::Disk(0.5), rectangle(1.0, 1.0)] {
        let mut world = world(SMOOTH, 1e-4);
        put(&mut world, outline.clone(), [3.0, 3.0], 0.0);
        put(&mut world, outline.clone(), [7.0, 3.0], 0.0);
        put(&mut world, outline, [3.0, 3.0], 0.0);
        let refused = Polygons::new(world).err();
        assert!(matches!(refused, Some(SetupError::Overlap { bodies: [0, 2], .. })), "{refused:?}");
    }
}

/// Face to face, corner to corner and corner to face, also across a face of the box: no force, no
/// motion.
#[test]
fn bodies_that_touch_exactly_rest() {
    let mut world = world(SMOOTH, 1e-4);
    world.domain = Domain::new([16.0; 2], [true; 2]);
    let places =
        [[2.0, 2.0], [3.0, 2.0], [4.0, 3.0], [5.5, 3.5], [15.5, 8.0], [0.5, 8.0], [0.0, 0.0]];
    places.iter().for_each(|&place| {
        put(&mut world, rectangle(1.0, 1.0), place, 0.0);
    });
    put(&mut world, Outline::Disk(0.5), [8.0, 8.0], 0.0);
    put(&mut world, Outline::Disk(0.5), [9.0, 8.0], 0.0);
    put(&mut world, rectangle(1.0, 1.0), [10.0, 8.0], 0.0);
    for (state, solid) in course(&world, 200).iter().zip(&world.solids) {
        assert_eq!(*state, [solid.position[0], solid.position[1], 0.0, 0.0, 0.0, 0.0]);
    }
}

#[test]
fn three_disks_may_meet_at_the_same_instant() {
    let mut world = world(SMOOTH, 1e-4);
    for n in 0..3 {
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * (f64::from(n) / 3.0 + 0.05));
        let body = put(&mut world, Outline::Disk(0.5), [10.0 + cosine, 10.0 + sine], 0.0);
        world.solids[body].velocity = Vector([-cosine, -sine]);
    }
    let states = course(&world, 20_000);
    // They come back as fast as they came, and no particle has turned.
    for ([x, y, angle, vx, vy, turning], solid) in states.iter().zip(&world.solids) {
        let back = Vector([*vx, *vy]) + solid.velocity;
        assert!(
            back.norm() < 1e-6 && angle.abs() + turning.abs() < 1e-9,
            "{back:?} {angle} {turning}"
        );
        assert!((Vector([*x, *y]) - Vector([10.0; 2])).norm() > 1.0);
    }
}

/// A box over whose corner they meet, and the same in the middle of it.
fn meeting(scale: f64, middle: [f64; 2]) -> Setup {
    let mut world = world(SMOOTH, 1e-4);
    world.domain = Domain::new([16.0 * scale; 2], [true; 2]);
    for (x, v) in [([-0.75, -0.25], [1.0, 0.25]), ([0.75, 0.25], [-1.0, 0.125])] {
        let place = [0, 1].map(|k| (middle[k] + x[k]) * scale);
        let body = put(&mut world, rectangle(scale, scale), place, 0.3);
        world.solids[body].velocity = Vector(v) * scale;
        // The mass stays.
        world.solids[body].density = 1.0 / (scale * scale);
    }
    world
}

/// Unwrapped places far out are known to fewer digits.
#[test]
fn over_the_corner_of_the_box_and_a_million_periods_off_bodies_meet_as_in_its_middle() {
    let usual = course(&meeting(1.0, [8.0, 8.0]), 4000);
    assert!(usual[0][3] < 0.0, "they have met: {usual:?}");
    for (middle, tolerance) in [([0.0, 0.0], 1e-9), ([16.0, 0.0], 1e-9), ([16e6, -16e6], 1e-2)] {
        let other = course(&meeting(1.0, middle), 4000);
        for (a, b) in usual.iter().zip(&other) {
            let apart = [a[0] + middle[0] - 8.0 - b[0], a[1] + middle[1] - 8.0 - b[1], a[2] - b[2]];
            let faster = [a[3] - b[3], a[4] - b[4], a[5] - b[5]];
            let worst = apart.iter().chain(&faster).fold(0.0f64, |most, x| most.max(x.abs()));
            assert!(worst < tolerance, "{middle:?}: {worst:e}");
        }
    }
}

/// Powers of two, so that nothing is rounded differently: 2^30 is about 1e9.
#[test]
fn in_another_unit_of_length_all_digits_are_the_same() {
    let usual = course(&meeting(1.0, [8.0, 8.0]), 4000);
    for exponent in [-30, 30] {
        let scale = libm::exp2(f64::from(exponent));
        for (a, b) in usual.iter().zip(course(&meeting(scale, [8.0, 8.0]), 4000)) {
            let scaled = [a[0] * scale, a[1] * scale, a[2], a[3] * scale, a[4] * scale, a[5]];
            assert_eq!(b, scaled, "{exponent}");
        }
    }
}
