//! The world as all islands see it: every particle on the path that the stretch began with.

use super::super::fields::Walls;
use super::super::plan::Due;
use super::super::shells::Encounters;
use super::super::system::System;
use super::super::touch::Approach;
use super::super::{Brownian, Scratch};
use super::sieve::{Sieve, sift_all};
use super::{Event, FEW_PARTICLES, NONE};
use jostle_core::narrow::{first_contact_nearest, next_edge_nearest, tether_end};
use jostle_core::particles::{ALONE, Particles};
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
    pub(super) sieve: &'a Sieve<D>,
    /// Every particle's path at the beginning of the stretch. \[slot\]
    position: &'a [Vector<D>],
    velocity: &'a [Vector<D>],
    since: &'a [f64],
    radius: &'a [f64],
    /// How far each is looked for: its radius, or beyond. \[slot\]
    reach: &'a [f64],
    /// Whether all live and interact with all, none passes another, and no rule tethers any.
    plain: bool,
    /// Whether some have potentials or tethers.
    has_shells: bool,
}

impl<'a, const D: usize> World<'a, D> {
    /// None if there are no lists.
    pub(super) fn new(engine: &'a Brownian<D>, sieve: &'a Sieve<D>) -> Option<Self> {
        let Brownian { system, scratch: Scratch { busy, .. }, search, .. } = engine;
        let lists = search.lists()?;
        let plain = system.groups.is_all()
            && system.book.none_passes()
            && !system.book.makes_tethers()
            && engine.dead == 0;
        let has_shells = !system.shells.potentials.is_empty();
        let Particles { position, velocity, since, radius, .. } = &system.particles;
        // Of one length for all, so that one look at a slot's number is enough.
        let slots = position.len();
        let (velocity, since, radius) = (&velocity[..slots], &since[..slots], &radius[..slots]);
        let reach = &system.shells.reach().unwrap_or(radius)[..slots];
        Some(Self {
            system,
            busy,
            lists,
            sieve,
            position,
            velocity,
            since,
            radius,
            reach,
            plain,
            has_shells,
        })
    }

    /// Whether to settle all that is due in a stretch as one island. Where few particles reach far,
    /// islands meet all the time, and to settle them again takes longer than threads save. Nothing must be
    /// left to the queue, which would have to give up all of it.
    pub(super) fn is_one_island(&self) -> bool {
        let System { book, environment, particles, .. } = self.system;
        let rules = book.rules();
        self.has_shells
            && particles.len() <= FEW_PARTICLES
            && self.plain
            && environment.is_empty()
            && rules.timed.is_empty()
            && !rules.contact.iter().any(|rule| rule.action.reacts() && rule.tether.is_none())
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
        sift_all(self.sieve, [self.position, self.velocity], self.radius, pairs, through);
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

    /// Brings close how far a particle is looked for, if that is not its radius.
    #[inline(always)]
    pub(super) fn fetch_reach(&self, slot: u32) {
        if self.has_shells {
            prefetch(self.reach, slot as usize);
        }
    }

    /// Whether the list of a particle covers this path.
    #[inline]
    pub(super) fn covers(&self, slot: u32, path: &Path<D>) -> bool {
        let path = Path { radius: self.reach[slot as usize], ..*path };
        self.lists.covers(slot, &path, &self.system.paths())
    }

    /// When two particles first touch on these paths, before `end`.
    ///
    /// What [`Encounters::next`] says. Where that is of the nearest image alone, with or without
    /// shells and tethers, which it almost always is, there is a shorter way: the two may come in
    /// either order, and no identity has to be looked up but those of particles in one unit.
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
        if self.has_shells {
            return self.time_of_edge((i, a), (j, b), end);
        }
        first_contact_nearest(&self.system.domain, a, b, end)
    }

    /// The same where some have potentials or tethers.
    #[inline]
    fn time_of_edge(
        &self,
        (i, a): (u32, &Path<D>),
        (j, b): (u32, &Path<D>),
        end: f64,
    ) -> Option<f64> {
        let System { shells, particles, domain, .. } = self.system;
        let [m, n] = [i as usize, j as usize];
        let [one, other] = [particles.species[m], particles.species[n]];
        // Its random numbers are those of identities.
        if !shells.potentials.climbs(one, other).is_empty() {
            return self.system.time_of_contact((i, a), (j, b), end);
        }
        let edges = shells.potentials.of(one, other);
        let next = next_edge_nearest(domain, a, b, edges.map_or(&[], |one| one.edges()), end);
        let unit = particles.unit[m];
        if unit == ALONE || unit != particles.unit[n] {
            return next;
        }
        let (one, other) = (particles.id[m], particles.id[n]);
        let ids = [one.min(other), one.max(other)];
        let length = Encounters(self.system).tether([i, j], ids);
        match length.and_then(|length| tether_end(domain, a, b, length, end)) {
            Some(taut) => Some(next.map_or(taut.time, |next| next.min(taut.time))),
            None => next,
        }
    }

    /// The first contact of a particle on this path with a wall.
    #[inline]
    pub(super) fn wall(&self, slot: u32, path: &Path<D>, turns: u32) -> Option<Event> {
        let (time, wall) = Walls(self.system).next(slot, path)?;
        let due = Due::Wall { id: self.system.particles.id[slot as usize], wall, slot };
        Some(Event { time, due, turns: [turns, NONE] })
    }
}

impl<const D: usize> System<D> {
    /// When two particles first touch on these paths, or come to the edge of a shell, before `end`:
    /// what [`Encounters::next`] says.
    #[inline(never)]
    pub(super) fn time_of_contact(
        &self,
        (i, a): (u32, &Path<D>),
        (j, b): (u32, &Path<D>),
        end: f64,
    ) -> Option<f64> {
        let System { particles: p, groups, .. } = self;
        let [m, n] = [i as usize, j as usize];
        if !(p.alive[m] && p.alive[n] && groups.interact(p.group[m], p.group[n])) {
            return None;
        }
        let ids = [p.id[m], p.id[n]];
        let pair = match ids[0] < ids[1] {
            true => Approach { ids, slots: [i, j], paths: [*a, *b] },
            false => Approach { ids: [ids[1], ids[0]], slots: [j, i], paths: [*b, *a] },
        };
        Encounters(self).next(&pair, end)
    }
}
