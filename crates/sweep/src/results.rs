//! What tasks came to: one file for each, which appears once it is whole.

use std::fs;
use std::path::Path;

use jostle_analysis::{Cell, Table};
use serde::{Deserialize, Serialize};

use super::plan::{Member, Plan, PlanError, write_whole};

/// What a member came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemberResult {
    /// Which point, counted from 0.
    pub point: usize,
    /// Which replica of it, counted from 0.
    pub replica: u32,
    /// Its seed.
    pub seed: u64,
    /// Its tables, or why there are none.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// How a member ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// What was measured.
    Tables(Vec<NamedTable>),
    /// Why it failed.
    Failed(String),
}

/// A table, and what it is called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedTable {
    /// What it is called.
    pub name: String,
    columns: Vec<String>,
    rows: Vec<Vec<Entry>>,
}

/// A cell as JSON has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Integer(i64),
    Number(f64),
    Text(String),
    /// JSON has no number for it.
    Infinite {
        infinite: i8,
    },
    Missing(()),
}

impl From<&Cell> for Entry {
    fn from(cell: &Cell) -> Self {
        match cell {
            Cell::Text(text) => Self::Text(text.clone()),
            Cell::Integer(value) => Self::Integer(*value),
            Cell::Number(value) if value.is_infinite() => {
                Self::Infinite { infinite: value.signum() as i8 }
            }
            Cell::Number(value) => Self::Number(*value),
            Cell::Missing => Self::Missing(()),
        }
    }
}

impl From<Entry> for Cell {
    fn from(entry: Entry) -> Self {
        match entry {
            Entry::Text(text) => Self::Text(text),
            Entry::Integer(value) => Self::Integer(value),
            Entry::Number(value) => Self::Number(value),
            Entry::Infinite { infinite } => Self::Number(f64::from(infinite) * f64::INFINITY),
            Entry::Missing(()) => Self::Missing,
        }
    }
}

impl NamedTable {
    /// A table under a name.
    pub fn new(name: &str, table: &Table) -> Self {
        let rows = table.rows.iter().map(|row| row.iter().map(Entry::from).collect());
        Self { name: name.to_owned(), columns: table.columns.clone(), rows: rows.collect() }
    }

    /// The table.
    pub fn into_table(self) -> Table {
        let rows = self.rows.into_iter().map(|row| row.into_iter().map(Cell::from).collect());
        Table { columns: self.columns, rows: rows.collect() }
    }
}

impl MemberResult {
    /// What a member came to.
    pub fn new(member: Member, outcome: Outcome) -> Self {
        Self { point: member.point, replica: member.replica, seed: member.seed, outcome }
    }
}

/// Writes what the members of a task came to, in their order.
///
/// # Errors
/// If it cannot be written.
pub fn write_members(path: &Path, members: &[MemberResult]) -> Result<(), PlanError> {
    let text = serde_json::to_string(members)
        .map_err(|error| PlanError::unusable(path, error.to_string()))?;
    write_whole(path, &text)
}

/// Reads what the members of a task came to; none if it is not there.
///
/// # Errors
/// If it cannot be read.
pub fn read_members(path: &Path) -> Result<Option<Vec<MemberResult>>, PlanError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(PlanError::io(path)(error)),
    };
    let members = serde_json::from_str(&text);
    members.map(Some).map_err(|error| PlanError::unusable(path, error.to_string()))
}

/// Which tasks have not been done.
pub fn missing(plan: &Plan, folder: &Path) -> Vec<usize> {
    (0..plan.task_count()).filter(|&task| !plan.result_path(folder, task).exists()).collect()
}

/// Numbers as job schedulers take them: `3,17,40-55`.
pub fn as_ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let text = runs.map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run[0].to_string(),
    });
    text.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_schedulers_take_them() {
        assert_eq!(as_ranges(&[3, 17, 40, 41, 42, 50]), "3,17,40-42,50");
        assert_eq!(as_ranges(&[]), "");
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let mut table = Table::new(&["rule", "events", "k (/s)"]);
        table.push(vec!["unbind, \"a\"".into(), 3u64.into(), 0.1.into()]);
        table.push(vec!["b".into(), Cell::Missing, f64::INFINITY.into()]);
        table.push(vec!["c".into(), 0u64.into(), 2.0.into()]);
        let text = serde_json::to_string(&NamedTable::new("rates", &table)).unwrap();
        let read: NamedTable = serde_json::from_str(&text).unwrap();
        assert_eq!((read.name.clone().as_str(), read.into_table()), ("rates", table));
    }
}
