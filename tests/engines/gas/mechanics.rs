//! What holds to rounding: energy, momentum, parabolas, single collisions.

use jostle::brownian::Scheduler;
use jostle::gas::Arrangement;
use jostle::observe::{NoObserver, Partner};
use jostle::search::{Kind, Settings};
use jostle::space::Vector;

use super::worlds::{Hear, World};

const KINDS: [[f64; 2]; 2] = [[0.5, 1.0], [0.8, 3.5]];

fn crowd() -> World {
    World::scattered(200, [40.0, 40.0], &KINDS, 3)
}

fn strips(axis: usize) -> Arrangement {
    Arrangement::Strips { axis, width: 1.6 }
}

#[test]
fn energy_is_kept_to_rounding_and_momentum_between_walls() {
    let world = crowd();
    let (kinetic, _, momentum) = world.balance(world.cubic().particles());
    // What walls give: twice the momentum that a disk brings.
    let mut given = Vector::<2>::ZERO;
    let masses: Vec<f64> = world.disks.iter().map(|disk| KINDS[disk.0 as usize][1]).collect();
    let mut exact = world.cubic();
    let timestep = world.timestep;
    let mut listener = Hear(|contact: &jostle::observe::Contact<2>| {
        if matches!(contact.partner, Partner::Wall(_)) {
            given -=
                contact.normal * (2.0 * masses[contact.id as usize] * contact.approach / timestep);
        }
    });
    for _ in 0..3000 {
        exact.step(&mut listener).unwrap();
    }
    assert!(exact.tally().contacts > 10_000 && exact.tally().late == 0, "{:?}", exact.tally());
    let (now, _, after) = world.balance(exact.particles());
    assert!((now / kinetic - 1.0).abs() < 1e-12, "{:e}", now / kinetic - 1.0);
    assert!((after - momentum - given).norm() < 1e-9, "{after:?} {momentum:?} {given:?}");

    let mut page = world.after_move(strips(0));
    for _ in 0..3000 {
        page.step(&mut NoObserver).unwrap();
    }
    assert!(page.tally().collisions > 5_000, "{:?}", page.tally());
    let (now, ..) = world.balance(page.particles());
    assert!((now / kinetic - 1.0).abs() < 1e-12, "{:e}", now / kinetic - 1.0);
}

#[test]
fn momentum_is_kept_to_rounding_in_a_periodic_box() {
    let mut world = crowd();
    world.periodic = true;
    let mut engine = world.cubic();
    let (.., before) = world.balance(engine.particles());
    for _ in 0..2000 {
        engine.step(&mut NoObserver).unwrap();
    }
    assert!(engine.tally().contacts > 5_000 && engine.tally().wall_contacts == 0);
    let (.., after) = world.balance(engine.particles());
    assert!((after - before).norm() < 1e-10, "{before:?} {after:?}");
}

#[test]
fn without_collisions_the_ends_of_steps_are_on_the_parabola() {
    let mut world = World::scattered(1, [1e3, 1e3], &[[0.5, 2.0]], 1);
    (world.gravity, world.timestep) = (Vector([0.3, -1.0]), 0.25);
    let (x, v) = (Vector([300.0, 500.0]), Vector([2.0, 9.0]));
    world.disks = vec![(0, x, v)];
    let (mut exact, mut page) = (world.cubic(), world.after_move(Arrangement::Naive));
    for step in 1..=60 {
        exact.step(&mut NoObserver).unwrap();
        page.step(&mut NoObserver).unwrap();
        let t = 0.25 * f64::from(step);
        let place = x + v * t + world.gravity * (0.5 * t * t);
        let velocity = (v + world.gravity * t) * 0.25;
        for particles in [exact.particles(), page.particles()] {
            assert!((particles.position[0] - place).norm() < 1e-11, "step {step}");
            assert!((particles.velocity[0] - velocity).norm() < 1e-13, "step {step}");
        }
    }
}

