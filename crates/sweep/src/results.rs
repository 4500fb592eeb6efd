//! What tasks came to: one file for each, which appears once it is whole.

use std::path::Path;

use jostle_analysis::{Cell, Table};
use jostle_files::{is_unseen, named_text_of, plain, plain_line};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::plan::{LONGEST_FILE, Member, Plan, PlanError, write_whole};

/// What a member came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemberResult {
    /// Which point, counted from 0.
    pub point: usize,
    /// Which replica of it, counted from 0.
    pub replica: u32,
    /// Its seed.
    pub seed: u64,
    /// What its run warned of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
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
    /// What an analysis calls it, if that differs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    kind: String,
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

impl From<&Entry> for Cell {
    fn from(entry: &Entry) -> Self {
        match entry {
            Entry::Text(text) => Self::Text(text.clone()),
            Entry::Integer(value) => Self::Integer(*value),
            Entry::Number(value) => Self::Number(*value),
            Entry::Infinite { infinite } => Self::Number(f64::from(*infinite) * f64::INFINITY),
            Entry::Missing(()) => Self::Missing,
        }
    }
}

impl NamedTable {
    /// The table that an analysis calls `kind`, with `prefix` in front of its name.
    pub fn new(prefix: &str, kind: &str, table: &Table) -> Self {
        let rows = table.rows.iter().map(|row| row.iter().map(Entry::from).collect());
        let (name, kind) = match prefix {
            "" => (kind.to_owned(), String::new()),
            _ => (format!("{prefix}_{kind}"), kind.to_owned()),
        };
        Self { name, kind, columns: table.columns.clone(), rows: rows.collect() }
    }

    /// What an analysis calls it.
    pub fn kind(&self) -> &str {
        if self.kind.is_empty() { &self.name } else { &self.kind }
    }

    /// The table.
    pub fn to_table(&self) -> Table {
        let rows = self.rows.iter().map(|row| row.iter().map(Cell::from).collect());
        Table { columns: self.columns.clone(), rows: rows.collect() }
    }
}

/// What has been done of a plan, point by point.
pub(crate) struct Results<'a> {
    plan: &'a Plan,
    folder: &'a Path,
    /// Tasks that were read last, one of each round: those of the next point often are in the same.
    /// \[round\]
    read: Vec<Option<(usize, Option<Vec<MemberResult>>)>>,
}

impl<'a> Results<'a> {
    pub(crate) fn new(plan: &'a Plan, folder: &'a Path) -> Self {
        Self { plan, folder, read: vec![None; plan.rounds() + 1] }
    }

    /// Hands on what the members of a point came to, in the order of their replicas; nothing of those
    /// whose tasks have not been done.
    pub(crate) fn of_point(
        &mut self,
        point: usize,
        mut take: impl FnMut(u32, Option<&Outcome>),
    ) -> Result<(), PlanError> {
        for number in self.plan.members_at(point) {
            let task = self.plan.task_of(number);
            let round = self.plan.round_of(task);
            let members = match &mut self.read[round] {
                Some((known, members)) if *known == task => members,
                read => {
                    let members = read_task(self.plan, self.folder, task)?;
                    &mut read.insert((task, members)).1
                }
            };
            let replica = self.plan.member(number).replica;
            let n = number - self.plan.members_of(task).start;
            let found = members.as_ref().and_then(|members| members.get(n));
            take(replica, found.map(|found| &found.outcome));
        }
        Ok(())
    }
}

impl MemberResult {
    /// What a member came to, without warnings.
    pub fn new(member: Member, outcome: Outcome) -> Self {
        let Member { point, replica, seed } = member;
        Self { point, replica, seed, warnings: Vec::new(), outcome }
    }

    /// Takes out what may not be shown: somebody else may have written it.
    fn make_plain(&mut self) {
        let line = |text: &mut String| {
            if text.contains(is_unseen) {
                *text = plain_line(text);
            }
        };
        self.warnings.iter_mut().for_each(line);
        match &mut self.outcome {
            Outcome::Failed(why) => *why = plain(why),
            Outcome::Tables(tables) => {
                for NamedTable { name, kind, columns, rows } in tables {
                    [name, kind].into_iter().chain(columns).for_each(line);
                    for cell in rows.iter_mut().flatten() {
                        if let Entry::Text(text) = cell {
                            line(text);
                        }
                    }
                }
            }
        }
    }

    /// The same without its tables: what it warned of.
    pub fn only_warnings(&self) -> Self {
        Self { outcome: Outcome::Tables(Vec::new()), ..self.clone() }
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
    let text = match named_text_of(path, LONGEST_FILE) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(PlanError::io(path)(error)),
    };
    let damaged = |why: String| {
        PlanError::unusable(path, format!("damaged ({why}); remove it, and run the task again"))
    };
    let mut members: Vec<MemberResult> =
        serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
    members.iter_mut().for_each(MemberResult::make_plain);
    let has_all_cells =
        |table: &NamedTable| table.rows.iter().all(|row| row.len() == table.columns.len());
    let is_whole = |member: &MemberResult| match &member.outcome {
        Outcome::Tables(tables) => tables.iter().all(has_all_cells),
        Outcome::Failed(_) => true,
    };
    match members.iter().all(is_whole) {
        true => Ok(Some(members)),
        false => Err(damaged("a row has too few cells".into())),
    }
}

/// Reads what a task came to: all of its members, in their order. None if it is not there, or
/// shorter than the task, which then has not been done.
///
/// # Errors
/// If it cannot be read, or is of other members.
pub fn read_task(
    plan: &Plan,
    folder: &Path,
    task: usize,
) -> Result<Option<Vec<MemberResult>>, PlanError> {
    let path = plan.result_path(folder, task);
    let Some(members) = read_members(&path)? else { return Ok(None) };
    let expected = plan.members_of(task).map(|number| plan.member(number));
    let is_of_plan = members.len() <= expected.len()
        && expected.clone().zip(&members).all(|(expected, found)| {
            expected == (Member { point: found.point, replica: found.replica, seed: found.seed })
        });
    match is_of_plan {
        true if members.len() < expected.len() => Ok(None),
        true => Ok(Some(members)),
        false => {
            let reason = "not a result of this plan; remove it, and run the task again";
            Err(PlanError::unusable(&path, reason))
        }
    }
}

/// Which tasks have not been done: those without a result, or with one that is not whole.
pub fn missing(plan: &Plan, folder: &Path) -> Vec<usize> {
    let is_done = |task: usize| {
        let text = named_text_of(&plan.result_path(folder, task), LONGEST_FILE);
        let members =
            text.ok().and_then(|text| serde_json::from_str::<Vec<IgnoredAny>>(&text).ok());
        members.is_some_and(|members| members.len() >= plan.members_of(task).len())
    };
    (0..plan.task_count()).filter(|&task| !is_done(task)).collect()
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
        let text = serde_json::to_string(&NamedTable::new("", "rates", &table)).unwrap();
        let read: NamedTable = serde_json::from_str(&text).unwrap();
        assert_eq!((read.name.as_str(), read.to_table()), ("rates", table));
    }
}
