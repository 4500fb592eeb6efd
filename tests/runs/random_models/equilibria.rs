//! Random equilibria of other seeds than those of `jostle validate`: small reversible systems spend their
//! time in each macrostate as configuration integrals say.
//!
//! `MODELS` in the environment says how many, one for each five models; `FIRST` which seed is the first.

use std::sync::Mutex;

use jostle::validate::random::equilibria::RandomEquilibrium;
use jostle::validate::{BOUND, Effort};

use super::{keep_as, seeds};
use crate::workers;

/// What is wrong with the system of a seed, if anything.
fn complaint(seed: u64) -> Option<String> {
    let system = RandomEquilibrium::of(seed).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
    let (what, text) = match system.examine(Effort::Quick) {
        Ok(judged) if judged.finding.holds() => return None,
        Ok(judged) => (format!("{:?}", judged.finding), judged.text),
        Err(why) => (why.to_string(), system.text(1.0)),
    };
    let path = keep_as(&format!("equilibrium_{seed}"), &text);
    Some(format!("seed {seed}, {}: {what}", path.display()))
}

/// Each system fails once in a million seeds.
#[test]
fn random_equilibria_are_those_of_configuration_integrals() {
    let asked = seeds(10, 5000);
    let systems = asked.start..asked.start + (asked.end - asked.start).div_ceil(5);
    let complaints = Mutex::new(Vec::new());
    workers::for_each(systems, |seed| complaints.lock().unwrap().extend(complaint(seed)));
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "beyond {BOUND}:\n{}", complaints.join("\n"));
}