/// Gravity pulls at both alike, so that even within a step they meet at the exact moment.
#[test]
fn a_collision_under_gravity_is_that_of_the_event_driven_engine() {
    let mut world = World::scattered(2, [1e3, 1e3], &KINDS, 1);
    (world.gravity, world.timestep) = (Vector([0.0, -0.7]), 0.5);
    world.disks = vec![
        (0, Vector([500.0, 500.0]), Vector([1.5, 0.2])),
        (1, Vector([504.0, 500.5]), Vector([-0.4, 0.3])),
    ];
    let (mut stepped, mut events) = (world.cubic(), world.events());
    for _ in 0..20 {
        stepped.step(&mut NoObserver).unwrap();
        events.step(&mut NoObserver).unwrap();
        let view = events.view();
        for i in 0..2 {
            let apart = stepped.particles().position[i] - view.particles.position[i];
            let faster = stepped.particles().velocity[i] - view.particles.velocity[i];
            assert!(apart.norm() < 1e-10 && faster.norm() < 1e-12, "{apart:?} {faster:?}");
        }
    }
    assert_eq!((stepped.tally().contacts, events.tally().collisions), (1, 1));
    let (_, energy, _) = world.balance(stepped.particles());
    let (_, first, _) = world.balance(world.cubic().particles());
    assert!((energy / first - 1.0).abs() < 1e-14);
}

/// Of an impact on the floor at the part t of a step the energy errs by m g v dt (1 - 2 t).
#[test]
fn the_floor_errs_in_energy_as_is_said() {
    let mut world = World::scattered(1, [100.0, 100.0], &[[0.5, 2.0]], 1);
    let (g, dt) = (0.01, 0.5);
    (world.gravity, world.timestep) = (Vector([0.0, -g]), dt);
    world.disks = vec![(0, Vector([50.0, 0.8]), Vector([0.0, -1.0]))];
    let mut engine = world.cubic();
    let (_, before, _) = world.balance(engine.particles());
    let mut when = f64::NAN;
    engine.step(&mut Hear(|contact: &jostle::observe::Contact<2>| when = contact.time)).unwrap();
    let (_, after, _) = world.balance(engine.particles());
    // The speed on the straight path of the step.
    let v = 1.0 + 0.5 * g * dt;
    let expected = 2.0 * g * v * dt * (1.0 - 2.0 * when);
    assert!((0.0..1.0).contains(&when));
    assert!((after - before - expected).abs() < 1e-12, "{} {expected}", after - before);
}

#[test]
fn disks_never_overlap_in_the_exact_engine() {
    let mut world = crowd();
    world.gravity = Vector([0.0, -0.05]);
    let mut engine = world.cubic();
    for step in 0..400 {
        engine.step(&mut NoObserver).unwrap();
        if step % 20 > 0 {
            continue;
        }
        let p = engine.particles();
        for i in 0..p.len() {
            for j in 0..i {
                let distance = p.radius[i] + p.radius[j];
                assert!(
                    (p.position[i] - p.position[j]).norm() > distance * (1.0 - 1e-12),
                    "{i} {j}"
                );
            }
        }
    }
}

/// The page's collisions happen one after the other: the arrangement matters only where three
/// overlap.
#[test]
fn lone_overlaps_collide_alike_in_every_arrangement() {
    let mut world = World::scattered(300, [200.0, 200.0], &[[0.5, 1.0]], 8);
    world.timestep = 0.05;
    let mut gases = [Arrangement::Naive, strips(0), strips(1)].map(|one| world.after_move(one));
    for _ in 0..400 {
        gases.iter_mut().for_each(|gas| gas.step(&mut NoObserver).unwrap());
    }
    let [naive, vertical, horizontal] = &gases;
    assert!(naive.tally().collisions > 30, "{:?}", naive.tally());
    assert!(naive.tally().comparisons > 20 * vertical.tally().comparisons);
    for other in [vertical, horizontal] {
        assert_eq!(other.tally().collisions, naive.tally().collisions);
        assert_eq!(other.particles().position, naive.particles().position);
    }
}

#[test]
fn a_particle_in_the_way_of_another_is_found_by_every_structure() {
    let world = crowd();
    let state = |kind: Kind, scheduler| {
        let mut engine = world.exact(&Settings { kind, ..Settings::default() }, scheduler);
        for _ in 0..100 {
            engine.step(&mut NoObserver).unwrap();
        }
        jostle::state_hash::state_hash(engine.particles(), engine.clusters())
    };
    let expected = state(Kind::Naive, Scheduler::Queue);
    for kind in Kind::ALL {
        assert_eq!(state(kind, Scheduler::Queue), expected, "{kind:?}");
    }
    assert_eq!(state(Kind::Cubic, Scheduler::Rescan), expected);
}
