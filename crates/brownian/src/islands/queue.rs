//! Reactions, and all else that islands leave to the one queue.
//!
//! The queue comes once the islands have been settled, before their paths are written, and settles
//! what is left in order of time, as if there were no islands. It takes them as settled, and looks
//! up where their members are, until it has to do with one of them: until it is about to change a
//! member, or has given a particle a path that touches one that a member has taken up. It then
//! gives up that island, and settles what was due in it from the beginning of the stretch. Nothing
//! that the queue has done before is wrong then, since the two had not met.

use super::super::plan::Due;
use super::super::system::System;
use super::super::timers::Subject;
use super::super::{Brownian, EVENTS_BETWEEN_LOOKS, StepError};
use super::place::Place;
use super::reports::{EventReports, Queued};
use super::scratch::ThreadScratch;
use super::{Event, Islands, NONE, Stretch};
use jostle_core::observe::Observer;
use jostle_core::particles::Particles;
use jostle_core::search::{Broad, Finder};
use jostle_core::space::Vector;

/// The queue of one stretch.
struct Queue<'a, 'o, const D: usize> {
    /// It holds the islands meanwhile, since reactions depend on where their members are.
    engine: &'a mut Brownian<D>,
    stretch: Stretch,
    reports: EventReports<'o, D>,
    /// Slots that have been given new paths.
    changed: Vec<u32>,
}

impl<const D: usize> Islands<D> {
    /// Settles what is left to the queue; what it was, and what observers are to be told of it.
    pub(super) fn settle_queued(
        &mut self,
        engine: &mut Brownian<D>,
        stretch: Stretch,
        observer: &dyn Observer<D>,
    ) -> Result<Queued<D>, StepError> {
        if !self.plan_queued(engine, stretch) {
            return Ok(Queued::default());
        }
        self.is_ahead = true;
        std::mem::swap(self, &mut engine.islands);
        let reports = EventReports::of(observer);
        let mut queue = Queue { engine, stretch, reports, changed: Vec::new() };
        let done = queue.settle().map(|()| queue.find_between());
        let (engine, reports) = (queue.engine, queue.reports);
        std::mem::swap(self, &mut engine.islands);
        self.is_ahead = false;
        self.keep(done?, stretch.of);
        self.keep_planned(engine, stretch.of);
        Ok(reports.in_order())
    }

    /// Plans what is left to the queue, and what is due by the clock; whether there is anything.
    fn plan_queued(&self, engine: &mut Brownian<D>, stretch: Stretch) -> bool {
        let clocks = engine.plans.timers.due_in(engine.system.clock.step);
        let clocks = clocks.map(|(time, owner)| (time, Due::Clock { owner }));
        let clocks =
            clocks.filter(|&(time, due)| stretch.holds(&Event { time, due, turns: [0; 2] }));
        let queued = (0..self.all.len() as u32).filter(|&n| self.all[n as usize].is_queued);
        let left = queued.flat_map(|island| self.due_in(island));
        let due: Vec<_> = left.map(|event| (event.time, event.due)).chain(clocks).collect();
        let is_any = !due.is_empty();
        engine.plans.fill_agenda(due);
        is_any
    }

    /// Keeps what is planned for later stretches. Clocks and dates are found where they are kept.
    pub(super) fn keep_planned(&mut self, engine: &mut Brownian<D>, of: usize) {
        while let Some(planned) = engine.plans.agenda.take_next() {
            if !matches!(planned.event, Due::Clock { .. } | Due::Date(_)) {
                self.keep([Event::planned(engine, planned.time, planned.event)], of);
            }
        }
    }

    /// As which member of an island a particle has been settled, if it has, and by which thread.
    #[inline]
    fn settled(&self, slot: u32) -> Option<(&ThreadScratch<D>, u32)> {
        let Place { thread, number } = self.settled_by.get(slot as usize)?.taken()?;
        Some((&self.scratch[thread as usize], number))
    }

    /// Whether a particle has turned in an island before `time`.
    fn has_turned(&self, slot: u32, time: f64) -> bool {
        self.settled(slot).is_some_and(|(theirs, number)| {
            theirs.taken_up(number).any(|(path, _)| path.since < time)
        })
    }

    /// Where a particle is at `time`, be it a member of an island that has been settled.
    pub(in super::super) fn place_at(&self, system: &System<D>, slot: u32, time: f64) -> Vector<D> {
        let of_island = self.settled(slot).and_then(|(theirs, number)| {
            theirs.taken_up(number).find(|(path, _)| path.since <= time)
        });
        match of_island {
            Some((path, _)) => path.at(time),
            None => system.place_at(slot, time),
        }
    }

    /// Lists the particles that the one in `slot` might touch, or overlap.
    pub(in super::super) fn find_near(
        &self,
        system: &System<D>,
        search: &Finder<D>,
        slot: u32,
        near: &mut Vec<u32>,
    ) {
        near.clear();
        match self.is_ahead {
            // The search structure does not know the paths of islands.
            true => near.extend(listed(system, search, slot)),
            false => search.near(slot, &system.paths(), near),
        }
    }
}

/// All that might touch a particle, wherever those are that move in islands.
fn listed<const D: usize>(
    system: &System<D>,
    search: &Finder<D>,
    slot: u32,
) -> impl Iterator<Item = u32> {
    let Particles { alive, group, .. } = &system.particles;
    let lists = search.lists().filter(|_| alive[slot as usize]);
    let all = lists.into_iter().flat_map(move |lists| lists.around(slot)).flatten().copied();
    all.filter(move |&other| {
        let groups = [slot, other].map(|slot| group[slot as usize]);
        alive[other as usize] && system.groups.interact(groups[0], groups[1])
    })
}

