//! Reads what a run has warned of.

use super::{ReadError, Reading};
use crate::record::warnings::{WarningRow, latest};
use jostle_core::words::counted;

/// No file of ours has more rows.
const MOST_WARNINGS: usize = 1 << 18;

/// What the run has warned of when it ended, in words; none if it has not ended yet, and in files of
/// earlier versions. A warning of a run that was resumed begins with the step at which it was given,
/// unless the whole run gives it as well.
///
/// # Errors
/// If it cannot be read.
pub fn warnings(reading: &Reading) -> Result<Vec<String>, ReadError> {
    let name = "runs/warnings";
    if !reading.has(name) {
        return Ok(Vec::new());
    }
    let count = reading.length(name)?;
    if count > MOST_WARNINGS {
        let warnings = counted(count as u64, "warning");
        return Err(reading.damaged(name, &format!("it has {warnings}, far more than any run")));
    }
    let rows: Vec<WarningRow> = reading.column(name, 0..count)?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let (rules, words) = (reading.rules()?, reading.texts("runs/warning_codes")?);
    let last = reading.last_step()? as i64;
    let text = |row: WarningRow| {
        let word = || words.get(usize::from(row.code)).cloned();
        let text = row.text(&rules).or_else(word);
        let text = text.unwrap_or_else(|| format!("warning {}", row.code));
        match row.step < last {
            true => format!("up to step {}, {text}", row.step),
            false => text,
        }
    };
    Ok(latest(rows).into_iter().map(text).collect())
}
