//! Faults that lie between the sections of a model: what cannot fit, cannot be resolved in time, or
//! contradicts itself. A value that is faulty by itself is NaN here and passes every comparison.

mod adsorption;
mod contacts;
mod debye;
mod frenzy;
mod gas;
mod granular;
mod packing;
mod polygons;
mod potentials;
mod products;
mod rates;
mod sites;
mod sites_of_surfaces;
mod surfaces;
mod templates;
mod tethers;
mod unbinding;

use jostle_core::search::{self, Kind};
use jostle_core::species::Drift;

use super::measure::{longest_step, rms_step};
use super::walker::Reader;
use super::{BrownianModel, EngineModel, Model, measure};

/// Notes everything in `reader`.
pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    match &model.engine {
        EngineModel::Brownian(brownian) => spheres(model, brownian, reader),
        EngineModel::Granular(granular) => granular::check(model, granular, reader),
        EngineModel::Polygons(polygons) => polygons::check(model, polygons, reader),
        EngineModel::Gas(gas) => gas::check(model, gas, reader),
    }
}

/// Of a model of spheres in Brownian motion.
fn spheres(model: &Model, brownian: &BrownianModel, reader: &Reader<'_>) {
    sizes(model, reader);
    numbers(model, reader);
    schedule(model, reader);
    frenzy::check(model, reader);
    products::check(model, reader);
    sites::check(model, reader);
    templates::check(model, reader);
    tethers::check(model, reader);
    contacts::check(model, reader);
    potentials::check(model, reader);
    rates::check(model, reader);
    unbinding::check(model, reader);
    surfaces::check(model, reader);
    adsorption::check(model, reader);
    sites_of_surfaces::check(model, reader);
    timestep(model, reader);
    drift(model, reader);
    packing::check(model, reader);
    cells(model, &brownian.search, reader);
}

/// The most rules: numbers of rules are two bytes, of which the last stands for none, and some are
/// left for what is not in the model file.
pub(super) const MOST_RULES: usize = 65_000;

/// What is said of more rules than that.
pub(super) fn too_many_rules(count: usize) -> String {
    format!(
        "there are {count} rules, counting the schedule, surfaces and what `unbind` is short for; at most {MOST_RULES} are \
         possible (patterns and `cases` make one rule of many)"
    )
}

/// Rules can be numbered.
fn numbers(model: &Model, reader: &Reader<'_>) {
    let count = model.causes().len();
    if count > MOST_RULES {
        reader.fault_at("rule", too_many_rules(count));
    }
}

/// Nothing recurs more than once in a step.
fn schedule(model: &Model, reader: &Reader<'_>) {
    for entry in &model.rules().schedule {
        if let Some(every) = entry.every.filter(|every| *every < model.run.timestep) {
            reader.fault_at(
                &format!("schedule.{}", entry.name),
                format!(
                    "`every` = {every:?} us is less than a time step, {:?} us: use a rule in time for an \
                     event that happens so often",
                    model.run.timestep
                ),
            );
        }
    }
}

/// Between two walls a particle with less than this share of its rms step to spare meets them more often
/// in one step than a particle may.
const LEAST_GAP: f64 = 5e-4;

/// Every edge holds the largest particle, and walls leave it room to move.
fn sizes(model: &Model, reader: &Reader<'_>) {
    let repeats = measure::repeats(model);
    for k in 0..model.space.dimension {
        let edge = model.space.edges[k];
        for (n, species) in model.species.iter().enumerate().filter(|(n, _)| !repeats[*n]) {
            let Some(diameter) = species.radius.map(|radius| 2.0 * radius) else { continue };
            let step = rms_step(species.diffusion_coefficient.unwrap_or(0.0), model.run.timestep);
            let lives_on_one = model.surroundings().anchor(n as u16).is_some();
            let lacks_gap = !model.space.periodic[k]
                && !lives_on_one
                && edge >= diameter
                && edge - diameter < LEAST_GAP * step;
            let axis = ["x", "y", "z"][k];
            let of = format!("the diameter of {}, {diameter:?} nm", species.name);
            let why = if diameter > edge {
                format!("the edge along {axis} is {edge:?} nm, less than {of}")
            } else if lacks_gap {
                format!(
                    "the edge along {axis} is {edge:?} nm, and {of}, leaves no room between the walls: a wider box, a \
                     smaller radius or a space of fewer dimensions is needed"
                )
            } else {
                continue;
            };
            reader.fault_at("space.edges", why);
        }
    }
}

