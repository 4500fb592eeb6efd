//! Prints and writes what a file answers.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::analysis::ask::{Analysis, MOST_ROWS, Tables};
use crate::cli::Failure;
use crate::cli::tables::Destination;
use crate::files::fresh;
use crate::files::paragraph;
use crate::report::Sheet;

pub(super) fn print(out: &mut impl Write, what: &Analysis, answer: &Tables) -> Result<(), Failure> {
    writeln!(out, "{}", what.title)?;
    for (heading, table) in &answer.shown {
        if !heading.is_empty() {
            writeln!(out, "\n  {heading}")?;
        }
        if table.rows.is_empty() {
            writeln!(out, "  none")?;
            continue;
        }
        let shown = table.thinned(MOST_ROWS);
        for line in shown.to_string().lines() {
            writeln!(out, "  {line}")?;
        }
        let left_out = table.rows.len() - shown.rows.len();
        if left_out > 0 {
            writeln!(out, "  ({left_out} rows in between are not shown; --csv FOLDER writes all)")?;
        }
    }
    for note in answer.hints.iter().chain(&answer.notes) {
        write!(out, "{}", paragraph("  ", note))?;
    }
    Ok(())
}

/// Refuses, before any work is done, to replace tables in a folder unless that is allowed.
pub(super) fn check(
    folder: &Path,
    asked: &[&'static Analysis],
    destination: &Destination,
) -> Result<(), Failure> {
    let mut names = asked.iter().flat_map(|what| what.tables);
    names.try_for_each(|name| destination.may_write(&table_path(folder, name)))
}

fn table_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).with_extension("csv")
}

/// Writes every table of an answer into a folder.
pub(super) fn csv(
    out: &mut impl Write,
    folder: &Path,
    answer: &Tables,
    destination: &Destination,
) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|why| Failure::from(format!("{}: {why}", folder.display())))?;
    for (name, table) in answer.all() {
        let path = table_path(folder, name);
        destination.may_write(&path)?;
        fresh(&path, |out| Ok::<_, Failure>(table.write_csv(out)?))
            .map_err(|failure| failure.at(path.display()))?;
        writeln!(out, "  -> {}", path.display())?;
    }
    Ok(())
}

/// Draws figures, if they are wanted: the first under the name given, the others next to it.
pub(super) fn figures(destination: &Destination, figures: &[(&str, Sheet)]) -> Result<(), Failure> {
    let Some(path) = &destination.plot else {
        return Ok(());
    };
    if figures.is_empty() {
        return Err(format!("{}: there is nothing to draw", path.display()).into());
    }
    for (n, (name, sheet)) in figures.iter().enumerate() {
        destination.draw_beside((n > 0).then_some(*name), sheet)?;
    }
    Ok(())
}
