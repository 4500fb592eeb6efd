//! What a model file means: everything a run needs, checked, in internal units (nm, µs).

pub use crate::brownian::Scheduler;
pub use crate::output::{LogLevel, Output, Source};
use crate::rules::RuleSet;
use crate::search;
use crate::species::{MobilityLaw, Species};

/// A checked model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Appears in reports.
    pub title: String,
    /// 1, 2 or 3.
    pub dimension: usize,
    /// The edges of the box \[nm\]; the first `dimension` count.
    pub edges: [f64; 3],
    /// Whether each axis closes on itself or ends in reflecting faces.
    pub periodic: [bool; 3],
    /// \[µs\]
    pub timestep: f64,
    /// How many steps to run.
    pub steps: u64,
    /// Everything random follows from it.
    pub seed: u64,
    /// How many threads; results do not depend on it. None: as many as there are cores.
    pub threads: Option<usize>,
    /// The kinds of bodies.
    pub species: Vec<Species>,
    /// The bodies at the start.
    pub placement: Vec<Placement>,
    /// What happens at contacts and in time.
    pub rules: RuleSet,
    /// How fast clusters diffuse.
    pub mobility: MobilityLaw,
    /// The search structure.
    pub search: search::Settings,
    /// How contacts inside a step are scheduled.
    pub scheduler: Scheduler,
    /// What is written.
    pub output: Output,
    /// Where the model comes from.
    pub source: Source,
}

/// Bodies of one species at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Index into the species.
    pub species: u16,
    /// How they are placed.
    pub how: How,
}

/// How bodies are placed.
#[derive(Clone, Debug, PartialEq)]
pub enum How {
    /// At random without overlap.
    Random {
        /// How many.
        count: usize,
    },
    /// On a lattice, thinned to the number and shared among the species that ask for it.
    Lattice {
        /// How many.
        count: usize,
    },
    /// At the given places. \[nm\], the first `dimension` components count
    Positions(Vec<[f64; 3]>),
}
