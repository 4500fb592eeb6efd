//! How much of a file is complete: a write that failed, or a kill, may leave more.

use super::Reading;
use super::error::ReadError;
use crate::record::schema::{COMPLETE, CompleteRow, RunRow};

/// What a file says of itself, and how much of it there is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Complete {
    /// Files of earlier versions do not say.
    row: Option<CompleteRow>,
    /// How many frames there are, complete or not.
    frames: usize,
}

impl Complete {
    /// What a file of ours says.
    pub(super) fn of(reading: &Reading) -> Result<Self, ReadError> {
        let row = reading.has(COMPLETE).then(|| reading.scalar(COMPLETE)).transpose()?;
        Ok(Self { row, frames: 0 })
    }

    /// How many of so many frames count.
    pub(super) fn frames(&mut self, there: usize) -> usize {
        self.frames = there;
        self.row.map_or(there, |row| at_most(there, row.frames))
    }

    /// How many of so many rows of a table count.
    pub(super) fn rows(&self, name: &str, there: usize) -> usize {
        let Some(row) = self.row else { return there };
        match name {
            "series/counts/step" | "series/counts/time" | "series/counts/value" => {
                at_most(there, row.counts)
            }
            "events/changes" => at_most(there, row.changes),
            "events/contacts" | "events/impacts" => at_most(there, row.contacts),
            "events/contacts_index" => at_most(there, row.blocks),
            _ => there,
        }
    }
}

fn at_most(there: usize, complete: u64) -> usize {
    usize::try_from(complete).map_or(there, |complete| complete.min(there))
}

/// What is missing of what a file says that it has: `1 of 21 frames, 0 of 947 contacts`. Of a file
/// that is being written, it is not known.
///
/// # Errors
/// If the file cannot be read.
pub fn lost(reading: &Reading) -> Result<Option<String>, ReadError> {
    if reading.is_written() || may_be_written(reading) || !reading.is_ours() {
        return Ok(None);
    }
    let Complete { row, frames } = reading.complete;
    let history: Vec<RunRow> = reading.column("runs/log", 0..reading.length("runs/log")?)?;
    let told = history.last().map_or(0, |row| u64::try_from(row.frames).unwrap_or(0));
    let mut lost = Vec::new();
    let mut compare = |what: &str, there: usize, told: u64| {
        if (there as u64) < told {
            lost.push(format!("{there} of {told} {what}"));
        }
    };
    let row = row.unwrap_or_default();
    compare("frames", frames, told.max(row.frames));
    let tables = [
        ("changes", "events/changes", row.changes),
        ("contacts", "events/contacts", row.contacts),
        ("rows of numbers of particles", "series/counts/step", row.counts),
    ];
    for (what, name, told) in tables {
        if told > 0 {
            let there = reading.dataset(name)?.shape().first().copied().unwrap_or(0);
            compare(what, there, told);
        }
    }
    Ok((!lost.is_empty()).then(|| lost.join(", ")))
}

/// Whether a run may have been writing a file when it was opened: a run was, or died, and there are no
/// locks that would tell.
pub fn may_be_written(reading: &Reading) -> bool {
    reading.claimed.is_none()
}
