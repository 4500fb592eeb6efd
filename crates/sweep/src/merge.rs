//! Means over the replicas of each point, or pooled values.
//!
//! Members are put together in the order of points and replicas, never in that in which they were
//! run: the result depends on the plan alone.

use std::collections::HashSet;
use std::path::Path;

use jostle_analysis::{Cell, Table};
use jostle_core::statistics::Estimate;
use jostle_core::words::with_error;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::exposures::Exposures;
use super::lives::Lives;
use super::plan::{Plan, PlanError};
use super::results::{Outcome, Results};
use super::rows::{Rows, Sample, key_of};

/// A table merged over replicas: a row for each point and each row that its members have.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The name of the table.
    pub name: String,
    /// The heads of the columns that say what a row is about: time, species, size.
    pub about: Vec<String>,
    /// The heads of the columns of numbers that were measured.
    pub measured: Vec<String>,
    /// Whether the error of a column's values is known, as soon as there are several replicas.
    pub has_error: Vec<bool>,
    /// In the order of the points.
    pub rows: Vec<MergedRow>,
    /// The point from whose values all are differences, if they are.
    pub against: Option<usize>,
    /// Members that are not in it since they failed.
    pub failed: usize,
    /// Members that are not in it since their tasks have not been done.
    pub missing: usize,
}

/// A row of merged tables.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedRow {
    /// Which point, counted from 0.
    pub point: usize,
    /// A cell for each column of [`Merged::about`]; those that are not there are missing.
    pub about: Vec<Cell>,
    /// How many members have it.
    pub replicas: usize,
    /// A value for each column of [`Merged::measured`]; those that are not there are missing.
    pub values: Vec<Option<MergedValue>>,
}

/// A number merged over replicas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MergedValue {
    /// The mean over replicas, or the pooled value of rates and lives.
    pub mean: f64,
    /// Its standard error, from the scatter between replicas; NaN if it is not known.
    pub error: f64,
    /// Half of its 95 % interval: Student's t times the error.
    pub reach: f64,
}

/// Puts together the tables of this name of all members that are done: means over the replicas of
/// each point, or if `against` names a point, means of the differences from the replica of that
/// point with the same number.
///
/// # Errors
/// If a result cannot be read, there is no such point, or no member has such a table.
pub fn merge(
    plan: &Plan,
    folder: &Path,
    name: &str,
    against: Option<usize>,
) -> Result<Merged, PlanError> {
    merge_all(plan, folder, &[name], against)?.swap_remove(0)
}

/// The same for several tables, for which results are read only once. Those that no member has are
/// told one by one.
///
/// # Errors
/// If a result cannot be read, or there is no such point.
pub fn merge_all(
    plan: &Plan,
    folder: &Path,
    names: &[&str],
    against: Option<usize>,
) -> Result<Vec<Result<Merged, PlanError>>, PlanError> {
    let points = plan.points().len();
    if let Some(point) = against.filter(|&point| point >= points) {
        let reason = format!("there is no point {point}; there are 0 to {}", points - 1);
        return Err(PlanError::unusable(folder, reason));
    }
    let mut results = Results::new(plan, folder);
    let mut tables: Vec<Merging> = names.iter().map(|name| Merging::new(name, against)).collect();
    let references = match against {
        Some(point) => Some(rows_of(&mut results, point, &mut tables)?),
        None => None,
    };
    // What was left out is counted again below.
    tables.iter_mut().for_each(|table| (table.merged.failed, table.merged.missing) = (0, 0));
    for point in 0..points {
        let all = rows_of(&mut results, point, &mut tables)?;
        if against == Some(point) {
            continue;
        }
        for (k, (table, (rows, exposures))) in tables.iter_mut().zip(all).enumerate() {
            table.exposures.push((point, exposures));
            match &references {
                Some(references) => table.merged.append(point, &rows.minus(&references[k].0)),
                None => table.merged.append(point, &rows),
            }
        }
    }
    Ok(tables.into_iter().map(|table| table.finish(folder)).collect())
}

/// A table that is being merged.
struct Merging {
    merged: Merged,
    /// Of each point, in what its rates are pooled.
    exposures: Vec<(usize, Exposures)>,
    /// Whether any member has the table.
    is_there: bool,
    /// The names of other tables.
    others: Vec<String>,
}

