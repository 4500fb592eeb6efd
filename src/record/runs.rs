//! The history of a file: when runs began and how they ended.

use std::time::{SystemTime, UNIX_EPOCH};

use hdf5::Group;

use super::growing::{Growing, Layout};
use super::header::write_texts;
use super::schema::{RunCode, RunRow};

/// Writes `/runs/log`. These are rows and not attributes, since nothing but rows can be written
/// once others may read along.
pub(super) struct Runs {
    log: Growing<RunRow>,
}

impl Runs {
    /// Creates the table and its codes.
    pub(super) fn create(file: &Group) -> hdf5::Result<Self> {
        let group = file.create_group("runs")?;
        write_texts(&group, "codes", &RunCode::ALL.map(RunCode::name))?;
        let fill = RunRow { unix_time: 0.0, step: -1, frames: 0, code: u8::MAX };
        Ok(Self { log: Growing::create(&group, "log", Layout::column(16, fill))? })
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
