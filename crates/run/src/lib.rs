//! Runs a model: the only place that joins model, engine and recorder.

mod balance;
mod brownian;
mod check;
pub mod checkpoint;
mod collect;
mod drive;
mod forecast;
mod gas;
mod granular;
mod ledger;
mod memory;
mod memory_guard;
mod odds;
mod outlook;
mod polygons;
mod runnable;
mod self_check;
mod simulation;
mod snapshot;
mod summary;
mod tape;
mod threads;
mod trial;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use checkpoint::Checkpoints;
use drive::{AnyDrive, Controls, Drive, Plan};
use jostle_core::observe::Clock;
use jostle_core::particles::Particles;
use jostle_core::space::Domain;
use jostle_files::Inputs;
use jostle_h5md::record::{Header, RecordError};
use jostle_model::placement::PlacementError;
use jostle_model::{EngineModel, Model};

pub use brownian::{engine, header};
pub use check::{Check, check};
pub use collect::{ChangeColumns, Collect, Collected, ContactColumns, Lists, PartyColumns};
pub use forecast::{Forecast, Kind, forecast};
pub use gas::{after_move_engine, events_engine};
pub use granular::granular_engine;
pub use ledger::RuleCounts;
pub use memory_guard::{MemoryReached, run_within_memory};
pub use odds::{Odds, PairForecast, TetherForecast, tether_forecasts};
pub use outlook::Outlook;
pub use polygons::polygon_engine;
pub use self_check::SelfCheckFault;
pub use simulation::{Simulation, SimulationOptions, SpeciesName};
pub use snapshot::Snapshot;
pub use summary::{Account, Ending, Summary, Written};
pub use threads::in_pool;
pub use trial::Pace;

/// How a model is to be run.
pub struct Options<'a> {
    /// The file to write; none writes nothing.
    pub out: Option<&'a Path>,
    /// Whether an existing file may be replaced.
    pub force: bool,
    /// Whether to look at the state now and then, and to stop at what cannot be. No result depends
    /// on it.
    pub self_check: bool,
    /// Set to stop the run: after the present step, or within it if it takes long.
    pub stop: &'a AtomicBool,
    /// Told at the start, once what is to be written has begun, and after each step.
    pub progress: &'a mut (dyn FnMut(Clock) + Send),
    /// Whether states are kept to resume from, and whether this run resumes from one.
    pub checkpoints: Checkpoints<'a>,
}

/// Why a run failed. What was written before stays.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It was stopped because of the memory that it took, in words.
    #[error("{0}")]
    GrownTooLarge(String),
    /// The particles could not be placed.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The engine cannot start so.
    #[error("{0}")]
    Setup(Box<dyn std::error::Error + Send + Sync>),
    /// There is not enough memory for the particles.
    #[error(
        "{particles} particles need about {} of memory, but there is only {}; most of them belong to \"{most}\", whose \
         `count` should be lower",
        jostle_core::words::bytes_text(*.needed),
        jostle_core::words::bytes_text(*.room)
    )]
    Memory {
        /// The species that has the most.
        most: String,
        /// How many there are in the model.
        particles: usize,
        /// What they take. \[bytes\]
        needed: f64,
        /// What there is. \[bytes\]
        room: f64,
    },
    /// A state that was kept cannot be resumed.
    #[error("{}: {reason}", path.display())]
    Checkpoint {
        /// The file that it was kept in.
        path: PathBuf,
        /// Why it does not fit the run, or cannot be read.
        reason: String,
    },
    /// The run would write over a file that its model is read from.
    #[error(
        "{} is a file that this run reads, which is never replaced; choose another file to write",
        path.display()
    )]
    Input {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A step failed.
    #[error("{reason}{}", kept(.out))]
    Step {
        /// What the engine or an observer says.
        reason: Box<dyn std::error::Error + Send + Sync>,
        /// The file that holds what was done until then.
        out: Option<PathBuf>,
    },
    /// The self-check saw what cannot be.
    #[error("{reason}{}", kept(.out))]
    SelfCheck {
        /// What it saw.
        reason: SelfCheckFault,
        /// The file that holds what was done until then.
        out: Option<PathBuf>,
    },
    /// The system gave no threads.
    #[error("could not start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// The state cannot be changed by hand so; it is as it was.
    #[error("{0}")]
    Refused(String),
    /// A simulation has come into another process.
    #[error(
        "this simulation belongs to process {owner}, of which this one is a copy (a fork): its threads and its file \
         stayed there; create a new simulation in this process"
    )]
    Forked {
        /// The process that it was created in.
        owner: u32,
    },
    /// A simulation that has ended cannot be used any more.
    #[error(
        "the simulation has ended: it was finished, broken off within a step, or a step failed; create a new one"
    )]
    Ended,
}

