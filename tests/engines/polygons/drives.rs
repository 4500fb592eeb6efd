//! Walls that move, walls that are moved, and gates.

use std::f64::consts::TAU;

use jostle::observe::Against;
use jostle::polygons::{Drive, ForceLaw, NormalLaw, Polygons};
use jostle::space::Vector;

use super::balance::boxed;
use super::worlds::{
    ROUGH, SMOOTH, assert_close, floor, forces, length, orders, place, put, rectangle, run, start,
    step, sum_of_balance, velocity, wall, world,
};

/// The worst of what the sum of the energy balance was off by within a time.
fn worst(engine: &mut Polygons, time: f64) -> f64 {
    let begin = sum_of_balance(engine);
    let mut worst = 0.0_f64;
    while engine.clock().time() < time {
        step(engine);
        worst = worst.max((sum_of_balance(engine) - begin).abs());
    }
    worst
}

fn shaking() -> Drive {
    Drive::Oscillation { amplitude: Vector([0.1, 0.3]), frequency: 0.5, phase: 0.4 }
}

#[test]
fn the_work_of_driven_walls_closes_the_balance_and_converges() {
    let rotation = Drive::Rotation { centre: Vector([5.0, 5.0]), angular_velocity: 0.5 };
    let servo = Drive::Force { force: Vector([0.0, -30.0]), mass: 20.0 };
    for drive in [shaking(), rotation, servo, Drive::Velocity(Vector([0.4, 0.0]))] {
        let errors = [4e-4, 2e-4, 1e-4].map(|dt| {
            let mut world = boxed(ForceLaw { stiffness: 1e4, ..ROUGH }, dt);
            world.gravity = Vector([0.0, -1.0]);
            match drive {
                Drive::Oscillation { .. } => world.walls[0].drive = drive,
                Drive::Rotation { .. } => {
                    world.walls.iter_mut().for_each(|wall| wall.drive = drive)
                }
                Drive::Force { .. } => world.walls[1].drive = drive,
                _ => world.walls[2].drive = drive,
            }
            let oscillates = matches!(drive, Drive::Oscillation { .. });
            world.walls[0].position[1] -= if oscillates { 0.5 } else { 0.0 };
            let mut engine = start(world);
            let error = worst(&mut engine, 6.0);
            assert!(engine.balance().wall_work.abs() > 1.0, "{drive:?}: {:?}", engine.balance());
            error / engine.balance().wall_work.abs()
        });
        println!("{drive:?}: {errors:?}, orders {:?}", orders(&errors));
        assert!(errors[2] < 1e-3 && errors[2] < errors[0] / 2.5, "{drive:?}: {errors:?}");
    }
}

#[test]
fn a_block_on_an_oscillating_plate_goes_with_it() {
    let mut world = world(ForceLaw { damping: 1.0, ..ROUGH }, 5e-4);
    put(&mut world, rectangle(2.0, 1.0), [0.0, 0.5], 0.0);
    let plate = floor(&mut world);
    // Well below the acceleration of gravity, and below what friction can hold.
    let drive = Drive::Oscillation { amplitude: Vector([0.05, 0.02]), frequency: 0.25, phase: 0.0 };
    world.walls[plate].drive = drive;
    world.gravity = Vector([0.0, -1.0]);
    let mut engine = start(world);
    let mut apart = Vec::new();
    for time in [9.0, 10.0, 11.0, 12.0, 13.0] {
        while engine.clock().time() < time - 1e-9 {
            step(&mut engine);
        }
        let plate_at = engine.view().outlines.unwrap().walls[0].position;
        let sine = libm::sin(TAU * 0.25 * time);
        assert_close(plate_at[0], 0.05 * sine, 1e-12, "the plate, x");
        assert_close(plate_at[1], -5.0 + 0.02 * sine, 1e-12, "the plate, y");
        let [x, y, _] = place(&mut engine, 0);
        apart.push([x - plate_at[0], y - plate_at[1]]);
    }
    for [x, y] in &apart {
        assert_close(*x, apart[0][0], 1e-3, "x of the block on the plate");
        assert_close(*y, 5.5, 2e-3, "y of the block on the plate");
    }
}

