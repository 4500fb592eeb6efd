//! The energy balance close.

use jostle::polygons::{ForceLaw, NormalLaw, Polygons, Setup, contact_time};
use jostle::space::{Domain, Outline, Vector};

use super::worlds::{
    ROUGH, SMOOTH, assert_close, orders, put, rectangle, regular, run, start, step, sum_of_balance,
    world,
};

/// A periodic gas of 36 bodies: polygons of 3 to 8 corners, disks, slabs and ellipses.
fn gas(law: ForceLaw, steps_per_contact: f64) -> Polygons {
    let mut world = world(law, 1.0);
    world.domain = Domain::new([21.0, 21.0], [true, true]);
    for n in 0..36 {
        let outline = match n % 9 {
            6 => Outline::Disk(0.8),
            7 => rectangle(2.0, 0.8),
            8 => Outline::Ellipse(jostle::space::Ellipse::new([1.1, 0.6], 16)),
            corners => regular(3 + corners, 1.0),
        };
        let a = n as f64;
        let body =
            put(&mut world, outline, [1.75 + 3.5 * (n % 6) as f64, 1.75 + 3.5 * (n / 6) as f64], a);
        world.solids[body].velocity = Vector([libm::cos(3.0 * a), libm::sin(5.0 * a)]);
        world.solids[body].angular_velocity = libm::sin(7.0 * a);
    }
    world.timestep = contact_time(&world.law, &world.outlines, &world.solids) / steps_per_contact;
    start(world)
}

/// The worst of what the sum of the energy balance was off by within a time, as part of the kinetic
/// energy at first.
fn worst(engine: &mut Polygons, time: f64) -> f64 {
    let (begin, kinetic) = (sum_of_balance(engine), engine.balance().kinetic);
    let mut worst = 0.0_f64;
    while engine.clock().time() < time {
        step(engine);
        worst = worst.max((sum_of_balance(engine) - begin).abs() / kinetic);
    }
    worst
}

#[test]
fn over_a_long_time_the_energy_of_an_elastic_gas_stays() {
    let law = ForceLaw { stiffness: 1e3, ..SMOOTH };
    let mut engine = gas(law, 150.0);
    let error = worst(&mut engine, 60.0);
    println!("energy after {} steps: {error}", engine.clock().step);
    assert!(error < 1e-4, "{error}");
    // It is a gas: energy has been shared.
    assert!(engine.tally().contact_steps > 100_000);
}

#[test]
fn what_damping_and_friction_take_is_what_is_missing() {
    for (damping, friction) in [(0.3, 0.0), (0.0, 0.5), (0.3, 0.5)] {
        let law = ForceLaw { stiffness: 1e3, damping, friction, ..SMOOTH };
        let errors = [60.0, 120.0, 240.0].map(|steps| worst(&mut gas(law, steps), 6.0));
        println!(
            "damping {damping}, friction {friction}: {errors:?}, orders {:?}",
            orders(&errors)
        );
        assert!(errors[2] < errors[0] / 4.0, "{errors:?}");
        assert!(errors[2] < 1e-5, "{errors:?}");
        let mut engine = gas(law, 60.0);
        let before = engine.balance().kinetic;
        run(&mut engine, 5000);
        assert!(engine.balance().dissipated > 0.05 * before, "{:?}", engine.balance());
    }
}

#[test]
fn the_area_law_closes_its_balance_too() {
    let law = ForceLaw { normal: NormalLaw::Area, stiffness: 1e3, ..SMOOTH };
    let error = worst(&mut gas(law, 200.0), 10.0);
    assert!(error < 1e-6, "{error}");
}

/// A box of four walls with a few polygons in it.
pub(crate) fn boxed(law: ForceLaw, timestep: f64) -> Setup {
    let mut world = world(law, timestep);
    for n in 0..9 {
        let body = put(
            &mut world,
            regular(3 + n % 5, 0.9),
            [2.0 + 3.0 * (n % 3) as f64, 2.0 + 3.0 * (n / 3) as f64],
            n as f64,
        );
        world.solids[body].velocity = Vector([libm::sin(n as f64), libm::cos(2.0 * n as f64)]);
    }
    for (size, at) in [
        ([20.0, 4.0], [5.0, -2.0]),
        ([20.0, 4.0], [5.0, 12.0]),
        ([4.0, 20.0], [-2.0, 5.0]),
        ([4.0, 20.0], [12.0, 5.0]),
    ] {
        super::worlds::wall(&mut world, size, at);
    }
    world
}

#[test]
fn gravity_and_friction_in_a_box_leave_no_gap_in_the_balance() {
    let errors = [4e-4, 2e-4, 1e-4].map(|dt| {
        let mut world = boxed(ForceLaw { stiffness: 1e4, ..ROUGH }, dt);
        world.gravity = Vector([0.3, -1.0]);
        worst(&mut start(world), 8.0)
    });
    println!("box: {errors:?}, orders {:?}", orders(&errors));
    assert!(errors[2] < 1e-4 && errors[2] < errors[0] / 3.0, "{errors:?}");
    let mut world = boxed(ForceLaw { stiffness: 1e4, damping: 1.5, ..ROUGH }, 2e-4);
    world.gravity = Vector([0.0, -1.0]);
    let mut engine = start(world);
    let before = engine.balance();
    run(&mut engine, 200_000);
    let after = engine.balance();
    assert!(after.kinetic < 1e-6 * before.kinetic, "all rests: {after:?}");
    let lost = before.kinetic + before.potential - after.potential - after.elastic;
    assert_close(after.dissipated, lost, 1e-3 * lost, "all that was lost is heat");
}
