//! What is to be measured, and how thoroughly.

use super::Effort;

/// What is to be measured, and how thoroughly.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Numbers of bodies of Figure 6.
    pub sizes: Vec<usize>,
    /// Numbers of bodies for comparing structures by density.
    pub few_sizes: Vec<usize>,
    /// The number of bodies for the sizes of cells.
    pub bodies: usize,
    /// The number of bodies for comparing schedulers: the rescan takes all of them at each contact.
    pub bodies_for_rescan: usize,
    /// Packing fractions.
    pub packings: Vec<f64>,
    /// Edges of cells, in units of the least.
    pub cell_sizes: Vec<f64>,
    /// Rounds of every contest.
    pub rounds: usize,
    /// In a turn of every contest, so many bodies are moved by a step; at least one step each.
    pub body_steps: usize,
    /// Who would take longer for a step drops out of Figure 6. \[s\]
    pub longest_step: f64,
}

impl Plan {
    /// Some minutes, on an optimised build.
    pub fn full() -> Self {
        Self {
            sizes: vec![100, 300, 1_000, 3_000, 10_000, 30_000, 100_000],
            few_sizes: vec![1_000, 10_000, 100_000],
            bodies: 10_000,
            bodies_for_rescan: 1_000,
            packings: vec![0.001, 0.01, 0.1, 0.3],
            cell_sizes: vec![1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 4.0],
            rounds: 7,
            body_steps: 100_000,
            longest_step: 1.0,
        }
    }

    /// Some seconds: the same tables of small numbers of bodies.
    pub fn quick() -> Self {
        Self {
            sizes: vec![50, 100, 200],
            few_sizes: vec![100, 300],
            bodies: 300,
            bodies_for_rescan: 100,
            cell_sizes: vec![1.0, 2.0, 4.0],
            rounds: 3,
            body_steps: 1_000,
            longest_step: 0.1,
            ..Self::full()
        }
    }

    /// How much is measured of a contest among so many bodies.
    pub(super) fn effort(&self, bodies: usize) -> Effort {
        Effort { rounds: self.rounds, steps: (self.body_steps / bodies).max(1) as u64 }
    }
}
