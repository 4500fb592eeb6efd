//! Friction: whose coefficient counts.

use jostle::polygons::ForceLaw;
use jostle::space::Vector;

use super::worlds::{ROUGH, floor, put, rectangle, run, start, velocity, world};

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
