//! Two bodies bind: they become one sphere, or are joined by a bond.

use rand_distr::{Distribution, StandardNormal};

use super::report::Story;
use super::settle::Touch;
use super::timers::Place;
use super::{Brownian, StepError};
use crate::clusters::{Bond, Part, Piece, Unit, Whole, joint_radius};
use crate::observe::{ChangeKind, Observer};
use crate::particles::{ALONE, Body};
use crate::random::Purpose;
use crate::space::Vector;

impl<const D: usize> Brownian<D> {
    /// Joins two touching bodies into one of species `product` at (D_B x_A + D_A x_B)/(D_A + D_B),
    /// with a fresh velocity from its own Maxwell distribution. Returns false, and changes nothing,
    /// if the product would overlap a third body or a wall.
    pub(super) fn coalesce(
        &mut self,
        touch: &Touch<D>,
        rule: u16,
        product: u16,
        observer: &mut dyn Observer<D>,
    ) -> Result<bool, StepError> {
        let [i, j] = touch.slots;
        let place = self.place_at(i, touch.time) + touch.separation * self.share(i as usize, j as usize);
        let pieces = [i, j].map(|slot| self.piece(slot));
        let kind = &self.species[product as usize];
        let radius = kind.radius.unwrap_or_else(|| joint_radius(pieces.iter().map(|p| p.radius), D));
        let diffusion_coefficient =
            kind.diffusion_coefficient.unwrap_or_else(|| self.mobility.diffusion_coefficient(&pieces, D));
        let normals = self.normals(touch.key(self.clock.step));
        let slot = self.add(Body {
            position: place,
            velocity: self.motion.velocity(product, diffusion_coefficient, place, normals),
            since: touch.time,
            radius,
            diffusion_coefficient,
            species: product,
            id: self.next_id,
            image: self.particles.image[i as usize],
        });
        if !self.fits(slot, touch.time, &[i, j]) {
            self.take_back(slot);
            return Ok(false);
        }
        self.next_id += 1;
        let parties = [self.party(i), self.party(j)];
        let parts = [i, j].map(|slot| self.rest(slot));
        let size = parts.iter().map(|part| part.whole.as_ref().map_or(1, |whole| whole.size)).sum();
        let id = self.particles.id[slot as usize];
        self.clusters.wholes.insert(id, Whole { parts, rule, size });
        self.changed.push(slot);
        self.start_timer(id, Place::Slot(slot), touch.time);
        let story = Story {
            kind: ChangeKind::Coalesced,
            rule,
            time: touch.time,
            place,
            reactants: &parties,
            products: &[self.party(slot)],
            clusters_before: &touch.ids,
            clusters_after: &[id],
        };
        self.tell_change(observer, story)?;
        Ok(true)
    }

    /// Joins two touching bodies by a bond: their units become one, which keeps its shape and gets
    /// a fresh velocity from its own Maxwell distribution.
    pub(super) fn bond(
        &mut self,
        touch: &Touch<D>,
        rule: u16,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let before = touch.slots.map(|slot| self.clusters.id_of(&self.particles, slot));
        let mut members = Vec::new();
        let mut bonds = vec![Bond { ids: touch.ids, rule }];
        for slot in touch.slots {
            match self.particles.unit[slot as usize] {
                ALONE => members.push(slot),
                number => {
                    let unit = self.clusters.remove_unit(number);
                    self.timers.cancel(unit.id);
                    members.extend(unit.members);
                    bonds.extend(unit.bonds);
                }
            }
        }
        let id = self.next_id;
        self.next_id += 1;
        self.form_unit(id, members, bonds, touch.time, |engine, unit| {
            engine.unit_velocity(unit, touch.time, engine.normals(touch.key(engine.clock.step)))
        })?;
        let parties = touch.slots.map(|slot| self.party(slot));
        let radius = self.particles.radius[touch.slots[0] as usize];
        let story = Story {
            kind: ChangeKind::Bonded,
            rule,
            time: touch.time,
            place: self.place_at(touch.slots[0], touch.time) + touch.normal() * radius,
            reactants: &parties,
            products: &parties,
            clusters_before: &before,
            clusters_after: &[id],
        };
        self.tell_change(observer, story)
    }

