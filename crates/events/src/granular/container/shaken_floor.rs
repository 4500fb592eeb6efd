//! The ball on a floor, still or shaken, against what is known of it exactly.

use std::f64::consts::{PI, TAU};

use super::super::response::respond;
use super::super::tc::LastContacts;
use super::*;

/// Of the earth. \[nm/µs²\]
const G: f64 = 9.81e-3;
/// 20 Hz. \[1/µs\]
const FREQUENCY: f64 = 20e-6;
const PERIOD: f64 = 1.0 / FREQUENCY;

/// A point mass on a floor shaken with acceleration `gamma` g.
struct Bouncer {
    container: Container<1>,
    flight: Flight<1>,
    e: f64,
    contact_time: f64,
    contacts: LastContacts,
    /// Work done by the floor, and heat, per mass.
    work: f64,
    heat: f64,
}

struct Bounce {
    time: f64,
    speed: f64,
}

impl Bouncer {
    fn new(gamma: f64, e: f64, contact_time: f64) -> Self {
        let omega = TAU * FREQUENCY;
        let shaking = Shaking {
            walls: Shaken::All,
            axis: 0,
            amplitude: gamma * G / (omega * omega),
            frequency: FREQUENCY,
            phase: 0.0,
        };
        let container = Container::new_box(Domain::new([1e15], [false]), Some(shaking)).unwrap();
        let flight =
            Flight { position: Vector([0.0]), velocity: Vector([0.0]), since: 0.0, radius: 0.0 };
        Self {
            container,
            flight,
            e,
            contact_time,
            contacts: LastContacts::new(1),
            work: 0.0,
            heat: 0.0,
        }
    }

    fn gravity() -> Vector<1> {
        Vector([-G])
    }

    /// Above the floor as it is at the start, by `height`, with `velocity`.
    fn start(&mut self, time: f64, height: f64, velocity: f64) {
        let offset = self.container.shaking().map_or(0.0, |s| s.at(time).offset);
        self.flight = Flight {
            position: Vector([offset + height]),
            velocity: Vector([velocity]),
            since: time,
            radius: 0.0,
        };
    }

    fn energy(&self) -> f64 {
        0.5 * self.flight.velocity.norm_squared() + G * self.flight.position[0]
    }

    fn bounce(&mut self) -> Bounce {
        let (time, wall) =
            self.container.first_wall(&self.flight, Self::gravity(), f64::INFINITY).unwrap();
        let position = self.flight.at(time, Self::gravity());
        let velocity = self.flight.velocity_at(time, Self::gravity());
        let down = -self.container.normal(wall, position);
        let [floor, _] = self.container.motion(wall, time);
        let lasting = self.contacts.collision(0, None, time, self.contact_time);
        let e = if lasting { 1.0 } else { self.e };
        let after = respond([velocity, floor], down, [1.0, f64::INFINITY], e);
        assert!(after.speed > 0.0, "fired while leaving");
        self.flight = Flight { position, velocity: after.velocities[0], since: time, radius: 0.0 };
        self.work += -after.impulse * down.dot(floor);
        self.heat += after.energy_lost;
        Bounce { time, speed: after.speed }
    }
}

/// Shaking, in units of g, above which orbits of one period exist.
fn exists(e: f64) -> f64 {
    PI * (1.0 - e) / (1.0 + e)
}

/// Shaking above which they double their period.
fn doubles(e: f64) -> f64 {
    exists(e).hypot(2.0 * (1.0 + e * e) / ((1.0 + e) * (1.0 + e)))
}

/// Flight times in periods, and impact speeds in g T, of 200 bounces from close to the orbit of one
/// period after many before.
fn orbit(gamma: f64, e: f64) -> Vec<(f64, f64)> {
    let mut ball = Bouncer::new(gamma, e, 0.0);
    let phase = libm::acos(exists(e) / gamma) / TAU;
    ball.start((phase + 0.5) * PERIOD, 0.0, 0.0);
    // Half way through the flight of one period it stands at the top.
    let floor = ball.container.shaking().unwrap().at(phase * PERIOD).offset;
    ball.flight.position = Vector([floor + G * PERIOD * PERIOD / 8.0]);
    ball.flight.velocity = Vector([1e-3 * G * PERIOD]);
    for _ in 0..20_000 {
        ball.bounce();
    }
    let mut before = ball.flight.since;
    let mut flights = Vec::new();
    for _ in 0..200 {
        let Bounce { time, speed } = ball.bounce();
        flights.push(((time - before) / PERIOD, speed / (G * PERIOD)));
        before = time;
    }
    flights
}

