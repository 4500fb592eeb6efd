//! What models and their particles are in the words of engines and files.

use jostle_core::particles::Particles;
use jostle_core::space::Domain;
use jostle_h5md::record::Header;
use jostle_model::Model;

/// The box of a model.
pub fn domain<const D: usize>(model: &Model) -> Domain<D> {
    Domain::new(
        std::array::from_fn(|k| model.space.edges[k]),
        std::array::from_fn(|k| model.space.periodic[k]),
    )
}

/// How many of these particles there are of each species.
pub(super) fn population<const D: usize>(model: &Model, particles: &Particles<D>) -> Vec<usize> {
    let mut count = vec![0; model.species.len()];
    for i in (0..particles.len()).filter(|&i| particles.alive[i]) {
        count[particles.species[i] as usize] += 1;
    }
    count
}

/// What the file of a run says about itself, whatever the engine: how many particles there are, how
/// contacts are searched for, and what the figures are called that tell at the end what the run
/// took.
pub(super) fn header_of(
    model: &Model,
    particles: usize,
    search: String,
    figures: impl IntoIterator<Item = &'static str>,
) -> Header {
    Header {
        title: model.title.clone(),
        author: std::env::var("USER").unwrap_or_else(|_| "unknown".into()),
        edges: model.space.edges,
        periodic: model.space.periodic,
        species: model.species.clone(),
        rules: model.causes(),
        surfaces: model
            .surroundings()
            .surfaces
            .iter()
            .map(|surface| surface.name.clone())
            .collect(),
        output: model.output.clone(),
        timestep: model.run.timestep,
        seed: model.run.seed,
        particles,
        search,
        figures: figures.into_iter().map(str::to_owned).collect(),
        potentials: model.stepped_potentials(),
        tethered: model.tethered_species(),
        source: model.source.clone(),
        ..Header::default()
    }
}
