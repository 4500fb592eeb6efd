//! Why a measurement failed.

use std::path::PathBuf;

use jostle_analysis::{ReadError, TableError};
use jostle_brownian::StepError;
use jostle_model::Faults;
use jostle_polygons as polygons;
use jostle_report::report::PictureError;
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
    /// A picture cannot be written.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A table cannot be written.
    #[error("{}: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: TableError,
    },
    /// A file or folder cannot be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        source: std::io::Error,
    },
}
