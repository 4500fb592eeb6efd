//! Changes from outside, between two steps: particles are added and taken away, rates are set. All
//! of it happens at the beginning of the coming step, before anything else of it.
//!
//! New particles get the next identities in the order in which they are given, and what is left of
//! clusters gets new ones in the order of the particles taken away; so nothing depends on search
//! structure, scheduler or number of threads.

use super::Brownian;
use super::StepError;
use super::composed::compose;
use super::reaction::Reaction;
use super::report::ChangeRecord;
use super::setup::overlap;
use super::surfaces::OFF_SURFACE;
use super::system::System;
use jostle_core::engine::{Alteration, AlterationError};
use jostle_core::observe::{ChangeKind, Observer, ObserverError};
use jostle_core::particles::Particle;
use jostle_core::random::Purpose;
use jostle_core::space::Vector;

/// When within the coming step it happens.
const AT: f64 = 0.0;

/// As [`jostle_core::engine::Engine::alter`].
pub(super) fn alter<const D: usize>(
    engine: &mut Brownian<D>,
    alteration: Alteration<'_>,
    cause: u16,
    observer: &mut dyn Observer<D>,
) -> Result<Vec<u64>, AlterationError> {
    ManualChange { engine, cause, observer }.alter(alteration)
}

/// What changes an engine between steps.
struct ManualChange<'a, const D: usize> {
    engine: &'a mut Brownian<D>,
    /// The number that observers know it by.
    cause: u16,
    observer: &'a mut dyn Observer<D>,
}

