//! What only the models of one engine say, and every question to which engines have different
//! answers. Each question is one `match` that names all engines, so that a new one does not compile
//! before it has answered them all (`tests/tidy/` holds the house to that); further ones stand in
//! `check`, `warnings`, `file`, `placement`, and in `run`, `converge` and `cli`.

use std::sync::LazyLock;

use super::gas::{Contact, GasModel};
use super::granular::{Enclosure, GranularModel};
use super::polygons::PolygonModel;
use super::potentials::Potential;
use super::schema::Engine;
use super::surroundings::Surroundings;
use super::templates::MoleculeTemplate;
use super::{FirstBond, Model};
use jostle_core::parameters::Scheduler;
use jostle_core::rules::RuleSet;
use jostle_core::search;
use jostle_core::species::MobilityLaw;

/// Which engine is to run a model, and what only that one needs.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineModel {
    /// Spheres in Brownian motion.
    Brownian(Box<BrownianModel>),
    /// Balls that collide event by event.
    Granular(Box<GranularModel>),
    /// Convex polygons that press on each other, in small steps.
    Polygons(Box<PolygonModel>),
    /// Disks that fly and collide without loss: on the Brownian or the granular engine, or by a
    /// rule of their own.
    Gas(Box<GasModel>),
}

/// Spheres in Brownian motion, and what happens to them.
#[derive(Clone, Debug, PartialEq)]
pub struct BrownianModel {
    /// What there is in the box besides particles.
    pub surroundings: Surroundings,
    /// What happens at contacts and in time.
    pub rules: RuleSet,
    /// How pairs attract or repel each other.
    pub potentials: Vec<Potential>,
    /// The bonds at the start, apart from those that hold molecules of several spheres together.
    pub bonds: Vec<FirstBond>,
    /// The molecules of several spheres.
    pub molecules: Vec<MoleculeTemplate>,
    /// How fast clusters diffuse.
    pub mobility: MobilityLaw,
    /// The search structure.
    pub search: search::Settings,
    /// How contacts inside a step are scheduled.
    pub scheduler: Scheduler,
}

/// Of particles that do nothing but collide.
static NO_RULES: LazyLock<RuleSet> = LazyLock::new(RuleSet::default);
/// Of a box with nothing else in it.
static NO_SURROUNDINGS: LazyLock<Surroundings> = LazyLock::new(Surroundings::default);

impl EngineModel {
    /// How contacts inside a step are searched for and put in order, where the engine goes by steps
    /// and leaves a choice.
    fn order(&mut self) -> Option<(&mut search::Settings, &mut Scheduler)> {
        match self {
            Self::Brownian(brownian) => Some((&mut brownian.search, &mut brownian.scheduler)),
            Self::Gas(gas) => Some((&mut gas.search, &mut gas.scheduler)),
            Self::Granular(_) | Self::Polygons(_) => None,
        }
    }

    /// The engine, as the schema knows it.
    pub fn kind(&self) -> Engine {
        match self {
            Self::Brownian(_) => Engine::Brownian,
            Self::Granular(_) => Engine::Granular,
            Self::Polygons(_) => Engine::Polygons,
            Self::Gas(_) => Engine::Gas,
        }
    }

    /// Whether the search structure decides in which order pairs collide, so that results depend on
    /// it.
    pub fn depends_on_search(&self) -> bool {
        match self {
            Self::Brownian(_) | Self::Granular(_) | Self::Polygons(_) => false,
            Self::Gas(gas) => gas.contact == Contact::AfterMove,
        }
    }

    /// Whether the walls are those of an upright cylinder in the box.
    pub fn is_cylinder(&self) -> bool {
        match self {
            Self::Granular(granular) => granular.shape == Enclosure::Cylinder,
            Self::Brownian(_) | Self::Polygons(_) | Self::Gas(_) => false,
        }
    }

