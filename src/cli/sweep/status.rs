//! `jostle sweep status`.

use std::io::Write;
use std::path::Path;

use super::super::Failure;
use super::{failures, open, options_of, warned, warnings_in_words};

use crate::files::paragraph;
use jostle_sweep::{MemberResult, Outcome, as_ranges, missing};

/// Failures told one by one.
const TOLD: usize = 10;

/// How far a sweep is.
pub struct Status {
    /// How many points there are.
    pub points: usize,
    /// How many tasks there are.
    pub tasks: usize,
    /// How many runs there are.
    pub runs: usize,
    /// How many runs are done, well or not.
    pub done: usize,
    /// Those that failed, in the order of the plan.
    pub failures: Vec<MemberResult>,
    /// Those that warned of something, in the order of the plan, without their tables.
    pub warned: Vec<MemberResult>,
    /// The tasks that have not been done.
    pub missing: Vec<usize>,
}

/// Looks how far a sweep is.
///
/// # Errors
/// If the folder holds no plan, or cannot be read.
pub fn status(folder: &Path) -> Result<Status, Failure> {
    let plan = open(folder)?;
    let missing = missing(&plan, folder);
    let open_runs: usize = missing.iter().map(|&task| plan.members_of(task).len()).sum();
    let runs = plan.member_count();
    Ok(Status {
        points: plan.points().len(),
        tasks: plan.task_count(),
        runs,
        done: runs - open_runs,
        failures: failures(&plan, folder)?,
        warned: warned(&plan, folder)?,
        missing,
    })
}

pub(super) fn carry_out(folder: &Path, only_missing: bool, json: bool) -> Result<(), Failure> {
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
