//! The rows of tables of the members of one point.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;

use jostle_analysis::{Cell, Table};

use super::merge::is_error;
use super::results::NamedTable;

/// Tables of events: a row that a run does not have says that nothing happened there, or that there
/// was no cluster of that size.
const OF_EVENTS: [&str; 12] = [
    "size_distribution",
    "rates",
    "rates_over_time",
    "contacts",
    "transitions",
    "size_counts",
    "contact_groups",
    "contact_intervals",
    "rebinding_times",
    "contact_places",
    "meetings_before_bound",
    "contacts_per_pair",
];

/// The rows of the members of one point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// The heads of the columns that say what a row is about.
    pub(crate) about: Vec<String>,
    /// The heads of the others.
    pub(crate) measured: Vec<String>,
    pub(crate) rows: Vec<Row>,
    /// The members that have the table, with rows or without.
    members: Vec<u32>,
    /// Whether a row that a member does not have has 0 there.
    is_of_events: bool,
    /// Where a row is, by what it is about.
    known: HashMap<Vec<String>, usize>,
}

/// A row that members have, each with numbers of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) about: Vec<Cell>,
    /// Which members, in order.
    pub(crate) replicas: Vec<u32>,
    /// \[column that is measured\]
    pub(crate) samples: Vec<Sample>,
}

/// A number of each member.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// NaN where a member has none. \[member\]
    pub(crate) values: Vec<f64>,
    /// The pooled value, if that is not the mean. The values then give only its error, and there may
    /// be none.
    pub(crate) pooled: Option<f64>,
}

impl Rows {
    /// Adds the table of a member. Members come in the order of their numbers.
    pub(crate) fn add(&mut self, replica: u32, table: &NamedTable) {
        let is_of_events = OF_EVENTS.contains(&table.kind());
        let Table { columns, rows } = table.to_table();
        self.begin(replica, is_of_events);
        let is_text = |k: usize| rows.iter().any(|row| matches!(row[k], Cell::Text(_)));
        if rows.is_empty() {
            return;
        }
        let tells = |k: &usize| is_about(&columns[*k]) || is_text(*k);
        if self.about.is_empty() {
            self.about = (0..columns.len()).filter(tells).map(|k| columns[k].clone()).collect();
        }
        // Members may differ in their columns: a species that appears in some of them only.
        let place = |head| columns.iter().position(|column| column == head);
        let about: Vec<Option<usize>> = self.about.iter().map(place).collect();
        let measured: Vec<usize> =
            (0..columns.len()).filter(|k| !about.contains(&Some(*k)) && !is_text(*k)).collect();
        let places: Vec<usize> = measured.iter().map(|&k| self.column(&columns[k])).collect();
        for cells in rows {
            let of = |k: &Option<usize>| k.map_or(Cell::Missing, |k| cells[k].clone());
            let row = self.row(about.iter().map(of).collect());
            let n = self.rows[row].replicas.len();
            self.rows[row].replicas.push(replica);
            for (&k, &from) in places.iter().zip(&measured) {
                let samples = &mut self.rows[row].samples;
                samples.resize_with(samples.len().max(k + 1), Sample::default);
                samples[k].values.resize(n, f64::NAN);
                samples[k].values.push(number(&cells[from]));
            }
        }
    }

    /// A member has the table.
    pub(crate) fn begin(&mut self, replica: u32, is_of_events: bool) {
        self.members.push(replica);
        self.is_of_events = is_of_events;
    }

    /// Where a column that is measured is; it is new if need be.
    pub(crate) fn column(&mut self, head: &str) -> usize {
        self.measured.iter().position(|known| known == head).unwrap_or_else(|| {
            self.measured.push(head.to_owned());
            self.measured.len() - 1
        })
    }

    /// Whether there is a row about this.
    pub(crate) fn has(&self, about: &[Cell]) -> bool {
        self.known.contains_key(&key_of(about))
    }

    /// Where the row about this is; it is new if need be.
    pub(crate) fn row(&mut self, about: Vec<Cell>) -> usize {
        let place = *self.known.entry(key_of(&about)).or_insert(self.rows.len());
        if place == self.rows.len() {
            self.rows.push(Row { about, ..Row::default() });
        }
        place
    }

    /// Fills in what members do not have: 0 in tables of events.
    pub(crate) fn fill(&mut self) {
        let columns = self.measured.len();
        for row in &mut self.rows {
            row.samples.resize_with(columns, Sample::default);
            let n = row.replicas.len();
            let samples = row.samples.iter_mut().filter(|sample| sample.pooled.is_none());
            samples.for_each(|sample| sample.values.resize(n, f64::NAN));
        }
        if self.is_of_events {
            let heads = &self.measured;
            self.rows.iter_mut().for_each(|row| row.fill(&self.members, heads));
        }
    }

