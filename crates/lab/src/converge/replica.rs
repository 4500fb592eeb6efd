//! One replica: all levels side by side, looked at at common times.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::ConvergeError;
use super::observables::{ComparedState, Observables, StartPlaces};
use jostle_brownian::{Brownian, StepError};
use jostle_core::observe::Brake;
use jostle_model::Model;
use jostle_run as run;

/// So often at most is a run looked at.
const MOST_LOOKS: u64 = 100;

/// What was measured in one replica: each number at the end and on average.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Replica {
    /// \[observable\]\[level\]
    pub(super) values: Vec<Vec<[f64; 2]>>,
    /// Mean squared distances between the paths of particles at successive levels.
    /// \[species\]\[pair of levels\]
    pub(super) apart: Vec<Vec<[f64; 2]>>,
    /// At how many contacts no probability could give the rate that was asked for. \[level\]
    pub(super) short_of_rate: Vec<u64>,
}

/// After which steps of the coarsest level the runs are looked at: evenly, the last among them.
pub(super) fn looks(steps: u64) -> impl Iterator<Item = u64> {
    let count = steps.min(MOST_LOOKS);
    (1..=count).map(move |n| n * steps / count)
}

/// Runs all levels with the seed of replica `number`.
pub(super) fn run<const D: usize>(
    levels: &[Model],
    observables: &Observables,
    number: u64,
    stop: &AtomicBool,
) -> Result<Replica, ConvergeError> {
    let mut engines = Vec::new();
    for (level, model) in levels.iter().enumerate() {
        let model = model.clone().seeded(model.run.seed.wrapping_add(number));
        let draws = 1 << (levels.len() - 1 - level);
        let engine = run::engine::<D>(&model).map_err(|error| failed(&model, number, error))?;
        engines.push(engine.drawing_finer(draws));
    }
    let steps = levels[0].run.steps;
    let start = StartPlaces::of(&engines[0]);
    let mut replica = observables.empty(levels.len());
    for until in looks(steps) {
        for (level, engine) in engines.iter_mut().enumerate() {
            let advanced = advance(engine, until << level, stop);
            advanced.map_err(|error| failed(&levels[level], number, error))?;
            if stop.load(Ordering::Relaxed) {
                return Err(ConvergeError::Interrupted);
            }
        }
        let scenes: Vec<ComparedState<D>> =
            engines.iter().map(|engine| ComparedState::of(engine, &start)).collect();
        observables.look(&scenes, &start, &mut replica);
    }
    let count = looks(steps).count() as f64;
    let numbers = replica.values.iter_mut().chain(&mut replica.apart).flatten();
    numbers.for_each(|[_, average]| *average /= count);
    replica.short_of_rate = engines.iter().map(|engine| engine.tally().short_of_rate).collect();
    Ok(replica)
}

fn advance<const D: usize>(
    engine: &mut Brownian<D>,
    until: u64,
    stop: &AtomicBool,
) -> Result<(), StepError> {
    let mut brake = Brake::new(stop, Duration::ZERO);
    while engine.clock().step < until && !stop.load(Ordering::Relaxed) {
        match engine.step(&mut brake) {
            Err(StepError::Stopped { .. }) => break,
            done => done?,
        }
    }
    Ok(())
}

fn failed<E: std::error::Error + Send + Sync + 'static>(
    model: &Model,
    number: u64,
    error: E,
) -> ConvergeError {
    let seed = model.run.seed.wrapping_add(number);
    ConvergeError::Run { timestep: model.run.timestep, seed, source: Box::new(error) }
}
