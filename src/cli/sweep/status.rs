//! `jostle sweep status`.

use std::io::Write;
use std::path::Path;

use super::super::Failure;
use super::{options_of, warnings_in_words};
use crate::files::paragraph;
use crate::sweep::{Outcome, Status, as_ranges, missing, open, status};

/// Failures told one by one.
const TOLD: usize = 10;

pub(super) fn execute(folder: &Path, only_missing: bool, json: bool) -> Result<(), Failure> {
    let plan = open(folder)?;
    let mut out = crate::cli::printed();
    if only_missing {
        writeln!(out, "{}", as_ranges(&missing(&plan, folder)))?;
        return Ok(());
    }
    let Status { points, tasks, runs, done, failures, warned, missing } = status(folder)?;
    let tasks_done = tasks - missing.len();
    if json {
        let status = serde_json::json!({
            "points": points,
            "tasks": { "all": tasks, "done": tasks_done },
            "runs": { "all": runs, "done": done, "failed": failures.len(), "warned": warned.len() },
            "warning": warned.first().and_then(|member| member.warnings.first()),
            "missing": as_ranges(&missing),
        });
        writeln!(out, "{status:#}")?;
        return Ok(());
    }
    writeln!(out, "tasks   {tasks_done} of {tasks} done")?;
    writeln!(out, "runs    {done} of {runs} done, {} failed", failures.len())?;
    for member in failures.iter().take(TOLD) {
        let Outcome::Failed(why) = &member.outcome else { continue };
        let why = why.lines().next().unwrap_or_default();
        writeln!(out, "failed  {}: {why}", options_of(&plan, member))?;
    }
    if failures.len() > TOLD {
        writeln!(out, "        and {} more", failures.len() - TOLD)?;
    }
    if let Some(text) = warnings_in_words(&plan, &warned) {
        write!(out, "{}", paragraph("warned  ", &text))?;
    }
    Ok(())
}
