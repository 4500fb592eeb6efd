//! What single replicas say: the numbers whose means are merged.

use std::path::Path;

use jostle_analysis::{Cell, Table};

use super::merge::place_of;
use super::plan::{Plan, PlanError};
use super::results::{Outcome, Results};
use super::rows::{Row, Rows};

/// A table of all replicas, one row for each replica and each row that it has.
#[derive(Clone, Debug, PartialEq)]
pub struct OfReplicas {
    /// The heads of the columns that say what a row is about: time, species, size.
    pub about: Vec<String>,
    /// The heads of the columns of numbers that were measured.
    pub measured: Vec<String>,
    /// In the order of points and replicas.
    rows: Vec<ReplicaRow>,
}

/// A row of a replica.
#[derive(Clone, Debug, PartialEq)]
struct ReplicaRow {
    point: usize,
    replica: u32,
    /// \[column of [`OfReplicas::about`]\]; there may be fewer
    about: Vec<Cell>,
    /// NaN where it has no number. \[column of [`OfReplicas::measured`]\]; there may be fewer
    values: Vec<f64>,
}

/// Lists the tables of this name of all members that are done, replica by replica. In tables of
/// events, a row that a replica does not have has 0 there, as in [`merge`](crate::merge): the mean
/// over replicas is then that of the merged table, unless that is pooled.
///
/// # Errors
/// If a result cannot be read, or no member has such a table.
pub fn of_replicas(plan: &Plan, folder: &Path, name: &str) -> Result<OfReplicas, PlanError> {
    let mut all = OfReplicas { about: Vec::new(), measured: Vec::new(), rows: Vec::new() };
    let mut results = Results::new(plan, folder);
    for point in 0..plan.points().len() {
        let mut rows = Rows::default();
        results.of_point(point, |replica, outcome| {
            let Some(Outcome::Tables(tables)) = outcome else { return };
            for table in tables.iter().filter(|table| table.name == name) {
                rows.add(replica, table);
            }
        })?;
        rows.fill();
        rows.sort();
        all.append(point, &rows);
    }
    match all.rows.is_empty() {
        true => Err(PlanError::unusable(folder, format!("no run has a table `{name}` with rows"))),
        false => Ok(all),
    }
}

impl OfReplicas {
    fn append(&mut self, point: usize, rows: &Rows) {
        let places = |all: &mut Vec<String>, heads: &[String]| -> Vec<usize> {
            heads.iter().map(|head| place_of(all, head)).collect()
        };
        let about = places(&mut self.about, &rows.about);
        let measured = places(&mut self.measured, &rows.measured);
        let begin = self.rows.len();
        for Row { about: cells, replicas, samples } in &rows.rows {
            for (n, &replica) in replicas.iter().enumerate() {
                let mut row = ReplicaRow {
                    point,
                    replica,
                    about: vec![Cell::Missing; self.about.len()],
                    values: vec![f64::NAN; self.measured.len()],
                };
                for (&k, cell) in about.iter().zip(cells) {
                    row.about[k] = cell.clone();
                }
                for (&k, sample) in measured.iter().zip(samples) {
                    row.values[k] = sample.values.get(n).copied().unwrap_or(f64::NAN);
                }
                self.rows.push(row);
            }
        }
        // Each replica keeps its rows in their order.
        self.rows[begin..].sort_by_key(|row| row.replica);
    }

    /// The table, with the number of the point, the values that it sets, and that of the replica in
    /// front.
    pub fn to_table(&self, plan: &Plan) -> Table {
        let keys = plan.keys();
        let mut columns = vec!["point".to_owned()];
        columns.extend(keys.iter().map(|&key| key.to_owned()));
        columns.push("replica".into());
        columns.extend(self.about.iter().chain(&self.measured).cloned());
        let cells = |row: &ReplicaRow| {
            let point = &plan.points()[row.point];
            let mut cells: Vec<Cell> = vec![row.point.into()];
            cells.extend(keys.iter().map(|&key| Cell::from(point.value(key))));
            cells.push(row.replica.into());
            let about = |k| row.about.get(k).cloned().unwrap_or(Cell::Missing);
            cells.extend((0..self.about.len()).map(about));
            let value = |k| row.values.get(k).copied().into();
            cells.extend((0..self.measured.len()).map(value));
            cells
        };
        Table { columns, rows: self.rows.iter().map(cells).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Noise;
    use crate::merge;
    use crate::plan::tests::plan;
    use crate::results::{MemberResult, NamedTable, write_members};

    #[test]
    fn the_mean_over_replicas_is_that_of_the_merged_table() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(Noise::Independent);
        let table = |contacts: &[(&str, u64)]| {
            let mut table = Table::new(&["outcome", "contacts"]);
            for &(outcome, count) in contacts {
                table.push(vec![outcome.into(), count.into()]);
            }
            Outcome::Tables(vec![NamedTable::new("", "contacts", &table)])
        };
        // The last member of the second point has not been done.
        let outcomes = [
            table(&[("bound", 2), ("bounced", 9)]),
            table(&[("bounced", 12)]),
            Outcome::Failed("too full".into()),
            table(&[("bounced", 5)]),
        ];
        let members: Vec<MemberResult> = (outcomes.into_iter().enumerate())
            .map(|(n, outcome)| MemberResult::new(plan.member(n), outcome))
            .collect();
        write_members(&plan.result_path(folder.path(), 0), &members).unwrap();
        let found = of_replicas(&plan, folder.path(), "contacts").unwrap();
        assert_eq!(
            (found.about.join(","), found.measured.join(",")),
            ("outcome".into(), "contacts".into())
        );
        let table = found.to_table(&plan);
        assert_eq!(table.columns, ["point", "run.steps", "replica", "outcome", "contacts"]);
        let told: Vec<String> = table
            .rows
            .iter()
            .map(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
            .collect();
        let expected = [
            "0 10 0 bound 2",
            "0 10 0 bounced 9",
            "0 10 1 bound 0",
            "0 10 1 bounced 12",
            "1 20 0 bounced 5",
        ];
        assert_eq!(told, expected);
        let merged = merge(&plan, folder.path(), "contacts", None).unwrap();
        assert_eq!(merged.rows[0].values[0].map(|value| value.mean), Some(1.0));
        let nothing = of_replicas(&plan, folder.path(), "rates").unwrap_err().to_string();
        assert!(nothing.contains("no run has a table `rates`"), "{nothing}");
    }
}
