//! Writes what was measured into a folder: tables, pictures and the text.

use std::io::Write;
use std::path::{Path, PathBuf};

use jostle_analysis::{Table, TableError};
use jostle_files::fresh;
use jostle_report::report::{PictureError, Sheet};

/// Why a document cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// A picture cannot be written.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A table cannot be written.
    #[error("{}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: TableError,
    },
    /// A file or folder cannot be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: std::io::Error,
    },
}

/// Writes each table as CSV, each picture as SVG and PNG, and the text itself into a folder, made
/// if it is missing. The files that were written.
pub(crate) fn write_document<'a>(
    folder: &Path,
    tables: impl Iterator<Item = (&'a str, Table)>,
    pictures: impl Iterator<Item = (&'a str, Sheet)>,
    text: &str,
) -> Result<Vec<PathBuf>, DocumentError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| DocumentError::Write { path, source }
    };
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    let mut written = Vec::new();
    for (name, table) in tables {
        let path = folder.join(name).with_extension("csv");
        fresh(&path, |file| table.write_csv(file))
            .map_err(|source| DocumentError::Table { path: path.clone(), source })?;
        written.push(path);
    }
    for (name, sheet) in pictures {
        for kind in ["svg", "png"] {
            let path = folder.join(name).with_extension(kind);
            sheet.save(&path)?;
            written.push(path);
        }
    }
    let path = folder.join("report.txt");
    fresh(&path, |file| file.write_all(text.as_bytes())).map_err(failed(&path))?;
    written.push(path);
    Ok(written)
}
