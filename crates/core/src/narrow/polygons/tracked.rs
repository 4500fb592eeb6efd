//! What is remembered of a pair from call to call, and what it has cost.

use serde::{Deserialize, Serialize};

/// A vertex or an edge of a polygon, counted from 0; edge `k` goes from vertex `k` to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A corner.
    Vertex(u32),
    /// An edge, with both its ends.
    Edge(u32),
}

/// The closest features of a pair at the last look; `Default`: never looked at.
///
/// Vertices and edges make a ring (Schinner, Figure 7): vertex 0, edge 0, vertex 1 and so on.
/// Held is the place of each feature in its ring, counted from 1; 0 for never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tracked {
    pub(super) places: [u32; 2],
}

impl Tracked {
    /// Start from these features.
    pub fn new(features: [Feature; 2]) -> Self {
        Self { places: features.map(|feature| 1 + place(feature)) }
    }

    /// The features of a pair that has been looked at.
    #[inline]
    pub(super) fn held(&self) -> [Feature; 2] {
        self.places.map(|place| feature(place - 1))
    }

    /// The features, if the pair has been looked at.
    pub fn features(&self) -> Option<[Feature; 2]> {
        (self.places[0] > 0 && self.places[1] > 0).then(|| self.held())
    }
}

/// The place of a feature in its ring.
fn place(feature: Feature) -> u32 {
    match feature {
        Feature::Vertex(k) => 2 * k,
        Feature::Edge(k) => 2 * k + 1,
    }
}

/// The feature at a place of the ring.
pub(super) fn feature(place: u32) -> Feature {
    if place.is_multiple_of(2) { Feature::Vertex(place / 2) } else { Feature::Edge(place / 2) }
}

/// What following closest features has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeatureCounters {
    /// How many pairs were requested.
    pub calls: u64,
    /// How many pairs of features were tried: one per call if nothing changes.
    pub steps: u64,
    /// How often the walk came to nothing and all features were looked at.
    pub full_searches: u64,
    /// How often the closest pair was another than before: its mean life is `calls / changes`.
    pub changes: u64,
}

impl std::ops::AddAssign for FeatureCounters {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.steps += other.steps;
        self.full_searches += other.full_searches;
        self.changes += other.changes;
    }
}
