//! Asks the contact log: which particles met, where, when, how often, and what came of it.
//!
//! A [`Filter`] says which contacts, a [`Query`] finds them: the index over time bounds what is
//! read, the log is read ahead in blocks on a thread of its own, and memory stays bounded whatever
//! its length. On top of it stand the count, the list, [`groups`](Grouping) and histograms.

mod columns;
mod filter;
mod groups;
mod histograms;
mod impacts;
mod list;
mod meetings;
mod query;
mod rebinding;
mod scan;

pub use super::histogram::LogBins;
pub use columns::listed;
pub use filter::Filter;
pub use filter::is_of;
pub use groups::{Group, Grouping, Groups, Key};
pub use histograms::{Apart, Intervals, PlaceMap, intervals, places};
pub(super) use impacts::LoggedImpacts;
pub use list::{columns, list};
pub use meetings::{Meetings, contacts_per_pair, meetings_before_bound};
pub use query::{Met, Query};
pub use rebinding::{Rebinding, rebinding};
pub(super) use scan::{first_row, scan};

use std::ops::Range;

use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use jostle_h5md::record::schema::{ContactRow, NO_RULE, NO_SPECIES, WALL};

/// Calls `visit(step, contact)` for every contact logged in the given steps, in the order of
/// time. Finds the first by bisection and holds a bounded number of rows in memory.
///
/// # Errors
/// If the file cannot be read, or the index contradicts the log.
pub fn visit_contacts(
    reading: &Reading,
    steps: Range<u64>,
    mut visit: impl FnMut(u64, &ContactRow),
) -> Result<(), ReadError> {
    scan::scan(reading, steps, |step, rows| {
        rows.iter().for_each(|row| visit(step, row));
        Ok(std::ops::ControlFlow::Continue(()))
    })
}

/// Counts the contacts that pass a filter by species and outcome.
///
/// # Errors
/// If the file cannot be read, or has no contact log.
pub fn contacts_by_pair(reading: &Reading, filter: &Filter) -> Result<Groups, ReadError> {
    let grouping = Grouping { keys: vec![Key::Species, Key::Outcome], every: None };
    Query::new(reading, filter)?.group(&grouping)
}

/// The words for the codes in the log.
pub(super) struct Words {
    species: Vec<String>,
    outcomes: Vec<String>,
    rules: Vec<String>,
    faces: Vec<String>,
}

impl Words {
    pub(super) fn of(reading: &Reading) -> Result<Self, ReadError> {
        Ok(Self {
            species: reading.species().to_vec(),
            outcomes: reading.texts("events/codes/outcomes")?,
            rules: reading.rules()?,
            faces: reading.texts("events/codes/faces")?,
        })
    }

    /// The name of a species, or `wall`.
    fn species(&self, code: u16) -> String {
        match code {
            NO_SPECIES => "wall".into(),
            code => word(&self.species, code.into()),
        }
    }

    fn outcome(&self, code: u8) -> String {
        word(&self.outcomes, code.into())
    }

    /// The name of the rule that decided, or nothing.
    fn rule(&self, code: u16) -> Option<String> {
        (code != NO_RULE).then(|| word(&self.rules, code.into()))
    }

    /// The name of the face of the box that `b` stands for.
    fn face(&self, b: u32) -> String {
        word(&self.faces, (WALL - b) as usize)
    }
}

/// The word for a code.
pub(super) fn word(words: &[String], code: usize) -> String {
    words.get(code).cloned().unwrap_or_else(|| format!("code {code}"))
}
