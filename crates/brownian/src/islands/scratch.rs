//! What one thread needs, and what it brings back, kept from stretch to stretch.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::{Event, NONE};
use jostle_core::observe::Contact;
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

/// What an island came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fate {
    /// It is settled.
    Settled,
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

/// How an island ended, and which of the thread's things are its own.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) island: u32,
    pub(super) fate: Fate,
    pub(super) members: Range<usize>,
    /// Of its contacts.
    pub(super) settled: Range<usize>,
    pub(super) later: Range<usize>,
    /// Of its edges that observers are to be told of.
    pub(super) edges: Range<usize>,
    /// Contacts with particles and with walls, those found too late, and edges of potentials.
    pub(super) counts: [u64; 4],
    /// What it adds to the virial: see [`Encounters::virial`](super::super::shells::Encounters::virial).
    pub(super) virial: i64,
    /// Whether it has not been joined to another since.
    pub(super) holds: bool,
}

/// Things of one thread. No two share a cache line, or the pair of lines that is fetched together:
/// otherwise each thread would wait for the other's counts (8 to 14 % of a step on two threads).
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct ThreadScratch<const D: usize> {
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
    /// How many outcomes there were before the present round.
    pub(super) earlier: usize,
    pub(super) tests: u64,
}

impl<const D: usize> Default for ThreadScratch<D> {
    fn default() -> Self {
        Self {
            queue: BinaryHeap::new(),
            member: Vec::new(),
            members: Vec::new(),
            left: Vec::new(),
            settled: Vec::new(),
            reported: Vec::new(),
            edges: Vec::new(),
            later: Vec::new(),
            outcomes: Vec::new(),
            earlier: 0,
            tests: 0,
        }
    }
}

impl<const D: usize> ThreadScratch<D> {
    /// Makes room for so many slots.
    pub(super) fn cover(&mut self, slots: usize) {
        self.member.resize(slots.max(self.member.len()), NONE);
    }

    /// The islands that are settled for good.
    pub(super) fn islands_settled(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(|one| one.holds && one.fate == Fate::Settled)
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
