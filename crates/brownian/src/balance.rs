//! Detailed balance of what joins particles and sets them free: what every such change asks before it
//! happens, and what becomes of two that are set free.
//!
//! A change and its reverse are in balance if each is accepted with min(1, exp(-ΔU)) (Metropolis et
//! al. 1953), ΔU being the rise in the energy that what changes or moves has at that moment with third
//! particles and in regions for which it has an affinity. The energy of the two with each other is
//! part of the rate constants. If a change is not accepted, the two bounce, or stay together.
//!
//! Two that are set free in contact may react at once: [`jostle_core::rules::RuleBook::at_once`] says
//! why, and how often.

use rand::RngExt;

use super::diffusion::Diffusion;
use super::reaction::{Attempt, Reaction, Refusal};
use super::shells::Among;
use super::system::System;
use super::touch::{Touch, Touched, Touching};
use super::{Brownian, StepError};
use jostle_core::clusters::Part;
use jostle_core::docking::Torsion;
use jostle_core::observe::{Contact, Outcome};
use jostle_core::particles::ALONE;
use jostle_core::planted::{Fault, planted};
use jostle_core::rules::{Decision, Partners, Region, Standing, TouchingPair};
use jostle_core::search::Broad;
use jostle_core::sites::SitePattern;
use jostle_core::space::Vector;

/// By what share of their distance two may be off contact that have just been set free.
const ROUNDING: f64 = 1e-9;

/// Whether a move is accepted that raises the energy by `rise` \[kT\], given a uniform random number
/// (Metropolis et al. 1953).
pub(super) fn is_accepted(rise: f64, fate: impl FnOnce() -> f64) -> bool {
    rise <= 0.0 || fate() < libm::exp(-rise)
}

impl<const D: usize> Reaction<'_, D> {
    /// Whether a change is accepted that raises the energy by `rise` \[kT\], which is asked for only
    /// where there are energies.
    pub(super) fn accept(&mut self, rise: impl FnOnce(&mut Among<'_, D>, f64) -> f64) -> Attempt {
        // Most models have none, and need not pay for two walks over the neighbours.
        if !self.engine.system.has_energies() {
            return Ok(());
        }
        let mut among = Among(self.engine);
        let rise = rise(&mut among, self.time);
        let accepted = is_accepted(rise, || self.generator.random());
        if accepted || planted(Fault::ThirdParticles) { Ok(()) } else { Err(Refusal::Declined) }
    }

    /// Lets two that have just been set free react at once, if they are in contact and chance has it
    /// so.
    pub(super) fn settle_released(&mut self) -> Result<(), StepError> {
        let Some(slots) = self.released.take() else { return Ok(()) };
        let system = &self.engine.system;
        let Some(touch) = Touch::of_released(system, slots, self.time) else { return Ok(()) };
        let (slots, places) =
            (touch.slots, touch.slots.map(|slot| system.place_at(slot, self.time)));
        if system.environment.has_anchors() && !system.face_each_other(slots, places) {
            return Ok(());
        }
        let p = &system.particles;
        let meeting = TouchingPair {
            species: slots.map(|slot| p.species[slot as usize]),
            distance: touch.separation.norm(),
            diffusion: slots.map(|slot| p.diffusion_coefficient[slot as usize]),
        };
        let fate = || self.generator.random();
        match system.book.at_once(&meeting, &Touching { system, slots, places }, fate) {
            Some(decision) => touch.react_at_once(self, decision),
            None => Ok(()),
        }
    }
}

impl<const D: usize> System<D> {
    /// Whether particles have energies that differ from place to place.
    pub(super) fn has_energies(&self) -> bool {
        !self.shells.potentials.is_empty()
            || self.environment.has_affinities()
            || self.environment.has_fields()
    }
}

