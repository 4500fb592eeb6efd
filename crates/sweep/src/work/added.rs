//! Replicas that are added to a plan.

use std::path::Path;

use super::{SweepError, open};
use crate::{Lacking, Plan, Precision, as_ranges, lacking, missing};

/// What has been added to a sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// Points that got more replicas, in order, and how many more.
    pub points: Vec<(usize, u32)>,
    /// How many runs that is.
    pub runs: usize,
    /// In how many tasks they are.
    pub tasks: usize,
    /// Why points got none although little is known there.
    pub notes: Vec<String>,
}

/// Adds this many replicas to each point, or where none are given, those that `[precision]` asks for.
///
/// # Errors
/// If the sweep has no `[precision]`, tasks have not been done, or the plan cannot be written.
pub fn more(folder: &Path, replicas: Option<u32>) -> Result<Added, SweepError> {
    let plan = open(folder)?;
    match replicas {
        Some(replicas) => {
            let points = (0..plan.points().len()).map(|point| (point, replicas)).collect();
            add(plan, folder, points, Vec::new())
        }
        None => add_needed(plan, folder),
    }
}

/// Adds the replicas that are needed. That is known only when all that are planned are done.
pub(super) fn add_needed(plan: Plan, folder: &Path) -> Result<Added, SweepError> {
    let Some(precision) = plan.precision.clone() else {
        let text = "the sweep has no [precision] that says what is to be known how well; if it is told a number of \
                    replicas, it adds as many to each point";
        return Err(SweepError::Other(text.into()));
    };
    let open = missing(&plan, folder).len();
    if open > 0 {
        let text = format!(
            "{open} of {} tasks have not been done; whether more replicas are needed is decided when all are",
            plan.task_count()
        );
        return Err(SweepError::Other(text));
    }
    let Lacking { points, at_most, silent } = lacking(&plan, folder, &precision)?;
    add(plan, folder, points, notes(&precision, [&at_most, &silent]))
}

fn add(
    mut plan: Plan,
    folder: &Path,
    points: Vec<(usize, u32)>,
    notes: Vec<String>,
) -> Result<Added, SweepError> {
    if points.is_empty() {
        return Ok(Added { notes, ..Added::default() });
    }
    let (runs, tasks) = (plan.member_count(), plan.task_count());
    plan.add(&points, folder)?;
    let (runs, tasks) = (plan.member_count() - runs, plan.task_count() - tasks);
    Ok(Added { points, runs, tasks, notes })
}

/// What is to be said of points that get no more replicas although little is known there.
fn notes(precision: &Precision, [at_most, silent]: [&[usize]; 2]) -> Vec<String> {
    let Precision { table, column, most, .. } = precision;
    let all = [
        (
            at_most,
            format!(
                "not known as well as [precision] asks, with {most} replicas, the most allowed"
            ),
        ),
        (silent, format!("no run says anything of what [precision] asks for, {table}.{column}")),
    ];
    let told = all.into_iter().filter(|(points, _)| !points.is_empty());
    told.map(|(points, what)| format!("points {}: {what}", as_ranges(points))).collect()
}
