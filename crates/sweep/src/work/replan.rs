//! A new plan of a sweep takes the place of one of which nothing has been run.

use std::fs;
use std::path::Path;

use super::{SweepError, check_folder, plan};
use crate::{Plan, SweepFault};
use jostle_files::PassingFolder;

/// What a plan consists of before anything has been run.
const PLANNED: [&str; 3] = ["plan.json", "sweep.toml", "model"];
/// What runs add.
const RUN: [&str; 3] = ["results", "work", "kept"];

/// Plans a sweep as [`plan`] does, in place of a plan of which nothing has been run. That is kept if
/// the new one is refused.
///
/// # Errors
/// If the folder holds anything else, or the results of a run, or as [`plan`].
pub fn replan(file: &Path, out: &Path) -> Result<(Plan, Vec<SweepFault>), SweepError> {
    if is_free(out) {
        return plan(file, out);
    }
    check_folder(out)?;
    check_unused(out)?;
    let above = out.parent().filter(|above| !above.as_os_str().is_empty());
    let passing = PassingFolder::inside(above.unwrap_or(Path::new(".")))?;
    let beside = passing.path().join("plan");
    let planned = plan(file, &beside)?;
    // A run may have begun meanwhile.
    check_unused(out)?;
    fs::remove_dir_all(out)?;
    fs::rename(&beside, out)?;
    Ok(planned)
}

/// Whether a plan can be made here at once.
fn is_free(folder: &Path) -> bool {
    !folder.exists() || fs::read_dir(folder).is_ok_and(|mut all| all.next().is_none())
}

/// Refuses a folder that holds anything but a plan of which nothing has been run.
fn check_unused(folder: &Path) -> Result<(), SweepError> {
    Plan::open(folder)?;
    let refused = |why: String| Err(SweepError::Refused(format!("{}: {why}", folder.display())));
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_empty = || fs::read_dir(entry.path()).is_ok_and(|mut all| all.next().is_none());
        if RUN.contains(&name.as_str()) && !is_empty() {
            return refused(
                "runs of this plan have been done or have begun, and are not deleted; choose another folder, or delete \
                 this one yourself"
                    .to_owned(),
            );
        }
        if ![&PLANNED[..], &RUN].concat().contains(&name.as_str()) {
            return refused(format!(
                "{name} is no part of the plan; move it, or choose another folder"
            ));
        }
    }
    Ok(())
}
