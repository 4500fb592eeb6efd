//! What is due within the step: the first contacts of all candidates, and those of particles that
//! got new paths.

use rayon::prelude::*;

use super::calendar::{Calendar, Date};
use super::fields::Walls;
use super::shells::Encounters;
use super::system::System;
use super::timers::Timers;
use super::touch::Approach;
use super::{Brownian, Scheduler};
use jostle_core::agenda::{Agenda, NONE};
use jostle_core::environment::Wall;
use jostle_core::search::Broad;

/// Candidates handled as one piece of work; no result depends on it.
const CHUNK: usize = 4096;

/// An event inside a step. The derived order decides between events at the same time: by kind, then
/// by identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Due {
    /// Two particles touch; the lower identity first.
    Contact { ids: [u64; 2], slots: [u32; 2] },
    /// A particle touches a wall.
    Wall { id: u64, wall: Wall, slot: u32 },
    /// The clock of a cluster rings; `owner` is its identity.
    Clock { owner: u64 },
    /// Something happens by the calendar.
    Date(Date),
}

impl Due {
    /// The slots whose new paths void it.
    pub(super) fn parties(self) -> [u32; 2] {
        match self {
            Self::Contact { slots, .. } => slots,
            Self::Wall { slot, .. } => [slot, NONE],
            Self::Clock { .. } | Self::Date(_) => [NONE; 2],
        }
    }
}

/// What is going to happen.
#[derive(Default)]
pub(super) struct Plans {
    /// Waiting times of clusters and of rules that create.
    pub(super) timers: Timers,
    /// What happens at fixed times.
    pub(super) calendar: Calendar,
    /// What is due within this step.
    pub(super) agenda: Agenda<Due>,
}

/// What the particles in two slots next come to, if anything, on their present paths.
pub(super) fn contact<const D: usize>(system: &System<D>, [i, j]: [u32; 2]) -> Option<(f64, Due)> {
    let pairs = Encounters(system);
    let pair = pairs.approach([i, j]);
    let Approach { ids, slots, .. } = pair;
    Some((pairs.next(&pair, 1.0)?, Due::Contact { ids, slots }))
}

/// The first contact of the particle in `slot` with a wall, if any.
pub(super) fn wall<const D: usize>(system: &System<D>, slot: u32) -> Option<(f64, Due)> {
    let particles = &system.particles;
    let (time, wall) = Walls(system).next(slot, &particles.path(slot))?;
    Some((time, Due::Wall { id: particles.id[slot as usize], wall, slot }))
}

impl<const D: usize> Brownian<D> {
    /// Fills the agenda of the step. The rescan scheduler keeps only rules in time there.
    pub(super) fn plan_contacts(&mut self) {
        self.begin_events();
        let mut found: Vec<(f64, Due)> =
            self.plans.due_by_the_clock(self.system.clock.step).collect();
        if self.scheduler != Scheduler::Rescan {
            let system = &self.system;
            let pairs = self.scratch.candidates.par_iter().with_min_len(CHUNK);
            found.par_extend(pairs.filter_map(|p| contact(system, [p.0, p.1])));
            if self.system.ground().has_walls() {
                let slots = 0..system.particles.len() as u32;
                let slots = slots.into_par_iter().with_min_len(CHUNK);
                found.par_extend(slots.filter_map(|slot| wall(system, slot)));
            }
            self.tally.narrow_tests += self.scratch.candidates.len() as u64;
        }
        self.plans.fill_agenda(found);
    }

    /// No event of the step has been settled yet.
    pub(super) fn begin_events(&mut self) {
        self.subdivision = 0;
        self.system.now = 0.0;
        self.rings = 0;
        self.scratch.passed.clear();
    }

    /// The next event of the step, and its time.
    pub(super) fn next_due(&mut self) -> Option<(f64, Due)> {
        let planned = self.plans.next_planned(self.system.clock.step);
        let next = match self.scheduler {
            Scheduler::Queue | Scheduler::Islands => planned,
            Scheduler::Rescan => self.rescan(planned),
        };
        if next.is_some() && next == planned {
            self.plans.agenda.take_next();
        }
        next
    }

    /// Plans anew for every particle whose path changed in the event just settled.
    pub(super) fn replan(&mut self, now: f64) {
        self.scratch.event += 1;
        let paths = self.system.paths();
        for &slot in &self.scratch.changed {
            self.plans.agenda.forget(slot);
            self.scratch.marked[slot as usize] = self.scratch.event;
            if self.system.particles.alive[slot as usize] {
                self.search.update(slot, &paths);
            }
        }
        if self.scheduler != Scheduler::Rescan {
            for &slot in &self.scratch.changed {
                if !self.system.particles.alive[slot as usize] {
                    continue;
                }
                self.scratch.near.clear();
                // A particle that ignores every other has no neighbours.
                if self.system.groups.interacts_with_any(self.system.particles.group[slot as usize])
                {
                    self.search.near(slot, &paths, &mut self.scratch.near);
                }
                self.tally.narrow_tests += self.scratch.near.len() as u64;
                let id = self.system.particles.id[slot as usize];
                // Of two changed particles, the one with the lower identity plans for both.
                let others = self.scratch.near.iter().copied().filter(|&other| {
                    self.scratch.marked[other as usize] != self.scratch.event
                        || id < self.system.particles.id[other as usize]
                });
                let contacts = others.filter_map(|other| contact(&self.system, [slot, other]));
                let wall = wall(&self.system, slot);
                for (time, due) in contacts.chain(wall) {
                    self.tally.late += u64::from(time < now);
                    self.plans.agenda.plan(time, due, due.parties());
                }
            }
        }
        self.scratch.changed.clear();
    }
}

impl Plans {
    /// What is due in a step by clocks of clusters and by the calendar, and has not happened.
    pub(super) fn due_by_the_clock(&self, step: u64) -> impl Iterator<Item = (f64, Due)> {
        let clocks = self.timers.due_in(step).map(|(time, owner)| (time, Due::Clock { owner }));
        clocks.chain(self.calendar.due_in(step).map(|(time, date)| (time, Due::Date(date))))
    }

    /// Plans all of this, and nothing else.
    pub(super) fn fill_agenda(&mut self, due: Vec<(f64, Due)>) {
        let entry = |(time, due): (f64, Due)| self.agenda.entry(time, due, due.parties());
        let entries: Vec<_> = due.into_iter().map(entry).collect();
        self.agenda.fill(entries);
    }

    /// The earliest event of the agenda that still stands, left in place.
    pub(super) fn next_planned(&mut self, step: u64) -> Option<(f64, Due)> {
        while let Some(planned) = self.agenda.peek() {
            match planned.event {
                // A cluster that has changed since has other plans, or none.
                Due::Clock { owner } if !self.timers.stands(owner, step, planned.time) => {
                    self.agenda.take_next();
                }
                due => return Some((planned.time, due)),
            }
        }
        None
    }
}
