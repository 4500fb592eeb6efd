//! Reads the log of contacts together with what their impacts did.

use std::ops::ControlFlow;

use crate::contacts::{LoggedImpacts, first_row, scan};
use crate::scope::Scope;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use jostle_h5md::record::schema::{BlockRow, ContactRow, ImpactRow};

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

/// Calls `visit` with time \[µs\], contact and impact of every contact of the scope, in the order of time.
///
/// # Errors
/// If the file cannot be read, or has no impacts.
pub(super) fn visit(
    reading: &Reading,
    scope: &Scope,
    mut visit: impl FnMut(f64, &ContactRow, &ImpactRow),
) -> Result<(), ReadError> {
    let span = span(reading, scope)?;
    // The last contact counts, unless the scope ends earlier.
    let last = scope.to.unwrap_or(f64::INFINITY);
    let timestep = reading.timestep();
    // A contact at the very end of a step has the time at which the next begins.
    let begin = ((span[0] / timestep).floor() - 1.0).max(0.0) as u64;
    let steps = begin..((span[1] / timestep).ceil() as u64).saturating_add(1);
    let row = first_row(reading, steps.start)?;
    let Some(mut impacts) = LoggedImpacts::open(reading, row)? else {
        return Err(super::missing(reading, "events/impacts"));
    };
    scan(reading, steps, |step, contacts| {
        for (contact, impact) in contacts.iter().zip(impacts.of_next(contacts.len())?) {
            let time = (step as f64 + f64::from(contact.time)) * timestep;
            if time >= span[0] && time < last {
                visit(time, contact, impact);
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}
