//! Tables, for people (aligned) and for programs (CSV, JSON, Parquet).
//!
//! Every question to a file is answered by a [`Table`] of typed cells, which is written in each
//! format in one place. Figures are drawn from analyses; analyses know nothing of figures.

mod columns;
#[cfg(feature = "parquet")]
mod parquet;
mod stream;
mod units;

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;

pub use columns::{Column, Columns, NO_WORD, Values};
pub use stream::{Format, ROWS_OF_GROUP, Stream, TableError};
pub use units::UnitSystem;

use jostle_core::words::{column_width, with_error};

/// A place in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A word.
    Text(String),
    /// A count, a number, an identity.
    Integer(i64),
    /// A measured number.
    Number(f64),
    /// Nothing: what the column asks for does not exist here.
    Missing,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    Text,
    /// Integers.
    Integer,
    /// Numbers.
    Number,
}

impl Cell {
    /// The number that it is, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Number(value) => Some(*value),
            Self::Text(_) | Self::Missing => None,
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Cell {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<i32> for Cell {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<u32> for Cell {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}

/// Identities and counts are below 2^63.
impl From<u64> for Cell {
    fn from(value: u64) -> Self {
        Self::Integer(value as i64)
    }
}

impl From<usize> for Cell {
    fn from(value: usize) -> Self {
        Self::Integer(value as i64)
    }
}

/// NaN is a missing number.
impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        if value.is_nan() { Self::Missing } else { Self::Number(value) }
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

impl PartialEq<&str> for Cell {
    fn eq(&self, text: &&str) -> bool {
        matches!(self, Self::Text(own) if own == text)
    }
}

/// As people read it: numbers with six digits, `-` for what is missing.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.pad(text),
            Self::Integer(value) => f.pad(&value.to_string()),
            Self::Number(value) => f.pad(&number(*value)),
            Self::Missing => f.pad("-"),
        }
    }
}

impl Cell {
    /// As programs read it: numbers with all their digits, nothing for what is missing.
    fn exact(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Integer(value) => value.to_string(),
            Self::Number(value) => value.to_string(),
            Self::Missing => String::new(),
        }
    }

    fn is_numeric(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty() || text == "-" || text.parse::<f64>().is_ok(),
            _ => true,
        }
    }
}

/// A table of words and numbers.
///
/// ```
/// use jostle_analysis::{Cell, Table, machine_name};
///
/// let mut table = Table::new(&["species", "mean", "std. error"]);
/// table.push(vec![Cell::from("EGFR"), 41.234.into(), 0.0512.into()]);
/// // For programs all digits; for people as many as the error allows.
/// let mut csv = Vec::new();
/// table.write_csv(&mut csv)?;
/// assert!(String::from_utf8_lossy(&csv).contains("41.234"));
/// let (_, rows) = table.texts_for_eyes();
/// assert_eq!(rows[0][0], "EGFR");
/// assert_eq!(machine_name("MSD (nm²)"), "msd_nm2");
/// # Ok::<(), jostle_analysis::TableError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The heads of the columns, with units: `lag (µs)`.
    pub columns: Vec<String>,
    /// The rows, each with a cell per column.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: &[&str]) -> Self {
        Self { columns: columns.iter().map(|&c| c.to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<Cell>) {
        debug_assert_eq!(row.len(), self.columns.len(), "a cell for each of {:?}", self.columns);
        self.rows.push(row);
    }

    /// Adds a row of texts.
    pub fn push_texts(&mut self, row: Vec<String>) {
        self.push(row.into_iter().map(Cell::Text).collect());
    }

    /// What each column holds: integers if all its cells are, numbers if all are numeric, else
    /// words. An empty column holds numbers.
    pub fn kinds(&self) -> Vec<Kind> {
        (0..self.columns.len()).map(|k| self.kind(k)).collect()
    }

    fn kind(&self, column: usize) -> Kind {
        let mut kind = None;
        for cell in self.rows.iter().filter_map(|row| row.get(column)) {
            match cell {
                Cell::Text(_) => return Kind::Text,
                Cell::Integer(_) => kind = kind.or(Some(Kind::Integer)),
                Cell::Number(_) => kind = Some(Kind::Number),
                Cell::Missing => (),
            }
        }
        kind.unwrap_or(Kind::Number)
    }

    /// Writes the whole table in a format.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, format: Format, out: impl Write + Send) -> Result<(), TableError> {
        let mut stream = Stream::begin(format, &self.columns, &self.kinds(), out)?;
        stream.push(self)?;
        stream.finish()
    }

    /// Writes the table as comma-separated values, heads (see [`machine_name`]) first.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_csv(&self, out: impl Write + Send) -> Result<(), TableError> {
        self.write(Format::Csv, out)
    }

    /// Evenly chosen rows, the first and the last among them.
    #[must_use]
    pub fn thinned(&self, most_rows: usize) -> Self {
        let count = self.rows.len();
        if count <= most_rows || most_rows < 2 {
            return self.clone();
        }
        let rows = (0..most_rows).map(|n| self.rows[n * (count - 1) / (most_rows - 1)].clone());
        Self { columns: self.columns.clone(), rows: rows.collect() }
    }
}

