//! `jostle sweep plan`.

use std::io::Write;
use std::path::Path;

use super::super::Failure;
use crate::sweep::{foretell, plan, replan};
use crate::words::counted;

/// More tasks than this are more than many sites allow.
const MANY_TASKS: usize = 1000;

pub(super) fn execute(file: &Path, out: &Path, force: bool) -> Result<(), Failure> {
    let (plan, notes) = if force { replan(file, out) } else { plan(file, out) }?;
    let mut to = crate::cli::printed();
    let (points, replicas) = (plan.points().len(), plan.replicas() as usize);
    let (runs, tasks) = (plan.member_count(), plan.task_count());
    let [of_points, of_replicas] =
        [counted(points as u64, "point"), counted(replicas as u64, "replica")];
    let of_tasks = counted(tasks as u64, "task");
    writeln!(
        to,
        "{of_points}, {of_replicas} of each: {} in {of_tasks}",
        counted(runs as u64, "run")
    )?;
    for line in foretell(&plan, out)? {
        writeln!(to, "{line}")?;
    }
    for note in notes {
        writeln!(to, "warning: {note}")?;
    }
    if tasks > MANY_TASKS {
        writeln!(
            to,
            "note: many clusters allow no more than {MANY_TASKS} tasks at a time; set task.replicas"
        )?;
    }
    let out = out.display();
    writeln!(to, "-> {out}\n\nNext: jostle sweep run {out}")?;
    Ok(())
}
