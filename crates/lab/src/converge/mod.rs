//! `jostle converge`: a Brownian model at time steps of dt, dt/2, dt/4, .. with the same noise, and
//! what the difference says about the limit of short steps.
//!
//! All levels draw at the finest step, and coarser ones add up the draws that fall into one of
//! theirs ([`jostle_core::motion::Motion::drawing_finer`]). Particles that move freely then go
//! along the same paths at every level, and what differs for others is what longer steps do wrong:
//! much smaller than the scatter between runs with noise of their own. It is measured on replicas,
//! runs with other seeds, so that each difference has its error.
//!
//! Reactions share no more than their random numbers' source: the fate of a contact is keyed by its
//! moment, which differs from level to level.

mod estimate;
mod observables;
mod replica;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

pub use estimate::LevelVerdict;
pub use jostle_core::statistics::Estimate;
use jostle_core::words::time_text;
use jostle_model::{EngineModel, Model};
use jostle_run::{RunError, in_pool};
use observables::Observables;
use replica::Replica;

/// The most levels: the finest then takes 512 steps for each of the coarsest.
pub const MOST_LEVELS: u32 = 10;

/// How a model is put to the test.
pub struct ConvergencePlan<'a> {
    /// How many runs with seeds of their own: the model's, and those that follow it.
    pub replicas: u64,
    /// Set to true to end early.
    pub stop: &'a AtomicBool,
    /// Told how many replicas are done.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// Why a model cannot be put to this test.
#[derive(Debug, thiserror::Error)]
pub enum ConvergeError {
    /// A granular model.
    #[error(
        "this is a granular model: the granular engine goes from collision to collision and has no time \
         step, so there is nothing that could converge"
    )]
    Granular,
    /// A model of polygons.
    #[error(
        "this is a model of polygons, in which nothing is random: run it with --set run.timestep at half and \
         a quarter of the step, and compare what `jostle analyse FILE energy` and `forces` say of the files"
    )]
    Polygons,
    /// A disk gas.
    #[error(
        "this is a model of a disk gas, in which nothing is random after the start: run it with --set \
         run.timestep at half and a quarter of the step, and compare the files with `jostle analyse`"
    )]
    Gas,
    /// A run failed.
    #[error("at a time step of {} with seed {seed}: {source}", time_text(*.timestep))]
    Run {
        /// \[µs\]
        timestep: f64,
        /// Of the replica.
        seed: u64,
        /// The underlying error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The system gave no threads.
    #[error(transparent)]
    Threads(#[from] RunError),
    /// It was told to end early.
    #[error("interrupted")]
    Interrupted,
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// The model's title.
    pub title: String,
    /// The time steps, the longest first. \[µs\]
    pub timesteps: Vec<f64>,
    /// How long was simulated. \[µs\]
    pub time: f64,
    /// How often averages looked.
    pub looks: u64,
    /// How many replicas there were, and the seed of the first.
    pub replicas: u64,
    /// The seed of the first replica; the others' follow it.
    pub seed: u64,
    /// One row per observable, at the end and on average.
    pub rows: Vec<Row>,
    /// What else is to be said.
    pub notes: Vec<String>,
}

/// What was found of an observable.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What it is, with its unit.
    pub what: String,
    /// Whether it is the average over the run; else it is the value at the end.
    pub average: bool,
    /// Its mean over the replicas at each level. Empty of distances between paths, which belong to
    /// pairs of levels.
    pub values: Vec<Estimate>,
    /// By how much the value at a level differs from that at the one before, of the same replicas;
    /// or how far the paths of the two are apart.
    pub changes: Vec<Estimate>,
    /// What these say.
    pub verdict: LevelVerdict,
}

/// Refuses models of engines that have no noise.
///
/// # Errors
/// If the model is not one of Brownian motion.
pub fn suits(model: &Model) -> Result<(), ConvergeError> {
    match &model.engine {
        EngineModel::Brownian(_) => Ok(()),
        EngineModel::Granular(_) => Err(ConvergeError::Granular),
        EngineModel::Polygons(_) => Err(ConvergeError::Polygons),
        EngineModel::Gas(_) => Err(ConvergeError::Gas),
    }
}

/// What is to be set on top of `model` so that it takes 2^level shorter steps for the same time.
pub fn overrides(model: &Model, level: u32) -> [(String, String); 2] {
    let finer = (1u64 << level) as f64;
    let timestep = format!("{:?} us", model.run.timestep / finer);
    let steps = model.run.steps << level;
    [("run.timestep".into(), timestep), ("run.steps".into(), steps.to_string())]
}

/// Runs `levels`, the same model at time steps of which each is half of the one before, with the
/// same noise.
///
/// # Errors
/// If the model is of another engine, or a run fails.
pub fn converge(
    levels: &[Model],
    plan: &ConvergencePlan<'_>,
) -> Result<Convergence, ConvergeError> {
    let [model, ..] = levels else { return Err(ConvergeError::Interrupted) };
    suits(model)?;
    let observables = Observables::of(model);
    let done = std::sync::atomic::AtomicU64::new(0);
    let one = |number: u64| {
        let replica = match model.space.dimension {
            1 => replica::run::<1>(levels, &observables, number, plan.stop),
            2 => replica::run::<2>(levels, &observables, number, plan.stop),
            _ => replica::run::<3>(levels, &observables, number, plan.stop),
        };
        (plan.progress)(1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        replica
    };
    let all = || (0..plan.replicas).into_par_iter().map(one).collect::<Result<Vec<Replica>, _>>();
    let replicas = in_pool(model.run.threads.unwrap_or(0), all)??;
    Ok(Convergence {
        title: model.title.clone(),
        timesteps: levels.iter().map(|level| level.run.timestep).collect(),
        time: model.run.duration(),
        looks: replica::looks(model.run.steps).count() as u64,
        replicas: plan.replicas,
        seed: model.run.seed,
        rows: observables.rows(&replicas),
        notes: observables.notes(model, &replicas),
    })
}
