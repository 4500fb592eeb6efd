//! Balls on a floor at rest: settling, resting.

use jostle::granular::restitution::{Material, Restitution};
use jostle::granular::tc::ContactTime;
use jostle::granular::units::{METRE, SECOND};
use jostle::granular::{Collisions, Grain, RunFault};
use jostle::observe::NoObserver;
use jostle::space::Vector;

use super::worlds::{GranularWorld, Start, overlap, run};

const G: f64 = 9.81 * METRE / (SECOND * SECOND);
const RADIUS: f64 = 5e-3 * METRE;

/// A steel ball of 5 mm at rest so high above the floor of a tube. \[m\]
fn steel(height: f64) -> Grain<3> {
    let position = Vector([0.1 * METRE, 0.1 * METRE, height * METRE + RADIUS]);
    let mass = Material::default().ball_mass(RADIUS);
    Grain { position, velocity: Vector::ZERO, radius: RADIUS, mass, species: 0 }
}

fn tube(e: f64, contact_time: ContactTime) -> GranularWorld<3> {
    let mut world =
        GranularWorld::closed([0.2 * METRE, 0.2 * METRE, METRE]).falling(G).output_interval(SECOND);
    world.collisions = Collisions {
        restitution: Restitution::Constant(e),
        material: Material::default(),
        contact_time,
    };
    world
}

/// Contacts as long as Hertz says do as well.
#[test]
fn with_contact_times_of_hertz_it_rests_too() {
    let mut engine = tube(0.8, ContactTime::Hertz).engine(&[steel(0.1)]);
    run(&mut engine, 1.5 * SECOND);
    let speed = engine.flights().velocity_at(0, engine.now())[2].abs();
    assert!(speed < 1e-3 * METRE / SECOND, "{speed}");
}

#[test]
fn without_contact_time_a_bouncing_ball_stops_the_run_when_it_would_rest() {
    let mut engine = tube(0.8, ContactTime::None).engine(&[steel(0.1)]);
    match engine.advance(2.0 * SECOND, &mut NoObserver) {
        Err(RunFault::Collapse { particle: 0, time }) => {
            assert!((time / SECOND - 1.28506).abs() < 1e-5, "{time}");
        }
        other => panic!("{other:?}"),
    }
}

/// Laid on the floor, nothing falls: elastic or not, alone or as a pile.
#[test]
fn what_lies_on_the_floor_stays_there() {
    for e in [1.0, 0.8, 0.0] {
        let world = tube(e, ContactTime::Constant(1e-5 * SECOND));
        let grains = [steel(0.0), steel(0.01), steel(0.02)];
        let mut engine = world.engine(&grains);
        run(&mut engine, 0.3 * SECOND);
        let flights = engine.flights();
        for (i, grain) in (0..).zip(&grains) {
            let off = flights.at(i, engine.now()) - grain.position;
            assert!(off.norm() < 1e-5 * RADIUS, "{i}: {off:?}");
        }
        assert!(overlap(&world, &engine) < 1e-10);
    }
}

/// Ten balls, 2 mm apart, fall as a column and settle: the state at rest and the energy lost do not
/// depend on the contact time over a decade. When the last hundredth of the energy is gone does,
/// within a factor of two: cascades of collisions are chaotic. All but a few in a thousand
/// collisions are of contacts that last (see the printed counts).
#[test]
fn a_column_of_ten_settles() {
    let mut settled = Vec::new();
    for time in [1e-5, 3e-5, 1e-4] {
        let world = tube(0.8, ContactTime::Constant(time * SECOND));
        let grains: Vec<Grain<3>> = (0..10).map(|n| steel(0.012 * f64::from(n) + 0.002)).collect();
        let mut engine = world.engine(&grains);
        let fall: f64 = engine.balance().potential;
        let mut lost = Vec::new();
        while engine.now() < 0.6 * SECOND {
            let end = engine.now() + 0.002 * SECOND;
            run(&mut engine, end);
            lost.push(engine.balance().dissipated);
        }
        let balance = engine.balance();
        let tally = engine.tally();
        let rested = 0.002 * lost.iter().filter(|&&x| x < 0.99 * balance.dissipated).count() as f64;
        println!(
            "contact time {time:e} s: at rest after {rested} s, {} of {} collisions lasted",
            tally.lasting,
            tally.collisions + tally.wall_collisions
        );
        assert!(tally.lasting > 80_000);
        let flights = engine.flights();
        for i in 0..10 {
            let off = flights.at(i, engine.now())[2] / RADIUS - (2.0 * f64::from(i) + 1.0);
            assert!((-1e-9..2e-3).contains(&off), "{i} is {off} radii off");
        }
        assert!(overlap(&world, &engine) < 1e-10);
        assert_eq!(tally.late, 0);
        let sum =
            balance.kinetic + balance.potential + balance.dissipated - balance.wall_work - fall;
        assert!(sum.abs() < 1e-9 * balance.dissipated, "{sum}");
        settled.push((rested, balance.dissipated));
    }
    println!("{settled:?}");
    for (time, lost) in &settled {
        assert!(*time < 0.2, "{settled:?}");
        assert!((lost / settled[0].1 - 1.0).abs() < 1e-4, "{settled:?}");
    }
}
