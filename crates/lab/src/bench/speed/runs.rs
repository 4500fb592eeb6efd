//! Whole runs of bodies that bind: from the first step to the last, the choice of a search
//! structure included.

use std::sync::atomic::AtomicBool;

use super::populations::{Merge, binding_disks, michaelis_menten, reversible};
use super::timing::{Turn, alive, least_and_median, short, structure};
use super::{Progress, SpeedPlan};
use crate::bench::BenchError;
use crate::bench::study::digits;
use jostle_analysis::Table;
use jostle_brownian::{Brownian, StepError};
use jostle_core::observe::Nobody;
use jostle_core::state_hash::state_hash;
use jostle_model::Model;
use jostle_run::{Options, engine, in_pool, run};

/// The rows.
const ROWS: [&str; 4] = ["binding", "binding-bonds", "reversible", "michaelis-menten"];

/// Bodies are counted each time that so many steps are done.
const COUNTED_EVERY: u64 = 10;

/// Who has been timed for so long is not run again. \[s\]
const ENOUGH: f64 = 8.0;

/// A run from the first step to the last.
struct Run {
    turn: Turn,
    steps: u64,
    /// At the start.
    bodies: usize,
    /// At the end.
    left: usize,
    /// Steps times bodies.
    body_steps: f64,
    contacts: u64,
    /// The state hash at the end; none if it is not known.
    state: Option<u64>,
    /// The search structure: its name, and what `auto` has chosen.
    search: String,
}

/// Seconds, and body-steps per second, of each run that is asked for.
pub(super) fn table(plan: &SpeedPlan, progress: &mut Progress<'_>) -> Result<Table, BenchError> {
    let mut table =
        Table::new(&["row", "run", "bodies", "mean bodies", "bodies at the end", "steps"]);
    table.columns.extend(
        [
            "least [s]",
            "median [s]",
            "processor [s]",
            "million body-steps/s",
            "contacts per step",
            "state hash",
            "structure",
        ]
        .map(str::to_owned),
    );
    for row in ROWS.into_iter().filter(|row| plan.wants(row)) {
        progress(&format!("speed: {}", words(row)));
        let (mut turns, mut last) = (Vec::new(), once(row, plan)?);
        turns.push(last.turn);
        while turns.len() < plan.rounds && turns.iter().map(|turn| turn.wall).sum::<f64>() < ENOUGH
        {
            last = once(row, plan)?;
            turns.push(last.turn);
        }
        let (least, median) = least_and_median(turns);
        let mean = last.body_steps / last.steps as f64;
        table.push_texts(vec![
            row.to_owned(),
            words(row).to_owned(),
            last.bodies.to_string(),
            format!("{mean:.0}"),
            last.left.to_string(),
            last.steps.to_string(),
            digits(least.wall),
            digits(median),
            least.processor.map_or("-".into(), digits),
            digits(last.body_steps / least.wall / 1e6),
            digits(last.contacts as f64 / last.steps as f64),
            last.state.map_or("-".into(), |state| format!("{state:016x}")),
            last.search,
        ]);
    }
    Ok(table)
}

fn words(row: &str) -> &'static str {
    match row {
        "binding" => "disks at 5 % become one when they meet",
        "binding-bonds" => "disks at 5 % stick together in pairs when they meet",
        "reversible" => "A + B <-> C, all apart at first",
        _ => "michaelis_menten.toml, with its file",
    }
}

fn once(row: &str, plan: &SpeedPlan) -> Result<Run, BenchError> {
    let search = plan.settings();
    let bodies = plan.bodies(20_000);
    match row {
        "binding" => steps::<2>(
            &binding_disks(bodies, Merge::Coalesce)?.searched(search),
            plan.steps(400),
            plan.threads,
        ),
        "binding-bonds" => steps::<2>(
            &binding_disks(bodies, Merge::Bond)?.searched(search),
            plan.steps(400),
            plan.threads,
        ),
        "reversible" => {
            steps::<3>(&reversible(bodies / 2)?.searched(search), plan.steps(3000), plan.threads)
        }
        _ => with_file(plan),
    }
}

/// The engine alone, once it is set up.
fn steps<const D: usize>(model: &Model, steps: u64, threads: usize) -> Result<Run, BenchError> {
    in_pool(threads, || {
        let mut engine = engine::<D>(model)?;
        let bodies = alive(&engine);
        let (body_steps, turn) = Turn::of(|| all_steps(&mut engine, steps))?;
        let state = Some(state_hash(engine.particles(), engine.clusters()));
        let (contacts, search) = (engine.tally().contacts, structure(&engine));
        let left = alive(&engine);
        Ok(Run { turn, steps, bodies, left, body_steps, contacts, state, search })
    })?
}

/// Does so many steps: the sum of the bodies that there were in each.
fn all_steps<const D: usize>(engine: &mut Brownian<D>, steps: u64) -> Result<f64, StepError> {
    let (mut body_steps, mut done, mut bodies) = (0.0, 0, alive(engine));
    while done < steps {
        let some = COUNTED_EVERY.min(steps - done);
        for _ in 0..some {
            engine.step(&mut Nobody)?;
        }
        let before = std::mem::replace(&mut bodies, alive(engine));
        body_steps += 0.5 * (before + bodies) as f64 * some as f64;
        done += some;
    }
    Ok(body_steps)
}

/// All that `jostle run` does: placing the bodies, the steps, the file.
fn with_file(plan: &SpeedPlan) -> Result<Run, BenchError> {
    let mut model = michaelis_menten()?.searched(plan.settings());
    model.run.threads = Some(plan.threads);
    model.run.steps = plan.steps(model.run.steps);
    let unwritten = |source| BenchError::Write { path: std::env::temp_dir(), source };
    let folder = tempfile::tempdir().map_err(unwritten)?;
    let stop = AtomicBool::new(false);
    let options = Options {
        out: Some(&folder.path().join("run.h5md")),
        force: false,
        self_check: false,
        stop: &stop,
        progress: &mut |_| (),
        checkpoints: Default::default(),
    };
    let (summary, turn) = Turn::of(|| run(&model, options))?;
    Ok(Run {
        turn,
        steps: model.run.steps,
        bodies: model.placement.iter().map(jostle_model::Placement::count).sum(),
        left: summary.population.iter().map(|(_, _, at_the_end)| at_the_end).sum(),
        body_steps: summary.account.work.0,
        contacts: summary.account.contacts,
        state: None,
        search: short(&summary.search),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_counts_bodies_that_get_fewer() {
        let model = binding_disks(200, Merge::Coalesce).unwrap();
        let run = steps::<2>(&model, 25, 1).unwrap();
        assert_eq!((run.bodies, run.steps), (200, 25));
        assert!(run.left < run.bodies);
        assert!(
            run.body_steps < 200.0 * 25.0 && run.body_steps > 100.0 * 25.0,
            "{}",
            run.body_steps
        );
        assert!(run.contacts > 0 && run.turn.wall > 0.0);
        let again = steps::<2>(&model, 25, 2).unwrap();
        assert_eq!(run.state, again.state);
    }
}
