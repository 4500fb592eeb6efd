//! Islands of one stretch, settled and joined in rounds until none meet.
//!
//! An island in which anything but a bounce is due is left to the queue, and so is every island
//! that meets it.

use rayon::prelude::*;

use super::super::{Brownian, StepError};
use super::ahead::AHEAD;
use super::island::Settling;
use super::scratch::{Fate, Member, Outcome, ThreadScratch};
use super::world::World;
use super::{Event, Islands, NONE, Place, Stretch};
use jostle_core::observe::Observer;
use jostle_core::unions::Unions;

/// Islands settled as one piece of work, at the least.
const CHUNK: usize = 64;

/// The rounds of one stretch.
pub(super) struct Rounds<'a, const D: usize> {
    islands: &'a mut Islands<D>,
    engine: &'a mut Brownian<D>,
    stretch: Stretch,
    /// Islands that have met.
    met: Unions,
    /// Islands to be settled in this round.
    open: Vec<u32>,
}

/// What a look at the neighbours of settled islands has found.
#[derive(Default)]
struct Findings {
    /// Pairs of islands that have met.
    met: Vec<[u32; 2]>,
    later: Vec<Between>,
}

/// What is due between two islands after the stretch.
pub(super) type Between = ([u32; 2], Event);

impl<'a, const D: usize> Rounds<'a, D> {
    pub(super) fn new(
        islands: &'a mut Islands<D>,
        engine: &'a mut Brownian<D>,
        stretch: Stretch,
    ) -> Self {
        let count = islands.start.len().max(1) - 1;
        let (mut met, slots) = (Unions::default(), engine.system.particles.len());
        met.clear(count);
        islands.scratch.resize_with(rayon::current_num_threads(), ThreadScratch::default);
        islands.scratch.iter_mut().for_each(|scratch| scratch.cover(slots));
        // The queue may have made a larger particle than there was before.
        if let Some(lists) = engine.search.lists() {
            islands.sieve.renew(&engine.system, lists.widest());
        }
        islands.next.clear();
        islands.next.resize(count, NONE);
        islands.outcome.clear();
        islands.outcome.resize(count, Place::NOWHERE);
        islands.is_queued.clear();
        islands.is_queued.resize(count, false);
        Self { islands, engine, stretch, met, open: (0..count as u32).collect() }
    }

    /// Settles all islands, and those that have met again, until none meet; what is due between two
    /// of them after the stretch. Nothing is written down yet.
    pub(super) fn run(mut self, observer: &dyn Observer<D>) -> Result<Vec<Between>, StepError> {
        let mut between = Vec::new();
        while !self.open.is_empty() {
            self.engine.heed(observer)?;
            self.settle_open(observer);
            let mut again = Vec::new();
            self.take_in(&mut again)?;
            for findings in self.look_around() {
                findings.met.into_iter().for_each(|[a, b]| self.met.join(a, b));
                between.extend(findings.later);
            }
            self.reopen(again);
            // Of an island that is settled again, nothing is known yet.
            between.retain(|between| self.islands.has_settled(between));
        }
        Ok(between)
    }

    fn settle_open(&mut self, observer: &dyn Observer<D>) {
        let (wanted, brake) = (observer.wants_contacts(), observer.brake());
        let wants_edges = wanted && observer.wants_edges();
        let mut scratch = std::mem::take(&mut self.islands.scratch);
        let part = self.open.len().div_ceil(scratch.len()).max(CHUNK);
        let this = &*self;
        if let Some(world) = World::new(this.engine, &this.islands.sieve) {
            scratch.par_iter_mut().zip(this.open.par_chunks(part)).for_each(|(scratch, open)| {
                // A thread keeps what it has settled in earlier rounds: most of it will hold.
                scratch.earlier = scratch.outcomes.len();
                for (n, &island) in open.iter().enumerate() {
                    for (stage, ahead) in AHEAD.into_iter().enumerate() {
                        if let Some(&soon) = open.get(n + ahead) {
                            let due = this.islands.due_in_part(soon);
                            world.fetch(stage, due, &scratch.member, &this.islands.island_of);
                        }
                    }
                    let (stretch, island_of) = (this.stretch, &this.islands.island_of[..]);
                    let scratch = &mut *scratch;
                    let course = Settling {
                        world,
                        stretch,
                        island_of,
                        wanted,
                        wants_edges,
                        brake,
                        island,
                        scratch,
                        counts: [0; 4],
                        virial: 0,
                        first: 0,
                        first_edge: 0,
                        turned: 0,
                    };
                    course.settle(this.islands.due_in(island));
                }
            });
            // Threads that had nothing to do have no new outcomes either.
            let idle = self.open.len().div_ceil(part);
            scratch
                .iter_mut()
                .skip(idle)
                .for_each(|scratch| scratch.earlier = scratch.outcomes.len());
        }
        self.islands.scratch = scratch;
    }