impl RunError {
    /// An engine cannot start so.
    fn setup(reason: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Setup(reason.into())
    }

    /// A step of a trial failed, of which nothing was written.
    fn step(reason: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Step { reason: reason.into(), out: None }
    }
}

fn kept(out: &Option<PathBuf>) -> String {
    out.as_ref().map_or(String::new(), |path| {
        format!("; what was done until then is in {}", path.display())
    })
}

/// Runs `model` to its end, or until it is told to stop.
///
/// # Errors
/// If the model cannot be set up, a step fails, or the file cannot be written.
pub fn run(model: &Model, options: Options<'_>) -> Result<Summary, RunError> {
    let Options { out, force, self_check, stop, progress, checkpoints } = options;
    let Checkpoints { every, now, from, stays } = checkpoints;
    let plan = Plan { out, force, self_check, every, from, stays, ..Plan::default() };
    in_pool(1, move || {
        let mut drive = start(model, plan)?;
        progress(drive.clock());
        let mut controls = Controls { stop, keep: now, pause: None, progress };
        // What ends it before its time is said at the end.
        drive.advance(model.run.steps, &mut controls).ok();
        drive.finish(model)
    })?
}

/// Starts a run: the engine is set up, and what is to be written has begun.
fn start(model: &Model, plan: Plan<'_>) -> Result<Box<dyn AnyDrive>, RunError> {
    plan.out.map_or(Ok(()), |out| spare_inputs(model, out))?;
    Ok(match &model.engine {
        EngineModel::Brownian(brownian) => match model.space.dimension {
            1 => Box::new(Drive::<_, 1>::start(model, &**brownian, plan)?),
            2 => Box::new(Drive::<_, 2>::start(model, &**brownian, plan)?),
            _ => Box::new(Drive::<_, 3>::start(model, &**brownian, plan)?),
        },
        EngineModel::Granular(granular) => match model.space.dimension {
            1 => Box::new(Drive::<_, 1>::start(model, &**granular, plan)?),
            2 => Box::new(Drive::<_, 2>::start(model, &**granular, plan)?),
            _ => Box::new(Drive::<_, 3>::start(model, &**granular, plan)?),
        },
        EngineModel::Polygons(polygons) => Box::new(Drive::start(model, &**polygons, plan)?),
        EngineModel::Gas(gas) => gas::start_run(model, gas, plan)?,
    })
}

/// Refuses to write a file that the model is read from, or one whose checkpoints would replace such a
/// file.
fn spare_inputs(model: &Model, out: &Path) -> Result<(), RunError> {
    let inputs = Inputs::of(model.source.inputs());
    let written = checkpoint::checkpoints_of(out);
    match [out].into_iter().chain(written.iter().map(PathBuf::as_path)).find(|p| inputs.contain(p))
    {
        Some(input) => Err(RunError::Input { path: input.to_owned() }),
        None => Ok(()),
    }
}

/// The box of a model.
pub fn domain<const D: usize>(model: &Model) -> Domain<D> {
    Domain::new(
        std::array::from_fn(|k| model.space.edges[k]),
        std::array::from_fn(|k| model.space.periodic[k]),
    )
}

/// How many of these particles there are of each species.
fn population<const D: usize>(model: &Model, particles: &Particles<D>) -> Vec<usize> {
    let mut count = vec![0; model.species.len()];
    for i in (0..particles.len()).filter(|&i| particles.alive[i]) {
        count[particles.species[i] as usize] += 1;
    }
    count
}

/// What the file of a run says about itself, whatever the engine: how many particles there are, how
/// contacts are searched for, and what the figures are called that tell at the end what the run
/// took.
fn header_of(
    model: &Model,
    particles: usize,
    search: String,
    figures: impl IntoIterator<Item = &'static str>,
) -> Header {
    Header {
        title: model.title.clone(),
        author: std::env::var("USER").unwrap_or_else(|_| "unknown".into()),
        edges: model.space.edges,
        periodic: model.space.periodic,
        species: model.species.clone(),
        rules: model.causes(),
        surfaces: model
            .surroundings()
            .surfaces
            .iter()
            .map(|surface| surface.name.clone())
            .collect(),
        output: model.output.clone(),
        timestep: model.run.timestep,
        seed: model.run.seed,
        particles,
        search,
        figures: figures.into_iter().map(str::to_owned).collect(),
        potentials: model.stepped_potentials(),
        tethered: model.tethered_species(),
        grains: None,
        outlines: None,
        source: model.source.clone(),
    }
}