/// Steps are short against what they must resolve.
fn timestep(model: &Model, reader: &Reader<'_>) {
    let edges = &model.space.edges[..model.space.dimension];
    let shortest = edges.iter().copied().fold(f64::INFINITY, f64::min);
    let smallest = measure::smallest_radius(model).unwrap_or(f64::INFINITY);
    let (repeats, exclusive) = (measure::repeats(model), measure::exclusive(model));
    for (n, species) in model.species.iter().enumerate() {
        let Some(diffusion) = species.diffusion_coefficient else {
            continue;
        };
        if repeats[n] {
            continue;
        }
        let step = rms_step(diffusion, model.run.timestep);
        let radius = if exclusive[n] { smallest } else { f64::INFINITY };
        let (limit, what) = if shortest / 10.0 < 10.0 * radius {
            (shortest / 10.0, format!("a tenth of the shortest edge, {shortest:?} nm"))
        } else {
            (10.0 * radius, format!("ten times the smallest radius, {radius:?} nm"))
        };
        if step > limit {
            reader.fault_at(
                "run.timestep",
                format!(
                    "in {:?} us {} moves {step:.4} nm (rms per axis), more than {what}; use at \
                     most {}; {} (rms step 0.1 of the smallest radius) is a good start",
                    model.run.timestep,
                    species.name,
                    measure::time(limit * limit / (2.0 * diffusion)),
                    measure::time((0.1 * smallest.min(shortest)).powi(2) / (2.0 * diffusion)),
                ),
            );
        }
        if let Drift::Well { relaxation, .. } = species.drift
            && model.run.timestep >= relaxation
        {
            reader.fault_of_species(
                &species.name,
                "drift.well.relaxation",
                format!(
                    "the well relaxes in {relaxation:?} us, which is not longer than a time step, {:?} us",
                    model.run.timestep
                ),
            );
        }
    }
}

/// No particle drifts through the box in a step: every image of every other particle on the way
/// would be in its way.
fn drift(model: &Model, reader: &Reader<'_>) {
    for species in &model.species {
        let speed: [f64; 3] = match &species.drift {
            Drift::Constant(velocity) => *velocity,
            Drift::Shear { rate, along, across } => std::array::from_fn(|k| {
                if k == *along { 0.5 * rate * model.space.edges[*across] } else { 0.0 }
            }),
            Drift::Still | Drift::Well { .. } => continue,
        };
        let way = |k: usize| speed[k].abs() * model.run.timestep;
        if let Some(k) = (0..model.space.dimension).find(|&k| way(k) > model.space.edges[k]) {
            reader.fault_of_species(
                &species.name,
                "drift",
                format!(
                    "in {:?} us {} drifts {} nm along {}, farther than the edge of the box, {:?} nm: a shorter \
                     time step is needed",
                    model.run.timestep,
                    species.name,
                    way(k),
                    ["x", "y", "z"][k],
                    model.space.edges[k]
                ),
            );
        }
    }
}

/// The cells that the file asks for are right for most particles in most steps (Result 1).
fn cells(model: &Model, search: &search::Settings, reader: &Reader<'_>) {
    let Some(size) = search.cell_size else {
        return;
    };
    if search.kind == Kind::Levels {
        // The size of the finest cells. A particle that needs wider ones has them.
        return;
    }
    let radius = measure::largest_radius(model).unwrap_or(0.0);
    let step = longest_step(model);
    let least = 2.0 * (radius + step);
    if size < least {
        reader.fault_at(
            "search.cell_size",
            format!(
                "half a cell, {:?} nm, less the largest radius, {radius:?} nm, leaves {:.4} nm, but \
                 the fastest species moves {step:.4} nm (rms) in a step: at least {} nm is needed \
                 (Result 1: no particle can travel farther than half a cell less its radius)",
                size / 2.0,
                size / 2.0 - radius,
                measure::round_up(least)
            ),
        );
    }
}
