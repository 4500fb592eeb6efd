//! What one thread needs, and what it brings back, kept from stretch to stretch.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::sort::Belonging;
use super::{Event, NONE, Stretch};
use jostle_core::observe::Contact;
use jostle_core::search::Pair;
use jostle_core::space::Path;

/// A particle whose path an island has changed, or is about to.
#[derive(Clone, Debug)]
pub(super) struct Member<const D: usize> {
    pub(super) slot: u32,
    pub(super) island: u32,
    /// Its present path.
    pub(super) path: Path<D>,
    /// How often it has turned in this step, and how often before this stretch.
    pub(super) turns: u32,
    pub(super) turns_before: u32,
    /// Its last path but one, an index into `left`.
    pub(super) last: u32,
    /// In which event of the island it has turned last.
    pub(super) turned_in: u32,
}

impl<const D: usize> Member<D> {
    /// Whether it has taken up a path in this stretch.
    #[inline]
    pub(super) fn has_turned(&self) -> bool {
        self.turns > self.turns_before
    }
}

/// A path that a member has left.
#[derive(Clone, Debug)]
pub(super) struct FormerPath<const D: usize> {
    pub(super) path: Path<D>,
    /// The one before.
    pub(super) before: u32,
}

/// Why an island could not be settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fate {
    /// One of it touches this particle, which is in another island.
    Meets(u32),
    /// This particle leaves what its list covers: it gets so far from where its first path starts.
    /// \[nm\]
    Strays(u32, f64),
    /// Something else than a bounce is due.
    Reacts,
    /// This particle chatters without end.
    Wedged(u32),
    /// A stop was requested before its end.
    Stopped,
}

/// What has happened in an island, or in several.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IslandTally {
    /// Contacts with particles and with walls, those found too late, and edges of potentials.
    pub(super) counts: [u64; 4],
    /// What it adds to the virial: see [`Encounters::virial`](super::super::shells::Encounters::virial).
    pub(super) virial: i64,
}

impl IslandTally {
    fn join(&mut self, other: Self, with: impl Fn(u64, u64) -> u64) {
        for (count, others) in self.counts.iter_mut().zip(other.counts) {
            *count = with(*count, others);
        }
        self.virial = with(self.virial as u64, other.virial as u64) as i64;
    }
}

/// What an island that is settled came to, and which of the thread's things are its own.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) island: u32,
    pub(super) members: Range<usize>,
    /// Of its contacts.
    pub(super) settled: Range<usize>,
    pub(super) later: Range<usize>,
    /// Of its edges that observers are to be told of.
    pub(super) edges: Range<usize>,
    pub(super) tally: IslandTally,
    /// Whether it has not been joined to another since.
    pub(super) holds: bool,
}

/// Things of one thread. No two share a cache line, or the pair of lines that is fetched together:
/// otherwise each thread would wait for the other's counts (8 to 14 % of a step on two threads).
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct ThreadScratch<const D: usize> {
    /// What is due on the paths that the step begins with, before it is sorted by stretches.
    pub(super) found: Vec<Event>,
    /// Which particles may touch, of some pairs.
    pub(super) chances: Vec<Pair>,
    /// What is due in each stretch, and what is not any more. \[stretch\]
    pub(super) due: Vec<Vec<Event>>,
    /// What of it is due in the present stretch.
    pub(super) belonging: Vec<Belonging>,
    /// Which of these are in the islands of each share. \[share\]
    pub(super) shares: Vec<Vec<u32>>,
    pub(super) queue: BinaryHeap<Reverse<Event>>,
    /// The number of a particle among the members of the present island. \[slot\]
    pub(super) member: Vec<u32>,
    pub(super) members: Vec<Member<D>>,
    pub(super) left: Vec<FormerPath<D>>,
    /// Contacts that were settled.
    pub(super) settled: Vec<Event>,
    /// And what observers are to be told of each, if they want to hear it.
    pub(super) reported: Vec<Contact<D>>,
    /// Edges that pairs came to, if observers want to hear of them.
    pub(super) edges: Vec<(Event, Contact<D>)>,
    /// What is due after the stretch.
    pub(super) later: Vec<Event>,
    pub(super) outcomes: Vec<Outcome>,
    /// The islands of the present round that could not be settled, and why.
    pub(super) unsettled: Vec<(u32, Fate)>,
    /// Which members of settled islands are in each part of all slots. \[part\]
    pub(super) entered: Vec<Vec<u32>>,
    /// Of all outcomes that hold.
    pub(super) tally: IslandTally,
    /// How many outcomes there were before the present round.
    pub(super) earlier: usize,
    pub(super) tests: u64,
}

