//! Tables, for people (aligned) and for programs (CSV).

use std::fmt;
use std::io::Write;

/// A table of words and numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The heads of the columns, with units.
    pub columns: Vec<String>,
    /// The rows, each with a cell per column.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: &[&str]) -> Self {
        Self { columns: columns.iter().map(|&c| c.to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Writes the table as comma-separated values, heads first; in the heads, `µ` and `²` become
    /// `u` and `2`, which are easier to type.
    ///
    /// # Errors
    /// If `out` cannot be written, or a row has more or fewer cells than there are columns.
    pub fn write_csv(&self, out: impl Write) -> Result<(), csv::Error> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(self.columns.iter().map(|head| head.replace('µ', "u").replace('²', "2")))?;
        for row in &self.rows {
            writer.write_record(row)?;
        }
        Ok(writer.flush()?)
    }

    /// Whether a column holds numbers (and gaps) only.
    fn is_numeric(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.all(|cell| cell.is_empty() || cell == "-" || cell.parse::<f64>().is_ok())
    }
}

/// Columns of numbers are flush right, others flush left.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |k: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(k));
            let all = cells.chain(self.columns.get(k));
            all.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let layout: Vec<(usize, bool)> =
            (0..self.columns.len()).map(|k| (width(k), self.is_numeric(k))).collect();
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            let cells = row.iter().zip(&layout).map(|(cell, &(width, right))| {
                if right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
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
        format!("{value:.5e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_flush_right_and_words_flush_left() {
        let mut table = Table::new(&["species", "count"]);
        table.push(vec!["EGFR".into(), "7".into()]);
        table.push(vec!["a".into(), "1200".into()]);
        let text = table.to_string();
        assert_eq!(text, "species  count\nEGFR         7\na         1200\n");
    }

    #[test]
    fn csv_quotes_what_needs_quotes() {
        let mut table = Table::new(&["name", "n"]);
        table.push(vec!["a, b".into(), "1".into()]);
        let mut out = Vec::new();
        table.write_csv(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "name,n\n\"a, b\",1\n");
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
            (1.5e-7, "1.50000e-7"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }
}
