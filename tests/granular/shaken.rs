//! The shaken floor: the ball that bounces on it in step, and the books of the energy.

use std::f64::consts::{PI, TAU};

use jostle::granular::container::Shaking;
use jostle::granular::units::JOULE;
use jostle::observe::{Contact, Partner};

use super::worlds::{Hear, World, ball, energy, heat, lattice, overlap, run};

const E: f64 = 0.7;

/// Flight times, in periods of the floor, of a ball that starts near the orbit of one period.
fn flight_times(gamma: f64, skipped: usize, counted: usize) -> Vec<f64> {
    // Acceleration and frequency 1.
    let amplitude = gamma / (TAU * TAU);
    let phase = libm::acos(PI * (1.0 - E) / (1.0 + E) / gamma);
    let shaking = Shaking { axis: 1, amplitude, frequency: 1.0, phase };
    let world = World::shaken([3.0, 20.0], shaking).falling(1.0).restitution(E);
    let start = 0.5 + amplitude * libm::sin(phase);
    let mut engine = world.engine(&[ball([1.5, start + 1e-12], [0.0, 0.502])]);
    let mut times = Vec::new();
    let mut hear = Hear(|c: &Contact<2>| times.push(c.step as f64 + c.time));
    engine.advance((skipped + counted) as f64 + 20.0, &mut hear).unwrap();
    assert!(overlap(&world, &engine) < 1e-10);
    times.windows(2).map(|pair| pair[1] - pair[0]).skip(skipped).take(counted).collect()
}

/// Period doubling sets in at Gamma = sqrt((pi (1-e)/(1+e))² + (2 (1+e²)/(1+e)²)²) = 1.1707.
#[test]
fn the_bouncing_ball_doubles_its_period_where_theory_says() {
    let one = PI * (1.0 - E) / (1.0 + E);
    let bend = 2.0 * (1.0 + E * E) / ((1.0 + E) * (1.0 + E));
    let doubling = (one * one + bend * bend).sqrt();
    assert!((doubling - 1.1707).abs() < 1e-4);
    for gamma in [1.1 * one, 0.95 * doubling] {
        for time in flight_times(gamma, 600, 100) {
            assert!((time - 1.0).abs() < 1e-9, "Gamma {gamma}: {time}");
        }
    }
    let times = flight_times(1.02 * doubling, 1000, 100);
    for pair in times.chunks(2) {
        let (short, long) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
        assert!((short - 0.906).abs() < 2e-3 && (long - 1.094).abs() < 2e-3, "{pair:?}");
        assert!((short + long - 2.0).abs() < 1e-7);
    }
}

/// The impact map solved by itself, with bisection: the engine's first impacts agree with it.
#[test]
fn impacts_on_a_shaken_floor_are_those_of_the_map() {
    let (amplitude, omega) = (0.08, TAU);
    let floor = |t: f64| amplitude * libm::sin(omega * t);
    let shaking = Shaking { axis: 1, amplitude, frequency: 1.0, phase: 0.0 };
    let world = World::shaken([3.0, 50.0], shaking).falling(1.0).restitution(0.6);
    let mut engine = world.engine(&[ball([1.5, 2.5], [0.0, 0.0])]);
    let mut found = Vec::new();
    engine
        .advance(16.0, &mut Hear(|c: &Contact<2>| found.push((c.step as f64 + c.time, c.approach))))
        .unwrap();
    let (mut t, mut z, mut v) = (0.0, 2.0, 0.0);
    for &(time, approach) in &found {
        let gap = |s: f64| z + v * (s - t) - 0.5 * (s - t) * (s - t) - floor(s);
        let mut low = t + 1e-6;
        while gap(low + 1e-4) > 0.0 {
            low += 1e-4;
        }
        let mut high = low + 1e-4;
        while high - low > 1e-14 {
            let middle = 0.5 * (low + high);
            if gap(middle) > 0.0 {
                low = middle
            } else {
                high = middle
            }
            if middle == low && middle == high {
                break;
            }
        }
        assert!((low - time).abs() < 1e-9, "{low} {time}");
        let moving = amplitude * omega * libm::cos(omega * low);
        let before = v - (low - t);
        assert!((moving - before - approach).abs() < 1e-8);
        (z, v, t) = (floor(low), -0.6 * before + 1.6 * moving, low);
    }
    assert!(found.len() >= 4, "{}", found.len());
}

