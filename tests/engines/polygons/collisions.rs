//! Single collisions: what stays the same.

use jostle::polygons::{ForceLaw, NormalLaw, Polygons};
use jostle::space::{Outline, Vector};

use super::worlds::{
    SMOOTH, assert_close, orders, place, put, rectangle, regular, run, start, sum_of_balance,
    velocity, world,
};

#[test]
fn free_spin_continues_unchanged_and_whole_turns_are_kept() {
    let mut world = world(ForceLaw { stiffness: 1e3, ..SMOOTH }, 1e-3);
    put(&mut world, rectangle(3.0, 1.0), [1.0, 2.0], 0.25);
    world.solids[0].angular_velocity = 7.0;
    world.solids[0].velocity = Vector([0.5, -0.25]);
    let mut engine = start(world);
    run(&mut engine, 10_000);
    let ([x, y, angle], [vx, vy, turning]) = (place(&mut engine, 0), velocity(&mut engine, 0));
    assert_close(angle, 70.25, 1e-9, "angle");
    assert_close(turning, 7.0, 1e-12, "angular velocity");
    assert_close(x, 6.0, 1e-10, "x");
    assert_close(y, -0.5, 1e-10, "y");
    assert_eq!([vx, vy].map(|v| (v * 1e12).round()), [0.5e12, -0.25e12]);
}

/// Two polygons of 5 and 7 corners that have met off-centre, and their energy at first.
fn glancing(law: ForceLaw, dt: f64) -> (Polygons, f64) {
    let mut world = world(law, dt);
    put(&mut world, regular(5, 1.0), [0.0, 0.0], 0.3);
    put(&mut world, regular(7, 0.8), [2.0, 0.4], 1.1);
    world.solids[0].velocity = Vector([1.0, 0.2]);
    world.solids[1].velocity = Vector([-1.0, 0.0]);
    world.solids[0].angular_velocity = -1.0;
    let mut engine = start(world);
    let energy = sum_of_balance(&engine);
    run(&mut engine, (0.6 / dt).round() as u64);
    assert!(engine.tally().contact_steps > 0 && engine.tally().contacts == 0);
    (engine, energy)
}

#[test]
fn two_polygons_keep_their_energy_under_the_gradient_law_and_not_under_the_area_law() {
    let off = |normal, dt| {
        let (engine, energy) = glancing(ForceLaw { normal, ..SMOOTH }, dt);
        let balance = engine.balance();
        [
            sum_of_balance(&engine) / energy - 1.0,
            balance.elastic / energy,
            balance.dissipated / energy,
        ]
    };
    let errors = [4e-4, 2e-4, 1e-4].map(|dt| off(NormalLaw::Gradient, dt)[0].abs());
    println!("energy after one collision: errors {errors:?}, orders {:?}", orders(&errors));
    assert!(errors[2] < 1e-8, "{errors:?}");
    assert_eq!(off(NormalLaw::Gradient, 1e-4)[1..], [0.0, 0.0]);
    // Two squares that meet with their corners: nothing touches any longer, and yet something is
    // stored.
    for (normal, keeps) in [(NormalLaw::Gradient, true), (NormalLaw::Area, false)] {
        let mut world = world(ForceLaw { normal, ..SMOOTH }, 1e-4);
        put(&mut world, rectangle(1.0, 1.0), [0.0, 0.0], 0.0);
        put(&mut world, rectangle(1.0, 1.0), [1.02, 0.9], 0.0);
        world.solids[1].velocity = Vector([-1.0, -0.1]);
        let mut engine = start(world);
        run(&mut engine, 5000);
        assert!(engine.tally().contact_steps > 0 && engine.tally().contacts == 0);
        let balance = engine.balance();
        println!("{normal:?}: {balance:?}");
        assert_close(balance.kinetic + balance.elastic, 0.505, 1e-6, "the energy balance");
        assert_eq!(balance.dissipated, 0.0);
        assert!((balance.elastic.abs() < 1e-12) == keeps, "{normal:?}: {}", balance.elastic);
    }
}

#[test]
fn a_disk_meets_a_disk_as_two_polygons_of_many_corners_do() {
    let spin = |outline: fn(f64) -> Outline| {
        let mut world = world(ForceLaw { friction: 0.3, damping: 0.2, ..SMOOTH }, 2e-4);
        put(&mut world, outline(1.0), [0.0, 0.0], 0.1);
        put(&mut world, outline(0.6), [2.0, 0.5], 0.2);
        world.solids[0].velocity = Vector([1.0, 0.0]);
        world.solids[0].angular_velocity = 2.0;
        let mut engine = start(world);
        run(&mut engine, 5000);
        (velocity(&mut engine, 0), velocity(&mut engine, 1))
    };
    let disks = spin(Outline::Disk);
    let polygons = spin(|radius| regular(256, radius));
    for k in 0..3 {
        assert_close(polygons.0[k], disks.0[k], 5e-3, "first");
        assert_close(polygons.1[k], disks.1[k], 5e-3, "second");
    }
    assert!(disks.1[2].abs() > 0.1, "friction turns the other: {}", disks.1[2]);
}
