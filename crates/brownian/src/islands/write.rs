//! What a stretch came to: new paths, what is due later, and what observers are told.

use rayon::prelude::*;

use super::super::system::System;
use super::super::{Brownian, StepError};
use super::pieces::threads_together;
use super::place::Place;
use super::reports::{PendingReport, Queued};
use super::rounds::Between;
use super::scratch::{IslandTally, Member, ThreadScratch};
use super::{Event, Islands, Stretch};
use jostle_core::observe::{Contact, Observer};
use jostle_core::particles::Particles;

/// Members of islands that one thread handles, at the least.
const FEWEST: usize = 1024;

/// What observers are told of one event.
enum Told<'a, const D: usize> {
    ByIsland(&'a Contact<D>),
    ByQueue(Vec<PendingReport<D>>),
    /// An edge that a pair came to, which has no number of its own.
    Edge(&'a Contact<D>),
}

/// Tells all of an event, which has this number in the step.
fn tell_all<const D: usize>(
    reports: Vec<PendingReport<D>>,
    number: u32,
    system: &System<D>,
    observer: &mut dyn Observer<D>,
) -> Result<(), StepError> {
    reports.into_iter().try_for_each(|report| report.tell(number, system, observer))
}

impl<const D: usize> Islands<D> {
    /// Gives all members the paths that the stretch ends with, and tells what has happened, in
    /// order of time.
    pub(super) fn write_down(
        &mut self,
        engine: &mut Brownian<D>,
        stretch: Stretch,
        between: Vec<Between>,
        queued: Queued<D>,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let first = engine.subdivision - queued.settled.len() as u32;
        for scratch in &mut self.scratch {
            let IslandTally { counts: [contacts, wall_contacts, late, edges], virial } =
                std::mem::take(&mut scratch.tally);
            let tally = &mut engine.tally;
            tally.narrow_tests += std::mem::take(&mut scratch.tests);
            tally.contacts += contacts;
            tally.wall_contacts += wall_contacts;
            tally.late += late;
            tally.edges += edges;
            tally.virial = tally.virial.wrapping_add(virial);
            engine.subdivision += (contacts + wall_contacts) as u32;
        }
        self.give_paths(&mut engine.system.particles, &mut engine.scratch.busy);
        // What was due is settled. A contact of two that pass each other would be due again.
        let members = self.scratch.iter().map(|scratch| scratch.members.len()).sum();
        let together = threads_together(members, FEWEST, self.scratch.len());
        let keep = |scratch: &mut ThreadScratch<D>| scratch.keep_later(stretch);
        self.scratch.par_iter_mut().with_min_len(together).for_each(keep);
        let between = between.into_iter().filter(|between| self.has_settled(between));
        let between: Vec<Event> = between.map(|(_, event)| event).collect();
        self.keep(between, stretch.of);
        self.tell(engine, first, queued, observer)
    }

    /// Keeps what is due later.
    pub(super) fn keep(&mut self, events: impl IntoIterator<Item = Event>, of: usize) {
        let all = Stretch { number: 0, of, end: None };
        let due = &mut self.scratch[0].due;
        events.into_iter().for_each(|event| due[all.at(event.time)].push(event));
    }

    /// Tells observers everything in the order in which the one queue would have settled it; `first`
    /// events of the step had been settled before the stretch.
    fn tell(
        &self,
        engine: &Brownian<D>,
        first: u32,
        queued: Queued<D>,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let system = &engine.system;
        if observer.wants_contacts() {
            let of_islands = self.scratch.iter().flat_map(|scratch| {
                let numbers = scratch.islands_settled().flat_map(|one| one.settled.clone());
                numbers.map(|n| (scratch.settled[n], Told::ByIsland(&scratch.reported[n])))
            });
            let of_queue = queued.settled.into_iter();
            let of_queue = of_queue.map(|(event, reports)| (event, Told::ByQueue(reports)));
            let edges = self.scratch.iter().flat_map(|scratch| {
                let numbers = scratch.islands_settled().flat_map(|one| one.edges.clone());
                numbers.map(|n| &scratch.edges[n])
            });
            let edges = edges.chain(&queued.edges).map(|(event, edge)| (*event, Told::Edge(edge)));
            let mut all: Vec<_> = of_queue.chain(of_islands).chain(edges).collect();
            all.sort_by_key(|(event, _)| *event);
            let mut subdivision = first;
            for (_, told) in all {
                match told {
                    Told::Edge(edge) => {
                        system.tell_contact(observer, Contact { subdivision, ..*edge })?;
                        continue;
                    }
                    Told::ByQueue(reports) => tell_all(reports, subdivision, system, observer)?,
                    Told::ByIsland(contact) => {
                        system.tell_contact(observer, Contact { subdivision, ..*contact })?;
                    }
                }
                subdivision += 1;
            }
            return Ok(());
        }
        let queued = queued.settled;
        if queued.iter().all(|(_, reports)| reports.is_empty()) {
            return Ok(());
        }
        // Nothing that islands have settled is told, but it is counted.
        let before = self.settled_before(queued.iter().map(|(event, _)| *event).collect());
        let mut numbered = (first..).zip(before).zip(queued);
        numbered.try_for_each(|((number, before), (_, reports))| {
            tell_all(reports, number + before, system, observer)
        })
    }

    /// How many contacts islands have settled before each of these events, which are in order.
    fn settled_before(&self, events: Vec<Event>) -> Vec<u32> {
        let of_thread = |scratch: &ThreadScratch<D>| {
            let mut counts = vec![0; events.len() + 1];
            for n in scratch.islands_settled().flat_map(|outcome| outcome.settled.clone()) {
                counts[events.partition_point(|event| *event < scratch.settled[n])] += 1;
            }
            counts
        };
        let sum = |a: Vec<u32>, b: Vec<u32>| a.iter().zip(&b).map(|(a, b)| a + b).collect();
        let counts = self.scratch.par_iter().map(of_thread);
        let counts: Vec<u32> = counts.reduce(|| vec![0; events.len() + 1], sum);
        counts
            .into_iter()
            .scan(0, |sum, count| {
                *sum += count;
                Some(*sum)
            })
            .collect()
    }

    /// Gives all members the paths that they have come to, and takes them out of their islands: each
    /// thread those in its own part of all slots.
    fn give_paths(&self, p: &mut Particles<D>, busy: &mut [u32]) {
        let (scratch, settled_by) = (&self.scratch[..], &self.settled_by[..]);
        let slots = self.part;
        let parts = (
            p.position.par_chunks_mut(slots),
            p.velocity.par_chunks_mut(slots),
            p.since.par_chunks_mut(slots),
            busy.par_chunks_mut(slots),
        );
        parts.into_par_iter().enumerate().for_each(|(part, (position, velocity, since, busy))| {
            for (thread, scratch) in (0..).zip(scratch) {
                for &number in scratch.entered.get(part).into_iter().flatten() {
                    let Member { slot, path, turns, .. } = &scratch.members[number as usize];
                    let settled_by = &settled_by[*slot as usize];
                    // Its island may have been joined to another since.
                    if settled_by.get() != (Place { thread, number }) {
                        continue;
                    }
                    settled_by.set(Place::NOWHERE);
                    let i = *slot as usize - part * slots;
                    (position[i], velocity[i], since[i]) =
                        (path.position, path.velocity, path.since);
                    busy[i] = *turns;
                }
            }
        });
    }
}
