//! What tells the rows of a merged table apart: the axes of the sweep, and what a row is about.

use std::collections::{HashMap, HashSet};

use jostle_analysis::Cell;
use jostle_core::words::digits;
use jostle_sweep::{Merged, MergedRow, Plan};

use super::super::figures::typeset;
use super::super::time_unit::TimeUnit;

/// What tells rows apart, if it differs among them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dimension {
    /// As short as it can be: `rate`, `species`.
    pub(super) name: String,
    /// Beside an axis: `rule.react.rate [nm³/µs]`.
    pub(super) label: String,
    /// Where it comes from.
    pub(super) source: Source,
    /// What each row has. \[row\]
    pub(super) texts: Vec<String>,
    /// The same as numbers, if all are; otherwise empty. \[row\]
    pub(super) numbers: Vec<f64>,
}

/// Where a dimension comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The points differ in it.
    Sweep,
    /// A column of numbers that says what a row is about: time, size.
    Running,
    /// A column of words that says what a row is about: species, rule.
    Words,
}

impl Dimension {
    /// All dimensions in which rows differ: those of the points first, then those of the columns.
    pub(super) fn all(plan: &Plan, merged: &Merged) -> Vec<Self> {
        let mut all = axes(plan, &merged.rows);
        all.extend(columns(merged));
        all.retain(|dimension| dimension.levels().len() > 1);
        all
    }

    /// The number of each point.
    pub(super) fn of_points(rows: &[MergedRow]) -> Self {
        Self {
            name: "point".into(),
            label: "point".into(),
            source: Source::Sweep,
            texts: rows.iter().map(|row| row.point.to_string()).collect(),
            numbers: rows.iter().map(|row| row.point as f64).collect(),
        }
    }

    pub(super) fn is_numeric(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// The rows at which each value first appears: by number, or as they come.
    pub(super) fn levels(&self) -> Vec<usize> {
        let mut known = HashMap::new();
        for (row, text) in self.texts.iter().enumerate() {
            known.entry(text).or_insert(row);
        }
        let mut levels: Vec<usize> = known.into_values().collect();
        levels.sort_unstable();
        if self.is_numeric() {
            levels.sort_by(|&a, &b| self.numbers[a].total_cmp(&self.numbers[b]));
        }
        levels
    }

    /// What a series of the rows like this one is called.
    pub(super) fn name_of(&self, row: usize) -> String {
        match self.source {
            Source::Words => self.texts[row].clone(),
            Source::Sweep | Source::Running => format!("{} = {}", self.name, self.texts[row]),
        }
    }

    /// Whether numbers are more evenly spaced in their logarithms, and span more than a few tens.
    pub(super) fn is_log(&self) -> bool {
        let values: Vec<f64> = self.levels().into_iter().map(|row| self.numbers[row]).collect();
        is_log(&values)
    }
}

/// Whether numbers, in order, suit a logarithmic axis.
fn is_log(values: &[f64]) -> bool {
    const WIDE: f64 = 30.0;
    let [first, .., last] = values else { return false };
    if *first <= 0.0 || last / first < WIDE {
        return false;
    }
    // The largest gap, as a share of the whole.
    let gap = |of: fn(f64) -> f64| {
        let gaps = values.windows(2).map(|two| of(two[1]) - of(two[0]));
        gaps.fold(0.0, f64::max) / (of(*last) - of(*first))
    };
    gap(libm::log) < gap(|x| x)
}

/// A key that points set, with the value of each point.
struct Key<'a> {
    name: &'a str,
    /// \[point\]
    values: Vec<Option<&'a str>>,
    /// If all points have a number in the same unit. \[point\]
    numbers: Option<(Vec<f64>, &'a str)>,
}

impl<'a> Key<'a> {
    fn new(name: &'a str, plan: &'a Plan) -> Self {
        let values: Vec<_> = plan.points().iter().map(|point| point.value(name)).collect();
        let split: Option<Vec<(f64, &str)>> =
            values.iter().map(|value| value.and_then(number_and_unit)).collect();
        let numbers = split.filter(|all| all.windows(2).all(|two| two[0].1 == two[1].1));
        let numbers = numbers.and_then(|all| {
            let unit = all.first()?.1;
            Some((all.into_iter().map(|(number, _)| number).collect(), unit))
        });
        Self { name, values, numbers }
    }

    /// What each point has, with as few digits as tell numbers apart, but four at least.
    fn texts(&self) -> Vec<String> {
        let distinct = |texts: &[String]| texts.iter().collect::<HashSet<_>>().len();
        let whole: Vec<String> =
            self.values.iter().map(|value| typeset(value.unwrap_or("–"))).collect();
        let Some((numbers, unit)) = &self.numbers else { return whole };
        let unit = typeset(unit);
        let rounded = |count| {
            let text = |&number: &f64| format!("{} {unit}", digits(number, count));
            numbers.iter().map(|number| text(number).trim().to_owned()).collect()
        };
        let tried = (4..=9).map(rounded);
        tried
            .into_iter()
            .find(|texts: &Vec<String>| distinct(texts) == distinct(&whole))
            .unwrap_or(whole)
    }

