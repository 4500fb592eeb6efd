//! One island being settled.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::super::EVENTS_BETWEEN_LOOKS;
use super::super::plan::Due;
use super::super::settle::BUDGET;
use super::super::shells::{Encounters, Meeting};
use super::super::touch::{Approach, Touch, Touched};
use super::scratch::{Fate, FormerPath, IslandTally, Member, Outcome, ThreadScratch};
use super::sieve::Pairs;
use super::world::World;
use super::{Event, NONE, Stretch};
use jostle_core::environment::Wall;
use jostle_core::observe::{Brake, Contact, Outcome as ReportedOutcome};
use jostle_core::rules::Action;
use jostle_core::space::{Path, Vector};

/// An island being settled.
pub(super) struct Settling<'a, 'w, const D: usize> {
    pub(super) world: World<'w, D>,
    pub(super) stretch: Stretch,
    /// \[slot\]
    pub(super) island_of: &'a [AtomicU32],
    /// Whether an observer wants to hear of contacts.
    pub(super) wanted: bool,
    /// Whether it wants to hear of edges, too.
    pub(super) wants_edges: bool,
    pub(super) brake: Option<&'a Brake<'a>>,
    pub(super) island: u32,
    pub(super) scratch: &'a mut ThreadScratch<D>,
    pub(super) tally: IslandTally,
    /// The first of its contacts among the thread's, and the first of its edges.
    pub(super) first: usize,
    pub(super) first_edge: usize,
    /// How many events of it have made particles turn.
    pub(super) turned: u32,
}

