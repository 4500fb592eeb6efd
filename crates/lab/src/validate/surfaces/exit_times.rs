//! How long particles take to get out of a room with absorbing walls.

use std::f64::consts::PI;

use super::super::reactions::ledger::Ledger;
use super::super::statistics::mean_of_blocks;
use super::super::world::World;
use super::super::{CheckError, Context, Finding, Findings, Picture};
use super::scene::{EDGE, MIDDLE, ball, with_walls};
use jostle_brownian::Seed;
use jostle_core::environment::{Manner, Shape};
use jostle_core::observe::ChangeKind;
use jostle_core::rules::rates::{PLANE_OFFSET, absorbing_radius};
use jostle_core::space::Vector;

/// The outer radius of all rooms, or half of what is between planes; D = 1.
const RADIUS: f64 = 4.0;
/// Of particles; and of the shells, the inner surface.
const SIZE: f64 = 0.3;
const INNER: f64 = 1.5;
/// Where the centres of particles get to: to the outer surface, and to the inner one.
const REACH: f64 = RADIUS - SIZE;
const LEAST: f64 = INNER + SIZE;
/// All that come.
const ALL: Manner = Manner::Absorb { rate: f64::INFINITY };
/// So slow that the wall delays particles as long as the way to it.
const RATE: f64 = 2.0 / RADIUS;

/// How far beyond a plane a walk of Gaussian steps ends that ends there, when it has come from far:
/// the means of its first three powers, by the cumulants -zeta(1/2)/sqrt(2 pi), 1/4 and -2
/// zeta(-1/2)/sqrt(2 pi).
fn overshoot(step: f64) -> [f64; 3] {
    const THIRD: f64 = 2.0 * 0.207_886_224_977_354_57;
    let [mean, variance, third] = [PLANE_OFFSET, 0.25, THIRD / (2.0 * PI).sqrt()];
    [
        mean * step,
        (mean * mean + variance) * step * step,
        (third + 3.0 * mean * variance + mean.powi(3)) * step.powi(3),
    ]
}

/// A room with a way out, and the mean time until a particle is out which begins at some distance
/// from the middle, taking steps of some rms along each axis.
struct ExitRoom {
    name: &'static str,
    walls: Vec<(Shape<3>, Manner)>,
    law: fn(f64, f64) -> f64,
    /// Whether the law is that of how many steps are taken, times the time step: exact.
    whole_steps: bool,
    /// What of the time the law may miss: the part of it that is calibrated.
    bias: f64,
    starts: &'static [f64],
}

fn rooms() -> [ExitRoom; 5] {
    let [inner, outer] = [INNER, RADIUS].map(ball::<3>);
    let plane = |at: f64| Shape::Plane { axis: 0, at };
    let slow = Manner::Absorb { rate: RATE };
    // No particle gets near a wall at the first step, five of which are the way to it.
    let starts: &[f64] = &[0.0, 1.3, 2.2];
    [
        ExitRoom {
            name: "between planes",
            walls: [MIDDLE - RADIUS, MIDDLE + RADIUS].map(|at| (plane(at), ALL)).to_vec(),
            law: between_planes,
            whole_steps: true,
            bias: 0.0,
            starts,
        },
        ExitRoom {
            name: "in a sphere",
            walls: vec![(outer.clone(), ALL)],
            law: in_a_sphere,
            whole_steps: true,
            bias: 0.0,
            starts,
        },
        ExitRoom {
            name: "in a sphere that takes some",
            walls: vec![(outer.clone(), slow)],
            law: |r, _| (REACH * REACH - r * r) / 6.0 + REACH / (3.0 * RATE),
            whole_steps: false,
            bias: 0.011 * REACH / (3.0 * RATE),
            starts,
        },
        ExitRoom {
            name: "around a sphere, outwards",
            walls: vec![(inner.clone(), Manner::Reflect), (outer.clone(), ALL)],
            law: outwards,
            whole_steps: true,
            bias: 0.0,
            starts: &[1.9, 2.2],
        },
        ExitRoom {
            name: "around a sphere, inwards",
            walls: vec![(inner, ALL), (outer, Manner::Reflect)],
            law: inwards,
            whole_steps: false,
            bias: 0.0,
            starts: &[3.0, 3.5],
        },
    ]
}

