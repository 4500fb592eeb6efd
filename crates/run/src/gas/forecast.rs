//! What a run of a disk gas will be like, before it is made: for `jostle check`.

use std::time::Instant;

use super::{GasEngine, gas_engine};
use crate::RunError;
use crate::memory::{self, Crowd};
use jostle_core::observe::Nobody;
use jostle_model::gas::GasModel;
use jostle_model::{Model, Placement, measure};

/// What a run of a disk gas will be like.
#[derive(Clone, Debug)]
pub struct GasForecast {
    /// Species, how many disks, and the height over which their density falls by e. \[nm\]
    pub disks: Vec<(String, usize, Option<f64>)>,
    /// The share of the box that disks fill.
    pub packing_fraction: f64,
    /// How far a disk gets in a step at a typical speed, over the smallest diameter.
    pub travel: f64,
    /// How often a disk meets another if all are spread evenly, by Enskog, where there is one species
    /// with a temperature. \[1/µs\]
    pub collision_rate: Option<f64>,
    /// How contacts are searched for.
    pub search: String,
    /// Bytes of memory.
    pub memory: f64,
    /// How many steps were tried, and the wall time \[s\] and collisions of one.
    pub pace: Option<(u64, f64, f64)>,
}

/// What the trial may take. \[s\]
const TRIAL: f64 = 1.0;

/// Sets a disk gas up, tries its first steps for a second or so, and tells what the run will be like.
///
/// # Errors
/// If the model cannot be set up, or one of its first steps fails.
pub fn gas_forecast(model: &Model, gas: &GasModel) -> Result<GasForecast, RunError> {
    let mut engine = gas_engine(model, gas)?;
    let begun = Instant::now();
    while engine.clock().step < model.steps && begun.elapsed().as_secs_f64() < TRIAL {
        let done = engine.step(&mut Nobody);
        done.map_err(|fault| RunError::Gas { reason: fault.to_string(), out: None })?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let count = |species: u16| {
        let own = model.placement.iter().filter(|placement| placement.species == species);
        own.map(Placement::count).sum()
    };
    let named = (0..).zip(&model.species);
    let smallest = 2.0 * measure::smallest_radius(model).unwrap_or(f64::INFINITY);
    Ok(GasForecast {
        disks: named.map(|(s, one)| (one.name.clone(), count(s), gas.scale_height(s))).collect(),
        packing_fraction: measure::packing_fraction(model),
        travel: gas.typical_speed(model) * model.timestep / smallest,
        collision_rate: enskog(model, gas),
        search: engine.search_in_words(),
        memory: memory_of(model, &engine),
        pace: pace(&engine, seconds),
    })
}

/// What a run takes at most. \[bytes\]
fn memory_of(model: &Model, engine: &GasEngine) -> f64 {
    let disks: usize = model.placement.iter().map(Placement::count).sum();
    let each = match engine {
        GasEngine::Exact(_) => Crowd::of(model).per_body(2) * disks as f64,
        GasEngine::AfterMove(_) => memory::PER_DISK * disks as f64,
        GasEngine::Events(engine) => engine.bytes() as f64 + memory::PER_FLIGHT * disks as f64,
    };
    memory::PROGRAM + each + memory::flown(model, disks as f64)
}

fn pace(engine: &GasEngine, seconds: f64) -> Option<(u64, f64, f64)> {
    let steps = engine.clock().step;
    let each = |all: f64| all / steps as f64;
    (steps > 0).then(|| (steps, each(seconds), each(engine.collisions()[0] as f64)))
}

/// The rate at which a disk meets another in a uniform gas of one species (Enskog): the ideal one times
/// the contact value. \[1/µs\]
fn enskog(model: &Model, gas: &GasModel) -> Option<f64> {
    let ([_], Some(variance)) = (model.species.as_slice(), gas.variance(0)) else {
        return None;
    };
    let count: usize = model.placement.iter().map(Placement::count).sum();
    let density = count as f64 / measure::volume(model);
    let sigma = 2.0 * measure::largest_radius(model)?;
    // The mean relative speed is sqrt(2) times the mean speed, sqrt(pi kT / 2 m).
    let relative = (std::f64::consts::PI * variance).sqrt();
    let packing = measure::packing_fraction(model);
    Some(2.0 * sigma * density * relative * jostle_core::theory::contact_value_2d(packing))
}
