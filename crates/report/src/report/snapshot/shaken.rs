//! A box that is shaken: where it is at the moment of a picture.

use jostle_analysis::{ReadError, Reading};
use jostle_model as model;

/// A box that oscillates along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShakenBox {
    /// The axis.
    pub axis: usize,
    /// How far it gets from its mean place. \[nm\]
    pub amplitude: f64,
    /// How far it is from there now. \[nm\]
    pub offset: f64,
}

impl ShakenBox {
    /// That of a frame; none if the box stands still.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn of_frame(reading: &Reading, frame: usize) -> Result<Option<Self>, ReadError> {
        if !reading.is_granular() || !reading.is_ours() {
            return Ok(None);
        }
        let name = reading.path().display().to_string();
        let model = model::parse(&reading.text("parameters/resolved")?, &name, &[]);
        let Some(shaking) = model.ok().and_then(|model| model.granular()?.shaking) else {
            return Ok(None);
        };
        let time = reading.times()?.get(frame).copied().unwrap_or(0.0);
        let (axis, amplitude) = (shaking.axis, shaking.amplitude);
        Ok(Some(Self { axis, amplitude, offset: shaking.at(time).offset }))
    }

    /// How far the box is from its mean place, along all axes.
    pub(super) fn shift(&self) -> [f64; 3] {
        std::array::from_fn(|k| if k == self.axis { self.offset } else { 0.0 })
    }

    /// How far it ever gets from there, along all axes.
    pub(super) fn room(&self) -> [f64; 3] {
        std::array::from_fn(|k| if k == self.axis { self.amplitude } else { 0.0 })
    }
}
