//! Runs a system with the engine, and gathers what the reference speaks of.

use std::collections::BTreeMap;

use super::super::super::CheckError;
use super::reference::Reference;
use super::system::{Configuration, Sphere, System};
use jostle_brownian::Brownian;
use jostle_core::observe::NoObserver;
use jostle_model::Model;
use jostle_run::engine;

/// How long a run is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Length {
    /// How often the macrostate should change in all.
    pub(super) changes: usize,
    /// The most steps.
    pub(super) most: usize,
}

/// What was measured at one time step.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    /// The means in blocks of equal length.
    pub(super) blocks: Vec<Vec<f64>>,
    /// How often each number changed.
    pub(super) changes: Vec<usize>,
}

/// Blocks of a run.
pub(super) const BLOCKS: usize = 40;
/// Steps from one look to the next.
const EVERY: usize = 3;
/// Looks of the run that settles the system, and shows how fast it changes.
const TRIAL: usize = 1000;

/// Runs a model of the system.
pub(super) fn measure(
    system: &System,
    reference: &Reference,
    model: &Model,
    length: Length,
) -> Result<Measured, CheckError> {
    match system.space.dimension {
        1 => run::<1>(system, reference, model, length),
        2 => run::<2>(system, reference, model, length),
        _ => run::<3>(system, reference, model, length),
    }
}

fn run<const D: usize>(
    system: &System,
    reference: &Reference,
    model: &Model,
    length: Length,
) -> Result<Measured, CheckError> {
    let mut engine = engine::<D>(model)?;
    let trial = look(&mut engine, system, reference, model, TRIAL)?;
    let (_, changes) = trial;
    // Of two shares, one of which grows where the other shrinks.
    let seen = 0.5 * changes.iter().sum::<usize>() as f64 / TRIAL as f64;
    let looks = (length.changes as f64 / seen) as usize;
    let looks = looks.clamp(TRIAL, length.most / EVERY) / BLOCKS;
    let mut measured = Measured { blocks: Vec::new(), changes: vec![0; reference.means.len()] };
    for _ in 0..BLOCKS {
        let (means, changes) = look(&mut engine, system, reference, model, looks)?;
        measured.blocks.push(means);
        measured.changes.iter_mut().zip(changes).for_each(|(all, new)| *all += new);
    }
    Ok(measured)
}

/// Means over so many looks, and how often each number changed from one to the next.
fn look<const D: usize>(
    engine: &mut Brownian<D>,
    system: &System,
    reference: &Reference,
    model: &Model,
    looks: usize,
) -> Result<(Vec<f64>, Vec<usize>), CheckError> {
    let mut sums = vec![0.0; reference.means.len()];
    let mut changes = vec![0; reference.means.len()];
    let mut last: Vec<f64> = Vec::new();
    for _ in 0..looks {
        for _ in 0..EVERY {
            engine.step(&mut NoObserver)?;
        }
        let row = reference.observe(system, &configuration(engine, system, model)?);
        for (k, now) in row.iter().enumerate() {
            sums[k] += now;
            changes[k] += usize::from(last.get(k).is_some_and(|before| before != now));
        }
        last = row;
    }
    sums.iter_mut().for_each(|sum| *sum /= looks as f64);
    Ok((sums, changes))
}

/// Where the particles of the engine are, and which of them are joined.
fn configuration<const D: usize>(
    engine: &Brownian<D>,
    system: &System,
    model: &Model,
) -> Result<Configuration, CheckError> {
    let particles = engine.particles();
    let mut configuration = Configuration::default();
    let mut numbers = BTreeMap::new();
    for slot in (0..particles.len()).filter(|&slot| particles.alive[slot]) {
        let name = name(model, particles.species[slot], particles.sites[slot]);
        let sort = system.sorts.iter().position(|sort| sort.name == name);
        let sort = sort.ok_or_else(|| format!("there is a {name}, which nothing makes"))?;
        let at = particles.position[slot];
        let place = std::array::from_fn(|k| if k < D { at[k] } else { 0.0 });
        numbers.insert(particles.id[slot], configuration.spheres.len());
        configuration.spheres.push(Sphere { sort, place });
    }
    let links = engine.clusters().bonds().map(|bond| bond.ids.map(|id| numbers[&id]));
    configuration.links = links.collect();
    Ok(configuration)
}

/// What a particle is called, with the state of its site `y` if it has one.
fn name(model: &Model, species: u16, code: u64) -> String {
    let species = &model.species[usize::from(species)];
    let mut states = species.sites.list().iter().zip(0u8..);
    let stateful = states.find(|(site, _)| !site.states.is_empty());
    match stateful {
        Some((site, n)) => {
            let state = &site.states[species.sites.state_of(code, n)];
            format!("{}({}~{state})", species.name, site.name)
        }
        None => species.name.clone(),
    }
}
