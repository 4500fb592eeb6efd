//! Sites of particles: which are bound, and what is bound to them.

use super::diffusion::Diffusion;
use super::system::System;
use jostle_core::clusters::{Bond, NO_SITE, Unit};
use jostle_core::docking::Torsion;
use jostle_core::particles::Particles;
use jostle_core::rules::{Case, Partners, Product, Region, Standing, TouchingPair};
use jostle_core::sites::{Complex, SiteChange, SitePattern, Sites};
use jostle_core::species::Species;

/// Notes at the sites of `members`, which come in the order of their identities, what `bonds` there
/// are among them now.
pub(super) fn occupy<const D: usize>(
    species: &[Species],
    p: &mut Particles<D>,
    members: &[u32],
    bonds: &[Bond],
) {
    // The bits are made from the bonds each time, all of them: kept up one by one as bonds come and
    // go, they could come to differ from these.
    for &slot in members {
        let i = slot as usize;
        p.sites[i] &= !species[p.species[i] as usize].sites.all_bound();
    }
    for bond in bonds {
        for (id, site) in bond.ids.into_iter().zip(bond.sites) {
            let found = members.binary_search_by_key(&id, |&slot| p.id[slot as usize]);
            if let (Ok(n), true) = (found, site != NO_SITE) {
                let i = members[n] as usize;
                p.sites[i] |= species[p.species[i] as usize].sites.bound(site);
            }
        }
    }
}

/// Changes the states of two particles, which are about to be bound or to part.
pub(super) fn change_states<const D: usize>(
    p: &mut Particles<D>,
    slots: [u32; 2],
    changes: StateChanges,
) {
    for (slot, change) in slots.into_iter().zip(changes) {
        let code = &mut p.sites[slot as usize];
        *code = change.of(*code);
    }
}

/// The particles of a system as molecules whose sites are bound to each other.
#[derive(Clone, Copy)]
pub(super) struct Molecules<'a, const D: usize>(pub(super) &'a System<D>);

impl<const D: usize> Molecules<'_, D> {
    pub(super) fn sites_of(&self, species: u16) -> &Sites {
        &self.0.species[species as usize].sites
    }

    /// Whether the particle in `slot` is bound at any of its sites.
    pub(super) fn is_bound_at_sites(&self, slot: u32) -> bool {
        self.code(slot) & self.sites_of(self.species(slot)).all_bound() != 0
    }

    /// The site code of a product that continues the particle in slot `heir_of`, if it continues
    /// any, and remains there with its bonds if it `stays`.
    pub(super) fn sites_of_product(
        &self,
        product: &Product,
        heir_of: Option<u32>,
        stays: Option<u32>,
    ) -> u64 {
        // In a slot of its own the product has left the bonds with the particle that it continues.
        let bound = self.sites_of(product.species).all_bound();
        let former = heir_of.filter(|_| product.kin).map_or(0, |slot| self.code(slot));
        product.change.of(if stays.is_some() { former } else { former & !bound })
    }

    /// How the states of the particles in the slots that a bond joins change if it breaks, and in how
    /// many ways it and the two are like those of these cases that say so; if there is none, any bond
    /// is like them in one way.
    pub(super) fn ways_like(
        &self,
        cases: &[Case<2>],
        bond: &Bond,
        ends: [u32; 2],
    ) -> Vec<(StateChanges, u32)> {
        if cases.is_empty() {
            return vec![(StateChanges::default(), 1)];
        }
        let species = ends.map(|slot| self.species(slot));
        let fits = |case: &Case<2>, [a, b]: [usize; 2]| {
            case.species == [species[a], species[b]]
                && case.joins().is_none_or(|joins| joins == [bond.sites[a], bond.sites[b]])
                && case.pattern(0).is_none_or(|pattern| pattern.fits(self, ends[a]))
                && case.pattern(1).is_none_or(|pattern| pattern.fits(self, ends[b]))
        };
        let mut found: Vec<(StateChanges, u32)> = Vec::new();
        for case in cases {
            let [forth, back] = [fits(case, [0, 1]), fits(case, [1, 0])];
            // Two molecules that are alike in all that the rule asks break up in one way, not in
            // two: BioNetGen's convention for symmetric rules.
            let back = back && !(forth && case.is_one_either_way());
            for (_, [a, b]) in [(forth, [0, 1]), (back, [1, 0])].into_iter().filter(|way| way.0) {
                let changes = [case.change(a), case.change(b)];
                match found.iter_mut().find(|(known, _)| *known == changes) {
                    Some((_, ways)) => *ways += 1,
                    None => found.push((changes, 1)),
                }
            }
        }
        found
    }
}

