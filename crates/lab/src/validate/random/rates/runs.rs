//! Runs a system again and again, and notes when its partners react.

use crate::validate::CheckError;
use jostle_core::observe::{Change, ChangeKind, Observer, ObserverError};
use jostle_model::Model;

/// When each reaction happened \[steps\], and by which rule.
#[derive(Default)]
struct Reactions(Vec<(f64, u16)>);

impl<const D: usize> Observer<D> for Reactions {
    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        if change.kind != ChangeKind::Refused {
            self.0.push((change.step as f64 + change.time, change.rule));
        }
        Ok(())
    }
}

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Timings {
    /// The mean time until reaction in each run. \[µs\]
    pub(super) means: Vec<f64>,
    /// How many reactions each of the competing rules had.
    pub(super) by_rule: Vec<u64>,
}

/// How many runs there are, and what of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Repeats {
    pub(super) runs: usize,
    /// How many pairs react in each.
    pub(super) pairs: usize,
    /// How long they may take; none does so by chance. \[µs\]
    pub(super) patience: f64,
}

/// Runs the model, each time until all pairs have reacted, with seeds of their own.
pub(super) fn measure(
    model: &Model,
    plan: Repeats,
    seed: impl Fn(u64) -> u64,
) -> Result<Timings, CheckError> {
    let mut measured = Timings::default();
    let mut model = model.clone();
    for run in 0..plan.runs as u64 {
        model.run.seed = seed(run);
        let reactions = match model.space.dimension {
            1 => one_run::<1>(&model, plan),
            2 => one_run::<2>(&model, plan),
            _ => one_run::<3>(&model, plan),
        }?;
        let sum: f64 = reactions.iter().map(|(steps, _)| steps * model.run.timestep).sum();
        measured.means.push(sum / plan.pairs as f64);
        for (_, rule) in reactions {
            let rule = rule as usize;
            measured.by_rule.resize(measured.by_rule.len().max(rule + 1), 0);
            measured.by_rule[rule] += 1;
        }
    }
    Ok(measured)
}

fn one_run<const D: usize>(model: &Model, plan: Repeats) -> Result<Vec<(f64, u16)>, CheckError> {
    let mut engine = jostle_run::engine::<D>(model)?;
    let mut reactions = Reactions::default();
    while reactions.0.len() < plan.pairs {
        if engine.clock().time() > plan.patience {
            return Err(format!(
                "no reaction within {:?} us\n{}",
                plan.patience, model.source.text
            )
            .into());
        }
        engine.step(&mut reactions)?;
    }
    Ok(reactions.0)
}
