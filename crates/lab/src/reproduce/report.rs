//! What was found, before any particle writes it: tables, remarks, pictures.

use jostle_analysis::Table;
use jostle_report::report::Sheet;

/// A table, and what is to be said of it.
#[derive(Clone, Debug)]
pub struct ReportSection {
    /// One word; names its file.
    pub name: &'static str,
    /// What it shows.
    pub caption: String,
    /// The table.
    pub table: Table,
    /// Below the table.
    pub remarks: Vec<String>,
    /// Whether it is for files only, since it has a row for every run.
    pub long: bool,
}

impl ReportSection {
    pub(super) fn new(name: &'static str, caption: &str, table: Table) -> Self {
        Self { name, caption: caption.to_owned(), table, remarks: Vec::new(), long: false }
    }

    pub(super) fn remarks(mut self, remarks: Vec<String>) -> Self {
        self.remarks = remarks;
        self
    }
}

/// All that a reproduction shows.
#[derive(Clone, Debug)]
pub struct StudyReport {
    /// What was reproduced.
    pub title: String,
    /// The tables.
    pub sections: Vec<ReportSection>,
    /// The pictures, each with the name of its file.
    pub drawings: Vec<(&'static str, Sheet)>,
}

/// A number with three digits.
pub(super) fn digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { "-".to_owned() };
    }
    let before = libm::log10(value.abs()).floor() as i32 + 1;
    if !(-2..7).contains(&before) {
        return format!("{value:.2e}");
    }
    format!("{value:.*}", (3 - before).max(0) as usize)
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn numbers_have_three_digits() {
        let found = [0.0, 0.012345, 1.2345, 123.45, 12345.6, 1.2345e9].map(digits);
        assert_eq!(found, ["0", "0.0123", "1.23", "123", "12346", "1.23e9"]);
    }
}
