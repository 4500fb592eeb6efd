//! What a model of a disk gas says beyond boxes, species and placement. Lengths are in nm, times in
//! µs, masses in kg.

use std::f64::consts::PI;

use super::granular::{CollisionLaw, Enclosure, GranularModel, Gravity, Motion, RestitutionModel};
use super::{Model, Scheduler, measure};
use jostle_core::named;
use jostle_core::parameters::granular::{ContactTime, Material};
use jostle_core::search;

/// Disks that collide without loss, between walls or in a periodic box.
#[derive(Clone, Debug, PartialEq)]
pub struct GasModel {
    /// How contacts are found.
    pub contact: Contact,
    /// Whether disks that are placed at random under gravity, and have a temperature, begin as the
    /// atmosphere of that temperature; else they begin everywhere alike.
    pub atmosphere: bool,
    /// The search structure for steps.
    pub search: search::Settings,
    /// How contacts inside a step are put in order.
    pub scheduler: Scheduler,
    /// Disks and gravity, as a granular model of elastic balls has them; and the search structure
    /// of the event-driven engine.
    pub granular: GranularModel,
}

named! {
    /// How contacts are found.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Contact {
        /// At their moment within the step.
        Exact => "exact",
        /// By overlap at the end of the step.
        AfterMove => "after_move",
        /// From event to event.
        Events => "events",
    }
}

impl GasModel {
    /// kT/m of a species that begins with a temperature: the variance of a component of the
    /// velocity. In two dimensions the mean speed is sqrt(pi kT / 2 m). \[nm²/µs²\]
    pub fn variance(&self, species: u16) -> Option<f64> {
        match self.granular.balls[species as usize].motion {
            Motion::Maxwell(speed) if speed > 0.0 => Some(2.0 * speed * speed / PI),
            _ => None,
        }
    }

    /// How fast disks are: the greatest mean or given speed at the start or, of disks that begin
    /// without a temperature, that of a fall through the box. \[nm/µs\]
    pub fn typical_speed(&self, model: &Model) -> f64 {
        let fall = self.granular.gravity.fall(model);
        let speed = |motion: &Motion| match motion {
            Motion::Maxwell(speed) if *speed > 0.0 => *speed,
            Motion::Rest | Motion::Maxwell(_) => fall,
            Motion::Alike(v) => v.iter().map(|v| v * v).sum::<f64>().sqrt().max(fall),
        };
        self.granular.balls.iter().map(|disks| speed(&disks.motion)).fold(0.0, f64::max)
    }

    /// How far a disk gets in a step at that speed, over the smallest diameter.
    pub fn travel(&self, model: &Model) -> f64 {
        let smallest = 2.0 * measure::smallest_radius(model).unwrap_or(f64::INFINITY);
        self.typical_speed(model) * model.run.timestep / smallest
    }

    /// The height over which the density of a species falls by e in its atmosphere, kT/mg. \[nm\]
    pub fn scale_height(&self, species: u16) -> Option<f64> {
        let strength = self.granular.gravity.strength();
        self.variance(species).filter(|_| strength > 0.0).map(|variance| variance / strength)
    }

    /// By how much the logarithm of the density of a species changes per length along an axis at
    /// the start. \[1/nm\]
    pub fn slope(&self, species: u16, axis: usize) -> f64 {
        let pull = self.granular.gravity.acceleration[axis];
        self.variance(species).filter(|_| self.atmosphere).map_or(0.0, |variance| pull / variance)
    }
}

impl GranularModel {
    /// Disks or balls that lose nothing, in the box itself, under `gravity` alone.
    pub(super) fn elastic(gravity: Gravity) -> Self {
        Self {
            shape: Enclosure::Box,
            gravity,
            shaking: None,
            drag: 0.0,
            field: None,
            collisions: CollisionLaw {
                restitution: RestitutionModel::Elastic,
                contact_time: ContactTime::Hertz,
            },
            material: Material::STEEL,
            trajectory: None,
            search: None,
            balls: Vec::new(),
        }
    }
}