#[test]
fn thresholds_of_the_shaken_floor_are_as_printed() {
    for (e, first, doubled) in [
        (0.5, PI / 3.0, 1.5268),
        (0.7, 0.5544, 1.1707),
        (0.85, 0.2547, 1.0383),
        (0.95, 0.0806, 1.0039),
    ] {
        assert!((exists(e) - first).abs() < 5.1e-5 && (doubles(e) - doubled).abs() < 5.1e-5);
    }
}

#[test]
fn below_the_threshold_all_flights_last_one_period() {
    for e in [0.5, 0.7, 0.85] {
        for (flight, speed) in orbit(0.95 * doubles(e), e) {
            assert!((flight - 1.0).abs() < 1e-7, "e = {e}: {flight}");
            // Relative to the floor it comes in with g T/2 + V and leaves with g T/2 - V.
            let relative = 1.0 / (1.0 + e);
            assert!((speed - relative).abs() < 1e-7, "e = {e}: {speed}");
        }
    }
}

#[test]
fn above_the_threshold_flights_alternate() {
    let e = 0.7;
    let flights = orbit(1.02 * doubles(e), e);
    let short = flights[0].0.min(flights[1].0);
    let long = flights[0].0.max(flights[1].0);
    assert!((short - 0.906).abs() < 1e-3 && (long - 1.094).abs() < 1e-3, "{short}, {long}");
    for pair in flights.windows(3) {
        assert!((pair[0].0 - pair[2].0).abs() < 1e-7 && (pair[0].0 + pair[1].0 - 2.0).abs() < 1e-7);
    }
}

#[test]
fn a_ball_dropped_on_a_still_floor_rests_after_the_exact_time() {
    let (h, e) = (1e8, 0.8);
    let mut ball = Bouncer::new(0.0, e, 0.0);
    ball.start(0.0, h, 0.0);
    let falls = f64::sqrt(2.0 * h / G);
    let total = falls * (1.0 + e) / (1.0 - e);
    assert!((total / 1e6 - 1.28506).abs() < 5e-6);
    let mut speed = f64::sqrt(2.0 * G * h);
    let mut bounces = 0;
    while total - ball.flight.since > 1e-9 * total {
        let bounce = ball.bounce();
        bounces += 1;
        // Times are known to 2e-10 µs.
        assert!((bounce.speed - speed).abs() < 1e-9 * speed + 1e-11, "bounce {bounces}");
        speed *= e;
        // What is left is the rest of the geometric series.
        let left = 2.0 * bounce.speed * e / (G * (1.0 - e));
        assert!((bounce.time + left - total).abs() < 1e-9 * total, "bounce {bounces}");
    }
    // 2 e^n/(1 + e) = 1e-9 at n = 93.3.
    assert_eq!(bounces, 94);
}

#[test]
fn lasting_contacts_bring_a_dropped_ball_to_rest() {
    for contact_time in [10.0, 30.0, 100.0] {
        let mut ball = Bouncer::new(0.0, 0.8, contact_time);
        ball.start(0.0, 1e8, 0.0);
        let end = 1.28506e6;
        while ball.flight.since < end + 1e4 {
            let bounce = ball.bounce();
            assert!(bounce.time > end - 1e3 || ball.contacts.elastic() == 0);
        }
        // It hops no higher than in a contact time.
        assert!(ball.energy() <= G * G * contact_time * contact_time / 8.0);
        assert!(ball.contacts.elastic() > 90);
    }
}

