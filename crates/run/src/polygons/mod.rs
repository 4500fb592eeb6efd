//! Runs models of convex polygons.

mod account;
mod forecast;
mod shapes;

use std::path::Path;
use std::time::{Duration, Instant};

use super::checkpoint::{Keeper, Memoir, Start};
use super::drive::{Chain, Driven, Figure, drive};
use super::memory::check_room;
use super::self_check::{Hardness, SelfCheck, Subject, Watch};
use super::summary::{Course, population_of};
use super::tape::{Tape, observer_failed};
use super::{Options, RunError, Summary, domain, header_of};
use jostle_core::observe::{Clock, Observer, ObserverError, View};
use jostle_core::space::Vector;
use jostle_h5md::record::{Header, Shapes};
use jostle_model::Model;
use jostle_model::placement::place_polygons;
use jostle_model::polygons::{Cast, PolygonModel, cast};
use jostle_polygons::{Polygons, RunFault, Setup, State};

use shapes::shapes;

pub use account::PolygonAccount;
pub use forecast::{PolygonForecast, PolygonKind, polygon_forecast};

/// The engine of a polygon model, at step 0, and what its bodies and walls look like.
///
/// # Errors
/// If bodies cannot be placed or the engine cannot start so.
pub fn polygon_engine(model: &Model, polygons: &PolygonModel) -> Result<(Polygons, Shapes), RunError> {
    check_room(model)?;
    let cast = place_polygons(model, polygons)?;
    let shapes = shapes(&cast);
    Ok((Polygons::new(setup(model, polygons, cast))?, shapes))
}

/// What the engine is made of.
fn setup(model: &Model, polygons: &PolygonModel, cast: Cast) -> Setup {
    let Cast { outlines, solids, walls, .. } = cast;
    Setup {
        domain: domain(model),
        outlines,
        solids,
        walls,
        law: polygons.law,
        gravity: polygons.gravity,
        timestep: model.timestep,
    }
}

/// The engine of a polygon model, where a run had come: nobody has to be placed.
fn resumed(model: &Model, polygons: &PolygonModel, state: State<'_>) -> Result<(Polygons, Shapes), RunError> {
    let cast = cast(model, polygons);
    let shapes = shapes(&cast);
    Ok((Polygons::resume(setup(model, polygons, cast), state)?, shapes))
}

/// The word for the engine, in files.
const ENGINE: &str = "polygons";

/// Runs a polygon model to its end, or until it is told to stop, on the present pool of threads.
pub(super) fn run(
    model: &Model,
    polygons: &PolygonModel,
    mut options: Options<'_>,
) -> Result<Summary, RunError> {
    let started = Instant::now();
    let ((engine, shapes), Start { memoir, continued }) = match options.checkpoints.from.take() {
        Some(kept) => {
            let (state, start) = kept.take(ENGINE, 2)?;
            (resumed(model, polygons, state)?, start)
        }
        None => {
            let (mut engine, shapes) = polygon_engine(model, polygons)?;
            let first = population_of(model, engine.view().particles);
            let start = Start::of(first, Some(engine.books()));
            ((engine, shapes), start)
        }
    };
    let mut heap = Heap { engine, frame_every: model.output.frame_every };
    let placed = started.elapsed();
    log::info!("{} polygons placed in {:.3} s", heap.engine.masses().len(), placed.as_secs_f64());
    let header = header(model, &heap.engine, shapes);
    let tape = Tape::<2>::new(&options, &header, continued, heap.engine.clock())?;
    let check = options.self_check.then(|| SelfCheck::new(subject(model, polygons, &heap.engine)));
    let mut watch = Watch { brake: None, check, next: tape };
    let mut keeper = Keeper::new(&options.checkpoints, memoir, ENGINE, &heap);
    let done = drive(&mut heap, model.steps, &mut watch, &mut keeper, &mut options);
    let checked = watch.account();
    let (elapsed, figures) = ([placed, keeper.worked()], keeper.took(&heap));
    let mut engine = heap.engine;
    let (ending, written) = watch.next.close(done, &figures, engine.clock(), fault_of_run)?;
    let Memoir { first, books, .. } = keeper.into_memoir();
    let course = Course { ending, first, deeds: Vec::new(), elapsed, written, checked };
    let account = PolygonAccount::of(&mut engine, &books.unwrap_or_default());
    Ok(Summary::of_polygons(model, engine.clock(), SEARCH, account, course))
}