impl Merging {
    fn new(name: &str, against: Option<usize>) -> Self {
        let merged = Merged {
            name: name.to_owned(),
            about: Vec::new(),
            measured: Vec::new(),
            has_error: Vec::new(),
            rows: Vec::new(),
            against,
            failed: 0,
            missing: 0,
        };
        Self { merged, exposures: Vec::new(), is_there: false, others: Vec::new() }
    }

    /// Takes what a member came to.
    fn add(&mut self, replica: u32, outcome: Option<&Outcome>, gathered: &mut Gathered) {
        let tables = match outcome {
            None => {
                self.merged.missing += 1;
                return;
            }
            Some(Outcome::Failed(_)) => {
                self.merged.failed += 1;
                return;
            }
            Some(Outcome::Tables(tables)) => tables,
        };
        let name = &self.merged.name;
        for table in tables {
            if table.name == *name {
                self.is_there = true;
                gathered.rows.add(replica, table);
            } else if !self.others.contains(&table.name) {
                self.others.push(table.name.clone());
            }
        }
        gathered.lives.add(replica, name, tables);
        gathered.exposures.add(replica, name, tables);
    }

    /// Adds rows to points at which nothing happened that happened at others.
    fn add_rows_without_events(&mut self) {
        let exposures = std::mem::take(&mut self.exposures);
        if !exposures.iter().any(|(_, exposures)| exposures.are_pooled()) {
            return;
        }
        let (mut there, mut kinds, mut known) = (HashSet::new(), Vec::new(), HashSet::new());
        for row in &self.merged.rows {
            there.insert((row.point, key_of(&row.about)));
            if known.insert(key_of(&row.about)) {
                kinds.push(row.about.clone());
            }
        }
        for (point, exposures) in exposures {
            let is_missing = |about: &&Vec<Cell>| !there.contains(&(point, key_of(about)));
            let missing = kinds.iter().filter(is_missing).cloned();
            let heads = [&self.merged.about, &self.merged.measured].map(Vec::as_slice);
            let rows = exposures.rows_without_events(heads, missing);
            self.merged.append(point, &rows);
        }
        self.merged.rows.sort_by_key(|row| row.point);
    }

    fn finish(mut self, folder: &Path) -> Result<Merged, PlanError> {
        if self.merged.against.is_none() {
            self.add_rows_without_events();
        }
        let Self { merged, is_there, others, .. } = self;
        if !merged.rows.is_empty() {
            return Ok(merged);
        }
        let name = &merged.name;
        let reason = match (others.as_slice(), is_there) {
            (_, true) if merged.against.is_some() => {
                "no other point has a row in common with that one".into()
            }
            ([], false) if merged.failed + merged.missing > 0 => format!(
                "no run has been measured: {} failed, {} not done yet",
                merged.failed, merged.missing
            ),
            ([], false) => "the runs are done, but nothing of what was to be measured is in them; keep.files = \
                            \"first\" keeps files, of which jostle analyse tells why"
                .to_owned(),
            (names, false) => {
                format!("no run has a table `{name}`; there are {}", names.join(", "))
            }
            (_, true) => format!("the table `{name}` is empty in all runs"),
        };
        Err(PlanError::unusable(folder, reason))
    }
}

/// What the members of a point say.
#[derive(Default)]
struct Gathered {
    rows: Rows,
    lives: Lives,
    exposures: Exposures,
}

/// The rows of all members of a point and what their rates are pooled in, for each table.
fn rows_of(
    results: &mut Results<'_>,
    point: usize,
    tables: &mut [Merging],
) -> Result<Vec<(Rows, Exposures)>, PlanError> {
    let mut all: Vec<Gathered> = tables.iter().map(|_| Gathered::default()).collect();
    results.of_point(point, |replica, outcome| {
        for (table, gathered) in tables.iter_mut().zip(&mut all) {
            table.add(replica, outcome, gathered);
        }
    })?;
    let rows = all.into_iter().map(|Gathered { mut rows, lives, mut exposures }| {
        rows.fill();
        lives.pool_into(&mut rows);
        exposures.pool_into(&mut rows);
        rows.sort();
        (rows, exposures)
    });
    Ok(rows.collect())
}