impl<const D: usize> Queue<'_, '_, D> {
    /// Settles what is planned, up to the end of the stretch.
    fn settle(&mut self) -> Result<(), StepError> {
        let step = self.engine.system.clock.step;
        while let Some((time, due)) = self.engine.plans.next_planned(step) {
            let event = Event { time, due, turns: [0; 2] };
            if self.stretch.is_before(&event) {
                break;
            }
            // Void, since a member of an island has left the path that this rests on.
            let islands = &self.engine.islands;
            if due.parties().into_iter().any(|slot| islands.has_turned(slot, time)) {
                self.engine.plans.agenda.take_next();
                continue;
            }
            let (parties, members) = self.concerned(due);
            if parties.into_iter().chain(members).any(|slot| self.give_up(slot)) {
                continue;
            }
            self.engine.plans.agenda.take_next();
            self.settle_one(event)?;
        }
        Ok(())
    }

    fn settle_one(&mut self, event: Event) -> Result<(), StepError> {
        let Self { engine, reports, changed, .. } = self;
        if engine.scratch.event.is_multiple_of(EVENTS_BETWEEN_LOOKS) {
            engine.heed(reports)?;
        }
        let settled = engine.subdivision;
        engine.settle(event.time, event.due, reports)?;
        if engine.subdivision > settled {
            reports.end(event);
        }
        reports.end_edge(event);
        let first = changed.len();
        changed.extend_from_slice(&engine.scratch.changed);
        engine.replan(event.time);
        for n in first..self.changed.len() {
            for met in self.members_touched_by(self.changed[n]) {
                self.give_up(met);
            }
        }
        Ok(())
    }

    /// Which particles something happens to, each for all that move with it, and all members of
    /// flexible units to which something may happen that concerns more than these: each of them may
    /// be in an island of its own.
    fn concerned(&self, due: Due) -> ([u32; 2], Vec<u32>) {
        let System { clusters, particles, book, .. } = &self.engine.system;
        let Due::Clock { owner } = due else {
            let parties = due.parties();
            if !(book.has_tethers() && book.cuts_at_contact()) {
                return (parties, Vec::new());
            }
            let units = parties.into_iter().filter(|&slot| slot != NONE);
            let units = units.filter_map(|slot| clusters.unit_of(particles, slot));
            let flexible = units.filter(|unit| unit.is_flexible);
            return (parties, flexible.flat_map(|unit| unit.members.iter().copied()).collect());
        };
        match self.engine.plans.timers.place(owner) {
            Some(Subject::Slot(slot)) => ([slot, NONE], Vec::new()),
            Some(Subject::Unit(number)) => match clusters.unit(number) {
                unit if unit.is_flexible => ([NONE; 2], unit.members.clone()),
                unit => ([unit.members[0], NONE], Vec::new()),
            },
            Some(Subject::Rule(_)) | None => ([NONE; 2], Vec::new()),
        }
    }

    /// Plans again all that was due in the island that a particle is a member of, which is as if it
    /// had not been settled; whether there was such an island.
    fn give_up(&mut self, slot: u32) -> bool {
        let engine = &mut *self.engine;
        let Some((theirs, number)) = engine.islands.settled(slot) else { return false };
        let island = theirs.members[number as usize].island;
        engine.islands.release(island);
        // Others than its members may have turned by now.
        let due = engine.islands.due_in(island).filter(|event| event.stands(engine));
        let due: Vec<Event> = due.copied().collect();
        for event in due {
            engine.plans.agenda.plan(event.time, event.due, event.due.parties());
        }
        true
    }

    /// The members of islands that a particle on its present path touches within the stretch, on
    /// paths that they have taken up.
    fn members_touched_by(&self, slot: u32) -> Vec<u32> {
        let Brownian { islands, system, search, .. } = &*self.engine;
        let path = system.particles.path(slot);
        let touches = |other: &u32| {
            let Some((theirs, number)) = islands.settled(*other) else { return false };
            theirs.taken_up(number).any(|(their_path, end)| {
                let time = (path.since <= end)
                    .then(|| system.time_of_contact((slot, &path), (*other, their_path), end));
                time.flatten().is_some_and(|time| {
                    !self.stretch.is_before(&Event::contact(system, time, [slot, *other], [0; 2]))
                })
            })
        };
        listed(system, search, slot).filter(touches).collect()
    }

    /// The contacts after the stretch of particles that the queue has given new paths with members
    /// of islands that have turned, too: neither has planned for the other's.
    fn find_between(&mut self) -> Vec<Event> {
        self.changed.sort_unstable();
        self.changed.dedup();
        let Brownian { system, scratch, islands, search, .. } = &*self.engine;
        let mut found = Vec::new();
        for &slot in self.changed.iter().filter(|_| !self.stretch.is_last()) {
            let path = system.particles.path(slot);
            for other in listed(system, search, slot) {
                let Some((theirs, number)) = islands.settled(other) else { continue };
                let their = &theirs.members[number as usize];
                if their.has_turned()
                    && let Some(time) =
                        system.time_of_contact((slot, &path), (other, &their.path), 1.0)
                {
                    let turns = [scratch.busy[slot as usize], their.turns];
                    found.push(Event::contact(system, time, [slot, other], turns));
                }
            }
        }
        found
    }
}
