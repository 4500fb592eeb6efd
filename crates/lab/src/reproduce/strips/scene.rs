//! The gas of "Grouping the particles" (2021): the model that comes along, with what an experiment
//! changes.

use crate::reproduce::ReproduceError;
use jostle_brownian::Brownian;
use jostle_events::gas::Gas;
use jostle_events::granular::Granular;
use jostle_model::gas::Contact;
use jostle_model::{Model, parse};
use jostle_run::{self as run, after_move_engine, events_engine};

/// As on the web page; lengths are in its pixels, which are millimetres in the model.
pub(super) const DISKS: usize = 3000;
pub(super) const DIAMETER: f64 = 4.0;
pub(super) const EDGES: [f64; 2] = [600.0, 6000.0];
/// The mean speed of the model's disks. \[mm/ms\]
pub(super) const SPEED: f64 = 1.0;

const MODEL: &str = include_str!("../../../models/disk_gas.toml");

/// The model, and what is set on top of it.
#[derive(Clone, Debug, Default)]
pub(super) struct StripsScene {
    set: Vec<(String, String)>,
}

impl StripsScene {
    /// With another value.
    #[must_use]
    pub(super) fn set(mut self, key: &str, value: &str) -> Self {
        self.set.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Without gravity, everywhere alike: in a box of these edges \[mm\].
    #[must_use]
    pub(super) fn uniform(disks: usize, edges: [f64; 2]) -> Self {
        let [x, y] = edges;
        Self::default()
            .set("gravity.acceleration", "0 m/s^2")
            .set("space.edges", &format!("[\"{x:?} mm\", \"{y:?} mm\"]"))
            .set("species.puck.count", &disks.to_string())
    }

    /// An atmosphere of this scale height \[mm\].
    #[must_use]
    pub(super) fn atmosphere(height: f64) -> Self {
        let pull = 2.0 * SPEED * SPEED / (std::f64::consts::PI * height);
        // 1 mm/ms² is 1e3 m/s².
        Self::default().set("gravity.acceleration", &format!("{:?} m/s^2", 1e3 * pull))
    }

    /// With another way to find contacts.
    #[must_use]
    pub(super) fn with(self, contact: Contact) -> Self {
        self.set("run.contact", contact.name())
    }

    /// In strips across an axis.
    #[must_use]
    pub(super) fn strips(self, axis: usize) -> Self {
        self.set("search.kind", "slices").set("search.axis", ["x", "y"][axis])
    }

    /// With a structure that suits a square box of disks.
    #[must_use]
    pub(super) fn fast_cells(self, contact: Contact) -> Self {
        match contact {
            Contact::AfterMove => self.strips(0),
            Contact::Exact | Contact::Events => self.set("search.kind", "cubic"),
        }
    }

    /// With another time step \[ms\].
    #[must_use]
    pub(super) fn step(self, step: f64) -> Self {
        self.set("run.timestep", &format!("{step:?} ms"))
    }

    pub(super) fn model(&self) -> Result<Model, ReproduceError> {
        Ok(parse(MODEL, "disk_gas", &self.set)?)
    }

    /// The stepped engine.
    pub(super) fn exact(&self) -> Result<Brownian<2>, ReproduceError> {
        Ok(run::engine(&self.model()?)?)
    }

    /// The engine with the algorithm of the web page.
    pub(super) fn gas(&self) -> Result<Gas, ReproduceError> {
        let model = self.model()?;
        let gas = model.gas().ok_or(ReproduceError::NoGas)?;
        Ok(after_move_engine(&model, gas)?)
    }

    /// The event-driven engine.
    pub(super) fn events(&self) -> Result<Granular<2>, ReproduceError> {
        let model = self.model()?;
        let gas = model.gas().ok_or(ReproduceError::NoGas)?;
        Ok(events_engine(&model, gas)?)
    }
}
