//! The observer that writes the file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hdf5::File;

use super::changes::Changes;
use super::claim::is_being_written;
use super::contacts::Contacts;
use super::error::{self, RecordError};
use super::frame::Frame;
use super::growing::Table;
use super::header::{Header, write_h5md, write_parameters};
use super::passing::{MayReplace, Passing, check_free};
use super::recover::recover;
use super::resume::Bookmark;
use super::runs::Runs;
use super::schema::{CompleteRow, NO_RULE, RunCode};
use super::series::Counts;
use super::slots::Slots;
use super::trajectory::Trajectory;
use super::warnings::WarningRow;
use super::writer::{TOO_MUCH, WORTH_IT, Write, Writer};
use crate::locks::open_with;
use jostle_core::observe::{Change, Clock, Contact, Observer, ObserverError, View};
use jostle_core::output::LogLevel;

/// How much time may pass before what is written is safe from a sudden end.
const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All steps were done.
    Finished,
    /// Somebody stopped it.
    Interrupted,
    /// An error stopped it.
    Failed,
}

/// Writes frames and events into an H5MD file. Dropped without [`Recorder::finish`], it leaves a
/// file that is whole but does not say how the run ended. Identities must be below 2^63, and
/// below 2^32 - 6 where contacts are logged.
pub struct Recorder<const D: usize> {
    path: PathBuf,
    frame_every: u64,
    /// None once a write has failed.
    open: Option<Open>,
    /// Keeps others from replacing or mending the file.
    pub(super) claim: Option<std::fs::File>,
    flushed: Instant,
    safe: Safe,
    /// How long the file was when it was last safe. \[bytes\]
    length: u64,
    /// When the first run of this file began: what tells it from others. \[s since 1970\]
    began: f64,
}

/// What has reached the file system.
#[derive(Clone, Copy, Default)]
struct Safe {
    frames: u64,
    step: u64,
}

/// The file and everything in it that grows. What is under way is written before the tables are
/// dropped, and the tables are dropped before the file is closed.
pub(super) struct Open {
    writer: Writer,
    pub(super) trajectory: Trajectory,
    pub(super) counts: Option<Counts>,
    pub(super) changes: Changes,
    pub(super) contacts: Contacts,
    pub(super) runs: Runs,
    pub(super) file: File,
}

impl<const D: usize> Recorder<D> {
    /// What it holds of each particle, beside what the HDF5 library keeps. \[bytes\]
    pub const EACH: usize = Frame::EACH + Slots::EACH;

    /// A frame that takes so much is written before the run goes on; another thread writes smaller
    /// ones. \[bytes\]
    pub const TOO_MUCH: usize = TOO_MUCH;

    /// Makes the file, with everything in it but frames and events. An existing file is replaced
    /// only if `force` is set.
    ///
    /// # Errors
    /// If there is such a file already, or a run still writes it, the name does not end in `.h5md`,
    /// there are more rules than a contact log can tell apart, or the file cannot be written.
    pub fn create(path: &Path, header: &Header, force: bool) -> Result<Self, RecordError> {
        check_name(path)?;
        check_rules(header)?;
        check_free(path, force)?;
        let failed = |reason: String| RecordError::Create { path: path.to_owned(), reason };
        // Two runs may begin at the same moment.
        let passing = Passing::new(path);
        let taken = || RecordError::Busy { path: path.to_owned() };
        let passing = passing.map_err(|error| match error.kind() {
            ErrorKind::WouldBlock => taken(),
            _ => failed(error.to_string()),
        })?;
        let made = Open::create::<D>(passing.path(), header).and_then(|mut open| {
            open.begin()?;
            let began = open.runs.push(RunCode::Started, 0, 0);
            open.flush()?;
            Ok(Self::of(path, open, header, began))
        });
        let mut recorder = made.map_err(|error| failed(error::reason(&error)))?;
        let may_replace = if force { MayReplace::WhatIsFree } else { MayReplace::Nothing };
        recorder.claim = Some(passing.settle(may_replace).map_err(|error| match error.kind() {
            // There was nothing when this began.
            ErrorKind::AlreadyExists if is_being_written(path) == Some(true) => taken(),
            ErrorKind::AlreadyExists => RecordError::Exists { path: path.to_owned() },
            ErrorKind::WouldBlock => taken(),
            _ => failed(error.to_string()),
        })?);
        Ok(recorder)
    }

