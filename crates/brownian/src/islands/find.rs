//! What is due on the paths that the step begins with.

use std::ops::Range;

use rayon::prelude::*;

use super::super::Brownian;
use super::super::shells::Edges;
use super::pieces::{Pieces, threads_together};
use super::scratch::ThreadScratch;
use super::sieve::Sieve;
use super::world::World;
use super::{CONTACTS_PER_PARTICLE, EDGES_PER_PARTICLE, Event, Islands, MOST_STRETCHES};
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
        let (listed, strays) = (world.lists.listed_pairs(), world.lists.stray_pairs());
        let strays: Vec<Pair> = strays.collect();
        let threads = rayon::current_num_threads();
        self.scratch.resize_with(threads, ThreadScratch::default);
        let pieces = [listed, &strays].map(|pairs| Pieces::new(pairs.len(), CHUNK, threads));
        let walled = if world.system.ground().has_walls() { slots } else { 0 };
        let [listed_pieces, stray_pieces] = &pieces;
        let slot_pieces = Pieces::new(walled, CHUNK, threads);
        let together = threads_together(listed.len().max(walled), CHUNK, threads);
        self.scratch.par_iter_mut().enumerate().with_min_len(together).for_each(
            |(thread, scratch)| {
                scratch.found.clear();
                while let Some(piece) = listed_pieces.take(thread) {
                    scratch.find_contacts(world, &listed[piece]);
                }
                while let Some(piece) = stray_pieces.take(thread) {
                    scratch.find_contacts(world, &strays[piece]);
                }
                while let Some(piece) = slot_pieces.take(thread) {
                    scratch.find_walls(world, piece.start as u32..piece.end as u32);
                }
            },
        );
        let count: usize = self.scratch.iter().map(|scratch| scratch.found.len()).sum();
        self.as_one = world.is_one_island();
        // The number of stretches follows from what is due, not from threads or clocks: it decides
        // nothing but the work, but so it can be repeated.
        let few = match engine.system.shells.potentials.is_empty() {
            true => CONTACTS_PER_PARTICLE,
            false => EDGES_PER_PARTICLE,
        };
        let stretches = (count as f64 / (few * slots.max(1) as f64)).ceil() as usize;
        let of = stretches.clamp(1, MOST_STRETCHES);
        let tests = listed.len() as u64;
        let sort = |scratch: &mut ThreadScratch<D>| scratch.sort_by_stretch(of);
        self.scratch.par_iter_mut().with_min_len(together).for_each(sort);
        engine.tally.narrow_tests += tests;
        of
    }
}

impl<const D: usize> ThreadScratch<D> {
    /// Finds what is due among pairs.
    fn find_contacts(&mut self, world: World<'_, D>, pairs: &[Pair]) {
        self.chances.clear();
        world.sift_all(pairs, &mut self.chances);
        let due = self.chances.iter().filter_map(|&Pair(i, j)| {
            // The sieve lets some through that do not touch.
            let time = world.time_of_contact((i, &world.path(i)), (j, &world.path(j)), 1.0)?;
            Some(Event::contact(world.system, time, [i, j], [0; 2]))
        });
        self.found.extend(due);
    }

    /// Finds what is due between particles and walls.
    fn find_walls(&mut self, world: World<'_, D>, slots: Range<u32>) {
        // Every particle starts with the step.
        let path = |slot| Path { since: 0.0, ..world.path(slot) };
        self.found.extend(slots.filter_map(|slot| world.wall(slot, &path(slot), 0)));
    }
}
