//! What is refused, and what is said then.

use jostle::observe::Against;
use jostle::polygons::{Drive, ForceLaw, Polygons, RunFault, Setup, SetupError, contact_time};
use jostle::space::{Domain, Outline, Vector};

use super::worlds::{SMOOTH, floor, put, rectangle, regular, start, wall, world};

fn refused(world: Setup) -> SetupError {
    match Polygons::new(world) {
        Err(fault) => fault,
        Ok(_) => panic!("it should have been refused"),
    }
}

/// A square on a floor.
fn fine() -> Setup {
    let mut world = world(SMOOTH, 1e-4);
    put(&mut world, rectangle(1.0, 1.0), [0.0, 0.5], 0.0);
    floor(&mut world);
    world
}

#[test]
fn bodies_that_overlap_at_the_start_are_named_and_reported_how_far() {
    let mut world = fine();
    put(&mut world, rectangle(1.0, 1.0), [0.9, 0.5], 0.0);
    let fault = refused(world);
    let SetupError::Overlap { bodies: [0, 1], part, apart } = fault else { panic!("{fault}") };
    assert!((part - 0.1).abs() < 1e-9 && (0.1..0.3).contains(&apart), "{fault}");
    assert!(fault.to_string().contains("bodies [0, 1] overlap"), "{fault}");
}

#[test]
fn bodies_that_overlap_through_a_periodic_face_are_found() {
    let mut world = world(SMOOTH, 1e-4);
    world.domain = Domain::new([10.0, 10.0], [true, true]);
    put(&mut world, Outline::Disk(1.0), [0.5, 9.8], 0.0);
    put(&mut world, Outline::Disk(1.0), [9.6, 0.4], 0.0);
    assert!(matches!(refused(world), SetupError::Overlap { bodies: [0, 1], .. }));
}

#[test]
fn a_body_in_a_wall_is_named() {
    let mut world = fine();
    world.solids[0].position = Vector([0.0, 0.4]);
    assert!(matches!(refused(world), SetupError::Stuck { body: 0, wall: 0, .. }));
    // Wholly inside.
    let mut world = fine();
    world.solids[0].position = Vector([0.0, -4.0]);
    assert!(matches!(refused(world), SetupError::Stuck { body: 0, wall: 0, .. }));
}

#[test]
fn a_wall_that_is_gone_from_the_start_holds_no_particle() {
    let mut world = fine();
    world.solids[0].position = Vector([0.0, 0.4]);
    world.walls[0].opens_at = Some(0.0);
    assert!(Polygons::new(world).is_ok());
}

#[test]
fn numbers_that_cannot_be_are_named() {
    let faults: [fn(&mut Setup); 12] = [
        |w| w.timestep = 0.0,
        |w| w.timestep = f64::NAN,
        |w| w.law.stiffness = -1.0,
        |w| w.law.damping = -0.1,
        |w| w.law.friction = f64::INFINITY,
        |w| w.law.tangential = f64::NAN,
        |w| w.gravity = Vector([0.0, f64::NAN]),
        |w| w.solids[0].density = 0.0,
        |w| w.solids[0].velocity = Vector([f64::INFINITY, 0.0]),
        |w| w.walls[0].friction = Some(-0.5),
        |w| w.walls[0].drive = Drive::Force { force: Vector::ZERO, mass: 1.0 },
        |w| w.walls[0].drive = Drive::Force { force: Vector([0.0, 1.0]), mass: 0.0 },
    ];
    for (n, change) in faults.iter().enumerate() {
        let mut world = fine();
        change(&mut world);
        let fault = refused(world);
        assert!(matches!(fault, SetupError::Number { .. }), "fault {n}: {fault}");
    }
    let mut world = fine();
    world.solids[0].outline = 2;
    assert_eq!(refused(world), SetupError::Outline { which: "body 0".into(), found: 2, count: 2 });
}

#[test]
fn a_time_step_too_long_for_the_stiffness_is_refused_with_the_one_that_would_do() {
    let mut world = fine();
    world.timestep = 0.01;
    let contact = contact_time(&world.law, &world.outlines, &world.solids);
    let SetupError::Timestep { longest, .. } = refused(world.clone()) else { panic!() };
    assert!((longest - contact / 30.0).abs() < 1e-12);
    world.timestep = longest;
    assert!(Polygons::new(world).is_ok());
}

#[test]
fn the_shortest_contact_is_that_of_the_lightest_and_stiffest() {
    let mut world = fine();
    // Two squares of side 1 and mass 1, face to face: k = Y w² / l² with l = 2 / sqrt(pi), m* =
    // 1/2.
    let alone = contact_time(&world.law, &world.outlines, &world.solids);
    let stiffness = SMOOTH.stiffness * std::f64::consts::PI / 4.0;
    assert!((alone - std::f64::consts::PI * (0.5 / stiffness).sqrt()).abs() < 1e-12 * alone);
    put(&mut world, regular(6, 0.1), [3.0, 3.0], 0.0);
    assert!(contact_time(&world.law, &world.outlines, &world.solids) < 0.3 * alone);
    assert_eq!(contact_time(&world.law, &world.outlines, &[]), f64::INFINITY);
}

#[test]
fn a_body_too_large_for_its_periodic_box_is_refused() {
    let mut world = world(SMOOTH, 1e-4);
    world.domain = Domain::new([10.0, 100.0], [true, false]);
    put(&mut world, rectangle(4.0, 4.0), [5.0, 5.0], 0.0);
    assert!(matches!(refused(world), SetupError::TooLarge { body: 0, .. }));
}

#[test]
fn a_body_shot_through_another_stops_the_run_with_a_clear_message() {
    let mut world = fine();
    world.solids[0].position = Vector([0.0, 3.0]);
    world.solids[0].velocity = Vector([0.0, -1000.0]);
    world.walls[0].outline = {
        wall(&mut world, [4.0, 0.2], [0.0, 50.0]);
        world.outlines.len() as u32 - 1
    };
    world.walls.truncate(1);
    world.walls[0].position = Vector([0.0, 0.0]);
    let mut engine = start(world);
    let fault = (0..1000).find_map(|_| engine.step().err()).expect("it goes through");
    let RunFault::Deep { body: 0, against: Against::Wall(0), .. } = fault else {
        panic!("{fault}")
    };
    let said = fault.to_string();
    assert!(said.contains("wall 0") && said.contains("shorter time step"), "{said}");
}

#[test]
fn a_body_that_leaves_all_numbers_behind_stops_the_run() {
    let mut world = world(ForceLaw { stiffness: 1e-300, ..SMOOTH }, 1e120);
    put(&mut world, Outline::Disk(1.0), [0.0, 0.0], 0.0);
    world.gravity = Vector([1e150, 0.0]);
    let mut engine = start(world);
    let fault = (0..100).find_map(|_| engine.step().err()).expect("it overflows");
    assert!(matches!(fault, RunFault::Lost { which: Against::Body(0), .. }), "{fault}");
}
