//! What a plan says is done: it is made, its runs are run and measured, in tasks that stop, resume and
//! fail by themselves, and replicas are added to it.

mod added;
mod all;
mod freeze;
mod measure;
mod member;
mod replan;
mod script;
mod share;
mod status;
mod task;

use std::io;
use std::path::{Path, PathBuf};

use crate::{MemberResult, Physics, Plan, PlanError, SweepFault, read_members};
use jostle_analysis::ReadError;
use jostle_core::random::STREAM_VERSION;
use jostle_h5md::record::RecordError;
use jostle_model::Faults;
use jostle_run::RunError;
use jostle_run::checkpoint::PHYSICS;

pub use added::{Added, more};
pub use all::{News, SweepOptions, run};
use freeze::check_folder;
pub use freeze::{foretell, freeze, plan};
pub use measure::{first_table, kind_of, main_table};
pub use member::set_program;
pub use replan::replan;
pub use script::{Engine, script};
pub use share::{Share, ShareBy};
pub use status::{Status, status};
pub use task::{End, check_task, task};

/// Why something cannot be done with a sweep, or a run be continued or repeated.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The sweep file is refused.
    #[error(transparent)]
    File(#[from] SweepFault),
    /// The model is refused.
    #[error(transparent)]
    Model(#[from] Faults),
    /// What was asked for is refused, or the model at one of its points.
    #[error("{0}")]
    Refused(String),
    /// The folder holds no plan, or cannot be written.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A run failed, or a trial.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The file of a run cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file of a run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The system refuses something, which says nothing about the model.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A run would become another, which has to be allowed.
    #[error("{0}")]
    Changed(String),
    /// Something else; the text says what.
    #[error("{0}")]
    Other(String),
    /// It was stopped before its end, and can be continued.
    #[error("stopped")]
    Stopped,
}

impl From<String> for SweepError {
    fn from(why: String) -> Self {
        Self::Other(why)
    }
}

/// The version of this program's results.
const RESULTS: Physics = Physics { stream: STREAM_VERSION, physics: PHYSICS };

/// Opens a plan, if its results are of this program's version.
///
/// # Errors
/// If there is none, or its results are of another version.
pub fn open(folder: &Path) -> Result<Plan, SweepError> {
    let plan = Plan::open(folder)?;
    if plan.results != RESULTS {
        return Err(SweepError::Other(format!(
            "{}: planned by jostle {}, whose results differ in their random numbers from those of this one \
             ({}); run it with that version, or plan the sweep again",
            folder.display(),
            plan.program,
            env!("CARGO_PKG_VERSION")
        )));
    }
    Ok(plan)
}

/// What runs came to that failed, in the order of the plan.
///
/// # Errors
/// If results cannot be read.
pub fn failures(plan: &Plan, folder: &Path) -> Result<Vec<MemberResult>, PlanError> {
    listed(plan, |task| plan.failures_path(folder, task))
}

/// What runs warned of that warned of anything, in the order of the plan.
///
/// # Errors
/// If results cannot be read.
pub fn warned(plan: &Plan, folder: &Path) -> Result<Vec<MemberResult>, PlanError> {
    listed(plan, |task| plan.warnings_path(folder, task))
}

/// The members of all tasks that are in files beside their results.
fn listed(plan: &Plan, path: impl Fn(usize) -> PathBuf) -> Result<Vec<MemberResult>, PlanError> {
    let mut members = Vec::new();
    for task in 0..plan.task_count() {
        members.extend(read_members(&path(task))?.into_iter().flatten());
    }
    Ok(members)
}
