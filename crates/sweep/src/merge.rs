//! Means over the replicas of each point.
//!
//! Members are put together in the order of points and replicas, never in that in which they were
//! run: the result depends on the plan alone.

use std::collections::HashMap;
use std::path::Path;

use jostle_analysis::{Cell, Table};
use jostle_core::statistics::Estimate;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::plan::{Plan, PlanError};
use super::results::{MemberResult, NamedTable, Outcome, read_members};

/// Tables of events: a row that a run does not have says that nothing happened there.
const OF_EVENTS: [&str; 5] = ["rates", "rates_over_time", "contacts", "transitions", "size_counts"];

/// What replicas say together.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// For each point, and each row that its members have: how many members have it; the mean of
    /// each number, its standard error between replicas, and its 95 % interval.
    pub table: Table,
    /// Members that are not in it since they failed.
    pub failed: usize,
    /// Members that are not in it since their tasks have not been done.
    pub missing: usize,
}

/// Puts together the tables of this name of all members that are done.
///
/// # Errors
/// If a result cannot be read, or no member has such a table.
pub fn merge(plan: &Plan, folder: &Path, name: &str) -> Result<Merged, PlanError> {
    let (mut failed, mut missing) = (0, 0);
    let mut sheet = Sheet::default();
    let mut others: Vec<String> = Vec::new();
    // Members of one point follow each other.
    let mut at: Option<(usize, Rows)> = None;
    for task in 0..plan.task_count() {
        let Some(members) = read_members(&plan.result_path(folder, task))? else {
            missing += plan.members_of(task).len();
            continue;
        };
        for MemberResult { point, outcome, .. } in members {
            let rows = match &mut at {
                Some((before, rows)) if *before == point => rows,
                _ => {
                    if let Some((before, rows)) = at.take() {
                        rows.close(plan, before, &mut sheet);
                    }
                    &mut at.insert((point, Rows::default())).1
                }
            };
            let Outcome::Tables(tables) = outcome else {
                failed += 1;
                continue;
            };
            for table in tables {
                if table.name == name {
                    rows.add(table);
                } else if !others.contains(&table.name) {
                    others.push(table.name);
                }
            }
        }
    }
    if let Some((before, rows)) = at {
        rows.close(plan, before, &mut sheet);
    }
    if sheet.rows.is_empty() {
        let reason = match others.as_slice() {
            [] => "no member has been done and measured yet".to_owned(),
            names => format!("no member has a table `{name}`; there are {}", names.join(", ")),
        };
        return Err(PlanError::unusable(folder, reason));
    }
    Ok(Merged { table: sheet.into_table(), failed, missing })
}

/// A table that grows to the right, too.
#[derive(Default)]
struct Sheet {
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Sheet {
    /// Sets a cell of the last row.
    fn set(&mut self, column: &str, cell: Cell) {
        let k = self.columns.iter().position(|known| known == column).unwrap_or_else(|| {
            self.columns.push(column.to_owned());
            self.columns.len() - 1
        });
        if let Some(row) = self.rows.last_mut() {
            row.resize(row.len().max(k + 1), Cell::Missing);
            row[k] = cell;
        }
    }

    fn into_table(self) -> Table {
        let Self { columns, mut rows } = self;
        rows.iter_mut().for_each(|row| row.resize(columns.len(), Cell::Missing));
        Table { columns, rows }
    }
}

/// The rows of the members of one point.
#[derive(Default)]
struct Rows {
    columns: Vec<String>,
    /// How many members have the table, with rows or without.
    members: usize,
    /// Whether a row that a member does not have has 0 there.
    is_of_events: bool,
    /// Which columns say what a row is about. \[column\]
    is_about: Vec<bool>,
    rows: Vec<Row>,
    /// Where a row is, by its cells in those columns.
    known: HashMap<Vec<String>, usize>,
}

/// A row that members have, each with numbers of its own.
struct Row {
    about: Vec<Cell>,
    members: usize,
    /// \[column that is measured\]\[member\]
    values: Vec<Vec<f64>>,
}

impl Rows {
    fn add(&mut self, table: NamedTable) {
        self.members += 1;
        self.is_of_events = OF_EVENTS.contains(&table.name.as_str());
        let Table { columns, rows } = table.into_table();
        if self.is_about.is_empty() && !rows.is_empty() {
            let is_text = |k: usize| rows.iter().any(|row| matches!(row[k], Cell::Text(_)));
            self.is_about =
                (0..columns.len()).map(|k| is_about(&columns[k]) || is_text(k)).collect();
            self.columns = columns;
        }
        for row in rows {
            let (about, values): (Vec<_>, Vec<_>) =
                row.into_iter().zip(&self.is_about).partition(|(_, is_about)| **is_about);
            let about: Vec<Cell> = about.into_iter().map(|(cell, _)| cell).collect();
            // As debug output, numbers have all their digits.
            let key = about.iter().map(|cell| format!("{cell:?}")).collect();
            let place = *self.known.entry(key).or_insert(self.rows.len());
            if place == self.rows.len() {
                self.rows.push(Row { about, members: 0, values: vec![Vec::new(); values.len()] });
            }
            let row = &mut self.rows[place];
            row.members += 1;
            for (samples, (cell, _)) in row.values.iter_mut().zip(values) {
                match cell {
                    Cell::Integer(value) => samples.push(value as f64),
                    Cell::Number(value) => samples.push(value),
                    Cell::Text(_) | Cell::Missing => {}
                }
            }
        }
    }