/// The engine, and which of its steps become frames.
struct Heap {
    engine: Polygons,
    frame_every: u64,
}

impl Driven<2> for Heap {
    type Fault = RunFault;
    type State<'a> = State<'a>;

    fn clock(&self) -> Clock {
        self.engine.clock()
    }

    fn view(&mut self) -> View<'_, 2> {
        self.engine.view()
    }

    fn show(&mut self, watch: &mut impl Observer<2>) -> Result<(), RunFault> {
        self.engine.show(watch)
    }

    fn go_on<C: Chain<2>>(&mut self, watch: &mut Watch<'_, 2, C>) -> Result<(), RunFault> {
        self.engine.step()?;
        if self.engine.clock().step.is_multiple_of(self.frame_every) {
            self.engine.show(watch)?;
        }
        watch.worked(self.engine.masses().len() as f64 * WORK_PER_BODY);
        if watch.is_due() {
            watch.look(&self.engine.view()).map_err(|fault| RunFault::Observer(fault.into()))?;
        }
        Ok(())
    }

    fn state(&self) -> State<'_> {
        self.engine.state()
    }

    fn figures(&self, worked: Duration) -> Vec<Figure> {
        figures(&self.engine, worked).to_vec()
    }

    fn failed(&self, source: ObserverError) -> RunFault {
        RunFault::Observer(source)
    }
}

/// What the self-check knows of a run of polygons.
fn subject(model: &Model, polygons: &PolygonModel, engine: &Polygons) -> Subject<2> {
    let bodies = 0..engine.masses().len() as u32;
    let alone =
        polygons.walls.is_empty() && !polygons.sides.contains(&true) && polygons.gravity == Vector::ZERO;
    let [left, right, bottom, top] = polygons.sides;
    Subject {
        hardness: Hardness::Soft,
        outlines: bodies.map(|body| engine.outline_of(body).clone()).collect(),
        walls: [[left, right], [bottom, top]],
        isolated: std::array::from_fn(|k| alone && model.periodic[k]),
        mass: engine.masses().iter().sum(),
        imbalance: Some(ERROR_OF_INTEGRATION),
        ..Subject::of(model)
    }
}

/// What the books may leave unexplained, over what was turned over: the error of the integration.
const ERROR_OF_INTEGRATION: f64 = 0.01;

/// What a step does for a body. \[ns, roughly\]
const WORK_PER_BODY: f64 = 500.0;

/// A run that failed.
fn fault_of_run(fault: RunFault, out: Option<&Path>) -> RunError {
    let kept = |reason| RunError::PolygonFault { reason, out: out.map(Path::to_owned) };
    match fault {
        RunFault::Observer(source) => observer_failed(source, out, |source| kept(RunFault::Observer(source))),
        fault => kept(fault),
    }
}

/// How contacts are searched for, in words.
const SEARCH: &str = "sweep: boxes sorted along both axes from step to step, closest features of pairs";

/// What a run took, by name.
fn figures(engine: &Polygons, elapsed: Duration) -> [Figure; 11] {
    let tally = engine.tally();
    [
        ("wall time (s)", elapsed.as_secs_f64()),
        ("overlapping pairs, all steps", tally.contact_steps as f64),
        ("closest features, calls", tally.features.calls as f64),
        ("closest features, steps", tally.features.steps as f64),
        ("closest features, full searches", tally.features.full_searches as f64),
        ("closest features, changes", tally.features.changes as f64),
        ("pairs not looked at", tally.skipped as f64),
        ("exchanges along x", tally.exchanges[0] as f64),
        ("exchanges along y", tally.exchanges[1] as f64),
        ("boxes sorted anew", tally.resorted as f64),
        ("pairs of boxes at the end", tally.candidates as f64),
    ]
}

/// What the file of a run says about itself.
fn header(model: &Model, engine: &Polygons, shapes: Shapes) -> Header {
    let figures = figures(engine, Duration::ZERO).map(|(name, _)| name);
    let common = header_of(model, engine.masses().len(), SEARCH.to_owned(), figures);
    Header { outlines: Some(shapes), ..common }
}
