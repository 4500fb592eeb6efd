//! Positions from a table of comma-separated values.

use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};

use super::{FileError, Positions};
use crate::{named_text_of, shortened};

/// A longer table is none. \[bytes\]
const LONGEST_FILE: u64 = 1 << 31;
/// The most characters of a cell or a heading that a message quotes.
const MOST_SHOWN: usize = 120;

const AXES: [&str; 3] = ["x", "y", "z"];

/// Reads positions from a CSV table.
///
/// # Errors
/// If the file cannot be read, or does not hold a finite number for every coordinate.
pub fn read(path: &Path, dimension: usize) -> Result<Positions, FileError> {
    let unreadable = |error: &dyn std::error::Error| FileError::Unreadable {
        path: path.to_owned(),
        error: error.to_string(),
    };
    let text = named_text_of(path, LONGEST_FILE).map_err(|error| unreadable(&error))?;
    let mut reader =
        ReaderBuilder::new().comment(Some(b'#')).trim(Trim::All).from_reader(text.as_bytes());
    let headings = reader.headers().map_err(|error| unreadable(&error))?.clone();
    let mut lines = LineCounter::of(&text);
    let columns = Columns::find(path, &headings, dimension)?;
    let mut positions = Positions {
        unit: columns.unit.clone(),
        species: columns.species.map(|_| Vec::new()),
        angles: columns.angle.map(|_| Vec::new()),
        counted: "line",
        ..Positions::default()
    };
    for record in reader.records() {
        let record = record.map_err(|error| unreadable(&error))?;
        let line = lines.of_record(record.position().map_or(0, csv::Position::byte) as usize);
        let mut place = [0.0; 3];
        let number = |column: usize| {
            let text = record.get(column).unwrap_or_default();
            text.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| FileError::Cell {
                path: path.to_owned(),
                line,
                column: headings[column].to_owned(),
                message: format!(
                    "found `{}`, but a finite number is needed",
                    shortened(text, MOST_SHOWN)
                ),
            })
        };
        for (k, &column) in columns.axes.iter().enumerate() {
            place[k] = number(column)?;
        }
        if let (Some(angles), Some((column, unit))) = (&mut positions.angles, columns.angle) {
            angles.push(number(column)? * unit);
        }
        positions.places.push(place);
        positions.source.push(line);
        if let (Some(names), Some(column)) = (&mut positions.species, columns.species) {
            names.push(record.get(column).unwrap_or_default().to_owned());
        }
    }
    Ok(positions)
}

/// Counts lines. A record's position lies before the blank lines and comments above it.
struct LineCounter<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl<'a> LineCounter<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// The line of the record whose position is `byte`; records come in order.
    fn of_record(&mut self, byte: usize) -> u64 {
        let passed = &self.text.as_bytes()[self.at..byte.max(self.at)];
        self.line += passed.iter().filter(|b| **b == b'\n').count() as u64;
        self.at = byte.max(self.at);
        for skipped in self.text[self.at..].split_inclusive('\n') {
            if !skipped.trim().is_empty() && !skipped.starts_with('#') {
                break;
            }
            self.at += skipped.len();
            self.line += 1;
        }
        self.line
    }
}

/// Which column holds what.
struct Columns {
    axes: Vec<usize>,
    unit: Option<String>,
    species: Option<usize>,
    /// With what makes rad of its numbers.
    angle: Option<(usize, f64)>,
}

impl Columns {
    fn find(path: &Path, headings: &StringRecord, dimension: usize) -> Result<Self, FileError> {
        let fault = |message| FileError::Content { path: path.to_owned(), message };
        let mut axes = Vec::new();
        let mut units = Vec::new();
        for axis in &AXES[..dimension] {
            let of_axis = |heading: &str| match heading.split_once('_') {
                Some((name, unit)) => (name == *axis).then(|| Some(unit.to_owned())),
                None => (heading == *axis).then_some(None),
            };
            let mut found =
                headings.iter().enumerate().filter_map(|(n, heading)| Some((n, of_axis(heading)?)));
            let Some((column, unit)) = found.next() else {
                let wanted = AXES[..dimension].join(",");
                let found = headings.iter().collect::<Vec<_>>().join(",");
                let found = shortened(&found, MOST_SHOWN);
                return Err(fault(format!(
                    "there is no column `{axis}`: the heading is `{found}`, but `{wanted}` is \
                     needed (or with a unit: `x_nm`)"
                )));
            };
            if found.next().is_some() {
                return Err(fault(format!("there are two columns for `{axis}`")));
            }
            axes.push(column);
            units.push(unit);
        }
        if units.iter().any(|unit| *unit != units[0]) {
            return Err(fault("the columns of the coordinates differ in unit".to_owned()));
        }
        let column = |name: &str| headings.iter().position(|heading| heading == name);
        let degrees = || Some((column("angle_deg")?, std::f64::consts::PI / 180.0));
        let radians = column("angle").or_else(|| column("angle_rad")).map(|column| (column, 1.0));
        Ok(Self {
            axes,
            unit: units.swap_remove(0),
            species: column("species"),
            angle: radians.or_else(degrees),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str, dimension: usize) -> Result<Positions, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.csv");
        std::fs::write(&path, text).unwrap();
        read(&path, dimension).map_err(|error| error.to_string())
    }

    #[test]
    fn columns_come_in_any_order_with_unit_and_species() {
        let text = "# made by hand\nid,y_um,species, x_um\n7,1.5,A,2\n\n8,-3e-1,B, 4\n";
        let read = read_text(text, 2).unwrap();
        assert_eq!(read.places, [[2.0, 1.5, 0.0], [4.0, -0.3, 0.0]]);
        assert_eq!(read.unit.as_deref(), Some("um"));
        assert_eq!(read.species.as_deref().unwrap(), ["A", "B"]);
        assert_eq!((read.row(0), read.row(1)), ("line 3".into(), "line 5".into()));
    }

    #[test]
    fn angles_are_read_in_degrees_or_not() {
        let read = read_text("x,angle_deg,y\n1,180,2\n", 2).unwrap();
        assert_eq!(read.angles, Some(vec![std::f64::consts::PI]));
        assert_eq!(read_text("x,y,angle\n1,2,0.5\n", 2).unwrap().angles, Some(vec![0.5]));
        assert_eq!(read_text("x,y\n1,2\n", 2).unwrap().angles, None);
    }

    #[test]
    fn faults_name_line_and_column() {
        let error = read_text("x,y\n1,2\n3,abc\n", 2).unwrap_err();
        assert!(error.contains(":3: column `y`: found `abc`"), "{error}");
        let error = read_text("x,y\n1,nan\n", 2).unwrap_err();
        assert!(error.contains("finite"), "{error}");
        let error = read_text("x,y\n1,2\n", 3).unwrap_err();
        assert!(error.contains("no column `z`"), "{error}");
        let error = read_text("x_nm,y_um\n1,2\n", 2).unwrap_err();
        assert!(error.contains("differ in unit"), "{error}");
        let error = read_text("x,y\r\n1,2\r\n#\r\n3,z\r\n", 2).unwrap_err();
        assert!(error.contains(":4: column `y`"), "{error}");
        let error = read_text("x,y\n1\n", 2).unwrap_err();
        assert!(error.contains("line: 2"), "{error}");
    }
}
