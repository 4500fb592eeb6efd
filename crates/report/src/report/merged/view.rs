//! A merged table, as figures look at it.

use std::borrow::Cow;
use std::collections::HashMap;

use jostle_analysis::{Cell, machine_name};
use jostle_sweep::{Merged, MergedRow, MergedValue, Plan, is_error};

use super::super::figures::typeset;
use super::dimensions::{Dimension, Source, name_and_unit, with_unit};

/// Columns that say how much there was to measure from, and extremes. They are drawn only if there is
/// nothing else.
const LESSER: [&str; 16] = [
    "at risk",
    "beyond bins",
    "censored",
    "contacts",
    "ended",
    "entered",
    "events",
    "exposure",
    "first",
    "groups",
    "least",
    "most",
    "pairs",
    "samples",
    "seen",
    "transitions",
];

/// A merged table, and what tells its rows apart.
pub(super) struct MergedView<'a> {
    pub(super) merged: Cow<'a, Merged>,
    /// Those in which rows differ, except units.
    pub(super) dimensions: Vec<Dimension>,
    /// The column of units, if there is one.
    units: Option<usize>,
    /// Whether columns are species.
    has_species: bool,
}

/// A column that is drawn, of rows that have the same unit.
pub(super) struct Column {
    place: usize,
    /// `rate constant`.
    pub(super) name: String,
    /// What the numbers are, with their unit: `rate constant [nm³/µs]`.
    pub(super) label: String,
    /// Part of the name of a file.
    pub(super) file_name: String,
    pub(super) rows: Vec<usize>,
}

impl<'a> MergedView<'a> {
    pub(super) fn new(plan: &Plan, merged: &'a Merged) -> Self {
        let has_species = merged.name.ends_with("counts_over_time");
        // Of one point, all of them are seen best in one figure.
        let is_one = has_species && plan.points().len() == 1;
        let merged = if is_one { Cow::Owned(by_species(merged)) } else { Cow::Borrowed(merged) };
        let units = merged.about.iter().position(|head| head == "unit");
        let mut dimensions = Dimension::all(plan, &merged);
        dimensions.retain(|one| one.source != Source::Words || one.name != "unit");
        Self { merged, dimensions, units, has_species: has_species && !is_one }
    }

    fn is_drawn(&self, place: usize) -> bool {
        let known = self.known(place).filter(|(_, value)| value.mean.is_finite()).count();
        !is_error(&self.merged.measured[place]) && known > 0
    }

    /// The columns that are drawn, apart for each unit. Errors that members state have none, and
    /// neither has what another column says already, in another unit.
    pub(super) fn columns(&self) -> Vec<Column> {
        let heads = &self.merged.measured;
        let mut chosen: Vec<usize> = (0..heads.len()).filter(|&k| self.is_drawn(k)).collect();
        let is_lesser = |&k: &usize| LESSER.contains(&name_and_unit(&heads[k]).0);
        if !chosen.iter().all(is_lesser) {
            chosen.retain(|k| !is_lesser(k));
        }
        let mut columns: Vec<Column> = Vec::new();
        for place in chosen {
            if columns.iter().any(|known| self.is_proportional(known.place, place)) {
                continue;
            }
            columns.extend(self.by_unit(place));
        }
        columns
    }

    fn by_unit(&self, place: usize) -> Vec<Column> {
        let head = &self.merged.measured[place];
        let (name, unit) = name_and_unit(head);
        let rows = || 0..self.merged.rows.len();
        let mut units: Vec<(String, Vec<usize>)> = Vec::new();
        for row in rows().filter(|&row| self.value(place, row).is_some()) {
            let unit = match self.units.and_then(|k| self.merged.rows[row].about.get(k)) {
                Some(Cell::Text(text)) if unit.is_empty() => typeset(text),
                _ => typeset(unit),
            };
            match units.iter_mut().find(|(known, _)| *known == unit) {
                Some((_, rows)) => rows.push(row),
                None => units.push((unit, vec![row])),
            }
        }
        // Where each species has a column, its name alone does not say what is counted.
        let of = if self.has_species { format!("particles of {name}") } else { name.to_owned() };
        let what = match self.merged.against {
            Some(point) => format!("{of}, difference from point {point}"),
            None => of,
        };
        let column = |(unit, rows): (String, Vec<usize>)| Column {
            place,
            label: with_unit(&what, &unit),
            name: what.clone(),
            file_name: machine_name(name),
            rows,
        };
        units.into_iter().map(column).collect()
    }

