//! What the frames say: when, who, where.

use std::ops::Range;

use hdf5::H5Type;
use ndarray::{Array2, Array3, s};

use super::error::ReadError;
use super::foreign::check_steps;
use super::layout::{Element, Series, length_factor, unit, velocity_factor};
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
        let first = slots.start;
        let shape = (frames.len(), slots.len());
        let mut id = match self.layout.id {
            Element::Absent => Array2::from_shape_fn(shape, |(_, k)| (first + k) as i64),
            element => per_slot(self, element, "id", frames.clone(), slots.clone())?,
        };
        if self.is_ours {
            return Ok(id);
        }
        // H5MD marks empty slots by the fill value of the identities; others write no numbers where
        // there is no particle.
        let position = self.positions(frames, slots)?;
        for (at, id) in id.indexed_iter_mut() {
            let place = position.slice(s![at.0, at.1, ..]);
            if place.iter().any(|x| x.is_nan()) || self.nobody == Some(*id) {
                *id = -1;
            } else if place.iter().any(|x| x.is_infinite()) {
                return Err(self.damaged("the positions", "one is infinitely far away"));
            } else if *id < 0 && self.nobody.is_some() {
                let name = self.in_frames("id");
                return Err(self.refused(&name, "an identity is below 0, and no fill value"));
            }
        }
        Ok(id)
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
        if self.layout.image != Element::Absent {
            let image: Array3<i32> =
                vectors(self, self.layout.image, "image", frames.clone(), slots)?;
            let axes = self.layout.shape[2];
            for (row, frame) in frames.enumerate() {
                let vectors = self.boxes.get(frame);
                let vectors = vectors.ok_or_else(|| self.lacks(&self.in_frames("box/edges")))?;
                for slot in 0..image.shape()[1] {
                    let turns = [0, 1, 2].map(|k| match k < axes {
                        true => f64::from(image[[row, slot, k]]),
                        false => 0.0,
                    });
                    if turns != [0.0; 3] {
                        let by = vectors.along(turns);
                        (0..3).for_each(|k| position[[row, slot, k]] += by[k]);
                    }
                }
            }
        } else if self.boundary()?.iter().take(self.dimension()).any(|word| word == "periodic") {
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
        let read: Array3<f64> = vectors(self, self.layout.position, "position", frames, slots)?;
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
        let name = self.in_frames("velocity/value");
        if self.is_ours {
            return self.slice(&name, (frame, 0..self.slots(), 0..3)).map(Some);
        }
        let unit = unit(&*self.dataset(&name)?).map(|word| velocity_factor(&word)).transpose();
        let unit = unit.map_err(|reason| self.refused(&name, &reason))?;
        let unit = unit.unwrap_or(self.layout.units[0] / (self.layout.units[1] * 1e3));
        check_steps(self, "velocity")?;
        let frames = frame..frame + 1;
        let read: Array3<f64> =
            vectors(self, Element::Changing, "velocity", frames, 0..self.slots())?;
        let axes = read.shape()[2];
        Ok(Some(Array2::from_shape_fn((self.slots(), 3), |(slot, k)| match k < axes {
            true => read[[0, slot, k]] * unit,
            false => 0.0,
        })))
    }

    /// The radii of the slots. \[slot\], \[nm\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn slot_radii(&self) -> Result<Vec<f64>, ReadError> {
        let name = self.in_frames("radius");
        let unit = unit(&*self.dataset(&name)?).map(|word| length_factor(&word)).transpose();
        let unit = unit.map_err(|reason| self.refused(&name, &reason))?;
        let unit = unit.unwrap_or(self.layout.units[0]);
        let radii: Vec<f64> = self.column(&name, 0..self.slots().min(self.length(&name)?))?;
        Ok(radii.into_iter().map(|radius| radius * unit).collect())
    }
}

/// One value for each slot, in frames of something that may be the same in all of them.
/// \[frame\]\[slot\]
pub(super) fn per_slot<T: H5Type + Copy>(
    reading: &Reading,
    element: Element,
    name: &str,
    frames: Range<usize>,
    slots: Range<usize>,
) -> Result<Array2<T>, ReadError> {
    if element == Element::Changing {
        return reading.slice(&reading.in_frames(&format!("{name}/value")), (frames, slots));
    }
    let row: Vec<T> = reading.column(&reading.in_frames(name), slots)?;
    Ok(Array2::from_shape_fn((frames.len(), row.len()), |(_, k)| row[k]))
}

/// Several values for each slot, likewise. \[frame\]\[slot\]\[axis\]
fn vectors<T: H5Type + Copy>(
    reading: &Reading,
    element: Element,
    name: &str,
    frames: Range<usize>,
    slots: Range<usize>,
) -> Result<Array3<T>, ReadError> {
    let axes = 0..reading.layout.shape[2];
    if element == Element::Changing {
        return reading.slice(&reading.in_frames(&format!("{name}/value")), (frames, slots, axes));
    }
    let rows: Array2<T> = reading.slice(&reading.in_frames(name), (slots, axes))?;
    let shape = (frames.len(), rows.nrows(), rows.ncols());
    Ok(Array3::from_shape_fn(shape, |(_, n, k)| rows[[n, k]]))
}
