//! The container of a granular run: its shape, and where it is at the moment of a picture.

use super::super::wires::upright_cylinder;
use jostle_analysis::{ReadError, Reading};
use jostle_model as model;
use jostle_model::granular::{Enclosure, GranularModel};

/// What holds the balls of a run.
#[derive(Clone, Debug)]
pub struct GrainContainer(GranularModel);

/// A container at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContainerNow {
    /// How far it ever gets from its mean place, along each axis. \[nm\]
    pub room: [f64; 3],
    /// How far its lower and its upper walls are from there now, along each axis. \[nm\]
    pub shift: [[f64; 3]; 2],
    /// Its walls as lines, at its mean place, where it is not the box. \[nm\]
    pub walls: Vec<[[f64; 3]; 2]>,
}

impl GrainContainer {
    /// That of a file; none if it is not of a granular run.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of(reading: &Reading) -> Result<Option<Self>, ReadError> {
        if !reading.is_granular() || !reading.is_ours() {
            return Ok(None);
        }
        let name = reading.path().display().to_string();
        let model = model::parse(&reading.text("parameters/resolved")?, &name, &[]);
        Ok(model.ok().and_then(|model| Some(Self(model.granular()?.clone()))))
    }

    /// How far it ever gets from its mean place, along each axis. \[nm\]
    pub fn room(&self) -> [f64; 3] {
        self.along_axis(self.0.shaking.map_or(0.0, |shaking| shaking.amplitude))
    }

    /// How far its lower and its upper walls are from their mean places at a time \[µs\], along each
    /// axis. \[nm\]
    pub fn shift(&self, time: f64) -> [[f64; 3]; 2] {
        [false, true].map(|upper| {
            let moving = self.0.shaking.filter(|shaking| shaking.moves(upper));
            self.along_axis(moving.map_or(0.0, |shaking| shaking.at(time).offset))
        })
    }

    /// Whether it moves.
    pub fn is_shaken(&self) -> bool {
        self.0.shaking.is_some()
    }

    /// Its walls as lines, at its mean place, in a box with these edges; none if it is the box. \[nm\]
    pub fn walls(&self, edges: [f64; 3]) -> Vec<[[f64; 3]; 2]> {
        match self.0.shape {
            Enclosure::Box => Vec::new(),
            Enclosure::Cylinder => upright_cylinder(edges),
        }
    }

    pub(super) fn now(&self, time: f64, edges: [f64; 3]) -> ContainerNow {
        ContainerNow { room: self.room(), shift: self.shift(time), walls: self.walls(edges) }
    }

    /// A length along the axis of the shaking, if there is one.
    fn along_axis(&self, length: f64) -> [f64; 3] {
        let axis = self.0.shaking.map(|shaking| shaking.axis);
        std::array::from_fn(|k| if Some(k) == axis { length } else { 0.0 })
    }
}
