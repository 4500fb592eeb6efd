//! The crowding case that simulators of reactions compare themselves on (docs/crowding.md):
//! A + B -> C + B among hard spheres, k_a = 85 nm³/µs.
//!
//! What is here takes seconds; with the feature `long` (`make crowding`), the whole curve.

mod case;
mod curve;
#[cfg(feature = "long")]
mod long;

use std::time::Instant;

use case::{C_B, Case, Course, DIFFUSION, DILUTE, K_A, RADIUS, SAMPLE};
use curve::{Curve, courses};
use jostle::theory::collins_kimball;

use crate::kinetics::samples;

fn run(case: &Case, placements: usize) -> Vec<Course> {
    let begun = Instant::now();
    let all = courses(case, &(0..placements as u64).collect::<Vec<_>>());
    println!("{case:?}, {placements} placements: {:.1} s", begun.elapsed().as_secs_f64());
    all
}

/// The share of A left at `time` \[µs\] in the theory of Collins and Kimball: exp(-c_B times the
/// integral of k(t)), in which every B moves as if alone.
fn survival(time: f64) -> f64 {
    const PARTS: usize = 2000;
    let width = time.sqrt() / PARTS as f64;
    let parts = (0..PARTS).map(|n| {
        // over sqrt(t), in which k is smooth at 0
        let root = (n as f64 + 0.5) * width;
        2.0 * root * width * collins_kimball(K_A, 2.0 * DIFFUSION, 2.0 * RADIUS, root * root)
    });
    libm::exp(-C_B * parts.sum::<f64>())
}

/// Fails unless `found` is within 4.5 standard errors, and `bias`, of `expected`: once in 150 000
/// times.
fn hold(what: &str, found: f64, error: f64, expected: f64, bias: f64) {
    println!("  {what}: {found:.4} ± {error:.4}, expected {expected:.4}, give or take {bias:.4}");
    assert!(
        (found - expected).abs() < 4.5 * error + bias,
        "{what}: {found} ± {error}, not {expected}"
    );
}

/// Where only A and B keep each other out, A survives as the theory of Collins and Kimball says;
/// its bias is that of the calibration of p (a fraction of 1 %). 4 placements of 1000 A: -ln of the
/// survival has a standard error of 2 % at first and 1.2 % at the end (0.56 % in 16 placements).
///
/// Among hard spheres A goes faster, since all of them are in each other's way: by 2.4 ± 0.5 %,
/// says a run of 16 placements.
#[test]
fn a_dilute_solution_follows_collins_and_kimball() {
    let case = Case { phi: DILUTE, timestep: 5e-4, volume: 125_000.0, duration: 0.9, ghosts: true };
    for (ghosts, faster) in [(true, 1.0), (false, 1.024)] {
        let all = run(&Case { ghosts, ..case }, samples(4));
        let expected = Curve::new(&all, |course| &course.expected);
        // The errors of one placement.
        for (look, error) in [(30, 0.038), (60, 0.032), (90, 0.028)] {
            let error = error / (all.len() as f64).sqrt();
            let theory = libm::log(survival(look as f64 * SAMPLE));
            let ratio = libm::log(expected.at(look).value) / theory;
            hold(&format!("ln A after {look} samples, over theory"), ratio, error, faster, 0.005);
        }
    }
}

/// At 20 % of the volume, in a quarter of the original's box, k = ln 2/(c_B t_half) is what
/// data/crowding.csv says: 94.1, 94.4 and 97.0 nm³/µs at three time steps, 95.2 ± 0.8 in the mean,
/// half as much again as in a dilute solution. 4 placements: standard error 1.7, from the scatter
/// of 24.
#[test]
fn a_crowd_makes_the_reaction_half_as_fast_again() {
    let case = Case { phi: 0.2, timestep: 5e-4, volume: 3125.0, duration: 1.0, ghosts: false };
    let all = run(&case, samples(4));
    let expected = Curve::new(&all, |course| &course.expected);
    // That of one placement is 3.4.
    let error = 3.4 / (all.len() as f64).sqrt();
    hold("k", expected.rate_to_half().value, error, 95.2, 0.8);
    // Given the contacts, each A has reacted or not for itself: the reactions scatter around what
    // contacts let expect by sqrt(q (1 - q)/n) at most.
    let counted = Curve::new(&all, |course| &course.counted);
    let n = (all.len() * case.count_a()) as f64;
    for look in [10, 50, 100] {
        let [counted, expected] = [counted.at(look).value, expected.at(look).value];
        let error = (expected * (1.0 - expected) / n).sqrt();
        hold(&format!("A left after {look} samples"), counted, error, expected, 0.0);
    }
    assert!(all.iter().all(|course| course.tally.late == 0 && course.tally.short_of_rate == 0));
}
