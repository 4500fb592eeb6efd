//! What is due within the step: the first contacts of all candidates, and those of bodies that got
//! new paths.

use rayon::prelude::*;

use super::calendar::Date;
use super::{Brownian, Scheduler};
use jostle_core::agenda::NOBODY;
use jostle_core::environment::{Environment, Wall};
use jostle_core::narrow::first_contact;
use jostle_core::particles::Particles;
use jostle_core::rules::RuleBook;
use jostle_core::space::Paths;

/// Candidates handled as one piece of work; no result depends on it.
const CHUNK: usize = 4096;

/// An event inside a step. The derived order decides between events at the same time: by kind, then
/// by identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Due {
    /// Two bodies touch; the lower identity first.
    Contact { ids: [u64; 2], slots: [u32; 2] },
    /// A body touches a wall.
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
            Self::Wall { slot, .. } => [slot, NOBODY],
            Self::Clock { .. } | Self::Date(_) => [NOBODY; 2],
        }
    }
}

/// The first contact of the bodies in two slots, if any, on their present paths.
pub(super) fn contact<const D: usize>(
    particles: &Particles<D>,
    paths: &Paths<'_, D>,
    book: &RuleBook<D>,
    [i, j]: [u32; 2],
) -> Option<(f64, Due)> {
    let (id_i, id_j) = (particles.id[i as usize], particles.id[j as usize]);
    let (slots, ids) = if id_i < id_j { ([i, j], [id_i, id_j]) } else { ([j, i], [id_j, id_i]) };
    let [a, b] = slots.map(|slot| slot as usize);
    let hard = !book.pass(particles.species[a], particles.species[b]);
    let contact = first_contact(paths, a, b, 1.0, hard)?;
    Some((contact.time, Due::Contact { ids, slots }))
}

/// The first contact of the body in `slot` with a wall, if any.
fn wall<const D: usize>(
    environment: &Environment<D>,
    particles: &Particles<D>,
    paths: &Paths<'_, D>,
    slot: u32,
) -> Option<(f64, Due)> {
    let i = slot as usize;
    if !particles.alive[i] {
        return None;
    }
    let (time, wall) = environment.first_wall(paths.domain, particles.species[i], &paths.path(i), 1.0)?;
    Some((time, Due::Wall { id: particles.id[i], wall, slot }))
}

impl<const D: usize> Brownian<D> {
    /// Fills the agenda of the step. The rescan scheduler keeps only rules in time there.
    pub(super) fn plan_contacts(&mut self) {
        self.subdivision = 0;
        self.now = 0.0;
        self.rings = 0;
        self.passed.clear();
        let step = self.clock.step;
        let mut found: Vec<(f64, Due)> =
            self.timers.due_in(step).map(|(time, owner)| (time, Due::Clock { owner })).collect();
        found.extend(self.calendar.due_in(step).map(|(time, date)| (time, Due::Date(date))));
        if self.scheduler != Scheduler::Rescan {
            let (particles, book) = (&self.particles, &self.book);
            let paths = particles.paths(&self.domain, &self.groups);
            let pairs = self.candidates.par_iter().with_min_len(CHUNK);
            found.par_extend(pairs.filter_map(|p| contact(particles, &paths, book, [p.0, p.1])));
            if self.has_walls() {
                let environment = &self.environment;
                let slots = (0..particles.len() as u32).into_par_iter().with_min_len(CHUNK);
                found.par_extend(slots.filter_map(|slot| wall(environment, particles, &paths, slot)));
            }
            self.tally.narrow_tests += self.candidates.len() as u64;
        }
        let entries: Vec<_> =
            found.into_iter().map(|(time, due)| self.agenda.entry(time, due, due.parties())).collect();
        self.agenda.fill(entries);
    }

    /// The next event of the step, and its time.
    pub(super) fn next_due(&mut self) -> Option<(f64, Due)> {
        let planned = self.next_planned();
        let next = match self.scheduler {
            Scheduler::Queue | Scheduler::Islands => planned,
            Scheduler::Rescan => match (planned, self.rescan(planned)) {
                (Some(first), Some(second)) => Some(if second < first { second } else { first }),
                (first, second) => first.or(second),
            },
        };
        if next.is_some() && next == planned {
            self.agenda.take_next();
        }
        next
    }

