//! What a run of any kind writes, and how it ends.

use std::path::{Path, PathBuf};

use super::checkpoint::{self, Continued};
use super::error::RunError;
use super::self_check::SelfCheckFault;
use super::summary::{Ending, Written};
use jostle_core::engine::{Alteration, Engine};
use jostle_core::observe::Clock;
use jostle_h5md::record::{Bookmark, Header, RecordError, Recorder, Status, WarningRow};

/// The file of a run; one that writes none has none.
pub(super) struct Tape<const D: usize> {
    out: Option<PathBuf>,
    pub(super) record: Option<Recorder<D>>,
    is_continued: bool,
    frame_every: u64,
}

impl<const D: usize> Tape<D> {
    /// Creates the file `out`, which may replace another if it is forced to, or resumes one at
    /// `clock`.
    pub(super) fn new(
        out: Option<&Path>,
        force: bool,
        header: &Header,
        continued: Option<Continued>,
        clock: Clock,
    ) -> Result<Self, RecordError> {
        let is_continued = continued.is_some();
        let out = out.map(Path::to_owned);
        let record = match (&out, continued) {
            (Some(path), Some(Continued { out, kept, bookmark, manner, .. })) => {
                let record = Recorder::<D>::resume(&out, path, header, bookmark, clock, manner)?;
                checkpoint::settle(path, &out, &kept);
                Some(record)
            }
            (Some(path), None) => {
                let record = Recorder::<D>::create(path, header, force)?;
                // What was kept of a run whose file this replaces leads nowhere.
                checkpoint::forget(path);
                Some(record)
            }
            (None, _) => None,
        };
        if let Some(record) = &record {
            log::info!(
                "{} {}",
                record.path().display(),
                if is_continued { "continued" } else { "created" }
            );
        }
        Ok(Self { out, record, is_continued, frame_every: header.output.frame_every.max(1) })
    }

    /// Whether it resumes what another run has written.
    pub(super) fn is_continued(&self) -> bool {
        self.is_continued
    }

    /// Whether the state of this moment is a frame of it.
    pub(super) fn wants_step(&self, clock: Clock) -> bool {
        clock.step.is_multiple_of(self.frame_every)
    }

    /// Makes the file safe, and says how far it has come.
    pub(super) fn bookmark(
        &mut self,
        clock: Clock,
    ) -> Result<Option<(&Path, Bookmark<'_>)>, RecordError> {
        let (Some(out), Some(record)) = (&self.out, &mut self.record) else { return Ok(None) };
        Ok(Some((out, record.bookmark(clock)?)))
    }

    /// Makes the file safe from a sudden end, once a second.
    pub(super) fn flush_if_due(&mut self, clock: Clock) -> Result<(), RecordError> {
        self.record.as_mut().map_or(Ok(()), |record| record.flush_if_due(clock))
    }

    /// Waits until all that the file has been given is written.
    pub(super) fn rest(&mut self) -> Result<(), RecordError> {
        self.record.as_mut().map_or(Ok(()), Recorder::rest)
    }

    /// Writes down that the state was changed by hand.
    pub(super) fn altered(
        &mut self,
        clock: Clock,
        alteration: Alteration<'_>,
    ) -> Result<(), RecordError> {
        let rate = match alteration {
            Alteration::SetRate { rule, rate } => Some((rule, rate)),
            Alteration::Add { .. } | Alteration::Remove { .. } => None,
        };
        self.record.as_mut().map_or(Ok(()), |record| record.altered(clock, rate))
    }

    /// Closes the file, however the run went: how it ended, and what was written.
    ///
    /// # Errors
    /// If the run failed, or if the file cannot be written.
    pub(super) fn close<E: Engine<D>>(
        self,
        done: Result<Ending, E::Error>,
        figures: &[f64],
        warnings: &[WarningRow],
        engine: &E,
    ) -> Result<(Ending, Option<Written>), RunError> {
        let status = match &done {
            Ok(Ending::Finished) => Status::Finished,
            Ok(Ending::Interrupted | Ending::BrokenOff) => Status::Interrupted,
            Err(_) => Status::Failed,
        };
        let frames = self.record.as_ref().map_or(0, Recorder::frames);
        let closed = self.record.map_or(Ok(()), |mut record| {
            let told = record.figures(figures).and_then(|()| record.warnings(warnings));
            record.finish(status, engine.clock()).and(told)
        });
        let out = self.out.as_deref();
        let ending = done.map_err(|error| failed(engine, error, out))?;
        closed?;
        Ok((ending, out.map(|path| Written::new(path, frames))))
    }
}

/// Why a run failed: a recorder that failed says itself what it could keep, what a self-check saw
/// is said as it is; all else is a step that failed.
fn failed<const D: usize, E: Engine<D>>(
    engine: &E,
    error: E::Error,
    out: Option<&Path>,
) -> RunError {
    let out = out.map(Path::to_owned);
    let source = match E::complaint(error) {
        Ok(source) => source,
        Err(reason) => return RunError::Step { reason: reason.into(), out },
    };
    match source.downcast::<RecordError>().map_err(|source| source.downcast::<SelfCheckFault>()) {
        Ok(error) => RunError::Record(*error),
        Err(Ok(reason)) => RunError::SelfCheck { reason: *reason, out },
        Err(Err(source)) => RunError::Step { reason: engine.failed(source).into(), out },
    }
}
