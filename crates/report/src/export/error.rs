//! What can go wrong while a file is exported.

use std::io;
use std::path::{Path, PathBuf};

use jostle_analysis::ReadError;
use jostle_analysis::ask::QuestionError;

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
    #[error("{} already exists", .0.display())]
    Exists(PathBuf),
    /// What was asked for does not fit the file.
    #[error(transparent)]
    Asked(#[from] QuestionError),
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
    /// What was asked for does not fit the file; the text says why.
    pub(super) fn asked(why: String) -> Self {
        QuestionError::Other(why).into()
    }

    /// A format holds one frame, but more are asked for.
    pub(super) fn one_frame(why: String) -> Self {
        QuestionError::about("frames", why).into()
    }

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
