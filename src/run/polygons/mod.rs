//! Runs models of convex polygons.

mod account;
mod forecast;
mod shapes;

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::self_check::{Hardness, SelfCheck, Subject, Watch};
use super::summary::{Course, population_of};
use super::tape::{Tape, observer_failed};
use super::{Ending, Options, RunError, Summary, domain, header_of};
use crate::model::Model;
use crate::model::placement::place_polygons;
use crate::model::polygons::{Cast, PolygonModel};
use crate::polygons::{Polygons, RunFault, Setup};
use crate::record::{Header, Shapes};
use crate::space::Vector;

use shapes::shapes;

pub use account::PolygonAccount;
pub use forecast::{PolygonForecast, PolygonKind, polygon_forecast};

/// The engine of a polygon model, at step 0, and what its bodies and walls look like.
///
/// # Errors
/// If bodies cannot be placed or the engine cannot start so.
pub fn polygon_engine(model: &Model, polygons: &PolygonModel) -> Result<(Polygons, Shapes), RunError> {
    let cast = place_polygons(model, polygons)?;
    let shapes = shapes(&cast);
    let Cast { outlines, solids, walls, .. } = cast;
    let setup = Setup {
        domain: domain(model),
        outlines,
        solids,
        walls,
        law: polygons.law,
        gravity: polygons.gravity,
        timestep: model.timestep,
    };
    Ok((Polygons::new(setup)?, shapes))
}

/// Runs a polygon model to its end, or until it is told to stop, on the present pool of threads.
pub(super) fn run(model: &Model, polygons: &PolygonModel, options: Options<'_>) -> Result<Summary, RunError> {
    let started = Instant::now();
    let (mut engine, shapes) = polygon_engine(model, polygons)?;
    let placed = started.elapsed();
    log::info!("{} polygons placed in {:.3} s", engine.masses().len(), placed.as_secs_f64());
    let mut tape = Tape::<2>::new(&options, &header(model, &engine, shapes))?;
    let first = population_of(model, engine.view().particles);
    let books = engine.books();
    let begun = Instant::now();
    let check = options.self_check.then(|| SelfCheck::new(subject(model, polygons, &engine)));
    let mut watch = Watch { check, next: tape.observer() };
    let done = advance(&mut engine, model, &mut watch, options).and_then(|ending| {
        watch.finish(&engine.view()).map(|()| ending).map_err(|fault| RunFault::Observer(fault.into()))
    });
    let checked = watch.account();
    let elapsed = [placed, begun.elapsed()];
    let figures = figures(&engine, elapsed[1]).map(|(_, value)| value);
    let (ending, written) = tape.close(done, &figures, engine.clock(), fault_of_run)?;
    let course = Course { ending, first, deeds: Vec::new(), elapsed, written, checked };
    let account = PolygonAccount::of(&mut engine, &books);
    Ok(Summary::of_polygons(model, engine.clock(), SEARCH, account, course))
}

/// Steps until all are done or `stop` is set, and shows the steps that become frames.
fn advance(
    engine: &mut Polygons,
    model: &Model,
    watch: &mut Watch<'_, 2>,
    options: Options<'_>,
) -> Result<Ending, RunFault> {
    let bodies = engine.masses().len() as f64;
    engine.show(watch)?;
    while engine.clock().step < model.steps {
        if options.stop.load(Ordering::Relaxed) {
            return Ok(Ending::Interrupted);
        }
        engine.step()?;
        if engine.clock().step.is_multiple_of(model.output.frame_every) {
            engine.show(watch)?;
        }
        watch.worked(bodies * WORK_PER_BODY);
        if watch.is_due() {
            watch.look(&engine.view()).map_err(|fault| RunFault::Observer(fault.into()))?;
        }
        (options.progress)(engine.clock());
    }
    Ok(Ending::Finished)
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
fn figures(engine: &Polygons, elapsed: Duration) -> [(&'static str, f64); 11] {
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