impl Table {
    fn is_numeric(&self, column: usize) -> bool {
        self.rows.iter().filter_map(|row| row.get(column)).all(Cell::is_numeric)
    }

    /// Whether a column has the standard errors of the one before it.
    fn is_error_of_the_one_before(&self, column: usize) -> bool {
        let is_error = |k: usize| self.columns[k].split(' ').any(|word| word == "error");
        column > 0
            && is_error(column)
            && !is_error(column - 1)
            && [column - 1, column].iter().all(|&k| self.is_numeric(k))
    }

    /// The cells of a column as people read them.
    fn texts(&self, column: usize) -> Vec<String> {
        self.rows.iter().map(|row| row.get(column).unwrap_or(&Cell::Missing).to_string()).collect()
    }

    /// The cells of a column with the standard errors of the next behind them, ± below ±.
    fn texts_with_errors(&self, column: usize) -> Vec<String> {
        let cells = self.rows.iter().map(|row| {
            let value = row.get(column).unwrap_or(&Cell::Missing);
            match (value.number(), row.get(column + 1).and_then(Cell::number)) {
                (Some(value), Some(error)) => {
                    let [value, error] = with_error(value, error);
                    [value, format!(" ± {error}")]
                }
                _ => [value.to_string(), String::new()],
            }
        });
        let cells: Vec<[String; 2]> = cells.collect();
        let width = column_width(cells.iter().map(|[_, error]| error));
        cells.into_iter().map(|[value, error]| format!("{value}{error:<width$}")).collect()
    }

    /// Where three columns begin with a number and the ends of its interval, of which this is one.
    fn interval(&self, column: usize) -> Option<usize> {
        let is_first = |k: &usize| {
            let head = |n: usize| self.columns.get(k + n).map_or("", String::as_str);
            let ends =
                |low: &str, high: &str| head(1).starts_with(low) && head(2).starts_with(high);
            ends("95 % from", "95 % to")
                || ends(&format!("{} low", head(0)), &format!("{} high", head(0)))
        };
        (column.saturating_sub(2)..=column).find(is_first)
    }

    /// The cells of one of the three columns that begin at `first`: with as many digits as a standard error of half the
    /// way to the nearer end allows.
    fn texts_in_interval(&self, column: usize, first: usize) -> Vec<String> {
        let text = |row: &Vec<Cell>| {
            let number = |k: usize| row.get(k).and_then(Cell::number);
            let ways = number(first).map(|value| {
                let ends = [number(first + 1), number(first + 2)];
                ends.map(|end| end.map_or(f64::INFINITY, |end| (end - value).abs()))
            });
            // None happened: the lower end is 0, too.
            let ways = ways.into_iter().flatten().filter(|&way| way > 0.0);
            match (number(column), 0.5 * ways.fold(f64::INFINITY, f64::min)) {
                (Some(value), error) if error.is_finite() => with_error(value, error)[0].clone(),
                _ => row.get(column).unwrap_or(&Cell::Missing).to_string(),
            }
        };
        self.rows.iter().map(text).collect()
    }

