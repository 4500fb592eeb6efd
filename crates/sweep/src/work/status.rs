//! How far a sweep is.

use std::path::Path;

use super::{SweepError, failures, open, warned};

use crate::{MemberResult, missing};

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
pub fn status(folder: &Path) -> Result<Status, SweepError> {
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
