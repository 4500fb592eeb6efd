//! The rate that was typed comes out of random models of one reactive pair: the law of the check `random-rates`, over
//! other seeds than those of `jostle validate`.
//!
//! `MODELS=1000` and `FIRST=1000` choose which seeds; a model that breaks the law is kept in a folder of the system
//! for temporary files, which is named.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use jostle_lab::validate::random::rates::{Examined, examine};

use crate::random_models::seeds;
use crate::workers;

/// How often a pair reacts in each model, about: the standard error of its mean time is then 6 %.
const TIMES: usize = 300;

/// Keeps a model that broke the law, so that it can be run again.
fn keep(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("random_rates");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.toml"));
    std::fs::write(&path, text).unwrap();
    path
}

/// What is said of a refusal, without its numbers and names.
fn reason(why: &str) -> String {
    let line = why.lines().find(|line| line.contains(": ")).unwrap_or(why);
    line.chars().filter(|c| !c.is_ascii_digit()).take(160).collect()
}

/// Each finding fails by chance in two of a million seeds: once in a million by its law, and as often since the mean
/// of 300 waiting times is not quite Gaussian.
#[test]
fn random_rates_are_those_that_were_typed() {
    let outcomes: Mutex<BTreeMap<u64, Result<Examined, String>>> = Mutex::default();
    workers::for_each(seeds(2, 1000), |seed| {
        let examined = examine(seed, TIMES).map_err(|error| error.to_string());
        outcomes.lock().unwrap().insert(seed, examined);
    });
    let (mut largest, mut count, mut complaints) = (0.0_f64, 0, Vec::new());
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let outcomes = outcomes.into_inner().unwrap();
    for (seed, outcome) in &outcomes {
        match outcome {
            Err(error) => complaints.push(format!("seed {seed}: {error}")),
            Ok(examined) => {
                for why in &examined.refused {
                    *refused.entry(reason(why)).or_default() += 1;
                }
                for (n, (text, finding)) in examined.findings.iter().enumerate() {
                    count += 1;
                    largest = largest.max(finding.z.abs());
                    if !finding.holds() {
                        let path = keep(&format!("{seed}_{n}"), text);
                        complaints.push(format!("seed {seed}, {}\n  {finding:?}", path.display()));
                    }
                }
            }
        }
    }
    println!(
        "{} systems, {count} comparisons, largest |z| {largest:.2}; refused: {refused:#?}",
        outcomes.len()
    );
    assert!(
        complaints.is_empty(),
        "{} break the law:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}
