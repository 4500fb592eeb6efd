//! What a run of a disk gas will be like, before it is made: for `jostle check`.

use super::{AfterMove, Events, Exact};
use crate::RunError;
use crate::drive::Runnable;
use crate::memory::{self, Crowd};
use crate::trial::try_out;
use jostle_core::engine::Engine;
use jostle_model::gas::{Contact, GasModel};
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
    /// How often a disk meets another if all are spread evenly, by Enskog, where there is one
    /// species with a temperature. \[1/µs\]
    pub collision_rate: Option<f64>,
    /// How contacts are searched for.
    pub search: String,
    /// Bytes of memory.
    pub memory: f64,
    /// How many steps were tried, and the wall time \[s\] and collisions of one.
    pub pace: Option<(u64, f64, f64)>,
}

/// Sets a disk gas up, tries its first steps for a second or so, and tells what the run will be
/// like.
///
/// # Errors
/// If the model cannot be set up, or one of its first steps fails.
pub fn gas_forecast(model: &Model, gas: &GasModel) -> Result<GasForecast, RunError> {
    match gas.contact {
        Contact::Exact => {
            forecast(model, gas, &Exact(gas), |_| Crowd::of(model, gas.search.kind).per_particle(2))
        }
        Contact::AfterMove => forecast(model, gas, &AfterMove(gas), |_| memory::PER_DISK),
        Contact::Events => forecast(model, gas, &Events(gas), |engine| {
            engine.bytes() as f64 / count(model).max(1) as f64 + memory::PER_FLIGHT
        }),
    }
}

/// Where a disk takes so much memory.
fn forecast<R: Runnable<2>>(
    model: &Model,
    gas: &GasModel,
    part: &R,
    per_disk: impl Fn(&R::Engine) -> f64,
) -> Result<GasForecast, RunError> {
    let mut engine = part.start(model)?;
    let seconds: f64 = try_out(&mut engine, model.run.steps)?.iter().sum();
    let steps = engine.clock().step;
    let each = |all: f64| all / steps as f64;
    let collisions = R::figures(&engine).first().map_or(0.0, |(_, count)| *count);
    let count_of = |species: u16| {
        let own = model.placement.iter().filter(|placement| placement.species == species);
        own.map(Placement::count).sum()
    };
    let named = (0..).zip(&model.species);
    let smallest = 2.0 * measure::smallest_radius(model).unwrap_or(f64::INFINITY);
    let disks = count(model) as f64;
    Ok(GasForecast {
        disks: named.map(|(s, one)| (one.name.clone(), count_of(s), gas.scale_height(s))).collect(),
        packing_fraction: measure::packing_fraction(model),
        travel: gas.typical_speed(model) * model.run.timestep / smallest,
        collision_rate: enskog(model, gas),
        search: engine.search_in_words(),
        memory: memory::PROGRAM + per_disk(&engine) * disks + memory::flown(model, disks),
        pace: (steps > 0).then(|| (steps, each(seconds), each(collisions))),
    })
}

fn count(model: &Model) -> usize {
    model.placement.iter().map(Placement::count).sum()
}

/// The rate at which a disk meets another in a uniform gas of one species (Enskog): the ideal one
/// times the contact value. \[1/µs\]
fn enskog(model: &Model, gas: &GasModel) -> Option<f64> {
    let ([_], Some(variance)) = (model.species.as_slice(), gas.variance(0)) else {
        return None;
    };
    let density = count(model) as f64 / measure::volume(model);
    let sigma = 2.0 * measure::largest_radius(model)?;
    // The mean relative speed is sqrt(2) times the mean speed, sqrt(pi kT / 2 m).
    let relative = (std::f64::consts::PI * variance).sqrt();
    let packing = measure::packing_fraction(model);
    Some(2.0 * sigma * density * relative * jostle_core::theory::contact_value_2d(packing))
}
