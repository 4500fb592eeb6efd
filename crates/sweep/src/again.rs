//! The model that a file was made from, run again: continued, or repeated.

use std::io;
use std::path::Path;

use jostle_analysis::ReadError;
use jostle_h5md::record::RecordError;
use jostle_model::{Faults, Model};
use jostle_run::RunError;

/// Why a run cannot be continued or repeated.
#[derive(Debug, thiserror::Error)]
pub enum AgainError {
    /// Its model is refused.
    #[error(transparent)]
    Model(#[from] Faults),
    /// It failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Its file cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Its file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The system refuses something.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It would become another run, which has to be allowed.
    #[error("{0}")]
    Changed(String),
    /// Something else; the text says what.
    #[error("{0}")]
    Refused(String),
}

impl From<String> for AgainError {
    fn from(why: String) -> Self {
        Self::Refused(why)
    }
}

/// The model that a file was made from, everything in it resolved, with what is set on top of it.
///
/// # Errors
/// If the file cannot be read, or what is set is refused.
pub fn model_of(path: &Path, overrides: &[(String, String)]) -> Result<Model, AgainError> {
    let (_, resolved) = jostle_analysis::open(path)?.model()?;
    let mut model = jostle_model::parse(&resolved, &path.display().to_string(), overrides)?;
    model.source.path = Some(path.to_owned());
    Ok(model)
}