    /// Takes down how the islands of this round ended, and which are to be settled again. Where one
    /// has turned a particle that another has turned too, the two have met.
    fn take_in(&mut self, again: &mut Vec<u32>) -> Result<(), StepError> {
        let Islands { scratch, settled_by, island_of, outcome: places, is_queued, .. } =
            &mut *self.islands;
        let mut strays = Vec::new();
        for thread in 0..scratch.len() {
            let ThreadScratch { outcomes, earlier, members, .. } = &scratch[thread];
            for (number, outcome) in outcomes.iter().enumerate().skip(*earlier) {
                let island = outcome.island as usize;
                places[island] = Place { thread: thread as u32, number: number as u32 };
                match outcome.fate {
                    Fate::Settled => {}
                    Fate::Meets(slot) => self.met.join(outcome.island, island_of[slot as usize]),
                    Fate::Strays(slot, far) => strays.push((slot, far, outcome.island)),
                    Fate::Reacts => {
                        is_queued[island] = true;
                        places[island] = Place::NOWHERE;
                    }
                    Fate::Wedged(slot) => return Err(self.engine.system.wedged(slot)),
                    Fate::Stopped => return Err(self.engine.stopped()),
                }
                // A member of two islands has been turned by both, each without knowing of the
                // other.
                for number in outcome.members.clone() {
                    let by = &mut settled_by[members[number].slot as usize];
                    match *by {
                        Place::NOWHERE => {
                            *by = Place { thread: thread as u32, number: number as u32 }
                        }
                        Place { thread, number } => {
                            let other = scratch[thread as usize].members[number as usize].island;
                            self.met.join(outcome.island, other);
                        }
                    }
                }
            }
        }
        // Once all have ended: lists may be changed now that no thread reads them.
        for (slot, far, island) in strays {
            stray(self.engine, slot, far);
            again.push(island);
        }
        Ok(())
    }

    /// Looks whether paths that members of this round's islands have taken up touch such paths of
    /// other islands.
    fn look_around(&self) -> Vec<Findings> {
        // One island has no other to meet.
        if self.islands.outcome.len() < 2 {
            return Vec::new();
        }
        let Some(world) = World::new(self.engine, &self.islands.sieve) else {
            return Vec::new();
        };
        // Where all islands are open, one look at a pair is enough.
        let all_open = self.open.len() == self.islands.outcome.len();
        let of_thread = |scratch: &ThreadScratch<D>| {
            let mut findings = Findings::default();
            for outcome in
                scratch.outcomes[scratch.earlier..].iter().filter(|o| o.fate == Fate::Settled)
            {
                self.look_around_one(&world, (scratch, outcome), all_open, &mut findings);
            }
            findings
        };
        self.islands.scratch.par_iter().map(of_thread).collect()
    }

    /// Looks around an island; only for slots above its own, if `above`.
    fn look_around_one(
        &self,
        world: &World<'_, D>,
        (ours, one): (&ThreadScratch<D>, &Outcome),
        above: bool,
        found: &mut Findings,
    ) {
        for number in one.members.clone() {
            for (stage, ahead) in AHEAD.into_iter().enumerate() {
                if let Some(Member { slot, .. }) = ours.members.get(number + ahead) {
                    world.fetch_settlers(stage, *slot, &self.islands.settled_by);
                }
            }
            let slot = ours.members[number].slot;
            for around in world.lists.around(slot) {
                for &other in around.iter().filter(|&&other| !above || slot < other) {
                    let settled_by = self.islands.settled_by[other as usize];
                    if settled_by != Place::NOWHERE {
                        self.compare(world, (ours, number as u32), settled_by, found);
                    }
                }
            }
        }
    }

