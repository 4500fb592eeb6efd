//! Islands of one stretch, settled and joined in rounds until none meet.
//!
//! An island in which anything but a bounce is due is left to the queue, and so is every island
//! that meets it.

use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::super::{Brownian, StepError};
use super::ahead::AHEAD;
use super::island::Settling;
use super::pieces::{Pieces, threads_together};
use super::place::Place;
use super::scratch::{Fate, IslandTally, Member, Outcome, ThreadScratch};
use super::world::World;
use super::{Event, Islands, NONE, Stretch};
use jostle_core::observe::Observer;
use jostle_core::unions::Unions;

/// Islands settled as one piece of work: some 20 µs, for which no thread has to wait for long.
const CHUNK: usize = 16;

/// The rounds of one stretch.
pub(super) struct Rounds<'a, const D: usize> {
    islands: &'a mut Islands<D>,
    engine: &'a mut Brownian<D>,
    stretch: Stretch,
    /// How many islands there are.
    count: usize,
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
        let mut met = Unions::default();
        met.clear(islands.all.len());
        // The queue may have made a larger particle than there was before.
        if let Some(lists) = engine.search.lists() {
            islands.sieve.renew(&engine.system, lists.widest());
        }
        let is_one = |&island: &u32| !islands.all[island as usize].due().is_empty();
        let open: Vec<u32> = (0..islands.all.len() as u32).filter(is_one).collect();
        Self { islands, engine, stretch, met, count: open.len(), open }
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
        let this = &*self;
        if let Some(world) = World::new(this.engine, &this.islands.sieve) {
            // A thread keeps what it has settled in earlier rounds: most of it will hold.
            scratch.iter_mut().for_each(|scratch| scratch.earlier = scratch.outcomes.len());
            let pieces = Pieces::new(this.open.len(), CHUNK, scratch.len());
            let together = threads_together(this.open.len(), CHUNK, scratch.len());
            let threads = scratch.par_iter_mut().enumerate().with_min_len(together);
            threads.for_each(|(thread, scratch)| {
                for n in std::iter::from_fn(|| pieces.take(thread)).flatten() {
                    for (stage, ahead) in AHEAD.into_iter().enumerate() {
                        if let Some(&soon) = this.open.get(n + ahead) {
                            let due = this.islands.due_in_part(soon);
                            world.fetch(stage, due, &scratch.member, this.islands);
                        }
                    }
                    let island = this.open[n];
                    let (stretch, island_of) = (this.stretch, &this.islands.island_of[..]);
                    let course = Settling {
                        world,
                        stretch,
                        island_of,
                        wanted,
                        wants_edges,
                        brake,
                        island,
                        scratch: &mut *scratch,
                        tally: IslandTally::default(),
                        first: 0,
                        first_edge: 0,
                        turned: 0,
                    };
                    match course.settle(this.islands.due_in(island)) {
                        Ok(()) => this.islands.enter_last(thread as u32, scratch),
                        Err(fate) => scratch.unsettled.push((island, fate)),
                    }
                }
            });
        }
        self.islands.scratch = scratch;
    }

    /// Takes down why islands of this round could not be settled, and which are to be settled again.
    fn take_in(&mut self, again: &mut Vec<u32>) -> Result<(), StepError> {
        let Islands { scratch, island_of, all, .. } = &mut *self.islands;
        let (mut strays, mut wedged) = (Vec::new(), None);
        for (island, fate) in scratch.iter_mut().flat_map(|scratch| scratch.unsettled.drain(..)) {
            match fate {
                Fate::Meets(slot) => {
                    self.met.join(island, island_of[slot as usize].load(Relaxed));
                }
                Fate::Strays(slot, far) => {
                    strays.push((slot, far));
                    again.push(island);
                }
                Fate::Reacts => all[island as usize].is_queued = true,
                Fate::Wedged(slot) => wedged = Some(wedged.map_or(slot, |other| slot.min(other))),
                Fate::Stopped => return Err(self.engine.stopped()),
            }
        }
        // Which thread has settled what must not show: neither in a message nor in the lists, which
        // no thread reads now.
        if let Some(slot) = wedged {
            return Err(self.engine.system.wedged(slot));
        }
        strays.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        strays.into_iter().for_each(|(slot, far)| stray(self.engine, slot, far));
        Ok(())
    }

    /// Looks whether paths that members of this round's islands have taken up touch such paths of
    /// other islands.
    fn look_around(&self) -> Vec<Findings> {
        // One island has no other to meet.
        if self.count < 2 {
            return Vec::new();
        }
        let Some(world) = World::new(self.engine, &self.islands.sieve) else {
            return Vec::new();
        };
        // Where all islands are open, one look at a pair is enough.
        let all_open = self.open.len() == self.count;
        let of_thread = |(thread, scratch): (usize, &ThreadScratch<D>)| {
            let mut findings = Findings::default();
            for outcome in &scratch.outcomes[scratch.earlier..] {
                let ours = (thread as u32, scratch);
                self.look_around_one(&world, ours, outcome, all_open, &mut findings);
            }
            findings
        };
        let scratch = &self.islands.scratch;
        let together = threads_together(self.open.len(), CHUNK, scratch.len());
        scratch.par_iter().enumerate().with_min_len(together).map(of_thread).collect()
    }

    /// Looks around an island; only for slots above its own, if `above`.
    fn look_around_one(
        &self,
        world: &World<'_, D>,
        (thread, ours): (u32, &ThreadScratch<D>),
        one: &Outcome,
        above: bool,
        found: &mut Findings,
    ) {
        let settled_by = &self.islands.settled_by[..];
        for number in one.members.clone() {
            for (stage, ahead) in AHEAD.into_iter().enumerate() {
                if let Some(Member { slot, .. }) = ours.members.get(number + ahead) {
                    world.fetch_settlers(stage, *slot, settled_by);
                }
            }
            let slot = ours.members[number].slot;
            let place = Place { thread, number: number as u32 };
            // Another island has turned it too, and neither knew of the other.
            if let Some(other) = settled_by[slot as usize].taken().filter(|&by| by != place) {
                let theirs = &self.islands.scratch[other.thread as usize].members;
                found.met.push([one.island, theirs[other.number as usize].island]);
            }
            for around in world.lists.around(slot) {
                for &other in around.iter().filter(|&&other| !above || slot < other) {
                    if let Some(settled_by) = settled_by[other as usize].taken() {
                        self.compare(world, (ours, place.number), settled_by, found);
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
                let all = &mut self.islands.all;
                let mut last = root;
                while all[last as usize].next != NONE {
                    last = all[last as usize].next;
                }
                all[last as usize].next = island;
                all[root as usize].is_queued |= all[island as usize].is_queued;
                self.rename(island, root);
            }
            open.push(root);
        }
        open.retain(|&island| !self.islands.all[island as usize].is_queued);
        // In an order that does not depend on the number of threads; `is_open` relies on it, too.
        open.sort_unstable();
        open.dedup();
        self.open = open;
        self.met.clear(self.islands.all.len());
    }

    /// Those of an island are of another from now on.
    fn rename(&mut self, island: u32, root: u32) {
        let parts: Vec<u32> = self.islands.parts(island).collect();
        let islands = &*self.islands;
        let due = parts.into_iter().flat_map(|part| islands.due_in_part(part));
        for slot in due.flat_map(|event| event.firsts(&self.engine.system)) {
            if slot != NONE {
                islands.island_of[slot as usize].store(root, Relaxed);
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
