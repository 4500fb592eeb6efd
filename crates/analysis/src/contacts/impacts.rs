//! What the impacts of logged contacts did, read beside the log.

use std::ops::Range;

use jostle_h5md::reading::{Column, ReadError, Reading};
use jostle_h5md::record::schema::ImpactRow;

/// Rows that are read at a time: 3 MB.
const AT_A_TIME: usize = 1 << 18;
const IMPACTS: &str = "events/impacts";

/// The impacts of contacts, in the order of the log.
pub(crate) struct LoggedImpacts {
    column: Column<ImpactRow>,
    /// The row of the next contact.
    next: usize,
    /// Those that have been read, from this row on.
    first: usize,
    rows: Vec<ImpactRow>,
}

impl LoggedImpacts {
    /// Those from the contact of this row on; none if the file is not that of a granular run.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn open(reading: &Reading, row: usize) -> Result<Option<Self>, ReadError> {
        if !Self::are_in(reading) {
            return Ok(None);
        }
        let column = reading.open_column(IMPACTS)?;
        Ok(Some(Self { column, next: row, first: row, rows: Vec::new() }))
    }

    /// Whether a file has them.
    pub(crate) fn are_in(reading: &Reading) -> bool {
        reading.has(IMPACTS)
    }

    /// Those of the next contacts.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn of_next(&mut self, contacts: usize) -> Result<&[ImpactRow], ReadError> {
        let wanted = self.next..self.next + contacts;
        self.next = wanted.end;
        self.get(wanted)
    }

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
