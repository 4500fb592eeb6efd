//! Positions of particles as a file gives them, and how to read them from a CSV table.

mod csv;

use std::path::{Path, PathBuf};

use thiserror::Error;

pub use csv::read as read_csv;

/// The file that a path means, and which of its groups of particles: what comes after the last
/// colon, unless that belongs to the name of the file.
pub fn file_and_group(path: &Path) -> (PathBuf, Option<String>) {
    let name = path.file_name().and_then(|name| name.to_str());
    match name.and_then(|name| name.rsplit_once(':')) {
        Some((file, group)) if !path.exists() && path.with_file_name(file).exists() => {
            (path.with_file_name(file), Some(group.to_owned()))
        }
        _ => (path.to_owned(), None),
    }
}

/// A bond as a file gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileBond {
    /// The slots of its two particles, the lower first.
    pub slots: [u64; 2],
    /// The name of the rule that made it, if the file tells.
    pub rule: Option<String>,
}

/// Positions as a file gives them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Positions {
    /// The unit of the coordinates, if the file names one.
    pub unit: Option<String>,
    /// \[particle\], in that unit; the first `dimension` components count, the rest are zero.
    pub places: Vec<[f64; 3]>,
    /// The name of each particle's species, if the file has them. \[particle\]
    pub species: Option<Vec<String>>,
    /// Whether these names are numbers, of which there are several.
    pub numbered: bool,
    /// By how much each particle is turned, counter-clockwise, if the file says. \[particle\],
    /// \[rad\]
    pub angles: Option<Vec<f64>>,
    /// Where each particle stands in the file: its line (CSV, counted from 1) or slot (H5MD, from
    /// 0). \[particle\]
    pub source: Vec<u64>,
    /// After what lengths the axes repeat themselves, if the file says that they do; in that unit.
    pub periods: [Option<f64>; 3],
    /// The bonds among them, if the file has them.
    pub bonds: Vec<FileBond>,
    /// What `source` counts: `line` or `slot`.
    pub counted: &'static str,
}

impl Positions {
    /// Where particle `n` stands in the file, in words: `line 7`.
    pub fn row(&self, n: usize) -> String {
        format!("{} {}", self.counted, self.source[n])
    }
}

/// Why positions could not be read.
#[derive(Debug, Error)]
pub enum FileError {
    /// The file is not there, or may not be read.
    #[error("{path}: cannot be read: {error}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: String,
    },
    /// The file does not say what is needed.
    #[error("{path}: {message}")]
    Content {
        /// The file.
        path: PathBuf,
        /// What was found and what would do.
        message: String,
    },
    /// A reader of whole trajectories says what is wrong, and with which file.
    #[error("{0}")]
    Whole(String),
    /// A value in the table is wrong.
    #[error("{path}:{line}: column `{column}`: {message}")]
    Cell {
        /// The file.
        path: PathBuf,
        /// Its line, counted from 1.
        line: u64,
        /// The column's heading.
        column: String,
        /// What was found and what would do.
        message: String,
    },
}