#[test]
fn weak_shaking_locks_the_ball_to_the_floor() {
    let mut ball = Bouncer::new(0.9, 0.5, 20.0);
    ball.start(0.0, 1e7, 0.0);
    let mut longest = 0.0f64;
    let mut before = 0.0;
    while before < 40.0 * PERIOD {
        let time = ball.bounce().time;
        if before > 20.0 * PERIOD {
            longest = longest.max(time - before);
        }
        before = time;
    }
    // Hops of a contact time, lengthened where the floor falls away at 0.9 g.
    assert!(longest < 20.0 * 20.0, "{longest}");
}

#[test]
fn stronger_shaking_throws_the_ball_when_the_floor_falls_faster() {
    for gamma in [1.1, 1.5, 3.0] {
        let mut ball = Bouncer::new(gamma, 0.5, 5.0);
        // On the floor, half a period before the floor decelerates.
        let start = 0.75 * PERIOD;
        ball.start(start, 0.0, 1e-3);
        let mut before = start;
        let left = loop {
            let time = ball.bounce().time;
            if time - before > 0.1 * PERIOD {
                break before;
            }
            before = time;
        };
        let phase = left / PERIOD - 1.0;
        assert!((phase - libm::asin(1.0 / gamma) / TAU).abs() < 0.01, "gamma {gamma}: {phase}");
    }
}

#[test]
fn what_the_floor_gives_is_heat_and_change_of_energy() {
    for (gamma, e) in [(0.7, 0.9), (2.0, 0.7), (5.0, 0.85), (80.0, 0.9)] {
        let mut ball = Bouncer::new(gamma, e, 10.0);
        ball.start(0.1 * PERIOD, 1e6, 10.0);
        let before = ball.energy();
        for _ in 0..100_000 {
            ball.bounce();
        }
        let balance = ball.work - ball.heat - (ball.energy() - before);
        assert!(balance.abs() < 1e-10 * ball.heat, "gamma {gamma}: {}", balance / ball.heat);
    }
}

#[test]
fn outgoing_speed_is_bounded() {
    for (gamma, e) in [(2.0, 0.7), (5.0, 0.85), (80.0, 0.5)] {
        let mut ball = Bouncer::new(gamma, e, 10.0);
        ball.start(0.1 * PERIOD, 1e6, 10.0);
        let s = *ball.container.shaking().unwrap();
        let largest = (1.0 + e) / (1.0 - e) * s.amplitude * s.omega();
        let mut seen = 0.0f64;
        for k in 0..100_000 {
            ball.bounce();
            if k > 100 {
                seen = seen.max(ball.flight.velocity[0]);
            }
        }
        assert!(seen < 1.02 * largest && seen > 0.2 * largest, "{seen}, {largest}");
    }
}

#[test]
fn a_million_impacts_neither_sink_nor_repeat() {
    // Chattering, resting and flying in turn.
    for (gamma, contact_time) in [(0.5, 10.0), (1.5, 10.0), (20.0, 10.0), (0.5, 0.0)] {
        let mut ball = Bouncer::new(gamma, 0.6, contact_time);
        ball.start(0.0, 1e6, 0.0);
        let shaking = *ball.container.shaking().unwrap();
        let face = Face { axis: 0, upper: false };
        let floor = Wall::Face(face);
        let mut evaluations = 0u64;
        let mut before = ball.flight.since;
        for _ in 0..350_000 {
            let approach = ball.container.approach(&ball.flight, Bouncer::gravity(), face);
            evaluations += u64::from(approach.shaken(&shaking, 1.0, f64::INFINITY).evaluations);
            let time = ball.bounce().time;
            assert!(time > before, "no time passed at {time}");
            before = time;
            let gap = ball.container.gap(floor, ball.flight.position, 0.0, time);
            // Times of 1e10 µs are known to 2e-6 µs, in which the floor moves this far.
            let rounding = 8.0 * f64::EPSILON * time * (shaking.amplitude * shaking.omega() + 1.0);
            assert!(gap.abs() < rounding + 1e-7, "{gap} at {time}");
        }
        assert!(evaluations < 5 * 350_000, "{evaluations}");
    }
}
