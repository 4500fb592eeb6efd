//! Forces that act at trajectory events, through the engine: against exact solutions, of second
//! order in the interval. And a piston.

use std::f64::consts::{PI, TAU};

use jostle::granular::container::{Shaken, Shaking};
use jostle::granular::forces::{Forces, Swing, Well};
use jostle::granular::{Trajectory, TrajectoryClock};
use jostle::space::Vector;

use super::worlds::{GranularWorld, Start, ball, heat, lattice, overlap, run};

/// Where a ball of velocity (2, -1) from (50, 50) is at `end`, with so many events until then.
fn place(forces: &Forces<2>, end: f64, events: u32, clock: TrajectoryClock) -> Vector<2> {
    let mut world = GranularWorld::closed([100.0; 2]);
    world.forces = forces.clone();
    world.trajectory = Some(Trajectory { every: end / f64::from(events), clock });
    let mut engine = world.engine(&[ball([50.0, 50.0], [2.0, -1.0])]);
    // Short of the last event, by rounding or not.
    run(&mut engine, end);
    engine.flights().at(0, end) - Vector([50.0; 2])
}

fn is_of_second_order(what: &str, forces: &Forces<2>, end: f64, exact: Vector<2>) {
    for clock in [TrajectoryClock::Grid, TrajectoryClock::Reset] {
        let errors =
            [50, 100, 200].map(|events| (place(forces, end, events, clock) - exact).norm());
        println!("{what}: {errors:?}");
        for pair in errors.windows(2) {
            let order = libm::log2(pair[0] / pair[1]);
            assert!((1.9..2.1).contains(&order), "{what}: order {order}, {errors:?}");
        }
        assert!(errors[2] < 1e-2, "{what}: {errors:?}");
    }
}

#[test]
fn swinging_gravity_is_of_second_order() {
    let swing = Swing { amplitude: Vector([0.5, 1.0]), frequency: 0.3, phase: 0.7 };
    let gravity = Vector([0.1, -0.2]);
    let forces = Forces { gravity, swing: Some(swing), ..Forces::default() };
    let (omega, end) = (TAU * 0.3, 7.0);
    // The double integral of sin(omega t + phase).
    let angle = omega * end + 0.7;
    let twice =
        libm::cos(0.7) * end / omega - (libm::sin(angle) - libm::sin(0.7)) / (omega * omega);
    let exact = Vector([2.0, -1.0]) * end + gravity * (0.5 * end * end) + swing.amplitude * twice;
    is_of_second_order("swing", &forces, end, exact);
}

#[test]
fn drag_is_of_second_order() {
    let (drag, end) = (0.4, 5.0);
    let gravity = Vector([0.0, -0.3]);
    let forces = Forces { gravity, drag, ..Forces::default() };
    let slow = -libm::expm1(-drag * end) / drag;
    let exact = Vector([2.0, -1.0]) * slow + gravity * ((end - slow) / drag);
    is_of_second_order("drag", &forces, end, exact);
}

#[test]
fn the_well_is_of_second_order() {
    let centre = Vector([48.0, 51.0]);
    let (rate, end) = (0.25, 9.0);
    let forces = Forces { well: Some(Well { centre, rate }), ..Forces::default() };
    let (sine, cosine) = libm::sincos(0.5 * end);
    let from = Vector([50.0; 2]) - centre;
    let exact = from * (cosine - 1.0) + Vector([2.0, -1.0]) * (sine / 0.5);
    is_of_second_order("well", &forces, end, exact);
}

