//! What rests, rests.

use jostle::observe::Against;
use jostle::polygons::{Drive, ForceLaw, PlacedWall};
use jostle::space::{Outline, Vector};

use super::worlds::{
    ROUGH, assert_close, floor, forces, place, put, rectangle, regular, run, start, velocity, world,
};

#[test]
fn polygons_at_rest_stay_for_a_million_steps_and_are_never_sorted() {
    let mut world = world(ROUGH, 4e-4);
    put(&mut world, rectangle(2.0, 1.0), [0.0, 0.5], 0.0);
    put(&mut world, regular(6, 0.5), [0.3, 1.0 + 0.5 * 3f64.sqrt() * 0.5], 0.0);
    floor(&mut world);
    world.gravity = Vector([0.0, -1.0]);
    let mut engine = start(world);
    run(&mut engine, 50_000);
    let (before, sorted) = ([0, 1].map(|body| place(&mut engine, body)), engine.tally());
    run(&mut engine, 1_000_000);
    for body in 0..2 {
        let after = place(&mut engine, body);
        for k in 0..3 {
            assert_close(after[k], before[body][k], 1e-7, &format!("body {body}, component {k}"));
        }
        assert!(velocity(&mut engine, body).iter().all(|v| v.abs() < 1e-7));
    }
    let tally = engine.tally();
    assert_eq!((tally.resorted, tally.exchanges), (sorted.resorted, sorted.exchanges));
    assert_eq!(tally.features.changes, sorted.features.changes);
}

#[test]
fn a_pile_at_rest_costs_no_sorting() {
    let mut world = world(ForceLaw { damping: 1.0, ..ROUGH }, 3.4e-4);
    for n in 0..40 {
        let (column, row) = (n % 5, n / 5);
        let corners = 3 + n % 6;
        put(
            &mut world,
            regular(corners, 1.0),
            [2.1 * column as f64, 1.05 + 2.1 * row as f64],
            n as f64,
        );
    }
    floor(&mut world);
    for x in [-2.0, 10.4] {
        let side = super::worlds::wall(&mut world, [2.0, 60.0], [x, 30.0]);
        assert!(matches!(world.walls[side], PlacedWall { drive: Drive::Fixed, .. }));
    }
    world.gravity = Vector([0.0, -1.0]);
    let mut engine = start(world);
    run(&mut engine, 120_000);
    let before = engine.tally();
    run(&mut engine, 2000);
    let after = engine.tally();
    assert_eq!(after.resorted, before.resorted);
    assert_eq!(after.exchanges, before.exchanges);
    // Pairs that cannot meet are not looked at: those that touch are nearly all that is.
    let looks = after.features.calls - before.features.calls;
    let touches = after.contact_steps - before.contact_steps;
    assert!(looks as f64 <= 1.02 * touches as f64 + 100.0, "{looks} looks at {touches} contacts");
    // The floor bears the weight of all.
    let weight: f64 = engine.masses().iter().sum();
    let borne: f64 = forces(&mut engine)
        .iter()
        .filter(|f| f.against == Against::Wall(0))
        .map(|f| f.force[1])
        .sum();
    let sides: f64 = forces(&mut engine)
        .iter()
        .filter(|f| matches!(f.against, Against::Wall(1 | 2)))
        .map(|f| f.force[1])
        .sum();
    assert_close(borne + sides, weight, 1e-2 * weight, "weight");
}

#[test]
fn a_disk_on_a_face_in_a_box_without_walls_along_x_stays_across_the_seam() {
    // The floor is wider than the period by more than a body's size; the body hangs over the seam.
    let mut world = world(ROUGH, 5e-4);
    world.domain = jostle::space::Domain::new([10.0, 100.0], [true, false]);
    put(&mut world, Outline::Disk(1.0), [9.8, 1.0], 0.0);
    put(&mut world, rectangle(1.0, 1.0), [1.6, 0.5], 0.0);
    super::worlds::wall(&mut world, [14.0, 2.0], [5.0, -1.0]);
    world.gravity = Vector([0.0, -1.0]);
    world.solids[0].velocity = Vector([0.02, 0.0]);
    world.solids[0].angular_velocity = -0.02;
    let mut engine = start(world);
    run(&mut engine, 40_000);
    // It rolls through the face of the box until it leans against the block.
    let view = engine.view();
    assert_eq!(view.particles.image[0], [1, 0]);
    assert!(view.particles.position[0][0] < 0.2);
    assert!(forces(&mut engine).iter().any(|f| f.against == Against::Wall(0) && f.body == 0));
}

#[test]
fn nothing_at_all_continues_too() {
    let mut engine = start(world(ROUGH, 1.0));
    run(&mut engine, 10);
    assert_eq!((engine.clock().time(), engine.tally().candidates), (10.0, 0));
    assert!(engine.view().particles.is_empty());
}
