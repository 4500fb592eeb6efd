//! Particles in mid-step: where they are, how they are added and taken away, whether one fits.

use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::composed::Composition;
use super::ground::Ground;
use super::shells::Shells;
use super::tumble::{Tumblings, some_orientation};
use super::{Brownian, StepError};
use jostle_core::clusters::{Assembly, Clusters, Part, Unit};
use jostle_core::environment::Environment;
use jostle_core::motion::Motion;
use jostle_core::observe::{Clock, Party};
use jostle_core::particles::{ALONE, Particle, Particles};
use jostle_core::random::Random;
use jostle_core::rules::{RuleBook, Standing};
use jostle_core::search::Broad;
use jostle_core::space::{Domain, Groups, Paths, Vector};
use jostle_core::species::{MobilityLaw, Species};

/// The particles, and all that says how they move and interact.
pub(super) struct System<const D: usize> {
    pub(super) domain: Domain<D>,
    pub(super) environment: Environment<D>,
    pub(super) groups: Groups,
    pub(super) species: Vec<Species>,
    pub(super) mobility: MobilityLaw,
    pub(super) particles: Particles<D>,
    pub(super) clusters: Clusters,
    /// What each unit has drawn for this step: scratch space. \[unit\], \[nm per step\]
    pub(super) unit_velocity: Vec<Vector<D>>,
    pub(super) book: RuleBook<D>,
    pub(super) motion: Motion<D>,
    pub(super) shells: Shells,
    pub(super) random: Random,
    pub(super) clock: Clock,
    /// The moment within the step that has been reached.
    pub(super) now: f64,
    pub(super) tumblings: Tumblings,
    /// The identity that the next new particle or cluster gets.
    pub(super) next_id: u64,
    /// How many sites of each surface are taken, if that is known: see [`super::sites_of_surfaces`].
    pub(super) taken_sites: Option<Vec<u64>>,
}

impl<const D: usize> System<D> {
    /// The box and its surfaces.
    #[inline]
    pub(super) fn ground(&self) -> Ground<'_, D> {
        Ground { domain: &self.domain, environment: &self.environment }
    }

    /// The particle in `slot` chatters without end.
    pub(super) fn wedged(&self, slot: u32) -> StepError {
        let p = &self.particles;
        // Where it turned last.
        let (i, (place, _)) = (slot as usize, self.domain.wrap(p.position[slot as usize]));
        let remedy = match self.ground().leaves_no_room(p.species[i], place, p.radius[i]) {
            true => {
                "What stops it on two sides leaves it no room to move: a wider gap, a smaller radius or a space of fewer \
                 dimensions is needed"
            }
            false => "A shorter time step, or a lower packing fraction, would let it out",
        };
        StepError::Wedged {
            step: self.clock.step,
            id: self.particles.id[slot as usize],
            budget: super::settle::BUDGET,
            remedy,
        }
    }

    /// The present paths of all particles as search structures see them: where there are potentials,
    /// a particle is as large as it reaches.
    #[inline]
    pub(super) fn paths(&self) -> Paths<'_, D> {
        let paths = self.particles.paths(&self.domain, &self.groups);
        self.shells.reach().map_or(paths, |reach| Paths { radius: reach, ..paths })
    }

    /// Where the particle in `slot` is at `time`.
    pub(super) fn place_at(&self, slot: u32, time: f64) -> Vector<D> {
        let (p, i) = (&self.particles, slot as usize);
        p.position[i] + p.velocity[i] * (time - p.since[i])
    }

    /// A particle as changes name it.
    pub(super) fn party(&self, slot: u32) -> Party {
        let i = slot as usize;
        Party {
            id: self.particles.id[i],
            species: self.particles.species[i],
            sites: self.particles.sites[i],
            radius: self.particles.radius[i],
            size: self.clusters.size_among(&self.particles, &[slot]),
            unwrapped: self.unwrapped(slot),
        }
    }

    /// Where the particle in `slot` is now without periodic wrap; the first components of as many
    /// as there are axes.
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

    /// How the particle in `slot` stands to others.
    pub(super) fn standing(&self, slot: u32) -> Standing {
        let id = self.particles.id[slot as usize];
        let bonds = self.clusters.unit_of(&self.particles, slot).map_or(0, |unit| {
            unit.bonds.iter().filter(|bond| bond.ids.contains(&id)).count() as u32
        });
        Standing { size: self.clusters.size_of(&self.particles, slot), bonds }
    }

    /// A displacement per step of the particle in `slot`, or of the unit that it moves with:
    /// diffusion from the given standard normals, and drift.
    pub(super) fn velocity_of(&self, slot: u32, time: f64, normals: Vector<D>) -> Vector<D> {
        let i = slot as usize;
        match self.clusters.rigid_unit_of(&self.particles, slot) {
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

    /// The particle in `slot` with all that it is made of, which it gives up.
    pub(super) fn assembly(&mut self, slot: u32) -> Assembly {
        let particle = Composition(self).part(slot);
        Assembly { particle, whole: self.clusters.wholes.remove(&particle.id) }
    }

    /// The same of one that becomes part of a particle at `place`, which has `image` periods behind
    /// it: it remembers by how many its own path is ahead, so that it can resume that.
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
            assembly.particle.ahead[k] = own[k].wrapping_sub(image[k]);
        }
        assembly
    }
}

