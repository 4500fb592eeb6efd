//! Reversible binding from rate constants: A + B <-> C with k_a and k_d, at two time steps a factor
//! four apart. jostle derives the probability per contact from k_a and corrects k_d, so that the
//! amount of C does not depend on the step.
//!
//! cargo run --example dimerisation

use jostle::brownian::{Seed, SphereWorld};
use jostle::observe::NoObserver;
use jostle::rules::rates::ReactingPair;
use jostle::rules::{Chance, ContactRule, RuleSet, TimedRule};
use jostle::space::Vector;

const EDGE: f64 = 40.0; // nm
const RADIUS: f64 = 1.0; // nm
const DIFFUSION: f64 = 10.0; // nm²/µs
const K_A: f64 = 200.0; // nm³/µs
const K_D: f64 = 1.0; // 1/µs

/// Parts of the run whose means tell the error of the whole: longer than the system remembers.
const BLOCKS: usize = 12;

/// The mean number of complexes in a run, and its standard error.
fn mean_complexes(timestep: f64, time: f64) -> Result<[f64; 2], Box<dyn std::error::Error>> {
    let rules = RuleSet {
        contact: vec![ContactRule::coalesce("bind", [0, 1], 2, Chance::Intrinsic(K_A))],
        timed: vec![TimedRule::unbind("unbind", 0, K_D)],
        ..RuleSet::default()
    };
    let world = SphereWorld::<3>::periodic(EDGE)
        .timestep(timestep)
        .species(RADIUS, DIFFUSION)
        .species(RADIUS, DIFFUSION)
        .species(1.26 * RADIUS, DIFFUSION)
        .rules(rules)
        .seed(11);
    let place = |n: usize| [n % 6, n / 6 % 6, n / 36].map(|k| (k as f64 + 0.5) * EDGE / 6.0);
    let particles: Vec<_> =
        (0..200).map(|n| Seed { species: (n % 2) as u16, position: Vector(place(n)) }).collect();
    let mut engine = world.with(&particles)?;
    let block = (time / timestep) as usize / BLOCKS;
    let mut means = Vec::new();
    for n in 0..=BLOCKS {
        let mut sum = 0.0;
        for _ in 0..block {
            engine.step(&mut NoObserver)?;
            sum += engine.clusters().wholes.len() as f64;
        }
        // The first block forgets that all were apart.
        if n > 0 {
            means.push(sum / block as f64);
        }
    }
    let mean = means.iter().sum::<f64>() / BLOCKS as f64;
    let variance = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (BLOCKS - 1) as f64;
    Ok([mean, (variance / BLOCKS as f64).sqrt()])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // c / ((100 - c)^2) = K / V for an ideal mixture
    let k = K_A / K_D / EDGE.powi(3);
    let b = 200.0 + 1.0 / k;
    let ideal = (b - (b * b - 4.0 * 10_000.0).sqrt()) / 2.0;
    println!(
        "expected of an ideal mixture: {ideal:.1} complexes (a little more in the crowd of a real one)"
    );
    for timestep in [0.008, 0.002] {
        let pair = ReactingPair::new(3, 2.0 * RADIUS, 2.0 * DIFFUSION)?;
        let p = pair.probability(K_A, timestep)?;
        let correction = pair.unbinding_correction(K_A, timestep)?;
        let [mean, error] = mean_complexes(timestep, 48.0)?;
        println!(
            "dt = {timestep} µs: p = {p:.4} per contact, k_d'/k_d = {correction:.4}, {mean:.1} +- {error:.1} complexes"
        );
    }
    Ok(())
}
