//! What can go wrong while a file is exported.

use std::io;
use std::path::{Path, PathBuf};

use jostle_analysis::ReadError;

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The target cannot be written, or the format cannot hold what it is given.
    #[error("{}: {reason}", path.display())]
    Write {
        /// The target.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Something is there already.
    #[error(
        "{} already exists; choose another name, or replace it with --force",
        .0.display()
    )]
    Exists(PathBuf),
    /// What was asked for does not fit the file.
    #[error("{0}")]
    Asked(String),
    /// It was told to stop.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

/// A write that failed; `ExportError::at` says where.
impl From<io::Error> for ExportError {
    fn from(why: io::Error) -> Self {
        let reason = match why.kind() {
            io::ErrorKind::StorageFull => "the disk is full".to_owned(),
            io::ErrorKind::NotFound => "there is no such folder".to_owned(),
            _ => why.to_string(),
        };
        Self::Write { path: PathBuf::new(), reason }
    }
}

impl ExportError {
    /// The same, where a file that could not be written is the one at `out`, unless it has a name.
    pub(super) fn at(self, out: &Path) -> Self {
        match self {
            Self::Write { path, reason } if path.as_os_str().is_empty() => {
                Self::Write { path: out.to_owned(), reason }
            }
            other => other,
        }
    }
}