    /// Puts the rows in order.
    pub(crate) fn sort(&mut self) {
        // Texts are in the order in which they first appear, numbers in that of numbers.
        let mut first: HashMap<String, usize> = HashMap::new();
        for cell in self.rows.iter().flat_map(|row| &row.about) {
            if let Cell::Text(text) = cell {
                let next = first.len();
                first.entry(text.clone()).or_insert(next);
            }
        }
        let kind = |cell: &Cell| match cell {
            Cell::Integer(_) | Cell::Number(_) => 0,
            Cell::Text(_) => 1,
            Cell::Missing => 2,
        };
        let order = |a: &Cell, b: &Cell| match (a, b) {
            (Cell::Text(a), Cell::Text(b)) => first[a].cmp(&first[b]),
            _ => kind(a).cmp(&kind(b)).then(number(a).total_cmp(&number(b))),
        };
        self.rows.sort_by(|a, b| {
            let cells = a.about.iter().zip(&b.about).map(|(a, b)| order(a, b));
            cells.fold(Ordering::Equal, Ordering::then)
        });
        let keys = self.rows.iter().enumerate().map(|(n, row)| (key_of(&row.about), n));
        self.known = keys.collect();
    }

    /// The differences of the numbers of each member from those of the member of another point with
    /// the same number. Both are in order.
    pub(crate) fn minus(&self, other: &Self) -> Self {
        // A table of events without a row has the columns of the other.
        let with_columns_of = |rows: &Self, model: &Self| {
            let mut rows = rows.clone();
            if rows.measured.is_empty() && rows.is_of_events {
                rows.measured.clone_from(&model.measured);
                rows.about.clone_from(&model.about);
            }
            rows
        };
        let (here, there) = (with_columns_of(self, other), with_columns_of(other, self));
        here.minus_of_same_columns(&there)
    }

    fn minus_of_same_columns(&self, other: &Self) -> Self {
        let mut difference = Self::default();
        let heads = self.measured.iter().filter(|head| !is_error(head));
        // A column that only one of them has is left out, since nothing is known of its difference.
        let mut columns = Vec::new();
        for head in heads {
            let place = |rows: &Self| rows.measured.iter().position(|known| known == head);
            if let (Some(here), Some(there)) = (place(self), place(other)) {
                difference.measured.push(head.clone());
                columns.push((here, there));
            }
        }
        let about = if self.about.is_empty() { &other.about } else { &self.about };
        difference.about.clone_from(about);
        let only_there = other.rows.iter().filter(|row| !self.has(&row.about));
        for Row { about, .. } in self.rows.iter().chain(only_there) {
            let (Some(here), Some(there)) = (self.about(about), other.about(about)) else {
                continue;
            };
            let common = in_common(&here.replicas, &there.replicas);
            if common.is_empty() {
                continue;
            }
            let of = |&(k, l): &(usize, usize)| match (here.samples.get(k), there.samples.get(l)) {
                (Some(here), Some(there)) => here.minus(there, &common),
                _ => Sample::default(),
            };
            difference.rows.push(Row {
                about: about.clone(),
                replicas: common.iter().map(|&(n, _)| here.replicas[n]).collect(),
                samples: columns.iter().map(of).collect(),
            });
        }
        difference
    }

    /// The row about this. Where it is missing from a table of events, nothing happened.
    fn about(&self, about: &[Cell]) -> Option<Cow<'_, Row>> {
        match self.known.get(&key_of(about)) {
            Some(&n) => Some(Cow::Borrowed(&self.rows[n])),
            None if self.is_of_events => {
                let mut row = Row { about: about.to_vec(), ..Row::default() };
                row.samples.resize_with(self.measured.len(), Sample::default);
                row.fill(&self.members, &self.measured);
                Some(Cow::Owned(row))
            }
            None => None,
        }
    }
}

impl Row {
    /// Members that do not have the row get 0 in all columns but errors, and but those that nobody
    /// has a number in.
    fn fill(&mut self, members: &[u32], heads: &[String]) {
        let mut places = vec![None; members.len()];
        for (m, n) in in_common(members, &self.replicas) {
            places[m] = Some(n);
        }
        let is_new = self.replicas.is_empty();
        for (sample, head) in self.samples.iter_mut().zip(heads) {
            let is_measured = is_new || sample.values.iter().any(|value| !value.is_nan());
            let missing = if is_measured && !is_error(head) { 0.0 } else { f64::NAN };
            let value = |n: &Option<usize>| n.map_or(missing, |n| sample.values[n]);
            sample.values = places.iter().map(value).collect();
        }
        self.replicas = members.to_vec();
    }
}

impl Sample {
    /// The pooled value, or the mean.
    pub(crate) fn together(&self) -> f64 {
        let known = self.values.iter().filter(|value| !value.is_nan());
        self.pooled.unwrap_or_else(|| known.clone().sum::<f64>() / known.count() as f64)
    }

