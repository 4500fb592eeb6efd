//! `jostle sweep more`: replicas that are added to a plan.

use std::io::Write;
use std::path::Path;

use super::super::{Failure, say};
use super::open;
use crate::words::counted;
use jostle_sweep::{Plan, as_ranges, lacking, missing};

pub(super) fn carry_out(folder: &Path, replicas: Option<u32>) -> Result<(), Failure> {
    let mut plan = open(folder)?;
    let (runs, tasks) = (plan.member_count(), plan.task_count());
    let points = plan.points().len();
    let added = match replicas {
        Some(replicas) => (0..points).map(|point| (point, replicas)).collect(),
        None => needed(&plan, folder)?,
    };
    let mut out = std::io::stdout().lock();
    if added.is_empty() {
        writeln!(out, "no point gets more replicas")?;
        return Ok(());
    }
    plan.add(&added, folder)?;
    writeln!(
        out,
        "{} of {} {} more replicas: {} in {}\n\nNext: jostle sweep run {}",
        added.len(),
        counted(points as u64, "point"),
        if added.len() == 1 { "gets" } else { "get" },
        counted((plan.member_count() - runs) as u64, "run"),
        counted((plan.task_count() - tasks) as u64, "task"),
        folder.display()
    )?;
    Ok(())
}

/// The points that need more replicas, and how many more each gets. That is known only when all that
/// are planned are done. Of points that get none although little is known there, it is said.
pub(super) fn needed(plan: &Plan, folder: &Path) -> Result<Vec<(usize, u32)>, Failure> {
    let Some(precision) = &plan.precision else {
        let text = "the sweep has no [precision] that says what is to be known how well; --replicas N adds N \
                    replicas to each point";
        return Err(text.into());
    };
    let open = missing(plan, folder).len();
    if open > 0 {
        let text = format!(
            "{open} of {} tasks have not been done; whether more replicas are needed is decided when all are",
            plan.task_count()
        );
        return Err(text.into());
    }
    let lacking = lacking(plan, folder, precision)?;
    let most = precision.most;
    for (points, what) in [
        (
            lacking.at_most,
            format!(
                "not known as well as [precision] asks, with {most} replicas, the most allowed"
            ),
        ),
        (
            lacking.silent,
            format!(
                "no run says anything of what [precision] asks for, {}.{}",
                precision.table, precision.column
            ),
        ),
    ] {
        if !points.is_empty() {
            say(&format!("points {}: {what}", as_ranges(&points)));
        }
    }
    Ok(lacking.points)
}
