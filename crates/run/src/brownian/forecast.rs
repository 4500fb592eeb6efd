//! What a run of spheres in Brownian motion will be like, before it is made.

use jostle_core::engine::Engine;
use jostle_core::output::LogLevel;
use jostle_core::rules::ContactRule;
use jostle_model::together::reacting_pair;
use jostle_model::{BrownianModel, Model, Placement, measure};

use super::engine;
use crate::error::RunError;
use crate::forecast::{Forecast, kinds};
use crate::header::population;
use crate::memory;
use crate::odds::pairs;
use crate::outlook::{Outlook, outlook};
use crate::trial::{Pace, try_out};

impl Pace {
    /// What so many steps take, where the trial had `first` particles. \[s\]
    fn run_time(self, steps: f64, first: f64, outlook: &Outlook) -> f64 {
        let each = match first < PARTICLES_TO_TELL {
            true => (self.step / PARTICLES_TO_TELL).max(PARTICLE_TIME),
            false => self.step / first,
        };
        // Not all of a step is work for its particles.
        let least = 0.1 * self.step;
        steps
            * outlook.mean(|now| {
                let bound = (2.0 * now.bonds / now.particles.max(1.0)).min(1.0);
                (self.step + each * (now.particles - first)).max(least) * (1.0 + BOUND * bound)
            })
    }
}

/// Bytes per contact in the log.
const BYTES_PER_CONTACT: f64 = 41.0;
/// Bytes of a file without a frame.
const EMPTY_FILE: f64 = 0.3e6;
/// What a particle takes in a frame that is compressed, with coordinates in single precision: as
/// measured over `models/`, where it is 10 to 14. \[bytes\]
const PACKED_PARTICLE: f64 = 11.0;
/// What a compressed frame takes besides where particles react and bind, which spreads them over
/// slots. \[bytes\]
const PACKED_REST: f64 = 3000.0;
/// The same where there are hardly any particles. \[bytes\]
const PACKED_LEAST: f64 = 500.0;
/// What each number that says how a particle is turned takes in a frame, compressed and as it is.
/// \[bytes\]
const PACKED_TURN: f64 = 3.5;
const TURN: f64 = 4.0;
/// Bytes per bond and frame.
const BYTES_PER_BOND: f64 = 8.0;
/// What a row of `/series/counts` takes if it is compressed: for itself, and for each species. As
/// measured where counts seldom change from row to row: where they often do, the changes take far
/// more than the rows. \[bytes\]
const PACKED_ROW: f64 = 0.9;
const PACKED_COUNT: f64 = 0.12;
/// Bytes per change of the population, with those that it concerns.
const BYTES_PER_CHANGE: f64 = 200.0;
/// What it takes to settle and to write a change. \[s\]
const CHANGE_TIME: f64 = 4e-6;
/// How fast frames are written. \[bytes/s\]
const WRITTEN_PER_SECOND: f64 = 4e8;
/// What a step takes for each particle at least where the trial had too few to tell, and how many
/// are enough. \[s\]
const PARTICLE_TIME: f64 = 1e-7;
const PARTICLES_TO_TELL: f64 = 50.0;
/// How much more work a step has where all are bound to others, and move and turn as one, than
/// where none is.
const BOUND: f64 = 4.0;
/// The most steps of a trial: enough to pick a search structure and a number of threads.
const TRIAL_STEPS: u64 = 400;

