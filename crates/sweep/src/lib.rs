//! Ensembles and sweeps: which members a sweep has, and with which seeds.
//!
//! A sweep is a model, run many times: at *points* that differ in values of the model, each in
//! several *replicas* that differ in their seeds only. A replica of a point is a *member*. What a
//! member is follows from the sweep file alone, never from the machine, the order, or the program
//! that runs it.

mod again;
mod exposures;
mod file;
mod lives;
mod merge;
mod more;
mod plan;
mod points;
mod repetition;
mod replicas;
mod results;
mod resumption;
mod rounds;
mod rows;
mod seeds;
mod sound;
mod state;
mod values;
mod work;

pub use again::model_of;
pub use file::{Keep, MeasureTable, Noise, Precision, SweepFile, Tolerance, read};
pub use merge::{Merged, MergedRow, MergedValue, is_error, merge, merge_all};
pub use more::{Lacking, lacking};
pub use plan::{Member, Physics, Plan, PlanError, files_of};
pub use points::Point;
pub use repetition::Repetition;
pub use replicas::{OfReplicas, of_replicas};
pub use results::{
    MemberResult, NamedTable, Outcome, as_ranges, missing, read_members, read_task, write_members,
};
pub use resumption::{Resumption, is_about_the_checkpoint, is_length, mend, results_change};
pub use seeds::seed_of;
pub use state::{PointState, State};
pub use work::{
    Added, End, Engine, News, Share, ShareBy, Status, SweepError, SweepOptions, check_task,
    failures, first_table, foretell, freeze, kind_of, main_table, more, open, plan, replan, run,
    script, set_program, status, task, warned,
};

/// What is wrong with a sweep file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}{}: {message}", .line.map_or(String::new(), |line| format!(":{line}")))]
pub struct SweepFault {
    /// The file's name.
    pub name: String,
    /// The line, counted from 1, if it is known.
    pub line: Option<usize>,
    /// What was found, and what would do.
    pub message: String,
}
