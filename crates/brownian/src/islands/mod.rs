//! Contacts settled island by island: particles that touch each other within a stretch of time are
//! an island; islands know nothing of each other, so that any thread may settle any of them, and
//! each has all it needs close at hand. The bits are those of the one queue.
//!
//! An island assumes that all other particles stay on the paths with which the stretch began. Where
//! that was wrong, two islands have met: one runs into a member of the other, or new paths of the
//! two would touch. Such islands are joined and settled again from the beginning of the stretch,
//! until none meet. Joining all islands that might meet beforehand would put half of a fluid into
//! one.
//!
//! Where so many contacts fall due that particles would hang together all through the box, the step
//! is cut into several stretches.
//!
//! Where anything but a bounce is due, an island is left to the one queue, which comes after the
//! islands (see [`queue`]): this has the whole system at hand, and gives identities in the order of
//! time. What happens by the calendar may concern every particle: a stretch ends there.
//!
//! A rigid unit turns as one: all its members are in one island, under the slot of the first.

mod ahead;
mod find;
mod island;
mod pieces;
mod place;
mod queue;
mod reports;
mod rounds;
mod scratch;
mod sieve;
mod sort;
mod world;
mod write;

use super::plan::Due;
use super::system::System;
use super::{Brownian, Scheduler, StepError};
use jostle_core::observe::Observer;
use jostle_core::particles::ALONE;
use jostle_core::stopwatch::Stopwatch;
use jostle_core::unions::SharedUnions;
use place::{Place, SharedPlace};
use rounds::{Between, Rounds};
use scratch::ThreadScratch;
use sieve::Sieve;
use sort::Island;
use std::sync::atomic::AtomicU32;

/// So many contacts for each particle within a stretch leave almost all islands small.
const CONTACTS_PER_PARTICLE: f64 = 0.12;

/// Fewer where particles reach beyond contact: each is then near to more that turn, and more islands
/// meet. For square wells at 10 %, 0.12 and 0.06 took 8 and 9 % longer, 0.025 as long (means of three
/// runs each, which scatter by 5 %).
const EDGES_PER_PARTICLE: f64 = 0.04;

/// So few particles with potentials are settled as one island.
const FEW_PARTICLES: usize = 1000;

/// The most stretches of a step.
const MOST_STRETCHES: usize = 64;

/// In place of an island or a member: none.
const NONE: u32 = u32::MAX;

/// Something due, planned when its parties had turned so many times in this step.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Event {
    time: f64,
    due: Due,
    turns: [u32; 2],
}

impl Event {
    /// Something due, planned on the present paths.
    fn planned<const D: usize>(engine: &Brownian<D>, time: f64, due: Due) -> Self {
        let busy = |slot: u32| if slot == NONE { NONE } else { engine.scratch.busy[slot as usize] };
        Self { time, due, turns: due.parties().map(busy) }
    }

    /// Whether no particle has turned or died since it was planned.
    fn stands<const D: usize>(&self, engine: &Brownian<D>) -> bool {
        let (busy, alive) = (&engine.scratch.busy, &engine.system.particles.alive);
        let holds = |(slot, turns): (u32, u32)| {
            slot == NONE || busy[slot as usize] == turns && alive[slot as usize]
        };
        self.due.parties().into_iter().zip(self.turns).all(holds)
    }

    /// The same with a place in the order of what is settled: what was due only once `last` had
    /// been settled, at the same time, does not come before it.
    #[inline]
    fn after(self, last: Option<&Event>) -> Self {
        match last {
            Some(last) if last.time == self.time => Self { due: last.due.max(self.due), ..self },
            _ => self,
        }
    }

    /// The contact of two particles.
    #[inline]
    fn contact<const D: usize>(
        system: &System<D>,
        time: f64,
        [i, j]: [u32; 2],
        turns: [u32; 2],
    ) -> Self {
        let [a, b] = [i, j].map(|slot| system.particles.id[slot as usize]);
        let due = match a < b {
            true => Due::Contact { ids: [a, b], slots: [i, j] },
            false => Due::Contact { ids: [b, a], slots: [j, i] },
        };
        Self { time, due, turns: if a < b { turns } else { [turns[1], turns[0]] } }
    }

    /// Its parties, each by the first member of its unit.
    #[inline]
    fn firsts<const D: usize>(&self, system: &System<D>) -> [u32; 2] {
        let first = |slot: u32| if slot == NONE { NONE } else { system.together(&slot)[0] };
        self.due.parties().map(first)
    }
}

impl Eq for Event {}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.time.total_cmp(&other.time).then_with(|| self.due.cmp(&other.due))
    }
}

/// One of the equal stretches of a step, or what of it comes before a certain event.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    number: usize,
    of: usize,
    end: Option<Event>,
}

impl Stretch {
    /// Which stretch a moment belongs to.
    #[inline]
    fn at(self, time: f64) -> usize {
        ((time * self.of as f64) as usize).min(self.of - 1)
    }

    /// Whether an event is due only after the stretch.
    #[inline]
    fn is_before(self, event: &Event) -> bool {
        self.at(event.time) > self.number || self.end.is_some_and(|end| *event >= end)
    }

