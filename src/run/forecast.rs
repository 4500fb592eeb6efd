//! What a run will be like, before it is made: for `jostle check`.

use crate::model::{Model, Placement, measure};
use crate::output::LogLevel;
use crate::rules::rates::ReactingPair;
use crate::rules::{Action, Chance};

use super::{RunError, engine};

/// What one contact rule amounts to at the model's time step.
#[derive(Clone, Debug, PartialEq)]
pub struct PairForecast {
    /// The rule's name.
    pub rule: String,
    /// The names of the two species.
    pub species: [String; 2],
    /// The rms relative step over the contact distance, s/R.
    pub step_over_distance: f64,
    /// The probability at one contact, or why there is none.
    pub probability: Result<f64, String>,
    /// k_d'/k_d of the rules that undo it.
    pub unbinding_correction: Option<f64>,
    /// The longest time step at which a probability can give the rate. \[µs\]
    pub largest_timestep: Option<f64>,
}

/// What a run will be like.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Bodies at the start.
    pub bodies: usize,
    /// The rms step per axis of the fastest species \[nm\], and its name.
    pub step_length: (f64, String),
    /// The smallest radius. \[nm\]
    pub smallest_radius: f64,
    /// The share of the volume (3D), area (2D) or length (1D) that bodies fill.
    pub packing_fraction: f64,
    /// What each rule amounts to.
    pub pairs: Vec<PairForecast>,
    /// The search structure, as it set itself up for the first step.
    pub search: String,
    /// Contacts between bodies to expect in one step, from the contact value of hard spheres.
    pub contacts_per_step: f64,
    /// \[bytes\]
    pub memory: f64,
    /// \[bytes\]
    pub file: f64,
    /// How many frames are written.
    pub frames: u64,
}

/// Bytes per body in memory, as measured at 10^6 bodies with cells.
const MEMORY_PER_BODY: f64 = 250.0;
/// Bytes per contact in the log.
const BYTES_PER_CONTACT: f64 = 40.0;

/// Sets the model up, looks at its first step, and tells what the run will be like.
///
/// # Errors
/// If the model cannot be set up.
pub fn forecast(model: &Model) -> Result<Forecast, RunError> {
    let search = match model.dimension {
        1 => first_search::<1>(model),
        2 => first_search::<2>(model),
        _ => first_search::<3>(model),
    }?;
    let count = counts(model);
    let bodies = count.iter().sum::<usize>();
    let lengths = model
        .species
        .iter()
        .filter_map(|s| Some((measure::rms_step(s.diffusion_coefficient?, model.timestep), s.name.clone())));
    let step_length = lengths.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
    let smallest_radius = measure::smallest_radius(model).unwrap_or(f64::NAN);
    let contacts_per_step = contacts_per_step(model, &count);
    let frames = model.steps / model.output.frame_every + 1;
    let coordinate = if model.output.single_precision { 4.0 } else { 8.0 };
    // Three coordinates, three image counts, identity, cluster, and what coalesced bodies hold.
    let frame = bodies as f64 * (3.0 * coordinate + 12.0 + 8.0 + 8.0 + 8.0);
    let logged = match model.output.log {
        LogLevel::All => contacts_per_step * model.steps as f64 * BYTES_PER_CONTACT,
        LogLevel::Reactions | LogLevel::None => 0.0,
    };
    Ok(Forecast {
        bodies,
        step_length,
        smallest_radius,
        packing_fraction: measure::packing_fraction(model),
        pairs: pairs(model),
        search,
        contacts_per_step,
        memory: 20e6 + MEMORY_PER_BODY * bodies as f64,
        file: frames as f64 * frame + logged,
        frames,
    })
}

/// Bodies of each species at the start.
fn counts(model: &Model) -> Vec<usize> {
    let mut counts = vec![0; model.species.len()];
    for placement in &model.placement {
        counts[placement.species as usize] += Placement::count(placement);
    }
    counts
}

/// How the search structure describes itself once it has seen the first step.
fn first_search<const D: usize>(model: &Model) -> Result<String, RunError> {
    let engine = super::in_pool(model.threads, || engine::<D>(model))??;
    Ok(engine.search().describe())
}

fn pairs(model: &Model) -> Vec<PairForecast> {
    let reactive = model
        .rules
        .contact
        .iter()
        .enumerate()
        .filter(|(_, rule)| matches!(rule.action, Action::Bond | Action::Coalesce { .. }));
    let forecast = reactive.filter_map(|(number, rule)| {
        let [a, b] = rule.species.map(|s| &model.species[s as usize]);
        let distance = a.radius? + b.radius?;
        let diffusion = a.diffusion_coefficient? + b.diffusion_coefficient?;
        let pair = ReactingPair::new(model.dimension, distance, diffusion).ok()?;
        let (probability, correction, largest) = match rule.chance {
            Chance::Probability(p) => (Ok(p), None, None),
            Chance::Intrinsic(k_a) => (
                pair.probability(k_a, model.timestep).map_err(|error| error.to_string()),
                pair.unbinding_correction(k_a, model.timestep).ok(),
                pair.largest_timestep(k_a).ok(),
            ),
        };
        let undone = model.rules.undoing(number as u16).next().is_some();
        Some(PairForecast {
            rule: rule.name.clone(),
            species: [a.name.clone(), b.name.clone()],
            step_over_distance: pair.step_width(model.timestep) / distance,
            probability,
            unbinding_correction: correction.filter(|_| undone),
            largest_timestep: largest,
        })
    });
    forecast.collect()
}

/// N_i N_j / V times the contact volume and the contact value, over all pairs of species. The
/// contact value is that of equal spheres at the same packing fraction.
fn contacts_per_step(model: &Model, count: &[usize]) -> f64 {
    let packing = measure::packing_fraction(model);
    let volume: f64 = model.edges[..model.dimension].iter().product();
    let contact_value = match model.dimension {
        3 => crate::theory::contact_value_3d(packing),
        2 => crate::theory::contact_value_2d(packing),
        _ => 1.0 / (1.0 - packing),
    };
    let mut sum = 0.0;
    for (i, a) in model.species.iter().enumerate() {
        for (j, b) in model.species.iter().enumerate().skip(i) {
            if model.rules.ignore(i as u16, j as u16) {
                continue;
            }
            let sizes = a.radius.zip(b.radius);
            let speeds = a.diffusion_coefficient.zip(b.diffusion_coefficient);
            let (Some((r_a, r_b)), Some((d_a, d_b))) = (sizes, speeds) else { continue };
            let Ok(pair) = ReactingPair::new(model.dimension, r_a + r_b, d_a + d_b) else { continue };
            let pairs = if i == j {
                count[i] as f64 * (count[i] as f64 - 1.0).max(0.0) / 2.0
            } else {
                count[i] as f64 * count[j] as f64
            };
            sum += pairs / volume * pair.contact_volume(model.timestep) * contact_value;
        }
    }
    sum
}
