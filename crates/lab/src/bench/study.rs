//! A study: contests about one question, their tables and pictures.

use super::{Entry, PHASES};
use jostle_analysis::{Cell, Table};
use jostle_report::report::Plot;

/// Contests about one question.
#[derive(Clone, Debug)]
pub struct Study {
    /// One word; names its files.
    pub name: &'static str,
    /// The question.
    pub title: String,
    /// Everything that was measured.
    pub entries: Vec<Entry>,
    /// Tables that answer the question.
    pub sections: Vec<Section>,
    /// Pictures, each with the name of its file.
    pub pictures: Vec<(&'static str, Plot)>,
}

/// A table and what it shows.
#[derive(Clone, Debug)]
pub struct Section {
    /// What it shows.
    pub caption: String,
    /// The table.
    pub table: Table,
}

impl Section {
    pub(super) fn new(caption: &str, table: Table) -> Self {
        Self { caption: caption.to_owned(), table }
    }
}

impl Study {
    /// Everything that was measured, one row for each contestant of each contest: for CSV.
    pub fn table(&self) -> Table {
        let mut columns =
            vec!["contestant", "scene", "bodies", "packing fraction", "cell size [nm]"];
        columns.extend(["least time [ms/step]", "median time [ms/step]"]);
        let mut table = Table::new(&columns);
        table.columns.extend(PHASES.map(|phase| format!("{phase} [ms/step]")));
        table.columns.extend(["contacts [1/step]", "narrow tests [1/step]"].map(str::to_owned));
        if let Some(entry) = self.entries.first() {
            table.columns.extend(entry.work.iter().map(|(name, _)| format!("{name} [1/step]")));
        }
        table.columns.extend(["state hash", "after steps", "structure"].map(str::to_owned));
        for entry in &self.entries {
            table.push_texts(row(entry));
        }
        table
    }
}

fn row(entry: &Entry) -> Vec<String> {
    let Entry { contestant, particles, .. } = entry;
    let cell_size = contestant.search.cell_size.map_or(String::new(), |size| size.to_string());
    let packing = format!("{:.6}", entry.packing);
    let mut row = vec![
        contestant.name.clone(),
        entry.scene.clone(),
        particles.to_string(),
        packing,
        cell_size,
    ];
    let times = [entry.least, entry.median].into_iter().chain(entry.phases);
    row.extend(times.map(|seconds| digits(1e3 * seconds)));
    let counts =
        [entry.contacts, entry.narrow_tests].into_iter().chain(entry.work.iter().map(|w| w.1));
    row.extend(counts.map(|count| count.to_string()));
    let (hash, steps) = entry.state;
    row.extend([format!("{hash:016x}"), steps.to_string(), entry.structure.clone()]);
    row
}

/// A table with a row and a column for each name that `row` and `column` give the entries, in the
/// order in which they come first; `cell` fills it.
pub(super) fn pivot<'a>(
    head: &str,
    entries: impl IntoIterator<Item = &'a Entry>,
    row: impl Fn(&Entry) -> String,
    column: impl Fn(&Entry) -> String,
    cell: impl Fn(&Entry) -> String,
) -> Table {
    let mut table = Table::new(&[head]);
    for entry in entries {
        let (row, column) = (row(entry), column(entry));
        let k = table.columns.iter().skip(1).position(|name| *name == column).map(|k| k + 1);
        let k = k.unwrap_or_else(|| {
            table.columns.push(column);
            table.columns.len() - 1
        });
        let n = table.rows.iter().position(|known| known[0] == row.as_str()).unwrap_or_else(|| {
            table.rows.push(vec![row.into()]);
            table.rows.len() - 1
        });
        let row = &mut table.rows[n];
        row.resize(row.len().max(k + 1), Cell::Missing);
        row[k] = cell(entry).into();
    }
    let count = table.columns.len();
    table.rows.iter_mut().for_each(|row| row.resize(count, Cell::Missing));
    table
}

/// Where the time of a step goes, and the work per particle and step: one row for each entry.
pub(super) fn anatomy<'a>(
    head: &str,
    entries: impl Iterator<Item = (String, &'a Entry)>,
) -> [Section; 2] {
    let mut times = Table::new(&[head, "step"]);
    times.columns.extend(PHASES.map(str::to_owned));
    let mut work =
        Table::new(&[head, "cells visited", "considered", "far side", "out of reach", "reported"]);
    work.columns.extend(["relinks", "short-listed", "tested", "contacts"].map(str::to_owned));
    for (name, entry) in entries {
        let parts = std::iter::once(entry.least).chain(entry.phases);
        let parts = parts.map(|seconds| digits(1e3 * seconds));
        times.push_texts(std::iter::once(name.clone()).chain(parts).collect());
        let counts = entry.work.iter().map(|w| w.1).chain([entry.narrow_tests, entry.contacts]);
        let counts = counts.map(|count| digits(count / entry.particles as f64));
        work.push_texts(std::iter::once(name).chain(counts).collect());
    }
    [
        Section::new("Where the time goes: least time per step and its phases [ms]", times),
        Section::new(
            "Work per particle and step: cells (or slices) looked into; pairs considered, dropped since one \
             lies on the far side (pruning), dropped since out of reach, reported; links renewed; particles \
             on the short list; pairs tested for a first contact; contacts",
            work,
        ),
    ]
}

/// A number with three digits that count.
pub(super) fn digits(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let before = libm::log10(x.abs()).floor() as i32 + 1;
    format!("{x:.*}", (3 - before).clamp(0, 5) as usize)
}

/// A packing fraction in per cent.
pub(super) fn percent(packing: f64) -> String {
    let text = format!("{:.3}", 100.0 * packing);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::super::{ContestEffort, Contestant, contest, crowd};
    use super::*;
    use jostle_core::search::Kind;

    #[test]
    fn numbers_have_three_digits() {
        let cases = [
            (0.0, "0"),
            (0.012345, "0.0123"),
            (1.0, "1.00"),
            (99.96, "100.0"),
            (12345.6, "12346"),
            (f64::NAN, "NaN"),
        ];
        for (x, text) in cases {
            assert_eq!(digits(x), text);
        }
        assert_eq!([0.001, 0.1, 0.30000000001].map(percent), ["0.1 %", "10 %", "30 %"]);
    }

    #[test]
    fn a_pivot_has_gaps_where_nothing_was_measured() {
        let effort = ContestEffort { rounds: 1, steps: 1 };
        let kinds = [Contestant::plain(Kind::Naive), Contestant::plain(Kind::Cubic)];
        let mut entries = contest::<3>(&crowd(3, 20, 0.01).unwrap(), &kinds, effort).unwrap();
        entries.extend(contest::<3>(&crowd(3, 30, 0.01).unwrap(), &kinds[1..], effort).unwrap());
        let name = |e: &Entry| e.contestant.name.clone();
        let particles = |e: &Entry| e.particles.to_string();
        let words =
            |row: [&str; 3]| row.map(|w| if w == "-" { Cell::Missing } else { w.into() }).to_vec();
        let table = pivot("structure", &entries, name, particles, |_| "x".into());
        assert_eq!(table.columns, ["structure", "20", "30"]);
        assert_eq!(table.rows, [["naive", "x", "-"], ["cubic", "x", "x"]].map(words));
        let table = pivot("bodies", &entries, particles, name, |_| "x".into());
        assert_eq!(table.rows, [["20", "x", "x"], ["30", "-", "x"]].map(words));
    }
}
