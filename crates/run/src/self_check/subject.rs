//! What is known of a run beforehand: which particles may overlap, where walls are, what moves
//! particles.

use crate::domain;
use jostle_core::environment::Form;
use jostle_core::environment::Manner;
use jostle_core::motion::Motion;
use jostle_core::space::{Groups, Outline};
use jostle_core::species::Drift;
use jostle_core::unions::Unions;
use jostle_events::granular::container::Shaking;
use jostle_model::surroundings::SurfaceModel;
use jostle_model::{Model, measure};

/// Whether particles may be inside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hardness {
    None,
    /// They may not.
    Hard,
    /// They give way, but no centre may come to be inside another.
    Soft,
}

/// What the law of displacements is held to.
#[derive(Clone, Debug)]
pub(crate) enum Diffusion<const D: usize> {
    /// Particles do not diffuse.
    None,
    /// Every particle goes where the step takes him: displacements are looked at, less drift.
    Free(Box<Motion<D>>),
    /// Particles bounce, which leaves the sum of v²/D as it is: velocities are looked at.
    Bouncing,
}

/// What a self-check knows of a run.
#[derive(Clone, Debug)]
pub(crate) struct Subject<const D: usize> {
    pub(crate) hardness: Hardness,
    /// The axis along which particles of a species may stick out of the box: they are confined to a
    /// plane. \[species\]; empty if none are
    pub(crate) flat: Vec<Option<usize>>,
    /// Which species keep each other out: others may be inside each other all the same.
    pub(crate) apart: Groups,
    /// What each particle looks like, if it is not a sphere. \[id\]
    pub(crate) outlines: Vec<Outline>,
    /// How the walls move.
    pub(crate) shaking: Option<Shaking>,
    /// Whether the box is an upright cylinder along its last axis.
    pub(crate) cylinder: bool,
    /// Which faces have walls: \[axis\]\[lower, upper\]
    pub(crate) walls: [[bool; 2]; D],
    pub(crate) diffusion: Diffusion<D>,
    /// \[species\]
    pub(crate) names: Vec<String>,
    /// Species that exchange what they move with, together. \[species\]
    pub(crate) groups: Vec<usize>,
    /// Groups whose displacements follow no simple law.
    pub(crate) unlawful: Vec<bool>,
    /// Along which axes nothing outside acts.
    pub(crate) isolated: [bool; D],
    /// Of all particles. \[kg\]
    pub(crate) mass: f64,
    /// What the energy balance may leave unexplained, over what was turned over; nothing if they
    /// need not balance.
    pub(crate) imbalance: Option<f64>,
    /// What the run does for a particle between two states that it shows. \[ns, roughly\]
    pub(crate) work_per_particle: f64,
}

impl<const D: usize> Subject<D> {
    /// Particles in a box that ignore each other.
    pub(crate) fn of(model: &Model) -> Self {
        let count = model.species.len();
        Self {
            hardness: Hardness::None,
            flat: Vec::new(),
            apart: Groups::all(),
            outlines: Vec::new(),
            shaking: None,
            cylinder: false,
            walls: std::array::from_fn(|k| [!model.space.periodic[k]; 2]),
            diffusion: Diffusion::None,
            names: model.species.iter().map(|one| one.name.clone()).collect(),
            groups: vec![0; count],
            unlawful: vec![false; count],
            isolated: [false; D],
            mass: 0.0,
            imbalance: None,
            work_per_particle: 0.0,
        }
    }

    /// Spheres in Brownian motion.
    pub(crate) fn brownian(model: &Model) -> Self {
        let (apart, meeting) = (measure::apart(model), measure::meeting(model));
        let groups = groups(model.species.len(), |a, b| meeting.interact(a as u16, b as u16));
        let none = meeting.is_none();
        let box_only = model.surroundings().is_empty();
        let free =
            none && box_only && !model.space.periodic[..model.space.dimension].contains(&false);
        let diffusion = match free {
            true => Diffusion::Free(Box::new(Motion::new(
                &model.species,
                &domain(model),
                model.run.timestep,
            ))),
            false => Diffusion::Bouncing,
        };
        let mut unlawful = vec![false; model.species.len()];
        let mut flat = vec![None; model.species.len()];
        for (s, (species, &group)) in model.species.iter().zip(&groups).enumerate() {
            let surroundings = model.surroundings();
            let anchor = surroundings.anchor(s as u16);
            let crosses = |surface: &SurfaceModel| matches!(surface.manners[s], Manner::Cross(_));
            let bound = anchor.is_some() || surroundings.surfaces.iter().any(crosses);
            unlawful[group] |= bound || (!free && species.drift != Drift::Still);
            let anchor = anchor.map(|anchor| &surroundings.surfaces[anchor.surface as usize].form);
            if let Some(Form::Plane { axis, .. }) = anchor {
                flat[s] = Some(*axis);
            }
        }
        Self {
            hardness: if none { Hardness::None } else { Hardness::Hard },
            flat,
            apart,
            diffusion,
            groups,
            unlawful,
            work_per_particle: if none { 10.0 } else { 50.0 },
            ..Self::of(model)
        }
    }
}

/// The components of a graph: those that can be reached from each other have one number.
fn groups(count: usize, meet: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut joined = Unions::default();
    joined.clear(count);
    for a in 0..count {
        for b in (0..a).filter(|&b| meet(a, b)) {
            joined.join(a as u32, b as u32);
        }
    }
    (0..count).map(|a| joined.root(a as u32) as usize).collect()
}
