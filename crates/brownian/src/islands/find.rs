//! What is due on the paths that the step begins with.

use rayon::prelude::*;

use super::super::Brownian;
use super::super::shells::Edges;
use super::sieve::Sieve;
use super::world::World;
use super::{CONTACTS_PER_PARTICLE, EDGES_PER_PARTICLE, Event, Islands, MOST_STRETCHES, Stretch};
use jostle_core::search::Pair;
use jostle_core::space::Path;

/// Pairs or particles handled as one piece of work; no result depends on it.
const CHUNK: usize = 1024;

impl<const D: usize> Islands<D> {
    /// Finds what is due on the paths that the step begins with, by stretches; how many of those
    /// there are.
    pub(super) fn find(&mut self, engine: &mut Brownian<D>) -> usize {
        let slots = engine.system.particles.len();
        let Some(lists) = engine.search.lists() else { return 0 };
        let edges = Edges::of(&engine.system);
        self.sieve = Sieve::new(&engine.system.domain, lists.widest(), edges);
        let Some(world) = World::new(engine, &self.sieve) else { return 0 };
        let found = find_all(world);
        let tests = world.lists.listed_pairs().len() as u64;
        let count: usize = found.iter().map(Vec::len).sum();
        self.as_one = world.is_one_island();
        // The number of stretches follows from what is due, not from threads or clocks: it decides
        // nothing but the work, but so it can be repeated.
        let few = match engine.system.shells.potentials.is_empty() {
            true => CONTACTS_PER_PARTICLE,
            false => EDGES_PER_PARTICLE,
        };
        let stretches = (count as f64 / (few * slots.max(1) as f64)).ceil() as usize;
        let of = stretches.clamp(1, MOST_STRETCHES);
        self.due.resize_with(of.max(self.due.len()), Vec::new);
        self.due.iter_mut().for_each(Vec::clear);
        let all = Stretch { number: 0, of, end: None };
        found.iter().flatten().for_each(|event| self.due[all.at(event.time)].push(*event));
        engine.tally.narrow_tests += tests;
        of
    }
}

/// What is due between those on each other's lists, between strays and others, and between
/// particles and walls.
fn find_all<const D: usize>(world: World<'_, D>) -> Vec<Vec<Event>> {
    let strays: Vec<Pair> = world.lists.stray_pairs().collect();
    let listed = world.lists.listed_pairs().par_chunks(CHUNK);
    // A thread keeps one list for all its pieces of work, so that it seldom has to grow.
    let finds = listed.chain(strays.par_chunks(CHUNK)).fold(Found::default, |mut finds, pairs| {
        finds.contacts(world, pairs);
        finds
    });
    let mut found: Vec<_> = finds.map(|finds| finds.due).collect();
    if world.system.ground().has_walls() {
        let slots = world.system.particles.len() as u32;
        let chunks = (0..slots).into_par_iter().step_by(CHUNK);
        let hits = chunks.map(|first| {
            let slots = first..(first + CHUNK as u32).min(slots);
            // Every particle starts with the step.
            let path = |slot| Path { since: 0.0, ..world.path(slot) };
            slots.filter_map(|slot| world.wall(slot, &path(slot), 0)).collect()
        });
        found.par_extend(hits);
    }
    found
}

/// What a thread has found, one piece of work after the other.
#[derive(Default)]
struct Found {
    due: Vec<Event>,
    /// Which particles may touch, of the last piece.
    chances: Vec<Pair>,
}

impl Found {
    /// Adds what is due among pairs.
    fn contacts<const D: usize>(&mut self, world: World<'_, D>, pairs: &[Pair]) {
        self.chances.clear();
        world.sift_all(pairs, &mut self.chances);
        let due = self.chances.iter().filter_map(|&Pair(i, j)| {
            // The sieve lets some through that do not touch.
            let time = world.time_of_contact((i, &world.path(i)), (j, &world.path(j)), 1.0)?;
            Some(Event::contact(world.system, time, [i, j], [0; 2]))
        });
        self.due.extend(due);
    }
}
