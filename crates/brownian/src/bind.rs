//! Two particles bind: they become one sphere, or are joined by a bond.
//!
//! A sphere that two coalesce into gets a new identity; its parts keep theirs and take them up
//! again when it splits. If it is one of the two in another state
//! (`EGF + EGFR{free} -> EGFR{bound}`), or an aggregate that grows, it keeps that identity instead.

use super::StepError;
use super::confined::MeshJoining;
use super::diffusion::Diffusion;
use super::reaction::{Attempt, Reaction, Refusal, with_room};
use super::report::ChangeRecord;
use super::sites::change_states;
use super::system::{System, normals, share};
use super::touch::Touch;
use jostle_core::clusters::{Bond, NO_SITE, Part, Whole, joint_radius};
use jostle_core::observe::ChangeKind;
use jostle_core::particles::{ALONE, Particle};
use jostle_core::rules::{Decision, Product};
use jostle_core::space::Vector;
use jostle_core::species::MobilityLaw;

impl<const D: usize> Reaction<'_, D> {
    /// Joins two touching particles into one, with a fresh velocity from its own Maxwell
    /// distribution. Nothing changes if the product would overlap a third particle or a wall, if one
    /// of the two would get through a surface that stops it, or if detailed balance is against it.
    ///
    /// The product sits at (D_B x_A + D_A x_B)/(D_A + D_B), or on a mesh where either of the two is, but if it is one of
    /// the two in another state and no larger than it was, it stays where that is, in its unit if it has bonds.
    pub(super) fn coalesce(
        &mut self,
        touch: &Touch<D>,
        decision: Decision,
    ) -> Result<Attempt, StepError> {
        let [product] = *self.engine.system.book.contact_products(self.rule, decision.case) else {
            return Ok(Err(Refusal::NoRoom));
        };
        let host =
            product.continues.map(|n| touch.slots[usize::from((n == 1) != decision.swapped)]);
        match host {
            Some(host) if self.stays_as_large(host, product.species) => {
                self.absorb(touch, product, host)
            }
            _ => self.merge(touch, product, host),
        }
    }

    /// Whether a particle that turns into one of `species` keeps its radius.
    fn stays_as_large(&self, slot: u32, species: u16) -> bool {
        let system = &self.engine.system;
        let (radius, before) =
            (system.particles.radius[slot as usize], system.particles.species[slot as usize]);
        system.species[species as usize].radius == Some(radius)
            && system.environment.anchored_to(species) == system.environment.anchored_to(before)
    }

    /// One of two takes in the other and stays where it is.
    fn absorb(
        &mut self,
        touch: &Touch<D>,
        product: Product,
        host: u32,
    ) -> Result<Attempt, StepError> {
        let guest = if host == touch.slots[0] { touch.slots[1] } else { touch.slots[0] };
        let place = self.engine.system.place_at(host, touch.time);
        if self.engine.system.particles.unit[guest as usize] != ALONE
            || !self.gets_to(guest, place, product.species)
            || !self.engine.may_become(host, product.species, touch.time, &touch.slots)
        {
            return Ok(Err(Refusal::NoRoom));
        }
        let attempt = self.accept(|among, time| {
            among.energy_as(host, product.species, &touch.slots, time)
                - among.energy_of(&touch.slots, &touch.slots, time)
        });
        let attempt = attempt.and_then(|()| MeshJoining(self).may_join([host, guest]));
        if attempt.is_err() {
            return Ok(attempt);
        }
        let before = self.engine.system.clusters_of(&touch.slots);
        let parties = touch.slots.map(|slot| self.engine.system.party(slot));
        let image = self.engine.system.particles.image[host as usize];
        let parts =
            touch.slots.map(|slot| self.engine.system.assembly_in(slot, touch.time, place, image));
        let (i, id) = (host as usize, self.engine.system.particles.id[host as usize]);
        let free = self.engine.system.species[product.species as usize].diffusion_coefficient;
        let free = free
            .unwrap_or(parts[usize::from(host == touch.slots[1])].particle.diffusion_coefficient);
        let particle = Part {
            id,
            species: product.species,
            radius: self.engine.system.particles.radius[i],
            diffusion_coefficient: free,
            ahead: [0; 3],
        };
        self.engine.system.clusters.wholes.insert(id, Whole::of_pair(particle, parts, self.rule));
        self.engine.kill(guest);
        self.engine.system.turn_into(host, product.species, free);
        let normals = normals(&mut self.generator);
        let velocity = self.engine.system.velocity_of(host, touch.time, normals);
        self.engine.redirect(host, touch.time, velocity)?;
        self.engine.plans.restart_clock(&self.engine.system, host, touch.time);
        let record = ChangeRecord {
            products: &[self.engine.system.party(host)],
            before: &before,
            after: &self.engine.system.clusters_of(&[host]),
            ..ChangeRecord::of(ChangeKind::Coalesced, self.rule, touch.time, place, &parties)
        };
        self.tell_change(record)?;
        Ok(Ok(()))
    }

    /// Two become a particle that is somewhere else, or larger, than either.
    fn merge(
        &mut self,
        touch: &Touch<D>,
        product: Product,
        host: Option<u32>,
    ) -> Result<Attempt, StepError> {
        let [i, j] = touch.slots;
        // A member of a unit cannot leave its place.
        if touch.slots.iter().any(|&slot| self.engine.system.particles.unit[slot as usize] != ALONE)
        {
            return Ok(Err(Refusal::NoRoom));
        }
        // D of the two as such, wherever they are: so they can get back to where they were.
        let share = share(touch.slots.map(|slot| Diffusion(&self.engine.system).free(slot)));
        // Unbinding puts the two around the same point (`Parting::places`), so that the way there
        // and the way back are each other's reverse.
        let joins_at = MeshJoining(self).joins_at(product.species, [i, j], share);
        let share = joins_at.map_or(share, |n| n as f64);
        let place = self.place_of_joined(product.species, [i, j], touch.separation, share);
        if !touch.slots.iter().all(|&slot| self.gets_to(slot, place, product.species)) {
            return Ok(Err(Refusal::NoRoom));
        }
        let (radius, diffusion_coefficient) = self.size_of_product(touch.slots, product.species);
        let image = self.engine.system.image_beside(host.unwrap_or(i), touch.time, place);
        let slot = self.engine.add(Particle {
            sites: 0,
            position: place,
            velocity: Vector::ZERO,
            since: touch.time,
            radius,
            diffusion_coefficient,
            species: product.species,
            id: host.map_or(self.engine.system.next_id, |host| {
                self.engine.system.particles.id[host as usize]
            }),
            image,
        });
        let attempt = with_room(self.engine.fits(slot, touch.time, &[i, j])).and_then(|()| {
            let all = [i, j, slot];
            self.accept(|among, time| {
                among.energy_of(&[slot], &all, time) - among.energy_of(&[i, j], &all, time)
            })
        });
        let attempt = attempt.and_then(|()| match joins_at {
            Some(n) => MeshJoining(self).may_join([touch.slots[n], touch.slots[1 - n]]),
            None => Ok(()),
        });
        if attempt.is_err() {
            self.engine.take_back(slot);
            return Ok(attempt);
        }
        self.engine.system.next_id += u64::from(host.is_none());
        let parties = [self.engine.system.party(i), self.engine.system.party(j)];
        let parts = [i, j].map(|slot| {
            let assembly = self.engine.system.assembly_in(slot, touch.time, place, image);
            self.engine.kill(slot);
            assembly
        });
        let id = self.engine.system.particles.id[slot as usize];
        let particle =
            Part { id, species: product.species, radius, diffusion_coefficient, ahead: [0; 3] };
        self.engine.system.clusters.wholes.insert(id, Whole::of_pair(particle, parts, self.rule));
        let velocity =
            self.engine.system.velocity_of(slot, touch.time, normals(&mut self.generator));
        self.engine.redirect(slot, touch.time, velocity)?;
        self.engine.plans.restart_clock(&self.engine.system, slot, touch.time);
        let record = ChangeRecord {
            products: &[self.engine.system.party(slot)],
            before: &touch.ids,
            after: &[id],
            ..ChangeRecord::of(ChangeKind::Coalesced, self.rule, touch.time, place, &parties)
        };
        self.tell_change(record)?;
        Ok(Ok(()))
    }

    /// Radius and D of what two particles become: those of the species, or of as much as the two
    /// hold.
    fn size_of_product(&self, slots: [u32; 2], species: u16) -> (f64, f64) {
        let system = &self.engine.system;
        let kind = &system.species[species as usize];
        let radii = slots.map(|slot| system.particles.radius[slot as usize]);
        let radius = kind.radius.unwrap_or_else(|| joint_radius(radii.into_iter(), D));
        let diffusion = kind.diffusion_coefficient;
        // A table goes by how many particles there are, not by how they came together.
        let pieces = || match system.mobility {
            MobilityLaw::Table(_) => Diffusion(system).singles(&slots),
            _ => Diffusion(system).pieces(&slots),
        };
        (radius, diffusion.unwrap_or_else(|| system.mobility.diffusion_coefficient(&pieces(), D)))
    }

    /// Joins two touching particles by a bond: their units become one, which keeps its shape and
    /// gets a fresh velocity from its own Maxwell distribution. States of the two may change with it.
    /// Nothing changes if their sites cannot be brought in line.
    pub(super) fn bond(
        &mut self,
        touch: &Touch<D>,
        decision: Decision,
    ) -> Result<Attempt, StepError> {
        let System { clusters, particles, .. } = &self.engine.system;
        if touch.slots.iter().any(|&slot| clusters.is_tethered(particles, slot)) {
            return Ok(Err(Refusal::NoRoom));
        }
        let sites = self.engine.system.book.joins(decision).unwrap_or([NO_SITE; 2]);
        let has_moved = match self.dock(touch, sites) {
            Ok(has_moved) => has_moved,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let before = self.engine.system.clusters_of(&touch.slots);
        let made = Bond { ids: touch.ids, rule: self.rule, sites };
        let free = touch.slots.map(|slot| self.engine.system.party(slot));
        let changes = self.engine.system.book.changes(decision);
        change_states(&mut self.engine.system.particles, touch.slots, changes);
        let clusters = self.join(touch.slots, made);
        let [first, _] = touch.slots;
        let normals = normals(&mut self.generator);
        let velocity = self.engine.system.velocity_of(first, touch.time, normals);
        self.engine.redirect(first, touch.time, velocity)?;
        self.engine.plans.restart_clock(&self.engine.system, first, touch.time);
        let parties = touch.slots.map(|slot| self.engine.system.party(slot));
        let place = match has_moved {
            true => self.engine.system.place_of_bond(touch.slots, touch.time),
            false => {
                self.engine.system.place_at(first, touch.time)
                    + touch.normal() * self.engine.system.particles.radius[first as usize]
            }
        };
        let record = ChangeRecord {
            products: &parties,
            bonds_made: &[made],
            before: &before,
            after: &clusters,
            ..ChangeRecord::of(ChangeKind::Bonded, self.rule, touch.time, place, &free)
        };
        self.tell_change(record)?;
        Ok(Ok(()))
    }

    /// Makes one unit of those of the particles in two slots, and a new bond between them. Returns the
    /// identity of the cluster.
    pub(super) fn join(&mut self, slots: [u32; 2], made: Bond) -> Vec<u64> {
        let mut members = Vec::new();
        let mut bonds = vec![made];
        for slot in slots {
            match self.engine.system.particles.unit[slot as usize] {
                ALONE => {
                    self.engine.plans.timers.cancel(self.engine.system.particles.id[slot as usize]);
                    members.push(slot);
                }
                number => {
                    let unit = self.engine.dissolve(number);
                    members.extend(unit.members);
                    bonds.extend(unit.bonds);
                }
            }
        }
        let (_, clusters) = self.engine.system.regroup(members, bonds);
        clusters
    }
}

impl<const D: usize> System<D> {
    /// Lets the particle in `slot` become one of another species where it is, of the same size;
    /// `free` is the D that it has when alone. Its unit then diffuses as it now would.
    pub(super) fn turn_into(&mut self, slot: u32, species: u16, free: f64) {
        let i = slot as usize;
        if self.particles.species[i] != species {
            // It has other sites then, or none.
            self.particles.sites[i] = 0;
        }
        self.particles.species[i] = species;
        self.particles.group[i] = species;
        self.shells.measure_one(&self.particles, slot);
        match self.clusters.rigid_unit_of(&self.particles, slot) {
            None => {
                let here = self.ground().diffusion_at(species, self.place_at(slot, self.now), free);
                self.particles.diffusion_coefficient[i] = here;
            }
            Some(unit) => {
                let (number, members) = (self.particles.unit[i], unit.members.clone());
                let diffusion = Diffusion(self).of(&members, self.now);
                self.clusters.set_diffusion(number, diffusion, &mut self.particles);
            }
        }
    }
}
