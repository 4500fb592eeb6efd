//! Runs a system with the engine, and gathers what the reference speaks of.

use std::collections::BTreeMap;

use super::super::super::CheckError;
use super::reference::Reference;
use super::system::{Configuration, Macrostate, Sphere, System};
use jostle_brownian::Brownian;
use jostle_core::observe::NoObserver;
use jostle_model::Model;
use jostle_run::engine;

/// How long a run is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Length {
    /// How often particles should bind, fall apart or change their state in all.
    pub(super) turns: usize,
    /// The most steps.
    pub(super) most: usize,
}

/// What was measured at one time step.
#[derive(Clone, Debug)]
pub(super) struct MeasuredRun {
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
) -> Result<MeasuredRun, CheckError> {
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
) -> Result<MeasuredRun, CheckError> {
    let mut engine = engine::<D>(model)?;
    let mut look = |looks: usize| look(&mut engine, system, reference, model, looks);
    let seen = look(TRIAL)?.turns.max(1) as f64 / TRIAL as f64;
    let looks = (length.turns as f64 / seen) as usize;
    let looks = looks.clamp(TRIAL, length.most / EVERY) / BLOCKS;
    let mut measured = MeasuredRun { blocks: Vec::new(), changes: vec![0; reference.means.len()] };
    for _ in 0..BLOCKS {
        let Seen { means, changes, .. } = look(looks)?;
        measured.blocks.push(means);
        measured.changes.iter_mut().zip(changes).for_each(|(all, new)| *all += new);
    }
    Ok(measured)
}

/// What was seen in a stretch of a run.
#[derive(Clone, Debug)]
struct Seen {
    means: Vec<f64>,
    /// How often each number changed from one look to the next.
    changes: Vec<usize>,
    /// How often there were other particles, or other links between them.
    turns: usize,
}

fn look<const D: usize>(
    engine: &mut Brownian<D>,
    system: &System,
    reference: &Reference,
    model: &Model,
    looks: usize,
) -> Result<Seen, CheckError> {
    let zeros = vec![0.0; reference.means.len()];
    let mut seen = Seen { changes: vec![0; zeros.len()], means: zeros, turns: 0 };
    let mut last: Option<(Vec<f64>, Macrostate)> = None;
    for _ in 0..looks {
        for _ in 0..EVERY {
            engine.step(&mut NoObserver)?;
        }
        let configuration = configuration(engine, system, model)?;
        let macrostate = system.macrostate(&configuration);
        let row = reference.observe(system, &configuration, &macrostate);
        seen.means.iter_mut().zip(&row).for_each(|(mean, now)| *mean += now / looks as f64);
        if let Some((before, state)) = &last {
            let pairs = seen.changes.iter_mut().zip(before.iter().zip(&row));
            pairs.for_each(|(changes, (before, now))| *changes += usize::from(before != now));
            seen.turns += usize::from(!are_alike(state, &macrostate));
        }
        last = Some((row, macrostate));
    }
    Ok(seen)
}

/// Whether two macrostates differ in nothing but the sides on which particles are.
fn are_alike(a: &Macrostate, b: &Macrostate) -> bool {
    let sorts = |state: &Macrostate| {
        let groups =
            state.iter().map(|(members, mark)| (members.clone(), *mark && members.len() > 1));
        groups.collect::<Macrostate>()
    };
    a == b || sorts(a) == sorts(b)
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
