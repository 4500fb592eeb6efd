//! Writes what was found: text, JSON, CSV and pictures.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{ReproduceError, StudyReport};
use crate::bench::Machine;
use jostle_analysis::{Cell, Table};
use jostle_files::fresh;

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
        let failed = |path: &Path| {
            let path = path.to_owned();
            |source| ReproduceError::Write { path, source }
        };
        std::fs::create_dir_all(folder).map_err(failed(folder))?;
        let mut written = Vec::new();
        for section in &self.report.sections {
            let path = folder.join(section.name).with_extension("csv");
            let to_table = |source| ReproduceError::Table { path: path.clone(), source };
            fresh(&path, |file| section.table.write_csv(file)).map_err(to_table)?;
            written.push(path);
        }
        for (name, sheet) in &self.report.drawings {
            let [svg, png] = ["svg", "png"].map(|kind| folder.join(name).with_extension(kind));
            sheet.save(&svg)?;
            sheet.save(&png)?;
            written.extend([svg, png]);
        }
        let path = folder.join("report.txt");
        let text = self.to_string();
        fresh(&path, |file| file.write_all(text.as_bytes())).map_err(failed(&path))?;
        written.push(path);
        Ok(written)
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
