//! Checks can fail: each known fault, planted into the engines, is noticed, by checks that are meant for it.
//!
//! Needs a build of its own: `cargo test --features planted-faults --test planted`.

use jostle::planted::{Fault, plant};
use jostle::validate::{Check, Effort, Outcome, Suite, Verdict, checks};

/// Which checks are asked about each fault; the first must notice it, and how many of all must. A check notices a
/// fault if theory fails or if it breaks off, as where an engine leaves bodies from which no other may start: all of
/// them come to their end where nothing is planted.
const ASKED: [(Fault, usize, &[&str]); 10] = [
    (Fault::NoisePower, 3, &["free-motion", "drift", "mixtures"]),
    (Fault::MissingCell, 1, &["no-overlap"]),
    (Fault::RestitutionTwice, 3, &["haff", "pair-response", "restitution-laws"]),
    (Fault::RateTwice, 3, &["waiting-times", "isomers", "birth-and-death"]),
    (Fault::BindingTwice, 2, &["capture-3d", "capture-2d", "lone-pair"]),
    (Fault::BounceRejects, 2, &["spheres", "rods", "single-file"]),
    (Fault::EqualMasses, 1, &["mixtures"]),
    (Fault::FrictionTwice, 1, &["polygon-incline"]),
    (Fault::SurfaceStops, 2, &["containers", "exit-times"]),
    (Fault::SurfaceTwice, 2, &["permeable-wall", "exit-times"]),
];

fn named(names: &[&str]) -> Vec<Check> {
    let found: Vec<_> = checks().into_iter().filter(|check| names.contains(&check.name)).collect();
    assert_eq!(found.len(), names.len(), "no such checks: {names:?}");
    found
}

fn run(names: &[&str]) -> Suite {
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    Suite::run(&named(names), Effort::Quick, 1, threads, &|_| ())
}

/// What is largest off in a check, in a line: of what chance decides, if any of that fails.
fn worst(outcome: &Outcome) -> String {
    let failed: Vec<_> = outcome.findings.findings.iter().filter(|finding| !finding.holds()).collect();
    let by_chance = failed.iter().filter(|finding| !finding.is_exact() && finding.z.is_finite());
    let worst = by_chance.max_by(|a, b| a.z.abs().total_cmp(&b.z.abs())).or(failed.first());
    let worst = worst.map(|f| {
        let z = if f.is_exact() { "no chance".into() } else { format!("z = {:+.1}", f.z) };
        format!("{}: {:.4e} instead of {:.4e}, {z} ({} fail)", f.what, f.measured, f.expected, failed.len())
    });
    worst.or_else(|| outcome.error.clone()).unwrap_or_default()
}

/// Faults are planted for the whole process: one test, one after the other.
#[test]
fn every_planted_fault_is_noticed_and_without_one_theory_stands() {
    let mut missed = Vec::new();
    for (fault, least, names) in ASKED {
        plant(Some(fault));
        let suite = run(names);
        let noticed: Vec<_> = suite.outcomes.iter().filter(|o| o.verdict() != Verdict::Holds).collect();
        println!("{}:", fault.name());
        for outcome in &suite.outcomes {
            println!("  {}: {}; {}", outcome.check.name, outcome.verdict().name(), worst(outcome));
        }
        let first = noticed.iter().any(|outcome| outcome.check.name == names[0]);
        if noticed.len() < least || !first {
            missed.push(format!("{}: noticed by {} of {names:?}", fault.name(), noticed.len()));
        }
    }
    plant(None);
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    let mut all: Vec<_> = ASKED.iter().flat_map(|(.., names)| names.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    let suite = run(&all);
    assert!(suite.holds(), "{:?}", suite.outcomes.iter().map(worst).collect::<Vec<_>>());
}

#[test]
fn every_known_fault_is_asked_about() {
    assert!(Fault::ALL.iter().all(|fault| ASKED.iter().any(|(asked, ..)| asked == fault)));
}
