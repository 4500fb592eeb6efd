//! A contest: several ways to compute the same steps, timed in turns.

use std::time::Instant;

use super::BenchError;
use super::warm::warm_up;
use jostle_brownian::{Brownian, Phases, Scheduler, Tally};
use jostle_core::observe::NoObserver;
use jostle_core::search::{Counters, Kind, Settings};
use jostle_core::state_hash::state_hash;
use jostle_model::{Model, measure};
use jostle_run::engine;

/// The phases of a step, as tables name them.
pub const PHASES: [&str; 6] = ["draw", "relink", "search", "narrow", "settle", "arrive"];

/// A way to compute steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Contestant {
    /// As tables name it.
    pub name: String,
    /// The search structure.
    pub search: Settings,
    /// The order of contacts inside a step.
    pub scheduler: Scheduler,
}

impl Contestant {
    /// Cells relinked once per step and listed by centre, without pruning, and the local event
    /// queue: what others are compared with.
    pub fn plain(kind: Kind) -> Self {
        let search = Settings { kind, ..Settings::default() };
        Self { name: kind.name().to_owned(), search, scheduler: Scheduler::Islands }
    }

    /// The same under another name.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// With directional pruning (Johnson & Whalley 2002, section 4.2).
    #[must_use]
    pub fn pruning(mut self) -> Self {
        self.search.pruning = true;
        self
    }

    /// With the scheduler as Johnson & Whalley (2002) print it (section 4.1).
    #[must_use]
    pub fn rescan(mut self) -> Self {
        self.scheduler = Scheduler::Rescan;
        self
    }
}

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContestEffort {
    /// Rounds, in each of which every contestant has a turn.
    pub rounds: usize,
    /// Steps in a turn.
    pub steps: u64,
}

