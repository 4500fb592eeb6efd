//! What of the speed is to be measured, and how thoroughly.

use super::{runs, steady};
use jostle_core::search::{Kind, Settings};

/// What of the speed is to be measured, and how thoroughly.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedPlan {
    /// Names of rows, of [`SpeedPlan::all_rows`].
    pub rows: Vec<&'static str>,
    /// How many threads all but `threads` and `small-models` run on.
    pub threads: usize,
    /// The search structure of all but `search`.
    pub search: Kind,
    /// Rounds, of which the fastest and the median count.
    pub rounds: usize,
    /// Small populations and short turns.
    pub quick: bool,
    /// The scale continues to ten million particles.
    pub huge: bool,
}

impl SpeedPlan {
    /// The names of all rows: populations that stay as they are, whole runs, comparisons, memory.
    pub fn all_rows() -> Vec<&'static str> {
        let steady = steady::ROWS.into_iter().map(|(row, _)| row);
        let others = ["threads", "small-models", "sheet", "scale", "search", "memory"];
        steady.chain(runs::ROWS).chain(others).collect()
    }

    /// All rows on one thread, with `auto`: some minutes, on an optimised build.
    pub fn full() -> Self {
        Self {
            rows: Self::all_rows(),
            threads: 1,
            search: Kind::Auto,
            rounds: 5,
            quick: false,
            huge: false,
        }
    }

    /// The same rows, with a hundredth of the particles: some seconds.
    pub fn quick() -> Self {
        Self { rounds: 2, quick: true, ..Self::full() }
    }

    /// Whether a row is asked for.
    pub fn wants(&self, row: &str) -> bool {
        self.rows.contains(&row)
    }

    /// How the search structure is set.
    pub(super) fn settings(&self) -> Settings {
        Settings { kind: self.search, ..Settings::default() }
    }

    /// How many particles there are where there would be `particles`.
    pub fn particles(&self, particles: usize) -> usize {
        if self.quick { (particles / 100).max(100) } else { particles }
    }

    /// Steps of a whole run that would take `steps`.
    pub(super) fn steps(&self, steps: u64) -> u64 {
        if self.quick { (steps / 250).max(40) } else { steps }
    }

    /// Steps after which the state of so many particles is taken.
    pub(super) fn steps_to_state(particles: usize) -> u64 {
        (6_400_000 / particles as u64).clamp(10, 64)
    }

    /// Steps in a turn of so many particles that need `pace` seconds for one and move `step` radii:
    /// half a second, and so many that lists which last for many steps are renewed some times.
    pub(super) fn steps_in_turn(&self, particles: usize, pace: f64, step: f64) -> u64 {
        if self.quick {
            return 5;
        }
        let least = (4_000_000 / particles as u64).clamp(10, 40);
        let least = if step < 0.05 { 5 * least } else { least };
        ((0.5 / pace.max(1e-9)) as u64).max(least)
    }

    /// Rounds of a population that takes long.
    pub(super) fn rounds(&self, particles: usize) -> usize {
        if particles > 2_000_000 { self.rounds.min(2) } else { self.rounds }
    }
}
