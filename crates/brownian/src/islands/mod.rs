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
//! is cut into several stretches. Where anything but a bounce happens, the queue takes over at the
//! beginning of the stretch; nothing of it has been written anywhere by then.

mod ahead;
mod find;
mod island;
mod rounds;
mod scratch;
mod sieve;
mod world;

use super::plan::Due;
use super::{Brownian, Scheduler, StepError};
use jostle_core::observe::Observer;
use jostle_core::stopwatch::Stopwatch;
use jostle_core::unions::Unions;
use rounds::Rounds;
use scratch::ThreadScratch;
use sieve::Sieve;

/// So many contacts for each particle within a stretch leave almost all islands small.
const CONTACTS_PER_PARTICLE: f64 = 0.12;

/// The most stretches of a step.
const MOST_STRETCHES: usize = 64;

/// Where something else than bounces happens in step after step, the queue has up to so many to
/// itself.
const LONGEST_REST: u32 = 7;

/// In place of an island or a member: none.
const NONE: u32 = u32::MAX;

/// Something due, planned when its parties had turned so many times in this step.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Event {
    time: f64,
    due: Due,
    turns: [u32; 2],
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

/// Where something of this stretch is kept: by which thread, and as which of its things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    thread: u32,
    number: u32,
}

impl Place {
    /// No particle has it.
    const NOWHERE: Self = Self { thread: NONE, number: NONE };
}

/// One of the equal stretches of a step.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    number: usize,
    of: usize,
}

impl Stretch {
    /// Which stretch a moment belongs to.
    #[inline]
    fn at(self, time: f64) -> usize {
        ((time * self.of as f64) as usize).min(self.of - 1)
    }

    /// Whether a moment belongs to a later stretch.
    #[inline]
    fn is_before(self, time: f64) -> bool {
        self.at(time) > self.number
    }
}

/// What is kept from step to step.
#[derive(Debug, Default)]
pub(super) struct Islands<const D: usize> {
    sieve: Sieve<D>,
    /// What is due in each stretch, and what is not any more. \[stretch\]
    due: Vec<Vec<Event>>,
    /// What is due in the present stretch, island after island, and where each starts; and the end.
    sorted: Vec<Event>,
    start: Vec<u32>,
    unions: Unions,
    /// In this stretch. \[slot\]
    island_of: Vec<u32>,
    /// As which member a particle has been settled in this stretch. \[slot\]
    settled_by: Vec<Place>,
    /// \[thread\]
    scratch: Vec<ThreadScratch<D>>,
    /// For how many steps not to try, and for how many it was the last time.
    rest: [u32; 2],
}

impl<const D: usize> Brownian<D> {
    /// Whether this step can be settled in islands, as far as one can tell before.
    fn is_for_islands(&self) -> bool {
        self.scheduler == Scheduler::Islands
            && self.dead == 0
            && self.system.clusters.units.is_empty()
            && self.search.lists().is_some()
            && self.plans.timers.due_in(self.system.clock.step).next().is_none()
            && self.plans.calendar.due_in(self.system.clock.step).next().is_none()
    }

    /// Settles what is due in islands, if that can be done. What is left is on the agenda then;
    /// whether the agenda has been filled.
    pub(super) fn settle_islands(
        &mut self,
        watch: &mut Stopwatch,
        observer: &mut dyn Observer<D>,
    ) -> Result<bool, StepError> {
        if !self.is_for_islands() {
            return Ok(false);
        }
        let [rest, _] = &mut self.islands.rest;
        // The last try came upon something else than bounces, and so most likely would this one.
        if *rest > 0 {
            *rest -= 1;
            return Ok(false);
        }
        self.subdivision = 0;
        self.system.now = 0.0;
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
        self.island_of.resize(engine.system.particles.len(), NONE);
        self.settled_by.resize(engine.system.particles.len(), Place::NOWHERE);
        for number in 0..of {
            self.sort_by_island(engine, number);
            if !Rounds::new(self, engine, Stretch { number, of }).run(observer)? {
                self.hand_over(engine, number);
                return Ok(());
            }
            self.leave();
        }
        self.rest = [0; 2];
        engine.plans.agenda.fill([]);
        Ok(())
    }

    /// Puts what is due from a stretch on into the agenda.
    fn hand_over(&mut self, engine: &mut Brownian<D>, number: usize) {
        self.leave();
        let longer = (2 * self.rest[1] + 1).min(LONGEST_REST);
        self.rest = [longer; 2];
        let agenda = &engine.plans.agenda;
        let events =
            self.due[number..].iter().flatten().filter(|event| stands(event, &engine.scratch.busy));
        let entries: Vec<_> =
            events.map(|e| agenda.entry(e.time, e.due, e.due.parties())).collect();
        engine.plans.agenda.fill(entries);
    }

    /// Numbers the islands in the order of what is due first in each, and puts together what is due
    /// in each of them.
    fn sort_by_island(&mut self, engine: &Brownian<D>, number: usize) {
        let Self { due, sorted, start, unions, island_of, .. } = self;
        let due = &mut due[number];
        due.retain(|event| stands(event, &engine.scratch.busy));
        // Particles that are due to touch in this stretch belong to one island; all others are in
        // none.
        unions.clear(engine.system.particles.len());
        for event in due.iter() {
            match event.due.parties() {
                [a, NONE] => {
                    unions.enter(a);
                }
                [a, b] => unions.join(a, b),
            }
        }
        // How many are due in each island, then where each ends.
        start.clear();
        for event in due.iter() {
            let root = unions.root(event.due.parties()[0]) as usize;
            if island_of[root] == NONE {
                island_of[root] = start.len() as u32;
                start.push(0);
            }
            start[island_of[root] as usize] += 1;
        }
        let mut sum = 0;
        for start in start.iter_mut() {
            sum += *start;
            *start = sum;
        }
        start.push(sum);
        if let Some(&any) = due.first() {
            sorted.resize(due.len(), any);
        }
        // Filled from the end, so that within an island events keep their order.
        for event in due.iter().rev() {
            let root = unions.root(event.due.parties()[0]);
            let island = island_of[root as usize];
            for slot in event.due.parties().into_iter().filter(|&slot| slot != NONE) {
                island_of[slot as usize] = island;
            }
            start[island as usize] -= 1;
            sorted[start[island as usize] as usize] = *event;
        }
    }

    /// What is due in an island at first.
    fn due_in(&self, island: u32) -> &[Event] {
        let ends = [island, island + 1].map(|n| self.start[n as usize] as usize);
        &self.sorted[ends[0]..ends[1]]
    }

    /// Leaves a stretch: no particle is in any island.
    fn leave(&mut self) {
        // Only what was used is cleared: a stretch concerns few of all slots.
        for slot in self.unions.members() {
            self.island_of[*slot as usize] = NONE;
        }
        for scratch in &mut self.scratch {
            for member in &scratch.members {
                self.settled_by[member.slot as usize] = Place::NOWHERE;
            }
            scratch.clear();
        }
    }
}

/// Whether no particle has turned since an event was planned.
fn stands(event: &Event, busy: &[u32]) -> bool {
    let turned = |(slot, turns): (u32, u32)| slot != NONE && busy[slot as usize] != turns;
    !event.due.parties().into_iter().zip(event.turns).any(turned)
}