impl<const D: usize> Among<'_, D> {
    /// The energy of some particles where they are: with all others but those `apart`, and in the
    /// regions that they are in. \[kT\]
    pub(super) fn energy_of(&mut self, slots: &[u32], apart: &[u32], time: f64) -> f64 {
        let with = |_, other| !apart.contains(&other);
        self.energy(slots, time, with) + self.energy_in_regions(slots, time)
    }

    /// The energy of particles where they are: in the regions for which they have an affinity, and beside
    /// surfaces. \[kT\]
    pub(super) fn energy_in_regions(&self, slots: &[u32], time: f64) -> f64 {
        let system = &self.0.system;
        let energy = |&slot: &u32| {
            let species = system.particles.species[slot as usize];
            system.environment.energy_at(&system.domain, species, system.place_at(slot, time))
        };
        if system.environment.is_empty() { 0.0 } else { slots.iter().map(energy).sum() }
    }

    /// The same as [`Self::energy_of`] of the particle in `slot` if it were one of `species`.
    pub(super) fn energy_as(&mut self, slot: u32, species: u16, apart: &[u32], time: f64) -> f64 {
        // It becomes one of the other species for a moment: which neighbours count depends on its
        // group and its reach, and search structures know of no particles that are not there.
        let former = self.0.system.particles.species[slot as usize];
        self.take_for(slot, species);
        let energy = self.energy_of(&[slot], apart, time);
        self.take_for(slot, former);
        energy
    }

    /// Lets the particle in `slot` be found and looked at as one of `species`.
    fn take_for(&mut self, slot: u32, species: u16) {
        let Brownian { system, search, .. } = &mut *self.0;
        let System { particles, shells, .. } = system;
        particles.species[slot as usize] = species;
        particles.group[slot as usize] = species;
        shells.measure_one(particles, slot);
        search.update(slot, &system.paths());
    }
}

impl<const D: usize> Touch<D> {
    /// The contact of two particles that have just been set free; none if they are apart, or belong
    /// together.
    pub(super) fn of_released(system: &System<D>, slots: [u32; 2], time: f64) -> Option<Self> {
        let p = &system.particles;
        let mut slots = slots;
        slots.sort_unstable_by_key(|&slot| p.id[slot as usize]);
        let [a, b] = slots.map(|slot| system.place_at(slot, time));
        let [i, j] = slots.map(|slot| slot as usize);
        let separation = system.domain.nearest_image(b - a);
        let distance = p.radius[i] + p.radius[j];
        // Products that were given other seats than in contact have no early encounters to make up
        // for.
        let is_off = (separation.norm() / distance - 1.0).abs() > ROUNDING;
        let are_one = p.unit[i] != ALONE && p.unit[i] == p.unit[j];
        let ids = slots.map(|slot| p.id[slot as usize]);
        (!is_off && !are_one).then_some(Self { slots, ids, time, separation })
    }

    /// Two that were set free in contact react before they have parted. It is a contact like any
    /// other, unless nothing comes of it.
    pub(super) fn react_at_once(
        &self,
        reaction: &mut Reaction<'_, D>,
        decision: Decision,
    ) -> Result<(), StepError> {
        let system = &reaction.engine.system;
        if decision.action.effect().cuts.is_some() && !system.can_be_cut(self, decision) {
            return Ok(());
        }
        let paths = self.slots.map(|slot| system.particles.path(slot));
        let velocities = paths.map(|path| path.velocity);
        // No impulse: nothing has been passed on between the two, which have not moved since they
        // were set free.
        let touched = Touched { touch: *self, paths, decision, velocities, impulse: 0.0 };
        let report = system.contact_report(&touched);
        reaction.rule = decision.rule.unwrap_or_default();
        let outcome = reaction.react(self, decision)?;
        if outcome == Outcome::Bounced {
            return Ok(());
        }
        reaction.engine.subdivision += 1;
        let subdivision = reaction.engine.subdivision;
        reaction.engine.tally.contacts += 1;
        reaction.engine.tally.count(outcome);
        let report = Contact { subdivision, outcome, ..report };
        reaction.engine.system.tell_contact(reaction.observer, report)?;
        reaction.settle_released()
    }
}

/// The two that a coalesced particle was made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves {
    pub(super) parts: [Part; 2],
    /// Which of them is the particle itself, as it was before it took in the other.
    pub(super) host: Option<usize>,
    /// How they would stand to others.
    standing: [Standing; 2],
    /// What joined them.
    pub(super) rule: u16,
}