/// On the grid a particle has an event at each multiple of the interval, the first at 0; with the
/// other clock another one after each collision.
#[test]
fn clocks_of_trajectory_events_count_as_they_say() {
    let mut grains = lattice([6, 6], [12.0, 12.0]);
    heat(&mut grains, 1.0, 80);
    for clock in [TrajectoryClock::Grid, TrajectoryClock::Reset] {
        let mut world = GranularWorld::closed([12.0; 2]);
        world.forces.drag = 0.01;
        world.trajectory = Some(Trajectory { every: 0.25, clock });
        let mut engine = world.engine(&grains);
        run(&mut engine, 10.125);
        let tally = engine.tally();
        let on_grid = 36 * 41;
        match clock {
            TrajectoryClock::Grid => assert_eq!(tally.trajectory_events, on_grid),
            TrajectoryClock::Reset => {
                let met = 2 * tally.collisions + tally.wall_collisions;
                assert!(tally.trajectory_events > on_grid + met / 2, "{tally:?}");
                assert!(tally.trajectory_events <= on_grid + met, "{tally:?}");
            }
        }
        let balance = engine.balance();
        assert!(balance.force_work < 0.0);
        // 36 disks, of which one is the whole's.
        assert!((balance.kinetic - 35.0 - balance.force_work).abs() < 1e-10);
        assert!(overlap(&world, &engine) < 1e-10);
    }
}

/// A gas in a harmonic well, elastic: the energy, that of the well included, is kept up to the
/// interval's square, and its momentum oscillates with the frequency of the well whatever the
/// collisions (Kohn).
#[test]
fn a_gas_in_a_well_swings_as_one() {
    let mut grains = lattice([8, 8], [12.0, 12.0]);
    heat(&mut grains, 0.5, 81);
    let centre = Vector([20.0; 2]);
    for grain in &mut grains {
        grain.position += Vector([14.0; 2]);
        grain.velocity += Vector([0.8, 0.0]);
    }
    let rate = 0.1;
    let mut world = GranularWorld::closed([40.0; 2]);
    world.forces.well = Some(Well { centre, rate });
    world.trajectory = Some(Trajectory { every: 0.01, clock: TrajectoryClock::Grid });
    let mut engine = world.engine(&grains);
    let middle = |engine: &jostle::granular::Granular<2>| {
        let flights = engine.flights();
        let sum = (0..64).fold(Vector::ZERO, |sum, i| sum + flights.at(i, engine.now()));
        sum * (1.0 / 64.0) - centre
    };
    let omega = libm::sqrt(rate);
    for n in 1..40 {
        run(&mut engine, 0.5 * f64::from(n));
        let expected = 0.8 * libm::sin(omega * engine.now()) / omega;
        let found = middle(&engine);
        assert!(
            (found[0] - expected).abs() < 0.01 && found[1].abs() < 0.01,
            "{found:?} for {expected}"
        );
    }
    assert!(
        engine.tally().collisions > 300 && engine.tally().wall_collisions == 0,
        "{:?}",
        engine.tally()
    );
    assert!(omega * engine.now() > PI);
}

/// A ball that bounces to and fro before a slow piston: its speed times the length of its path is an
/// adiabatic invariant, and the piston has done the work that its energy has grown by.
#[test]
fn a_slow_piston_keeps_speed_times_length() {
    const AMPLITUDE: f64 = 20.0;
    // From wall to wall in 50 us; the piston takes a quarter of a second to its turning point.
    let (speed, path, end) = (2.0, 99.0, 0.25e6);
    for walls in Shaken::ALL {
        let outwards = if walls == Shaken::Upper { 0.5 } else { 0.0 };
        let (amplitude, frequency, phase) = (AMPLITUDE, 0.25 / end, TAU * outwards);
        let shaking = Shaking { walls, axis: 0, amplitude, frequency, phase };
        let world = GranularWorld::shaken([100.0; 2], shaking).unwrap();
        let mut engine = world.engine(&[ball([50.0, 50.0], [speed, 0.0])]);
        let before = engine.balance();
        run(&mut engine, end);
        let (after, ball) = (engine.balance(), engine.flights().velocity_at(0, end)[0].abs());
        let left = if walls == Shaken::All { path } else { path - AMPLITUDE };
        assert!((ball * left / (speed * path) - 1.0).abs() < 1e-3, "{walls:?}: {ball}");
        let gained = after.kinetic - before.kinetic;
        assert!((gained - after.wall_work).abs() < 1e-9 * before.kinetic, "{walls:?}: {after:?}");
    }
}
