//! An engine that is timed in turns.

use std::time::Instant;

use crate::bench::BenchError;
use crate::bench::clock::processor_seconds;
use crate::bench::warm::warm_up;
use jostle_brownian::{Brownian, Tally};
use jostle_core::observe::NoObserver;
use jostle_core::state_hash::state_hash;
use jostle_model::Model;
use jostle_run::engine;

/// A stretch of work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    /// Time on the wall. \[s\]
    pub(super) wall: f64,
    /// Of all processors together, where the system tells. \[s\]
    pub(super) processor: Option<f64>,
}

impl Turn {
    /// Does `work` and says how long it took.
    pub(super) fn of<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(T, Self), E> {
        let (before, begun) = (processor_seconds(), Instant::now());
        let done = work()?;
        let wall = begun.elapsed().as_secs_f64();
        let processor = before.zip(processor_seconds()).map(|(before, after)| after - before);
        Ok((done, Self { wall, processor }))
    }

    /// A part of it.
    pub(super) fn over(self, count: f64) -> Self {
        Self { wall: self.wall / count, processor: self.processor.map(|seconds| seconds / count) }
    }
}

/// The fastest of `turns`, and the median time on the wall. \[s\]
pub(super) fn least_and_median(mut turns: Vec<Turn>) -> (Turn, f64) {
    turns.sort_unstable_by(|a, b| a.wall.total_cmp(&b.wall));
    let none = Turn { wall: f64::NAN, processor: None };
    let median = turns.get(turns.len() / 2).map_or(f64::NAN, |turn| turn.wall);
    (turns.first().copied().unwrap_or(none), median)
}

/// What was measured of a population.
#[derive(Clone, Debug)]
pub(super) struct Timing {
    pub(super) particles: usize,
    /// The fastest turn, per step. \[s\]
    pub(super) least: Turn,
    /// The median turn, per step. \[s\]
    pub(super) median: f64,
    pub(super) contacts: f64,
    /// Crossings and reflections at edges of potentials and tethers, per step.
    pub(super) edges: f64,
    /// The state hash, and after how many steps it was taken.
    pub(super) state: (u64, u64),
    /// The search structure: its name, and what `auto` has chosen.
    pub(super) search: String,
}

impl Timing {
    /// Millions per second of time on the wall, in the fastest turn.
    pub(super) fn particle_steps(&self) -> f64 {
        self.particles as f64 / self.least.wall / 1e6
    }
}

/// An engine that is warm: its state is known, its search structure has chosen, its lists are
/// there.
pub(super) struct Runner<const D: usize> {
    pub(super) engine: Brownian<D>,
    state: (u64, u64),
    /// Contacts, and steps, before the first turn.
    before: (Tally, u64),
    /// Of one step of the last turn, or of the last one before any. \[s\]
    pace: f64,
    turns: Vec<Turn>,
}

impl<const D: usize> Runner<D> {
    /// Sets the model up and takes its state after `steps` steps, which is that of any other run of
    /// as many steps.
    pub(super) fn warm(model: &Model, steps: u64) -> Result<Self, BenchError> {
        let mut engine = engine::<D>(model)?;
        for _ in 0..steps {
            engine.step(&mut NoObserver)?;
        }
        let state = (state_hash(engine.particles(), engine.clusters()), engine.clock().step);
        warm_up(&mut engine, 1)?;
        let ((), turn) = Turn::of(|| engine.step(&mut NoObserver))?;
        let before = (engine.tally(), engine.clock().step);
        Ok(Self { engine, state, before, pace: turn.wall, turns: Vec::new() })
    }

    /// How long a step takes. \[s\]
    pub(super) fn pace(&self) -> f64 {
        self.pace
    }

    /// The state hash, and after how many steps it was taken.
    pub(super) fn state(&self) -> (u64, u64) {
        self.state
    }

    /// Takes so many steps, and takes their time.
    pub(super) fn turn(&mut self, steps: u64) -> Result<(), BenchError> {
        let work = || (0..steps).try_for_each(|_| self.engine.step(&mut NoObserver));
        let ((), turn) = Turn::of(work)?;
        let turn = turn.over(steps as f64);
        self.pace = turn.wall;
        self.turns.push(turn);
        Ok(())
    }

    /// What was measured.
    pub(super) fn timing(&self) -> Timing {
        let (least, median) = least_and_median(self.turns.clone());
        let (tally, steps) = self.before;
        let steps = (self.engine.clock().step - steps).max(1) as f64;
        let since = self.engine.tally();
        Timing {
            particles: alive(&self.engine),
            least,
            median,
            contacts: (since.contacts - tally.contacts) as f64 / steps,
            edges: (since.edges - tally.edges) as f64 / steps,
            state: self.state,
            search: structure(&self.engine),
        }
    }
}

/// How many particles there are.
pub(super) fn alive<const D: usize>(engine: &Brownian<D>) -> usize {
    engine.particles().alive.iter().filter(|&&alive| alive).count()
}

/// The name of the search structure and, if it chooses, what it has chosen; a dash if it was not
/// asked.
pub(super) fn structure<const D: usize>(engine: &Brownian<D>) -> String {
    if engine.tally().narrow_tests == 0 {
        return "-".to_owned();
    }
    short(&engine.search().describe())
}

/// The first words of how a structure describes itself: `cubic`, `auto: cubic`.
pub(super) fn short(description: &str) -> String {
    let end = [" was the fastest", ";"].iter().find_map(|end| description.find(end));
    let first = &description[..end.unwrap_or(description.len())];
    let is_choice = end.is_some() && first.starts_with("auto");
    if is_choice {
        first.to_owned()
    } else {
        first.split(':').next().unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::crowd;

    #[test]
    fn turns_are_counted_and_the_state_is_that_of_any_run() {
        let model = crowd(3, 60, 0.1).unwrap();
        let mut one = Runner::<3>::warm(&model, 5).unwrap();
        let other = Runner::<3>::warm(&model.clone().seeded(1), 5).unwrap();
        assert_eq!(one.state(), other.state());
        assert_eq!(one.state().1, 5);
        for _ in 0..3 {
            one.turn(10).unwrap();
        }
        let timing = one.timing();
        assert_eq!(timing.particles, 60);
        assert!(timing.least.wall > 0.0 && timing.median >= timing.least.wall);
        assert!(timing.particle_steps() > 0.0 && one.pace() > 0.0);
        assert!((timing.contacts * 30.0).round() >= 1.0, "{}", timing.contacts);
    }

    #[test]
    fn structures_have_short_names() {
        let cases = [
            (
                "auto: cubic was the fastest per step (cubic 1 ms, naive 2 ms); cubic: 3 cells",
                "auto: cubic",
            ),
            ("auto: nothing else to try; sweep: sorted", "auto: nothing else to try"),
            ("auto: keeps the fastest of some", "auto"),
            ("cubic: 3 x 3 cells, relinked every step; more", "cubic"),
            ("naive", "naive"),
        ];
        for (said, name) in cases {
            assert_eq!(short(said), name);
        }
    }

    #[test]
    fn the_least_and_the_median_of_nothing_are_unknown() {
        let turn = |wall| Turn { wall, processor: Some(2.0 * wall) };
        let (least, median) = least_and_median([3.0, 1.0, 2.0].map(turn).to_vec());
        assert_eq!((least, median), (turn(1.0), 2.0));
        assert!(least_and_median(Vec::new()).1.is_nan());
        assert_eq!(turn(4.0).over(2.0), turn(2.0));
    }
}