impl Merged {
    /// Appends the rows of a point.
    fn append(&mut self, point: usize, rows: &Rows) {
        let about: Vec<usize> =
            rows.about.iter().map(|head| place_of(&mut self.about, head)).collect();
        let measured: Vec<usize> =
            rows.measured.iter().map(|head| place_of(&mut self.measured, head)).collect();
        self.has_error.resize(self.measured.len(), false);
        for row in &rows.rows {
            let mut merged = MergedRow {
                point,
                about: vec![Cell::Missing; self.about.len()],
                replicas: row.replicas.len(),
                values: vec![None; self.measured.len()],
            };
            for (&k, cell) in about.iter().zip(&row.about) {
                merged.about[k] = cell.clone();
            }
            for (&k, sample) in measured.iter().zip(&row.samples) {
                merged.values[k] = value_of(sample);
                self.has_error[k] |= !sample.values.is_empty() && !is_error(&self.measured[k]);
            }
            self.rows.push(merged);
        }
    }

    /// One row for each point and each row that its members have, with the values that the point
    /// sets: how many members have it, and each number with its standard error and 95 % interval.
    pub fn to_table(&self, plan: &Plan) -> Table {
        let keys = plan.keys();
        let mut columns = vec!["point".to_owned()];
        columns.extend(keys.iter().map(|&key| key.to_owned()));
        columns.extend(self.about.iter().cloned());
        columns.push("replicas".into());
        for (head, has_error) in self.measured.iter().zip(&self.has_error) {
            columns.push(head.clone());
            if *has_error {
                let of = ["error between replicas", "95 % from", "95 % to"];
                columns.extend(of.map(|what| beside(head, what)));
            }
        }
        let mut table = Table { columns, rows: Vec::with_capacity(self.rows.len()) };
        for row in &self.rows {
            let mut cells = self.first_cells(row, plan, &keys);
            for (k, has_error) in self.has_error.iter().enumerate() {
                let value = row.values.get(k).copied().flatten();
                cells.push(value.map(|value| value.mean).into());
                if *has_error {
                    cells.push(value.map(|value| value.error).into());
                    cells.extend(
                        [-1.0, 1.0].map(|side| value.map(|v| v.mean + side * v.reach).into()),
                    );
                }
            }
            table.rows.push(cells);
        }
        table
    }
}

impl Merged {
    /// The same for a screen: each number with its standard error beside it.
    pub fn to_short_table(&self, plan: &Plan) -> Table {
        let keys = plan.keys();
        let mut columns = vec!["point".to_owned()];
        columns.extend(keys.iter().map(|&key| key.to_owned()));
        columns.extend(self.about.iter().cloned());
        columns.push("replicas".into());
        // Errors that runs state for themselves would be taken for those between them.
        let is_shown = |head: &String| !head.contains("error");
        columns.extend(self.measured.iter().filter(|head| is_shown(head)).cloned());
        let mut table = Table { columns, rows: Vec::with_capacity(self.rows.len()) };
        for row in &self.rows {
            let mut cells = self.first_cells(row, plan, &keys);
            let shown = (0..self.measured.len()).filter(|&k| is_shown(&self.measured[k]));
            for (k, has_error) in shown.map(|k| (k, &self.has_error[k])) {
                cells.push(match row.values.get(k).copied().flatten() {
                    Some(value) if *has_error && value.error.is_finite() => {
                        with_error(value.mean, value.error).join(" ± ").into()
                    }
                    value => value.map(|value| value.mean).into(),
                });
            }
            table.rows.push(cells);
        }
        table
    }

    /// The cells that say what a row is about, and how many replicas have it.
    fn first_cells(&self, row: &MergedRow, plan: &Plan, keys: &[&str]) -> Vec<Cell> {
        let point = &plan.points()[row.point];
        let mut cells: Vec<Cell> = vec![row.point.into()];
        cells.extend(keys.iter().map(|&key| Cell::from(point.value(key))));
        let about =
            (0..self.about.len()).map(|k| row.about.get(k).cloned().unwrap_or(Cell::Missing));
        cells.extend(about);
        cells.push(row.replicas.into());
        cells
    }
}

/// Where a head is, which is appended if it is new.
pub(crate) fn place_of(heads: &mut Vec<String>, head: &str) -> usize {
    heads.iter().position(|known| known == head).unwrap_or_else(|| {
        heads.push(head.to_owned());
        heads.len() - 1
    })
}

/// The mean or pooled value of a number, with its error.
fn value_of(sample: &Sample) -> Option<MergedValue> {
    let samples: Vec<f64> = sample.values.iter().copied().filter(|x| !x.is_nan()).collect();
    if samples.is_empty() && sample.pooled.is_none() {
        return None;
    }
    let Estimate { mean, error } = Estimate::of(&samples);
    let reach = match StudentsT::new(0.0, 1.0, samples.len() as f64 - 1.0) {
        Ok(student) => student.inverse_cdf(0.975) * error,
        Err(_) => f64::NAN,
    };
    Some(MergedValue { mean: sample.pooled.unwrap_or(mean), error, reach })
}

