//! The same bits for any number of threads.

use jostle::polygons::{Drive, ForceLaw, Polygons};
use jostle::space::{Domain, Outline, Vector};
use jostle::state_hash::state_hash;

use super::worlds::{ROUGH, put, regular, run, start, wall, world};

/// More than 2048 bodies of all kinds over a shaken floor, so that every part of a step is shared
/// out.
fn storm() -> Polygons {
    let mut world = world(ForceLaw { stiffness: 1e4, ..ROUGH }, 5e-4);
    let columns = 54;
    world.domain = Domain::new([2.1 * columns as f64, 200.0], [true, false]);
    for n in 0..columns * 40 {
        let outline = match n % 7 {
            0 => Outline::Disk(1.0),
            k => regular(3 + 2 * k, 1.0),
        };
        let at = [1.05 + 2.1 * (n % columns) as f64, 1.05 + 2.1 * (n / columns) as f64];
        let body = put(&mut world, outline, at, n as f64);
        let a = n as f64;
        world.solids[body].velocity = Vector([3.0 * libm::sin(a), 3.0 * libm::cos(2.0 * a)]);
        world.solids[body].angular_velocity = libm::sin(3.0 * a);
    }
    let plate = wall(&mut world, [2.1 * columns as f64 + 6.0, 4.0], [1.05 * columns as f64, -2.5]);
    world.walls[plate].drive =
        Drive::Oscillation { amplitude: Vector([0.0, 0.4]), frequency: 1.0, phase: 0.0 };
    world.gravity = Vector([0.0, -1.0]);
    start(world)
}

/// All that is seen of the state, as bits.
fn bits(engine: &mut Polygons) -> Vec<u64> {
    let tally = engine.tally();
    let view = engine.view();
    let outlines = view.outlines.unwrap();
    let balance = view.balance.unwrap();
    let mut bits =
        vec![state_hash(view.particles, view.clusters), tally.contact_steps, tally.features.steps];
    let numbers = [balance.kinetic, balance.elastic, balance.dissipated, balance.wall_work];
    let velocities = view.particles.velocity.iter().flat_map(|v| v.0);
    let forces = outlines.forces.iter().flat_map(|f| [f.force[0], f.force[1], f.arm[0], f.arm[1]]);
    let all =
        numbers.into_iter().chain(outlines.angle.iter().copied()).chain(velocities).chain(forces);
    bits.extend(all.map(f64::to_bits));
    bits
}

#[test]
fn one_two_and_four_threads_give_the_same_bits() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut engine = storm();
            run(&mut engine, 400);
            assert!(engine.tally().contacts > 300, "{:?}", engine.tally());
            bits(&mut engine)
        })
    };
    let one = with(1);
    assert!(one == with(2), "two threads");
    assert!(one == with(4), "four threads");
}
