//! Which part of a file is looked at.

use std::ops::Range;

use super::contacts::is_of;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// Which part of a file is looked at; everything, by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    /// Only these species; all, if there are none. `EGFR` is EGFR in every state, `EGFR{bound}`
    /// those in which `bound` occurs.
    pub species: Vec<String>,
    /// Nothing before this time. \[µs\]
    pub from: Option<f64>,
    /// Use only data up to this time. \[µs\]
    pub to: Option<f64>,
}

impl Scope {
    /// Which species are meant. \[species\]
    ///
    /// # Errors
    /// If a name fits no species of the file.
    pub fn species(&self, reading: &Reading) -> Result<Vec<bool>, ReadError> {
        let all = reading.species();
        for asked in &self.species {
            if !all.iter().any(|name| is_of(name, asked)) {
                return Err(no_species(reading, asked, all.iter().cloned()));
            }
        }
        let meant = |name: &String| {
            self.species.is_empty() || self.species.iter().any(|asked| is_of(name, asked))
        };
        Ok(all.iter().map(meant).collect())
    }

    /// Which species are meant, if not all are. \[species\]
    ///
    /// # Errors
    /// If a name fits no species of the file.
    pub(super) fn chosen(&self, reading: &Reading) -> Result<Option<Vec<bool>>, ReadError> {
        let wanted = self.species(reading)?;
        Ok((!self.species.is_empty()).then_some(wanted))
    }

    /// The frames within the times.
    ///
    /// # Errors
    /// If there are fewer than `least`, or the times cannot be read.
    pub fn frames(&self, reading: &Reading, least: usize) -> Result<Range<usize>, ReadError> {
        let all = reading.frames();
        let times = match self.from.or(self.to) {
            // Frames without times will do.
            None => vec![0.0; all],
            Some(_) => reading.times()?,
        };
        let within = self.within(&times);
        let found = within.len();
        if found < least {
            let when = if self.from.or(self.to).is_some() { " in this time" } else { "" };
            let needed = if least == 1 { "a frame is" } else { "two frames are" };
            let reason = format!("{needed} needed, and there are {found}{when}");
            return Err(too_little(reading, reason));
        }
        Ok(within)
    }

    /// Which of these times, in order, are looked at. \[µs\]
    pub(super) fn within(&self, times: &[f64]) -> Range<usize> {
        // A time that is typed has fewer digits than one that was added up.
        let slack = 1e-9 * times.last().copied().unwrap_or(0.0);
        let first = times.partition_point(|&time| time < self.from.unwrap_or(0.0) - slack);
        let last = times.partition_point(|&time| time <= self.to.unwrap_or(f64::INFINITY) + slack);
        first..last.max(first)
    }

    /// From when to when the log of changes is looked at: within the frames, since what comes after
    /// the last one may not be in the file yet. \[µs\]
    ///
    /// # Errors
    /// If no time is left, or the times cannot be read.
    pub fn window(&self, reading: &Reading) -> Result<[f64; 2], ReadError> {
        let times = reading.times()?;
        let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
            return Err(too_little(reading, "there is no frame to start from".into()));
        };
        let (from, to) = (self.from.unwrap_or(first).max(first), self.to.unwrap_or(last).min(last));
        // Times that are not numbers are no times either.
        if from.partial_cmp(&to) != Some(std::cmp::Ordering::Less) {
            let reason = "no time passes between the first frame and the last that are looked at: more frames \
                          are needed (output.every)";
            return Err(too_little(reading, reason.into()));
        }
        Ok([from, to])
    }
}

/// No species of the file has this name.
pub(super) fn no_species(
    reading: &Reading,
    asked: &str,
    known: impl Iterator<Item = String>,
) -> ReadError {
    let is_surface = crate::surfaces(reading)
        .is_ok_and(|found| found.surroundings.surfaces.iter().any(|surface| surface.name == asked));
    match asked.contains('(') {
        _ if is_surface => too_little(
            reading,
            format!(
                "\"{asked}\" is a surface, but the name of a species is needed here (of contacts, say wall \
                 \"{asked}\": --wall {asked})"
            ),
        ),
        true => too_little(
            reading,
            format!(
                "\"{asked}\" is a pattern of sites, but the name of a species is needed here \
                 (jostle analyse FILE sites --pattern PATTERN counts the molecules that fit one)"
            ),
        ),
        false => reading.no_such("species", asked, known),
    }
}

pub(super) fn too_little(reading: &Reading, reason: String) -> ReadError {
    reading.too_little(reason)
}