    /// The differences of members in common, which are at these places.
    fn minus(&self, other: &Self, common: &[(usize, usize)]) -> Self {
        let is_pooled = self.pooled.is_some() || other.pooled.is_some();
        let value = |&(n, m): &(usize, usize)| Some(self.values.get(n)? - other.values.get(m)?);
        Self {
            values: common.iter().filter_map(value).collect(),
            pooled: is_pooled.then(|| self.together() - other.together()),
        }
    }
}

/// Where the numbers that two lists have in common are in each; both are in order.
fn in_common(one: &[u32], other: &[u32]) -> Vec<(usize, usize)> {
    let mut m = 0;
    let place = |(n, number): (usize, &u32)| {
        while other.get(m).is_some_and(|there| there < number) {
            m += 1;
        }
        (other.get(m) == Some(number)).then_some((n, m))
    };
    one.iter().enumerate().filter_map(place).collect()
}

/// Pseudo-values of the jackknife (Tukey 1958), one for each member: the standard error of their mean
/// is that of the pooled value. A single member has none.
pub(crate) fn pseudo_values(all: f64, without: &[f64]) -> Vec<f64> {
    // Where all that is known comes from one member, its error is not known.
    if without.is_empty() || without.iter().any(|one| !one.is_finite()) {
        return vec![f64::NAN; without.len().max(1)];
    }
    let members = without.len() as f64;
    without.iter().map(|one| members * all - (members - 1.0) * one).collect()
}

/// What tells rows apart: what they are about. As debug output, numbers have all their digits.
pub(crate) fn key_of(about: &[Cell]) -> Vec<String> {
    about.iter().map(|cell| format!("{cell:?}")).collect()
}

/// A cell as a number; NaN if it is none.
pub(crate) fn number(cell: &Cell) -> f64 {
    cell.number().unwrap_or(f64::NAN)
}

/// Whether a column of numbers says what a row is about, not what was measured there.
fn is_about(head: &str) -> bool {
    let name = head.split(" (").next().unwrap_or(head);
    let is_end = name.ends_with(" from") || name.ends_with(" to");
    let is_named = matches!(
        name,
        "time"
            | "age"
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

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(rows: &[(f64, u64)]) -> NamedTable {
        let mut table = Table::new(&["time (µs)", "A", "std. error"]);
        rows.iter().for_each(|&(time, a)| table.push(vec![time.into(), a.into(), 0.5.into()]));
        NamedTable::new("", "counts_over_time", &table)
    }

    #[test]
    fn members_are_put_together_row_by_row() {
        let mut rows = Rows::default();
        rows.add(0, &counts(&[(0.0, 10), (2.0, 8)]));
        rows.add(2, &counts(&[(0.0, 10), (1.0, 6), (2.0, 5)]));
        rows.fill();
        rows.sort();
        let told: Vec<_> = rows
            .rows
            .iter()
            .map(|row| (row.replicas.clone(), row.samples[0].values.clone()))
            .collect();
        let expected =
            [(vec![0, 2], vec![10.0, 10.0]), (vec![2], vec![6.0]), (vec![0, 2], vec![8.0, 5.0])];
        assert_eq!(told, expected);
        assert_eq!(
            (rows.about, rows.measured),
            (vec!["time (µs)".to_owned()], vec!["A".to_owned(), "std. error".to_owned()])
        );
    }

    #[test]
    fn sizes_that_a_run_does_not_have_count_as_none() {
        let sizes = |rows: &[(u64, f64)]| {
            let mut table = Table::new(&["size", "clusters", "std. error"]);
            rows.iter().for_each(|&(size, n)| table.push(vec![size.into(), n.into(), 0.5.into()]));
            NamedTable::new("", "size_distribution", &table)
        };
        let mut rows = Rows::default();
        rows.add(0, &sizes(&[(1, 10.0)]));
        rows.add(1, &sizes(&[(1, 8.0), (14, 0.5)]));
        rows.fill();
        rows.sort();
        let clusters: Vec<_> = rows.rows.iter().map(|row| row.samples[0].values.clone()).collect();
        assert_eq!(clusters, [vec![10.0, 8.0], vec![0.0, 0.5]]);
        assert!(rows.rows[1].samples[1].values[0].is_nan(), "the error of nothing is not known");
    }

    #[test]
    fn a_column_that_some_members_have_is_known_of_these() {
        let mut rows = Rows::default();
        rows.add(0, &counts(&[(0.0, 10)]));
        let mut other = Table::new(&["time (µs)", "B", "A"]);
        other.push(vec![0.0.into(), 3u64.into(), 7u64.into()]);
        rows.add(1, &NamedTable::new("", "counts_over_time", &other));
        rows.fill();
        rows.sort();
        let values: Vec<Vec<f64>> =
            rows.rows[0].samples.iter().map(|sample| sample.values.clone()).collect();
        assert_eq!(rows.measured, ["A", "std. error", "B"]);
        assert_eq!(values[0], [10.0, 7.0]);
        assert!(values[2][0].is_nan() && values[2][1] == 3.0);
    }
}