impl<const D: usize> Complex for Molecules<'_, D> {
    fn species(&self, slot: u32) -> u16 {
        self.0.particles.species[slot as usize]
    }

    fn code(&self, slot: u32) -> u64 {
        self.0.particles.sites[slot as usize]
    }

    fn bound_to(&self, slot: u32, site: u8) -> Option<(u32, u8)> {
        let System { clusters, particles, .. } = self.0;
        let unit = clusters.unit_of(particles, slot)?;
        let end = (particles.id[slot as usize], site);
        unit.bonds.iter().find_map(|bond| {
            let ends = [0, 1].map(|n| (bond.ids[n], bond.sites[n]));
            let n = ends.iter().position(|known| *known == end)?;
            let (id, at) = ends[1 - n];
            Some((unit.member(particles, id), at))
        })
    }
}

/// How the states of the two that a bond joins change when it is made or breaks, in the order of its
/// ends.
pub(super) type StateChanges = [SiteChange; 2];

/// A unit as it would be without one of its bonds.
pub(super) struct Without<'a, const D: usize> {
    pub(super) system: &'a System<D>,
    pub(super) bond: Bond,
    /// The slots of the two that it joins.
    pub(super) ends: [u32; 2],
    /// How their states would change.
    changes: StateChanges,
    /// How the two would stand to others.
    pub(super) standing: [Standing; 2],
    /// Whether they have been moved to where they part, so that other sites may face each other.
    has_parted: bool,
}

impl<'a, const D: usize> Without<'a, D> {
    /// The same, once they have been moved to where they part.
    pub(super) fn parted(self) -> Self {
        Self { has_parted: true, ..self }
    }

    /// The two that a bond of `unit` joins as they would be without it and with other states, in
    /// contact, and what would be left of the unit then in two `pieces`.
    pub(super) fn of(
        system: &'a System<D>,
        unit: &Unit,
        (bond, changes): (usize, StateChanges),
        pieces: &[Vec<u32>; 2],
    ) -> (TouchingPair, Self) {
        let bond = unit.bonds[bond];
        let ends = bond.ids.map(|id| unit.member(&system.particles, id));
        let standing = [0, 1].map(|n| Standing {
            size: system.clusters.size_among(&system.particles, &pieces[n]),
            // The bond that is to break still counts.
            bonds: system.standing(ends[n]).bonds - 1,
        });
        let species = ends.map(|slot| system.particles.species[slot as usize]);
        let diffusion = |n: usize| Diffusion(system).of(&pieces[n], system.now);
        let meeting = TouchingPair {
            species,
            distance: ends.map(|slot| system.particles.radius[slot as usize]).iter().sum(),
            diffusion: [0, 1].map(diffusion),
        };
        (meeting, Self { system, bond, ends, changes, standing, has_parted: false })
    }
}

impl<const D: usize> Without<'_, D> {
    /// Which end of the bond the particle in `slot` is at, if it is at any.
    fn end(&self, slot: u32) -> Option<usize> {
        self.ends.iter().position(|&end| end == slot)
    }

    /// The site of the particle in `slot` at which the bond ends.
    fn site_of(&self, slot: u32) -> Option<u8> {
        Some(self.bond.sites[self.end(slot)?]).filter(|&site| site != NO_SITE)
    }

    /// Whether the two would be as they are if `changes` came with their being bound again.
    pub(super) fn is_undone_by(&self, changes: StateChanges) -> bool {
        let same = |n: usize| {
            let before = Molecules(self.system).code(self.ends[n]);
            changes[n].of(self.changes[n].of(before)) == before
        };
        same(0) && same(1)
    }
}

impl<const D: usize> Complex for Without<'_, D> {
    fn species(&self, slot: u32) -> u16 {
        Molecules(self.system).species(slot)
    }

    fn code(&self, slot: u32) -> u64 {
        let molecules = Molecules(self.system);
        let sites = molecules.sites_of(molecules.species(slot));
        let bound = self.site_of(slot).map_or(0, |site| sites.bound(site));
        let change = self.end(slot).map_or(SiteChange::default(), |n| self.changes[n]);
        change.of(molecules.code(slot)) & !bound
    }

    fn bound_to(&self, slot: u32, site: u8) -> Option<(u32, u8)> {
        Molecules(self.system).bound_to(slot, site).filter(|_| self.site_of(slot) != Some(site))
    }
}

impl<const D: usize> Partners for Without<'_, D> {
    fn standing(&self) -> [Standing; 2] {
        self.standing
    }

    fn fits(&self, which: usize, pattern: &SitePattern) -> bool {
        pattern.fits(self, self.ends[which])
    }

    /// Once they have parted, the sites do that were bound, and perhaps others, whose openings overlap
    /// theirs.
    fn face(&self, sites: [u8; 2], torsion: Option<Torsion>) -> bool {
        let places = || self.ends.map(|slot| self.system.place_at(slot, self.system.now));
        let faces = || Molecules(self.system).docking(self.ends, places(), sites, torsion).faces();
        sites == self.bond.sites || self.has_parted && faces()
    }

    fn are_in(&self, region: &Region) -> bool {
        self.system.ground().is_in(region, self.system.place_of_bond(self.ends, self.system.now))
    }
}
