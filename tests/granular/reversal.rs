//! Time reversal: with all velocities turned round an elastic gas goes back to where it came from.

use jostle::granular::{Grain, Granular};

use super::worlds::{World, density, heat, lattice, run};

/// The bodies as they are now, with their velocities turned round.
fn turned<const D: usize>(engine: &Granular<D>, grains: &[Grain<D>]) -> Vec<Grain<D>> {
    let (flights, now) = (engine.flights(), engine.now());
    let turn = |(i, grain): (u32, &Grain<D>)| Grain {
        position: flights.domain.wrap(flights.at(i, now)).0,
        velocity: -flights.velocity_at(i, now),
        ..*grain
    };
    (0..).zip(grains).map(turn).collect()
}

/// By how much a gas misses its start, after `each` collisions per body there and as many back.
fn miss<const D: usize>(world: &World<D>, grains: &[Grain<D>], each: f64) -> f64 {
    let mut there = world.engine(grains);
    while 2.0 * (there.tally().collisions as f64) < each * grains.len() as f64 {
        let end = there.now() + 0.01;
        run(&mut there, end);
    }
    let mut back = world.engine(&turned(&there, grains));
    run(&mut back, there.now());
    assert_eq!(back.tally().collisions, there.tally().collisions);
    assert_eq!(back.tally().wall_collisions, there.tally().wall_collisions);
    let flights = back.flights();
    (0..)
        .zip(grains)
        .map(|(i, grain)| flights.domain.nearest_image(flights.at(i, back.now()) - grain.position).norm())
        .fold(0.0, f64::max)
}

fn gas<const D: usize>(side: usize, phi: f64, seed: u64) -> (Vec<Grain<D>>, [f64; D]) {
    let edge = side as f64 / libm::pow(density::<D>(phi), 1.0 / D as f64);
    let mut grains = lattice([side; D], [edge; D]);
    heat(&mut grains, 1.0, seed);
    (grains, [edge; D])
}

/// Five collisions per body are undone to 1e-9. The largest error of all bodies grows by some factor per
/// collision per body: by the printed misses about 3 at first, and more when all have collided.
#[test]
fn a_gas_returns_to_its_start() {
    for seed in 0..3 {
        let (grains, edges) = gas::<2>(12, 0.3, 70 + seed);
        let world = World::periodic(edges);
        let misses = [5.0, 7.0, 9.0, 11.0].map(|each| miss(&world, &grains, each));
        println!("misses after 5, 7, 9, 11 collisions per body: {misses:?}");
        assert!(misses[0] < 1e-9, "{misses:?}");
        let growth = libm::pow(misses[3] / misses[0], 1.0 / 6.0);
        println!("growth per collision {growth}");
        assert!((2.0..40.0).contains(&growth), "{growth}");
    }
}

#[test]
fn five_collisions_are_undone_in_space() {
    let (grains, edges) = gas::<3>(6, 0.3, 73);
    let found = miss(&World::periodic(edges), &grains, 5.0);
    assert!(found < 1e-8, "{found}");
}

/// Under gravity, between walls: what went up came down the same way.
#[test]
fn gravity_is_undone_too() {
    let (grains, edges) = gas::<2>(12, 0.3, 74);
    let found = miss(&World::closed(edges).falling(0.2), &grains, 3.0);
    assert!(found < 1e-9, "{found}");
}
