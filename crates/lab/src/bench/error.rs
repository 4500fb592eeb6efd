//! Why a measurement failed.

use std::path::PathBuf;

use crate::document::DocumentError;
use jostle_analysis::ReadError;
use jostle_brownian::StepError;
use jostle_model::Faults;
use jostle_polygons as polygons;
use jostle_run::RunError;

/// Why a measurement failed.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The model to be measured is faulty.
    #[error("the model to be measured is faulty: {0}")]
    Model(#[from] Faults),
    /// It cannot be set up.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An event-driven run failed.
    #[error("an event-driven run failed: {0}")]
    Granular(String),
    /// A polygon run cannot start.
    #[error(transparent)]
    PolygonSetup(#[from] polygons::SetupError),
    /// A polygon run cannot be trusted.
    #[error(transparent)]
    PolygonRun(#[from] polygons::RunFault),
    /// Results depend on how they were computed.
    #[error(
        "{name} is in state {found:016x} after {steps} steps, where the others are in {expected:016x}"
    )]
    StatesDiffer {
        /// The contestant.
        name: String,
        /// After how many steps.
        steps: u64,
        /// Its state hash.
        found: u64,
        /// That of the others.
        expected: u64,
    },
    /// A log that was written cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The system does not tell how much memory is in use.
    #[error(
        "this system does not tell how much memory a process has (there is no /proc/self/status)"
    )]
    NoMemoryFigures,
    /// It cannot be written into a folder.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A file or folder cannot be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: std::io::Error,
    },
}
