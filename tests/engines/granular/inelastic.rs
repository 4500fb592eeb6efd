//! The inelastic gas: perfectly inelastic collisions, collapse.

use std::f64::consts::PI;

use jostle::granular::container::Container;
use jostle::granular::restitution::{Material, Restitution};
use jostle::granular::tc::ContactTime;
use jostle::granular::{Collisions, RunFault};
use jostle::observe::NoObserver;
use jostle::space::{Domain, Vector};

use super::worlds::{GranularWorld, Start, ball, energy, gas, heat, lattice, overlap, run};

/// Restitution 0: pairs continue side by side, and rounding makes no storm of it.
#[test]
fn clay_balls_continue_together() {
    for case in 0..2000 {
        let u = |k| super::worlds::uniform(51, case, k) - 0.5;
        let grains = [
            ball([20.0, 20.0], [u(0), u(1)]),
            ball([20.0 + 3.0 * u(2) + 3.0, 20.0 + u(3)], [u(4) - 1.0, u(5)]),
        ];
        let world = GranularWorld::closed([40.0; 2]).restitution(0.0);
        let mut engine = world.engine(&grains);
        run(&mut engine, 12.0);
        assert!(engine.tally().collisions < 6, "{case}: {:?}", engine.tally());
        assert!(overlap(&world, &engine) < 1e-12);
    }
}

/// Restitution 0 at a round wall: the ball slides along it, held by small impacts.
#[test]
fn clay_slides_along_a_round_wall() {
    let domain = Domain::new([12.0, 12.0, 15.0], [false; 3]);
    let world = GranularWorld::of(Container::cylinder(domain, 2, None).unwrap()).restitution(0.0);
    for case in 0..20 {
        let u = |k| super::worlds::uniform(52, case, k) - 0.5;
        let world = world.clone().contact_time(1e-3);
        let mut engine = world.engine(&[ball([6.0 + u(0), 6.0 + u(1), 7.0], [u(2), u(3), 0.01])]);
        match engine.advance(60.0, &mut NoObserver) {
            Ok(()) | Err(RunFault::Collapse { particle: 0, .. }) => {}
            Err(fault) => panic!("{fault}"),
        }
        assert!(overlap(&world, &engine) < 1e-10);
        assert!(engine.balance().kinetic > 0.0);
    }
}

/// Twenty rods of restitution 0.5 between walls collapse: they collide without end. The run stops
/// and says which; with the TC model it continues.
#[test]
fn without_contact_time_a_collapse_stops_the_run() {
    let mut grains = lattice([20], [60.0]);
    heat(&mut grains, 1.0, 54);
    let world = GranularWorld::closed([60.0]).restitution(0.5);
    let mut engine = world.engine(&grains);
    match engine.advance(1000.0, &mut NoObserver) {
        Err(RunFault::Collapse { particle, time }) => {
            assert!(particle < 20 && (4.0..200.0).contains(&time), "{particle} at {time}");
            assert!(format!("{}", RunFault::Collapse { particle, time }).contains("TC model"));
        }
        other => panic!("{other:?}"),
    }
    let mut engine = world.clone().contact_time(1e-4).engine(&grains);
    run(&mut engine, 1000.0);
    assert!(engine.tally().lasting > 0);
    let mut engine = world.restitution(0.999).engine(&grains);
    run(&mut engine, 100.0);
}

/// 400 disks that lose most at high speed and nothing at rest, without contact time, for 150
/// collisions per particle: no collapse. It has cooled by more than half.
#[test]
fn the_free_viscoelastic_gas_does_not_collapse() {
    let (grains, edge) = gas::<2>(20, 0.3, 53);
    let material = Material { density: 6.0 / PI, ..Material::default() };
    let restitution = Restitution::viscoelastic_through(&material, 0.5, 1.0, 0.5).unwrap();
    let collisions = Collisions { restitution, material, contact_time: ContactTime::None };
    let world = GranularWorld { collisions, ..GranularWorld::periodic([edge; 2]) };
    let mut engine = world.engine(&grains);
    let start = energy(&engine);
    while engine.tally().collisions < 30_000 {
        let end = engine.now() + 1.0;
        run(&mut engine, end);
    }
    println!("{}", energy(&engine) / start);
    assert!(energy(&engine) < 0.5 * start);
    assert!(overlap(&world, &engine) < 1e-10);
    let p = engine.balance().momentum;
    assert!(Vector(p).norm() < 1e-10);
}
