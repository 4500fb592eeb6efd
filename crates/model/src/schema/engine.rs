//! The engines, as the word `engine` under `[run]` chooses them.

use jostle_core::named;

named! {
    /// Which engine runs a model.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Engine {
        /// Spheres in Brownian motion.
        Brownian => "brownian",
        /// Balls that collide event by event.
        Granular => "granular",
        /// Convex polygons that press on each other.
        Polygons => "polygons",
        /// Disks that fly and collide without loss.
        Gas => "gas",
    }
}

impl Engine {
    /// What its models are called.
    pub fn models(self) -> &'static str {
        match self {
            Self::Brownian => "Brownian models",
            Self::Granular => "granular models",
            Self::Polygons => "models of polygons",
            Self::Gas => "models of a disk gas",
        }
    }
}

pub(super) const ALL: &[Engine] = &Engine::ALL;
pub(super) const BROWNIAN: &[Engine] = &[Engine::Brownian];
pub(super) const GRANULAR: &[Engine] = &[Engine::Granular];
pub(super) const POLYGONS: &[Engine] = &[Engine::Polygons];
pub(super) const GAS: &[Engine] = &[Engine::Gas];
/// Those of round particles: all but polygons.
pub(super) const ROUND: &[Engine] = &[Engine::Brownian, Engine::Granular, Engine::Gas];
/// Those whose particles have momentum: all but the Brownian one.
pub(super) const INERTIAL: &[Engine] = &[Engine::Granular, Engine::Polygons, Engine::Gas];
/// Those with time steps: all but the granular one.
pub(super) const STEPPED: &[Engine] = &[Engine::Brownian, Engine::Polygons, Engine::Gas];
/// Those with time steps that follow round particles from contact to contact.
pub(super) const CONTACTS: &[Engine] = &[Engine::Brownian, Engine::Gas];