    /// Makes a unit of `members`, lets it move on from `time` with the velocity that is given, and
    /// starts its clock.
    pub(super) fn form_unit(
        &mut self,
        id: u64,
        mut members: Vec<u32>,
        mut bonds: Vec<Bond>,
        time: f64,
        velocity: impl FnOnce(&Self, &Unit) -> Vector<D>,
    ) -> Result<(), StepError> {
        members.sort_unstable_by_key(|&slot| self.particles.id[slot as usize]);
        bonds.sort_unstable_by_key(|bond| bond.ids);
        let pieces: Vec<Piece> = members.iter().map(|&slot| self.piece(slot)).collect();
        let diffusion_coefficient = self.mobility.diffusion_coefficient(&pieces, D);
        let unit = Unit { id, members, bonds, diffusion_coefficient };
        let velocity = velocity(self, &unit);
        let first = unit.members[0];
        let number = self.clusters.add_unit(unit, &mut self.particles);
        self.redirect(first, time, velocity)?;
        self.start_timer(id, Place::Unit(number), time);
        Ok(())
    }

    /// The displacement per step of a unit: diffusion with its own coefficient, and the drift of its
    /// members weighted with their friction 1/D.
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
        if friction > 0.0 { diffusive + drift * (1.0 / friction) } else { diffusive }
    }

    /// Where the body in `slot` is at `time`.
    pub(super) fn place_at(&self, slot: u32, time: f64) -> Vector<D> {
        let (p, i) = (&self.particles, slot as usize);
        p.position[i] + p.velocity[i] * (time - p.since[i])
    }

    /// The body in `slot` as a part of a cluster. Members of units have D of their species, not of
    /// the unit that they are in.
    fn piece(&self, slot: u32) -> Piece {
        let i = slot as usize;
        let own = match self.particles.unit[i] {
            ALONE => self.particles.diffusion_coefficient[i],
            _ => self.free_diffusion(slot),
        };
        Piece { diffusion_coefficient: own, radius: self.particles.radius[i] }
    }

    /// D of the body in `slot` when it is alone. \[nm²/µs\]
    pub(super) fn free_diffusion(&self, slot: u32) -> f64 {
        let species = self.particles.species[slot as usize] as usize;
        self.species[species].diffusion_coefficient.unwrap_or(0.0)
    }

    /// Standard normals that belong to an event.
    pub(super) fn normals(&self, key: [u64; 4]) -> Vector<D> {
        let mut generator = self.random.generator(Purpose::Product, key);
        Vector::from_fn(|_| StandardNormal.sample(&mut generator))
    }

    /// Adds a body in mid-step, so far without plans.
    pub(super) fn add(&mut self, body: Body<D>) -> u32 {
        let slot = self.particles.push(body);
        self.cover_slots();
        let paths = self.particles.paths(&self.domain, &self.groups);
        self.search.insert(slot, &paths);
        slot
    }

    /// Takes back the body added last.
    pub(super) fn take_back(&mut self, slot: u32) {
        self.search.remove(slot);
        self.particles.pop();
    }

    /// Lets the body in `slot` cease to be. The slot stays until the slots are closed.
    pub(super) fn kill(&mut self, slot: u32) {
        let i = slot as usize;
        self.timers.cancel(self.particles.id[i]);
        self.particles.alive[i] = false;
        self.particles.velocity[i] = Vector::ZERO;
        self.search.remove(slot);
        self.agenda.forget(slot);
        self.dead += 1;
    }

    /// Puts the body in `slot` to rest inside a coalesced one.
    fn rest(&mut self, slot: u32) -> Part {
        let i = slot as usize;
        let id = self.particles.id[i];
        let part = Part {
            id,
            species: self.particles.species[i],
            radius: self.particles.radius[i],
            diffusion_coefficient: self.particles.diffusion_coefficient[i],
            whole: self.clusters.wholes.remove(&id).map(Box::new),
        };
        self.kill(slot);
        part
    }

    /// Whether the body in `slot` overlaps nobody but `others` at `time`, nor a wall; bodies that it
    /// may pass do not count.
    pub(super) fn fits(&mut self, slot: u32, time: f64, others: &[u32]) -> bool {
        let i = slot as usize;
        let (centre, radius) = (self.place_at(slot, time), self.particles.radius[i]);
        let edges = self.domain.edges();
        let inside =
            |k: usize| self.domain.is_periodic(k) || (centre[k] >= radius && centre[k] <= edges[k] - radius);
        if !(0..D).all(inside) {
            return false;
        }
        self.near.clear();
        let paths = self.particles.paths(&self.domain, &self.groups);
        self.search.near(slot, &paths, &mut self.near);
        self.near.iter().all(|&other| {
            let j = other as usize;
            let distance = radius + self.particles.radius[j];
            let apart = self.domain.nearest_image(paths.at(j, time) - centre);
            others.contains(&other)
                || apart.norm_squared() >= distance * distance
                || self.book.pass(self.particles.species[i], self.particles.species[j])
        })
    }
}
