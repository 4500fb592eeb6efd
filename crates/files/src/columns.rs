//! Columns of numbers from a table of comma-separated values.

use std::path::Path;

use csv::{ReaderBuilder, Trim};

use crate::positions::FileError;
use crate::{named_text_of, shortened};

/// A longer table is none. \[bytes\]
const LONGEST_FILE: u64 = 1 << 26;

/// Reads the first `N` columns of a CSV table below its heading; lines that begin with `#` are
/// comments.
///
/// # Errors
/// If the file cannot be read, or does not hold a finite number for each of them.
pub fn read_columns<const N: usize>(path: &Path) -> Result<Vec<[f64; N]>, FileError> {
    let unreadable = |error: &dyn std::error::Error| FileError::Unreadable {
        path: path.to_owned(),
        error: error.to_string(),
    };
    let text = named_text_of(path, LONGEST_FILE).map_err(|error| unreadable(&error))?;
    let mut reader =
        ReaderBuilder::new().comment(Some(b'#')).trim(Trim::All).from_reader(text.as_bytes());
    let headings = reader.headers().map_err(|error| unreadable(&error))?.clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| unreadable(&error))?;
        let mut row = [0.0; N];
        for (column, value) in row.iter_mut().enumerate() {
            let text = record.get(column).unwrap_or_default();
            let number = text.parse().ok().filter(|x: &f64| x.is_finite());
            *value = number.ok_or_else(|| FileError::Cell {
                path: path.to_owned(),
                line: record.position().map_or(0, csv::Position::line),
                column: headings.get(column).unwrap_or_default().to_owned(),
                message: format!("found `{}`, but a finite number is needed", shortened(text, 120)),
            })?;
        }
        rows.push(row);
    }
    Ok(rows)
}