    /// Whether a column is another in another unit.
    fn is_proportional(&self, one: usize, other: usize) -> bool {
        const FEWEST: usize = 3;
        let pair = |row| Some((self.value(one, row)?.mean, self.value(other, row)?.mean));
        let pairs: Vec<(f64, f64)> = (0..self.merged.rows.len()).filter_map(pair).collect();
        let largest = pairs.iter().filter(|pair| pair.0.is_finite() && pair.1.is_finite());
        let Some(largest) = largest.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())) else {
            return false;
        };
        let factor = largest.1 / largest.0;
        let agrees = |(a, b): &(f64, f64)| {
            a.is_nan() && b.is_nan() || (a * factor - b).abs() <= 1e-9 * largest.1.abs()
        };
        let told = pairs.iter().filter(|pair| pair.0 != 0.0 && !pair.0.is_nan()).count();
        told >= FEWEST && factor != 0.0 && factor.is_finite() && pairs.iter().all(agrees)
    }

    pub(super) fn value(&self, place: usize, row: usize) -> Option<MergedValue> {
        self.merged.rows[row].values.get(place).copied().flatten()
    }

    fn known(&self, place: usize) -> impl Iterator<Item = (usize, MergedValue)> {
        (0..self.merged.rows.len()).filter_map(move |row| Some((row, self.value(place, row)?)))
    }

    /// How many replicas these rows are from, in words.
    pub(super) fn replicas(&self, rows: &[usize]) -> String {
        let counts = || rows.iter().map(|&row| self.merged.rows[row].replicas);
        match (counts().min().unwrap_or(0), counts().max().unwrap_or(0)) {
            (1, 1) => "1 replica".into(),
            (least, most) if least == most => format!("{most} replicas"),
            (least, most) => format!("{least} to {most} replicas"),
        }
    }
}

impl Column {
    /// What replicas say together in a row.
    pub(super) fn value(&self, view: &MergedView<'_>, row: usize) -> Option<MergedValue> {
        view.value(self.place, row)
    }

    /// Whether any two rows have different means.
    pub(super) fn differs(&self, view: &MergedView<'_>) -> bool {
        self.differs_in(view, &self.rows)
    }

    /// Whether any two of these rows have different means.
    pub(super) fn differs_in(&self, view: &MergedView<'_>, rows: &[usize]) -> bool {
        let mut means = rows.iter().filter_map(|&row| self.value(view, row));
        let first = means.next().map(|value| value.mean);
        means.any(|value| !value.mean.is_nan() && Some(value.mean) != first)
    }

    /// A heading for rows with this name, which may be empty.
    pub(super) fn heading(&self, rows: &str) -> String {
        if rows.is_empty() { self.name.clone() } else { format!("{}: {rows}", self.name) }
    }

    /// Part of the name of a file with rows of this name, which may be empty, and of some kind.
    pub(super) fn file_name(&self, rows: &str, kind: &str) -> String {
        let parts = [&self.file_name, rows, kind].map(machine_name);
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
    }
}

/// Rows that are alike in some dimensions.
pub(super) struct Group {
    /// What they have in these, in words.
    pub(super) name: String,
    pub(super) rows: Vec<usize>,
}

/// Puts rows together that are alike in these dimensions, in the order in which they first appear.
pub(super) fn grouped(rows: &[usize], dimensions: &[&Dimension]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<Vec<&str>, usize> = HashMap::new();
    for &row in rows {
        let key = dimensions.iter().map(|one| one.texts[row].as_str()).collect();
        let n = *known.entry(key).or_insert(groups.len());
        if n == groups.len() {
            let names: Vec<String> = dimensions.iter().map(|one| one.name_of(row)).collect();
            groups.push(Group { name: names.join(", "), rows: vec![] });
        }
        groups[n].rows.push(row);
    }
    // What they have in common tells nothing.
    if let [only] = &mut groups[..] {
        only.name.clear();
    }
    groups
}

/// So many of some things, evenly chosen.
pub(super) fn evenly<T>(things: Vec<T>, most: usize) -> Vec<T> {
    let count = things.len();
    if count <= most || most < 2 {
        return things;
    }
    let chosen: Vec<usize> = (0..most).map(|n| n * (count - 1) / (most - 1)).collect();
    let things = things.into_iter().enumerate();
    things.filter(|(n, _)| chosen.contains(n)).map(|(_, thing)| thing).collect()
}

/// Whether all numbers are positive and span more than a few tens.
pub(super) fn span_decades(values: impl Iterator<Item = f64> + Clone) -> bool {
    const WIDE: f64 = 30.0;
    let known = values.filter(|x| x.is_finite());
    let least = known.clone().fold(f64::INFINITY, f64::min);
    least > 0.0 && known.fold(0.0, f64::max) / least >= WIDE
}

/// A table with a column for each species as one with a row for each.
fn by_species(merged: &Merged) -> Merged {
    let mut rows = Vec::new();
    for row in &merged.rows {
        for (species, value) in merged.measured.iter().zip(&row.values) {
            let about = row.about.iter().cloned().chain([species.as_str().into()]).collect();
            rows.push(MergedRow { about, values: vec![*value], ..row.clone() });
        }
    }
    Merged {
        about: merged.about.iter().cloned().chain(["species".to_owned()]).collect(),
        measured: vec!["particles".into()],
        has_error: vec![true],
        rows,
        ..merged.clone()
    }
}
