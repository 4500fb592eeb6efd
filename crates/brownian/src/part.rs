//! Clusters regroup: units are made, changed and taken apart, and pieces fly apart with the
//! outgoing velocities that make binding and unbinding each other's reverse.

use super::diffusion::Diffusion;
use super::reaction::Reaction;
use super::sites::occupy;
use super::system::{System, normals, share};
use super::{Brownian, StepError};
use jostle_core::clusters::{Bond, Component, Unit, components};
use jostle_core::particles::ALONE;
use jostle_core::space::Vector;
use rand_distr::{Distribution, Exp1};

/// Two clusters that part at contact.
pub(super) struct Parting<const D: usize> {
    /// The unit vector from the first to the second.
    pub normal: Vector<D>,
    /// Their diffusion coefficients. \[nm²/µs\]
    pub diffusion: [f64; 2],
}

impl<const D: usize> Parting<D> {
    /// Where two that part from `place` are: in contact, their place weighted with the other's D.
    pub(super) fn places(&self, place: Vector<D>, distance: f64) -> [Vector<D>; 2] {
        let share = share(self.diffusion);
        let apart = self.normal * distance;
        [place - apart * share, place + apart * (1.0 - share)]
    }
}

impl<const D: usize> Reaction<'_, D> {
    /// Outgoing velocities of two that part: the relative one with a Rayleigh-distributed normal
    /// part and Gaussian tangential parts of width s = sqrt(2 (D_A + D_B) dt), the common one
    /// Maxwell for mass 1/D_A + 1/D_B. Reversed in time, these are the pairs that bind.
    pub(super) fn parting_velocities(&mut self, parting: &Parting<D>) -> [Vector<D>; 2] {
        let [d_a, d_b] = parting.diffusion;
        let relative = self.engine.system.motion.step_length(d_a + d_b);
        let gaussian = normals(&mut self.generator);
        // Pairs hit each other the more often the faster they approach: that weight makes a
        // Rayleigh distribution out of the Gaussian one along the normal.
        let rayleigh = {
            let exponential: f64 = Exp1.sample(&mut self.generator);
            (2.0 * exponential).sqrt()
        };
        let tangential = gaussian - parting.normal * gaussian.dot(parting.normal);
        let outgoing = (tangential + parting.normal * rayleigh) * relative;
        let joint = if d_a + d_b > 0.0 { d_a * d_b / (d_a + d_b) } else { 0.0 };
        let common = normals(&mut self.generator) * self.engine.system.motion.step_length(joint);
        let share = share(parting.diffusion);
        [common - outgoing * share, common + outgoing * (1.0 - share)]
    }

    /// Lets the particles in two slots, which touch and move apart from each other, fly apart along
    /// the line from the first to the second.
    pub(super) fn fly_apart(&mut self, slots: [u32; 2]) -> Result<(), StepError> {
        self.released = Some(slots);
        let [a, b] = slots.map(|slot| self.engine.system.place_at(slot, self.time));
        let apart = self.engine.system.domain.nearest_image(b - a);
        let normal = apart * (1.0 / apart.norm());
        if let Some(gives) = self.engine.system.gives(slots, [a, b], normal) {
            return self.fly_apart_along(slots, normal, gives);
        }
        let diffusion =
            slots.map(|slot| self.engine.system.particles.diffusion_coefficient[slot as usize]);
        let parting = Parting { normal, diffusion };
        let [first, second] = self.parting_velocities(&parting);
        self.engine.set_off(slots[0], self.time, first)?;
        self.engine.set_off(slots[1], self.time, second)
    }

    /// Lets several that come out of one `centre` fly off, each with a velocity of its own Maxwell
    /// distribution, turned outwards.
    pub(super) fn scatter(&mut self, slots: &[u32], centre: Vector<D>) -> Result<(), StepError> {
        // Three or more that part have no contact to be the reverse of: so each draws for itself,
        // and is only kept from running into the others at once. Early returns are lost; `check`
        // says how many.
        for &slot in slots {
            let width = self
                .engine
                .system
                .motion
                .step_length(self.engine.system.particles.diffusion_coefficient[slot as usize]);
            let place = self.engine.system.place_at(slot, self.time);
            let mut velocity =
                self.engine.system.free_way(slot, place, normals(&mut self.generator) * width);
            let outwards = self.engine.system.free_way(
                slot,
                place,
                self.engine.system.domain.nearest_image(place - centre),
            );
            let (inwards, square) = (velocity.dot(outwards), outwards.norm_squared());
            if inwards < 0.0 && square > 0.0 {
                velocity -= outwards * (2.0 * inwards / square);
            }
            self.engine.set_off(slot, self.time, velocity)?;
        }
        Ok(())
    }

    /// Lets the pieces of a unit go: two fly apart along the bond that joined the particles at its
    /// `ends`, more of them fly off from `place`. The pieces of a flexible unit, which have been moving
    /// by themselves, continue. Starts their clocks.
    pub(super) fn let_go(
        &mut self,
        was_flexible: bool,
        pieces: &[Component],
        ends: [u32; 2],
        place: Vector<D>,
    ) -> Result<(), StepError> {
        let firsts: Vec<u32> = pieces.iter().map(|piece| piece.members[0]).collect();
        if was_flexible {
            match pieces {
                [_, _] => self.continue_on(&ends)?,
                _ => pieces.iter().try_for_each(|piece| self.continue_on(&piece.members))?,
            }
        } else if let [_, _] = firsts[..] {
            self.fly_apart(ends)?;
        } else {
            self.scatter(&firsts, place)?;
        }
        firsts.iter().for_each(|&slot| {
            self.engine.plans.restart_clock(&self.engine.system, slot, self.time)
        });
        Ok(())
    }
}

