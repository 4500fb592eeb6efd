//! What a run will be like, before it is made: for `jostle check`.

use super::odds::PairForecast;
use super::outlook::Outlook;
use super::trial::Pace;
use jostle_model::Model;

/// What a run will be like, as far as its first steps tell: what depends on the model alone, the
/// model and its `measure` tell.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    /// The particles of each species at the start.
    pub particles: Vec<Kind>,
    /// The share of the volume (3D), area (2D) or length (1D) that particles fill.
    pub packing_fraction: f64,
    /// What each reaction at contact amounts to.
    pub pairs: Vec<PairForecast>,
    /// The search structure, as it describes itself.
    pub search: String,
    /// How fast the trial went; none if it had no time for a step.
    pub pace: Option<Pace>,
    /// Numbers of threads that were tried, and the wall time of a step on each \[s\]; empty where
    /// there was no choice, or no time to try.
    pub threads: Vec<(usize, f64)>,
    /// What the run will take on the clock on the wall, as far as the trial can tell. \[s\]
    pub run_time: Option<f64>,
    /// How numbers develop, were everything well mixed; empty where the engine has no reactions.
    pub outlook: Outlook,
    /// Contacts between particles in one step: of spheres in Brownian motion those to expect from
    /// the contact value of hard spheres, else those of the trial, on average; of polygons, which
    /// stay in contact, those at its end.
    pub contacts_per_step: f64,
    /// Contacts with faces of the box and with surfaces in it in one step, counted during the
    /// trial; polygons do not count them apart.
    pub wall_contacts_per_step: f64,
    /// How often a particle comes to an edge of a potential, or to the end of a tether, in one step, counted
    /// during the trial.
    pub edges_per_particle: f64,
    /// \[bytes\]
    pub memory: f64,
    /// How large the file will be: of everything but contacts, and of all contacts or their forces,
    /// if they are logged; with walls, unless the model leaves these out. None for particles in
    /// flight. \[bytes\]
    pub file: Option<[f64; 2]>,
}

/// The particles of one species at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// The species.
    pub name: String,
    /// How many particles of it there are at the start.
    pub count: usize,
    /// The least and the largest radius, or reach from the centroid. \[nm\]
    pub size: [f64; 2],
    /// Of all together; 0 where the engine knows no masses. \[kg\]
    pub mass: f64,
}

/// The kinds of particles with these species, sizes \[nm\] and masses \[kg\].
pub(super) fn kinds(model: &Model, all: impl IntoIterator<Item = (u16, f64, f64)>) -> Vec<Kind> {
    let none = |name: &String| Kind {
        name: name.clone(),
        count: 0,
        size: [f64::INFINITY, 0.0],
        mass: 0.0,
    };
    let mut kinds: Vec<_> = model.species.iter().map(|species| none(&species.name)).collect();
    for (species, size, mass) in all {
        let kind = &mut kinds[species as usize];
        kind.count += 1;
        kind.size = [kind.size[0].min(size), kind.size[1].max(size)];
        kind.mass += mass;
    }
    kinds
}