impl Halves {
    /// The two that the coalesced particle in `slot` would fall apart into; none if it was not made of
    /// two, or cannot leave its place.
    pub(super) fn of<const D: usize>(system: &System<D>, slot: u32) -> Option<Self> {
        let i = slot as usize;
        let whole = system.clusters.wholes.get(&system.particles.id[i])?;
        let (rule, parts) = (whole.rule()?, whole.parts()?);
        // With bonds it cannot leave its place, which it does but for one that stayed as it was.
        let host = parts.iter().position(|(part, _)| system.is_host(slot, part));
        if system.particles.unit[i] != ALONE && host.is_none() {
            return None;
        }
        // The bonds of a host are its own; the guest has none as long as it is inside.
        let standing = [0, 1].map(|n| match host == Some(n) {
            true => Standing {
                size: system.clusters.size_of(&system.particles, slot) - parts[1 - n].1,
                bonds: system.standing(slot).bonds,
            },
            false => Standing { size: parts[n].1, bonds: 0 },
        });
        Some(Self { parts: parts.map(|(part, _)| part), host, standing, rule })
    }

    /// D of the unit of the particle in `slot` if that turns back into `part`. \[nm²/µs\]
    fn diffusion_of_unit_with<const D: usize>(system: &System<D>, slot: u32, part: &Part) -> f64 {
        let Some(unit) = system.clusters.unit_of(&system.particles, slot) else {
            return part.diffusion_coefficient;
        };
        let own = system.species[part.species as usize].diffusion_coefficient;
        let own = system.ground().diffusion_at(
            part.species,
            system.place_at(slot, system.now),
            own.unwrap_or(part.diffusion_coefficient),
        );
        Diffusion(system).with(&unit.members, |member| match member == slot {
            true => own,
            false => Diffusion(system).alone(member, system.now),
        })
    }

    /// Where they would touch, if they were at these places.
    fn meeting_point<const D: usize>(
        &self,
        system: &System<D>,
        places: [Vector<D>; 2],
    ) -> Vector<D> {
        let [r_a, r_b] = self.parts.map(|part| part.radius);
        places[0] + system.domain.nearest_image(places[1] - places[0]) * (r_a / (r_a + r_b))
    }

    /// The same two as they would be at these places, in contact; the one with the lower identity
    /// first.
    pub(super) fn meeting<'a, const D: usize>(
        &self,
        system: &'a System<D>,
        slot: u32,
        places: [Vector<D>; 2],
    ) -> (TouchingPair, Apart<'a, D>) {
        // As a contact names its two, so that the rules see the same pair when it parts as when it
        // met.
        let order = if self.parts[0].id < self.parts[1].id { [0, 1] } else { [1, 0] };
        let diffusion = |n: usize| {
            let part = &self.parts[n];
            match self.host == Some(n) && system.particles.unit[slot as usize] != ALONE {
                true => Self::diffusion_of_unit_with(system, slot, part),
                false => system.ground().diffusion_at(
                    part.species,
                    places[n],
                    part.diffusion_coefficient,
                ),
            }
        };
        let meeting = TouchingPair {
            species: order.map(|n| self.parts[n].species),
            distance: self.parts[0].radius + self.parts[1].radius,
            diffusion: order.map(diffusion),
        };
        let point = self.meeting_point(system, places);
        (meeting, Apart { system, standing: order.map(|n| self.standing[n]), point })
    }
}

/// The parts of a coalesced particle as rules see them. They have no sites.
pub(super) struct Apart<'a, const D: usize> {
    system: &'a System<D>,
    standing: [Standing; 2],
    /// Where they touch.
    point: Vector<D>,
}

impl<const D: usize> Partners for Apart<'_, D> {
    fn standing(&self) -> [Standing; 2] {
        self.standing
    }

    fn fits(&self, _: usize, _: &SitePattern) -> bool {
        false
    }

    fn face(&self, _: [u8; 2], _: Option<Torsion>) -> bool {
        true
    }

    fn are_in(&self, region: &Region) -> bool {
        self.system.ground().is_in(region, self.point)
    }
}
