//! What a run of polygons will be like, before it is made.

use super::polygon_engine;
use crate::error::RunError;
use crate::forecast::{Forecast, kinds};
use crate::memory;
use crate::trial::{Pace, Tried, try_out};
use jostle_core::engine::Engine;
use jostle_core::output::LogLevel;
use jostle_model::polygons::{Cast, PolygonModel, cast};
use jostle_model::{Model, measure};

/// Bytes of memory beside what other engines take, without bodies.
const MEMORY: f64 = 2e6;
/// Bytes per corner of an outline in memory.
const MEMORY_PER_CORNER: f64 = 64.0;
/// Bytes of a file without a frame.
const EMPTY_FILE: f64 = 0.3e6;
/// Bytes of a contact's force in the log.
const BYTES_PER_FORCE: f64 = 49.0;
/// In a settled pile, a body has this many contacts; each is told once.
const CONTACTS_PER_BODY: f64 = 2.0;
/// The most steps of a trial.
const TRIAL_STEPS: u64 = 1000;

pub(crate) fn forecast(model: &Model, polygons: &PolygonModel) -> Result<Forecast, RunError> {
    let mut engine = polygon_engine(model, polygons)?;
    let (cast, walls) = (Cast::of_bodies(model, polygons), cast(model, polygons).walls.len());
    let bodies = cast.solids.len() as f64;
    let area: f64 = (0..cast.solids.len()).map(|n| cast.area(n)).sum();
    let corners: usize =
        cast.outlines.iter().filter_map(|o| o.polygon()).map(|p| p.corners().len()).sum();
    let frames = (model.run.steps / model.output.frame_every + 1) as f64;
    let coordinate = if model.output.single_precision { 4.0 } else { 8.0 };
    // Three coordinates, three image counts, three velocities, identity, cluster, angle, angular
    // velocity.
    let body = 3.0 * coordinate + 12.0 + 3.0 * coordinate + 8.0 + 8.0 + 8.0 + 8.0;
    let wall = 3.0 * coordinate + 9.0;
    let Tried { times, threads } = try_out(model, &mut engine, model.run.steps.min(TRIAL_STEPS))?;
    let pace = Pace::mean(&times, times.len() as f64);
    let logs = model.output.log == LogLevel::All;
    let forces = if logs { frames * bodies * CONTACTS_PER_BODY * BYTES_PER_FORCE } else { 0.0 };
    let one = |n: usize| (cast.solids[n].species, cast.reach(n), cast.mass(n));
    Ok(Forecast {
        particles: kinds(model, (0..cast.solids.len()).map(one)),
        packing_fraction: area / measure::volume(model),
        contacts_per_step: engine.tally().contacts as f64,
        search: engine.search_in_words(),
        memory: memory::PROGRAM
            + MEMORY
            + memory::PER_POLYGON * bodies
            + MEMORY_PER_CORNER * corners as f64
            + memory::under_way(body * bodies)
            + memory::cached(forces),
        file: Some([EMPTY_FILE + frames * (bodies * body + walls as f64 * wall), forces]),
        run_time: pace.map(|pace| pace.step * model.run.steps as f64),
        pace,
        threads,
        ..Forecast::default()
    })
}
