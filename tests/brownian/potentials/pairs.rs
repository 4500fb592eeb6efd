//! Two particles: the shares of time that they spend in the shells of their potential, at time steps
//! that differ a hundredfold.

use jostle::brownian::Seed;
use jostle::observe::NoObserver;
use jostle::potentials::StepPotential;
use jostle::space::{Domain, Vector, ball_volume};

use super::engine;
use crate::kinetics::{particle, samples, timed};

const EDGE: f64 = 9.0;

/// What share of the time two particles with this potential are in each shell, and beyond.
fn expected<const D: usize>(potential: &StepPotential, contact: f64) -> Vec<f64> {
    let mut from = contact;
    let mut weights = Vec::new();
    for (n, &edge) in potential.edges().iter().enumerate() {
        let volume = ball_volume(D, edge) - ball_volume(D, from);
        weights.push(volume * (-potential.in_shell(n)).exp());
        from = edge;
    }
    weights.push(EDGE.powi(D as i32) - ball_volume(D, from));
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// z of each share, from 48 pairs that start anywhere and go their own ways; each share of a pair is
/// one number, so that correlation in time does no harm.
fn z<const D: usize>(potential: &StepPotential, timestep: f64, steps: usize) -> Vec<f64> {
    const PAIRS: usize = 48;
    let contact = 1.7;
    let expected = expected::<D>(potential, contact);
    let domain = Domain::new([EDGE; D], [true; D]);
    let mut sums = vec![[0.0; 2]; expected.len()];
    for pair in 0..PAIRS as u64 {
        let species = vec![particle("A", 1.0, 0.4), particle("B", 0.7, 1.3)];
        let apart = 1.8 + 2.4 * pair as f64 / PAIRS as f64;
        let seeds = [0.5, 0.5 + apart].map(|x| Vector::from_fn(|k| if k == 0 { x } else { 2.0 }));
        let seeds = [0, 1].map(|n| Seed { species: n as u16, position: seeds[n] });
        let mut engine =
            engine(domain.clone(), timestep, species, &[([0, 1], potential)], &seeds, pair);
        // Until it is forgotten where they began.
        (0..steps / 10).for_each(|_| engine.step(&mut NoObserver).unwrap());
        let steps = samples(steps);
        let mut counts = vec![0.0; expected.len()];
        for _ in 0..steps {
            engine.step(&mut NoObserver).unwrap();
            let p = engine.particles();
            let apart = domain.nearest_image(p.position[1] - p.position[0]).norm();
            counts[potential.edges().partition_point(|edge| *edge <= apart)] += 1.0;
        }
        for (sum, count) in sums.iter_mut().zip(counts) {
            let share = count / steps as f64;
            sum[0] += share;
            sum[1] += share * share;
        }
    }
    let n = PAIRS as f64;
    let z = |([sum, squares], expected): (&[f64; 2], &f64)| {
        let mean = sum / n;
        let variance = (squares / n - mean * mean) / (n - 1.0);
        println!("  {mean:.4} ± {:.4}, expected {expected:.4}", variance.sqrt());
        (mean - expected) / variance.sqrt()
    };
    sums.iter().zip(&expected).map(z).collect()
}

/// 21 values of Student's t with 47 degrees of freedom, of which none is beyond 4.5: by chance, one
/// does so in 1000 times.
#[test]
fn shells_are_visited_as_boltzmann_says_at_any_time_step() {
    let well = StepPotential::new(vec![2.2, 2.7], vec![-1.8, 0.9]);
    let barrier = StepPotential::new(vec![2.0, 2.5, 3.5], vec![0.5, 2.0, -0.7]);
    let mut all = Vec::new();
    // Rms displacements relative to each other of 0.18, 0.58 and 1.8, for shells 0.3 to 1 wide.
    for (timestep, steps) in [(0.01, 10_000), (0.1, 3_000), (1.0, 2_000)] {
        timed(&format!("pairs at {timestep}"), || {
            all.extend(z::<3>(&well, timestep, steps));
            all.extend(z::<2>(&barrier, timestep, steps));
        });
    }
    assert!(all.iter().all(|z| z.abs() < 4.5), "{all:?}");
    let mean_square = all.iter().map(|z| z * z).sum::<f64>() / all.len() as f64;
    assert!((0.3..2.2).contains(&mean_square), "{all:?}");
}
