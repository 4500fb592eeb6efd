//! What was measured, as text, JSON, CSV and pictures.

use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::{BenchError, Machine, Study};
use crate::document::write_document;
use jostle_analysis::{Cell, Table};

/// What was measured of the search structures.
#[derive(Clone, Debug)]
pub struct Report {
    /// When and where.
    pub machine: Machine,
    /// The studies, in order.
    pub studies: Vec<Study>,
}

impl Report {
    /// Writes all figures as CSV, all pictures as SVG and PNG, and the text itself into a folder,
    /// made if it is missing. The files that were written.
    ///
    /// # Errors
    /// If something cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, BenchError> {
        let tables = self.studies.iter().map(|study| (study.name, study.table()));
        let pictures = self.studies.iter().flat_map(|study| &study.pictures);
        let pictures = pictures.map(|(name, picture)| (&**name, picture.draw()));
        Ok(write_document(folder, tables, pictures, &self.to_string())?)
    }

    /// All figures: the machine, and a list of entries for each study.
    pub fn to_json(&self) -> Value {
        let studies =
            self.studies.iter().map(|study| (study.name.to_owned(), rows(&study.table())));
        json!({ "machine": self.machine, "studies": studies.collect::<Map<_, _>>() })
    }
}

/// A table as a list of objects, numbers being numbers.
pub(super) fn rows(table: &Table) -> Value {
    let value = |(head, cell): (&String, &Cell)| {
        let cell = cell.to_string();
        // A state hash is a word even if it has no letters.
        let word = head == "state hash";
        let number = cell.parse::<f64>().ok().filter(|number| number.is_finite() && !word);
        (head.clone(), number.map_or_else(|| json!(cell), |number| json!(number)))
    };
    let object =
        |row: &Vec<Cell>| Value::Object(table.columns.iter().zip(row).map(value).collect());
    Value::Array(table.rows.iter().map(object).collect())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.machine)?;
        let contests = self.studies.iter().map(|study| study.entries.len()).sum::<usize>();
        writeln!(
            f,
            "Of {contests} timings each is the least of several rounds, taken in turns; those of one contest \
             ended in the same state."
        )?;
        for study in &self.studies {
            writeln!(f, "\n== {} ==", study.title)?;
            for section in &study.sections {
                writeln!(f, "\n{}\n", section.caption)?;
                for line in section.table.to_string().lines() {
                    writeln!(f, "  {line}")?;
                }
            }
        }
        Ok(())
    }
}
