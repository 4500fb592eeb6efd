//! What the frames say: when, who, where.

use std::ops::Range;

use ndarray::{Array2, Array3};

use super::error::ReadError;
use super::layout::{Element, Series};
use super::{FrameData, Reading};

/// More steps than any run has.
const LAST_STEP: u64 = 1 << 53;

impl Reading {
    /// The steps of the frames; where the file has none, frames are counted.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn steps(&self) -> Result<Vec<i64>, ReadError> {
        let count = 0..self.frames();
        let steps: Vec<i64> = match self.layout.steps {
            Series::Listed => self.column(&self.in_frames("position/step"), count)?,
            Series::Even { first, increment } => {
                count.map(|k| (first + k as f64 * increment) as i64).collect()
            }
            Series::Absent => count.map(|k| k as i64).collect(),
        };
        if steps.iter().any(|step| step.unsigned_abs() > LAST_STEP) {
            return Err(
                self.damaged("the steps of the frames", "one is beyond the largest step number")
            );
        }
        Ok(steps)
    }

    /// The times of the frames. \[µs\]
    ///
    /// # Errors
    /// If they cannot be read, or the file has none.
    pub fn times(&self) -> Result<Vec<f64>, ReadError> {
        let count = 0..self.frames();
        let times: Vec<f64> = match self.layout.times {
            Series::Listed => self.column(&self.in_frames("position/time"), count)?,
            Series::Even { first, increment } => {
                count.map(|k| first + k as f64 * increment).collect()
            }
            Series::Absent => return Err(self.lacks(&self.in_frames("position/time"))),
        };
        if times.iter().any(|time| !time.is_finite()) {
            return Err(self.damaged("the times of the frames", "one is not a finite number"));
        }
        Ok(times.iter().map(|time| time * self.layout.units[1]).collect())
    }

    /// The species of the slots, as places in [`Reading::species`]. \[slot\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn slot_species(&self) -> Result<Vec<i32>, ReadError> {
        let codes = self.species_codes(0..self.slots())?.unwrap_or_default();
        let codes = if codes.is_empty() {
            vec![self.codes.first().copied().unwrap_or(0); self.slots()]
        } else {
            codes
        };
        let place = |code: i32| self.codes.binary_search(&code).map_or(-1, |place| place as i32);
        Ok(codes.into_iter().map(place).collect())
    }

    /// Where particles are and to which cluster they belong, for some frames and slots. In another
    /// program's file, a slot without identities is a particle, and a particle without a cluster is
    /// alone.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn frame_data(
        &self,
        frames: Range<usize>,
        slots: Range<usize>,
    ) -> Result<FrameData, ReadError> {
        let region = (frames.clone(), slots.clone());
        let shape = (frames.len(), slots.len());
        let series = |name: &str| self.in_frames(&format!("{name}/value"));
        let id: Array2<i64> = self.identities(frames, slots)?;
        let cluster = match self.layout.cluster {
            Element::Changing => self.slice(&series("cluster"), region.clone())?,
            _ => id.clone(),
        };
        let coalesced = match self.layout.coalesced {
            Element::Changing => self.slice(&series("coalesced"), region)?,
            _ => Array2::zeros(shape),
        };
        Ok(FrameData { id, cluster, coalesced })
    }

    /// The identities of the particles in some frames and slots, or -1 in empty slots.
    /// \[frame\]\[slot\]
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn identities(
        &self,
        frames: Range<usize>,
        slots: Range<usize>,
    ) -> Result<Array2<i64>, ReadError> {
        let shape = (frames.len(), slots.len());
        let first = slots.start;
        match self.layout.id {
            Element::Changing => self.slice(&self.in_frames("id/value"), (frames, slots)),
            Element::Fixed => {
                let row: Vec<i64> = self.column(&self.in_frames("id"), slots)?;
                Ok(Array2::from_shape_fn(shape, |(_, k)| row[k]))
            }
            Element::Absent => Ok(Array2::from_shape_fn(shape, |(_, k)| (first + k) as i64)),
        }
    }

    /// How many frames, from the first on, can be read whole: all, unless the file's end is
    /// missing.
    pub fn whole_frames(&self) -> usize {
        let slots = 0..self.slots();
        let is_whole = |frame: usize| {
            let there = self.frame_data(frame..frame + 1, slots.clone()).is_ok();
            there && self.unwrapped(frame..frame + 1, slots.clone()).is_ok()
        };
        // Frames are written one after the other: where one is lost, so are those after it.
        let (mut low, mut high) = (0, self.frames());
        while low < high {
            let middle = (low + high) / 2;
            if is_whole(middle) { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Identities and unwrapped positions, for some frames and slots: positions as if the periodic
    /// axes continued for ever. \[frame\]\[slot\]\[axis\], \[nm\]
    ///
    /// # Errors
    /// If the file cannot be read, or has no images though its box is periodic.
    pub fn unwrapped(
        &self,
        frames: Range<usize>,
        slots: Range<usize>,
    ) -> Result<(Array2<i64>, Array3<f64>), ReadError> {
        let id = self.identities(frames.clone(), slots.clone())?;
        let mut position = self.positions(frames.clone(), slots.clone())?;
        if self.layout.image == Element::Changing {
            let region = (frames, slots, 0..self.layout.shape[2]);
            let image: Array3<i32> = self.slice(&self.in_frames("image/value"), region)?;
            for (at, turns) in image.indexed_iter() {
                position[at] += *turns as f64 * self.edges[at.2];
            }
        } else if self.boundary()?.iter().any(|word| word == "periodic") {
            return Err(self.lacks(&self.in_frames("image")));
        }
        Ok((id, position))
    }

    /// Positions within the box, for some frames and slots. \[frame\]\[slot\]\[axis\], \[nm\]; NaN
    /// in empty slots
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn positions(
        &self,
        frames: Range<usize>,
        slots: Range<usize>,
    ) -> Result<Array3<f64>, ReadError> {
        let width = self.layout.shape[2];
        let shape = (frames.len(), slots.len(), 3);
        let read: Array3<f64> =
            self.slice(&self.in_frames("position/value"), (frames, slots, 0..width))?;
        let unit = self.layout.units[0];
        if width == 3 && unit == 1.0 {
            return Ok(read);
        }
        let along =
            |(t, n, k): (usize, usize, usize)| if k < width { read[[t, n, k]] * unit } else { 0.0 };
        Ok(Array3::from_shape_fn(shape, along))
    }

    /// The velocities of the particles in a frame, if the file has velocities. \[slot\]\[axis\],
    /// \[nm/ns\], which is m/s; NaN in empty slots
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn velocities(&self, frame: usize) -> Result<Option<Array2<f64>>, ReadError> {
        if !self.file.link_exists(&self.in_frames("velocity")) {
            return Ok(None);
        }
        let region = (frame, 0..self.slots(), 0..3);
        self.slice(&self.in_frames("velocity/value"), region).map(Some)
    }

    /// The radii of the slots. \[slot\], \[nm\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn slot_radii(&self) -> Result<Vec<f64>, ReadError> {
        let name = self.in_frames("radius");
        let unit = self.layout.units[0];
        let radii: Vec<f64> = self.column(&name, 0..self.slots().min(self.length(&name)?))?;
        Ok(radii.into_iter().map(|radius| radius * unit).collect())
    }
}
