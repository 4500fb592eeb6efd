//! What can go wrong while a file is written.

use std::path::PathBuf;

/// Why a file could not be made, written or recovered.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// There is a file of that name, and nobody said that it may go.
    #[error("{} already exists", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A run still writes the file, or somebody reads it.
    #[error("{} is in use: a run is writing it, or a program is reading it", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The name does not end in `.h5md`, which is how readers know the format.
    #[error("{} must end in .h5md: programs recognise the format by the name", path.display())]
    Extension {
        /// The file.
        path: PathBuf,
    },
    /// The file could not be made.
    #[error("cannot create {}: {reason}", path.display())]
    Create {
        /// The file.
        path: PathBuf,
        /// What the system or the HDF5 library says.
        reason: String,
    },
    /// The model has more of something than the file has room for.
    #[error("{what}: the file can hold at most {most}, not {found}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many fit.
        most: u64,
        /// How many there are.
        found: u64,
    },
    /// A write failed: the disk is full, a size limit is reached, the file system went away. The
    /// file is closed as it was when it was last safe.
    #[error(
        "cannot write to {}: {reason}; kept: at least {frames} frames, and everything up to step {step}",
        path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system or the HDF5 library says.
        reason: String,
        /// How many frames are safe.
        frames: u64,
        /// The step up to which everything is safe.
        step: u64,
    },
    /// Somebody has laid hands on the file while it was written.
    #[error("{} was {what} while the run was writing it: the run ends, since its results would be lost", path.display())]
    Gone {
        /// The file.
        path: PathBuf,
        /// What was done to it.
        what: &'static str,
    },
    /// The file cannot be resumed.
    #[error("cannot resume {}: {reason}", path.display())]
    Resume {
        /// The file.
        path: PathBuf,
        /// What in the file does not fit the run.
        reason: String,
    },
    /// The file could not be recovered.
    #[error("cannot recover {}: {reason}", path.display())]
    Recover {
        /// The file.
        path: PathBuf,
        /// What keeps it from being mended.
        reason: String,
    },
}

/// What the HDF5 library has to say, in words a user can act on.
pub(super) fn reason(error: &hdf5::Error) -> String {
    of_system(error).map_or_else(|| error.to_string(), str::to_lowercase)
}

/// What the system had against it, if it was the system.
pub(super) fn of_system(error: &hdf5::Error) -> Option<&'static str> {
    let said: Vec<String> = match error.stack() {
        Some(stack) => stack.iter().map(|frame| frame.desc().to_owned()).collect(),
        None => Vec::new(),
    };
    let system = [
        "No space left on device",
        "File too large",
        "Disk quota exceeded",
        "Permission denied",
        "No such file or directory",
        "Is a directory",
        "Read-only file system",
        "Input/output error",
        "unable to lock file",
    ];
    system.into_iter().find(|words| said.iter().any(|line| line.contains(words)))
}
