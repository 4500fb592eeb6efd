//! What is due on the paths that the step begins with.

use std::ops::Range;

use rayon::prelude::*;

use super::super::Brownian;
use super::sieve::{Pairs, Sieve};
use super::world::World;
use super::{CONTACTS_PER_BODY, Event, Islands, MOST_STRETCHES, Stretch};
use crate::space::Path;

/// Bodies handled as one piece of work; no result depends on it.
const CHUNK: usize = 1024;

impl<const D: usize> Islands<D> {
    /// Finds what is due on the paths that the step begins with, by stretches; how many of those there
    /// are.
    pub(super) fn find(&mut self, engine: &mut Brownian<D>) -> usize {
        let slots = engine.particles.len();
        let radii = engine.particles.radius.par_chunks(CHUNK);
        let widest = radii.map(|radii| radii.iter().copied().fold(0.0, f64::max)).reduce(|| 0.0, f64::max);
        self.sieve = Sieve::new(&engine.domain, widest);
        let Some(world) = World::new(engine, self.sieve) else { return 0 };
        let chunks = (0..slots as u32).into_par_iter().step_by(CHUNK);
        let found: Vec<Vec<Event>> = chunks
            .map(|first| {
                let mut found = Vec::new();
                find_among(world, first..(first + CHUNK as u32).min(slots as u32), &mut found);
                found
            })
            .collect();
        let tests = world.lists.listed() as u64;
        let count: usize = found.iter().map(Vec::len).sum();
        let stretches = (count as f64 / (CONTACTS_PER_BODY * slots.max(1) as f64)).ceil() as usize;
        let of = stretches.clamp(1, MOST_STRETCHES);
        self.due.resize_with(of.max(self.due.len()), Vec::new);
        self.due.iter_mut().for_each(Vec::clear);
        let all = Stretch { number: 0, of };
        found.iter().flatten().for_each(|event| self.due[all.at(event.time)].push(*event));
        engine.tally.narrow_tests += tests;
        of
    }
}

/// Finds what is due for bodies: with those in higher slots, and with walls.
fn find_among<const D: usize>(world: World<'_, D>, slots: Range<u32>, found: &mut Vec<Event>) {
    let touch = |[i, j]: [u32; 2], found: &mut Vec<Event>| {
        if let Some(time) = world.time_of_contact((i, &world.path(i)), (j, &world.path(j)), 1.0) {
            found.push(world.contact(time, [i, j], [0; 2]));
        }
    };
    // Everybody starts with the step.
    let first_path = |slot: u32| Path { since: 0.0, ..world.path(slot) };
    let mut pairs = Pairs::new();
    for slot in slots {
        let path = first_path(slot);
        for above in world.lists.above(slot) {
            for &other in above {
                if pairs.push_first((slot, &path), (other, &first_path(other))) {
                    pairs.sift(&world.sieve, 1.0, |slots| touch(slots, found));
                }
            }
        }
        if world.engine.has_walls() {
            found.extend(world.wall(slot, &path, 0));
        }
    }
    pairs.sift(&world.sieve, 1.0, |slots| touch(slots, found));
}
