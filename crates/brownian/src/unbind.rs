//! Clusters fall apart, at exponential times inside the step and with the outgoing velocities that
//! make binding and unbinding each other's reverse (detailed balance at any time step).

use super::balance::Halves;
use super::reaction::{Attempt, Reaction, Refusal, with_room};
use super::report::ChangeRecord;
use super::sites::{StateChanges, Without, change_states};
use super::system::{System, set_free};
use super::touch::Touch;
use super::{Brownian, StepError};
use jostle_core::clusters::{Assembly, Bond, Part};
use jostle_core::observe::ChangeKind;
use jostle_core::rules::Decision;
use jostle_core::space::Vector;
use rand::RngExt;

impl<const D: usize> System<D> {
    /// Whether the particle in `slot` is `part` in another state: one that took in another and
    /// stayed where it was.
    pub(super) fn is_host(&self, slot: u32, part: &Part) -> bool {
        let i = slot as usize;
        part.id == self.particles.id[i]
            && part.radius == self.particles.radius[i]
            && self.environment.anchored_to(part.species)
                == self.environment.anchored_to(self.particles.species[i])
    }

    /// Where two bonded particles touch.
    pub(super) fn place_of_bond(&self, ends: [u32; 2], time: f64) -> Vector<D> {
        let [a, b] = ends.map(|slot| self.place_at(slot, time));
        let apart = self.domain.nearest_image(b - a);
        a + apart * (self.particles.radius[ends[0] as usize] / apart.norm())
    }
}

