//! What a question to the log finds, whether it is then printed, written, drawn or merged.

use super::log_options::{LogHistogram, LogOptions};
use super::rows::QuestionError;
use crate::contacts::{
    Apart, Filter, Groups, Intervals, LogBins, Meetings, PlaceMap, Query, Rebinding,
    contacts_per_pair, intervals, listed, meetings_before_bound, places, rebinding,
};
use crate::{Cell, Columns, Table, UnitSystem, machine_name, machine_names};
use jostle_core::words::time_text;
use jostle_h5md::reading::{ReadError, Reading};

/// Cells along each axis of a map.
const MOST_CELLS: usize = 400;

/// Why a question to a file has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// It is not understood, or makes no sense for the file.
    #[error(transparent)]
    Asked(#[from] QuestionError),
    /// The file cannot be read, or has no answer.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// What a question to the log finds.
pub enum LogFound {
    /// How many contacts there are.
    Count(u64),
    /// Groups, with the table of those that were chosen.
    Groups(Groups, Table),
    /// Times between contacts.
    Intervals(Intervals),
    /// Times until pairs bind again.
    Rebinding(Rebinding),
    /// Where contacts are.
    Places(PlaceMap),
    /// How often pairs meet.
    Meetings(Meetings),
}

/// What the log has to say, with everything that was found.
pub struct LogAnswer {
    /// The table: contacts that are listed, or what was found.
    pub table: Columns,
    /// What was found, where contacts are not listed.
    pub found: Option<LogFound>,
    /// What a reader has to know about the numbers.
    pub notes: Vec<String>,
}

impl LogOptions {
    /// What the log has to say; without any question the contacts are listed.
    ///
    /// # Errors
    /// If the question makes no sense for the file, or it cannot be read.
    pub fn answer(&self, reading: &Reading) -> Result<LogAnswer, AskError> {
        let missing = not_logged(reading)?.into_iter().map(Into::into);
        if self.is_list() {
            let most = self.limit.map_or(u64::MAX, |limit| limit as u64);
            let table = listed(&Query::new(reading, &self.filter()?)?, most)?;
            return Ok(LogAnswer { table, found: None, notes: missing.collect() });
        }
        let units = UnitSystem::of(reading);
        let found = self.find(reading, self.bins(), units)?;
        let mut table = found.to_table(units);
        table.rows.truncate(self.limit.unwrap_or(usize::MAX));
        // Times of rebinding are no matter of the log of contacts.
        let missing = missing.filter(|_| !matches!(found, LogFound::Rebinding(_)));
        let notes = found.remarks().into_iter().chain(missing).collect();
        Ok(LogAnswer { table: (&table).into(), found: Some(found), notes })
    }

    /// What the log has to say, unless contacts are listed; times are divided into `bins`.
    ///
    /// # Errors
    /// If the question makes no sense for the file, or it cannot be read.
    pub fn find(
        &self,
        reading: &Reading,
        bins: LogBins,
        units: UnitSystem,
    ) -> Result<LogFound, AskError> {
        let filter = self.filter()?;
        if let Some(LogHistogram::Rebinding) = self.histogram {
            only_what_parts_tell(&filter)?;
            return Ok(LogFound::Rebinding(rebinding(reading, &filter, bins)?));
        }
        let query = Query::new(reading, &filter)?;
        let counts_meetings =
            matches!(self.histogram, Some(LogHistogram::Meetings | LogHistogram::Pair));
        if counts_meetings && self.bins.is_some() {
            let why = "numbers of meetings have the same bins in all files: one for each below 10, ten to a factor of \
                       ten above";
            return Err(QuestionError::about("bins", why).into());
        }
        Ok(match self.histogram {
            _ if self.count => LogFound::Count(query.count()?),
            Some(LogHistogram::Interval) => {
                let apart = self.apart.unwrap_or(Apart::Pair);
                LogFound::Intervals(intervals(&query, apart, bins)?)
            }
            Some(LogHistogram::Meetings) => {
                all_that_came_of_it(&filter)?;
                LogFound::Meetings(meetings_before_bound(&query)?)
            }
            Some(LogHistogram::Pair) => LogFound::Meetings(contacts_per_pair(&query)?),
            Some(_) => LogFound::Places(self.map(&query)?),
            None => {
                let groups = query.group(&self.grouping()?)?;
                let table = self.chosen(groups.to_table().in_units(units))?;
                LogFound::Groups(groups, table)
            }
        })
    }

    /// As many bins as are asked for, or else about 40.
    pub fn bins(&self) -> LogBins {
        LogBins::About(self.bins.unwrap_or(40))
    }

    fn map(&self, query: &Query<'_>) -> Result<PlaceMap, AskError> {
        let axes = self.axes(query.dimension())?;
        let bins = self.bins.unwrap_or(if axes.len() > 1 { 25 } else { 40 });
        if axes.len() > 1 && bins > MOST_CELLS {
            let why = format!("{bins}, but at most {MOST_CELLS} along each of two axes");
            return Err(QuestionError::about("bins", why).into());
        }
        Ok(places(query, &axes, bins)?)
    }

    /// The rows that are in the ranges asked for, in the order that is.
    fn chosen(&self, mut table: Table) -> Result<Table, QuestionError> {
        for (column, span) in &self.having {
            let k = place_of(column, &table, "having")?;
            table
                .rows
                .retain(|row| row[k].number().is_some_and(|x| (span.low..=span.high).contains(&x)));
        }
        if let Some(column) = &self.sort {
            let k = place_of(column, &table, "sort")?;
            let key = |row: &Vec<Cell>| row[k].number().unwrap_or(f64::NEG_INFINITY);
            table.rows.sort_by(|a, b| key(b).total_cmp(&key(a)));
        }
        Ok(table)
    }
}

/// Which column is meant.
fn place_of(column: &str, table: &Table, option: &'static str) -> Result<usize, QuestionError> {
    let names = machine_names(&table.columns);
    let wanted = [column, &machine_name(column)];
    let found = wanted.iter().find_map(|wanted| names.iter().position(|name| name == wanted));
    found.ok_or_else(|| {
        let why = format!("{column}: there is no such column; there are {}", names.join(", "));
        QuestionError::about(option, why)
    })
}

/// Refuses what leaves out a part of the contacts of which the last one binds.
fn all_that_came_of_it(filter: &Filter) -> Result<(), QuestionError> {
    let why = "not with meetings before binding, for which contacts count whatever came of them";
    let asked = [("outcome", !filter.outcomes.is_empty()), ("rule", !filter.rules.is_empty())];
    match asked.into_iter().find(|(_, asked)| *asked) {
        Some((option, _)) => Err(QuestionError::about(option, why)),
        None => Ok(()),
    }
}

/// Refuses what cannot be asked of the moments at which two come apart.
fn only_what_parts_tell(filter: &Filter) -> Result<(), QuestionError> {
    let asked = [
        ("outcome", !filter.outcomes.is_empty()),
        ("rule", !filter.rules.is_empty()),
        ("energy-lost", filter.energy_lost.is_some()),
        ("place", filter.region.is_some()),
        ("wall", !filter.walls.is_empty()),
        ("inside", !filter.sides.is_empty()),
        ("cluster", filter.cluster.is_some()),
    ];
    let Some((option, _)) = asked.into_iter().find(|(_, asked)| *asked) else { return Ok(()) };
    let why = "not with times of rebinding, which come from the moments at which pairs came apart: time, id, pair, \
               species and between choose among them";
    Err(match option {
        "inside" => {
            QuestionError::Options { options: super::sides::SIDES.to_vec(), why: why.to_owned() }
        }
        option => QuestionError::about(option, why),
    })
}

impl LogFound {
    /// As a table.
    pub fn to_table(&self, units: UnitSystem) -> Table {
        let table = match self {
            Self::Count(count) => {
                let mut table = Table::new(&["contacts"]);
                table.push(vec![(*count).into()]);
                table
            }
            // They have been chosen from the table in these units.
            Self::Groups(_, table) => return table.clone(),
            Self::Intervals(found) => found.histogram.to_table(),
            Self::Rebinding(found) => found.histogram.to_table(),
            Self::Places(map) => map.to_table(),
            Self::Meetings(found) => found.to_table(),
        };
        table.in_units(units)
    }

    /// What a row of the table is.
    pub fn row(&self) -> &'static str {
        match self {
            Self::Count(_) => "numbers",
            Self::Groups(..) => "groups",
            Self::Intervals(_) | Self::Rebinding(_) | Self::Meetings(_) => "bins",
            Self::Places(_) => "cells",
        }
    }

    /// What the table does not say.
    pub fn remarks(&self) -> Vec<String> {
        match self {
            Self::Count(_) => Vec::new(),
            Self::Groups(_, table) if table.rows.is_empty() => {
                vec!["no groups: no contact matches".into()]
            }
            Self::Groups(groups, _) => lower_bounds(groups).into_iter().collect(),
            Self::Intervals(found) => {
                let zero = match found.zero {
                    0 => String::new(),
                    zero => format!(", and {zero} of zero"),
                };
                let total = found.histogram.total();
                vec![format!("{total} intervals{zero}{}", mean_text(found.mean))]
            }
            Self::Rebinding(found) => {
                let (parted, again, mean) = (found.parted, found.again, mean_text(found.mean));
                vec![format!(
                    "{parted} pairs came apart; {again} times the same pair bound again before the end{mean}"
                )]
            }
            Self::Places(map) => vec![format!("{} contacts", map.total())],
            Self::Meetings(found) => vec![found.said()],
        }
    }
}

fn lower_bounds(groups: &Groups) -> Option<String> {
    let count = groups.groups.iter().filter(|group| group.is_lower_bound).count();
    (count > 0).then(|| {
        format!(
            "(of {count} groups the standard error is a lower bound: their contacts come in bursts as long as the time \
             that they are counted over)"
        )
    })
}

fn mean_text(mean: f64) -> String {
    if mean.is_nan() { String::new() } else { format!(", {} on average", time_text(mean)) }
}

/// What the log does not have, since that is easily taken for what did not happen.
///
/// # Errors
/// If the file cannot be read.
pub fn not_logged(reading: &Reading) -> Result<Vec<&'static str>, ReadError> {
    let mut notes = Vec::new();
    if reading.is_written() {
        notes.push("(a run is still writing this file)");
    }
    match crate::info(reading)?.log.as_deref() {
        Some("none") => notes.push("(log = \"none\": the run kept no contacts)"),
        Some("reactions") => notes.push("(log = \"reactions\": the run kept no bounces)"),
        _ => (),
    }
    Ok(notes)
}
