//! Why a reproduction failed.

use crate::document::DocumentError;
use jostle_events::granular::container::ContainerError;
use jostle_events::granular::{RunFault, SetupError};
use jostle_events::kinetic::KineticKind;
use jostle_polygons as polygons;
use jostle_run::RunError;

/// Why a reproduction failed.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// The balls of a column cannot be placed.
    #[error("{column}: the balls cannot be placed with seed {seed}")]
    NoPlacement {
        /// The column.
        column: String,
        /// The seed.
        seed: u64,
    },
    /// A structure that cannot serve.
    #[error("{} cannot serve here", .0.name())]
    NoStructure(KineticKind),
    /// The box is faulty.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// A model is faulty.
    #[error(transparent)]
    Model(#[from] jostle_model::Faults),
    /// A model is not that of a disk gas, with the contacts that are wanted.
    #[error("the model is no disk gas, or finds its contacts in another way than is wanted here")]
    NoGas,
    /// A disk gas cannot start.
    #[error(transparent)]
    GasSetup(#[from] jostle_events::gas::GasSetupError),
    /// A step of the algorithm that collides disks after the move cannot be done.
    #[error(transparent)]
    AfterMove(#[from] jostle_events::gas::StepError),
    /// Contacts depend on the arrangement of the strips.
    #[error(
        "after {steps} steps {what} differ between vertical strips, horizontal ones and all pairs"
    )]
    StripsDiffer {
        /// What does.
        what: &'static str,
        /// Number of steps by then.
        steps: u64,
    },
    /// A run cannot start.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A run cannot be trusted.
    #[error(transparent)]
    Run(#[from] RunFault),
    /// A run of polygons cannot start.
    #[error(transparent)]
    PolygonSetup(#[from] polygons::SetupError),
    /// A run of polygons cannot be trusted.
    #[error(transparent)]
    PolygonRun(#[from] polygons::RunFault),
    /// A run of spheres cannot start.
    #[error(transparent)]
    BrownianSetup(#[from] jostle_brownian::SetupError),
    /// A step of spheres cannot be done.
    #[error(transparent)]
    BrownianStep(#[from] jostle_brownian::StepError),
    /// A contest cannot be held.
    #[error(transparent)]
    Bench(#[from] crate::bench::BenchError),
    /// A model or a pool of threads cannot be set up.
    #[error(transparent)]
    Setting(#[from] RunError),
    /// Results depend on the structure.
    #[error("{case}: {} gives other results than {}: {found:016x} instead of {expected:016x}", .kind.name(), .first.name())]
    ResultsDiffer {
        /// What was run.
        case: String,
        /// The structure.
        kind: KineticKind,
        /// The one it was compared with.
        first: KineticKind,
        /// The hash of its results.
        found: u64,
        /// That of the other.
        expected: u64,
    },
    /// It cannot be written into a folder.
    #[error(transparent)]
    Document(#[from] DocumentError),
}
