//! Why runs fail.

use std::path::PathBuf;

use super::self_check::SelfCheckFault;
use jostle_h5md::record::RecordError;
use jostle_model::placement::PlacementError;

/// Why a run failed. What was written before stays.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It was stopped because of the memory that it took, in words.
    #[error("{0}")]
    GrownTooLarge(String),
    /// The particles could not be placed.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The engine cannot start so.
    #[error("{0}")]
    Setup(Box<dyn std::error::Error + Send + Sync>),
    /// There is not enough memory for the particles.
    #[error(
        "{particles} particles need about {} of memory, but there is only {}; most of them belong to \"{most}\", whose \
         `count` should be lower",
        jostle_core::words::bytes_text(*.needed),
        jostle_core::words::bytes_text(*.room)
    )]
    Memory {
        /// The species that has the most.
        most: String,
        /// How many there are in the model.
        particles: usize,
        /// What they take. \[bytes\]
        needed: f64,
        /// What there is. \[bytes\]
        room: f64,
    },
    /// A state that was kept cannot be resumed.
    #[error("{}: {reason}", path.display())]
    Checkpoint {
        /// The file that it was kept in.
        path: PathBuf,
        /// Why it does not fit the run, or cannot be read.
        reason: String,
    },
    /// The run would write over a file that its model is read from.
    #[error(
        "{} is a file that this run reads, which is never replaced; choose another file to write",
        path.display()
    )]
    Input {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A step failed.
    #[error("{reason}{}", kept(.out))]
    Step {
        /// What the engine or an observer says.
        reason: Box<dyn std::error::Error + Send + Sync>,
        /// The file that holds what was done until then.
        out: Option<PathBuf>,
    },
    /// The self-check saw what cannot be.
    #[error("{reason}{}", kept(.out))]
    SelfCheck {
        /// What it saw.
        reason: SelfCheckFault,
        /// The file that holds what was done until then.
        out: Option<PathBuf>,
    },
    /// The system gave no threads.
    #[error("could not start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// The state cannot be changed by hand so; it is as it was.
    #[error("{0}")]
    Refused(String),
    /// A simulation has come into another process.
    #[error(
        "this simulation belongs to process {owner}, of which this one is a copy (a fork): its threads and its file \
         stayed there; create a new simulation in this process"
    )]
    Forked {
        /// The process that it was created in.
        owner: u32,
    },
    /// A simulation that has ended cannot be used any more.
    #[error(
        "the simulation has ended: it was finished, broken off within a step, or a step failed; create a new one"
    )]
    Ended,
}

impl RunError {
    /// An engine cannot start so.
    pub(super) fn setup(reason: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Setup(reason.into())
    }

    /// A step of a trial failed, of which nothing was written.
    pub(super) fn step(reason: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Step { reason: reason.into(), out: None }
    }
}

fn kept(out: &Option<PathBuf>) -> String {
    out.as_ref().map_or(String::new(), |path| {
        format!("; what was done until then is in {}", path.display())
    })
}
