//! What is due in a stretch, sorted into islands by all threads.
//!
//! Each thread joins the particles of what it has found. Islands are then shared out by where their
//! first particle is in the order of space, and each thread puts together what is due in its own.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::super::Brownian;
use super::pieces::threads_together;
use super::place::{Place, SharedPlace};
use super::scratch::ThreadScratch;
use super::{Event, Islands, NONE, Stretch};

/// Events handled as one piece of work, at the least.
const FEWEST: usize = 256;

/// Slots that one thread writes, at the least.
const FEWEST_SLOTS: usize = 4096;

/// What is due in an island at first, and what has become of it. Most things are looked up by its
/// number.
#[derive(Debug)]
pub(super) struct Island {
    /// Which of the sorted events; none if no island has this number.
    due: [u32; 2],
    /// The next of those that it was joined with; none after the last.
    pub(super) next: u32,
    /// Where its outcome is, while it is settled.
    pub(super) outcome: SharedPlace,
    /// Whether it is left to the queue.
    pub(super) is_queued: bool,
}

impl Default for Island {
    fn default() -> Self {
        Self { due: [0; 2], next: NONE, outcome: SharedPlace::default(), is_queued: false }
    }
}

impl Island {
    /// Which of the sorted events are due in it.
    #[inline]
    pub(super) fn due(&self) -> Range<usize> {
        self.due[0] as usize..self.due[1] as usize
    }
}

/// An event that belongs to an island.
#[derive(Clone, Copy, Debug)]
pub(super) struct Belonging {
    /// The lowest particle in the island.
    root: u32,
    /// The parties of the event, each by the first member of its unit.
    firsts: [u32; 2],
    /// Which of the events that its thread has found.
    number: u32,
}

impl Belonging {
    fn parties(self) -> impl Iterator<Item = u32> {
        self.firsts.into_iter().filter(|&slot| slot != NONE)
    }
}

impl<const D: usize> Islands<D> {
    /// Numbers the islands and puts together what is due in each of them.
    pub(super) fn sort_by_island(&mut self, engine: &Brownian<D>, stretch: Stretch) {
        let slots = engine.system.particles.len();
        self.cover(slots);
        let (unions, number) = (&self.unions, stretch.number);
        let found: usize = self.scratch.iter().map(|scratch| scratch.due[number].len()).sum();
        let together = threads_together(found, FEWEST, self.scratch.len());
        // Particles that are due to touch in this stretch belong to one island; all others are in
        // none.
        self.scratch.par_iter_mut().with_min_len(together).for_each(|scratch| {
            let ThreadScratch { due, belonging, .. } = scratch;
            due[number].retain(|event| event.stands(engine));
            for (number, event) in (0..).zip(&due[number]) {
                if !stretch.is_before(event) {
                    let firsts @ [root, other] = event.firsts(&engine.system);
                    if other != NONE {
                        unions.join(root, other);
                    }
                    belonging.push(Belonging { root, firsts, number });
                }
            }
        });
        if self.as_one {
            let all = || self.scratch.iter().flat_map(|scratch| &scratch.belonging);
            let first = all().next().map_or(NONE, |first| first.root);
            all().for_each(|other| unions.join(first, other.root));
        }
        // Shared out by where the first particle of each island is.
        let shares = self.scratch.len().div_ceil(together);
        let share = slots.div_ceil(shares).max(1) as u32;
        self.scratch.par_iter_mut().with_min_len(together).for_each(|scratch| {
            let ThreadScratch { belonging, shares: own, .. } = scratch;
            own.resize_with(shares, Vec::new);
            own.iter_mut().for_each(Vec::clear);
            for (number, event) in (0..).zip(belonging) {
                event.root = unions.root(event.root);
                own[(event.root / share) as usize].push(number);
            }
        });
        self.put_together(stretch.number, shares);
    }

    /// Makes room for so many slots.
    fn cover(&mut self, slots: usize) {
        self.part = slots.div_ceil(self.scratch.len()).max(FEWEST_SLOTS);
        self.unions.cover(slots);
        let new = self.island_of.len()..slots.max(self.island_of.len());
        self.island_of.extend(new.map(|_| AtomicU32::new(NONE)));
        self.settled_by.resize_with(slots.max(self.settled_by.len()), SharedPlace::default);
        let parts = slots.div_ceil(self.part);
        self.scratch.iter_mut().for_each(|scratch| scratch.cover(slots, parts));
    }

