//! Clusters fall apart, at exponential times inside the step and with the outgoing velocities that
//! make binding and unbinding each other's reverse (detailed balance at any time step).

use rand_xoshiro::Xoshiro256PlusPlus;

use super::bodies::set_free;
use super::report::Story;
use super::{Brownian, StepError};
use jostle_core::clusters::{Assembly, Part};
use jostle_core::observe::{ChangeKind, Observer};
use jostle_core::space::Vector;

impl<const D: usize> Brownian<D> {
    /// Whether the body in `slot` is `part` in another state: one that took in another and stayed
    /// where it was.
    pub(super) fn is_host(&self, slot: u32, part: &Part) -> bool {
        let i = slot as usize;
        part.id == self.particles.id[i]
            && part.radius == self.particles.radius[i]
            && self.environment.address(part.species) == self.environment.address(self.particles.species[i])
    }

    /// A coalesced body falls apart: its two parts appear in contact, in a random direction, around
    /// its place, or beside the one that had taken in the other. Returns false, and changes nothing,
    /// if they do not fit.
    pub(super) fn split(
        &mut self,
        time: f64,
        slot: u32,
        rule: u16,
        generator: &mut Xoshiro256PlusPlus,
        observer: &mut dyn Observer<D>,
    ) -> Result<bool, StepError> {
        let id = self.particles.id[slot as usize];
        let Some(parts) = self.clusters.wholes.get(&id).and_then(|whole| whole.parts()) else {
            return Ok(false);
        };
        let parts = parts.map(|(part, _)| part);
        let former = self.particles.species[slot as usize];
        if !parts.iter().all(|part| self.may_come_out_of(part.species, former)) {
            return Ok(false);
        }
        let place = self.place_at(slot, time);
        let host = parts.iter().position(|part| self.is_host(slot, part));
        let Some(places) = self.parting_places(place, &parts, host, generator) else { return Ok(false) };
        let here = |n: usize| self.is_on_this_side(parts[n].species, [place, places[n]], former);
        if !(here(0) && here(1)) {
            return Ok(false);
        }
        let Some(slots) = self.place_parts(time, slot, parts, host, places) else { return Ok(false) };
        let before = self.clusters_of(&[slot]);
        let reactant = [self.party(slot)];
        let Some(assemblies) = self.clusters.wholes.remove(&id).and_then(|whole| whole.split()) else {
            return Ok(false);
        };
        for Assembly { body, whole } in assemblies {
            if let Some(whole) = whole {
                self.clusters.wholes.insert(body.id, whole);
            }
        }
        match host {
            Some(n) => self.turn_into(slot, parts[n].species, parts[n].diffusion_coefficient),
            None => {
                self.kill(slot);
                self.changed.push(slot);
            }
        }
        self.fly_apart(slots, time, generator)?;
        slots.iter().for_each(|&slot| self.restart_clock(slot, time));
        self.tally.unbound += 1;
        let story = Story {
            products: &slots.map(|slot| self.party(slot)),
            before: &before,
            after: &self.clusters_of(&slots),
            ..Story::of(ChangeKind::Split, rule, time, place, &reactant)
        };
        self.tell_change(observer, story)?;
        Ok(true)
    }

    /// The slots of two parts of the body in `slot`, at these `places`; none if they would
    /// overlap others. The host, if there is one, stays in its slot.
    fn place_parts(
        &mut self,
        time: f64,
        slot: u32,
        parts: [Part; 2],
        host: Option<usize>,
        places: [Vector<D>; 2],
    ) -> Option<[u32; 2]> {
        if let Some(n) = host {
            if !self.may_become(slot, parts[n].species, time, &[]) {
                return None;
            }
            let guest = &parts[1 - n];
            let image = self.image_beside(slot, time, places[1 - n]);
            let added = self.add(set_free(guest, places[1 - n], time, image));
            if !self.fits(added, time, &[slot]) {
                self.take_back(added);
                return None;
            }
            return Some(if n == 0 { [slot, added] } else { [added, slot] });
        }
        let slots = [0, 1].map(|n| {
            let image = self.image_beside(slot, time, places[n]);
            self.add(set_free(&parts[n], places[n], time, image))
        });
        let others = [slot, slots[0], slots[1]];
        if !(self.fits(slots[0], time, &others) && self.fits(slots[1], time, &others)) {
            self.take_back(slots[1]);
            self.take_back(slots[0]);
            return None;
        }
        Some(slots)
    }

    /// Where two bonded bodies touch.
    pub(super) fn place_of_bond(&self, ends: [u32; 2], time: f64) -> Vector<D> {
        let [a, b] = ends.map(|slot| self.place_at(slot, time));
        let apart = self.domain.nearest_image(b - a);
        a + apart * (self.particles.radius[ends[0] as usize] / apart.norm())
    }

    /// Bonds of a unit break: one of them, and the two pieces fly apart along it; or several, and
    /// the pieces fly off in all directions.
    pub(super) fn break_bonds(
        &mut self,
        time: f64,
        number: u32,
        broken: &[usize],
        rule: u16,
        generator: &mut Xoshiro256PlusPlus,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let unit = self.dissolve(number);
        let ids = broken.iter().map(|&n| unit.bonds[n].ids).collect::<Vec<_>>();
        let ends = ids[0].map(|id| unit.member(&self.particles, id));
        let left = (0..unit.bonds.len()).filter(|n| !broken.contains(n)).map(|n| unit.bonds[n]);
        let (pieces, after) = self.regroup(unit.members, left.collect(), None);
        let parties = ends.map(|slot| self.party(slot));
        let place = self.place_of_bond(ends, time);
        self.let_go(&pieces, ends, place, time, generator)?;
        self.tally.unbound += 1;
        let story = Story {
            products: &parties,
            bonds_broken: &ids,
            before: &[unit.id],
            after: &after,
            ..Story::of(ChangeKind::Unbonded, rule, time, place, &parties)
        };
        self.tell_change(observer, story)
    }
}