impl<const D: usize> ManualChange<'_, D> {
    fn alter(&mut self, alteration: Alteration<'_>) -> Result<Vec<u64>, AlterationError> {
        let refused = AlterationError::Refused;
        if !self.engine.system.motion.diffuses() {
            return Err(refused("only particles that diffuse can be added and removed".into()));
        }
        self.engine.begin_events();
        let done = match alteration {
            Alteration::Add { species, places } => {
                let places: Vec<_> = places.chunks_exact(D).map(vector).collect();
                let slots = self.place(species, &places).map_err(refused)?;
                self.welcome(slots)
            }
            Alteration::Remove { ids } => {
                let slots = self.slots_of(ids).map_err(refused)?;
                self.look_ahead();
                let mut all = slots.into_iter();
                all.try_for_each(|slot| self.take_away(slot)).map(|()| Vec::new())
            }
            Alteration::SetRate { rule, rate } => {
                let set = self.engine.system.book.set_rate(rule, rate);
                set.map_err(|error| refused(error.to_string()))?;
                // All clocks, whichever the rate concerns: exponential waiting times that are drawn
                // again are as good as those before.
                self.engine.plans.start_clocks(&self.engine.system, AT);
                Ok(Vec::new())
            }
        };
        done.map_err(|error| AlterationError::Observer(complaint(error)))
    }

    /// Puts new particles at these places; if one does not fit, none. Returns their slots.
    fn place(
        &mut self,
        species: u16,
        places: &[Vector<D>],
    ) -> Result<std::ops::Range<u32>, String> {
        let Some(kind) = self.engine.system.species.get(species as usize) else {
            return Err(format!("there is no species {species} (counted from 0)"));
        };
        let name = kind.name.clone();
        let (Some(radius), Some(diffusion)) = (kind.radius, kind.diffusion_coefficient) else {
            return Err(format!(
                "species \"{name}\" has no radius or diffusion coefficient of its own, so particles of it cannot be \
                 added"
            ));
        };
        if self.engine.system.book.compositions().is_open(species) {
            return Err(format!(
                "there is more than one way to make \"{name}\", so it is not known what those hold that are added: add what \
                 they are made of"
            ));
        }
        let seats = places.iter().enumerate().map(|(n, place)| {
            let seat = self.seat(species, *place, radius);
            seat.map_err(|why| format!("new particle {n} (counted from 0) of \"{name}\" {why}"))
        });
        let seats = seats.collect::<Result<Vec<_>, _>>()?;
        // Added before it is asked whether they fit, since the search structure then finds overlaps
        // among the new ones as well.
        let first = self.engine.system.particles.len();
        for (id, position) in (self.engine.system.next_id..).zip(seats) {
            self.engine.system.particles.push(Particle {
                sites: 0,
                position,
                velocity: Vector::ZERO,
                since: 0.0,
                radius,
                diffusion_coefficient: self
                    .engine
                    .system
                    .ground()
                    .diffusion_at(species, position, diffusion),
                species,
                id,
                image: [0; D],
            });
        }
        let System { shells, particles, .. } = &mut self.engine.system;
        shells.measure(particles);
        self.engine.cover_slots();
        let slots = first as u32..self.engine.system.particles.len() as u32;
        let Some(([other, new], by)) = self.overlap(first) else {
            self.engine.system.next_id += slots.len() as u64;
            return Ok(slots);
        };
        let p = &self.engine.system.particles;
        let what = match other >= first {
            true => format!("new particle {}", other - first),
            false => format!(
                "particle {} of \"{}\"",
                p.id[other], self.engine.system.species[p.species[other] as usize].name
            ),
        };
        let n = new - first;
        slots.for_each(|slot| self.engine.kill(slot));
        let new_slot = self.engine.system.order_of_slots();
        self.engine.renumber(&new_slot);
        Err(format!(
            "new particle {n} (counted from 0) of \"{name}\" would overlap {what} by {by} nm"
        ))
    }

    /// Lets the search structure take up the paths of the coming step. Returns whether particles
    /// notice each other at all.
    fn look_ahead(&mut self) -> bool {
        let engine = &mut *self.engine;
        if engine.system.groups.is_none() {
            return false;
        }
        engine.system.draw();
        engine.refit();
        true
    }

    /// Two that overlap though they may not, one of them new, and by how much \[nm\].
    fn overlap(&mut self, first: usize) -> Option<([usize; 2], f64)> {
        if !self.look_ahead() {
            return None;
        }
        self.engine.list_candidates();
        overlap(&self.engine.system, &self.engine.scratch.candidates, first)
    }

    /// Where a new particle is that is asked for at `place`: on its surface, if it lives on one.
    fn seat(&self, species: u16, place: Vector<D>, radius: f64) -> Result<Vector<D>, String> {
        let (domain, environment) = (&self.engine.system.domain, &self.engine.system.environment);
        if !place.is_finite() || !self.engine.system.ground().is_in_box(species, place, radius) {
            return Err("would be outside the box, or stick out of it".into());
        }
        let seat =
            environment.anchor(species).map_or(place, |anchor| anchor.nearest(domain, place));
        let off = domain.nearest_image(seat - place).norm();
        if off > OFF_SURFACE {
            return Err(format!("would be {off} nm away from the surface that it lives on"));
        }
        match environment.in_the_way(domain, species, seat, radius) {
            Some(surface) => Err(format!("would stick in the surface \"{}\"", surface.name)),
            None => Ok(seat),
        }
    }

    /// Starts what new particles wait for, and tells of each. Returns their identities.
    fn welcome(&mut self, slots: std::ops::Range<u32>) -> Result<Vec<u64>, StepError> {
        let mut ids = Vec::with_capacity(slots.len());
        for slot in slots {
            let id = self.engine.system.particles.id[slot as usize];
            compose(&mut self.engine.system, slot);
            self.engine.plans.restart_clock(&self.engine.system, slot, AT);
            let place = self.engine.system.particles.position[slot as usize];
            let record = ChangeRecord {
                products: &[self.engine.system.party(slot)],
                after: &[id],
                ..ChangeRecord::of(ChangeKind::Created, self.cause, AT, place, &[])
            };
            self.engine.tell_change(self.observer, record)?;
            ids.push(id);
        }
        Ok(ids)
    }

    /// The slots of particles, each once, in the order of their identities.
    fn slots_of(&self, ids: &[u64]) -> Result<Vec<u32>, String> {
        let p = &self.engine.system.particles;
        let all = p.slots_by_id();
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        let slot_of = |id: u64| {
            let found = all.binary_search_by_key(&id, |&slot| p.id[slot as usize]);
            found.map(|n| all[n]).map_err(|_| {
                format!(
                    "there is no particle {id}: it is gone, part of a coalesced one, or never was"
                )
            })
        };
        ids.into_iter().map(slot_of).collect()
    }

    /// Takes the particle in `slot` away; what is left of its cluster continues as it can.
    fn take_away(&mut self, slot: u32) -> Result<(), StepError> {
        let place = self.engine.system.particles.position[slot as usize];
        let before = self.engine.system.clusters_of(&[slot]);
        let gone = [self.engine.system.party(slot)];
        let key = (Purpose::Product, [gone[0].id, self.engine.system.clock.step, AT.to_bits(), 4]);
        let mut reaction = Reaction::new(self.engine, AT, self.cause, key, self.observer);
        let left = reaction.remove_reactants(&[slot], &[]);
        let rest: Vec<u32> = left.rigid.into_iter().chain(left.flexible).collect();
        // Nothing has been planned for the coming step.
        self.engine.scratch.changed.clear();
        self.engine.scratch.busy[slot as usize] = 0;
        rest.iter()
            .for_each(|&piece| self.engine.plans.restart_clock(&self.engine.system, piece, AT));
        let record = ChangeRecord {
            bonds_broken: &left.broken,
            before: &before,
            after: &self.engine.system.clusters_of(&rest),
            ..ChangeRecord::of(ChangeKind::Vanished, self.cause, AT, place, &gone)
        };
        self.engine.tell_change(self.observer, record)
    }
}

fn vector<const D: usize>(components: &[f64]) -> Vector<D> {
    Vector::from_fn(|k| components[k])
}

/// What an observer had to complain of; no other error arises between steps.
fn complaint(error: StepError) -> ObserverError {
    match error {
        StepError::Observer { source, .. } => source,
        other => other.into(),
    }
}
