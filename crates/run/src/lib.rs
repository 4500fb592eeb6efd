//! Runs a model: the only place that joins model, engine and recorder.

pub mod checkpoint;
mod drive;
mod forecast;
mod gas;
mod granular;
mod ledger;
mod memory;
mod odds;
mod outlook;
mod polygons;
mod self_check;
mod summary;
mod tape;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use checkpoint::{Checkpoints, Keeper, Memoir, Start};
use drive::{Chain, Driven, Figure, drive};
use jostle_brownian::{Brownian, Seed, Setup, SetupError, State, StepError};
use jostle_core::clusters::Bond;
use jostle_core::observe::{Brake, Clock, Observer, ObserverError, View};
use jostle_core::space::Domain;
use jostle_h5md::record::{Header, RecordError};
use jostle_model::placement::{PlacementError, place};
use jostle_model::{FirstBond, Model, Placement};
use ledger::Ledger;
use self_check::{SelfCheck, Subject, Watch};
use summary::Course;
use tape::{Tape, observer_failed};

pub use forecast::{Forecast, Pace, forecast};
pub use gas::{GasAccount, GasEngine, GasFault, GasForecast, gas_engine, gas_forecast};
pub use granular::{Account, GranularForecast, Kind, granular_engine, granular_forecast};
pub use ledger::Deeds;
pub use odds::{Odds, PairForecast};
pub use outlook::Outlook;
pub use polygons::{PolygonAccount, PolygonForecast, PolygonKind, polygon_engine, polygon_forecast};
pub use self_check::SelfCheckFault;
pub use summary::{Ending, Summary, Written};

/// How a model is to be run.
pub struct Options<'a> {
    /// The file to write; none writes nothing.
    pub out: Option<&'a Path>,
    /// Whether an existing file may be replaced.
    pub force: bool,
    /// Whether to look at the state now and then, and to stop at what cannot be. No result depends on it.
    pub self_check: bool,
    /// Set to stop the run: after the present step, or within it if it takes long.
    pub stop: &'a AtomicBool,
    /// Told after each step.
    pub progress: &'a mut (dyn FnMut(Clock) + Send),
    /// Whether states are kept to go on from, and whether this run goes on from one.
    pub checkpoints: Checkpoints<'a>,
}

/// How long a step still has to finish once a stop is requested.
const GRACE: Duration = Duration::from_secs(3);

impl<'a> Options<'a> {
    /// Ends a step that goes on for too long after that.
    fn brake(&self) -> Brake<'a> {
        Brake::new(self.stop, GRACE)
    }
}