    pub(super) fn of(path: &Path, open: Open, header: &Header, began: f64) -> Self {
        Self {
            path: path.to_owned(),
            frame_every: header.output.frame_every.max(1),
            open: Some(open),
            claim: None,
            flushed: Instant::now(),
            safe: Safe::default(),
            length: 0,
            began,
        }
    }

    /// Makes everything safe, also from a failure of the machine, and says how far the file has
    /// come.
    ///
    /// # Errors
    /// If the disk is full or the file system fails.
    pub fn bookmark(&mut self, clock: Clock) -> Result<Bookmark<'_>, RecordError> {
        self.flush(clock)?;
        self.sync()?;
        let began = self.began;
        Ok(self.open()?.bookmark(began))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many frames there are.
    pub fn frames(&self) -> u64 {
        let open = self.open.as_ref();
        open.map_or(self.safe.frames, |open| open.trajectory.frames())
    }

    /// Writes everything out, so that a sudden end cannot lose it. Happens by itself once a
    /// second.
    ///
    /// # Errors
    /// If the disk is full or the file system fails.
    pub fn flush(&mut self, clock: Clock) -> Result<(), RecordError> {
        self.hold_place()?;
        self.with(Open::flush)?;
        self.length = self
            .claim
            .as_ref()
            .and_then(|file| file.metadata().ok())
            .map_or(0, |about| about.len());
        self.flushed = Instant::now();
        self.safe = Safe { frames: self.frames(), step: clock.step };
        log::debug!(
            "{}: {} frames are safe, step {}",
            self.path.display(),
            self.safe.frames,
            clock.step
        );
        Ok(())
    }

    /// Has what was written out brought to the disk. On some file systems it comes out only now that
    /// there is no room for it.
    fn sync(&self) -> Result<(), RecordError> {
        let synced = std::fs::File::open(&self.path).and_then(|file| file.sync_all());
        synced.map_err(|error| self.error(error.to_string()))
    }

    /// The same, if it has not happened for a second.
    ///
    /// # Errors
    /// If the disk is full or the file system fails.
    pub fn flush_if_due(&mut self, clock: Clock) -> Result<(), RecordError> {
        if self.flushed.elapsed() < FLUSH_EVERY {
            return Ok(());
        }
        self.flush(clock)
    }

    /// Waits until all that the file has been given is written, so that no other thread is at work. That
    /// does not make it safe yet.
    ///
    /// # Errors
    /// If the disk is full or the file system fails.
    pub fn rest(&mut self) -> Result<(), RecordError> {
        self.with(|open| {
            let batch = open.batch();
            open.writer.write(batch)
        })
    }

    /// Writes down what the run took: a number for each name in [`Header::figures`].
    ///
    /// # Errors
    /// If the disk is full or the file system fails.
    pub fn figures(&mut self, figures: &[f64]) -> Result<(), RecordError> {
        self.open()?.runs.push_figures(figures);
        Ok(())
    }

    /// Writes down what the run warns of at its end.
    ///
    /// # Errors
    /// If the disk is full or the file system fails.
    pub fn warnings(&mut self, warnings: &[WarningRow]) -> Result<(), RecordError> {
        self.open()?.runs.push_warnings(warnings);
        Ok(())
    }

    /// Writes down that the state was altered by hand before the coming step, and the rate that was
    /// set, if one was: the rule's number, and its rate.
    ///
    /// # Errors
    /// If the disk is full or the file system fails.
    pub fn altered(&mut self, clock: Clock, rate: Option<(u16, f64)>) -> Result<(), RecordError> {
        let frames = self.frames();
        self.open()?.runs.push_altered(clock.step, frames, rate);
        Ok(())
    }

    /// Writes down how the run ended and closes the file.
    ///
    /// # Errors
    /// If the disk is full or the file system fails, or has failed before.
    pub fn finish(mut self, status: Status, clock: Clock) -> Result<(), RecordError> {
        let code = match status {
            Status::Finished => RunCode::Finished,
            Status::Interrupted => RunCode::Interrupted,
            Status::Failed => RunCode::Failed,
        };
        let frames = self.frames();
        // All that the row speaks of is on the disk before it is.
        self.flush(clock)?;
        self.sync()?;
        self.open()?.runs.push(code, clock.step, frames);
        self.flush(clock)?;
        match self.open.take().map(Open::close) {
            Some(Err(error)) => Err(self.error(error::reason(&error))),
            _ => Ok(()),
        }
    }

