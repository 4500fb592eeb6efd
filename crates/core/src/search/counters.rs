//! What a search structure has done: the figures that explain its time.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Work done by a search structure since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Cells (or slices) looked into.
    pub cells_visited: u64,
    /// Pairs of particles looked at, before any test.
    pub pairs_considered: u64,
    /// Cells not looked into, or pairs dropped, by directional half-cell pruning.
    pub pruned_by_direction: u64,
    /// Pairs dropped since their swept reaches do not meet, or since they ignore each other.
    pub pruned_by_reach: u64,
    /// Pairs reported.
    pub pairs_reported: u64,
    /// Links between a particle and a cell that were renewed; endpoints of boxes that were
    /// exchanged.
    pub relinks: u64,
    /// Particles put on the short list (too fast or too large for the cells), summed over refits
    /// and updates.
    pub short_listed: u64,
}

impl Counters {
    fn entries(self) -> [u64; 7] {
        [
            self.cells_visited,
            self.pairs_considered,
            self.pruned_by_direction,
            self.pruned_by_reach,
            self.pairs_reported,
            self.relinks,
            self.short_listed,
        ]
    }

    fn from_entries(entries: [u64; 7]) -> Self {
        let [
            cells_visited,
            pairs_considered,
            pruned_by_direction,
            pruned_by_reach,
            pairs_reported,
            relinks,
            short_listed,
        ] = entries;
        Self {
            cells_visited,
            pairs_considered,
            pruned_by_direction,
            pruned_by_reach,
            pairs_reported,
            relinks,
            short_listed,
        }
    }

    /// The figures with their names, for people.
    pub fn named(self) -> [(&'static str, u64); 7] {
        let names = [
            "cells visited",
            "pairs considered",
            "pruned by direction",
            "pruned by reach",
            "pairs reported",
            "relinks",
            "short-listed",
        ];
        let entries = self.entries();
        std::array::from_fn(|n| (names[n], entries[n]))
    }

    /// The work done since `earlier`.
    pub fn since(self, earlier: Self) -> Self {
        let (now, then) = (self.entries(), earlier.entries());
        Self::from_entries(std::array::from_fn(|n| now[n] - then[n]))
    }
}

impl std::ops::AddAssign for Counters {
    fn add_assign(&mut self, other: Self) {
        let (a, b) = (self.entries(), other.entries());
        *self = Self::from_entries(std::array::from_fn(|n| a[n] + b[n]));
    }
}

/// Counters that several threads add to.
#[derive(Debug, Default)]
pub(super) struct Tally([AtomicU64; 7]);

impl Tally {
    /// Adds the work done.
    pub(super) fn add(&self, work: &Counters) {
        for (sum, count) in self.0.iter().zip(work.entries()) {
            if count != 0 {
                sum.fetch_add(count, Relaxed);
            }
        }
    }

    /// All work so far.
    pub(super) fn total(&self) -> Counters {
        Counters::from_entries(std::array::from_fn(|n| self.0[n].load(Relaxed)))
    }
}
