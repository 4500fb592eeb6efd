//! What can go wrong while a file is read.

use std::path::PathBuf;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system does not let us at the file.
    #[error("cannot open {}: {reason}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The file is of another format.
    #[error("{} is not an HDF5 file", path.display())]
    NotHdf5 {
        /// The file.
        path: PathBuf,
    },
    /// The file is in the right format, but something that we write is not in it.
    #[error("{} was not written by jostle, or by another version of it: it has no {missing}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was looked for.
        missing: String,
    },
    /// A part at the end of the file is missing.
    #[error(
        "{0} is cut short: its end is missing, as after a copy that was broken off (jostle recover {0} \
         makes what is left readable)",
        path.display()
    )]
    CutShort {
        /// The file.
        path: PathBuf,
    },
    /// The file contradicts itself or cannot be read to its end.
    #[error("{} is damaged: {what}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was being read.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The file is sound, but there is too little in it for the question.
    #[error("{}: {reason}", path.display())]
    TooLittle {
        /// The file.
        path: PathBuf,
        /// What is missing.
        reason: String,
    },
}