impl<const D: usize> Brownian<D> {
    /// Takes a unit apart: its clock stops, its members are alone, with their paths as they were.
    pub(super) fn dissolve(&mut self, number: u32) -> Unit {
        let unit = self.system.clusters.unit(number);
        // Members of a flexible one have moved by themselves, with the D of the region that they are in.
        let own = |&member: &u32| match unit.is_flexible {
            true => self.system.particles.diffusion_coefficient[member as usize],
            false => Diffusion(&self.system).alone(member, self.system.now),
        };
        let free: Vec<f64> = unit.members.iter().map(own).collect();
        let unit = self.system.clusters.remove_unit(number);
        self.plans.timers.cancel(unit.id);
        for (&member, free) in unit.members.iter().zip(free) {
            self.system.particles.unit[member as usize] = ALONE;
            self.system.particles.diffusion_coefficient[member as usize] = free;
        }
        unit
    }
}

impl<const D: usize> System<D> {
    /// Makes units of `members`, which are alone, where `bonds` join them. Their velocities are
    /// still to be given and their clocks to be started. Returns the components, that of the lowest
    /// identity first, and the identities of their clusters, which are new.
    pub(super) fn regroup(
        &mut self,
        mut members: Vec<u32>,
        mut bonds: Vec<Bond>,
    ) -> (Vec<Component>, Vec<u64>) {
        // New identities are given in this order, which must not depend on slots.
        members.sort_unstable_by_key(|&slot| self.particles.id[slot as usize]);
        bonds.sort_unstable_by_key(|bond| bond.ids);
        occupy(&self.species, &mut self.particles, &members, &bonds);
        let found = components(&members, &bonds, &self.particles);
        let mut clusters = Vec::with_capacity(found.len());
        for Component { members, bonds } in &found {
            if let [alone] = members[..] {
                clusters.push(self.particles.id[alone as usize]);
                continue;
            }
            let diffusion_coefficient = Diffusion(self).of(members, self.now);
            let id = self.new_id();
            let (members, bonds) = (members.clone(), bonds.clone());
            let is_tether = |bond: &Bond| self.book.rules().tether(bond.rule).is_some();
            let is_flexible = bonds.iter().all(is_tether);
            let unit = Unit::new(id, members, bonds, diffusion_coefficient, &self.particles);
            self.clusters.add_unit(unit.flexible(is_flexible), &mut self.particles);
            clusters.push(id);
        }
        (found, clusters)
    }

    /// An identity that no particle has had.
    pub(super) fn new_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id - 1
    }
}
