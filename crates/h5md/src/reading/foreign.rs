//! What can be known of the file of another program.

use hdf5::dataset::FillValue;

use super::error::ReadError;
use super::layout::{Element, Series, series};
use super::{Reading, TIMESTEPS, UNWRITTEN_FRAMES, boxes, kinds};

impl Reading {
    /// Makes out what can be known of another program's file.
    pub fn look_at_foreign(&mut self) -> Result<(), ReadError> {
        let at = self.in_frames("box");
        let stated = self.file.group(&at).and_then(|at| at.attr("dimension")?.read_scalar::<i32>());
        if let Ok(dimension @ 1..=3) = stated {
            self.dimension = (dimension as usize).min(self.dimension);
        }
        for name in ["position/step", "position/time"] {
            if self.file.dataset(&self.in_frames(name)).is_ok_and(|list| list.ndim() > 0) {
                let listed = self.length_of_at_most(&self.in_frames(name), UNWRITTEN_FRAMES)?;
                self.layout.shape[0] = self.layout.shape[0].min(listed);
            }
        }
        if self.layout.position == Element::Changing {
            // A list may be missing; then the frames themselves are counted.
            self.length_of_at_most(&self.in_frames("position/value"), UNWRITTEN_FRAMES)?;
        }
        if self.frames() > 1 && !matches!(self.layout.times, Series::Absent) {
            let (steps, times) = (self.steps()?, self.times()?);
            self.timestep = (times[1] - times[0]) / (steps[1] - steps[0]).max(1) as f64;
        }
        if self.timestep.is_nan() || self.timestep.abs() > TIMESTEPS.end {
            return Err(self.damaged("the times of the frames", "they are too far apart"));
        }
        self.boxes = boxes::of_others(self)?;
        for (name, element) in [("image", self.layout.image), ("id", self.layout.id)] {
            if element == Element::Changing {
                check_steps(self, name)?;
            }
        }
        self.nobody = fill_value_of_identities(self);
        let found = kinds::survey(self)?;
        (self.species, self.named, self.kinds) = (found.names, found.named, found.kinds);
        Ok(())
    }
}

/// The fill value of the identities, where the program that wrote the file has set one.
fn fill_value_of_identities(reading: &Reading) -> Option<i64> {
    let name = match reading.layout.id {
        Element::Absent => return None,
        Element::Fixed => reading.in_frames("id"),
        Element::Changing => reading.in_frames("id/value"),
    };
    let made = reading.file.dataset(&name).ok()?.create_plist().ok()?;
    match made.fill_value_defined() {
        FillValue::UserDefined => made.fill_value_as::<i64>(),
        _ => None,
    }
}

/// Whether what changes in time beside the positions is there for the same frames: in H5MD,
/// everything may have steps of its own.
pub(super) fn check_steps(reading: &Reading, name: &str) -> Result<(), ReadError> {
    let [value, step] = ["value", "step"].map(|end| reading.in_frames(&format!("{name}/{end}")));
    let rows = reading.length_of_at_most(&value, UNWRITTEN_FRAMES)?;
    let frames = reading.frames();
    let own = match series(&reading.file.group("/").map_err(|_| reading.lacks("/"))?, &step).0 {
        _ if rows < frames => None,
        // Without steps, rows belong to frames if there are as many.
        Series::Absent if rows == frames => return Ok(()),
        Series::Absent => None,
        Series::Listed if reading.length_of_at_most(&step, UNWRITTEN_FRAMES)? < frames => None,
        Series::Listed => Some(reading.column::<i64>(&step, 0..frames)?),
        Series::Even { first, increment } => {
            Some((0..frames).map(|k| (first + k as f64 * increment) as i64).collect())
        }
    };
    let alike = match (own, &reading.layout.steps) {
        (None, _) => false,
        (Some(_), Series::Absent) => rows == frames,
        (Some(own), _) => own == reading.steps()?,
    };
    if alike {
        return Ok(());
    }
    let reason = format!(
        "it is stored at other steps than the positions ({rows} times, beside {frames} frames); only \
         what has the same steps is read"
    );
    Err(reading.refused(&value, &reason))
}