    /// Whether one follows from the other, and they rise and fall together if both are numbers: what
    /// changes together is one axis, but numbers of a design that happen to be all different are not.
    fn goes_with(&self, other: &Self) -> bool {
        let (mut there, mut back) = (HashMap::new(), HashMap::new());
        let is_one_to_one =
            self.values.iter().zip(&other.values).all(|(a, b)| {
                *there.entry(a).or_insert(b) == b && *back.entry(b).or_insert(a) == a
            });
        let (Some((ours, _)), Some((theirs, _))) = (&self.numbers, &other.numbers) else {
            return is_one_to_one;
        };
        let mut pairs: Vec<(f64, f64)> = ours.iter().copied().zip(theirs.iter().copied()).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        is_one_to_one
            && (pairs.windows(2).all(|two| two[0].1 <= two[1].1)
                || pairs.windows(2).all(|two| two[0].1 >= two[1].1))
    }
}

/// The axes of the sweep; of keys that change together, the first that has numbers.
fn axes(plan: &Plan, rows: &[MergedRow]) -> Vec<Dimension> {
    let mut keys: Vec<Key> = plan.keys().into_iter().map(|name| Key::new(name, plan)).collect();
    keys.retain(|key| key.values.iter().any(|value| *value != key.values[0]));
    let names: Vec<&str> = keys.iter().map(|key| key.name).collect();
    let mut chosen: Vec<Key> = Vec::new();
    for key in keys {
        match chosen.iter_mut().find(|known| known.goes_with(&key)) {
            Some(known) if known.numbers.is_none() && key.numbers.is_some() => *known = key,
            Some(_) => {}
            None => chosen.push(key),
        }
    }
    let dimension = |key: Key| {
        let texts = key.texts();
        let (numbers, label) = match &key.numbers {
            Some((numbers, unit)) => (
                rows.iter().map(|row| numbers[row.point]).collect(),
                with_unit(key.name, &typeset(unit)),
            ),
            None => (vec![], key.name.to_owned()),
        };
        Dimension {
            name: short(key.name, &names),
            label,
            source: Source::Sweep,
            texts: rows.iter().map(|row| texts[row.point].clone()).collect(),
            numbers,
        }
    };
    chosen.into_iter().map(dimension).collect()
}

/// The columns that say what a row is about. The two ends of a bin are one: its middle.
fn columns(merged: &Merged) -> Vec<Dimension> {
    let mut dimensions = Vec::new();
    let mut left = merged.about.iter().enumerate().peekable();
    while let Some((k, head)) = left.next() {
        let cells =
            || merged.rows.iter().map(move |row| row.about.get(k).unwrap_or(&Cell::Missing));
        let (name, unit) = name_and_unit(head);
        let numbers: Vec<f64> = cells().map(number).collect();
        let is_numeric = cells().any(|cell| !matches!(cell, Cell::Missing))
            && numbers.iter().all(|x| !x.is_nan());
        if !is_numeric {
            dimensions.push(Dimension {
                name: name.to_owned(),
                label: head.clone(),
                source: Source::Words,
                texts: cells().map(ToString::to_string).collect(),
                numbers: vec![],
            });
            continue;
        }
        // How far a fit reaches is not what it is about.
        if name == "up to" {
            continue;
        }
        let next = left.next_if(|(_, next)| is_end(head, next));
        let other = next.map(|(k, _)| {
            merged.rows.iter().map(move |row| row.about.get(k).map_or(f64::NAN, number))
        });
        let (name, numbers) = match (other, name.strip_suffix("from")) {
            (Some(other), Some(of)) => (of.trim(), middles(&numbers, &other.collect::<Vec<_>>())),
            _ => (name, numbers),
        };
        dimensions.push(running(
            if name.is_empty() { "middle of the bin" } else { name },
            unit,
            numbers,
        ));
    }
    dimensions
}

/// A dimension of numbers that say what a row is about. Times come in a handy unit.
fn running(name: &str, unit: &str, mut numbers: Vec<f64>) -> Dimension {
    let mut unit = unit.to_owned();
    if unit == "µs" {
        let handy = TimeUnit::for_all(numbers.iter().copied().filter(|time| time.is_finite()));
        numbers.iter_mut().for_each(|time| *time = handy.of(*time));
        unit = handy.name.to_owned();
    }
    let text = |&number: &f64| match unit.as_str() {
        "" => Cell::Number(number).to_string(),
        unit => format!("{} {unit}", Cell::Number(number)),
    };
    Dimension {
        name: name.to_owned(),
        label: with_unit(name, &unit),
        source: Source::Running,
        texts: numbers.iter().map(text).collect(),
        numbers,
    }
}

/// The middles of bins: as the logarithm has it where that is how bins are spaced.
fn middles(from: &[f64], to: &[f64]) -> Vec<f64> {
    let mut edges: Vec<f64> = from.iter().chain(to).copied().filter(|x| x.is_finite()).collect();
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    let is_log = is_log(&edges);
    let middle = |(&from, &to): (&f64, &f64)| match is_log {
        true => (from * to).sqrt(),
        false => 0.5 * (from + to),
    };
    from.iter().zip(to).map(middle).collect()
}

/// Whether two heads are the ends of the same bins: `x from (nm)` and `x to (nm)`, or `to` alone.
fn is_end(from: &str, to: &str) -> bool {
    let [(from, _), (to, unit)] = [name_and_unit(from), name_and_unit(to)];
    let of = from.strip_suffix("from").map(str::trim);
    let end = to.strip_suffix("to").map(str::trim);
    of.is_some() && (end == of || end == Some("")) && !unit.contains('%')
}

/// A cell as a number; NaN if it is none.
fn number(cell: &Cell) -> f64 {
    cell.number().unwrap_or(f64::NAN)
}

/// A value as a number with its unit, which may be empty.
fn number_and_unit(value: &str) -> Option<(f64, &str)> {
    let value = value.trim();
    let (number, unit) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
    let number = number.parse().ok().filter(|number: &f64| number.is_finite())?;
    Some((number, unit.trim()))
}

/// A value as it is shown where its exact digits do not matter: `23.21 nm^3/us`.
pub(in crate::report) fn short_value(value: &str) -> String {
    match number_and_unit(value) {
        Some((number, unit)) => format!("{} {unit}", digits(number, 4)).trim().to_owned(),
        None => value.to_owned(),
    }
}

/// The name in a head, and its unit, which may be empty: `time (µs)`.
pub(super) fn name_and_unit(head: &str) -> (&str, &str) {
    match head.split_once(" (").and_then(|(name, unit)| Some((name, unit.strip_suffix(')')?))) {
        Some(split) => split,
        None => (head, ""),
    }
}

/// As an axis is labelled: `time [µs]`.
pub(super) fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
}

