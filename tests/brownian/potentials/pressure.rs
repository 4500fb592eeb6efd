//! The pressure from contacts and edges is that of theory at any time step.

use jostle::brownian::{Brownian, Seed};
use jostle::observe::NoObserver;
use jostle::potentials::StepPotential;
use jostle::space::{Domain, Vector};

use super::engine;
use crate::kinetics::{particle, samples, timed};

const RODS: usize = 200;
const DIAMETER: f64 = 2.0;

/// Rods on a ring, each interacting with its neighbours only: Takahashi's gas, whose pressure P in
/// kT/nm follows from the mean distance of neighbours, ∫ r w(r) dr / ∫ w(r) dr with
/// w = exp(-P r - U(r)) from contact on.
fn theory(potential: Option<&StepPotential>, spacing: f64) -> f64 {
    let edges: Vec<f64> = potential.map_or(vec![], |potential| potential.edges().to_vec());
    let mean_spacing = |p: f64| {
        let mut sums = [0.0; 2];
        let mut from = DIAMETER;
        for to in edges.iter().copied().chain([f64::INFINITY]) {
            let middle = if to.is_finite() { 0.5 * (from + to) } else { from + 1.0 };
            let weight = (-potential.map_or(0.0, |potential| potential.at(middle))).exp();
            // ∫ e^(-pr) dr and ∫ r e^(-pr) dr, from each end to infinity.
            let tail = |r: f64| match r.is_finite() {
                true => [(-p * r).exp() / p, (-p * r).exp() * (r / p + 1.0 / (p * p))],
                false => [0.0; 2],
            };
            let (near, far) = (tail(from), tail(to));
            (0..2).for_each(|k| sums[k] += weight * (near[k] - far[k]));
            from = to;
        }
        sums[1] / sums[0]
    };
    let mut within = [1e-6, 50.0];
    for _ in 0..200 {
        let middle = 0.5 * (within[0] + within[1]);
        // The higher the pressure, the closer the rods.
        within[usize::from(mean_spacing(middle) < spacing)] = middle;
    }
    within[0]
}

/// Rods on a ring, moved by so much (rms along the ring).
fn ring(places: &[f64], length: f64, rms: f64, potential: Option<&StepPotential>) -> Brownian<1> {
    let species = particle("rod", 0.5 * DIAMETER, 0.5);
    let seeds = places.iter().map(|x| Seed { species: 0, position: Vector([*x]) });
    let seeds: Vec<Seed<1>> = seeds.collect();
    let potentials: Vec<_> = potential.iter().map(|one| ([0, 0], *one)).collect();
    let seed = places[0].to_bits();
    engine(Domain::new([length], [true]), rms * rms, vec![species], &potentials, &seeds, seed)
}

/// The mean pressure over some steps. \[kT/nm\]
fn pressure(ring: &mut Brownian<1>, length: f64) -> f64 {
    let steps = samples(300);
    let virial = |ring: &Brownian<1>| ring.view().virial.unwrap();
    let before = virial(ring);
    (0..steps).for_each(|_| ring.step(&mut NoObserver).unwrap());
    (RODS as f64 + (virial(ring) - before) / steps as f64) / length
}

/// The mean and its standard error.
fn mean(samples: &[f64]) -> [f64; 2] {
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let square = samples.iter().map(|one| (one - mean).powi(2)).sum::<f64>();
    [mean, (square / (n * (n - 1.0))).sqrt()]
}

/// Three gases (hard rods, with a well and a barrier behind it, with a shoulder) at steps of 2, 0.5 and 0.1
/// mean gaps. Long steps bring the rods from one independent state to the next, and short ones are taken from
/// each, since they alone would never change the density over long distances. All nine pressures are
/// within 4 standard errors and a correction of 1/N: 24 degrees of freedom, a false alarm in 200.
#[test]
fn rods_on_a_ring_have_the_pressure_of_theory_at_any_step() {
    const STATES: usize = 25;
    // 0.025 in `make nightly`.
    let precise = 0.025 * (300.0 / samples(300) as f64).sqrt();
    let spacing = 3.0;
    let length = spacing * RODS as f64;
    let well = StepPotential::new(vec![2.8, 3.6], vec![-1.2, 0.4]);
    let shoulder = StepPotential::new(vec![3.2], vec![0.8]);
    timed("rods on a ring", || {
        for potential in [None, Some(&well), Some(&shoulder)] {
            let expected = theory(potential, spacing);
            let start: Vec<f64> = (0..RODS).map(|n| (n as f64 + 0.5) * spacing).collect();
            let mut long = ring(&start, length, 2.0, potential);
            pressure(&mut long, length);
            let mut found = [vec![], vec![], vec![]];
            for _ in 0..STATES {
                found[0].push(pressure(&mut long, length));
                let places: Vec<f64> = long.particles().position.iter().map(|at| at[0]).collect();
                for (n, rms) in [(1, 0.5), (2, 0.1)] {
                    found[n].push(pressure(&mut ring(&places, length, rms, potential), length));
                }
            }
            for (found, rms) in found.iter().zip([2.0, 0.5, 0.1]) {
                let [mean, error] = mean(found);
                let most = 4.0 * error + expected / RODS as f64;
                assert!((mean - expected).abs() < most, "{rms}: {mean} +- {error}, {expected}");
                // Small enough in `make nightly` that half of what an edge adds would be missed.
                assert!(error < precise * expected, "{rms}: {mean} +- {error}, {expected}");
            }
        }
    });
}
