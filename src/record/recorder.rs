//! The observer that writes the file.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hdf5::File;

use super::changes::Changes;
use super::contacts::Contacts;
use super::error::{self, RecordError};
use super::header::{Header, write_h5md, write_parameters};
use super::runs::Runs;
use super::schema::{NO_RULE, RunCode};
use super::trajectory::Trajectory;
use crate::observe::{Change, Clock, Contact, Observer, ObserverError, View};
use crate::output::LogLevel;

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
/// file that is whole but does not say how the run ended.
pub struct Recorder<const D: usize> {
    path: PathBuf,
    frame_every: u64,
    tables: Tables,
    file: File,
    flushed: Instant,
    safe: Safe,
}

/// What has reached the file system.
#[derive(Clone, Copy, Default)]
struct Safe {
    frames: u64,
    step: u64,
}

/// Everything that grows. Dropped before the file is closed.
struct Tables {
    trajectory: Trajectory,
    changes: Changes,
    contacts: Contacts,
    runs: Runs,
}

impl<const D: usize> Recorder<D> {
    /// Makes the file, with everything in it but frames and events. An existing file is replaced
    /// only if `force` is set.
    ///
    /// # Errors
    /// If there is such a file already, the name does not end in `.h5md`, there are more rules
    /// than a contact log can tell apart, or the file cannot be written.
    pub fn create(path: &Path, header: &Header, force: bool) -> Result<Self, RecordError> {
        check_name(path)?;
        check_rules(header)?;
        reserve(path, force)?;
        let made = Self::make(path, header);
        made.map_err(|error| error::create(path, &error))
    }

    fn make(path: &Path, header: &Header) -> hdf5::Result<Self> {
        // These bounds allow reading along, and HDF5 1.10 can read the file; the latest could not.
        let file = File::with_options().with_fapl(|access| access.libver_v110()).create(path)?;
        write_h5md(&file, header)?;
        write_parameters::<D>(&file, header)?;
        let events = file.create_group("events")?;
        let codes = events.create_group("codes")?;
        let mut tables = Tables {
            trajectory: Trajectory::create::<D>(&file, header)?,
            changes: Changes::create(&events, &codes)?,
            contacts: Contacts::create(&events, &codes, header)?,
            runs: Runs::create(&file)?,
        };
        drop((events, codes));
        file.start_swmr()?;
        tables.runs.push(RunCode::Started, 0, 0)?;
        file.flush()?;
        Ok(Self {
            path: path.to_owned(),
            frame_every: header.output.frame_every.max(1),
            tables,
            file,
            flushed: Instant::now(),
            safe: Safe::default(),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many frames there are.
    pub fn frames(&self) -> u64 {
        self.tables.trajectory.frames()
    }

    /// Writes everything out, so that a sudden end cannot lose it. Happens by itself once a
    /// second.
    ///
    /// # Errors
    /// If the disk is full or the file system fails.
    pub fn flush(&mut self, clock: Clock) -> Result<(), RecordError> {
        let written = self.tables.write().and_then(|()| self.file.flush());
        written.map_err(|error| self.failed(&error))?;
        self.flushed = Instant::now();
        self.safe = Safe { frames: self.frames(), step: clock.step };
        Ok(())
    }

    /// Writes down how the run ended and closes the file.
    ///
    /// # Errors
    /// If the disk is full or the file system fails.
    pub fn finish(mut self, status: Status, clock: Clock) -> Result<(), RecordError> {
        let code = match status {
            Status::Finished => RunCode::Finished,
            Status::Interrupted => RunCode::Interrupted,
            Status::Failed => RunCode::Failed,
        };
        let frames = self.frames();
        let pushed = self.tables.runs.push(code, clock.step, frames);
        pushed.map_err(|error| self.failed(&error))?;
        self.flush(clock)?;
        let (path, safe) = (self.path, self.safe);
        drop(self.tables);
        let closed = self.file.close();
        closed.map_err(|error| write_error(&path, safe, &error))
    }

    fn failed(&self, error: &hdf5::Error) -> RecordError {
        write_error(&self.path, self.safe, error)
    }
}

impl Tables {
    fn write(&mut self) -> hdf5::Result<()> {
        self.changes.write()?;
        self.contacts.write()
    }
}

impl<const D: usize> Observer<D> for Recorder<D> {
    fn wants_contacts(&self) -> bool {
        self.tables.contacts.wants_all()
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        self.tables.contacts.push(contact)?;
        let written = self.tables.contacts.write_chunks();
        Ok(written.map_err(|error| self.failed(&error))?)
    }

    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        self.tables.changes.push(change);
        let written = self.tables.changes.write_chunks();
        Ok(written.map_err(|error| self.failed(&error))?)
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        if view.clock.step.is_multiple_of(self.frame_every) {
            let written = self.tables.trajectory.write(view);
            written.map_err(|error| self.failed(&error))?;
        }
        if self.flushed.elapsed() >= FLUSH_EVERY || self.safe.frames == 0 {
            self.flush(view.clock)?;
        }
        Ok(())
    }
}

fn write_error(path: &Path, safe: Safe, error: &hdf5::Error) -> RecordError {
    RecordError::Write {
        path: path.to_owned(),
        reason: error::reason(error),
        frames: safe.frames,
        step: safe.step,
    }
}

fn check_name(path: &Path) -> Result<(), RecordError> {
    if path.extension().is_some_and(|extension| extension == "h5md") {
        return Ok(());
    }
    Err(RecordError::Extension { path: path.to_owned() })
}

fn check_rules(header: &Header) -> Result<(), RecordError> {
    let found = header.rules.len() as u64;
    if header.output.log == LogLevel::None || found <= NO_RULE as u64 {
        return Ok(());
    }
    Err(RecordError::TooMany { what: "rules, with a contact log", most: NO_RULE as u64, found })
}

/// Makes an empty file, so that what the system has against it comes out in its own words.
fn reserve(path: &Path, force: bool) -> Result<(), RecordError> {
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(false);
    } else {
        options.create_new(true);
    }
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(RecordError::Exists { path: path.to_owned() })
        }
        Err(error) => Err(RecordError::Create { path: path.to_owned(), reason: error.to_string() }),
    }
}
