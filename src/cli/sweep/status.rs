//! `jostle sweep status`.

use std::io::Write;
use std::path::Path;

use super::super::Failure;
use super::{failures, open};
use jostle_sweep::{Outcome, as_ranges, missing};

/// Failures told one by one.
const TOLD: usize = 10;

pub(super) fn carry_out(folder: &Path, only_missing: bool, json: bool) -> Result<(), Failure> {
    let plan = open(folder)?;
    let open = missing(&plan, folder);
    let mut out = std::io::stdout().lock();
    if only_missing {
        writeln!(out, "{}", as_ranges(&open))?;
        return Ok(());
    }
    let failures = failures(&plan, folder)?;
    let open_runs: usize = open.iter().map(|&task| plan.members_of(task).len()).sum();
    let (tasks, runs) = (plan.task_count(), plan.member_count());
    let (done, done_runs) = (tasks - open.len(), runs - open_runs);
    if json {
        let status = serde_json::json!({
            "points": plan.points().len(),
            "tasks": { "all": tasks, "done": done },
            "runs": { "all": runs, "done": done_runs, "failed": failures.len() },
            "missing": as_ranges(&open),
        });
        writeln!(out, "{status:#}")?;
        return Ok(());
    }
    writeln!(out, "tasks   {done} of {tasks} done")?;
    writeln!(out, "runs    {done_runs} of {runs} done, {} failed", failures.len())?;
    for member in failures.iter().take(TOLD) {
        let Outcome::Failed(why) = &member.outcome else { continue };
        let options = plan.points()[member.point].as_options();
        let options = if options.is_empty() { options } else { format!("{options} ") };
        let why = why.lines().next().unwrap_or_default();
        writeln!(out, "failed  {options}--seed {}: {why}", member.seed)?;
    }
    if failures.len() > TOLD {
        writeln!(out, "        and {} more", failures.len() - TOLD)?;
    }
    Ok(())
}