impl<const D: usize> Reaction<'_, D> {
    /// A coalesced particle falls apart: its two parts appear in contact, in a random direction,
    /// around its place, or next to the one that had taken in the other. Nothing changes if they do not
    /// fit, or coalesce again at once.
    pub(super) fn split(&mut self, slot: u32) -> Result<Attempt, StepError> {
        let id = self.engine.system.particles.id[slot as usize];
        let Some(halves) = Halves::of(&self.engine.system, slot) else {
            return Ok(Err(Refusal::NoRoom));
        };
        let Halves { parts, host, .. } = halves;
        let former = self.engine.system.particles.species[slot as usize];
        if !parts
            .iter()
            .all(|part| self.engine.system.ground().may_come_out_of(part.species, former))
        {
            return Ok(Err(Refusal::NoRoom));
        }
        let place = self.engine.system.place_at(slot, self.time);
        let found =
            self.engine.system.ground().parting_places(place, &parts, host, &mut self.generator);
        let places = match found {
            Ok(places) => places,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let here = |n: usize| {
            self.engine.system.ground().is_on_this_side(
                parts[n].species,
                [place, places[n]],
                former,
            )
        };
        if !(here(0) && here(1)) {
            return Ok(Err(Refusal::NoRoom));
        }
        // Asked before anything is changed: those that would bind again at once by the same rule
        // need not be taken apart and put together again.
        let (meeting, partners) = halves.meeting(&self.engine.system, slot, places);
        let fate = || self.generator.random();
        let at_once = self.engine.system.book.at_once(&meeting, &partners, fate);
        if at_once.is_some_and(|decision| decision.rule == Some(halves.rule)) {
            // That would be as if nothing had happened.
            return Ok(Err(Refusal::Declined));
        }
        let slots = match self.place_parts(slot, parts, host, places) {
            Ok(slots) => slots,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let before = self.engine.system.clusters_of(&[slot]);
        let reactant = [self.engine.system.party(slot)];
        let Some(assemblies) =
            self.engine.system.clusters.wholes.remove(&id).and_then(|whole| whole.split())
        else {
            return Ok(Err(Refusal::NoRoom));
        };
        for Assembly { particle, whole } in assemblies {
            if let Some(whole) = whole {
                self.engine.system.clusters.wholes.insert(particle.id, whole);
            }
        }
        match host {
            Some(n) => {
                self.engine.system.turn_into(slot, parts[n].species, parts[n].diffusion_coefficient)
            }
            None => {
                self.engine.kill(slot);
                self.engine.void_plans(slot);
            }
        }
        self.fly_apart(slots)?;
        slots.iter().for_each(|&slot| {
            self.engine.plans.restart_clock(&self.engine.system, slot, self.time)
        });
        self.engine.tally.unbound += 1;
        let record = ChangeRecord {
            products: &slots.map(|slot| self.engine.system.party(slot)),
            before: &before,
            after: &self.engine.system.clusters_of(&slots),
            ..ChangeRecord::of(ChangeKind::Split, self.rule, self.time, place, &reactant)
        };
        self.tell_change(record)?;
        // Whether these two react at once has been drawn above.
        self.released = None;
        if let Some(decision) = at_once
            && let Some(touch) = Touch::of_released(&self.engine.system, slots, self.time)
        {
            touch.react_at_once(self, decision)?;
        }
        Ok(Ok(()))
    }

    /// The slots of two parts of the particle in `slot`, at these `places`, if they fit there and
    /// detailed balance allows it. The host, if there is one, stays in its slot.
    fn place_parts(
        &mut self,
        slot: u32,
        parts: [Part; 2],
        host: Option<usize>,
        places: [Vector<D>; 2],
    ) -> Result<[u32; 2], Refusal> {
        if let Some(n) = host {
            with_room(self.engine.may_become(slot, parts[n].species, self.time, &[]))?;
            let guest = &parts[1 - n];
            let image = self.engine.system.image_beside(slot, self.time, places[1 - n]);
            let added = self.engine.add(set_free(guest, places[1 - n], self.time, image));
            let attempt = with_room(self.engine.fits(added, self.time, &[slot])).and_then(|()| {
                let all = [slot, added];
                self.accept(|among, time| {
                    let host = among.energy_as(slot, parts[n].species, &all, time);
                    host + among.energy_of(&[added], &all, time)
                        - among.energy_of(&[slot], &all, time)
                })
            });
            if let Err(refusal) = attempt {
                self.engine.take_back(added);
                return Err(refusal);
            }
            return Ok(if n == 0 { [slot, added] } else { [added, slot] });
        }
        let slots = [0, 1].map(|n| {
            let image = self.engine.system.image_beside(slot, self.time, places[n]);
            self.engine.add(set_free(&parts[n], places[n], self.time, image))
        });
        let all = [slot, slots[0], slots[1]];
        let fit = slots.iter().all(|&part| self.engine.fits(part, self.time, &all));
        let attempt = with_room(fit).and_then(|()| {
            self.accept(|among, time| {
                among.energy_of(&slots, &all, time) - among.energy_of(&[slot], &all, time)
            })
        });
        if let Err(refusal) = attempt {
            // The last one first, as particles are taken from the end of the arrays.
            self.engine.take_back(slots[1]);
            self.engine.take_back(slots[0]);
            return Err(refusal);
        }
        Ok(slots)
    }

    /// A bond of a unit breaks, and states of the two that it joined change. Nothing changes if the two
    /// do not fit where they would be then, or bind again at once and are as they were.
    pub(super) fn unbind(
        &mut self,
        number: u32,
        bond: usize,
        changes: StateChanges,
    ) -> Result<Attempt, StepError> {
        let unit = self.engine.system.clusters.unit(number);
        let graph = unit.graph(&self.engine.system.particles);
        // Other bonds still hold the two in their places.
        if !graph.is_bridge(bond) {
            self.open_ring(number, bond, changes)?;
            return Ok(Ok(()));
        }
        if unit.is_flexible {
            // Nothing is moved, and the two need not be in contact.
            self.break_bonds(number, &[bond], changes)?;
            self.released = None;
            return Ok(Ok(()));
        }
        let pieces = graph.pieces(bond);
        let moved = match self.engine.system.particles.are_oriented {
            true => {
                let unit = unit.clone();
                match self.undock(&unit, bond, pieces.clone()) {
                    Ok(moved) => moved,
                    Err(refusal) => return Ok(Err(refusal)),
                }
            }
            false => Vec::new(),
        };
        let Brownian { system, .. } = &*self.engine;
        let unit = system.clusters.unit(number);
        let (meeting, partners) = Without::of(system, unit, (bond, changes), &pieces);
        let partners = partners.parted();
        let fate = || self.generator.random();
        let at_once = system.book.at_once(&meeting, &partners, fate);
        let Bond { rule, sites, .. } = unit.bonds[bond];
        let rebinds = |one: Decision| match system.book.joins(one) {
            Some(joins) => joins == sites && partners.is_undone_by(system.book.changes(one)),
            None => one.rule == Some(rule),
        };
        if at_once.is_some_and(rebinds) {
            // That would be as if nothing had happened.
            self.put_back(&moved);
            return Ok(Err(Refusal::Declined));
        }
        self.break_bonds(number, &[bond], changes)?;
        if let (Some(slots), Some(decision)) = (self.released.take(), at_once)
            && let Some(touch) = Touch::of_released(&self.engine.system, slots, self.time)
        {
            touch.react_at_once(self, decision)?;
        }
        Ok(Ok(()))
    }

    /// Bonds of a unit break: one of them, and the two pieces fly apart along it; or several, and
    /// the pieces fly off in all directions. States of the two ends of the first change.
    pub(super) fn break_bonds(
        &mut self,
        number: u32,
        broken: &[usize],
        changes: StateChanges,
    ) -> Result<(), StepError> {
        let unit = self.engine.dissolve(number);
        let lost: Vec<Bond> = broken.iter().map(|&n| unit.bonds[n]).collect();
        let ends = lost[0].ids.map(|id| unit.member(&self.engine.system.particles, id));
        let bound = ends.map(|slot| self.engine.system.party(slot));
        change_states(&mut self.engine.system.particles, ends, changes);
        let left = (0..unit.bonds.len()).filter(|n| !broken.contains(n)).map(|n| unit.bonds[n]);
        let (pieces, after) = self.engine.system.regroup(unit.members.clone(), left.collect());
        let parties = ends.map(|slot| self.engine.system.party(slot));
        let place = self.engine.system.place_of_bond(ends, self.time);
        self.let_go(unit.is_flexible, &pieces, ends, place)?;
        self.engine.tally.unbound += 1;
        let record = ChangeRecord {
            products: &parties,
            bonds_broken: &lost,
            before: &[unit.id],
            after: &after,
            ..ChangeRecord::of(ChangeKind::Unbonded, self.rule, self.time, place, &bound)
        };
        self.tell_change(record)
    }
}
