//! Bodies in mid-step: where they are, how they are added and taken away, whether one fits.

use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::ground::Ground;
use super::{Brownian, StepError};
use jostle_core::clusters::{Assembly, Clusters, Part, Piece, Unit};
use jostle_core::environment::Environment;
use jostle_core::motion::Motion;
use jostle_core::observe::{Clock, Party};
use jostle_core::particles::{ALONE, Body, Particles};
use jostle_core::random::Random;
use jostle_core::rules::{RuleBook, Standing};
use jostle_core::search::Broad;
use jostle_core::space::{Domain, Groups, Paths, Vector};
use jostle_core::species::{MobilityLaw, Species};

/// The particles, and all that says how they move and interact.
pub(super) struct Bodies<const D: usize> {
    pub(super) domain: Domain<D>,
    pub(super) environment: Environment<D>,
    pub(super) groups: Groups,
    pub(super) species: Vec<Species>,
    pub(super) mobility: MobilityLaw,
    pub(super) particles: Particles<D>,
    pub(super) clusters: Clusters,
    pub(super) book: RuleBook<D>,
    pub(super) motion: Motion<D>,
    pub(super) random: Random,
    pub(super) clock: Clock,
    /// The moment within the step that has been reached.
    pub(super) now: f64,
    /// The identity that the next new particle or cluster gets.
    pub(super) next_id: u64,
}

impl<const D: usize> Bodies<D> {
    /// The box and its surfaces.
    #[inline]
    pub(super) fn ground(&self) -> Ground<'_, D> {
        Ground { domain: &self.domain, environment: &self.environment }
    }

    /// The body in `slot` chatters without end.
    pub(super) fn wedged(&self, slot: u32) -> StepError {
        StepError::Wedged {
            step: self.clock.step,
            id: self.particles.id[slot as usize],
            budget: super::settle::BUDGET,
        }
    }

    /// The present paths of all particles.
    #[inline]
    pub(super) fn paths(&self) -> Paths<'_, D> {
        self.particles.paths(&self.domain, &self.groups)
    }

    /// Where the body in `slot` is at `time`.
    pub(super) fn place_at(&self, slot: u32, time: f64) -> Vector<D> {
        let (p, i) = (&self.particles, slot as usize);
        p.position[i] + p.velocity[i] * (time - p.since[i])
    }

    /// A body as changes name it.
    pub(super) fn party(&self, slot: u32) -> Party {
        let i = slot as usize;
        Party {
            id: self.particles.id[i],
            species: self.particles.species[i],
            radius: self.particles.radius[i],
            size: self.clusters.size_among(&self.particles, &[slot]),
            unwrapped: self.unwrapped(slot),
        }
    }

    /// Where the body in `slot` is now without periodic wrap; the first components of as many as
    /// there are axes.
    fn unwrapped(&self, slot: u32) -> [f64; 3] {
        let (place, image) = (self.place_at(slot, self.now), self.particles.image[slot as usize]);
        let mut unwrapped = [0.0; 3];
        for k in 0..D {
            unwrapped[k] = place[k] + f64::from(image[k]) * self.domain.edges()[k];
        }
        unwrapped
    }

    /// The image counts of a particle at `place` whose unwrapped path continues that of the one in
    /// `slot`.
    pub(super) fn image_beside(&self, slot: u32, time: f64, place: Vector<D>) -> [i32; D] {
        let periods = self.domain.nearest_periods(self.place_at(slot, time) - place);
        sum_of_periods(self.particles.image[slot as usize], periods.map(|n| n as i32))
    }

    /// D of the body in `slot` when it is alone. \[nm²/µs\]
    pub(super) fn free_diffusion(&self, slot: u32) -> f64 {
        let i = slot as usize;
        if self.particles.unit[i] == ALONE {
            return self.particles.diffusion_coefficient[i];
        }
        let species = &self.species[self.particles.species[i] as usize];
        let of_whole = || self.clusters.wholes.get(&self.particles.id[i]);
        let otherwise = || of_whole().map(|whole| whole.body().diffusion_coefficient);
        species.diffusion_coefficient.or_else(otherwise).unwrap_or(0.0)
    }

    /// D of a cluster of these members, in the order of their identities. \[nm²/µs\]
    pub(super) fn diffusion_of(&self, members: &[u32]) -> f64 {
        match members {
            [alone] => self.free_diffusion(*alone),
            _ => self.mobility.diffusion_coefficient(&self.pieces(members), D),
        }
    }

    /// Bodies as parts of a cluster, as far as its mobility goes.
    pub(super) fn pieces(&self, members: &[u32]) -> Vec<Piece> {
        let piece = |&slot: &u32| Piece {
            diffusion_coefficient: self.free_diffusion(slot),
            radius: self.particles.radius[slot as usize],
        };
        members.iter().map(piece).collect()
    }

    /// The bodies that these hold, down to those that were never joined, as parts of a cluster.
    pub(super) fn singles(&self, slots: &[u32]) -> Vec<Piece> {
        let of = |slot: u32| match self.clusters.wholes.get(&self.particles.id[slot as usize]) {
            Some(whole) => whole.singles().map(|part| Piece::from(&part)).collect(),
            None => self.pieces(&[slot]),
        };
        slots.iter().flat_map(|&slot| of(slot)).collect()
    }

    /// How the body in `slot` stands to others.
    pub(super) fn standing(&self, slot: u32) -> Standing {
        let id = self.particles.id[slot as usize];
        let bonds = self.clusters.unit_of(&self.particles, slot).map_or(0, |unit| {
            unit.bonds.iter().filter(|bond| bond.ids.contains(&id)).count() as u32
        });
        Standing { size: self.clusters.size_of(&self.particles, slot), bonds }
    }

    /// A displacement per step of the body in `slot`, or of the unit that it moves with: diffusion
    /// from the given standard normals, and drift.
    pub(super) fn velocity_of(&self, slot: u32, time: f64, normals: Vector<D>) -> Vector<D> {
        let i = slot as usize;
        match self.clusters.unit_of(&self.particles, slot) {
            Some(unit) => self.unit_velocity(unit, time, normals),
            None => {
                let (species, place) = (self.particles.species[i], self.place_at(slot, time));
                let diffusion = self.particles.diffusion_coefficient[i];
                let velocity = self.motion.velocity(species, diffusion, place, normals);
                self.confined(species, diffusion, place, velocity)
            }
        }
    }

    /// The displacement per step of a unit: diffusion with its own coefficient, and the drift of
    /// its members weighted with their friction 1/D.
    pub(super) fn unit_velocity(&self, unit: &Unit, time: f64, normals: Vector<D>) -> Vector<D> {
        let diffusive = normals * self.motion.step_length(unit.diffusion_coefficient);
        let mut drift = Vector::ZERO;
        let mut friction = 0.0;
        for &member in &unit.members {
            let species = self.particles.species[member as usize];
            let d = self.species[species as usize].diffusion_coefficient.unwrap_or(0.0);
            let weight = if d > 0.0 { 1.0 / d } else { 0.0 };
            drift += self.motion.drift(species, self.place_at(member, time)) * weight;
            friction += weight;
        }
        let velocity =
            if friction > 0.0 { diffusive + drift * (1.0 / friction) } else { diffusive };
        self.along_planes(&unit.members, velocity)
    }

    /// The body in `slot` with all that it is made of, which it gives up.
    pub(super) fn assembly(&mut self, slot: u32) -> Assembly {
        let i = slot as usize;
        let id = self.particles.id[i];
        let body = Part {
            id,
            species: self.particles.species[i],
            radius: self.particles.radius[i],
            diffusion_coefficient: self.free_diffusion(slot),
            ahead: [0; 3],
        };
        Assembly { body, whole: self.clusters.wholes.remove(&id) }
    }

    /// The same of one that becomes part of a body at `place`, which has `image` periods behind it:
    /// it remembers by how many its own path is ahead, so that it can go on with that.
    pub(super) fn assembly_in(
        &mut self,
        slot: u32,
        time: f64,
        place: Vector<D>,
        image: [i32; D],
    ) -> Assembly {
        let own = self.image_beside(slot, time, place);
        let mut assembly = self.assembly(slot);
        for k in 0..D {
            assembly.body.ahead[k] = own[k].wrapping_sub(image[k]);
        }
        assembly
    }
}

