//! Positions of particles, from the last frame of an H5MD file or from a CSV table.

mod bonds;
mod trajectory;

use std::path::Path;

use jostle_files::is_endless;
use jostle_files::positions::{FileError, Positions, file_and_group, read_csv};

/// Reads positions in `dimension` dimensions (1, 2 or 3). Files that end in `.h5md` or `.h5` are
/// H5MD: the last frame of the trajectory (`FILE:GROUP` of several groups of particles). All others are CSV: a heading `x,y,z` (as many as there
/// are dimensions, with a unit if one is needed: `x_nm`), optionally columns `species` and `angle`
/// (in rad; `angle_deg` in degrees), other columns are passed over; lines that begin with `#` are
/// comments.
///
/// # Errors
/// If the file cannot be read, or does not hold a finite number for every coordinate.
pub fn read(path: &Path, dimension: usize) -> Result<Positions, FileError> {
    if is_endless(path) {
        return Err(FileError::Content {
            path: path.to_owned(),
            message: "this is not a regular file".into(),
        });
    }
    let (file, _) = file_and_group(path);
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("h5md" | "h5" | "hdf5") => trajectory::read(path, dimension),
        _ => read_csv(path, dimension),
    }
}