/// Why a run failed. What was written before stays.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The bodies could not be placed.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The engine cannot start so.
    #[error("{0}")]
    Setup(#[from] SetupError),
    /// The granular engine cannot start so.
    #[error("{0}")]
    GranularSetup(#[from] jostle_events::granular::SetupError),
    /// The polygon engine cannot start so.
    #[error("{0}")]
    PolygonSetup(#[from] jostle_polygons::SetupError),
    /// The disk gas cannot start so.
    #[error("{0}")]
    GasSetup(#[from] jostle_events::gas::SetupError),
    /// There is no such container.
    #[error("{0}")]
    Container(#[from] jostle_events::granular::container::ContainerError),
    /// The search structure that the model names is not for such a box.
    #[error("the search structure \"{kind}\" cannot serve this box; \"auto\" would do")]
    Search {
        /// Which one.
        kind: &'static str,
    },
    /// There is not enough memory for the bodies.
    #[error(
        "{bodies} bodies take about {} of memory, and there is {}: most of them are those of \"{most}\", whose \
         `count` should be lower",
        jostle_core::words::bytes_text(*.needed),
        jostle_core::words::bytes_text(*.room)
    )]
    Memory {
        /// The species that has the most.
        most: String,
        /// How many there are in the model.
        bodies: usize,
        /// What they take. \[bytes\]
        needed: f64,
        /// What there is. \[bytes\]
        room: f64,
    },
    /// A state that was kept cannot be gone on from.
    #[error("{}: {reason}", path.display())]
    Checkpoint {
        /// The file that it was kept in.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A step failed.
    #[error("{reason}{}", kept(.out))]
    Step {
        /// Why.
        reason: StepError,
        /// The file that holds what was done until then.
        out: Option<PathBuf>,
    },
    /// A granular run failed.
    #[error("{reason}{}", kept(.out))]
    Fault {
        /// Why.
        reason: jostle_events::granular::RunFault,
        /// The file that holds what was done until then.
        out: Option<PathBuf>,
    },
    /// A run of polygons failed.
    #[error("{reason}{}", kept(.out))]
    PolygonFault {
        /// Why.
        reason: jostle_polygons::RunFault,
        /// The file that holds what was done until then.
        out: Option<PathBuf>,
    },
    /// A step of a disk gas failed.
    #[error("{reason}{}", kept(.out))]
    Gas {
        /// Why.
        reason: String,
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
}

fn kept(out: &Option<PathBuf>) -> String {
    out.as_ref().map_or(String::new(), |path| format!("; what was done until then is in {}", path.display()))
}

/// Runs `model` to its end, or until it is told to stop.
///
/// # Errors
/// If the model cannot be set up, a step fails, or the file cannot be written.
pub fn run(model: &Model, options: Options<'_>) -> Result<Summary, RunError> {
    if let Some(granular) = model.granular() {
        return match model.dimension {
            1 => granular::run_in::<1>(model, granular, options),
            2 => granular::run_in::<2>(model, granular, options),
            _ => granular::run_in::<3>(model, granular, options),
        };
    }
    if let Some(polygons) = model.polygons() {
        return in_pool(threads(model), move || polygons::run(model, polygons, options))?;
    }
    if let Some(gas) = model.gas() {
        return in_pool(threads(model), move || gas::run(model, gas, options))?;
    }
    in_pool(threads(model), move || match model.dimension {
        1 => run_in::<1>(model, options),
        2 => run_in::<2>(model, options),
        _ => run_in::<3>(model, options),
    })?
}

/// With fewer bodies, threads wait for each other longer than they work.
const BODIES_FOR_THREADS: usize = 5000;

/// How many threads a run takes: what the model says, else one for each core (which 0 stands for),
/// or a single one for a small model.
fn threads(model: &Model) -> usize {
    let bodies: usize = model.placement.iter().map(Placement::count).sum();
    model.threads.unwrap_or(if bodies < BODIES_FOR_THREADS { 1 } else { 0 })
}

/// Does `work` on a pool of `threads` threads (0: one for each core). Results never depend on their
/// number.
///
/// # Errors
/// If the system gives no threads.
pub fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, RunError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| RunError::Threads { threads, reason: error.to_string() })?;
    Ok(pool.install(work))
}

/// The stepped engine of a model in `D` dimensions, at step 0: also of a disk gas, whatever it says of
/// contacts.
///
/// # Errors
/// If bodies cannot be placed, find no room in memory, or the engine cannot start so.
pub fn engine<const D: usize>(model: &Model) -> Result<Brownian<D>, RunError> {
    memory::check_room(model)?;
    if let Some(gas) = model.gas() {
        return gas::exact_engine(model, gas);
    }
    let bodies: Vec<Seed<D>> =
        place::<D>(model)?.into_iter().map(|(species, position)| Seed { species, position }).collect();
    let bonds = first_bonds(model, &bodies);
    Ok(Brownian::bonded(setup(model), bodies, &bonds)?)
}

/// The bonds at the start, by the identities of the bodies, which come species by species, those with given places
/// first.
fn first_bonds<const D: usize>(model: &Model, bodies: &[Seed<D>]) -> Vec<Bond> {
    let id = |(species, number): (u16, usize)| {
        (bodies.partition_point(|body| body.species < species) + number) as u64
    };
    let bond = |first: &FirstBond| {
        let [a, b] = first.ends.map(id);
        Some(Bond { ids: [a.min(b), a.max(b)], rule: first.rule? })
    };
    model.bonds.iter().filter_map(bond).collect()
}

/// What the stepped engine of a model is made of.
fn setup<const D: usize>(model: &Model) -> Setup<D> {
    Setup {
        environment: model.surroundings.environment(&model.species),
        domain: domain(model),
        timestep: model.timestep,
        species: model.species.clone(),
        rules: model.rules.clone(),
        mobility: model.mobility.clone(),
        search: model.search.build::<D>(),
        scheduler: model.scheduler,
        seed: model.seed,
    }
}

/// The box of a model.
pub fn domain<const D: usize>(model: &Model) -> Domain<D> {
    Domain::new(std::array::from_fn(|k| model.edges[k]), std::array::from_fn(|k| model.periodic[k]))
}

fn run_in<const D: usize>(model: &Model, mut options: Options<'_>) -> Result<Summary, RunError> {
    let started = Instant::now();
    let (mut engine, Start { mut memoir, continued }) = match options.checkpoints.from.take() {
        Some(kept) => {
            let (state, start) = kept.take(ENGINE, D)?;
            (Brownian::resume(setup(model), state)?, start)
        }
        None => {
            let engine = engine::<D>(model)?;
            let first = summary::population(model, &engine);
            (engine, Start::of(first, None))
        }
    };
    let placed = started.elapsed();
    log::info!("{} bodies placed in {:.3} s", engine.particles().len(), placed.as_secs_f64());
    let header = Header { bodies: memoir.first.iter().sum(), ..header(model, &engine) };
    let tape = Tape::<D>::new(&options, &header, continued, engine.clock())?;
    let deeds = std::mem::take(&mut memoir.deeds);
    let ledger = Ledger::new(deeds, model.causes().len(), tape);
    let check = options.self_check.then(|| SelfCheck::new(Subject::brownian(model)));
    let mut watch = Watch { brake: Some(options.brake()), check, next: ledger };
    let mut keeper = Keeper::new(&options.checkpoints, memoir, ENGINE, &engine);
    let done = drive(&mut engine, model.steps, &mut watch, &mut keeper, &mut options);
    let checked = watch.account();
    let (elapsed, figures) = ([placed, keeper.worked()], keeper.took(&engine));
    let Ledger { deeds, next: tape } = watch.next;
    let (ending, written) = tape.close(done, &figures, engine.clock(), step_error)?;
    let Memoir { first, .. } = keeper.into_memoir();
    let course = Course { ending, first, deeds, elapsed, written, checked };
    Ok(Summary::new(model, &engine, course))
}

/// The word for the engine, in files.
const ENGINE: &str = "brownian";

impl<const D: usize> Driven<D> for Brownian<D> {
    type Fault = StepError;
    type State<'a> = State<'a, D>;

    fn clock(&self) -> Clock {
        self.clock()
    }

    fn view(&mut self) -> View<'_, D> {
        Self::view(self)
    }

    fn show(&mut self, watch: &mut impl Observer<D>) -> Result<(), StepError> {
        let shown = watch.step(&Self::view(self));
        shown.map_err(|source| self.failed(source))
    }

    fn go_on<C: Chain<D>>(&mut self, watch: &mut Watch<'_, D, C>) -> Result<(), StepError> {
        self.step(watch)
    }

    fn state(&self) -> State<'_, D> {
        self.state()
    }

    fn figures(&self, worked: Duration) -> Vec<Figure> {
        figures(self, worked).to_vec()
    }

    fn is_stopped(fault: &StepError) -> bool {
        matches!(fault, StepError::Stopped { .. })
    }

    fn failed(&self, source: ObserverError) -> StepError {
        StepError::Observer { step: self.clock().step, source }
    }
}