#[test]
fn a_belt_takes_a_block_along() {
    let mut world = world(ROUGH, 5e-4);
    put(&mut world, rectangle(2.0, 1.0), [0.0, 0.5], 0.0);
    let belt = floor(&mut world);
    world.walls[belt].drive = Drive::Velocity(Vector([0.4, 0.0]));
    world.gravity = Vector([0.0, -1.0]);
    let mut engine = start(world);
    run(&mut engine, 1000);
    // Sliding friction accelerates it by mu g ...
    assert_close(velocity(&mut engine, 0)[0], 0.25, 0.02, "half way");
    run(&mut engine, 9000);
    // ... until it is as fast as the belt.
    assert_close(velocity(&mut engine, 0)[0], 0.4, 2e-3, "at last");
    let balance = engine.balance();
    // The belt has given twice what the block has: the other half is heat.
    assert_close(balance.wall_work, 0.4 * 2.0 * 0.4, 5e-3, "work");
    assert_close(balance.kinetic, 0.16, 2e-3, "kinetic energy");
}

#[test]
fn a_servo_wall_comes_to_rest_where_contacts_bear_its_force() {
    let law = ForceLaw { normal: NormalLaw::Area, damping: 2.0, ..SMOOTH };
    let mut world = world(law, 3e-4);
    put(&mut world, rectangle(2.0, 1.0), [0.0, 0.5], 0.0);
    floor(&mut world);
    let lid = wall(&mut world, [4.0, 1.0], [0.0, 1.6]);
    world.walls[lid].drive = Drive::Force { force: Vector([0.0, -50.0]), mass: 5.0 };
    let mut engine = start(world);
    run(&mut engine, 60_000);
    let borne = forces(&mut engine).iter().find(|f| f.against == Against::Wall(1)).unwrap().force;
    assert_close(borne[1], -50.0, 1e-3, "the lid presses with its force");
    // The block is pressed into floor and lid by F l / (Y w) each.
    let l = length(&rectangle(2.0, 1.0));
    let depth = 50.0 * l / (law.stiffness * 2.0);
    let lid_at = engine.view().outlines.unwrap().walls[1].position;
    assert_close(lid_at[1], 1.5 - 2.0 * depth, 1e-2 * depth, "the lid's place");
    assert_close(lid_at[0], 0.0, 1e-15, "it moves along its force only");
}

#[test]
fn a_wall_that_turns_about_a_centre_carries_its_rim() {
    let mut world = world(SMOOTH, 1e-3);
    let plate = wall(&mut world, [1.0, 3.0], [4.0, 0.0]);
    world.walls[plate].drive =
        Drive::Rotation { centre: Vector([1.0, 0.0]), angular_velocity: 2.0 };
    let mut engine = start(world);
    run(&mut engine, 1000);
    let placed = engine.view().outlines.unwrap().walls[0];
    assert_close(placed.angle, 2.0, 1e-12, "angle");
    assert_close(placed.position[0], 1.0 + 3.0 * libm::cos(2.0), 1e-12, "x");
    assert_close(placed.position[1], 3.0 * libm::sin(2.0), 1e-12, "y");
}

#[test]
fn a_gate_opens_and_what_lay_on_it_falls() {
    let mut world = world(ROUGH, 5e-4);
    put(&mut world, rectangle(1.0, 1.0), [0.0, 5.5], 0.0);
    let gate = wall(&mut world, [4.0, 1.0], [0.0, 4.5]);
    world.walls[gate].opens_at = Some(10.0);
    world.gravity = Vector([0.0, -1.0]);
    let mut engine = start(world);
    let begin = sum_of_balance(&engine);
    run(&mut engine, 19_999);
    assert!(engine.view().outlines.unwrap().walls[0].present);
    assert_eq!(engine.tally().contacts, 1);
    let before = place(&mut engine, 0)[1];
    run(&mut engine, 2001);
    assert!(!engine.view().outlines.unwrap().walls[0].present);
    assert_eq!((engine.tally().contacts, engine.tally().candidates), (0, 0));
    assert_close(place(&mut engine, 0)[1], before - 0.5, 2e-3, "free fall");
    assert_close(sum_of_balance(&engine), begin, 1e-6, "what the contact held is heat");
}
