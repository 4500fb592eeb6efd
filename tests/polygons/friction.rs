//! Friction: who slides, who rolls, who topples.

use jostle::polygons::{ForceLaw, NormalLaw, Setup, contact_time};
use jostle::space::{Outline, Vector};

use crate::worlds::{
    ROUGH, assert_close, floor, forces, place, put, rectangle, run, start, step, velocity, world,
};

const GRAVITY: f64 = 9.81;

/// Stiff, so that blocks sink in by little.
const STIFF: ForceLaw = ForceLaw { stiffness: 1e5, ..ROUGH };

/// A block on a plane that is tilted by so many degrees: gravity is turned, the plane is not.
fn incline(law: ForceLaw, size: [f64; 2], degrees: f64, gravity: f64) -> Setup {
    let mut world = world(law, 2e-4);
    put(&mut world, rectangle(size[0], size[1]), [0.0, 0.5 * size[1]], 0.0);
    floor(&mut world);
    let angle = degrees.to_radians();
    world.gravity = Vector([libm::sin(angle), -libm::cos(angle)]) * gravity;
    world
}

#[test]
fn a_block_rests_on_an_incline_below_the_angle_of_friction_and_does_not_creep() {
    for degrees in [0.0, 20.0, 26.465] {
        let mut engine = start(incline(STIFF, [2.0, 1.0], degrees, GRAVITY));
        run(&mut engine, 100_000);
        let before = place(&mut engine, 0);
        run(&mut engine, 100_000);
        let after = place(&mut engine, 0);
        for k in 0..3 {
            assert_close(after[k], before[k], 1e-6, &format!("{degrees} degrees, component {k}"));
        }
        let force = forces(&mut engine)[0];
        assert!(!force.sliding);
        let angle = degrees.to_radians();
        assert_close(force.force[0], -2.0 * GRAVITY * libm::sin(angle), 1e-6, "friction holds the block");
        assert_close(force.force[1], 2.0 * GRAVITY * libm::cos(angle), 1e-6, "the plane bears the block");
    }
}

#[test]
fn a_block_slides_down_an_incline_with_what_friction_leaves_of_gravity() {
    for (degrees, printed) in
        [(26.665_f64, None), (27.0, Some(0.0833)), (30.0, Some(0.6571)), (35.0, Some(1.6088))]
    {
        let angle = degrees.to_radians();
        let expected = GRAVITY * (angle.sin() - 0.5 * angle.cos());
        if let Some(printed) = printed {
            assert_close(expected, printed, 5.1e-5, "acceleration as printed");
        }
        let mut engine = start(incline(STIFF, [2.0, 1.0], degrees, GRAVITY));
        run(&mut engine, 5000);
        let before = velocity(&mut engine, 0)[0];
        run(&mut engine, 10_000);
        let acceleration = (velocity(&mut engine, 0)[0] - before) / 2.0;
        assert_close(acceleration, expected, 5e-3 * expected, &format!("{degrees} degrees"));
        assert!(forces(&mut engine)[0].sliding);
    }
}

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

#[test]
fn a_block_topples_where_its_weight_leaves_its_base() {
    // Width over height 0.4: tan 21.80 degrees. What bears the block at last is a corner, which has to sink in
    // the less the closer to that angle it is to stand; the gradient law's corners are soft.
    let laws = [(NormalLaw::Area, 3e8, 21.6), (NormalLaw::Gradient, 3e7, 20.0)];
    for (normal, stiffness, stands) in laws {
        let law = ForceLaw { normal, stiffness, wall_friction: 3.0, ..ROUGH };
        let turned = |degrees: f64| {
            let mut world = incline(law, [0.4, 1.0], degrees, 1.0);
            world.timestep = contact_time(&law, &world.outlines, &world.solids) / 30.0;
            let mut engine = start(world);
            while engine.clock().time() < 8.0 {
                step(&mut engine);
            }
            place(&mut engine, 0)[2].to_degrees()
        };
        assert_close(turned(stands), 0.0, 0.2, &format!("{normal:?}, {stands} degrees: it stands"));
        let fallen = turned(22.0);
        assert!(fallen < -45.0, "{normal:?}, 22.0 degrees: it has turned by {fallen}");
    }
}

#[test]
fn a_disk_rolls_down_an_incline_without_sliding() {
    let mut world = world(ForceLaw { wall_friction: 0.8, ..STIFF }, 2e-4);
    put(&mut world, Outline::Disk(1.0), [0.0, 1.0], 0.0);
    floor(&mut world);
    let angle = 20f64.to_radians();
    world.gravity = Vector([libm::sin(angle), -libm::cos(angle)]) * 0.02;
    let mut engine = start(world);
    run(&mut engine, 10_000);
    let before = velocity(&mut engine, 0);
    run(&mut engine, 50_000);
    let after = velocity(&mut engine, 0);
    // It sinks in by 1.4e-3 of its radius.
    let expected = 0.02 * 2.0 / 3.0 * libm::sin(angle);
    assert_close((after[0] - before[0]) / 10.0, expected, 4e-3 * expected, "acceleration");
    assert_close(after[2], -after[0], 4e-3 * after[0], "rolling");
}
