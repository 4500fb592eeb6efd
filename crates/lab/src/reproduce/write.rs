//! Writes what was found: text, JSON, CSV and pictures.

use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{ReproduceError, StudyReport};
use crate::bench::Machine;
use crate::document::write_document;
use jostle_analysis::{Cell, Table};

/// A report, and where and when it was made.
#[derive(Clone, Debug)]
pub struct Document {
    /// When and where.
    pub machine: Machine,
    /// What was found.
    pub report: StudyReport,
}

impl Document {
    /// A report that is made here and now.
    pub fn new(report: StudyReport) -> Self {
        Self { machine: Machine::look(1), report }
    }

    /// Writes each table as CSV, each picture as SVG and PNG, and the text itself into a folder,
    /// made if it is missing. The files that were written.
    ///
    /// # Errors
    /// If something cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, ReproduceError> {
        let StudyReport { sections, drawings, .. } = &self.report;
        let tables = sections.iter().map(|section| (section.name, section.table.clone()));
        let pictures = drawings.iter().map(|(name, sheet)| (&**name, sheet.clone()));
        Ok(write_document(folder, tables, pictures, &self.to_string())?)
    }

    /// All tables: a list of objects for each.
    pub fn to_json(&self) -> Value {
        let sections = self.report.sections.iter();
        let tables: Map<_, _> =
            sections.map(|section| (section.name.to_owned(), rows(&section.table))).collect();
        json!({ "machine": self.machine, "title": self.report.title, "tables": tables })
    }
}

/// A table as a list of objects.
fn rows(table: &Table) -> Value {
    let value = |cell: &Cell| match cell {
        Cell::Text(text) => json!(text),
        Cell::Integer(value) => json!(value),
        Cell::Number(value) => json!(value),
        Cell::Missing => Value::Null,
    };
    let object = |row: &Vec<Cell>| {
        Value::Object(table.columns.iter().cloned().zip(row.iter().map(value)).collect())
    };
    Value::Array(table.rows.iter().map(object).collect())
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.report.title, self.machine)?;
        for section in self.report.sections.iter().filter(|section| !section.long) {
            writeln!(f, "\n== {} ==\n", section.caption)?;
            for line in section.table.to_string().lines() {
                writeln!(f, "  {line}")?;
            }
            for remark in &section.remarks {
                writeln!(f, "\n  {remark}")?;
            }
        }
        Ok(())
    }
}
