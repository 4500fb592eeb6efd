//! What a granular run will be like, before it is made: for `jostle check`.

use std::f64::consts::PI;

use super::{collisions, granular_engine};
use crate::trial::try_out;
use crate::{RunError, memory};
use jostle_events::granular::restitution::Pair;
use jostle_model::granular::{GranularModel, Motion};
use jostle_model::{Model, measure};

/// What a granular run will be like.
#[derive(Clone, Debug)]
pub struct GranularForecast {
    /// What balls of each species are like.
    pub kinds: Vec<Kind>,
    /// The share of the container (its area in 2D) that balls fill.
    pub packing_fraction: f64,
    /// The typical speed that impacts are told for: that of the balls at the start, of the walls,
    /// or of a fall through half the container, whichever is greatest. \[nm/µs\]
    pub speed: f64,
    /// Peak acceleration of the shaking over gravity; none without both.
    pub gamma: Option<f64>,
    /// Peak speed of the walls. \[nm/µs\]
    pub wall_speed: f64,
    /// How often a ball meets another at first, by Enskog, where balls fly about at the start.
    /// \[1/µs\]
    pub collision_rate: Option<f64>,
    /// The search structure.
    pub search: String,
    /// Bytes of memory that the engine takes.
    pub memory: f64,
    /// How many output intervals were tried, and the wall time \[s\] and collisions of one.
    pub pace: Option<(f64, f64, f64)>,
}

/// Balls of one species.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// The species.
    pub name: String,
    /// How many.
    pub count: usize,
    /// The least and the largest radius that was drawn. \[nm\]
    pub radius: [f64; 2],
    /// Of all together. \[kg\]
    pub mass: f64,
    /// The coefficient of restitution of two like balls of the mean radius at the typical speed.
    pub restitution: f64,
    /// How long such a contact lasts. \[µs\]
    pub contact_time: f64,
    /// Above this speed such balls yield, and elastic contact is no longer what happens. \[nm/µs\]
    pub yield_speed: f64,
}

/// Sets a granular model up, tries its first output intervals for a second or so, and tells what
/// the run will be like.
///
/// # Errors
/// If the model cannot be set up, or one of its first output intervals fails.
pub fn granular_forecast(
    model: &Model,
    granular: &GranularModel,
) -> Result<GranularForecast, RunError> {
    match model.space.dimension {
        1 => forecast_in::<1>(model, granular),
        2 => forecast_in::<2>(model, granular),
        _ => forecast_in::<3>(model, granular),
    }
}

fn forecast_in<const D: usize>(
    model: &Model,
    granular: &GranularModel,
) -> Result<GranularForecast, RunError> {
    let mut engine = granular_engine::<D>(model, granular)?;
    let speed = typical_speed(model, granular);
    let particles = engine.view().particles;
    let law = collisions(granular);
    let kind = |s: usize| {
        let balls = &granular.balls[s];
        let own = || (0..particles.len()).filter(|&i| particles.species[i] as usize == s);
        let radii = || own().map(|i| particles.radius[i]);
        let radius = balls.mean_radius();
        let pair = Pair::balls([radius; 2], [balls.mass_of(radius); 2]);
        Kind {
            name: model.species[s].name.clone(),
            count: own().count(),
            radius: [radii().fold(f64::INFINITY, f64::min), radii().fold(0.0, f64::max)],
            mass: radii().map(|r| balls.mass_of(r)).sum(),
            restitution: law.restitution.of(&law.material, &pair, speed),
            contact_time: law.material.hertz(&pair, speed).duration,
            yield_speed: law.material.yield_speed(&pair),
        }
    };
    let filled: f64 = particles.radius.iter().map(|&r| jostle_core::space::ball_volume(D, r)).sum();
    let packing_fraction = filled / measure::volume(model);
    let strength = granular.gravity.strength();
    let shaking = granular.shaking;
    let mut forecast = GranularForecast {
        kinds: (0..model.species.len()).map(kind).collect(),
        packing_fraction,
        speed,
        gamma: shaking
            .filter(|_| strength > 0.0)
            .map(|shaking| shaking.largest_acceleration() / strength),
        wall_speed: shaking.map_or(0.0, |shaking| shaking.largest_speed()),
        collision_rate: enskog(model, granular, particles.len(), packing_fraction),
        search: engine.search().describe(),
        memory: memory_of(model, particles.len() as f64, engine.bytes() as f64),
        pace: None,
    };
    let times = try_out(&mut engine, model.run.steps)?;
    let tally = engine.tally();
    let output_intervals = engine.now() / model.run.timestep;
    let each = |all: f64| all / output_intervals;
    let met = (tally.collisions + tally.wall_collisions) as f64;
    forecast.pace =
        (output_intervals > 0.0).then(|| (output_intervals, each(times.iter().sum()), each(met)));
    Ok(forecast)
}

/// What a run of so many particles takes at most, of which its engine takes so much. \[bytes\]
fn memory_of(model: &Model, particles: f64, engine: f64) -> f64 {
    let frames = memory::flown(model, particles);
    memory::PROGRAM + engine + memory::PER_FLIGHT * particles + frames
}

fn typical_speed(model: &Model, granular: &GranularModel) -> f64 {
    let start = granular.balls.iter().map(|balls| match balls.motion {
        Motion::Rest => 0.0,
        Motion::Alike(v) => v.iter().map(|v| v * v).sum::<f64>().sqrt(),
        Motion::Maxwell(speed) => speed,
    });
    let walls = granular.shaking.map_or(0.0, |shaking| shaking.largest_speed());
    let gravity = &granular.gravity.acceleration;
    let fall: f64 =
        (0..model.space.dimension).map(|k| gravity[k].abs() * model.space.edges[k]).sum();
    start.fold(walls.max(fall.sqrt()), f64::max)
}

/// How often a ball of a gas of one species meets another (Enskog): the ideal rate times the
/// contact value. \[1/µs\]
fn enskog(model: &Model, granular: &GranularModel, count: usize, packing: f64) -> Option<f64> {
    let [balls] = granular.balls.as_slice() else {
        return None;
    };
    let Motion::Maxwell(speed) = balls.motion else {
        return None;
    };
    let density = count as f64 / measure::volume(model);
    let sigma = 2.0 * balls.mean_radius();
    // The mean relative speed is sqrt(2) times the mean speed.
    let relative = std::f64::consts::SQRT_2 * speed;
    Some(match model.space.dimension {
        3 => {
            PI * sigma * sigma * density * relative * jostle_core::theory::contact_value_3d(packing)
        }
        2 => 2.0 * sigma * density * relative * jostle_core::theory::contact_value_2d(packing),
        _ => density * relative / (1.0 - packing),
    })
}