impl<const D: usize> Brownian<D> {
    /// Lets the body in `slot`, and all that move with it, go on with a diffusive displacement per
    /// step that is given, and their drift.
    pub(super) fn set_off(
        &mut self,
        slot: u32,
        time: f64,
        diffusive: Vector<D>,
    ) -> Result<(), StepError> {
        let drift = self.bodies.velocity_of(slot, time, Vector::ZERO);
        self.redirect(slot, time, diffusive + drift)
    }

    /// Adds a body in mid-step, so far without plans.
    pub(super) fn add(&mut self, body: Body<D>) -> u32 {
        let diffusion_coefficient = match self.bodies.environment.is_empty() {
            true => body.diffusion_coefficient,
            false => self.bodies.ground().diffusion_at(
                body.species,
                body.position,
                body.diffusion_coefficient,
            ),
        };
        let slot = self.bodies.particles.push(Body { diffusion_coefficient, ..body });
        self.cover_slots();
        let paths = self.bodies.paths();
        self.search.insert(slot, &paths);
        slot
    }

    /// Takes back the body added last.
    pub(super) fn take_back(&mut self, slot: u32) {
        self.search.remove(slot);
        self.bodies.particles.pop();
    }

    /// Lets the body in `slot` cease to be. The slot stays until the slots are closed.
    pub(super) fn kill(&mut self, slot: u32) {
        let i = slot as usize;
        self.plans.timers.cancel(self.bodies.particles.id[i]);
        self.bodies.particles.alive[i] = false;
        self.bodies.particles.velocity[i] = Vector::ZERO;
        self.bodies.particles.unit[i] = ALONE;
        self.search.remove(slot);
        self.plans.agenda.forget(slot);
        self.dead += 1;
    }

