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
//! is cut into several stretches. Where anything but a bounce happens, a stretch ends: what is due
//! before is settled in islands, that one event as the queue would, with the whole system at hand,
//! and what is due after it in islands again. Where that happens often, the queue takes over for
//! the rest of the step.
//!
//! A rigid unit turns as one: all its members are in one island, under the slot of the first.

mod ahead;
mod find;
mod island;
mod rounds;
mod scratch;
mod sieve;
mod world;

use std::collections::BTreeSet;

use super::plan::Due;
use super::system::System;
use super::{Brownian, Scheduler, StepError};
use jostle_core::observe::Observer;
use jostle_core::particles::ALONE;
use jostle_core::stopwatch::Stopwatch;
use jostle_core::unions::Unions;
use rounds::Rounds;
use scratch::ThreadScratch;
use sieve::Sieve;

/// So many contacts for each particle within a stretch leave almost all islands small.
const CONTACTS_PER_PARTICLE: f64 = 0.12;

/// The most stretches of a step.
const MOST_STRETCHES: usize = 64;

/// So many times a step may be cut for something else than bounces, and once more for so many
/// slots, before the queue takes over.
const CUTS: usize = 4;
const SLOTS_PER_CUT: usize = 4096;

/// Where it takes over in step after step, the queue has up to so many to itself.
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

impl Event {
    /// Something due, planned on the present paths.
    fn planned<const D: usize>(engine: &Brownian<D>, time: f64, due: Due) -> Self {
        let busy = |slot: u32| if slot == NONE { NONE } else { engine.scratch.busy[slot as usize] };
        Self { time, due, turns: due.parties().map(busy) }
    }

