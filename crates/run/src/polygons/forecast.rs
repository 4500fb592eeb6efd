//! What a run of polygons will be like, before it is made: for `jostle check`.

use super::polygon_engine;
use crate::trial::{Pace, try_out};
use crate::{RunError, in_pool, memory, threads};
use jostle_core::engine::Engine;
use jostle_core::output::LogLevel;
use jostle_model::polygons::{Cast, PolygonModel, cast};
use jostle_model::{Model, measure};

/// What a run of polygons will be like.
#[derive(Clone, Debug)]
pub struct PolygonForecast {
    /// What bodies of each species are like.
    pub kinds: Vec<PolygonKind>,
    /// How many walls there are, those of the box among them.
    pub walls: usize,
    /// The share of the box that bodies fill.
    pub packing_fraction: f64,
    /// How long the shortest contact lasts. \[µs\]
    pub contact_time: f64,
    /// The search structure.
    pub search: String,
    /// How fast the trial went; none if it had no time for a step.
    pub pace: Option<Pace>,
    /// How many pairs overlapped at the end of the trial.
    pub contacts: u64,
    /// \[bytes\]
    pub memory: f64,
    /// Of everything but contact forces. \[bytes\]
    pub frames_size: f64,
    /// Of contact forces, if they are logged. \[bytes\]
    pub forces_size: f64,
    /// How many frames are written.
    pub frames: u64,
}

/// Bodies of one species.
#[derive(Clone, Debug, PartialEq)]
pub struct PolygonKind {
    /// The species.
    pub name: String,
    /// How many.
    pub count: usize,
    /// The least and the largest number of corners; 0 for disks.
    pub corners: [usize; 2],
    /// The least and the largest reach from the centroid. \[nm\]
    pub reach: [f64; 2],
    /// Of all together. \[kg\]
    pub mass: f64,
}

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

/// Sets a polygon model up, tries its first steps for a second at most, and tells what the run will
/// be like.
///
/// # Errors
/// If the model cannot be set up, or one of its first steps fails.
pub fn polygon_forecast(
    model: &Model,
    polygons: &PolygonModel,
) -> Result<PolygonForecast, RunError> {
    in_pool(threads(model), || forecast(model, polygons))?
}

fn forecast(model: &Model, polygons: &PolygonModel) -> Result<PolygonForecast, RunError> {
    let mut engine = polygon_engine(model, polygons)?;
    let (cast, walls) = (Cast::of_bodies(model, polygons), cast(model, polygons).walls.len());
    let bodies = cast.solids.len() as f64;
    let area: f64 = (0..cast.solids.len()).map(|n| cast.area(n)).sum();
    let corners: usize =
        cast.outlines.iter().filter_map(|o| o.polygon()).map(|p| p.corners().len()).sum();
    let frames = model.run.steps / model.output.frame_every + 1;
    let coordinate = if model.output.single_precision { 4.0 } else { 8.0 };
    // Three coordinates, three image counts, three velocities, identity, cluster, angle, angular
    // velocity.
    let columns = [3.0 * coordinate, 12.0, 3.0 * coordinate, 8.0, 8.0, 8.0, 8.0];
    let body: f64 = columns.iter().sum();
    let wall = 3.0 * coordinate + 9.0;
    let pace = Pace::mean(&try_out(&mut engine, model.run.steps.min(TRIAL_STEPS))?);
    let logs = model.output.log == LogLevel::All;
    let forces =
        if logs { frames as f64 * bodies * CONTACTS_PER_BODY * BYTES_PER_FORCE } else { 0.0 };
    Ok(PolygonForecast {
        kinds: (0..model.species.len()).map(|species| kind(model, &cast, species)).collect(),
        walls,
        packing_fraction: area / measure::volume(model),
        contact_time: polygons.longest_timestep(&model.placement, model.run.seed, 1.0),
        search: engine.search_in_words(),
        pace,
        contacts: engine.tally().contacts,
        memory: memory::PROGRAM
            + MEMORY
            + memory::PER_POLYGON * bodies
            + MEMORY_PER_CORNER * corners as f64
            + memory::cached(
                columns.map(|bytes| bytes * bodies * frames as f64).into_iter().chain([forces]),
            ),
        frames_size: EMPTY_FILE + frames as f64 * (bodies * body + walls as f64 * wall),
        forces_size: forces,
        frames,
    })
}

fn kind(model: &Model, cast: &Cast, species: usize) -> PolygonKind {
    let own = || (0..cast.solids.len()).filter(|&n| cast.solids[n].species as usize == species);
    let corners = |n: usize| {
        let outline = &cast.outlines[cast.solids[n].outline as usize];
        outline.polygon().map_or(0, |polygon| polygon.corners().len())
    };
    PolygonKind {
        name: model.species[species].name.clone(),
        count: own().count(),
        corners: [own().map(corners).min().unwrap_or(0), own().map(corners).max().unwrap_or(0)],
        reach: [
            own().map(|n| cast.reach(n)).fold(f64::INFINITY, f64::min),
            own().map(|n| cast.reach(n)).fold(0.0, f64::max),
        ],
        mass: own().map(|n| cast.mass(n)).sum(),
    }
}
