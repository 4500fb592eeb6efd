//! Reads the log of contacts together with what their impacts did.

use std::ops::{ControlFlow, Range};

use crate::contacts::{first_row, scan};
use crate::scope::Scope;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::{Column, Reading};
use jostle_h5md::record::schema::{BlockRow, ContactRow, ImpactRow};

/// Rows that are read at a time: 3 MB.
const AT_A_TIME: usize = 1 << 18;
pub(super) const IMPACTS: &str = "events/impacts";

/// Some rows of the impacts, read ahead.
struct Ahead {
    column: Column<ImpactRow>,
    first: usize,
    rows: Vec<ImpactRow>,
}

impl Ahead {
    /// The impacts of some contacts, in ascending order from call to call.
    fn get(&mut self, rows: Range<usize>) -> Result<&[ImpactRow], ReadError> {
        if rows.end > self.first + self.rows.len() {
            let end = self.column.len().min(rows.end.max(rows.start + AT_A_TIME));
            self.rows = self.column.read(rows.start.min(end)..end)?;
            self.first = rows.start;
        }
        let from = rows.start - self.first;
        Ok(&self.rows[from.min(self.rows.len())..(rows.end - self.first).min(self.rows.len())])
    }
}

/// The time that the scope leaves of what was logged. \[µs\]
pub(super) fn span(reading: &Reading, scope: &Scope) -> Result<[f64; 2], ReadError> {
    let end = end(reading)?.max(0.0);
    Ok([scope.from.unwrap_or(0.0).clamp(0.0, end), scope.to.unwrap_or(end).clamp(0.0, end)])
}

/// When the last frame was, or the last contact if a run ended between two frames. \[µs\]
fn end(reading: &Reading) -> Result<f64, ReadError> {
    let frame = reading.times()?.last().copied().unwrap_or(0.0);
    let (contacts, blocks) =
        (reading.length("events/contacts")?, reading.length("events/contacts_index")?);
    if contacts == 0 || blocks == 0 {
        return Ok(frame);
    }
    let row: Vec<ContactRow> = reading.column("events/contacts", contacts - 1..contacts)?;
    let block: Vec<BlockRow> = reading.column("events/contacts_index", blocks - 1..blocks)?;
    let contact =
        row.iter().zip(&block).map(|(row, block)| block.step as f64 + f64::from(row.time));
    Ok(contact.map(|steps| steps * reading.timestep()).fold(frame, f64::max))
}

/// Calls `visit` with every contact of the scope and what its impact did, in the order of time.
///
/// # Errors
/// If the file cannot be read, or has no impacts.
pub(super) fn visit(
    reading: &Reading,
    scope: &Scope,
    mut visit: impl FnMut(&ContactRow, &ImpactRow),
) -> Result<(), ReadError> {
    if !reading.has(IMPACTS) {
        return Err(super::missing(reading, IMPACTS));
    }
    let span = span(reading, scope)?;
    // The last contact counts, unless the scope ends earlier.
    let last = scope.to.unwrap_or(f64::INFINITY);
    let timestep = reading.timestep();
    // A contact at the very end of a step has the time at which the next begins.
    let begin = ((span[0] / timestep).floor() - 1.0).max(0.0) as u64;
    let steps = begin..((span[1] / timestep).ceil() as u64).saturating_add(1);
    let mut row = first_row(reading, steps.start)?;
    let mut ahead = Ahead { column: reading.open_column(IMPACTS)?, first: row, rows: Vec::new() };
    scan(reading, steps, |step, contacts| {
        let impacts = ahead.get(row..row + contacts.len())?;
        row += contacts.len();
        for (contact, impact) in contacts.iter().zip(impacts) {
            let time = (step as f64 + f64::from(contact.time)) * timestep;
            if time >= span[0] && time < last {
                visit(contact, impact);
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}
