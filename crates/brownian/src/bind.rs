//! Two bodies bind: they become one sphere, or are joined by a bond.
//!
//! A sphere that two coalesce into gets a new identity; its parts keep theirs and take them up again when it
//! splits. If it is one of the two in another state (`EGF + EGFR{free} -> EGFR{bound}`), or an aggregate that
//! grows, it keeps that identity instead.

use super::bodies::share;
use super::report::Story;
use super::settle::Touch;
use super::{Brownian, StepError};
use jostle_core::clusters::{Bond, Part, Whole, joint_radius};
use jostle_core::observe::{ChangeKind, Observer};
use jostle_core::particles::{ALONE, Body};
use jostle_core::rules::{Decision, Product};
use jostle_core::space::Vector;
use jostle_core::species::MobilityLaw;

impl<const D: usize> Brownian<D> {
    /// Joins two touching bodies into one, with a fresh velocity from its own Maxwell distribution.
    /// Returns false, and changes nothing, if the product would overlap a third body or a wall, or if one of the two
    /// would get through a surface that stops it.
    ///
    /// The product sits at (D_B x_A + D_A x_B)/(D_A + D_B), but if it is one of the two in another
    /// state and no larger than it was, it stays where that is, in its unit if it has bonds.
    pub(super) fn coalesce(
        &mut self,
        touch: &Touch<D>,
        decision: Decision,
        observer: &mut dyn Observer<D>,
    ) -> Result<bool, StepError> {
        let rule = decision.rule.unwrap_or_default();
        let [product] = *self.book.contact_products(rule, decision.case) else { return Ok(false) };
        let host = product.continues.map(|n| touch.slots[usize::from((n == 1) != decision.swapped)]);
        match host {
            Some(host) if self.stays_as_large(host, product.species) => {
                self.absorb(touch, rule, product, host, observer)
            }
            _ => self.merge(touch, rule, product, host, observer),
        }
    }

    /// Whether a body that turns into one of `species` keeps its radius.
    fn stays_as_large(&self, slot: u32, species: u16) -> bool {
        let (radius, before) = (self.particles.radius[slot as usize], self.particles.species[slot as usize]);
        self.species[species as usize].radius == Some(radius)
            && self.environment.address(species) == self.environment.address(before)
    }

    /// One of two takes in the other and stays where it is.
    fn absorb(
        &mut self,
        touch: &Touch<D>,
        rule: u16,
        product: Product,
        host: u32,
        observer: &mut dyn Observer<D>,
    ) -> Result<bool, StepError> {
        let guest = if host == touch.slots[0] { touch.slots[1] } else { touch.slots[0] };
        let place = self.place_at(host, touch.time);
        if self.particles.unit[guest as usize] != ALONE
            || !self.gets_to(guest, touch.time, place, product.species)
            || !self.may_become(host, product.species, touch.time, &touch.slots)
        {
            return Ok(false);
        }
        let before = self.clusters_of(&touch.slots);
        let parties = touch.slots.map(|slot| self.party(slot));
        let image = self.particles.image[host as usize];
        let parts = touch.slots.map(|slot| self.assembly_in(slot, touch.time, place, image));
        let (i, id) = (host as usize, self.particles.id[host as usize]);
        let free = self.species[product.species as usize].diffusion_coefficient;
        let free = free.unwrap_or(parts[usize::from(host == touch.slots[1])].body.diffusion_coefficient);
        let body = Part {
            id,
            species: product.species,
            radius: self.particles.radius[i],
            diffusion_coefficient: free,
            ahead: [0; 3],
        };
        self.clusters.wholes.insert(id, Whole::of_pair(body, parts, rule));
        self.kill(guest);
        self.turn_into(host, product.species, free);
        let normals = Self::normals(&mut self.generator_of(touch));
        let velocity = self.velocity_of(host, touch.time, normals);
        self.redirect(host, touch.time, velocity)?;
        self.restart_clock(host, touch.time);
        let story = Story {
            products: &[self.party(host)],
            before: &before,
            after: &self.clusters_of(&[host]),
            ..Story::of(ChangeKind::Coalesced, rule, touch.time, place, &parties)
        };
        self.tell_change(observer, story)?;
        Ok(true)
    }