/// The head of a column beside another: `k 95 % from (/s)` beside `k (/s)`.
fn beside(head: &str, what: &str) -> String {
    match head.split_once(" (") {
        Some((name, unit)) => format!("{name} {what} ({unit}"),
        None => format!("{head} {what}"),
    }
}

/// Whether a column is an error or an end of an interval. Those that members give for themselves are
/// told as means, without an error of their own.
pub fn is_error(head: &str) -> bool {
    let name = head.split(" (").next().unwrap_or(head);
    let is_end = name.starts_with("95 %") || name.ends_with(" low") || name.ends_with(" high");
    is_end || head.contains("error")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Noise;
    use crate::plan::tests::plan;
    use crate::results::NamedTable;

    fn merged(rows: &Rows) -> Merged {
        let mut table = Merging::new("rates", None);
        table.merged.append(1, rows);
        table.merged
    }

    fn rates(replicas: &[&[(&str, f64)]]) -> Rows {
        let mut rows = Rows::default();
        for (replica, events) in replicas.iter().enumerate() {
            let mut table = Table::new(&["rule", "events (/s)", "std. error (/s)"]);
            events
                .iter()
                .for_each(|&(rule, n)| table.push(vec![rule.into(), n.into(), 0.5.into()]));
            rows.add(replica as u32, &NamedTable::new("", "rates", &table));
        }
        rows.fill();
        rows.sort();
        rows
    }

    #[test]
    fn a_mean_has_the_interval_of_students_t() {
        let rows = rates(&[&[("a", 1.0)], &[("a", 2.0)], &[("a", 3.0)], &[("a", 6.0)]]);
        let table = merged(&rows).to_table(&plan(Noise::Common));
        let heads = [
            "point",
            "run.steps",
            "rule",
            "replicas",
            "events (/s)",
            "events error between replicas (/s)",
            "events 95 % from (/s)",
            "events 95 % to (/s)",
            "std. error (/s)",
        ];
        assert_eq!(table.columns, heads);
        let about: [Cell; 4] = [1u64.into(), "20".into(), "a".into(), 4u64.into()];
        assert_eq!(table.rows[0][..4], about);
        let number = |cell: &Cell| if let Cell::Number(x) = cell { *x } else { f64::NAN };
        // t(0.975, 3) = 3.182446
        let error = (14.0_f64 / 12.0).sqrt();
        let expected = [3.0, error, 3.0 - 3.182_446 * error, 3.0 + 3.182_446 * error, 0.5];
        for (cell, expected) in table.rows[0][4..].iter().zip(expected) {
            assert!((number(cell) - expected).abs() < 1e-5, "{:?}", table.rows);
        }
    }

    #[test]
    fn runs_without_an_event_count_as_none() {
        let merged = merged(&rates(&[&[], &[("a", 6.0)], &[]]));
        let [row] = &merged.rows[..] else { panic!("{merged:?}") };
        assert_eq!(row.replicas, 3);
        assert_eq!(row.values[0].map(|v| (v.mean, v.error)), Some((2.0, 2.0)));
        assert_eq!(row.values[1].map(|v| v.mean), Some(0.5));
    }

    #[test]
    fn of_one_replica_there_is_no_error() {
        let merged = merged(&rates(&[&[("a", 4.0)]]));
        let value = merged.rows[0].values[0].unwrap();
        assert!(value.mean == 4.0 && value.error.is_nan() && value.reach.is_nan());
    }

    #[test]
    fn differences_are_taken_replica_by_replica() {
        let one = rates(&[&[("a", 1.0)], &[("a", 2.0)], &[("a", 6.0), ("b", 3.0)]]);
        let other = rates(&[&[("a", 1.5)], &[("a", 2.5)], &[("a", 6.5)]]);
        let merged = merged(&other.minus(&one));
        let told: Vec<_> = merged.rows.iter().map(|row| (row.replicas, row.values[0])).collect();
        let (replicas, a) = told[0];
        let a = a.unwrap();
        assert!(replicas == 3 && (a.mean - 0.5).abs() < 1e-12 && a.error < 1e-12, "{told:?}");
        // A rule that was not applied at the other point.
        assert_eq!(told[1].1.map(|b| b.mean), Some(-1.0));
        assert_eq!(merged.measured, ["events (/s)"]);
    }
}
