//! What a run has done: the figures that explain its time.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use jostle_core::narrow::polygons::FeatureCounters;

/// Counts since the start, except where they say now.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Pairs that overlap now.
    pub contacts: u64,
    /// Pairs whose padded boxes overlap now.
    pub candidates: u64,
    /// Looks at pairs that overlapped, over all steps.
    pub contact_steps: u64,
    /// Pairs that were not looked at, since they could not have met yet.
    pub skipped: u64,
    /// What the closest features cost.
    pub features: FeatureCounters,
    /// Exchanges of the sorted endpoints, along each axis.
    pub exchanges: [u64; 2],
    /// Bodies that were sorted anew, since they left their padded box.
    pub resorted: u64,
}

/// Where the time goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Predicting places and velocities.
    pub predict: Duration,
    /// Padded boxes, sorting, the list of pairs.
    pub boxes: Duration,
    /// Closest features, overlaps, forces.
    pub contacts: Duration,
    /// Summing forces by body, correcting.
    pub correct: Duration,
}
