//! What a question to the log finds, whether it is then printed, written, drawn or merged.

use super::filter::only_what_parts_tell;
use super::{LogQuestion, Of, Question};
use crate::analysis::contacts::{
    Filter, Groups, Intervals, LogBins, PlaceMap, Query, Rebinding, intervals, rebinding,
};
use crate::analysis::{self, ReadError, Reading, Table, UnitSystem};
use crate::cli::Failure;
use crate::report::{Sheet, figures};
use crate::words::time_text;

/// What a question to the log finds.
pub(super) enum Found {
    Count(u64),
    /// With the table of the groups that were chosen.
    Groups(Groups, Table),
    Intervals(Intervals),
    Rebinding(Rebinding),
    Places(PlaceMap),
}

impl Question {
    /// Whether contacts are listed: nothing else is asked.
    pub(super) fn is_list(&self) -> bool {
        !self.count && self.histogram.is_none() && self.group_by.is_empty()
    }

    /// What the answer is called.
    pub(super) fn kind(&self) -> &'static str {
        match self.histogram {
            Some(LogQuestion::Rebinding) => "rebinding_times",
            Some(LogQuestion::Interval) => "contact_intervals",
            Some(LogQuestion::Place) => "contact_places",
            None if self.count => "contact_count",
            None if self.is_list() => "contacts",
            None => "contact_groups",
        }
    }

    /// What the answer is about, in words.
    pub(super) fn title(&self) -> &'static str {
        match self.histogram {
            Some(LogQuestion::Rebinding) => "Times until a separated pair binds again",
            Some(LogQuestion::Interval) => "Times between contacts",
            Some(LogQuestion::Place) => "Places of contacts",
            None if self.count => "Number of contacts in the log",
            None if self.is_list() => "Contacts in the log",
            None => "Contacts in the log by group (error by blocking)",
        }
    }

    /// What the log has to say to it; times are divided into `bins`.
    pub(super) fn find(
        &self,
        reading: &Reading,
        filter: &Filter,
        bins: LogBins,
        units: UnitSystem,
    ) -> Result<Found, Failure> {
        if let Some(LogQuestion::Rebinding) = self.histogram {
            only_what_parts_tell(filter)?;
            return Ok(Found::Rebinding(rebinding(reading, filter, bins)?));
        }
        let query = Query::new(reading, filter)?;
        Ok(match self.histogram {
            _ if self.count => Found::Count(query.count()?),
            Some(LogQuestion::Interval) => {
                let apart = self.of.unwrap_or(Of::Pair).apart();
                Found::Intervals(intervals(&query, apart, bins)?)
            }
            Some(_) => Found::Places(self.map(&query)?),
            None => {
                let groups = query.group(&self.grouping()?)?;
                let table = self.chosen(groups.to_table().in_units(units))?;
                Found::Groups(groups, table)
            }
        })
    }
}

impl Found {
    /// As a table.
    pub(super) fn to_table(&self, units: UnitSystem) -> Table {
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
        };
        table.in_units(units)
    }

    /// What a row of the table is.
    pub(super) fn row(&self) -> &'static str {
        match self {
            Self::Count(_) => "numbers",
            Self::Groups(..) => "groups",
            Self::Intervals(_) | Self::Rebinding(_) => "bins",
            Self::Places(_) => "cells",
        }
    }

    /// Drawn; a number has no picture.
    pub(super) fn draw(&self, units: UnitSystem) -> Option<Sheet> {
        let plot = match self {
            Self::Count(_) => return None,
            Self::Groups(groups, _) => figures::contact_rates(groups),
            Self::Intervals(found) => figures::contact_intervals(found),
            Self::Rebinding(found) => figures::rebinding_times(found),
            Self::Places(map) if map.axes.len() == 1 => figures::contact_profile(map),
            Self::Places(map) => return Some(figures::contact_map(map).in_units(units).draw()),
        };
        Some(plot.in_units(units).draw())
    }

    /// What the table does not say.
    pub(super) fn remarks(&self) -> Vec<String> {
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
pub(super) fn not_logged(reading: &Reading) -> Result<Vec<&'static str>, ReadError> {
    let mut notes = Vec::new();
    if reading.is_written() {
        notes.push("(a run is still writing this file)");
    }
    match analysis::info(reading)?.log.as_deref() {
        Some("none") => notes.push("(log = \"none\": the run kept no contacts)"),
        Some("reactions") => notes.push("(log = \"reactions\": the run kept no bounces)"),
        _ => (),
    }
    Ok(notes)
}