    /// Whether no particle has turned or died since it was planned.
    fn stands<const D: usize>(&self, engine: &Brownian<D>) -> bool {
        if let Due::Clock { owner } = self.due {
            return engine.plans.timers.stands(owner, engine.system.clock.step, self.time);
        }
        let (busy, alive) = (&engine.scratch.busy, &engine.system.particles.alive);
        let holds = |(slot, turns): (u32, u32)| {
            slot == NONE || busy[slot as usize] == turns && alive[slot as usize]
        };
        self.due.parties().into_iter().zip(self.turns).all(holds)
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

    /// The first in it that is due by the clock: that is settled by itself.
    fn first_by_the_clock<const D: usize>(self, engine: &Brownian<D>) -> Option<Event> {
        let due = engine.plans.due_by_the_clock(engine.system.clock.step);
        let events = due.map(|(time, due)| Event { time, due, turns: [0; 2] });
        events.filter(|event| self.at(event.time) == self.number).min()
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
    /// What is due in each stretch, and what is not any more. \[stretch\]
    due: Vec<Vec<Event>>,
    /// What is due in the present stretch, island after island, and where each starts; and the end.
    sorted: Vec<Event>,
    start: Vec<u32>,
    unions: Unions,
    /// In this stretch, of the first of each unit. \[slot\]
    island_of: Vec<u32>,
    /// As which member a particle has been settled in this stretch. \[slot\]
    settled_by: Vec<Place>,
    /// \[thread\]
    scratch: Vec<ThreadScratch<D>>,
    /// For how many steps not to try, and for how many it was the last time.
    rest: [u32; 2],
}

impl<const D: usize> Brownian<D> {
    /// Whether this step can be settled in islands.
    fn is_for_islands(&self) -> bool {
        self.scheduler == Scheduler::Islands && self.search.lists().is_some()
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
        // In the last try too much else than bounces was due, and so most likely in this one.
        if *rest > 0 {
            *rest -= 1;
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
        let mut cuts = CUTS + engine.system.particles.len() / SLOTS_PER_CUT;
        for number in 0..of {
            let whole = Stretch { number, of, end: None };
            // Reactions that islands have found. Most of them will happen, and those that rest on a
            // wrong assumption do no harm, so the stretch is cut at each.
            let mut acts = BTreeSet::new();
            loop {
                let end =
                    whole.first_by_the_clock(engine).into_iter().chain(acts.first().copied()).min();
                let stretch = Stretch { end, ..whole };
                self.sort_by_island(engine, stretch);
                let found = Rounds::new(self, engine, stretch).run(observer)?;
                self.leave();
                // Nothing has been written then: the same again, up to what was found.
                if !found.is_empty() {
                    acts.extend(found);
                    continue;
                }
                let Some(event) = end else { break };
                acts.remove(&event);
                if cuts == 0 {
                    self.hand_over(engine, number);
                    return Ok(());
                }
                cuts -= 1;
                self.settle_one(engine, event, stretch, observer)?;
            }
        }
        self.rest = [0; 2];
        Ok(())
    }

    /// Settles one event as the queue would, everything before it having been settled.
    fn settle_one(
        &mut self,
        engine: &mut Brownian<D>,
        event: Event,
        stretch: Stretch,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        // What was found on paths that have been left since is passed over. The same contact may be
        // due on other paths: that stays.
        if !event.stands(engine) {
            return Ok(());
        }
        self.due[stretch.number].retain(|other| other.cmp(&event).is_ne());
        engine.settle(event.time, event.due, observer)?;
        // Plans that rest on former paths are void, and so are those of particles that are of
        // another species on the path that they were on.
        for &slot in &engine.scratch.changed {
            engine.scratch.busy[slot as usize] += 1;
        }
        engine.replan(event.time);
        // A product may be larger than any particle before.
        if let Some(lists) = engine.search.lists() {
            self.sieve = Sieve::new(&engine.system.domain, lists.widest());
        }
        while let Some(planned) = engine.plans.agenda.take_next() {
            // Clocks and dates are found where they are kept.
            if !matches!(planned.event, Due::Clock { .. } | Due::Date(_)) {
                let event = Event::planned(engine, planned.time, planned.event);
                self.due[stretch.at(event.time)].push(event);
            }
        }
        Ok(())
    }

    /// Puts what is due from a stretch on into the agenda.
    fn hand_over(&mut self, engine: &mut Brownian<D>, number: usize) {
        self.leave();
        let longer = (2 * self.rest[1] + 1).min(LONGEST_REST);
        self.rest = [longer; 2];
        let events = self.due[number..].iter().flatten().filter(|event| event.stands(engine));
        let found = events.map(|event| (event.time, event.due));
        let found: Vec<_> =
            engine.plans.due_by_the_clock(engine.system.clock.step).chain(found).collect();
        engine.plans.fill_agenda(found);
    }

    /// Numbers the islands in the order of what is due first in each, and puts together what is due
    /// in each of them.
    fn sort_by_island(&mut self, engine: &Brownian<D>, stretch: Stretch) {
        let slots = engine.system.particles.len();
        self.island_of.resize(slots, NONE);
        self.settled_by.resize(slots, Place::NOWHERE);
        let Self { due, sorted, start, unions, island_of, .. } = self;
        let due = &mut due[stretch.number];
        due.retain(|event| event.stands(engine));
        let due = || due.iter().filter(|event| !stretch.is_before(event));
        let firsts = |event: &Event| event.firsts(&engine.system);
        // Particles that are due to touch in this stretch belong to one island; all others are in
        // none.
        unions.clear(slots);
        for event in due() {
            match firsts(event) {
                [a, NONE] => {
                    unions.enter(a);
                }
                [a, b] => unions.join(a, b),
            }
        }
        // How many are due in each island, then where each ends.
        start.clear();
        for event in due() {
            let root = unions.root(firsts(event)[0]) as usize;
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
        if let Some(&any) = due().next() {
            sorted.resize(sum as usize, any);
        }
        // Filled from the end, so that within an island events keep their order.
        for event in due().rev() {
            let root = unions.root(firsts(event)[0]);
            let island = island_of[root as usize];
            for slot in firsts(event).into_iter().filter(|&slot| slot != NONE) {
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

impl<const D: usize> System<D> {
    /// All that move with a particle, itself included.
    #[inline]
    fn together<'a>(&'a self, slot: &'a u32) -> &'a [u32] {
        if self.clusters.unit_count() == 0 {
            return std::slice::from_ref(slot);
        }
        match self.particles.unit[*slot as usize] {
            ALONE => std::slice::from_ref(slot),
            unit => &self.clusters.unit(unit).members,
        }
    }
}
