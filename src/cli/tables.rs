//! Writes tables and pictures to the screen, or to a file in the format requested.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::snapshot::Resolution;
use super::{Failure, may_write};
use crate::analysis::{Format, Kind, Stream, Table, TableError};
use crate::files::{Inputs, fresh};
use crate::report::{PICTURES, Sheet};

/// Where the answer goes.
#[derive(clap::Args)]
pub(super) struct Destination {
    /// Write the table to this file; its ending sets the format: .csv, .json, .parquet or .txt.
    #[arg(short, long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// The format of the table [default: by the ending of --out, otherwise text].
    #[arg(long, value_enum)]
    format: Option<Word>,
    /// Draw the result: .svg, .pdf or .png.
    #[arg(long, value_name = "PICTURE")]
    pub(super) plot: Option<PathBuf>,
    #[command(flatten)]
    resolution: Resolution,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
    /// What the command reads.
    #[arg(skip)]
    inputs: Inputs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Word {
    /// Aligned columns, for people.
    Table,
    /// Comma-separated values, with all digits.
    Csv,
    /// A list of objects.
    Json,
    /// Apache Parquet (needs --out).
    Parquet,
}

impl Destination {
    /// How the table is to be written by a command that reads `inputs`. Refuses what could not be
    /// written later on, before any work is done.
    pub(super) fn check(&mut self, inputs: Inputs) -> Result<Format, Failure> {
        self.inputs = inputs;
        for path in [&self.out, &self.plot].into_iter().flatten() {
            self.may_write(path)?;
        }
        if let Some(path) = &self.plot
            && !PICTURES.contains(&ending(path))
        {
            return Err(format!(
                "--plot {}: the name must end in .svg, .pdf or .png",
                path.display()
            )
            .into());
        }
        self.format()
    }

    /// Refuses to write over a file that is read, or to replace one unless that is allowed.
    pub(super) fn may_write(&self, path: &Path) -> Result<(), Failure> {
        may_write(path, self.force, &self.inputs)
    }

    fn format(&self) -> Result<Format, Failure> {
        let named = self.out.as_deref().map(|path| (path, Format::of_ending(ending(path))));
        Ok(match (self.format, named) {
            (Some(Word::Parquet), None) => {
                return Err("--format parquet: this needs a file, --out FILE".into());
            }
            (Some(word), _) => word.format(),
            (None, Some((_, Some(format)))) => format,
            (None, Some((path, None))) => {
                let text = "the name must end in .csv, .json, .parquet or .txt, or give --format";
                return Err(format!("--out {}: {text}", path.display()).into());
            }
            (None, None) => Format::Text,
        })
    }

    /// Writes a table that comes in pieces, all with these columns.
    pub(super) fn write_stream<T>(
        &self,
        columns: &[String],
        kinds: &[Kind],
        work: impl FnOnce(&mut dyn FnMut(&Table) -> Result<(), TableError>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let format = self.format()?;
        let Some(path) = &self.out else {
            let out = BufWriter::new(std::io::stdout());
            return stream(format, columns, kinds, out, work);
        };
        let done = fresh(path, |out| stream(format, columns, kinds, out, work));
        let done = done.map_err(|failure| failure.at(path.display()))?;
        // The file is there, whether or not anybody still reads what is said about it.
        let _ = writeln!(crate::cli::printed(), "-> {}", path.display());
        Ok(done)
    }

    /// Whether people read the answer on a screen.
    pub(super) fn is_screen(&self) -> bool {
        self.out.is_none() && matches!(self.format, None | Some(Word::Table))
    }

    /// Writes a table.
    pub(super) fn write(&self, table: &Table) -> Result<(), Failure> {
        self.write_stream(&table.columns, &table.kinds(), |push| Ok(push(table)?))
    }

    /// Draws, if a picture is wanted.
    pub(super) fn draw(
        &self,
        sheet: impl FnOnce() -> Result<Sheet, Failure>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.plot else { return Ok(()) };
        self.resolution.save(&sheet()?, path)?;
        // The file is there, whether or not anybody still reads what is said about it.
        let _ = writeln!(crate::cli::printed(), "-> {}", path.display());
        Ok(())
    }
}

impl Destination {
    /// Says why there is no picture, if one is wanted.
    #[cfg(feature = "lab")]
    pub(super) fn draw_nothing(&self, why: &str) {
        if let Some(path) = &self.plot {
            super::say(&format!("{} is not drawn: {why}", path.display()));
        }
    }

    /// Draws one figure of several, if a picture is wanted: under the name that was given, or
    /// beside it under that name with `beside` added, `picture_sizes.png`.
    pub(super) fn draw_beside(&self, beside: Option<&str>, sheet: &Sheet) -> Result<(), Failure> {
        let Some(path) = &self.plot else { return Ok(()) };
        let Some(beside) = beside else { return self.draw(|| Ok(sheet.clone())) };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let path = path.with_file_name(format!("{stem}_{beside}.{}", ending(path)));
        self.may_write(&path)?;
        self.resolution.save(sheet, &path)?;
        // The file is there, whether or not anybody still reads what is said about it.
        let _ = writeln!(crate::cli::printed(), "-> {}", path.display());
        Ok(())
    }
}

fn stream<T, W: Write + Send>(
    format: Format,
    columns: &[String],
    kinds: &[Kind],
    out: W,
    work: impl FnOnce(&mut dyn FnMut(&Table) -> Result<(), TableError>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut stream = Stream::begin(format, columns, kinds, out)?;
    let done = work(&mut |table| stream.push(table))?;
    stream.finish()?;
    Ok(done)
}

impl Word {
    fn format(self) -> Format {
        match self {
            Self::Table => Format::Text,
            Self::Csv => Format::Csv,
            Self::Json => Format::Json,
            Self::Parquet => Format::Parquet,
        }
    }
}

/// The ending of a file's name.
fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}
