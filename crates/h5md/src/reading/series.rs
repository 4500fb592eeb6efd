//! More of what a file says: the box, numbers of particles over time, what the model gave.

use std::ops::Range;

use ndarray::Array2;

use super::kinds::named_species_in;
use super::{ReadError, Reading};

/// Times \[µs\] and, for each, the particles of each species. \[row\]\[species\]
pub type CountRows = (Vec<f64>, Array2<i64>);

/// Coordinates that are held in memory at a time.
pub const AT_A_TIME: usize = 1 << 24;

impl Reading {
    /// The slots, in blocks whose coordinates in so many frames fit in memory.
    pub fn blocks_of_slots(&self, frames: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let slots = self.slots();
        let block = (AT_A_TIME / (3 * frames.max(1))).clamp(1, slots.max(1));
        (0..slots).step_by(block).map(move |first| first..slots.min(first + block))
    }

    /// The radii of the slots, points if the file has none. \[slot\], \[nm\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn radii_or_points(&self) -> Result<Vec<f64>, ReadError> {
        match self.slot_radii() {
            Err(ReadError::Foreign { .. }) => Ok(vec![0.0; self.slots()]),
            radii => radii,
        }
    }

    /// The volume (3D), area (2D) or length (1D) of a box that stays the same and has its edges along
    /// the axes. \[nm^d\]
    pub fn volume(&self) -> f64 {
        self.edges()[..self.dimension()].iter().product()
    }

    /// Whether each axis closes on itself; those beyond the dimension do not.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn periodic(&self) -> Result<[bool; 3], ReadError> {
        let words = self.boundary()?;
        Ok(std::array::from_fn(|k| {
            k < self.dimension() && words.get(k).is_some_and(|w| w == "periodic")
        }))
    }

    /// The diffusion coefficients that the model gives its species. \[species\], \[nm²/µs\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn diffusion_coefficients(&self) -> Result<Vec<Option<f64>>, ReadError> {
        // µm²/s is nm²/µs.
        let given = self.numbers("parameters/species/diffusion_coefficient")?;
        Ok(given.into_iter().map(|d| d.is_finite().then_some(d)).collect())
    }

    /// How many particles of each species there are. \[frame\]\[species\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn counts(&self, frames: Range<usize>) -> Result<Array2<i64>, ReadError> {
        let name = "observables/count/value";
        if !self.has(name) {
            return self.counted(frames);
        }
        let rows = self.length(name)?;
        self.slice(name, (frames.start.min(rows)..frames.end.min(rows), 0..self.species().len()))
    }

    /// The numbers that the run kept at an interval of their own, if it did.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn counts_between_frames(&self) -> Result<Option<CountRows>, ReadError> {
        let [steps, times, values] =
            ["series/counts/step", "series/counts/time", "series/counts/value"];
        if ![steps, times, values].iter().all(|name| self.has_dataset(name)) {
            return Ok(None);
        }
        // Of a file that is being written, some datasets may be behind others.
        let rows = self.length(steps)?.min(self.length(times)?).min(self.length(values)?);
        let times: Vec<f64> = self.column(times, 0..rows)?;
        if times.iter().any(|time| !time.is_finite()) {
            return Err(self.damaged("series/counts/time", "one is not a finite number"));
        }
        let values: Array2<i64> = self.slice(values, (0..rows, 0..self.species().len()))?;
        Ok(Some((times.iter().map(|time| time * 1e-3).collect(), values)))
    }

    /// Counts frame by frame.
    fn counted(&self, frames: Range<usize>) -> Result<Array2<i64>, ReadError> {
        let mut counts = Array2::zeros((frames.len(), self.species().len()));
        for (row, frame) in frames.enumerate() {
            let species = named_species_in(self, frame)?;
            let id = self.identities(frame..frame + 1, 0..self.slots())?;
            for (of, _) in species.iter().zip(&id).filter(|(_, id)| **id >= 0) {
                if let Some(of) = of {
                    counts[[row, *of]] += 1;
                }
            }
        }
        Ok(counts)
    }
}
