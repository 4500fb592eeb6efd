//! Queries of the contact log whose answers can be merged over several runs: what a sweep measures.

use super::filter::{FilterArguments, only_what_parts_tell};
use super::{By, LogQuestion, Of, Question};
use crate::analysis::contacts::{LogBins, Query, intervals, rebinding};
use crate::analysis::{Reading, Table};
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
        match self.question.histogram {
            Some(LogQuestion::Rebinding) => "rebinding_times",
            Some(LogQuestion::Interval) => "contact_intervals",
            Some(LogQuestion::Place) => "contact_places",
            None if self.question.count => "contact_count",
            None => "contact_groups",
        }
    }

    /// The answer of a file.
    pub(in crate::cli) fn of(&self, reading: &Reading) -> Result<Table, Failure> {
        let (filter, question) = (self.filter.to_filter()?, &self.question);
        let bins = LogBins::PerDecade(PER_DECADE);
        if let Some(LogQuestion::Rebinding) = question.histogram {
            only_what_parts_tell(&filter)?;
            return Ok(rebinding(reading, &filter, bins)?.histogram.to_table());
        }
        let query = Query::new(reading, &filter)?;
        Ok(match question.histogram {
            Some(LogQuestion::Interval) => {
                let apart = question.of.unwrap_or(Of::Pair).apart();
                intervals(&query, apart, bins)?.histogram.to_table()
            }
            Some(_) => question.map(&query)?.to_table(),
            None if question.count => {
                let mut table = Table::new(&["contacts"]);
                table.push(vec![query.count()?.into()]);
                table
            }
            None => question.chosen(query.group(&question.grouping()?)?.to_table())?,
        })
    }
}
