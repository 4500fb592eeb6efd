//! What a run of any kind writes, and how it ends.

use std::path::Path;
use std::path::PathBuf;

use super::checkpoint::{self, Continued};
use super::drive::{Chain, Plan};
use super::{Ending, RunError, SelfCheckFault, Written};
use jostle_core::engine::{Alteration, Engine};
use jostle_core::observe::{Change, Clock, Contact, Observer, ObserverError, View};
use jostle_h5md::record::{Bookmark, Header, RecordError, Recorder, Status, WarningRow};

/// The file of a run; one that writes none has none.
pub(super) struct Tape<const D: usize> {
    out: Option<PathBuf>,
    record: Option<Recorder<D>>,
    is_continued: bool,
    frame_every: u64,
}

impl<const D: usize> Tape<D> {
    /// Creates the file that is planned, or resumes one at `clock`.
    pub(super) fn new(
        plan: &Plan<'_>,
        header: &Header,
        continued: Option<Continued>,
        clock: Clock,
    ) -> Result<Self, RecordError> {
        let is_continued = continued.is_some();
        let out = plan.out.map(Path::to_owned);
        let record = match (&out, continued) {
            (Some(path), Some(Continued { out, kept, bookmark, manner, .. })) => {
                let record = Recorder::<D>::resume(&out, path, header, bookmark, clock, manner)?;
                checkpoint::settle(path, &out, &kept);
                Some(record)
            }
            (Some(path), None) => {
                let record = Recorder::<D>::create(path, header, plan.force)?;
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

impl<const D: usize> Chain<D> for Tape<D> {
    fn tape(&mut self) -> &mut Self {
        self
    }
}

impl<const D: usize> Observer<D> for Tape<D> {
    fn wants_contacts(&self) -> bool {
        self.record.as_ref().is_some_and(Recorder::wants_contacts)
    }

    fn wants_edges(&self) -> bool {
        self.record.as_ref().is_some_and(Recorder::wants_edges)
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        self.record.as_mut().map_or(Ok(()), |record| record.contact(contact))
    }

    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        self.record.as_mut().map_or(Ok(()), |record| record.change(change))
    }

    fn wants_step(&self, clock: Clock) -> bool {
        clock.step.is_multiple_of(self.frame_every)
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        self.record.as_mut().map_or(Ok(()), |record| record.step(view))
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
