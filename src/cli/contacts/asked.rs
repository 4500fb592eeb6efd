//! Questions to the log with everything that was found, for callers that print nothing.

use super::Question;
use super::filter::FilterArguments;
use super::found::{Found, not_logged};
use crate::analysis::contacts::{LogBins, Query, listed};
use crate::analysis::{Columns, Reading, UnitSystem};
use crate::cli::Failure;
use crate::report::Sheet;

/// A question to the log.
#[derive(clap::Args)]
pub(in crate::cli) struct LogAsked {
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    question: Question,
    /// The maximum number of rows.
    #[arg(long, value_name = "ROWS")]
    limit: Option<usize>,
}

/// What was found.
pub(in crate::cli) struct LogAnswer {
    /// What the table is called.
    pub(in crate::cli) name: &'static str,
    /// What it is about, in words.
    pub(in crate::cli) title: &'static str,
    /// The table.
    pub(in crate::cli) table: Columns,
    /// A picture of it; a list and a number have none.
    pub(in crate::cli) figure: Option<Sheet>,
    /// What a reader has to know about the numbers.
    pub(in crate::cli) notes: Vec<String>,
}

impl LogAsked {
    /// The answer of a file.
    pub(in crate::cli) fn of(&self, reading: &Reading) -> Result<LogAnswer, Failure> {
        let filter = self.filter.to_filter()?;
        let (name, title) = (self.question.kind(), self.question.title());
        let mut notes: Vec<String> = not_logged(reading)?.into_iter().map(Into::into).collect();
        if self.question.is_list() {
            let most = self.limit.map_or(u64::MAX, |limit| limit as u64);
            let table = listed(&Query::new(reading, &filter)?, most)?;
            return Ok(LogAnswer { name, title, table, figure: None, notes });
        }
        let bins = LogBins::About(self.question.bins(40));
        let units = UnitSystem::of(reading);
        let found = self.question.find(reading, &filter, bins, units)?;
        let mut table = found.to_table(units);
        table.rows.truncate(self.limit.unwrap_or(usize::MAX));
        if let Found::Rebinding(_) = found {
            // That is no matter of the log of contacts.
            notes.clear();
        }
        notes.splice(0..0, found.remarks());
        Ok(LogAnswer { name, title, table: (&table).into(), figure: found.draw(units), notes })
    }
}
