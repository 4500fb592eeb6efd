//! Random equilibria of other seeds than those of `jostle validate`: small reversible systems spend their
//! time in each macrostate as configuration integrals say.
//!
//! `MODELS` in the environment says how many, one for each five models; `FIRST` which seed is the first; `HOLDING`, as
//! in `HOLDING="sites ="`, that only those are examined in whose models this stands.

use std::sync::Mutex;

use jostle_lab::validate::random::equilibria::{Judged, RandomEquilibrium};
use jostle_lab::validate::{BOUND, Effort};

use super::{keep_as, seeds};
use crate::{program, workers};

/// From which |z| on `make soak` repeats a system, ten times as long: one in four hundred systems gets there by
/// chance, and an error of the engine shows by then.
const SUSPICIOUS: f64 = 3.0;

/// The system of a seed.
fn system(seed: u64) -> RandomEquilibrium {
    RandomEquilibrium::of(seed).unwrap_or_else(|why| panic!("seed {seed}: {why}"))
}

/// The system of a seed beside the reference, or its text and why it does not run.
fn judged(seed: u64) -> Result<Judged, (String, String)> {
    let system = system(seed);
    let examine =
        |effort| system.examine(effort).map_err(|why| (why.to_string(), system.text(1.0)));
    let quick = examine(Effort::Quick)?;
    if !program::soak() || quick.finding.z.abs() < SUSPICIOUS {
        return Ok(quick);
    }
    let full = examine(Effort::Full)?;
    println!(
        "seed {seed}: z {:.2}, and {:.2}: {}",
        quick.finding.z, full.finding.z, full.finding.what
    );
    Ok(full)
}

/// Each system fails once in a million seeds.
#[test]
fn random_equilibria_are_those_of_configuration_integrals() {
    let asked = seeds(10, 5000);
    let systems = asked.start..asked.start + (asked.end - asked.start).div_ceil(5);
    let holding = std::env::var("HOLDING").ok();
    let is_asked =
        |seed: &u64| holding.as_ref().is_none_or(|it| system(*seed).text(1.0).contains(it));
    let outcomes = Mutex::new(Vec::new());
    workers::for_each(systems, |seed| {
        if !is_asked(&seed) {
            return;
        }
        let outcome = judged(seed);
        outcomes.lock().unwrap().push((seed, outcome));
    });
    let (mut scores, mut comparisons, mut complaints) = (Vec::new(), 0, Vec::new());
    for (seed, outcome) in outcomes.into_inner().unwrap() {
        let (what, text) = match outcome {
            Ok(judged) => {
                scores.push(judged.finding.z);
                comparisons += judged.comparisons;
                if judged.finding.holds() {
                    continue;
                }
                (format!("{:?}", judged.finding), judged.text)
            }
            Err(failed) => failed,
        };
        let path = keep_as(&format!("equilibrium_{seed}"), &text);
        complaints.push(format!("seed {seed}, {}: {what}", path.display()));
    }
    let square = scores.iter().map(|z| z * z).sum::<f64>() / scores.len() as f64;
    println!(
        "{} systems, {comparisons} comparisons, rms of z {:.2}, largest {:.2}",
        scores.len(),
        square.sqrt(),
        scores.iter().fold(0.0, |largest: f64, z| largest.max(z.abs()))
    );
    assert!(complaints.is_empty(), "beyond {BOUND}:\n{}", complaints.join("\n"));
}
