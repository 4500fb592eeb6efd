//! What a run of any kind writes, and how it ends.

use std::path::Path;

use super::{Ending, Options, RunError, SelfCheckFault, Written};
use crate::observe::{Clock, Nobody, Observer, ObserverError};
use crate::record::{Header, RecordError, Recorder, Status};

/// The file of a run; one that writes none has none.
pub(super) struct Tape<'a, const D: usize> {
    out: Option<&'a Path>,
    record: Option<Recorder<D>>,
    nobody: Nobody,
}

impl<'a, const D: usize> Tape<'a, D> {
    /// Creates the file that the options name.
    pub(super) fn new(options: &Options<'a>, header: &Header) -> Result<Self, RecordError> {
        let record = match options.out {
            Some(path) => Some(Recorder::<D>::create(path, header, options.force)?),
            None => None,
        };
        if let Some(record) = &record {
            log::info!("{} created", record.path().display());
        }
        Ok(Self { out: options.out, record, nobody: Nobody })
    }

    /// Who is to hear of the run.
    pub(super) fn observer(&mut self) -> &mut dyn Observer<D> {
        match &mut self.record {
            Some(record) => record,
            None => &mut self.nobody,
        }
    }

    /// Closes the file, however the run went: how it ended, and what was written.
    ///
    /// # Errors
    /// If the run failed, as `failed` says where what was done is kept, or if the file cannot be written.
    pub(super) fn close<E>(
        self,
        done: Result<Ending, E>,
        figures: &[f64],
        clock: Clock,
        failed: impl FnOnce(E, Option<&Path>) -> RunError,
    ) -> Result<(Ending, Option<Written>), RunError> {
        let status = match &done {
            Ok(Ending::Finished) => Status::Finished,
            Ok(Ending::Interrupted) => Status::Interrupted,
            Err(_) => Status::Failed,
        };
        let frames = self.record.as_ref().map_or(0, Recorder::frames);
        let closed = self.record.map_or(Ok(()), |mut record| {
            let figures = record.figures(figures);
            record.finish(status, clock).and(figures)
        });
        let ending = done.map_err(|reason| failed(reason, self.out))?;
        closed?;
        Ok((ending, self.out.map(|path| Written::new(path, frames))))
    }
}

/// What an observer of a run could not do: a recorder that failed says itself what it could keep, what a
/// self-check saw is said as it is, and of others `kept` makes an error.
pub(super) fn observer_failed(
    source: ObserverError,
    out: Option<&Path>,
    kept: impl FnOnce(ObserverError) -> RunError,
) -> RunError {
    match source.downcast::<RecordError>().map_err(|source| source.downcast::<SelfCheckFault>()) {
        Ok(error) => RunError::Record(*error),
        Err(Ok(reason)) => RunError::SelfCheck { reason: *reason, out: out.map(Path::to_owned) },
        Err(Err(source)) => kept(source),
    }
}