impl<const D: usize> Brownian<D> {
    /// Gives the particle in `slot`, and all that move with it, this diffusive displacement per step, beside
    /// their drift.
    pub(super) fn set_off(
        &mut self,
        slot: u32,
        time: f64,
        diffusive: Vector<D>,
    ) -> Result<(), StepError> {
        // Without noise, a velocity is drift alone.
        let drift = self.system.velocity_of(slot, time, Vector::ZERO);
        self.redirect(slot, time, diffusive + drift)
    }

    /// Adds a particle in mid-step, so far without plans.
    pub(super) fn add(&mut self, particle: Particle<D>) -> u32 {
        let diffusion_coefficient = match self.system.environment.is_empty() {
            true => particle.diffusion_coefficient,
            false => self.system.ground().diffusion_at(
                particle.species,
                particle.position,
                particle.diffusion_coefficient,
            ),
        };
        let slot = self.system.particles.push(Particle { diffusion_coefficient, ..particle });
        let System { particles, environment, random, clock, now, .. } = &mut self.system;
        if particles.are_oriented {
            let (id, about) =
                (particles.id[slot as usize], environment.turns_about(particle.species));
            let key = [id, clock.step, now.to_bits(), 1];
            particles.orientation[slot as usize] = some_orientation(*random, key, about);
        }
        let System { shells, particles, .. } = &mut self.system;
        shells.measure_one(particles, slot);
        self.cover_slots();
        let paths = self.system.paths();
        self.search.insert(slot, &paths);
        slot
    }

    /// Takes back the particle added last.
    pub(super) fn take_back(&mut self, slot: u32) {
        self.search.remove(slot);
        self.system.particles.pop();
        self.system.shells.truncate(self.system.particles.len());
    }

    /// Lets the particle in `slot` cease to be. The slot stays until the slots are closed.
    pub(super) fn kill(&mut self, slot: u32) {
        let i = slot as usize;
        self.plans.timers.cancel(self.system.particles.id[i]);
        self.system.particles.alive[i] = false;
        self.system.particles.velocity[i] = Vector::ZERO;
        self.system.particles.unit[i] = ALONE;
        self.search.remove(slot);
        self.plans.agenda.forget(slot);
        self.dead += 1;
    }

    /// Whether the particle in `slot` overlaps no particle but `others` at `time`, nor a wall;
    /// particles that it may pass do not count.
    pub(super) fn fits(&mut self, slot: u32, time: f64, others: &[u32]) -> bool {
        let i = slot as usize;
        let (centre, radius) = (self.system.place_at(slot, time), self.system.particles.radius[i]);
        let species = self.system.particles.species[i];
        if !self.system.ground().is_clear(species, centre, radius) {
            return false;
        }
        self.islands.find_near(&self.system, &self.search, slot, &mut self.scratch.near);
        self.scratch.near.iter().all(|&other| {
            let j = other as usize;
            let distance = radius + self.system.particles.radius[j];
            let apart = self
                .system
                .domain
                .nearest_image(self.islands.place_at(&self.system, other, time) - centre);
            others.contains(&other)
                || apart.norm_squared() >= distance * distance
                || self.system.book.pass(species, self.system.particles.species[j])
        })
    }

    /// Whether the particle in `slot` may turn into one of `species` where it is at `time`: whether
    /// it overlaps none, but perhaps `others`, what it may pass so far but could not pass then, nor
    /// sticks in a surface that it would meet then.
    pub(super) fn may_become(
        &mut self,
        slot: u32,
        species: u16,
        time: f64,
        others: &[u32],
    ) -> bool {
        let i = slot as usize;
        let former = self.system.particles.species[i];
        let (centre, radius) = (self.system.place_at(slot, time), self.system.particles.radius[i]);
        if self
            .system
            .environment
            .in_the_way(&self.system.domain, species, centre, radius)
            .is_some()
        {
            return false;
        }
        let gets_in_the_way =
            |book: &RuleBook<D>, s: u16| book.pass(former, s) && !book.pass(species, s);
        if !(0..self.system.species.len() as u16).any(|s| gets_in_the_way(&self.system.book, s)) {
            return true;
        }
        // Those that it has ignored so far are listed only for what it is to be.
        let group = std::mem::replace(&mut self.system.particles.group[i], species);
        self.search.update(slot, &self.system.paths());
        self.islands.find_near(&self.system, &self.search, slot, &mut self.scratch.near);
        let free = self.scratch.near.iter().all(|&other| {
            let j = other as usize;
            let distance = radius + self.system.particles.radius[j];
            let apart = self
                .system
                .domain
                .nearest_image(self.islands.place_at(&self.system, other, time) - centre);
            others.contains(&other)
                || apart.norm_squared() >= distance * distance
                || !gets_in_the_way(&self.system.book, self.system.particles.species[j])
        });
        self.system.particles.group[i] = group;
        self.search.update(slot, &self.system.paths());
        free
    }
}

/// Periods added up. What is beyond the range comes back into it when it is taken off again; no
/// particle gets there, since [`StepError::TooFar`] comes before.
fn sum_of_periods<const D: usize>(image: [i32; D], more: [i32; D]) -> [i32; D] {
    std::array::from_fn(|k| image[k].wrapping_add(more[k]))
}

/// A part as a particle again, where one on the path of the particle that held it would have
/// `image` periods behind it.
pub(super) fn set_free<const D: usize>(
    part: &Part,
    position: Vector<D>,
    since: f64,
    image: [i32; D],
) -> Particle<D> {
    Particle {
        sites: 0,
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