    /// Sees whether the file is still what others find under its name, and as long as it was. If
    /// not it is given up: the HDF5 library would look for ever for what is gone.
    fn hold_place(&mut self) -> Result<(), RecordError> {
        let Some(claim) = self.claim.as_ref().filter(|_| self.open.is_some()) else {
            return Ok(());
        };
        let what = match claim.metadata() {
            _ if !is_at(claim, &self.path) => "removed, renamed or replaced",
            Ok(about) if about.len() < self.length => "cut short",
            _ => return Ok(()),
        };
        if let Some(mut open) = self.open.take() {
            open.writer.leave();
            std::mem::forget(open);
        }
        Err(RecordError::Gone { path: self.path.clone(), what })
    }

    fn open(&mut self) -> Result<&mut Open, RecordError> {
        let Self { open, path, safe, .. } = self;
        let closed = "it was closed when an earlier write failed";
        open.as_mut().ok_or_else(|| safe.error(path, closed.into()))
    }

    /// Works on the file. After a failure the file is given up, as it was when it was last safe.
    fn with(
        &mut self,
        work: impl FnOnce(&mut Open) -> hdf5::Result<()>,
    ) -> Result<(), RecordError> {
        let open = self.open()?;
        let Err(error) = work(open) else {
            return Ok(());
        };
        let reason = error::reason(&error);
        // No thread may write to the file while it is recovered.
        let _ = open.writer.wait();
        open.writer.leave();
        // To close the file in order would write more of it, in vain, and mark as whole what is
        // not. So it is left as if the run had been killed here, and recovered; should even that
        // fail, the error at hand is still the one to report.
        std::mem::forget(self.open.take());
        self.claim = None;
        let recovered = recover(&self.path);
        if let Err(error) = recovered {
            log::warn!("{error}");
        }
        Err(self.error(reason))
    }

    fn error(&self, reason: String) -> RecordError {
        self.safe.error(&self.path, reason)
    }
}

impl Safe {
    /// Why no more than this is safe.
    fn error(self, path: &Path, reason: String) -> RecordError {
        RecordError::Write { path: path.to_owned(), reason, frames: self.frames, step: self.step }
    }
}

impl<const D: usize> Drop for Recorder<D> {
    fn drop(&mut self) {
        if self.open.is_some()
            && let Err(error) = self.hold_place().and_then(|()| self.with(Open::flush))
        {
            log::warn!("{error}");
        }
    }
}

impl Open {
    /// Makes the file, with everything in it but rows.
    pub(super) fn create<const D: usize>(path: &Path, header: &Header) -> hdf5::Result<Self> {
        // These bounds allow reading along, and HDF5 1.10 can read the file; the latest could not.
        let file = open_with(path, |locks| {
            let mut builder = File::with_options();
            builder.with_fapl(|access| access.libver_v110().file_locking(locks));
            builder.create(path)
        })?;
        write_h5md(&file, header)?;
        write_parameters::<D>(&file, header)?;
        let events = file.create_group("events")?;
        let codes = events.create_group("codes")?;
        Ok(Self {
            writer: Writer::default(),
            trajectory: Trajectory::create::<D>(&file, header)?,
            counts: Counts::create(&file, header)?,
            changes: Changes::create(&events, &codes, super::sites::are_in(&header.species))?,
            contacts: Contacts::create(&events, &codes, header)?,
            runs: Runs::create(&file, &header.figures)?,
            file,
        })
    }

    /// From now on rows are added, and others may read along.
    pub(super) fn begin(&mut self) -> hdf5::Result<()> {
        self.file.start_swmr()
    }