    /// Appends a row for each that has been found.
    fn close(self, plan: &Plan, point: usize, sheet: &mut Sheet) {
        let Self { columns, is_about, rows, members: all, is_of_events, .. } = self;
        let columns_that =
            |about: bool| columns.iter().zip(&is_about).filter(move |(_, is)| **is == about);
        for Row { about, members, values } in rows {
            let without = if is_of_events { all - members } else { 0 };
            sheet.rows.push(Vec::new());
            sheet.set("point", point.into());
            for (key, value) in &plan.points()[point].values {
                sheet.set(key, value.as_str().into());
            }
            for ((column, _), cell) in columns_that(true).zip(about) {
                sheet.set(column, cell);
            }
            sheet.set("replicas", (members + without).into());
            for ((column, _), mut samples) in columns_that(false).zip(values) {
                if !samples.is_empty() && !is_error(column) {
                    samples.resize(samples.len() + without, 0.0);
                }
                summarise(column, &samples, sheet);
            }
        }
    }
}

/// Sets the mean of a column, and how well it is known from the scatter between replicas.
fn summarise(column: &str, samples: &[f64], sheet: &mut Sheet) {
    let Estimate { mean, error } = Estimate::of(samples);
    sheet.set(column, mean.into());
    // Errors that members give for themselves are told beside, as means.
    if is_error(column) {
        return;
    }
    let freedom = samples.len() as f64 - 1.0;
    let reach = match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) => student.inverse_cdf(0.975) * error,
        Err(_) => f64::NAN,
    };
    let (name, unit) = column.split_once(" (").unwrap_or((column, ""));
    let unit = if unit.is_empty() { String::new() } else { format!(" ({unit}") };
    for (what, value) in
        [("error between replicas", error), ("95 % from", mean - reach), ("95 % to", mean + reach)]
    {
        sheet.set(&format!("{name} {what}{unit}"), value.into());
    }
}

/// Whether a column of numbers says what a row is about, not what was measured there.
fn is_about(head: &str) -> bool {
    let name = head.split(" (").next().unwrap_or(head);
    let is_end = name.ends_with(" from") || name.ends_with(" to");
    let is_named = matches!(
        name,
        "time"
            | "lag"
            | "from"
            | "to"
            | "size"
            | "from size"
            | "to size"
            | "distance"
            | "displacement"
            | "up to"
            | "x"
            | "y"
            | "z"
    );
    is_named || is_end && !is_error(name)
}

/// Whether a column is an error or an end of an interval.
fn is_error(head: &str) -> bool {
    head.starts_with("95 %") || head.contains("error")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(rows: &[(f64, u64)]) -> NamedTable {
        let mut table = Table::new(&["time (µs)", "A", "std. error"]);
        rows.iter().for_each(|&(time, a)| table.push(vec![time.into(), a.into(), 0.5.into()]));
        NamedTable::new("counts_over_time", &table)
    }

    #[test]
    fn replicas_are_averaged_row_by_row() {
        let mut rows = Rows::default();
        rows.add(counts(&[(0.0, 10), (1.0, 8)]));
        rows.add(counts(&[(0.0, 10), (1.0, 6), (2.0, 5)]));
        let told: Vec<_> =
            rows.rows.iter().map(|row| (row.members, row.values[0].clone())).collect();
        let expected = [(2, vec![10.0, 10.0]), (2, vec![8.0, 6.0]), (1, vec![5.0])];
        assert_eq!(told, expected);
        assert_eq!(rows.is_about, [true, false, false]);
    }

    #[test]
    fn runs_without_an_event_count_as_none() {
        let rates = |rows: &[u64]| {
            let mut table = Table::new(&["rule", "events", "95 % from"]);
            rows.iter().for_each(|&n| table.push(vec!["bind".into(), n.into(), 0.5.into()]));
            NamedTable::new("rates", &table)
        };
        let mut rows = Rows::default();
        [&[][..], &[6], &[]].into_iter().for_each(|found| rows.add(rates(found)));
        let plan = crate::plan::tests::plan(crate::Noise::Common);
        let mut sheet = Sheet::default();
        rows.close(&plan, 0, &mut sheet);
        let table = sheet.into_table();
        let cell = |head: &str| {
            let k = table.columns.iter().position(|column| column == head).unwrap();
            table.rows[0][k].clone()
        };
        assert_eq!((cell("replicas"), cell("events")), (3u64.into(), 2.0.into()));
        assert_eq!(
            (cell("events error between replicas"), cell("95 % from")),
            (2.0.into(), 0.5.into())
        );
    }

    #[test]
    fn a_mean_has_the_interval_of_students_t() {
        let mut sheet = Sheet { rows: vec![vec![]], ..Sheet::default() };
        summarise("k (/s)", &[1.0, 2.0, 3.0, 6.0], &mut sheet);
        summarise("std. error", &[1.0, 3.0], &mut sheet);
        let table = sheet.into_table();
        let heads = [
            "k (/s)",
            "k error between replicas (/s)",
            "k 95 % from (/s)",
            "k 95 % to (/s)",
            "std. error",
        ];
        assert_eq!(table.columns, heads);
        let numbers: Vec<f64> = table.rows[0]
            .iter()
            .map(|cell| if let Cell::Number(x) = cell { *x } else { f64::NAN })
            .collect();
        // t(0.975, 3) = 3.182446
        let error = (14.0_f64 / 12.0).sqrt();
        let expected = [3.0, error, 3.0 - 3.182_446 * error, 3.0 + 3.182_446 * error, 2.0];
        for (found, expected) in numbers.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-5, "{numbers:?}");
        }
    }

    #[test]
    fn of_one_replica_there_is_no_error() {
        let mut sheet = Sheet { rows: vec![vec![]], ..Sheet::default() };
        summarise("A", &[4.0], &mut sheet);
        assert_eq!(sheet.rows[0], [Cell::Number(4.0), Cell::Missing, Cell::Missing, Cell::Missing]);
    }
}