    /// Enters the members of the island that a thread has settled last, and its outcome.
    #[inline]
    pub(super) fn enter_last(&self, thread: u32, scratch: &mut ThreadScratch<D>) {
        let ThreadScratch { members, outcomes, entered, .. } = scratch;
        let Some(outcome) = outcomes.last() else { return };
        for number in outcome.members.clone() {
            let (slot, number) = (members[number].slot as usize, number as u32);
            entered[slot / self.part].push(number);
            // If two threads enter one particle, or one does for two islands, one entry stays, and
            // the other island sees later that it is not its own.
            if self.settled_by[slot].taken().is_none() {
                self.settled_by[slot].set(Place { thread, number });
            }
        }
        let place = Place { thread, number: outcomes.len() as u32 - 1 };
        self.all[outcome.island as usize].outcome.set(place);
    }

    /// Puts together what is due in each island, share by share.
    fn put_together(&mut self, number: usize, shares: usize) {
        let Self { sorted, all, island_of, scratch, .. } = self;
        let (island_of, scratch) = (&island_of[..], &scratch[..]);
        let events = |share: usize| scratch.iter().map(move |scratch| scratch.shares[share].len());
        let total = scratch.iter().map(|scratch| scratch.belonging.len()).sum();
        let Some(&any) = scratch.iter().flat_map(|scratch| &scratch.due[number]).next() else {
            sorted.clear();
            return all.clear();
        };
        sorted.resize(total, any);
        // There are at most as many islands as events; numbers that are left over stand for none.
        all.resize_with(total, Island::default);
        let (mut sorted, mut all, mut first) = (&mut sorted[..], &mut all[..], 0);
        let parts: Vec<_> = (0..shares)
            .map(|share| {
                let count = events(share).sum();
                let part = Share {
                    number: share,
                    first,
                    sorted: sorted.split_off_mut(..count).unwrap_or_default(),
                    islands: all.split_off_mut(..count).unwrap_or_default(),
                };
                first += count as u32;
                part
            })
            .collect();
        parts.into_par_iter().for_each(|share| share.put_together(number, scratch, island_of));
    }

    /// No particle is in any island.
    pub(super) fn take_apart(&mut self) {
        let Self { unions, island_of, scratch, .. } = self;
        let found = scratch.iter().map(|scratch| scratch.belonging.len()).sum();
        let together = threads_together(found, FEWEST, scratch.len());
        scratch.par_iter_mut().with_min_len(together).for_each(|scratch| {
            // Only what was used is cleared: a stretch concerns few of all slots.
            for slot in scratch.belonging.drain(..).flat_map(Belonging::parties) {
                unions.take_out(slot);
                island_of[slot as usize].store(NONE, Relaxed);
            }
            scratch.clear();
        });
    }
}

/// The islands whose first particles are in one part of all slots.
struct Share<'a> {
    number: usize,
    /// The number of its first island and of its first event.
    first: u32,
    sorted: &'a mut [Event],
    islands: &'a mut [Island],
}

impl Share<'_> {
    fn put_together<const D: usize>(
        self,
        stretch: usize,
        scratch: &[ThreadScratch<D>],
        island_of: &[AtomicU32],
    ) {
        let Self { number: share, first, sorted, islands } = self;
        let belonging = || {
            scratch.iter().flat_map(move |scratch| {
                let of_share = scratch.shares[share].iter();
                of_share.map(move |&n| (scratch, scratch.belonging[n as usize]))
            })
        };
        islands.fill_with(Island::default);
        // How many are due in each island, then where each starts.
        let mut count = 0;
        for (_, event) in belonging() {
            let island = &island_of[event.root as usize];
            if island.load(Relaxed) == NONE {
                island.store(first + count, Relaxed);
                count += 1;
            }
            islands[(island.load(Relaxed) - first) as usize].due[1] += 1;
        }
        let mut start = first;
        for island in &mut islands[..count as usize] {
            let end = start + island.due[1];
            island.due = [start; 2];
            start = end;
        }
        for (scratch, event) in belonging() {
            let number = island_of[event.root as usize].load(Relaxed);
            event.parties().for_each(|slot| island_of[slot as usize].store(number, Relaxed));
            let next = &mut islands[(number - first) as usize].due[1];
            sorted[(*next - first) as usize] = scratch.due[stretch][event.number as usize];
            *next += 1;
        }
    }
}