    /// Everything that grows but the history, in the order in which it is to be written: readers
    /// count rows by some tables, and what these refer to comes before them.
    fn tables_in_order(&mut self) -> Vec<&mut dyn Table> {
        let mut counts: Vec<_> = self.counts.iter_mut().flat_map(Counts::tables).collect();
        let [mut changes, mut contacts] = [self.changes.tables(), self.contacts.tables()];
        counts.reverse();
        changes.rotate_left(1);
        contacts.rotate_left(2);
        let frames = self.trajectory.tables_in_order();
        [frames, counts, changes, contacts].into_iter().flatten().collect()
    }

    /// Everything that waits.
    fn batch(&mut self) -> Vec<Write> {
        self.tables_in_order().into_iter().filter_map(|table| table.take_write()).collect()
    }

    /// Has what waits written, if it is worth it and the other thread is free.
    fn hand_over(&mut self) -> hdf5::Result<()> {
        let waiting: usize = self.tables_in_order().iter().map(|table| table.waiting()).sum();
        if waiting < WORTH_IT || (waiting < TOO_MUCH && self.writer.is_busy()?) {
            return Ok(());
        }
        let batch = self.batch();
        if waiting < TOO_MUCH { self.writer.hand_over(batch) } else { self.writer.write(batch) }
    }

    /// Writes out everything, one table after the other. If the library were asked to write out the
    /// whole file it would write on where the disk is full, and rows would count whose values are
    /// missing.
    pub(super) fn flush(&mut self) -> hdf5::Result<()> {
        self.writer.wait()?;
        self.tables_in_order().into_iter().try_for_each(|table| table.flush())?;
        let [contacts, blocks] = self.contacts.rows();
        let counts = self.counts.as_ref().map_or(0, Counts::rows);
        self.runs.flush(CompleteRow {
            frames: self.trajectory.frames(),
            counts: counts as u64,
            changes: self.changes.rows() as u64,
            contacts: contacts as u64,
            blocks: blocks as u64,
        })?;
        self.file.flush()
    }

    fn close(self) -> hdf5::Result<()> {
        let Self { file, .. } = self;
        file.close()
    }
}

impl<const D: usize> Observer<D> for Recorder<D> {
    fn wants_contacts(&self) -> bool {
        let open = self.open.as_ref();
        open.is_some_and(|open| open.contacts.wants_all())
    }

    fn wants_edges(&self) -> bool {
        let open = self.open.as_ref();
        open.is_some_and(|open| open.contacts.wants_edges())
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        let open = self.open()?;
        open.contacts.push(contact)?;
        if open.contacts.has_much() { Ok(self.with(Open::hand_over)?) } else { Ok(()) }
    }

    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        Ok(self.with(|open| {
            open.changes.push(change);
            if open.changes.has_much() { open.hand_over() } else { Ok(()) }
        })?)
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        if view.clock.step.is_multiple_of(self.frame_every) {
            self.hold_place()?;
            self.with(|open| {
                open.trajectory.push(view);
                open.hand_over()
            })?;
        }
        self.with(|open| match &mut open.counts {
            Some(counts) if counts.is_due(view.clock.step) => {
                counts.push(view);
                if counts.has_much() { open.hand_over() } else { Ok(()) }
            }
            _ => Ok(()),
        })?;
        match self.safe.frames {
            0 => self.flush(view.clock)?,
            _ => self.flush_if_due(view.clock)?,
        }
        Ok(())
    }
}

pub(super) fn check_name(path: &Path) -> Result<(), RecordError> {
    if path.extension().is_some_and(|extension| extension == "h5md") {
        return Ok(());
    }
    Err(RecordError::Extension { path: path.to_owned() })
}

/// Whether a file is the one of that name.
#[cfg(unix)]
pub(super) fn is_at(file: &std::fs::File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |about: std::fs::Metadata| (about.dev(), about.ino());
    file.metadata().map(number).ok() == path.metadata().map(number).ok()
}

/// Whether a file is the one of that name, as far as one can tell.
#[cfg(not(unix))]
pub(super) fn is_at(_: &std::fs::File, path: &Path) -> bool {
    path.exists()
}

pub(super) fn check_rules(header: &Header) -> Result<(), RecordError> {
    let found = header.rules.len() as u64;
    if header.output.log == LogLevel::None || found <= NO_RULE as u64 {
        return Ok(());
    }
    Err(RecordError::TooMany { what: "rules, with a contact log", most: NO_RULE as u64, found })
}
