//! Tables of any length, written as they come.

use std::io::Write;

#[cfg(feature = "parquet")]
use super::parquet::ParquetFile;
use super::{Cell, Kind, Table, machine_names};
use jostle_files as files;

/// Rows of a Parquet file that lie together. A table that is written in pieces of this many rows has
/// the bytes of one that is written at once.
pub const ROWS_OF_GROUP: usize = 1 << 17;

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns, for people.
    Text,
    /// Comma-separated values with a line of heads.
    Csv,
    /// A list of objects, one per row.
    Json,
    /// Apache Parquet, for pandas, polars, R, DuckDB.
    Parquet,
}

impl Format {
    /// The format that a file's ending asks for.
    pub fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "txt" => Some(Self::Text),
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

#[cfg(not(feature = "parquet"))]
const NOT_BUILT_IN: &str = "this build of jostle leaves it out (feature `parquet`)";

/// Why a table could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The system does not let us.
    #[error(transparent)]
    Write(#[from] std::io::Error),
    /// The Parquet library does not let us.
    #[error("cannot write Parquet: {0}")]
    Parquet(String),
}

impl From<csv::Error> for TableError {
    fn from(error: csv::Error) -> Self {
        // The library's own message hides the system's.
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Self::Write(error),
            other => Self::Write(std::io::Error::other(format!("{other:?}"))),
        }
    }
}

/// A table that is being written.
pub struct Stream<W: Write + Send>(Inner<W>);

enum Inner<W: Write + Send> {
    // Columns can be aligned once all is known.
    Text(W, Table),
    Csv(Box<csv::Writer<W>>),
    Json {
        out: W,
        names: Vec<String>,
        rows: u64,
    },
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetFile<W>>),
}

impl<W: Write + Send> Stream<W> {
    /// Begins a table with these columns.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn begin(
        format: Format,
        columns: &[String],
        kinds: &[Kind],
        mut out: W,
    ) -> Result<Self, TableError> {
        let names = machine_names(columns);
        Ok(Self(match format {
            Format::Text => Inner::Text(out, Table { columns: columns.to_vec(), rows: Vec::new() }),
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(out);
                writer.write_record(&names)?;
                Inner::Csv(Box::new(writer))
            }
            Format::Json => {
                out.write_all(b"[")?;
                Inner::Json { out, names, rows: 0 }
            }
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                let _ = kinds;
                return Err(TableError::Parquet(NOT_BUILT_IN.to_owned()));
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => Inner::Parquet(Box::new(ParquetFile::begin(&names, kinds, out)?)),
        }))
    }

    /// Writes the rows of a table that has the columns of this one.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn push(&mut self, table: &Table) -> Result<(), TableError> {
        match &mut self.0 {
            Inner::Text(_, whole) => whole.rows.extend_from_slice(&table.rows),
            Inner::Csv(writer) => {
                for row in &table.rows {
                    writer.write_record(
                        row.iter().map(|cell| files::cell(&cell.exact()).into_owned()),
                    )?;
                }
            }
            Inner::Json { out, names, rows } => {
                for row in &table.rows {
                    out.write_all(if *rows == 0 { b"\n" } else { b",\n" })?;
                    *rows += 1;
                    write_object(out, names, row)?;
                }
            }
            #[cfg(feature = "parquet")]
            Inner::Parquet(file) => {
                table.rows.chunks(ROWS_OF_GROUP).try_for_each(|rows| file.push(rows))?;
            }
        }
        Ok(())
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(self) -> Result<(), TableError> {
        match self.0 {
            Inner::Text(mut out, whole) => {
                write!(out, "{whole}")?;
                out.flush()?;
            }
            Inner::Csv(mut writer) => writer.flush()?,
            Inner::Json { mut out, .. } => {
                out.write_all(b"\n]\n")?;
                out.flush()?;
            }
            #[cfg(feature = "parquet")]
            Inner::Parquet(file) => file.finish()?,
        }
        Ok(())
    }
}

fn write_object(out: &mut impl Write, names: &[String], row: &[Cell]) -> std::io::Result<()> {
    for (k, (name, cell)) in names.iter().zip(row).enumerate() {
        out.write_all(if k == 0 { b"{" } else { b", " })?;
        serde_json::to_writer(&mut *out, name)?;
        out.write_all(b": ")?;
        match cell {
            Cell::Text(text) => serde_json::to_writer(&mut *out, text)?,
            Cell::Integer(value) => write!(out, "{value}")?,
            // JSON has no infinity.
            Cell::Number(value) if value.is_finite() => serde_json::to_writer(&mut *out, value)?,
            Cell::Number(_) | Cell::Missing => out.write_all(b"null")?,
        }
    }
    out.write_all(b"}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Table {
        let mut table = Table::new(&["name", "lag (µs)", "count"]);
        table.push(vec!["a, \"b\"".into(), 0.1.into(), 3u64.into()]);
        table.push(vec!["c".into(), f64::INFINITY.into(), Cell::Missing]);
        table
    }

    fn written(format: Format) -> Vec<u8> {
        let mut out = Vec::new();
        example().write(format, &mut out).unwrap();
        out
    }

    #[test]
    fn csv_quotes_what_needs_quotes_and_keeps_all_digits() {
        let text = String::from_utf8(written(Format::Csv)).unwrap();
        assert_eq!(text, "name,lag_us,count\n\"a, \"\"b\"\"\",0.1,3\nc,inf,\n");
    }

    #[test]
    fn json_is_a_list_of_objects() {
        let rows: serde_json::Value = serde_json::from_slice(&written(Format::Json)).unwrap();
        assert_eq!(rows[0]["name"], "a, \"b\"");
        assert_eq!(rows[0]["lag_us"], 0.1);
        assert!(rows[1]["lag_us"].is_null() && rows[1]["count"].is_null());
    }

    #[test]
    fn an_empty_table_is_still_one() {
        let table = Table::new(&["a"]);
        for (format, text) in
            [(Format::Csv, "a\n"), (Format::Json, "[\n]\n"), (Format::Text, "a\n")]
        {
            let mut out = Vec::new();
            table.write(format, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }

    #[test]
    fn a_disk_that_is_full_is_reported() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        for format in [Format::Text, Format::Csv, Format::Json, Format::Parquet] {
            assert!(example().write(format, Full).is_err(), "{format:?}");
        }
    }
}
