//! Friction: whose coefficient counts, and what resists rolling.

use jostle::polygons::ForceLaw;
use jostle::space::{Outline, Vector};

use super::worlds::{
    ROUGH, SMOOTH, assert_close, floor, place, put, rectangle, run, start, sum_of_balance,
    velocity, world,
};

#[test]
fn a_wall_may_have_a_coefficient_of_friction_of_its_own() {
    let slides = |own: Option<f64>, law: ForceLaw| {
        let mut world = world(law, 2e-4);
        put(&mut world, rectangle(2.0, 1.0), [0.0, 0.5], 0.0);
        let plane = floor(&mut world);
        world.walls[plane].friction = own;
        world.gravity = Vector([0.4, -1.0]);
        let mut engine = start(world);
        run(&mut engine, 10_000);
        velocity(&mut engine, 0)[0] > 0.1
    };
    assert!(!slides(None, ROUGH));
    assert!(slides(Some(0.3), ROUGH));
    assert!(slides(None, ForceLaw { wall_friction: 0.3, ..ROUGH }));
    assert!(!slides(Some(0.5), ForceLaw { wall_friction: 0.3, friction: 0.0, ..ROUGH }));
}

/// Stiff, since a disk that sinks in rolls as a smaller one; and damping, spread over the chord, resists rolling a
/// little by itself.
const STIFF: ForceLaw = ForceLaw { stiffness: 1e5, damping: 0.1, ..ROUGH };

/// On an incline of slope tan(a) a disk stays where it is if the coefficient of rolling friction c is
/// larger than tan(a); else it rolls with (2/3) g (sin a - c cos a), as with c = 0 (Ai et al. 2011,
/// section 4.1).
#[test]
fn a_disk_on_an_incline_rolls_where_rolling_friction_does_not_hold_it() {
    let (slope, steps, dt) = (0.2, 20_000, 2e-4);
    for (rolling, expected) in [(0.0, 2.0 / 3.0 * slope), (0.1, 2.0 / 3.0 * 0.1), (0.3, 0.0)] {
        let mut world = world(ForceLaw { rolling, ..STIFF }, dt);
        put(&mut world, Outline::Disk(1.0), [0.0, 1.0], 0.0);
        floor(&mut world);
        world.gravity = Vector([slope, -1.0]);
        let mut engine = start(world);
        let energy = sum_of_balance(&engine);
        run(&mut engine, steps);
        let time = steps as f64 * dt;
        let found = velocity(&mut engine, 0);
        assert_close(found[0] / time, expected, 4e-3, &format!("rolling friction {rolling}"));
        assert_close(found[2] / time, -expected, 4e-3, "it does not slip");
        assert_close(sum_of_balance(&engine), energy, 1e-5, "the energy balance");
    }
}

/// A disk that rolls on level ground comes to rest where its energy is used up: (3/4) v²/(c g) away.
#[test]
fn a_disk_rolls_out() {
    let (rolling, speed) = (0.1, 0.5);
    let mut world = world(ForceLaw { rolling, ..STIFF }, 2e-4);
    put(&mut world, Outline::Disk(1.0), [-2.0, 1.0], 0.0);
    world.solids[0].velocity = Vector([speed, 0.0]);
    world.solids[0].angular_velocity = -speed;
    floor(&mut world);
    world.gravity = Vector([0.0, -1.0]);
    let mut engine = start(world);
    run(&mut engine, 60_000);
    let way = place(&mut engine, 0)[0] + 2.0;
    assert_close(way, 0.75 * speed * speed / rolling, 0.02, "where it stops");
    assert_close(velocity(&mut engine, 0)[0], 0.0, 1e-4, "it is at rest");
}

/// Two disks of unequal size that meet while one spins give each other opposite torques.
#[test]
fn rolling_friction_of_two_keeps_angular_momentum_and_the_energy_balance() {
    let spins = |rolling: f64| {
        let mut world = world(ForceLaw { rolling, damping: 0.3, ..SMOOTH }, 1e-4);
        put(&mut world, Outline::Disk(1.0), [0.0, 0.0], 0.0);
        put(&mut world, Outline::Disk(0.5), [1.55, 0.0], 0.0);
        world.solids[1].velocity = Vector([-1.0, 0.0]);
        world.solids[0].angular_velocity = 2.0;
        let mut engine = start(world);
        let energy = sum_of_balance(&engine);
        run(&mut engine, 6000);
        assert!(engine.tally().contact_steps > 0 && engine.tally().contacts == 0);
        assert_close(sum_of_balance(&engine), energy, 1e-6 * energy, "the energy balance");
        [0, 1].map(|body| velocity(&mut engine, body)[2])
    };
    // Moments of inertia, half of pi r^4 at a density of 1: head on there is no orbital part.
    let [large, small] = [1.0, 0.0625].map(|fourth: f64| 0.5 * std::f64::consts::PI * fourth);
    // Damping, which acts all along the chord, brakes their rotation a little by itself.
    let [[_, damped], [a, b]] = [0.0, 0.2].map(spins);
    assert!(b > 5.0 * damped, "{b} {damped}");
    assert_close(large * a + small * b, large * 2.0, 1e-9, "angular momentum");
}