    /// Whether an event is due within the stretch.
    fn holds(self, event: &Event) -> bool {
        self.at(event.time) == self.number && !self.is_before(event)
    }

    /// The first in it that is due by the calendar.
    fn first_date<const D: usize>(self, engine: &Brownian<D>) -> Option<Event> {
        let dates = engine.plans.calendar.due_in(engine.system.clock.step);
        let dates = dates.map(|(time, date)| Event { time, due: Due::Date(date), turns: [0; 2] });
        dates.filter(|event| self.at(event.time) == self.number).min()
    }

    /// Whether the step ends with it.
    fn is_last(self) -> bool {
        self.number + 1 == self.of && self.end.is_none()
    }
}

/// What is kept from step to step.
#[derive(Debug, Default)]
pub(super) struct Islands<const D: usize> {
    sieve: Sieve<D>,
    /// Whether all that is due in a stretch is one island.
    as_one: bool,
    /// What is due in the present stretch, island after island.
    sorted: Vec<Event>,
    /// \[island\]
    all: Vec<Island>,
    unions: SharedUnions,
    /// In this stretch, of the first of each unit. \[slot\]
    island_of: Vec<AtomicU32>,
    /// As which member a particle has been settled in this stretch. \[slot\]
    settled_by: Vec<SharedPlace>,
    /// How many slots make up a part, of which each thread writes one.
    part: usize,
    /// Whether islands have been settled whose paths are not written yet.
    is_ahead: bool,
    /// \[thread\]
    scratch: Vec<ThreadScratch<D>>,
}

impl<const D: usize> Brownian<D> {
    /// Whether this step can be settled in islands.
    fn is_for_islands(&self) -> bool {
        self.scheduler == Scheduler::Islands && self.search.lists().is_some()
    }

    /// Settles all that is due, contacts in islands, if that can be done; whether it has been.
    pub(super) fn settle_islands(
        &mut self,
        watch: &mut Stopwatch,
        observer: &mut dyn Observer<D>,
    ) -> Result<bool, StepError> {
        if !self.is_for_islands() {
            return Ok(false);
        }
        self.begin_events();
        self.plans.agenda.fill([]);
        // Taken out, so that islands can be written while the engine is read.
        let mut islands = std::mem::take(&mut self.islands);
        let stretches = islands.find(self);
        watch.split(&mut self.phases.narrow);
        let done = islands.settle(self, stretches, observer);
        self.islands = islands;
        done.map(|()| true)
    }
}

impl<const D: usize> Islands<D> {
    /// Settles what has been found, in so many stretches.
    fn settle(
        &mut self,
        engine: &mut Brownian<D>,
        of: usize,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        for number in 0..of {
            let whole = Stretch { number, of, end: None };
            loop {
                let end = whole.first_date(engine);
                let stretch = Stretch { end, ..whole };
                self.sort_by_island(engine, stretch);
                let between = Rounds::new(self, engine, stretch).run(observer)?;
                let reports = self.settle_queued(engine, stretch, observer)?;
                self.write_down(engine, stretch, between, reports, observer)?;
                self.take_apart();
                let Some(date) = end else { break };
                engine.settle(date.time, date.due, observer)?;
                engine.replan(date.time);
                self.keep_planned(engine, of);
            }
        }
        Ok(())
    }

    /// What was due at first in an island, and in those that it was joined with.
    fn due_in(&self, island: u32) -> impl Iterator<Item = &Event> {
        self.parts(island).flat_map(|part| self.due_in_part(part))
    }

    fn due_in_part(&self, part: u32) -> &[Event] {
        &self.sorted[self.all[part as usize].due()]
    }

    /// The islands that an island was joined from.
    fn parts(&self, island: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(island), |&part| {
            Some(self.all[part as usize].next).filter(|&n| n != NONE)
        })
    }

    /// Whether two islands are both settled.
    fn has_settled(&self, (both, _): &Between) -> bool {
        both.iter().all(|&island| self.all[island as usize].outcome.taken().is_some())
    }

    /// Forgets what an island came to.
    fn release(&mut self, island: u32) {
        let outcome = &self.all[island as usize].outcome;
        let Some(Place { thread, number }) = outcome.taken() else { return };
        outcome.set(Place::NOWHERE);
        let scratch = &mut self.scratch[thread as usize];
        scratch.release(number);
        for number in scratch.outcomes[number as usize].members.clone() {
            let by = &self.settled_by[scratch.members[number].slot as usize];
            if by.get() == (Place { thread, number: number as u32 }) {
                by.set(Place::NOWHERE);
            }
        }
    }
}

impl<const D: usize> System<D> {
    /// All that move with a particle, itself included.
    #[inline]
    pub(super) fn together<'a>(&'a self, slot: &'a u32) -> &'a [u32] {
        if self.clusters.unit_count() == 0 {
            return std::slice::from_ref(slot);
        }
        match self.particles.unit[*slot as usize] {
            ALONE => std::slice::from_ref(slot),
            unit => match self.clusters.unit(unit) {
                unit if unit.is_flexible => std::slice::from_ref(slot),
                unit => &unit.members,
            },
        }
    }
}
