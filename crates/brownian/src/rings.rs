//! Rings: sites of one cluster that face each other bind, which moves nothing, and such a bond breaks
//! again. A cluster keeps together while any path of bonds is left.

use super::StepError;
use super::clocks::{Channel, Channels, TimedEvent};
use super::reaction::Reaction;
use super::report::ChangeRecord;
use super::sites::{Molecules, StateChanges, change_states, occupy};
use super::system::System;
use jostle_core::clusters::{Bond, Unit};
use jostle_core::docking::Torsion;
use jostle_core::observe::ChangeKind;
use jostle_core::rules::{Closure, Partners, Region, Standing};
use jostle_core::sites::SitePattern;

/// Two members of one unit, as rules see them.
struct Members<'a, const D: usize> {
    system: &'a System<D>,
    slots: [u32; 2],
}

impl<const D: usize> Partners for Members<'_, D> {
    fn standing(&self) -> [Standing; 2] {
        self.slots.map(|slot| self.system.standing(slot))
    }

    fn fits(&self, which: usize, pattern: &SitePattern) -> bool {
        pattern.fits(&Molecules(self.system), self.slots[which])
    }

    fn face(&self, _: [u8; 2], _: Option<Torsion>) -> bool {
        true
    }

    fn are_in(&self, region: &Region) -> bool {
        let system = self.system;
        system.ground().is_in(region, system.place_of_bond(self.slots, system.now))
    }
}

impl<const D: usize> Channels<'_, D> {
    /// The rings that a unit may close. All pairs of members that have a free site are looked at,
    /// which takes less time than to find neighbours in units of some hundred particles.
    pub(super) fn closures_of(&mut self, number: u32, unit: &Unit) {
        let system = self.system;
        if !system.book.closes() || unit.is_flexible {
            return;
        }
        let has_free_site = |&&slot: &&u32| {
            let i = slot as usize;
            let sites = &system.species[system.particles.species[i] as usize].sites;
            sites.all_bound() & !system.particles.sites[i] != 0
        };
        let free: Vec<u32> = unit.members.iter().filter(has_free_site).copied().collect();
        for (n, &a) in free.iter().enumerate() {
            for &b in &free[n + 1..] {
                self.closures_between(number, unit, [a, b]);
            }
        }
    }

    fn closures_between(&mut self, number: u32, unit: &Unit, slots: [u32; 2]) {
        let system = self.system;
        let p = &system.particles;
        // The unit is rigid, so that it does not matter when.
        let places = slots.map(|slot| system.place_at(slot, system.now));
        let distance: f64 = slots.iter().map(|&slot| p.radius[slot as usize]).sum();
        let apart = system.domain.nearest_image(places[1] - places[0]).norm();
        let gap = (apart / distance - 1.0).abs();
        let ids = slots.map(|slot| p.id[slot as usize]);
        // No tolerance is so wide, and most pairs of a large unit are farther apart: they need not
        // be looked up in the rules. Two that are bonded already would close nothing.
        if gap > 1.0 || unit.bonds.iter().any(|bond| bond.ids == ids) {
            return;
        }
        let species = slots.map(|slot| p.species[slot as usize]);
        for (decision, Closure { rate, tolerance }) in
            system.book.closures(species, &Members { system, slots })
        {
            let (Some(sites), Some(rule)) = (system.book.joins(decision), decision.rule) else {
                continue;
            };
            let torsion = system.book.rules().contact[rule as usize].geometry.torsion;
            let docking = Molecules(system).docking(slots, places, sites, torsion);
            if gap <= tolerance && docking.misfit() <= tolerance {
                let changes = system.book.changes(decision);
                let way = TimedEvent::Close { unit: number, slots, sites, changes };
                self.found.push(Channel { way, rule, rate });
            }
        }
    }
}

impl<const D: usize> Reaction<'_, D> {
    /// Two members of a unit, in the order of their identities, bind at these sites, or become tethered,
    /// and their states change.
    pub(super) fn close_ring(
        &mut self,
        number: u32,
        slots: [u32; 2],
        (sites, changes): ([u8; 2], StateChanges),
    ) -> Result<(), StepError> {
        let ids = slots.map(|slot| self.engine.system.particles.id[slot as usize]);
        let made = Bond { ids, rule: self.rule, sites };
        let mut bonds = self.engine.system.clusters.unit(number).bonds.clone();
        bonds.push(made);
        self.engine.tally.bound += 1;
        self.rebond((number, bonds), slots, (ChangeKind::Bonded, made), changes)
    }

    /// A bond or a tether of a unit breaks that is part of a ring, and states of its ends change.
    pub(super) fn open_ring(
        &mut self,
        number: u32,
        bond: usize,
        changes: StateChanges,
    ) -> Result<(), StepError> {
        let unit = self.engine.system.clusters.unit(number);
        let mut bonds = unit.bonds.clone();
        let lost = bonds.remove(bond);
        let slots = lost.ids.map(|id| unit.member(&self.engine.system.particles, id));
        self.engine.tally.unbound += 1;
        let is_flexible = unit.is_flexible;
        self.rebond((number, bonds), slots, (ChangeKind::Unbonded, lost), changes)?;
        if is_flexible { self.continue_on(&slots) } else { Ok(()) }
    }

    /// Gives a unit other bonds, which hold the same members together, and two of them other states,
    /// and reports that `bond` is made or broken.
    fn rebond(
        &mut self,
        (number, bonds): (u32, Vec<Bond>),
        slots: [u32; 2],
        (kind, bond): (ChangeKind, Bond),
        changes: StateChanges,
    ) -> Result<(), StepError> {
        let before = slots.map(|slot| self.engine.system.party(slot));
        change_states(&mut self.engine.system.particles, slots, changes);
        let System { species, particles, clusters, .. } = &mut self.engine.system;
        clusters.set_bonds(number, bonds, particles);
        let unit = clusters.unit(number);
        occupy(species, particles, &unit.members, &unit.bonds);
        self.engine.plans.restart_clock(&self.engine.system, slots[0], self.time);
        let after = slots.map(|slot| self.engine.system.party(slot));
        let cluster = [self.engine.system.clusters.unit(number).id];
        let place = self.engine.system.place_of_bond(slots, self.time);
        let changed = [bond];
        let (bonds_made, bonds_broken): (&[Bond], &[Bond]) = match kind {
            ChangeKind::Bonded => (&changed, &[]),
            _ => (&[], &changed),
        };
        self.tell_change(ChangeRecord {
            products: &after,
            bonds_made,
            bonds_broken,
            before: &cluster,
            after: &cluster,
            ..ChangeRecord::of(kind, self.rule, self.time, place, &before)
        })
    }
}
