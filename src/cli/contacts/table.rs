//! Queries of the contact log whose answers can be merged over several runs: what a sweep measures.

use super::filter::FilterArguments;
use super::{By, LogQuestion, Question};
use crate::analysis::contacts::LogBins;
use crate::analysis::{Reading, Table, UnitSystem};
use crate::cli::Failure;

/// Bins to a factor of ten: the same for all runs of a sweep, whatever their times are.
const PER_DECADE: usize = 10;

/// A query that is answered by a table with the same rows in all runs, as far as these have them.
#[derive(clap::Args)]
pub(in crate::cli) struct LogTable {
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    question: Question,
}

impl LogTable {
    /// Refuses what has no such table.
    pub(in crate::cli) fn check(&self) -> Result<(), String> {
        let Question { count, group_by, sort, histogram, bins, .. } = &self.question;
        if !count && group_by.is_empty() && histogram.is_none() {
            return Err("contact-log: give group-by, histogram, or count = true; contacts of several runs are not \
                        listed"
                .into());
        }
        if group_by.iter().any(|by| matches!(by, By::Id | By::Pair | By::Cluster)) {
            return Err("group-by: identities differ between runs; group by species, outcome, rule, wall or time".into());
        }
        if sort.is_some() {
            return Err("sort: groups of several runs are in the order of their keys".into());
        }
        if bins.is_some() && !matches!(histogram, Some(LogQuestion::Place)) {
            return Err(format!(
                "bins: histograms of times have {PER_DECADE} bins to a factor of ten, the same in all runs"
            ));
        }
        Ok(())
    }

    /// What the answer is called.
    pub(in crate::cli) fn kind(&self) -> &'static str {
        self.question.kind()
    }

    /// The answer of a file.
    pub(in crate::cli) fn of(&self, reading: &Reading) -> Result<Table, Failure> {
        let filter = self.filter.to_filter()?;
        // As in the file: the tables of all runs are put together.
        let units = UnitSystem::Molecules;
        let found = self.question.find(reading, &filter, LogBins::PerDecade(PER_DECADE), units)?;
        Ok(found.to_table(units))
    }
}
