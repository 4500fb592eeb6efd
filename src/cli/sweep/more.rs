//! `jostle sweep more`.

use std::io::Write;
use std::path::Path;

use super::super::{Failure, say};
use crate::sweep::{Added, more, open};
use crate::words::counted;

pub(super) fn execute(folder: &Path, replicas: Option<u32>) -> Result<(), Failure> {
    let Added { points, runs, tasks, notes } = more(folder, replicas)?;
    notes.iter().for_each(|note| say(note));
    let mut out = crate::cli::printed();
    if points.is_empty() {
        writeln!(out, "no point gets more replicas")?;
        return Ok(());
    }
    let all = open(folder)?.points().len();
    writeln!(
        out,
        "{} of {} {} more replicas: {} in {}\n\nNext: jostle sweep run {}",
        points.len(),
        counted(all as u64, "point"),
        if points.len() == 1 { "gets" } else { "get" },
        counted(runs as u64, "run"),
        counted(tasks as u64, "task"),
        folder.display()
    )?;
    Ok(())
}
