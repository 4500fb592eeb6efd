//! Positions of bodies, from a CSV table or the last frame of an H5MD file.

mod bonds;
mod csv;
mod h5md;

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::is_endless;
pub use bonds::FileBond;

/// Positions as a file gives them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Positions {
    /// The unit of the coordinates, if the file names one.
    pub unit: Option<String>,
    /// \[body\], in that unit; the first `dimension` components count, the rest are zero.
    pub places: Vec<[f64; 3]>,
    /// The name of each body's species, if the file has them. \[body\]
    pub species: Option<Vec<String>>,
    /// By how much each body is turned, counter-clockwise, if the file says. \[body\], \[rad\]
    pub angles: Option<Vec<f64>>,
    /// Where each body stands in the file: its line (CSV, counted from 1) or slot (H5MD, from 0).
    /// \[body\]
    pub source: Vec<u64>,
    /// The bonds among them, if the file has them.
    pub bonds: Vec<FileBond>,
    /// What `source` counts: `line` or `slot`.
    pub counted: &'static str,
}

impl Positions {
    /// Where body `n` stands in the file, in words: `line 7`.
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

/// Reads positions in `dimension` dimensions (1, 2 or 3). Files that end in `.h5md` or `.h5` are
/// H5MD: the last frame of the trajectory. All others are CSV: a heading `x,y,z` (as many as there
/// are dimensions, with a unit if one is needed: `x_nm`), optionally columns `species` and
/// `angle` (in rad; `angle_deg` in degrees), other columns are passed over; lines that begin with `#` are comments.
///
/// # Errors
/// If the file cannot be read, or does not hold a finite number for every coordinate.
pub fn read(path: &Path, dimension: usize) -> Result<Positions, FileError> {
    if is_endless(path) {
        return Err(FileError::Content { path: path.to_owned(), message: "this is no ordinary file".into() });
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension {
        Some("h5md" | "h5" | "hdf5") => h5md::read(path, dimension),
        _ => csv::read(path, dimension),
    }
}