    /// Whether the body in `slot` overlaps nobody but `others` at `time`, nor a wall; bodies that
    /// it may pass do not count.
    pub(super) fn fits(&mut self, slot: u32, time: f64, others: &[u32]) -> bool {
        let i = slot as usize;
        let (centre, radius) = (self.bodies.place_at(slot, time), self.bodies.particles.radius[i]);
        let species = self.bodies.particles.species[i];
        if !self.bodies.ground().is_clear(species, centre, radius) {
            return false;
        }
        self.scratch.near.clear();
        let paths = self.bodies.paths();
        self.search.near(slot, &paths, &mut self.scratch.near);
        self.scratch.near.iter().all(|&other| {
            let j = other as usize;
            let distance = radius + self.bodies.particles.radius[j];
            let apart = self.bodies.domain.nearest_image(paths.at(j, time) - centre);
            others.contains(&other)
                || apart.norm_squared() >= distance * distance
                || self.bodies.book.pass(species, self.bodies.particles.species[j])
        })
    }

    /// Whether the body in `slot` may turn into one of `species` where it is at `time`: whether it
    /// overlaps none, but perhaps `others`, whom it may pass so far but could not pass then, nor
    /// sticks in a surface that it would meet then.
    pub(super) fn may_become(
        &mut self,
        slot: u32,
        species: u16,
        time: f64,
        others: &[u32],
    ) -> bool {
        let i = slot as usize;
        let former = self.bodies.particles.species[i];
        let (centre, radius) = (self.bodies.place_at(slot, time), self.bodies.particles.radius[i]);
        if self
            .bodies
            .environment
            .in_the_way(&self.bodies.domain, species, centre, radius)
            .is_some()
        {
            return false;
        }
        let gets_in_the_way =
            |book: &RuleBook<D>, s: u16| book.pass(former, s) && !book.pass(species, s);
        if !(0..self.bodies.species.len() as u16).any(|s| gets_in_the_way(&self.bodies.book, s)) {
            return true;
        }
        // Those that it has taken no notice of so far are listed only for what it is to be.
        let group = std::mem::replace(&mut self.bodies.particles.group[i], species as u8);
        self.scratch.near.clear();
        let paths = self.bodies.paths();
        self.search.update(slot, &paths);
        self.search.near(slot, &paths, &mut self.scratch.near);
        let free = self.scratch.near.iter().all(|&other| {
            let j = other as usize;
            let distance = radius + self.bodies.particles.radius[j];
            let apart = self.bodies.domain.nearest_image(paths.at(j, time) - centre);
            others.contains(&other)
                || apart.norm_squared() >= distance * distance
                || !gets_in_the_way(&self.bodies.book, self.bodies.particles.species[j])
        });
        self.bodies.particles.group[i] = group;
        self.search.update(slot, &self.bodies.paths());
        free
    }
}

/// Periods added up. What is beyond the range comes back into it when it is taken off again; nobody
/// gets there, since [`StepError::TooFar`] comes before.
fn sum_of_periods<const D: usize>(image: [i32; D], more: [i32; D]) -> [i32; D] {
    std::array::from_fn(|k| image[k].wrapping_add(more[k]))
}

/// A part as a body again, where one on the path of the body that held it would have `image`
/// periods behind it.
pub(super) fn set_free<const D: usize>(
    part: &Part,
    position: Vector<D>,
    since: f64,
    image: [i32; D],
) -> Body<D> {
    Body {
        position,
        velocity: Vector::ZERO,
        since,
        radius: part.radius,
        diffusion_coefficient: part.diffusion_coefficient,
        species: part.species,
        id: part.id,
        image: sum_of_periods(image, std::array::from_fn(|k| part.ahead[k])),
    }
}

/// Standard normals from a generator.
pub(super) fn normals<const D: usize>(generator: &mut Xoshiro256PlusPlus) -> Vector<D> {
    Vector::from_fn(|_| StandardNormal.sample(generator))
}

/// A uniformly distributed unit vector.
pub(super) fn direction<const D: usize>(generator: &mut Xoshiro256PlusPlus) -> Vector<D> {
    loop {
        let gaussian: Vector<D> = Vector::from_fn(|_| StandardNormal.sample(generator));
        let norm = gaussian.norm();
        if norm > 1e-6 {
            return gaussian * (1.0 / norm);
        }
    }
}

/// D_A / (D_A + D_B), or of whatever else says how much each gives way.
pub(super) fn share([d_a, d_b]: [f64; 2]) -> f64 {
    if d_a + d_b > 0.0 { d_a / (d_a + d_b) } else { 0.5 }
}
