//! What can be known of the file of another program.

use std::collections::HashMap;

use super::error::ReadError;
use super::layout::Series;
use super::{Reading, TIMESTEPS, UNWRITTEN_FRAMES};
use crate::claims;
use crate::texts::texts;

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
        // A list may be missing; then the frames themselves are counted.
        self.length_of_at_most(&self.in_frames("position/value"), UNWRITTEN_FRAMES)?;
        if self.frames() > 1 && !matches!(self.layout.times, Series::Absent) {
            let (steps, times) = (self.steps()?, self.times()?);
            self.timestep = (times[1] - times[0]) / (steps[1] - steps[0]).max(1) as f64;
        }
        if self.timestep.is_nan() || self.timestep.abs() > TIMESTEPS.end {
            return Err(self.damaged("the times of the frames", "they are too far apart"));
        }
        let mut codes = self.species_codes(0..self.slots())?.unwrap_or_else(|| vec![0]);
        codes.sort_unstable();
        codes.dedup();
        self.check_species(codes.len())?;
        let names = self.names_of_species();
        let name =
            |code: &i32| names.get(code).cloned().unwrap_or_else(|| format!("species {code}"));
        self.species = codes.iter().map(name).collect();
        self.codes = codes;
        Ok(())
    }

    /// The names of species by number, where the file has a table of them, as VMD reads it.
    fn names_of_species(&self) -> HashMap<i32, String> {
        let table = || {
            let table = self.file.group("parameters/vmd_structure").ok()?;
            let numbers = table.dataset("indexOfSpecies").ok()?;
            claims::whole::<i32>(&numbers).ok()?;
            let numbers = numbers.read_raw::<i32>().ok()?;
            // Where a number is there twice, the first counts.
            Some(numbers.into_iter().zip(texts(&*table.dataset("name").ok()?)?).rev().collect())
        };
        table().unwrap_or_default()
    }
}
