//! Search structures: which particles might touch within a window of time (the broad phase).
//!
//! A structure sees only [`Paths`]. The law, held for each by the shared runner in `conformance`:
//! **too many pairs are allowed, too few never, none twice.** Results never depend on which one is
//! used; only the time does.
//!
//! No structure knows how far the fastest particle moves: none needs it, and finding out takes a
//! pass over all particles.

#[cfg(test)]
mod adversaries;
mod auto;
mod cells;
#[cfg(test)]
mod conformance;
#[cfg(test)]
mod conformance_scenes;
mod counters;
mod cubic;
pub mod endpoints;
mod finder;
mod guide;
mod levels;
mod long_step;
mod naive;
mod renewal;
mod settings;
mod slices;
mod unasked;
mod variants;
mod verlet;

pub use auto::Auto;
pub use cells::{Cells, Grid, Span, least_cell_size};
pub use counters::Counters;
pub use cubic::cubic;
pub use endpoints::{ListChange, SortStep, sort_step_by_step};
pub use finder::Finder;
pub use guide::{Advice, which_when};
pub use levels::Levels;
pub use long_step::LongStep;
pub use naive::Naive;
pub use settings::{Kind, Settings};
pub use slices::slices;
pub use unasked::Unasked;
pub use variants::{EndpointSearch, Listing, Relink, Resize};
pub use verlet::Verlet;

use crate::space::{Paths, Window};

/// A pair of slots, the lower first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair(pub u32, pub u32);

impl Pair {
    /// The pair of `i` and `j`, whatever their order.
    #[inline]
    pub fn of(i: u32, j: u32) -> Self {
        if i < j { Self(i, j) } else { Self(j, i) }
    }
}

/// What every structure offers.
pub trait Broad<const D: usize>: Send + Sync {
    /// Takes up new paths for a new window: all particles may have moved, appeared or died since.
    fn refit(&mut self, paths: &Paths<'_, D>, window: Window);

    /// Appends every particle that may touch `i` before the window's end, each once, `i` never.
    fn near(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>);

    /// Takes up a new path of `i` within the window (its position, velocity, since, radius or group
    /// has changed).
    fn update(&mut self, i: u32, paths: &Paths<'_, D>);

    /// Takes up a new particle in slot `i`, which may be the first beyond those known so far.
    fn insert(&mut self, i: u32, paths: &Paths<'_, D>);

    /// Forgets the particle in slot `i`.
    fn remove(&mut self, i: u32);

    /// Follows a renumbering: the particle of slot `i` is now in `new_slot[i]`, or gone if that is
    /// [`GONE`].
    fn renumber(&mut self, new_slot: &[u32]);

    /// Relinks every particle at its place at `time` within the window, particles whose path did
    /// not change included: Algorithm A of Johnson & Whalley (2002) at each subdivision of the
    /// step. From then on only contacts after `time` are sought. Structures that link once per step
    /// (Algorithm B), or not at all, do nothing.
    fn relink(&mut self, _paths: &Paths<'_, D>, _time: f64) {}

    /// What has been done since the structure was made.
    fn counters(&self) -> Counters;

    /// One line that says which structure this is and how it is set (cells and their size, what
    /// `auto` picked and why), for logs and reports.
    fn describe(&self) -> String;
}

/// In [`Broad::renumber`]: the slot's particle is gone.
pub const GONE: u32 = u32::MAX;

/// Answers for a whole window at once: what the Brownian engine asks.
pub trait Search<const D: usize>: Broad<D> {
    /// Appends every pair that may touch within the window, in any order. Parallel inside, over the
    /// rayon pool that the caller is in.
    fn pairs(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>);
}