    /// The columns as people read them, each with its place in the table: head and cells, a standard error
    /// behind its number, which has no more digits than it allows.
    fn for_eyes(&self) -> impl Iterator<Item = (usize, Vec<String>)> {
        let count = self.columns.len();
        let shown = (0..count).filter(|&k| !self.is_error_of_the_one_before(k));
        shown.map(move |k| {
            let has_errors = k + 1 < count && self.is_error_of_the_one_before(k + 1);
            let texts = match self.interval(k) {
                _ if has_errors => self.texts_with_errors(k),
                Some(first) => self.texts_in_interval(k, first),
                None => self.texts(k),
            };
            (k, std::iter::once(self.columns[k].clone()).chain(texts).collect())
        })
    }

    /// The heads and rows as people read them: a standard error stands behind its number, which has no more
    /// digits than it allows.
    pub fn texts_for_eyes(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let columns: Vec<Vec<String>> = self.for_eyes().map(|(_, texts)| texts).collect();
        let row = |n: usize| columns.iter().map(|column| column[n].trim().to_owned()).collect();
        (row(0), (1..=self.rows.len()).map(row).collect())
    }
}

/// Columns of numbers are flush right, others flush left.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.for_eyes().map(|(k, texts)| {
            let width = column_width(texts.iter());
            let aligned = texts.into_iter().map(move |text| match self.is_numeric(k) {
                true => format!("{text:>width$}"),
                false => format!("{text:<width$}"),
            });
            aligned.collect::<Vec<_>>()
        });
        let columns: Vec<Vec<String>> = columns.collect();
        for n in 0..=self.rows.len() {
            let line = columns.iter().map(|column| column[n].as_str()).collect::<Vec<_>>();
            writeln!(f, "{}", line.join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// The head of a column as programs like it: `MSD (nm²)` is `msd_nm2`, `rate (/µs)` is
/// `rate_per_us`, `density (µM)` is `density_micromolar`, which no one takes for a length.
pub fn machine_name(head: &str) -> String {
    let plain = head
        .replace("µM", "micromolar")
        .replace('µ', "u")
        .replace('²', "2")
        .replace('³', "3")
        .replace('/', " per ");
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("_")
}

/// The names of columns, each once (see [`machine_name`]). Where two would have the same, such as those
/// of species A and a, they have their heads.
pub fn machine_names<'h>(heads: impl IntoIterator<Item = &'h String>) -> Vec<String> {
    let (heads, names): (Vec<_>, Vec<_>) =
        heads.into_iter().map(|head| (head, machine_name(head))).unzip();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in &names {
        *counts.entry(name).or_default() += 1;
    }
    let name = |(name, head): (&String, &&String)| match counts[name.as_str()] {
        1 => name.clone(),
        _ => (*head).clone(),
    };
    names.iter().zip(&heads).map(name).collect()
}

/// A number for a table: six digits, in plain notation where that is short.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() {
        format!("{value}")
    } else if (1e-4..1e9).contains(&size) {
        let before = (libm::log10(size).floor() as i32 + 1).max(-3);
        let text = format!("{value:.*}", (6 - before).max(0) as usize);
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        }
    } else {
        let text = format!("{value:.5e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_flush_right_and_words_flush_left() {
        let mut table = Table::new(&["species", "count"]);
        table.push(vec!["EGFR".into(), 7u64.into()]);
        table.push(vec!["a".into(), 1200u64.into()]);
        table.push(vec!["b".into(), Cell::Missing]);
        let text = table.to_string();
        assert_eq!(text, "species  count\nEGFR         7\na         1200\nb            -\n");
    }

    #[test]
    fn errors_stand_behind_their_numbers() {
        let mut table = Table::new(&["rule", "D (µm²/s)", "D error (µm²/s)", "mean", "std. error"]);
        table.push(vec![
            "a".into(),
            0.009_900_99.into(),
            0.010_416_67.into(),
            7u64.into(),
            0.0.into(),
        ]);
        table.push(vec!["b".into(), 24.1873.into(), 1.1234.into(), 1234.5.into(), 217.0.into()]);
        table.push(vec!["c".into(), 3.5.into(), Cell::Missing, Cell::Missing, Cell::Missing]);
        let expected = "\
rule      D (µm²/s)        mean
a     0.010 ± 0.010     7 ± 0
b      24.2 ± 1.1    1230 ± 220
c       3.5             -
";
        assert_eq!(table.to_string(), expected);
        let mut words = Table::new(&["what", "std. error"]);
        words.push(vec!["mean".into(), 0.5.into()]);
        assert_eq!(words.to_string(), "what  std. error\nmean         0.5\n");
        let mut rates = Table::new(&["rule", "k", "k low", "k high"]);
        rates.push(vec![Cell::from("on"), 0.0621377.into(), 0.0562817.into(), 0.0684374.into()]);
        assert_eq!(
            rates.to_string(),
            "rule       k   k low  k high\non    0.0621  0.0563  0.0684\n"
        );
    }

    /// Files from elsewhere may hold words of any length; 65 536 characters are more than a format
    /// can be told.
    #[test]
    fn a_word_that_is_too_long_makes_no_column_wide() {
        let long = "x".repeat(70_000);
        let mut table = Table::new(&["species", "count"]);
        table.push(vec![long.as_str().into(), 7u64.into()]);
        table.push(vec!["a".into(), 1200u64.into()]);
        let text = table.to_string();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[1], format!("{long}      7"));
        assert_eq!(lines[2].len(), 200 + 2 + 5);
    }

    #[test]
    fn columns_know_what_they_hold() {
        let mut table = Table::new(&["name", "count", "mean", "empty"]);
        table.push(vec!["a".into(), 1u64.into(), 2u64.into(), Cell::Missing]);
        table.push(vec![Cell::Missing, Cell::Missing, 2.5.into(), f64::NAN.into()]);
        assert_eq!(table.kinds(), [Kind::Text, Kind::Integer, Kind::Number, Kind::Number]);
    }

    #[test]
    fn heads_become_names() {
        let cases = [
            ("lag (µs)", "lag_us"),
            ("MSD (nm²)", "msd_nm2"),
            ("D (nm²/µs)", "d_nm2_per_us"),
            ("rate (/µs)", "rate_per_us"),
            ("std. error", "std_error"),
            ("density (µM)", "density_micromolar"),
        ];
        for (head, name) in cases {
            assert_eq!(machine_name(head), name);
        }
    }

    #[test]
    fn columns_of_species_that_differ_in_case_are_told_apart() {
        let mut table = Table::new(&["time (µs)", "A", "a", "B"]);
        table.push(vec![0.into(), 1.into(), 2.into(), 3.into()]);
        let mut out = Vec::new();
        table.write_csv(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "time_us,A,a,b\n0,1,2,3\n");
    }

    #[test]
    fn numbers_keep_six_digits() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (123.4567891, "123.457"),
            (1234567.0, "1234567"),
            (0.00123456789, "0.00123457"),
            (-2.5, "-2.5"),
            (1.5e-7, "1.5e-7"),
            (2e12, "2e12"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn thinning_keeps_both_ends() {
        let mut table = Table::new(&["n"]);
        (0..100u64).for_each(|n| table.push(vec![n.into()]));
        let thin = table.thinned(5);
        assert_eq!(thin.rows.first(), table.rows.first());
        assert_eq!(thin.rows.last(), table.rows.last());
        assert_eq!(thin.rows.len(), 5);
    }
}
