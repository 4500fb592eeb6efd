//! The part of the Python package `jostle` that is written in Rust: it hands what Python says to the
//! library, and what the library answers to Python. There is no physics here.

mod check;
mod command;
mod errors;
mod forks;
mod frames;
mod jobs;
mod log;
mod model;
mod outputs;
mod pictures;
mod results;
mod simulation;
mod sweep;
mod tables;

use pyo3::prelude::*;

/// The part of the package `jostle` that is written in Rust.
#[pymodule]
mod _jostle {
    #[pymodule_export]
    use super::command::cli;

    #[pymodule_export]
    use super::forks::{after_fork, after_fork_in_child, before_fork};

    #[pymodule_export]
    use super::jobs::{Ended, Job, check_readable, rerun, resume, run_to_end, start, state_hashes};

    #[pymodule_export]
    use super::log::log_to_python;

    #[pymodule_export]
    use super::model::{ParsedModel, inline, is_unit, keys, written};

    #[pymodule_export]
    use super::simulation::{Simulation, microseconds};

    #[pymodule_export]
    use super::sweep::{StopFlag, SweepFolder, set_program};

    #[pymodule_export]
    use super::frames::{Frame, moments, slot_species};

    #[pymodule_export]
    use super::outputs::may_write;

    #[pymodule_export]
    use super::pictures::Sheet;

    #[pymodule_export]
    use super::results::{
        Genealogy, analyse, contacts, export, genealogy, info, report, snapshot, warnings,
    };

    #[pymodule_export]
    use super::tables::Table;

    #[pymodule_export]
    use super::version;
}

/// The version of the program.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