/// Sixty disks on a shaken floor: what the wall gives is what the impacts lose and the bodies gain, in the
/// books and in the log of contacts, for a dilute and a resting bed.
#[test]
fn wall_work_pays_for_what_is_lost() {
    let dilute = (1.0, 0.3, 0.9, 1e-3, 1.0);
    let resting = (1.0, 0.02, 0.7, 1e-2, 0.4);
    let floating = (0.0, 0.5, 0.8, 0.0, 2.0);
    for (gravity, amplitude, e, contact, span) in [dilute, resting, floating] {
        let shaking = Shaking { axis: 1, amplitude, frequency: 0.5, phase: 0.4 };
        let world =
            World::shaken([12.0, 30.0], shaking).falling(gravity).restitution(e).contact_time(contact);
        let mut grains = lattice([10, 6], [12.0, 10.0]);
        grains.iter_mut().for_each(|grain| grain.position[1] += 1.0);
        heat(&mut grains, 0.2, 60);
        let mut engine = world.engine(&grains);
        let start = energy(&engine);
        let (mut lost, mut bodies, mut walls, mut sum) = (0.0, 0u64, 0u64, 0.0);
        for _ in 0..20 {
            let end = engine.now() + span;
            let mut hear = Hear(|c: &Contact<2>| {
                let energy_lost = c.impact.unwrap().energy_lost * JOULE;
                lost += energy_lost;
                sum += energy_lost.abs();
                match c.partner {
                    Partner::Body { .. } => bodies += 1,
                    _ => walls += 1,
                }
            });
            engine.advance(end, &mut hear).unwrap();
            assert!(overlap(&world, &engine) < 1e-10);
            let books = engine.books();
            let scale = books.wall_work.abs() + books.dissipated + start.abs();
            let balance = books.kinetic + books.potential - start - books.wall_work + books.dissipated;
            assert!(balance.abs() < 1e-10 * scale, "{balance} of {scale}");
        }
        let books = engine.books();
        println!("{} collisions, {} lasted; {books:?}", bodies + walls, engine.tally().lasting);
        assert!((lost - books.dissipated).abs() < 1e-10 * sum);
        assert_eq!((bodies, walls), (engine.tally().collisions, engine.tally().wall_collisions));
        assert!(books.dissipated > 0.5 && engine.tally().late == 0);
    }
}

/// Below Gamma = 1 the floor carries the ball along; it never leaves by more than a contact's hop.
#[test]
fn below_the_weight_the_ball_is_locked_to_the_floor() {
    let (gamma, contact) = (0.8, 1e-3);
    let amplitude = gamma / (TAU * TAU);
    let shaking = Shaking { axis: 1, amplitude, frequency: 1.0, phase: 0.0 };
    let world = World::shaken([3.0, 20.0], shaking).falling(1.0).restitution(0.5).contact_time(contact);
    let mut engine = world.engine(&[ball([1.5, 0.7], [0.0, 0.0])]);
    run(&mut engine, 10.0);
    for _ in 0..500 {
        let end = engine.now() + 0.0137;
        run(&mut engine, end);
        let x = engine.flights().at(0, end)[1];
        let gap = x - 0.5 - amplitude * libm::sin(TAU * end);
        assert!((-1e-10..1e-5).contains(&gap), "{gap} at {end}");
    }
}

/// Above it, the ball is thrown off in every period, and falls back.
#[test]
fn above_the_weight_the_ball_is_thrown_off() {
    let amplitude = 1.3 / (TAU * TAU);
    let shaking = Shaking { axis: 1, amplitude, frequency: 1.0, phase: 0.0 };
    let world = World::shaken([3.0, 20.0], shaking).falling(1.0).restitution(0.1).contact_time(1e-3);
    let mut engine = world.engine(&[ball([1.5, 0.6], [0.0, 0.0])]);
    run(&mut engine, 10.0);
    let mut most = [0.0f64; 10];
    let mut least = [1.0f64; 10];
    for n in 0..1000 {
        let end = engine.now() + 0.01;
        run(&mut engine, end);
        let gap = engine.flights().at(0, end)[1] - 0.5 - amplitude * libm::sin(TAU * end);
        most[n / 100] = most[n / 100].max(gap);
        least[n / 100] = least[n / 100].min(gap);
    }
    assert!(most.iter().all(|&gap| gap > 1e-3), "{most:?}");
    assert!(least.iter().all(|&gap| (-1e-10..1e-4).contains(&gap)), "{least:?}");
}