pub(crate) fn forecast(model: &Model, brownian: &BrownianModel) -> Result<Forecast, RunError> {
    let before = memory::peak();
    let Trial {
        search,
        pace,
        threads,
        particles: first,
        wall_contacts_per_step,
        edges_per_particle,
    } = match model.space.dimension {
        1 => trial::<1>(model),
        2 => trial::<2>(model),
        _ => trial::<3>(model),
    }?;
    // Nothing is taken off for the trial itself: a run on several threads, each with buffers of its own,
    // has been seen to take 10 MB more than the trial.
    let tried = memory::peak() - before;
    let count = counts(model);
    let per_particle = memory::per_particle(model, brownian.search.kind);
    let outlook = outlook(model, &count, memory::room().unwrap_or(f64::INFINITY) / per_particle);
    let contacts_per_step = contacts_per_step(model, &count);
    let coordinate = coordinate(model);
    // Three coordinates, three image counts, identity, cluster, and what coalesced particles hold.
    // Where no particle goes through a periodic face, image counts take no room.
    let images =
        if model.space.periodic[..model.space.dimension].contains(&true) { 12.0 } else { 0.0 };
    let raw = 3.0 * coordinate + images + 8.0 + 8.0 + 4.0;
    let packed = model.output.compress;
    // Of the four numbers of a quaternion two are zero in a plane, and pack to nothing.
    let turned = model.species.iter().any(|species| species.sites.are_directed());
    let turn = match (turned, packed, model.space.dimension) {
        (false, ..) => 0.0,
        (true, true, 2) => 2.0 * PACKED_TURN,
        (true, true, _) => 4.0 * PACKED_TURN,
        (true, false, _) => 4.0 * TURN,
    };
    let particle = if packed { PACKED_PARTICLE + 3.0 * (coordinate - 4.0) } else { raw } + turn;
    let most = if packed && !model.rules().is_empty() { PACKED_REST } else { 0.0 };
    let frame = outlook.mean(|now| {
        let bonds = now.bonds.max(bonds(model) * now.particles);
        // Few particles have no more to spread than they take as they are.
        let rest = most.min(PACKED_LEAST + raw * now.slots);
        rest + now.slots * particle * (1.0 + growth(model)) + bonds * BYTES_PER_BOND
    });
    let changes = outlook.events.iter().sum::<f64>();
    // Of a run that memory ends, the part until then.
    let steps = (outlook.until() / model.run.timestep).min(model.run.steps as f64);
    let frames_size = EMPTY_FILE
        + (steps / model.output.frame_every as f64 + 1.0) * frame
        + changes * BYTES_PER_CHANGE
        + steps * counts_per_step(model);
    let with_walls = if model.output.log_walls { wall_contacts_per_step } else { 0.0 };
    let contacts_size =
        (contacts_per_step + with_walls) * model.run.steps as f64 * BYTES_PER_CONTACT;
    let logged = if model.output.log == LogLevel::All { contacts_size } else { 0.0 };
    Ok(Forecast {
        particles: kinds(
            model,
            model.placement.iter().flat_map(|placement| {
                let radius = model.species[placement.species as usize].radius.unwrap_or(f64::NAN);
                std::iter::repeat_n((placement.species, radius, 0.0), placement.count())
            }),
        ),
        packing_fraction: measure::packing_fraction(model),
        pairs: pairs(model),
        search,
        pace,
        threads,
        contacts_per_step,
        wall_contacts_per_step,
        edges_per_particle,
        memory: memory_of(model, per_particle, outlook.most(), tried) + memory::cached(logged),
        run_time: pace.map(|pace| {
            pace.run_time(steps, first, &outlook)
                + frames_size / WRITTEN_PER_SECOND
                + changes * CHANGE_TIME
        }),
        outlook,
        file: Some([frames_size, contacts_size]),
    })
}

/// What the rows of `/series/counts` take for each step. \[bytes\]
fn counts_per_step(model: &Model) -> f64 {
    let species = model.species.len() as f64;
    // Without compression a row is its step, its time and the counts.
    let row = match model.output.compress {
        true => PACKED_ROW + PACKED_COUNT * species,
        false => 8.0 * (2.0 + species),
    };
    model.output.counts_every.map_or(0.0, |every| row / every as f64)
}

/// Of a coordinate in a frame. \[bytes\]
fn coordinate(model: &Model) -> f64 {
    if model.output.single_precision { 4.0 } else { 8.0 }
}

