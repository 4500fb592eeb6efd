//! Resumes the file of a run that ended early.
//!
//! The file is not written on: what was added to it after the state was kept has to go, and where a
//! run was killed nobody knows which parts of the file its last writes had taken. So a new file is
//! made beside it, the rows that count are copied, and the new one takes its place by a rename,
//! which is done or not done. A kill at any moment leaves the one or the other.

use std::borrow::Cow;
use std::path::Path;

use hdf5::File;
use hdf5::types::VarLenUnicode;
use serde::{Deserialize, Serialize};

use super::error::{self, RecordError};
use super::growing::{Extents, Table};
use super::header::Header;
use super::passing::{MayReplace, Passing, check_free};
use super::recorder::{Open, Recorder, check_name, check_rules};
use super::recover::recover;
use super::runs::Runs;
use super::schema::{BY_HAND, RunCode};
use super::series::Counts;
use super::slots::Slots;
use crate::contained::{self, Refused};
use crate::locks::open_with;
use jostle_core::observe::Clock;
use jostle_files::plain_line;

/// How far a file had come when a state was kept: what of it counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bookmark<'a> {
    /// When the first run of the file began. \[s since 1970\]
    began: f64,
    /// Of each table.
    extents: Vec<Extents>,
    slots: Cow<'a, Slots>,
    /// The step of the last contact.
    contact_step: Option<u64>,
}

/// How a run continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// As if nothing had happened.
    Exact,
    /// With another model, or another version of the physics: results are those of no one run.
    Changed,
}

/// A file whose rows are read once, so that nothing read has to be kept in memory.
fn read_once(path: &Path) -> hdf5::Result<File> {
    const SLOTS: usize = 521;
    const BYTES: usize = 1 << 20;
    open_with(path, |locks| {
        let mut builder = File::with_options();
        builder.with_fapl(|access| access.chunk_cache(SLOTS, BYTES, 1.0).file_locking(locks));
        builder.open(path)
    })
}

/// What a file says about itself, where changes in it may have come from outside.
fn with_causes_of(from: &File, header: &Header) -> hdf5::Result<Header> {
    let causes = from.dataset("parameters/rules")?.read_raw::<VarLenUnicode>()?;
    let mut header = header.clone();
    if causes.last().is_some_and(|last| last.as_str() == BY_HAND)
        && header.rules.last().is_none_or(|last| last != BY_HAND)
    {
        header.rules.push(BY_HAND.to_owned());
    }
    Ok(header)
}

impl Open {
    /// How far it has come; buffers have to be empty.
    pub(super) fn bookmark(&mut self, began: f64) -> Bookmark<'_> {
        let extents = self.tables().iter().map(|table| table.extents()).collect();
        let contact_step = self.contacts.step();
        Bookmark { began, extents, slots: Cow::Borrowed(self.trajectory.slots()), contact_step }
    }

    /// Everything that grows but the history, always in the same order.
    fn tables(&mut self) -> Vec<&mut dyn Table> {
        let mut tables = self.trajectory.tables();
        tables.extend(self.counts.iter_mut().flat_map(Counts::tables));
        tables.extend(self.changes.tables());
        tables.extend(self.contacts.tables());
        tables
    }

    /// Takes over what counts of another file.
    fn take_over(&mut self, from: &File, bookmark: Bookmark<'_>) -> hdf5::Result<()> {
        let tables = self.tables();
        if tables.len() != bookmark.extents.len() || !bookmark.slots.hang_together() {
            return Err("the checkpoint does not belong to this file".into());
        }
        for (table, extents) in tables.into_iter().zip(&bookmark.extents) {
            table.take_over(from, extents)?;
        }
        self.trajectory.keep_slots(bookmark.slots.into_owned());
        self.contacts.resume_in(bookmark.contact_step);
        self.runs.take_over(from)
    }
}

impl<const D: usize> Recorder<D> {
    /// Resumes the file `old` from `bookmark` on, at `clock`, in the file `path`, which may be the
    /// same and is replaced otherwise. Recovers the file if a killed run has left it.
    ///
    /// # Errors
    /// If a run writes the file, it is not the one that the bookmark was made in, it has lost what
    /// counts, or the new one cannot be written.
    pub fn resume(
        old: &Path,
        path: &Path,
        header: &Header,
        bookmark: Bookmark<'_>,
        clock: Clock,
        manner: Manner,
    ) -> Result<Self, RecordError> {
        check_name(path)?;
        check_rules(header)?;
        if old != path {
            check_free(path, false)?;
        }
        recover(old)?;
        let refuse = |reason: String| RecordError::Resume { path: old.to_owned(), reason };
        // What the system has against it is no fault of what was kept.
        let said = |error: hdf5::Error| match error::of_system(&error) {
            Some(reason) => {
                RecordError::Create { path: path.to_owned(), reason: reason.to_lowercase() }
            }
            None => refuse(error::reason(&error)),
        };
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::WouldBlock => RecordError::Busy { path: path.to_owned() },
            _ => RecordError::Create { path: path.to_owned(), reason: error.to_string() },
        };
        let from = read_once(old).map_err(said)?;
        contained::check(&from).map_err(|Refused { what, reason, .. }| {
            refuse(format!("{}: {reason}", plain_line(&what)))
        })?;
        let header = &with_causes_of(&from, header).map_err(said)?;
        let began = bookmark.began;
        if Runs::began(&from).map_err(said)? != Some(began) {
            return Err(refuse("the checkpoint belongs to another run".into()));
        }
        // The place is kept: what a kill leaves there is overwritten by the next attempt.
        let passing = Passing::beside(path, "resuming").map_err(failed)?;
        let made = Open::create::<D>(passing.path(), header).and_then(|mut open| {
            open.take_over(&from, bookmark)?;
            open.begin()?;
            let frames = open.trajectory.frames();
            let code = if manner == Manner::Exact { RunCode::Resumed } else { RunCode::Changed };
            open.runs.push(code, clock.step, frames);
            open.flush()?;
            Ok(Self::of(path, open, header, began))
        });
        let mut recorder = made.map_err(said)?;
        let may_replace = if old == path { MayReplace::Whatever } else { MayReplace::Nothing };
        recorder.claim = Some(passing.settle(may_replace).map_err(failed)?);
        recorder.flush(clock)?;
        Ok(recorder)
    }
}