    /// The least radius of the particles of a species, where it is drawn. \[nm\]
    pub(super) fn least_radius(&self, species: u16) -> Option<f64> {
        match self {
            Self::Granular(granular) => Some(granular.balls[species as usize].radius[0]),
            Self::Brownian(_) | Self::Polygons(_) | Self::Gas(_) => None,
        }
    }

    /// By how much the logarithm of the density of a species changes per length along an axis at
    /// the start, of particles that are placed at random. \[1/nm\]
    pub(super) fn slope(&self, species: u16, axis: usize) -> f64 {
        match self {
            Self::Gas(gas) => gas.slope(species, axis),
            Self::Brownian(_) | Self::Granular(_) | Self::Polygons(_) => 0.0,
        }
    }

    /// Whether particles have the sizes of cells and molecules, so that lengths are told in nm.
    pub(super) fn is_of_cells(&self) -> bool {
        match self {
            Self::Brownian(_) => true,
            Self::Granular(_) | Self::Polygons(_) | Self::Gas(_) => false,
        }
    }
}

impl Model {
    /// What there is in the box besides particles.
    pub fn surroundings(&self) -> &Surroundings {
        self.brownian().map_or(&*NO_SURROUNDINGS, |brownian| &brownian.surroundings)
    }

    /// What happens at contacts and in time, besides collisions.
    pub fn rules(&self) -> &RuleSet {
        self.brownian().map_or(&*NO_RULES, |brownian| &brownian.rules)
    }

    /// The bonds at the start, apart from those that hold molecules of several spheres together.
    pub fn bonds(&self) -> &[FirstBond] {
        self.brownian().map_or(&[], |brownian| &brownian.bonds)
    }

    /// The same model with another search structure, if its engine goes by steps and leaves a
    /// choice.
    #[must_use]
    pub fn searched(mut self, settings: search::Settings) -> Self {
        if let Some((search, _)) = self.engine.order() {
            *search = settings;
        }
        self
    }

    /// The same model with another scheduler, if its engine has any.
    #[must_use]
    pub fn scheduled(mut self, with: Scheduler) -> Self {
        if let Some((_, scheduler)) = self.engine.order() {
            *scheduler = with;
        }
        self
    }

    /// What makes the model one of spheres in Brownian motion, if it is one. For those that know
    /// that it is: all others ask by `match`.
    pub fn brownian(&self) -> Option<&BrownianModel> {
        match &self.engine {
            EngineModel::Brownian(brownian) => Some(brownian),
            EngineModel::Granular(_) | EngineModel::Polygons(_) | EngineModel::Gas(_) => None,
        }
    }

    /// The same, to be changed.
    pub fn brownian_mut(&mut self) -> Option<&mut BrownianModel> {
        match &mut self.engine {
            EngineModel::Brownian(brownian) => Some(brownian),
            EngineModel::Granular(_) | EngineModel::Polygons(_) | EngineModel::Gas(_) => None,
        }
    }

    /// What makes the model a granular one, if it is one.
    pub fn granular(&self) -> Option<&GranularModel> {
        match &self.engine {
            EngineModel::Granular(granular) => Some(granular),
            EngineModel::Brownian(_) | EngineModel::Polygons(_) | EngineModel::Gas(_) => None,
        }
    }

    /// What makes the model one of polygons, if it is one.
    pub fn polygons(&self) -> Option<&PolygonModel> {
        match &self.engine {
            EngineModel::Polygons(polygons) => Some(polygons),
            EngineModel::Brownian(_) | EngineModel::Granular(_) | EngineModel::Gas(_) => None,
        }
    }

    /// What makes the model a disk gas, if it is one.
    pub fn gas(&self) -> Option<&GasModel> {
        match &self.engine {
            EngineModel::Gas(gas) => Some(gas),
            EngineModel::Brownian(_) | EngineModel::Granular(_) | EngineModel::Polygons(_) => None,
        }
    }
}