    /// Two become a body that is somewhere else, or larger, than either.
    fn merge(
        &mut self,
        touch: &Touch<D>,
        rule: u16,
        product: Product,
        host: Option<u32>,
        observer: &mut dyn Observer<D>,
    ) -> Result<bool, StepError> {
        let [i, j] = touch.slots;
        // A member of a unit cannot leave its place.
        if touch.slots.iter().any(|&slot| self.particles.unit[slot as usize] != ALONE) {
            return Ok(false);
        }
        let share = share(touch.slots.map(|slot| self.particles.diffusion_coefficient[slot as usize]));
        let place = self.place_of_joined(product.species, [i, j], touch.time, touch.separation, share);
        if !touch.slots.iter().all(|&slot| self.gets_to(slot, touch.time, place, product.species)) {
            return Ok(false);
        }
        let (radius, diffusion_coefficient) = self.size_of_product(touch.slots, product.species);
        let mut generator = self.generator_of(touch);
        let image = self.image_beside(host.unwrap_or(i), touch.time, place);
        let slot = self.add(Body {
            position: place,
            velocity: Vector::ZERO,
            since: touch.time,
            radius,
            diffusion_coefficient,
            species: product.species,
            id: host.map_or(self.next_id, |host| self.particles.id[host as usize]),
            image,
        });
        if !self.fits(slot, touch.time, &[i, j]) {
            self.take_back(slot);
            return Ok(false);
        }
        self.next_id += u64::from(host.is_none());
        let parties = [self.party(i), self.party(j)];
        let parts = [i, j].map(|slot| {
            let assembly = self.assembly_in(slot, touch.time, place, image);
            self.kill(slot);
            assembly
        });
        let id = self.particles.id[slot as usize];
        let body = Part { id, species: product.species, radius, diffusion_coefficient, ahead: [0; 3] };
        self.clusters.wholes.insert(id, Whole::of_pair(body, parts, rule));
        let velocity = self.velocity_of(slot, touch.time, Self::normals(&mut generator));
        self.redirect(slot, touch.time, velocity)?;
        self.restart_clock(slot, touch.time);
        let story = Story {
            products: &[self.party(slot)],
            before: &touch.ids,
            after: &[id],
            ..Story::of(ChangeKind::Coalesced, rule, touch.time, place, &parties)
        };
        self.tell_change(observer, story)?;
        Ok(true)
    }

    /// Radius and D of what two bodies become: those of the species, or of as much as the two hold.
    fn size_of_product(&self, slots: [u32; 2], species: u16) -> (f64, f64) {
        let kind = &self.species[species as usize];
        let radii = slots.map(|slot| self.particles.radius[slot as usize]);
        let radius = kind.radius.unwrap_or_else(|| joint_radius(radii.into_iter(), D));
        let diffusion = kind.diffusion_coefficient;
        // A table goes by how many bodies there are, not by how they came together.
        let pieces = || match self.mobility {
            MobilityLaw::Table(_) => self.singles(&slots),
            _ => self.pieces(&slots),
        };
        (radius, diffusion.unwrap_or_else(|| self.mobility.diffusion_coefficient(&pieces(), D)))
    }

    /// Joins two touching bodies by a bond: their units become one, which keeps its shape and gets
    /// a fresh velocity from its own Maxwell distribution.
    pub(super) fn bond(
        &mut self,
        touch: &Touch<D>,
        rule: u16,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let before = self.clusters_of(&touch.slots);
        let mut members = Vec::new();
        let mut bonds = vec![Bond { ids: touch.ids, rule }];
        for slot in touch.slots {
            match self.particles.unit[slot as usize] {
                ALONE => {
                    self.timers.cancel(self.particles.id[slot as usize]);
                    members.push(slot);
                }
                number => {
                    let unit = self.dissolve(number);
                    members.extend(unit.members);
                    bonds.extend(unit.bonds);
                }
            }
        }
        let (_, clusters) = self.regroup(members, bonds, None);
        let [first, _] = touch.slots;
        let normals = Self::normals(&mut self.generator_of(touch));
        let velocity = self.velocity_of(first, touch.time, normals);
        self.redirect(first, touch.time, velocity)?;
        self.restart_clock(first, touch.time);
        let parties = touch.slots.map(|slot| self.party(slot));
        let place = self.place_at(first, touch.time) + touch.normal() * self.particles.radius[first as usize];
        let story = Story {
            products: &parties,
            bonds_made: &[touch.ids],
            before: &before,
            after: &clusters,
            ..Story::of(ChangeKind::Bonded, rule, touch.time, place, &parties)
        };
        self.tell_change(observer, story)
    }

    /// Lets the body in `slot` become one of another species where it is, of the same size; `free`
    /// is the D that it has when alone. Its unit then diffuses as it now would.
    pub(super) fn turn_into(&mut self, slot: u32, species: u16, free: f64) {
        let i = slot as usize;
        self.particles.species[i] = species;
        self.particles.group[i] = species as u8;
        match self.particles.unit[i] {
            ALONE => {
                let here = self.diffusion_at(species, self.place_at(slot, self.now), free);
                self.particles.diffusion_coefficient[i] = here;
            }
            number => {
                let members = self.clusters.unit(number).members.clone();
                let diffusion = self.diffusion_of(&members);
                self.clusters.set_diffusion(number, diffusion, &mut self.particles);
            }
        }
    }
}