/// The last words of a key, as few as tell it from all others.
fn short(key: &str, all: &[&str]) -> String {
    let words: Vec<&str> = key.split('.').collect();
    let ends = (0..words.len()).rev().map(|n| words[n..].join("."));
    let is_alone = |end: &String| {
        let dotted = format!(".{end}");
        all.iter().filter(|other| **other == end || other.ends_with(&dotted)).count() == 1
    };
    ends.into_iter().find(is_alone).unwrap_or_else(|| key.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_by_as_few_words_as_tell_them_apart() {
        let all = ["rule.react.rate", "species.A.count", "species.B.count", "count"];
        let told = all.map(|key| short(key, &all));
        assert_eq!(told, ["rate", "A.count", "B.count", "count"]);
    }

    #[test]
    fn numbers_that_are_even_in_their_logarithms_suit_a_logarithmic_axis() {
        assert!(is_log(&[1.0, 10.0, 100.0]) && is_log(&[1.0, 2.0, 5.0, 10.0, 20.0, 50.0]));
        let even: Vec<f64> = (1..=100).map(f64::from).collect();
        assert!(!is_log(&even));
        assert!(!is_log(&[0.0, 10.0, 100.0]) && !is_log(&[1.0, 4.0, 16.0]) && !is_log(&[2.0]));
    }

    #[test]
    fn values_are_numbers_with_a_unit() {
        assert_eq!(number_and_unit("17 nm^3/us"), Some((17.0, "nm^3/us")));
        assert_eq!(number_and_unit("-2.5e3"), Some((-2500.0, "")));
        for text in ["true", "nan", "inf nm", "[1, 2]", ""] {
            assert_eq!(number_and_unit(text), None, "{text}");
        }
        let told = ["23.207944168063893 nm^3/us", "500", "on"].map(short_value);
        assert_eq!(told, ["23.21 nm^3/us", "500", "on"]);
    }

    #[test]
    fn heads_have_a_name_and_a_unit() {
        assert_eq!(name_and_unit("time (µs)"), ("time", "µs"));
        assert_eq!(name_and_unit("k (/M/s)"), ("k", "/M/s"));
        assert_eq!(name_and_unit("share left"), ("share left", ""));
        assert_eq!(with_unit("k", "/s"), "k [/s]");
    }

    #[test]
    fn bins_stand_at_their_middles() {
        assert_eq!(middles(&[0.0, 1.0], &[1.0, 2.0]), [0.5, 1.5]);
        let log = middles(&[1.0, 10.0], &[10.0, 100.0]);
        assert!((log[0] - 10f64.sqrt()).abs() < 1e-12, "{log:?}");
        assert!(is_end("x from (nm)", "x to (nm)") && is_end("force over mean from", "to"));
        assert!(!is_end("x from (nm)", "y to (nm)") && !is_end("from size", "to size"));
    }
}
