//! What a granular run will be like, before it is made.

use super::granular_engine;
use crate::error::RunError;
use crate::forecast::{Forecast, kinds};
use crate::memory;
use crate::trial::{Pace, try_out};
use jostle_model::granular::GranularModel;
use jostle_model::{Model, measure};

pub(crate) fn forecast<const D: usize>(
    model: &Model,
    granular: &GranularModel,
) -> Result<Forecast, RunError> {
    let mut engine = granular_engine::<D>(model, granular)?;
    let particles = engine.view().particles;
    let ball = |i: usize| {
        let (species, radius) = (particles.species[i], particles.radius[i]);
        (species, radius, granular.balls[species as usize].mass_of(radius))
    };
    let filled: f64 = particles.radius.iter().map(|&r| jostle_core::space::ball_volume(D, r)).sum();
    let (balls, kinds) = (particles.len() as f64, kinds(model, (0..particles.len()).map(ball)));
    let search = engine.search().describe();
    let memory = memory::PROGRAM
        + engine.bytes() as f64
        + memory::per_flight::<D>() * balls
        + memory::flown(model, balls);
    let tried = try_out(model, &mut engine, model.run.steps)?;
    let (tally, pace) =
        (engine.tally(), Pace::mean(&tried.times, engine.now() / model.run.timestep));
    let each = |count: u64| pace.map_or(0.0, |pace| count as f64 / pace.steps);
    Ok(Forecast {
        particles: kinds,
        packing_fraction: filled / measure::volume(model),
        contacts_per_step: each(tally.collisions),
        wall_contacts_per_step: each(tally.wall_collisions),
        search,
        memory,
        run_time: pace.map(|pace| pace.step * model.run.steps as f64),
        pace,
        ..Forecast::default()
    })
}