/// Wald's identities for a Gaussian walk that ends beyond either plane.
fn between_planes(x: f64, step: f64) -> f64 {
    let [mean, square, _] = overshoot(step);
    0.5 * (REACH * REACH - x * x + 2.0 * REACH * mean + square)
}

/// The time times the distance is the sum of the places of a walk along a line that ends where it
/// is farther than the radius to either side; Wald's identities for its first and third power give
/// that.
fn in_a_sphere(r: f64, step: f64) -> f64 {
    (cube(step) / (REACH + overshoot(step)[0]) - r * r) / 6.0
}

/// The mean of the third power of where that walk ends.
fn cube(step: f64) -> f64 {
    let [mean, square, third] = overshoot(step);
    REACH.powi(3) + 3.0 * REACH * (REACH * mean + square) + third
}

/// The same with the inner surface reflecting: the time times the distance, cubic plus linear, has
/// no slope there when divided by the distance.
fn outwards(r: f64, step: f64) -> f64 {
    let end = REACH + overshoot(step)[0];
    let third = cube(step);
    ((third - r.powi(3)) - (third + 2.0 * LEAST.powi(3)) * (1.0 - r / end)) / (6.0 * r)
}

/// The inner surface seems to be smaller to those that take steps.
fn inwards(r: f64, step: f64) -> f64 {
    let least = LEAST * absorbing_radius(3, step / LEAST).unwrap_or(f64::NAN);
    REACH.powi(3) / 3.0 * (1.0 / least - 1.0 / r) - (r * r - least * least) / 6.0
}

pub(super) fn mean_times(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut picture =
        Picture::new("Time on the way out", "start, from the middle", "mean time, D = 1");
    for (n, room) in (0..).zip(rooms()) {
        let (mut points, mut errors) = (Vec::new(), Vec::new());
        for (m, step) in (0..).zip([0.3, 0.08]) {
            // The short steps only where they cost little: from where most time is spent.
            let starts = if m == 0 { room.starts } else { &room.starts[..1] };
            for (k, &start) in (0..).zip(starts) {
                let seed = context.seed(100 * n + 10 * m + k);
                let count = context.either([4000, 600], [60_000, 10_000])[m as usize];
                let finding = time(&room, start, step, count, seed)?;
                if m == 0 {
                    points.push([start, finding.measured]);
                    errors.push(finding.error);
                }
                findings.add(finding);
            }
        }
        let (least, most) = (if n < 3 { 0.0 } else { LEAST }, REACH - 0.3);
        let along = (0..=50).map(|k| least + (most - least) * f64::from(k) / 50.0);
        picture = picture.theory(room.name, along.map(|r| [r, (room.law)(r, 0.3)]).collect());
        picture = picture.measured(room.name, points, errors);
    }
    findings.show(picture);
    Ok(findings)
}

/// The mean time of `count` particles that ignore each other.
fn time(
    room: &ExitRoom,
    start: f64,
    step: f64,
    count: usize,
    seed: u64,
) -> Result<Finding, CheckError> {
    let timestep = 0.5 * step * step;
    let world =
        World::<3>::periodic(EDGE).timestep(timestep).species(SIZE, 1.0).ghosts().seed(seed);
    let place = Vector([MIDDLE + start, MIDDLE, MIDDLE]);
    let mut engine =
        with_walls(world, &room.walls).with(&vec![Seed { species: 0, position: place }; count])?;
    let mut ledger = Ledger::<3>::default();
    while ledger.0.len() < count {
        engine.step(&mut ledger)?;
    }
    // The law of whole steps counts the last one in full.
    let counted = |time: f64| timestep * if room.whole_steps { time.floor() + 1.0 } else { time };
    let times: Vec<f64> = ledger.times(ChangeKind::Vanished).into_iter().map(counted).collect();
    let what = format!("{}, s = {step}, from {start:.2}: mean time", room.name);
    let finding = mean_of_blocks(&what, &times, (room.law)(start, step));
    // Where in its step an exit falls is worth half a step at most.
    Ok(if room.whole_steps { finding } else { finding.with_bias(room.bias + 0.5 * timestep) })
}