impl<const D: usize> Settling<'_, '_, D> {
    /// Settles the island, from what is due in it at first.
    ///
    /// # Errors
    ///
    /// Why it could not be settled; nothing is left of it then.
    pub(super) fn settle<'e>(mut self, due: impl Iterator<Item = &'e Event>) -> Result<(), Fate> {
        let s = &mut *self.scratch;
        let (members, settled, later) = (s.members.len(), s.settled.len(), s.later.len());
        let edges = s.edges.len();
        (self.first, self.first_edge) = (settled, edges);
        s.queue.clear();
        s.queue.extend(due.copied().map(Reverse));
        // If the island stops early, all that it has written so far is undone below; no other
        // island has read any of it.
        let fate = self.run();
        let Self { scratch: s, island, tally, .. } = self;
        // The look-up by slot is only for the island at work. It is as long as there are slots, so
        // that only the entries that were used are cleared.
        s.members[members..].iter().for_each(|m| s.member[m.slot as usize] = NONE);
        if let Err(fate) = fate {
            s.members.truncate(members);
            s.settled.truncate(settled);
            s.reported.truncate(settled);
            s.later.truncate(later);
            s.edges.truncate(edges);
            return Err(fate);
        }
        let members = members..s.members.len();
        let (settled, later) = (settled..s.settled.len(), later..s.later.len());
        let edges = edges..s.edges.len();
        let holds = true;
        s.hold(Outcome { island, members, settled, later, edges, tally, holds });
        Ok(())
    }

    fn run(&mut self) -> Result<(), Fate> {
        while let Some(Reverse(next)) = self.scratch.queue.pop() {
            if self.is_to_stop() {
                return Err(Fate::Stopped);
            }
            // Plans are not struck out when a path changes, since that would need a list of plans
            // for each particle. They say on which paths they rest, and are passed over here if one
            // of those has been left.
            let turned = |(slot, turns): (u32, u32)| slot != NONE && self.turns(slot) != turns;
            if next.due.parties().into_iter().zip(next.turns).any(turned) {
                continue;
            }
            match next.due {
                Due::Contact { slots, ids } => self.meet(next, ids, slots)?,
                Due::Wall { slot, wall, .. } => self.hit_wall(next, slot, wall)?,
                Due::Clock { .. } | Due::Date(_) => return Err(Fate::Reacts),
            }
        }
        Ok(())
    }

    /// Whether a stop was requested, and a long island is not to be finished.
    #[inline]
    fn is_to_stop(&self) -> bool {
        let settled = self.tally.counts[0] + self.tally.counts[1] + 1;
        settled.is_multiple_of(EVENTS_BETWEEN_LOOKS) && self.brake.is_some_and(Brake::holds)
    }

    /// The present path of a particle, as far as this island knows.
    #[inline(always)]
    fn path(&self, slot: u32) -> Path<D> {
        match self.scratch.member[slot as usize] {
            NONE => self.world.path(slot),
            number => self.scratch.members[number as usize].path,
        }
    }

    /// How often a particle has turned in this step, as far as this island knows.
    #[inline]
    fn turns(&self, slot: u32) -> u32 {
        match self.scratch.member[slot as usize] {
            NONE => self.world.busy[slot as usize],
            number => self.scratch.members[number as usize].turns,
        }
    }

    /// A particle becomes a member, with all that move with it.
    fn enter(&mut self, slot: u32) -> Result<(), Fate> {
        if self.scratch.member[slot as usize] != NONE {
            return Ok(());
        }
        let (world, island) = (self.world, self.island);
        let together = world.system.together(&slot);
        let other = self.island_of[together[0] as usize].load(Relaxed);
        // It may be that the other island never turns it, and that nothing is wrong. But that is
        // not known yet, and joining two islands in vain costs less than finding out.
        if other != NONE && other != island {
            return Err(Fate::Meets(together[0]));
        }
        for &slot in together {
            self.scratch.member[slot as usize] = self.scratch.members.len() as u32;
            let turns = world.busy[slot as usize];
            let (path, last) = (world.path(slot), NONE);
            let member =
                Member { slot, island, path, turns, turns_before: turns, last, turned_in: 0 };
            self.scratch.members.push(member);
        }
        Ok(())
    }

    /// Settles what two come to, as the queue would, but for where the new paths are kept.
    fn meet(&mut self, event: Event, ids: [u64; 2], slots: [u32; 2]) -> Result<(), Fate> {
        let (system, time) = (self.world.system, event.time);
        let pair = Approach { ids, slots, paths: slots.map(|slot| self.path(slot)) };
        match Encounters(system).meet(&pair, time) {
            Some(Meeting::Touch(touched)) => self.touch(event, &pair, &touched),
            Some(Meeting::Edge(edge)) => {
                slots.into_iter().try_for_each(|slot| self.enter(slot))?;
                self.tally.counts[3] += 1;
                self.tally.virial =
                    self.tally.virial.wrapping_add(self.virial(&pair, &edge.touch, edge.impulse));
                if self.wants_edges {
                    self.note_edge(event, Encounters(system).edge_report(&pair, &edge));
                }
                self.take_paths(time, slots, edge.velocities)
            }
            Some(Meeting::Tether(_)) => Err(Fate::Reacts),
            None => {
                debug_assert!(false, "a planned contact is a function of the two paths alone");
                Ok(())
            }
        }
    }

    /// What an event adds to the virial.
    fn virial(&self, pair: &Approach<D>, touch: &Touch<D>, impulse: f64) -> i64 {
        Encounters(self.world.system).virial(pair, touch, impulse, |slot| self.path(slot))
    }

    fn touch(
        &mut self,
        event: Event,
        pair: &Approach<D>,
        touched: &Touched<D>,
    ) -> Result<(), Fate> {
        let (system, slots) = (self.world.system, touched.touch.slots);
        let outcome = match touched.decision.action {
            Action::Bounce => ReportedOutcome::Bounced,
            Action::Pass | Action::Ignore => ReportedOutcome::Passed,
            Action::Bond | Action::Coalesce | Action::Convert | Action::Cut(_) => {
                return Err(Fate::Reacts);
            }
        };
        // Those that pass, too: if another island turns one of them, this may not be so.
        slots.into_iter().try_for_each(|slot| self.enter(slot))?;
        self.tally.counts[0] += 1;
        self.note(event);
        if self.wanted {
            let report = system.contact_report(touched);
            self.scratch.reported.push(Contact { outcome, ..report });
        }
        if outcome == ReportedOutcome::Passed {
            return Ok(());
        }
        self.tally.virial =
            self.tally.virial.wrapping_add(self.virial(pair, &touched.touch, touched.impulse));
        self.take_paths(event.time, slots, touched.velocities)
    }

    /// Gives two members new paths, and plans for them.
    fn take_paths(
        &mut self,
        time: f64,
        slots: [u32; 2],
        velocities: [Vector<D>; 2],
    ) -> Result<(), Fate> {
        self.turned += 1;
        for (slot, velocity) in slots.into_iter().zip(velocities) {
            self.redirect_all(slot, time, velocity)?;
        }
        // Only now are all on their new paths.
        slots.into_iter().for_each(|slot| self.replan_all(time, slot));
        Ok(())
    }

    fn hit_wall(&mut self, event: Event, slot: u32, wall: Wall) -> Result<(), Fate> {
        self.enter(slot)?;
        let (path, time) = (self.path(slot), event.time);
        let system = self.world.system;
        let Some(off) = system.off_wall(slot, &path, time, wall) else {
            return Err(Fate::Reacts);
        };
        let velocity = system.along_surfaces(slot, path.at(time), off.velocity, time);
        self.turned += 1;
        self.redirect_all(slot, time, velocity)?;
        let number = self.scratch.member[slot as usize];
        self.scratch.members[number as usize].path.position = off.place;
        if wall.is_touched() {
            self.tally.counts[1] += 1;
            self.note(event);
            if self.wanted {
                let report = system.wall_report(slot, wall, time, &off, path.velocity);
                self.scratch.reported.push(report);
            }
        }
        self.replan_all(time, slot);
        Ok(())
    }

    /// Notes that a contact was settled.
    fn note(&mut self, event: Event) {
        let settled = &mut self.scratch.settled;
        settled.push(event.after(settled[self.first..].last()));
    }

    /// Notes that a pair came to an edge, which does not change the order of contacts.
    fn note_edge(&mut self, event: Event, report: Contact<D>) {
        let ThreadScratch { settled, edges, .. } = &mut *self.scratch;
        let last = settled[self.first..].last().copied();
        let before = edges[self.first_edge..].last().map(|(event, _)| *event);
        edges.push((event.after(last.max(before).as_ref()), report));
    }

    /// Gives a member, and all that move with it, new paths, if their lists still cover them.
    fn redirect_all(&mut self, slot: u32, time: f64, velocity: Vector<D>) -> Result<(), Fate> {
        let world = self.world;
        world.system.together(&slot).iter().try_for_each(|&slot| {
            self.redirect(self.scratch.member[slot as usize] as usize, time, velocity)
        })
    }

    /// Predicts the next contacts of a member and of all particles that move with it.
    fn replan_all(&mut self, now: f64, slot: u32) {
        let world = self.world;
        for &slot in world.system.together(&slot) {
            self.replan(now, self.scratch.member[slot as usize] as usize);
        }
    }

    fn redirect(&mut self, number: usize, time: f64, velocity: Vector<D>) -> Result<(), Fate> {
        let turned_in = self.turned;
        let ThreadScratch { members, left, .. } = &mut *self.scratch;
        let member = &mut members[number];
        member.turned_in = turned_in;
        let old = member.path;
        // Former paths are kept until the stretch is settled: a particle that turns out to be near
        // has to be compared with all of them. They are linked through one array, so that no
        // member needs an allocation of its own.
        left.push(FormerPath { path: old, before: member.last });
        member.last = left.len() as u32 - 1;
        member.turns += 1;
        member.path.position = old.position + old.velocity * (time - old.since);
        member.path.since = time;
        member.path.velocity = velocity;
        if member.turns > BUDGET {
            return Err(Fate::Wedged(member.slot));
        }
        // Its list names all that it can meet only while it keeps within its skin. Else the lists
        // have to be told, which no thread may do while others read them.
        if self.world.covers(member.slot, &member.path) {
            return Ok(());
        }
        Err(Fate::Strays(member.slot, self.farthest(number)))
    }

    /// How far a member gets from where its path starts with which the stretch begins. \[nm\]
    #[cold]
    fn farthest(&self, number: usize) -> f64 {
        let ThreadScratch { members, left, .. } = &*self.scratch;
        let member = &members[number];
        let first = self.world.path(member.slot);
        // At all ends of its paths so far, and at the end of the step: between those it is nearer,
        // since a ball is convex.
        let mut far = (member.path.at(1.0) - first.position).norm().max(first.velocity.norm());
        let mut last = member.last;
        far = far.max((member.path.position - first.position).norm());
        while last != NONE {
            let FormerPath { path, before } = &left[last as usize];
            far = far.max((path.position - first.position).norm());
            last = *before;
        }
        far
    }

    /// Predicts the next contacts of a member whose path has changed.
    fn replan(&mut self, now: f64, number: usize) {
        let Member { slot, path, turns, .. } = self.scratch.members[number];
        let world = self.world;
        let mut pairs = Pairs::new();
        for around in world.lists.around(slot) {
            self.scratch.tests += around.len() as u64;
            // Lists may name particles that it ignores, too; `time_of_contact` says that they do
            // not touch.
            for &other in around {
                if pairs.push(now, (slot, &path), (other, &self.path(other))) {
                    pairs.sift(world.sieve, 1.0 - now, |slots| self.look(now, slots));
                }
            }
        }
        pairs.sift(world.sieve, 1.0 - now, |slots| self.look(now, slots));
        if world.system.ground().has_walls()
            && let Some(event) = world.wall(slot, &path, turns)
        {
            self.plan(now, event);
        }
    }

    /// Plans the contact of a member with another particle, if they touch. Of two that have turned
    /// in the same event, the one with the lower identity plans.
    fn look(&mut self, now: f64, [slot, other]: [u32; 2]) {
        let id = |slot: u32| self.world.system.particles.id[slot as usize];
        let theirs = self.scratch.member[other as usize];
        // Else both would plan the one contact that the two may have next.
        if theirs != NONE
            && self.scratch.members[theirs as usize].turned_in == self.turned
            && id(slot) > id(other)
        {
            return;
        }
        let (ours, theirs) = (self.path(slot), self.path(other));
        if let Some(time) = self.world.time_of_contact((slot, &ours), (other, &theirs), 1.0) {
            let turns = [self.turns(slot), self.turns(other)];
            self.plan(now, Event::contact(self.world.system, time, [slot, other], turns));
        }
    }

    fn plan(&mut self, now: f64, event: Event) {
        // Never earlier than now, but for a fault in this program: it is counted, and tests hold
        // that count at 0.
        self.tally.counts[2] += u64::from(event.time < now);
        // What is due after the stretch is left for that, in which there are other islands.
        match self.stretch.is_before(&event) {
            true => self.scratch.later.push(event),
            false => self.scratch.queue.push(Reverse(event)),
        }
    }
}
