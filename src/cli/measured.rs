//! What the laboratory finds, on the screen and in a folder.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Failure;

/// Prints figures, as JSON or in words.
pub(super) fn print(json: bool, value: &Value, words: &impl Display) -> Result<(), Failure> {
    let mut out = crate::cli::printed();
    match json {
        true => writeln!(out, "{value:#}")?,
        false => write!(out, "{words}")?,
    }
    Ok(())
}

/// Says how many files have been written.
pub(super) fn say_written(files: &[PathBuf], folder: &Path) {
    eprintln!("{} files written to {}", files.len(), folder.display());
}
