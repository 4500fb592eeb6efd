//! What a run of a disk gas will be like, before it is made.

use super::{AfterMove, Events, Exact, mass};
use crate::error::RunError;
use crate::forecast::{Forecast, kinds};
use crate::memory;
use crate::runnable::Runnable;
use crate::trial::{Pace, try_out};
use jostle_core::engine::Engine;
use jostle_model::gas::{Contact, GasModel};
use jostle_model::{Model, measure};

pub(crate) fn forecast(model: &Model, gas: &GasModel) -> Result<Forecast, RunError> {
    match gas.contact {
        Contact::Exact => {
            of(model, gas, &Exact(gas), |_, _| memory::per_particle(model, gas.search.kind))
        }
        Contact::AfterMove => of(model, gas, &AfterMove(gas), |_, _| memory::per_disk()),
        Contact::Events => of(model, gas, &Events(gas), |engine, disks| {
            engine.bytes() as f64 / disks.max(1.0) + memory::per_flight::<2>()
        }),
    }
}

/// Where each of so many disks takes so much memory.
fn of<R: Runnable<2>>(
    model: &Model,
    gas: &GasModel,
    part: &R,
    per_disk: impl Fn(&R::Engine, f64) -> f64,
) -> Result<Forecast, RunError> {
    let mut engine = part.start(model)?;
    let tried = try_out(model, &mut engine, model.run.steps)?;
    let pace = Pace::mean(&tried.times, engine.clock().step as f64);
    let figures = R::figures(&engine);
    let collisions = |n: usize| pace.map_or(0.0, |pace| figures[n].1 / pace.steps);
    let particles = engine.view().particles;
    let disk =
        |i: usize| (particles.species[i], particles.radius[i], mass(gas, particles.species[i]));
    let (disks, kinds) = (particles.len() as f64, kinds(model, (0..particles.len()).map(disk)));
    Ok(Forecast {
        particles: kinds,
        packing_fraction: measure::packing_fraction(model),
        contacts_per_step: collisions(0),
        wall_contacts_per_step: collisions(1),
        search: engine.search_in_words(),
        memory: memory::PROGRAM + per_disk(&engine, disks) * disks + memory::flown(model, disks),
        run_time: pace.map(|pace| pace.step * model.run.steps as f64),
        pace,
        ..Forecast::default()
    })
}
