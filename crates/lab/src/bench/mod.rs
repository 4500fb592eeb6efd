//! Measures: Figure 6 of Johnson & Whalley (2002) and what explains it, and how fast the engines
//! are by themselves.
//!
//! Like is compared with like. All contestants of a table start from the same particles, are timed
//! in turns within one process, and must end in the same state; a difference is an error. Times are
//! the least of several rounds, which other work on the machine disturbs least, and counts of work
//! stand beside them, which nothing disturbs.

mod cell_size;
mod clock;
mod contact_log;
mod contest;
mod error;
mod events;
mod figure6;
mod gas;
mod machine;
mod memory;
mod mixtures;
mod plan;
pub(crate) mod polygons;
mod report;
mod scene;
mod schedulers;
mod speed;
mod structures;
mod study;
mod warm;

pub use contact_log::{LogSpeed, contact_log};
pub use contest::{ContestEffort, Contestant, Entry, PHASES, contest};
pub use error::BenchError;
pub use events::{EventSpeed, events};
pub use machine::Machine;
pub use memory::{Memory, memory};
pub use plan::Plan;
pub use polygons::{PolygonPlan, PolygonSpeed, polygons};
pub use report::Report;
pub use scene::{crowd, free, mixture, rested};
pub use speed::{Speed, SpeedPlan, speed};
pub use study::{Section, Study};

use jostle_run::in_pool;

pub use crate::progress::Progress;

/// Compares the search structures as `plan` says, on `threads` threads.
///
/// # Errors
/// If a model cannot be set up, a step fails, or two contestants end in different states.
pub fn search(plan: &Plan, threads: usize, progress: Progress<'_>) -> Result<Report, BenchError> {
    let machine = Machine::look(threads);
    let studies = in_pool(threads, move || -> Result<Vec<Study>, BenchError> {
        let studies = plan.studies.iter().map(|&name| match name {
            "figure6" => figure6::study(plan, progress),
            "structures" => structures::study(plan, progress),
            "cell_size" => cell_size::study(plan, progress),
            "schedulers" => schedulers::study(plan, progress),
            "mixtures" => mixtures::study(plan, progress),
            _ => gas::study(plan, progress),
        });
        studies.collect()
    })??;
    Ok(Report { machine, studies })
}
