//! What can go wrong while a file is read.

use std::path::PathBuf;

use jostle_files::plain_line;

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
    /// The file is in the right format, but something that only our files have is not in it: an
    /// answer of its own kind, since the frames of any H5MD file can be read.
    #[error("{} has no {missing}: it was {}", path.display(), whose(by))]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was looked for.
        missing: String,
        /// The program that wrote the file.
        by: String,
    },
    /// The file is HDF5, but there are no frames in it.
    #[error("{} is an HDF5 file, but not an H5MD trajectory: {missing}", path.display())]
    NotH5md {
        /// The file.
        path: PathBuf,
        /// What was looked for.
        missing: String,
    },
    /// A part at the end of the file is missing.
    #[error(
        "{0} is cut short: its end is missing, as after an interrupted copy (jostle recover {0} makes \
         the rest readable)",
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
    /// Something in the file leads out of it.
    #[error("{} is refused: {}: {reason}", path.display(), plain_line(what))]
    Refused {
        /// The file.
        path: PathBuf,
        /// The object in the file that is refused, by its path there.
        what: String,
        /// Why it is refused.
        reason: String,
    },
    /// Something was asked for by a name that the file does not have.
    #[error("{} has no {what} \"{name}\"; it has {known}", path.display())]
    NoSuch {
        /// The file.
        path: PathBuf,
        /// What was asked for: species, rule, outcome.
        what: &'static str,
        /// By this name.
        name: String,
        /// The names that there are.
        known: String,
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

fn whose(by: &str) -> String {
    match by {
        "" => "not written by jostle".to_owned(),
        by if by.starts_with("jostle") => format!("written by another version, {by}"),
        by => format!("written by {by}, not by jostle"),
    }
}