/// What so many particles of `per_particle` each and a frame take at most, without a log; the
/// first steps have taken `tried`, which is more than usual where particles get far in a step.
/// \[bytes\]
fn memory_of(model: &Model, per_particle: f64, particles: f64, tried: f64) -> f64 {
    let coordinate = coordinate(model);
    let particles = particles * (1.0 + growth(model));
    let image =
        if model.space.periodic[..model.space.dimension].contains(&true) { 12.0 } else { 0.0 };
    let merges = |rule: &ContactRule| rule.action.effect().merges;
    let coalesced = if model.rules().contact.iter().any(merges) { 4.0 } else { 0.0 };
    let row = 3.0 * coordinate + 8.0 + 8.0 + image + coalesced + bonds(model) * BYTES_PER_BOND;
    memory::PROGRAM + (per_particle * particles).max(tried) + memory::under_way(row * particles)
}

/// How many more slots frames may have than there are species and particles, as a share: products
/// of many sizes take slots of their own.
fn growth(model: &Model) -> f64 {
    if model.species.iter().any(|species| species.radius.is_none()) { 0.25 } else { 0.0 }
}

/// Bonds per particle to expect in a frame, where particles form them.
fn bonds(model: &Model) -> f64 {
    let bonds = |rule: &ContactRule| rule.action.effect().makes_bond;
    if model.rules().contact.iter().any(bonds) { 0.5 } else { 0.0 }
}

/// Particles of each species at the start.
fn counts(model: &Model) -> Vec<usize> {
    let mut counts = vec![0; model.species.len()];
    for placement in &model.placement {
        counts[placement.species as usize] += Placement::count(placement);
    }
    counts
}

/// What the first steps show.
struct Trial {
    /// The search structure as it describes itself then.
    search: String,
    pace: Option<Pace>,
    threads: Vec<(usize, f64)>,
    /// How many particles there are after them.
    particles: f64,
    wall_contacts_per_step: f64,
    edges_per_particle: f64,
}

/// Does the first steps.
fn trial<const D: usize>(model: &Model) -> Result<Trial, RunError> {
    let mut engine = engine::<D>(model)?;
    let tried = try_out(model, &mut engine, model.run.steps.min(TRIAL_STEPS))?;
    let pace = Pace::settled(&tried);
    let steps = pace.map_or(1.0, |pace| pace.steps);
    let particles = population(model, engine.particles()).iter().sum::<usize>() as f64;
    // Each edge is one of two particles.
    let edges = 2.0 * engine.tally().edges as f64;
    Ok(Trial {
        search: engine.search_in_words(),
        pace,
        threads: tried.threads,
        particles,
        edges_per_particle: edges / (particles.max(1.0) * steps),
        wall_contacts_per_step: engine.tally().wall_contacts as f64 / steps,
    })
}

/// N_i N_j / V times the contact volume and the contact value, over all pairs of species. The
/// contact value is that of equal spheres at the same packing fraction, and V the room of those of
/// the two that have more.
fn contacts_per_step(model: &Model, count: &[usize]) -> f64 {
    let crowding = measure::crowding(model);
    let meeting = measure::meeting(model);
    let mut sum = 0.0;
    let there: Vec<u16> =
        (0..model.species.len() as u16).filter(|&s| count[s as usize] > 0).collect();
    let pairs =
        there.iter().enumerate().flat_map(|(n, &a)| there[n..].iter().map(move |&b| (a, b)));
    for (a, b) in pairs {
        let Some((host, pair)) =
            measure::host(model, &meeting, a, b).zip(reacting_pair(model, a, b))
        else {
            continue;
        };
        let packing = crowding[host as usize];
        let contact_value = match model.dimension_of([a, b]) {
            3 => jostle_core::theory::contact_value_3d(packing),
            2 => jostle_core::theory::contact_value_2d(packing),
            _ => 1.0 / (1.0 - packing),
        };
        let [first, second] = [a, b].map(|s| count[s as usize] as f64);
        let pairs = if a == b { first * (first - 1.0).max(0.0) / 2.0 } else { first * second };
        sum += pairs / measure::room_of(model, host)
            * pair.contact_volume(model.run.timestep)
            * contact_value;
    }
    sum
}