    /// Looks whether two turned particles touch within the stretch on paths that they have taken
    /// up, or after it on their last ones.
    fn compare(
        &self,
        world: &World<'_, D>,
        (ours, number): (&ThreadScratch<D>, u32),
        Place { thread, number: their_number }: Place,
        found: &mut Findings,
    ) {
        let theirs = &self.islands.scratch[thread as usize];
        let (our, their) = (&ours.members[number as usize], &theirs.members[their_number as usize]);
        // One that has only been passed is where each island took it to be.
        if our.island == their.island || !(our.has_turned() && their.has_turned()) {
            return;
        }
        let both = [our.island, their.island];
        // Each island took the other's members to be on the paths that the stretch began with, and
        // contacts with those are in its own plans. So only pairs of paths that were both taken up
        // in this stretch can have been overlooked, and only while both were in force.
        let slots = [our.slot, their.slot];
        let is_in_stretch =
            |time: f64| !self.stretch.is_before(&Event::contact(world.system, time, slots, [0; 2]));
        // Most have taken up one path each.
        let last = world.time_of_contact((our.slot, &our.path), (their.slot, &their.path), 1.0);
        let touches = last.is_some_and(is_in_stretch)
            || ours.taken_up(number).enumerate().any(|(n, (path, end))| {
                let mut others = theirs.taken_up(their_number).skip(usize::from(n == 0));
                others.any(|(their_path, their_end)| {
                    let (start, end) = (path.since.max(their_path.since), end.min(their_end));
                    let pair = ((our.slot, path), (their.slot, their_path));
                    let time = (start <= end).then(|| world.time_of_contact(pair.0, pair.1, end));
                    time.flatten().is_some_and(is_in_stretch)
                })
            });
        // Their last paths continue after the stretch, and neither island has planned for the
        // other's.
        if touches {
            found.met.push(both);
        } else if !self.stretch.is_last()
            && (our.slot < their.slot || !self.is_open(their.island))
            && let Some(time) = last
        {
            let event = Event::contact(world.system, time, slots, [our.turns, their.turns]);
            found.later.push((both, event));
        }
    }

    fn is_open(&self, island: u32) -> bool {
        self.open.binary_search(&island).is_ok()
    }

    /// Joins islands that have met; those, and the ones named, are to be settled again.
    fn reopen(&mut self, again: Vec<u32>) {
        let mut open: Vec<u32> = again.into_iter().map(|island| self.met.root(island)).collect();
        for n in 0..self.met.members().len() {
            let island = self.met.members()[n];
            let root = self.met.root(island);
            // All that has met is forgotten, and settled again as one from the beginning of the
            // stretch: what an island has done before it met another may have been wrong from any
            // moment on.
            self.islands.release(island);
            if root != island {
                let next = &mut self.islands.next;
                let mut last = root;
                while next[last as usize] != NONE {
                    last = next[last as usize];
                }
                next[last as usize] = island;
                self.islands.is_queued[root as usize] |= self.islands.is_queued[island as usize];
                self.rename(island, root);
            }
            open.push(root);
        }
        open.retain(|&island| !self.islands.is_queued[island as usize]);
        // In an order that does not depend on the number of threads; `is_open` relies on it, too.
        open.sort_unstable();
        open.dedup();
        self.open = open;
        self.met.clear(self.islands.next.len());
    }

    /// Those of an island are of another from now on.
    fn rename(&mut self, island: u32, root: u32) {
        let parts: Vec<u32> = self.islands.parts(island).collect();
        let Islands { sorted, start, island_of, .. } = &mut *self.islands;
        let system = &self.engine.system;
        for part in parts {
            let ends = [part, part + 1].map(|n| start[n as usize] as usize);
            let due = sorted[ends[0]..ends[1]].iter();
            for slot in due.flat_map(|event| event.firsts(system)) {
                if slot != NONE {
                    island_of[slot as usize] = root;
                }
            }
        }
    }
}

/// Tells the lists that a particle gets so far \[nm\] from where its path starts.
fn stray<const D: usize>(engine: &mut Brownian<D>, slot: u32, far: f64) {
    let paths = engine.system.paths();
    if let Some(lists) = engine.search.lists_mut() {
        lists.stray(slot, paths.position[slot as usize], far, &paths);
    }
}
