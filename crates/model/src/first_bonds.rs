//! At which sites the bonds at the start end.

use std::collections::BTreeSet;

use jostle_core::clusters::NO_SITE;

use crate::{FirstBond, Model};

impl Model {
    /// The sites of the two ends of each of these bonds at the start, which are all that their particles
    /// have: those that are said, or else the first pair that its rule joins and that is free, or [`NO_SITE`] where it joins no sites.
    /// None for a bond that finds no free pair, or that no rule makes.
    pub fn sites_of_first_bonds(&self, bonds: &[FirstBond]) -> Vec<Option<[u8; 2]>> {
        let mut taken: BTreeSet<((u16, usize), u8)> = BTreeSet::new();
        let mut sites = |bond: &FirstBond| {
            let species = bond.ends.map(|(species, _)| species);
            let cases = &self.rules().contact[bond.rule? as usize].cases;
            let ways = cases.iter().flat_map(|case| {
                let joins = case.joins().unwrap_or([NO_SITE; 2]);
                [(case.species, joins), ([case.species[1], case.species[0]], [joins[1], joins[0]])]
            });
            let is_free = |joins: [u8; 2]| {
                (0..2).all(|n| joins[n] == NO_SITE || !taken.contains(&(bond.ends[n], joins[n])))
            };
            let fitting = ways.filter(|(known, _)| *known == species).map(|(_, joins)| joins);
            let fitting: Vec<[u8; 2]> = fitting.collect();
            let joins = match (bond.sites, fitting.as_slice()) {
                (Some(sites), _) => Some(sites),
                (None, []) => Some([NO_SITE; 2]),
                (None, some) => some.iter().copied().find(|joins| is_free(*joins)),
            };
            taken.extend((0..2).filter_map(|n| Some((bond.ends[n], joins?[n]))));
            joins
        };
        bonds.iter().map(&mut sites).collect()
    }
}