    /// The earliest event of the agenda that still stands, left in place.
    fn next_planned(&mut self) -> Option<(f64, Due)> {
        while let Some(planned) = self.agenda.peek() {
            match planned.event {
                // A cluster that has changed since has other plans, or none.
                Due::Clock { owner } if !self.timers.stands(owner, self.clock.step, planned.time) => {
                    self.agenda.take_next();
                }
                due => return Some((planned.time, due)),
            }
        }
        None
    }

    /// Looks at all candidates again, as printed in section 4.1: the earliest first contact of all,
    /// if it comes before `planned`. A pair is skipped without an exact test if the two cannot
    /// cover the distance between them before the earliest contact found so far.
    fn rescan(&mut self, planned: Option<(f64, Due)>) -> Option<(f64, Due)> {
        let paths = self.particles.paths(&self.domain, &self.groups);
        self.search.relink(&paths, self.now);
        self.candidates.clear();
        self.search.pairs(&paths, &mut self.candidates);
        let now = self.now;
        let mut best = planned;
        let mut tests = 0;
        for pair in &self.candidates {
            let (i, j) = (pair.0 as usize, pair.1 as usize);
            let bound = best.map_or(1.0, |(time, _)| time);
            let travel = (paths.velocity[i].norm() + paths.velocity[j].norm()) * (bound - now).max(0.0);
            let within = paths.radius[i] + paths.radius[j] + travel + paths.domain.rounding();
            let apart = paths.domain.nearest_image(paths.at(j, now) - paths.at(i, now));
            if apart.norm_squared() > within * within {
                continue;
            }
            tests += 1;
            let found = contact(&self.particles, &paths, &self.book, [pair.0, pair.1]);
            best = earlier(best, found.filter(|found| !self.has_passed(*found)));
        }
        if self.has_walls() {
            for slot in 0..self.particles.len() as u32 {
                best = earlier(best, wall(&self.environment, &self.particles, &paths, slot));
            }
        }
        self.tally.narrow_tests += tests;
        best
    }

    fn has_passed(&self, (time, due): (f64, Due)) -> bool {
        matches!(due, Due::Contact { ids, .. } if self.passed.contains(&(ids, time.to_bits())))
    }

    /// Plans anew for every body whose path changed in the event just settled.
    pub(super) fn replan(&mut self, now: f64) {
        self.event += 1;
        let paths = self.particles.paths(&self.domain, &self.groups);
        for &slot in &self.changed {
            self.agenda.forget(slot);
            self.marked[slot as usize] = self.event;
            if self.particles.alive[slot as usize] {
                self.search.update(slot, &paths);
            }
        }
        if self.scheduler != Scheduler::Rescan {
            for &slot in &self.changed {
                if !self.particles.alive[slot as usize] {
                    continue;
                }
                self.near.clear();
                // Who takes no notice of anybody has no neighbours.
                if self.groups.noticed_by(usize::from(self.particles.group[slot as usize])) != 0 {
                    self.search.near(slot, &paths, &mut self.near);
                }
                self.tally.narrow_tests += self.near.len() as u64;
                let id = self.particles.id[slot as usize];
                // Of two changed bodies, the one with the lower identity plans for both.
                let others = self.near.iter().copied().filter(|&other| {
                    self.marked[other as usize] != self.event || id < self.particles.id[other as usize]
                });
                let contacts =
                    others.filter_map(|other| contact(&self.particles, &paths, &self.book, [slot, other]));
                let wall = wall(&self.environment, &self.particles, &paths, slot);
                for (time, due) in contacts.chain(wall) {
                    self.tally.late += u64::from(time < now);
                    self.agenda.plan(time, due, due.parties());
                }
            }
        }
        self.changed.clear();
    }
}

fn earlier(best: Option<(f64, Due)>, found: Option<(f64, Due)>) -> Option<(f64, Due)> {
    match (best, found) {
        (Some(first), Some(second)) => Some(if second < first { second } else { first }),
        (first, second) => first.or(second),
    }
}