/// A step that failed.
fn step_error(reason: StepError, out: Option<&Path>) -> RunError {
    let kept = |reason| RunError::Step { reason, out: out.map(Path::to_owned) };
    match reason {
        StepError::Observer { source, step } => {
            observer_failed(source, out, |source| kept(StepError::Observer { source, step }))
        }
        reason => kept(reason),
    }
}

/// How contacts are searched for, in words.
fn search_in_words<const D: usize>(model: &Model, engine: &Brownian<D>) -> String {
    let all = 0..model.species.len() as u16;
    let ignore = |a: u16| all.clone().all(|b| model.rules.ignore(a, b));
    if all.clone().all(ignore) {
        return "not needed: no two species take notice of each other".to_owned();
    }
    engine.search().describe()
}

/// What a run took, by name: wall time and its parts, and the work of the search structure. Results
/// never depend on any of it.
fn figures<const D: usize>(engine: &Brownian<D>, elapsed: Duration) -> [Figure; 16] {
    let (phases, tally) = (engine.phases(), engine.tally());
    let times = [
        ("wall time (s)", elapsed),
        ("drawing displacements (s)", phases.draw),
        ("renewing the search structure (s)", phases.relink),
        ("listing candidate pairs (s)", phases.search),
        ("first contacts (s)", phases.narrow),
        ("settling contacts (s)", phases.settle),
        ("arriving (s)", phases.arrive),
    ];
    let work = engine.search().counters().named();
    let tests = [("narrow tests", tally.narrow_tests), ("contacts", tally.contacts + tally.wall_contacts)];
    let counts = work.into_iter().chain(tests).map(|(name, count)| (name, count as f64));
    let mut all = times.into_iter().map(|(name, time)| (name, time.as_secs_f64())).chain(counts);
    std::array::from_fn(|_| all.next().unwrap_or_default())
}

/// What the file of a run says about itself.
pub fn header<const D: usize>(model: &Model, engine: &Brownian<D>) -> Header {
    let figures = figures(engine, Duration::ZERO).map(|(name, _)| name);
    header_of(model, engine.particles().len(), search_in_words(model, engine), figures)
}

/// What the file of a run says about itself, whatever the engine: how many bodies there are, how contacts are
/// searched for, and what the figures are called that tell at the end what the run took.
fn header_of(
    model: &Model,
    bodies: usize,
    search: String,
    figures: impl IntoIterator<Item = &'static str>,
) -> Header {
    Header {
        title: model.title.clone(),
        author: std::env::var("USER").unwrap_or_else(|_| "unknown".into()),
        edges: model.edges,
        periodic: model.periodic,
        species: model.species.clone(),
        rules: model.causes(),
        surfaces: model.surroundings.surfaces.iter().map(|surface| surface.name.clone()).collect(),
        output: model.output.clone(),
        timestep: model.timestep,
        seed: model.seed,
        bodies,
        search,
        figures: figures.into_iter().map(str::to_owned).collect(),
        grains: None,
        outlines: None,
        source: model.source.clone(),
    }
}
