//! What a search structure has done: the figures that explain its time.

/// Work done by a search structure since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Cells (or slices) looked into.
    pub cells_visited: u64,
    /// Pairs of bodies looked at, before any test.
    pub pairs_considered: u64,
    /// Cells not looked into, or pairs dropped, by directional half-cell pruning.
    pub pruned_by_direction: u64,
    /// Pairs dropped since their swept reaches do not meet, or since they ignore each other.
    pub pruned_by_reach: u64,
    /// Pairs reported.
    pub pairs_reported: u64,
    /// Links between a body and a cell that were renewed.
    pub relinks: u64,
    /// Bodies put on the short list (too fast or too large for the cells), summed over refits and
    /// updates.
    pub short_listed: u64,
}

impl Counters {
    /// The work done since `earlier`.
    pub fn since(self, earlier: Self) -> Self {
        Self {
            cells_visited: self.cells_visited - earlier.cells_visited,
            pairs_considered: self.pairs_considered - earlier.pairs_considered,
            pruned_by_direction: self.pruned_by_direction - earlier.pruned_by_direction,
            pruned_by_reach: self.pruned_by_reach - earlier.pruned_by_reach,
            pairs_reported: self.pairs_reported - earlier.pairs_reported,
            relinks: self.relinks - earlier.relinks,
            short_listed: self.short_listed - earlier.short_listed,
        }
    }
}
