//! The history of a file: when runs began, how they ended, and what they took.

use std::time::{SystemTime, UNIX_EPOCH};

use hdf5::Group;

use super::growing::{Growing, Layout};
use super::header::write_texts;
use super::schema::{RunCode, RunRow};

/// Writes `/runs/log`. These are rows and not attributes, since nothing but rows can be written
/// once others may read along.
pub(super) struct Runs {
    log: Growing<RunRow>,
    figures: Growing<f64>,
}

impl Runs {
    /// Creates the table and its codes.
    pub(super) fn create(file: &Group, figures: &[String]) -> hdf5::Result<Self> {
        let group = file.create_group("runs")?;
        write_texts(&group, "codes", &RunCode::ALL.map(RunCode::name))?;
        let fill = RunRow { unix_time: 0.0, step: -1, frames: 0, code: u8::MAX };
        write_texts(&group, "figure_names", figures)?;
        Ok(Self {
            log: Growing::create(&group, "log", Layout::column(16, fill))?,
            figures: Growing::create(&group, "figures", Layout::rows(16, &[figures.len().max(1)], f64::NAN))?,
        })
    }

    /// Adds what a run took, a number for each of the names given at first.
    pub(super) fn push_figures(&mut self, figures: &[f64]) -> hdf5::Result<()> {
        self.figures.append(figures)
    }

    /// Adds a row, with the present time.
    pub(super) fn push(&mut self, code: RunCode, step: u64, frames: u64) -> hdf5::Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        self.log.append(&[RunRow {
            unix_time: now.map_or(0.0, |since| since.as_secs_f64()),
            step: step as i64,
            frames: frames as i64,
            code: code as u8,
        }])
    }
}