/// What was measured of one contestant.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The contestant.
    pub contestant: Contestant,
    /// The title of what was run.
    pub scene: String,
    /// How many particles.
    pub particles: usize,
    /// The fraction of the box that they fill.
    pub packing: f64,
    /// Wall time per step in the fastest round. \[s\]
    pub least: f64,
    /// The median over the rounds. \[s\]
    pub median: f64,
    /// Of the fastest round: wall time per step by phase, as [`PHASES`]. \[s\]
    pub phases: [f64; 6],
    /// Work per step of the search structure, over all rounds.
    pub work: [(&'static str, f64); 7],
    /// Pairs of paths examined per step for a first contact, over all rounds.
    pub narrow_tests: f64,
    /// Contacts per step, over all rounds.
    pub contacts: f64,
    /// The state hash at the end, and after how many steps that was.
    pub state: (u64, u64),
    /// The search structure in its own words.
    pub structure: String,
}

/// Lets the contestants take turns at `model`, each on its own.
///
/// # Errors
/// If the model cannot be set up, a step fails, or a contestant ends in another state than the
/// plain cells do after as many steps.
pub fn contest<const D: usize>(
    model: &Model,
    contestants: &[Contestant],
    effort: ContestEffort,
) -> Result<Vec<Entry>, BenchError> {
    let racers = contestants.iter().map(|contestant| Racer::<D>::new(model, contestant));
    let mut racers = racers.collect::<Result<Vec<_>, _>>()?;
    for round in 0..effort.rounds {
        for n in 0..racers.len() {
            // Back and forth, so that none always follows the same one.
            let n = if round % 2 == 0 { n } else { racers.len() - 1 - n };
            racers[n].turn(effort.steps)?;
        }
    }
    same_states(model, &racers)?;
    Ok(racers.into_iter().map(|racer| racer.entry(model)).collect())
}

/// A contestant at work.
struct Racer<const D: usize> {
    contestant: Contestant,
    engine: Brownian<D>,
    /// Before the first turn.
    work: Counters,
    tally: Tally,
    first_step: u64,
    /// Of each turn: wall time per step, and by phase. \[s\]
    turns: Vec<(f64, [f64; 6])>,
}

impl<const D: usize> Racer<D> {
    fn new(model: &Model, contestant: &Contestant) -> Result<Self, BenchError> {
        let search = contestant.search.clone();
        let mut engine =
            engine::<D>(&model.clone().searched(search).scheduled(contestant.scheduler))?;
        warm_up(&mut engine, 1)?;
        Ok(Self {
            contestant: contestant.clone(),
            work: engine.search().counters(),
            tally: engine.tally(),
            first_step: engine.clock().step,
            turns: Vec::new(),
            engine,
        })
    }

    fn turn(&mut self, steps: u64) -> Result<(), BenchError> {
        let before = seconds(self.engine.phases());
        let begun = Instant::now();
        for _ in 0..steps {
            self.engine.step(&mut NoObserver)?;
        }
        let time = begun.elapsed().as_secs_f64();
        let after = seconds(self.engine.phases());
        let phases = std::array::from_fn(|k| (after[k] - before[k]) / steps as f64);
        self.turns.push((time / steps as f64, phases));
        Ok(())
    }

    fn entry(mut self, model: &Model) -> Entry {
        let steps = (self.engine.clock().step - self.first_step).max(1) as f64;
        self.turns.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (least, phases) = self.turns.first().copied().unwrap_or((f64::NAN, [f64::NAN; 6]));
        let tally = self.engine.tally();
        Entry {
            scene: model.title.clone(),
            particles: self.engine.particles().len(),
            packing: measure::packing_fraction(model),
            least,
            median: self.turns.get(self.turns.len() / 2).map_or(f64::NAN, |turn| turn.0),
            phases,
            work: named(self.engine.search().counters().since(self.work))
                .map(|(n, x)| (n, x / steps)),
            narrow_tests: (tally.narrow_tests - self.tally.narrow_tests) as f64 / steps,
            contacts: (tally.contacts - self.tally.contacts) as f64 / steps,
            state: state(&self.engine),
            structure: self.engine.search().describe(),
            contestant: self.contestant,
        }
    }
}

fn seconds(phases: Phases) -> [f64; 6] {
    let Phases { draw, relink, search, narrow, settle, arrive } = phases;
    [draw, relink, search, narrow, settle, arrive].map(|time| time.as_secs_f64())
}

/// Counts of work, as tables name them.
fn named(work: Counters) -> [(&'static str, f64); 7] {
    [
        ("cells visited", work.cells_visited),
        ("pairs considered", work.pairs_considered),
        ("pruned by direction", work.pruned_by_direction),
        ("pruned by reach", work.pruned_by_reach),
        ("pairs reported", work.pairs_reported),
        ("relinks", work.relinks),
        ("short-listed", work.short_listed),
    ]
    .map(|(name, count)| (name, count as f64))
}

fn state<const D: usize>(engine: &Brownian<D>) -> (u64, u64) {
    (state_hash(engine.particles(), engine.clusters()), engine.clock().step)
}

/// Compares the state of each with that of plain cells after as many steps.
fn same_states<const D: usize>(model: &Model, racers: &[Racer<D>]) -> Result<(), BenchError> {
    let Contestant { search, scheduler, .. } = Contestant::plain(Kind::Cubic);
    let mut reference = engine::<D>(&model.clone().searched(search).scheduled(scheduler))?;
    let mut order: Vec<&Racer<D>> = racers.iter().collect();
    order.sort_by_key(|racer| racer.engine.clock().step);
    for racer in order {
        let (found, steps) = state(&racer.engine);
        while reference.clock().step < steps {
            reference.step(&mut NoObserver)?;
        }
        let (expected, _) = state(&reference);
        if found != expected {
            let name = racer.contestant.name.clone();
            return Err(BenchError::StatesDiffer { name, steps, found, expected });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{crowd, rested};
    use super::*;

    const EFFORT: ContestEffort = ContestEffort { rounds: 3, steps: 2 };

    #[test]
    fn all_compute_the_same_and_are_measured() {
        let model = rested::<3>(crowd(3, 80, 0.1).unwrap()).unwrap();
        let contestants = [
            Contestant::plain(Kind::Naive).rescan(),
            Contestant::plain(Kind::Cubic).pruning(),
            Contestant::plain(Kind::Auto),
        ];
        let entries = contest::<3>(&model, &contestants, EFFORT).unwrap();
        for entry in &entries {
            assert_eq!((entry.particles, (entry.packing * 1e6).round()), (80, 1e5));
            assert!(entry.least > 0.0 && entry.median >= entry.least);
            let phases: f64 = entry.phases.iter().sum();
            assert!(phases > 0.0 && phases < entry.least, "{:?}", entry.phases);
        }
        assert_eq!(entries[0].state, entries[1].state);
        assert_eq!(entries[0].contacts, entries[1].contacts);
        // The rescan asks for all pairs again after every contact.
        let scans = entries[0].work[1].1 / (80.0 * 79.0 / 2.0);
        assert!((scans - (2.0 + entries[0].contacts)).abs() < 1e-9);
        assert!(entries[2].structure.contains("fastest"), "{}", entries[2].structure);
    }

    #[test]
    fn another_state_is_detected() {
        let model = crowd(3, 20, 0.01).unwrap();
        let mut racer = Racer::<3>::new(&model, &Contestant::plain(Kind::Cubic)).unwrap();
        assert!(same_states(&model, std::slice::from_ref(&racer)).is_ok());
        racer.engine = engine::<3>(&model.clone().seeded(2)).unwrap();
        racer.engine.step(&mut NoObserver).unwrap();
        let error = same_states(&model, &[racer]).unwrap_err();
        assert!(error.to_string().starts_with("cubic is in state"), "{error}");
    }
}
