//! The world as all islands see it: every particle on the path that the stretch began with.

use super::super::plan::Due;
use super::super::system::System;
use super::super::{Brownian, Scratch};
use super::sieve::{Sieve, sift_all};
use super::{Event, NONE};
use jostle_core::narrow::{first_contact_nearest, first_contact_on};
use jostle_core::particles::Particles;
use jostle_core::prefetch::prefetch;
use jostle_core::search::{Pair, Verlet};
use jostle_core::space::{Path, Vector};

/// Which can be asked by any thread.
#[derive(Clone, Copy)]
pub(super) struct World<'a, const D: usize> {
    pub(super) system: &'a System<D>,
    /// How often each has turned in this step, before the stretch. \[slot\]
    pub(super) busy: &'a [u32],
    pub(super) lists: &'a Verlet<D>,
    pub(super) sieve: Sieve<D>,
    /// Every particle's path at the beginning of the stretch. \[slot\]
    position: &'a [Vector<D>],
    velocity: &'a [Vector<D>],
    since: &'a [f64],
    radius: &'a [f64],
    /// Whether all live and interact with all, and none passes another.
    plain: bool,
}

impl<'a, const D: usize> World<'a, D> {
    /// None if there are no lists.
    pub(super) fn new(engine: &'a Brownian<D>, sieve: Sieve<D>) -> Option<Self> {
        let Brownian { system, scratch: Scratch { busy, .. }, search, .. } = engine;
        let lists = search.lists()?;
        let plain = system.groups.is_all() && system.book.none_passes() && engine.dead == 0;
        let Particles { position, velocity, since, radius, .. } = &system.particles;
        // Of one length for all, so that one look at a slot's number is enough.
        let slots = position.len();
        let (velocity, since, radius) = (&velocity[..slots], &since[..slots], &radius[..slots]);
        Some(Self { system, busy, lists, sieve, position, velocity, since, radius, plain })
    }

    /// The path of a particle at the beginning of the stretch.
    #[inline(always)]
    pub(super) fn path(&self, slot: u32) -> Path<D> {
        let i = slot as usize;
        let Self { position, velocity, since, radius, .. } = self;
        Path { position: position[i], velocity: velocity[i], since: since[i], radius: radius[i] }
    }

    /// Appends all of `pairs` that may touch, each path beginning with the step.
    pub(super) fn sift_all(&self, pairs: &[Pair], through: &mut Vec<Pair>) {
        sift_all(&self.sieve, [self.position, self.velocity], self.radius, pairs, through);
    }

    /// Brings a path close.
    #[inline(always)]
    pub(super) fn fetch_path(&self, slot: u32) {
        let i = slot as usize;
        prefetch(self.position, i);
        prefetch(self.velocity, i);
        prefetch(self.since, i);
        prefetch(self.radius, i);
    }

    /// Whether the list of a particle covers this path.
    #[inline]
    pub(super) fn covers(&self, slot: u32, path: &Path<D>) -> bool {
        let System { particles, domain, groups, .. } = self.system;
        self.lists.covers(slot, path, &particles.paths(domain, groups))
    }

    /// When two particles first touch on these paths, before `end`.
    ///
    /// What [`first_contact_on`] says. Where that is of the nearest image alone and of hard
    /// spheres, which it almost always is, there is a shorter way, for which no particle's identity
    /// has to be looked up: the two may come in either order.
    #[inline]
    pub(super) fn time_of_contact(
        &self,
        (i, a): (u32, &Path<D>),
        (j, b): (u32, &Path<D>),
        end: f64,
    ) -> Option<f64> {
        let approach = b.velocity - a.velocity;
        // Both hold for all but a few: paths of one step are short against the box.
        if !self.plain || approach.norm_squared() >= self.sieve.one_image {
            return self.system.time_of_contact((i, a), (j, b), end);
        }
        first_contact_nearest(&self.system.domain, a, b, end)
    }

    /// The first contact of a particle on this path with a wall.
    #[inline]
    pub(super) fn wall(&self, slot: u32, path: &Path<D>, turns: u32) -> Option<Event> {
        let System { environment, domain, particles, .. } = self.system;
        let i = slot as usize;
        if !particles.alive[i] {
            return None;
        }
        let (time, wall) = environment.first_wall(domain, particles.species[i], path, 1.0)?;
        let due = Due::Wall { id: particles.id[i], wall, slot };
        Some(Event { time, due, turns: [turns, NONE] })
    }
}

impl<const D: usize> System<D> {
    /// When two particles first touch on these paths, before `end`: what [`first_contact_on`] says.
    #[cold]
    pub(super) fn time_of_contact(
        &self,
        (i, a): (u32, &Path<D>),
        (j, b): (u32, &Path<D>),
        end: f64,
    ) -> Option<f64> {
        let System { particles: p, book, groups, domain, .. } = self;
        let [m, n] = [i as usize, j as usize];
        if !(p.alive[m] && p.alive[n] && groups.interact(p.group[m], p.group[n])) {
            return None;
        }
        let hard = !book.pass(p.species[m], p.species[n]);
        let (a, b) = if p.id[m] < p.id[n] { (a, b) } else { (b, a) };
        Some(first_contact_on(domain, a, b, end, hard)?.time)
    }
}