impl<const D: usize> Default for ThreadScratch<D> {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            chances: Vec::new(),
            due: Vec::new(),
            belonging: Vec::new(),
            shares: Vec::new(),
            queue: BinaryHeap::new(),
            member: Vec::new(),
            members: Vec::new(),
            left: Vec::new(),
            settled: Vec::new(),
            reported: Vec::new(),
            edges: Vec::new(),
            later: Vec::new(),
            outcomes: Vec::new(),
            unsettled: Vec::new(),
            entered: Vec::new(),
            tally: IslandTally::default(),
            earlier: 0,
            tests: 0,
        }
    }
}

impl<const D: usize> ThreadScratch<D> {
    /// Makes room for so many slots, in so many parts.
    pub(super) fn cover(&mut self, slots: usize, parts: usize) {
        self.entered.resize_with(parts.max(self.entered.len()), Vec::new);
        self.member.resize(slots.max(self.member.len()), NONE);
    }

    /// The islands that are settled for good.
    pub(super) fn islands_settled(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(|one| one.holds)
    }

    /// Notes that an island is settled.
    pub(super) fn hold(&mut self, outcome: Outcome) {
        self.tally.join(outcome.tally, u64::wrapping_add);
        self.outcomes.push(outcome);
    }

    /// Forgets what an island came to.
    pub(super) fn release(&mut self, number: u32) {
        let outcome = &mut self.outcomes[number as usize];
        outcome.holds = false;
        self.tally.join(outcome.tally, u64::wrapping_sub);
    }

    /// Puts what has been found into the stretches that it is due in.
    pub(super) fn sort_by_stretch(&mut self, of: usize) {
        self.due.resize_with(of.max(self.due.len()), Vec::new);
        self.due.iter_mut().for_each(Vec::clear);
        if of == 1 {
            std::mem::swap(&mut self.found, &mut self.due[0]);
            return;
        }
        let all = Stretch { number: 0, of, end: None };
        self.found.drain(..).for_each(|event| self.due[all.at(event.time)].push(event));
    }

    /// Forgets what was due in a stretch, and keeps what its islands have planned for later ones.
    pub(super) fn keep_later(&mut self, stretch: Stretch) {
        self.due[stretch.number].retain(|event| stretch.is_before(event));
        if stretch.is_last() {
            return;
        }
        let Self { outcomes, later, due, .. } = self;
        for one in outcomes.iter().filter(|one| one.holds) {
            for event in &later[one.later.clone()] {
                due[stretch.at(event.time)].push(*event);
            }
        }
    }

    /// Forgets everything of a stretch.
    pub(super) fn clear(&mut self) {
        self.members.clear();
        self.left.clear();
        self.settled.clear();
        self.reported.clear();
        self.edges.clear();
        self.later.clear();
        self.outcomes.clear();
        self.entered.iter_mut().for_each(Vec::clear);
        self.earlier = 0;
    }

    /// The paths that a member has taken up in this stretch, the last one first, each with its end.
    pub(super) fn taken_up(&self, number: u32) -> impl Iterator<Item = (&Path<D>, f64)> {
        let member = &self.members[number as usize];
        // A member that has not turned in this stretch has taken up none.
        let mut next = member.has_turned().then_some((&member.path, 1.0, member.last));
        std::iter::from_fn(move || {
            let (path, end, last) = next?;
            // The one that was left first is the one that the stretch began with.
            let before = &self.left[last as usize];
            next = (before.before != NONE).then_some((&before.path, path.since, before.before));
            Some((path, end))
        })
    }
}
