//! Molecules and the bonds between them.

use std::collections::BTreeSet;

use jostle_model::bngl::Network;
use jostle_model::notation::{Link, Molecule};

/// A site of a molecule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SiteAt {
    pub(super) molecule: usize,
    pub(super) site: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Body {
    /// The number of its type.
    pub(super) kind: usize,
    /// The number of the state of each site; 0 where there are none.
    pub(super) states: Vec<usize>,
    /// What is bound to each site.
    pub(super) bonds: Vec<Option<SiteAt>>,
}

/// Molecules by number; the numbers of those that have gone are used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Soup {
    pub(super) bodies: Vec<Option<Body>>,
    free: Vec<usize>,
}

/// The numbers of the sites of a type that have a name.
pub(super) fn sites_named(network: &Network, kind: usize, name: &str) -> Vec<usize> {
    let sites = network.types[kind].sites.iter().enumerate();
    sites.filter(|(_, site)| site.name == name).map(|(n, _)| n).collect()
}

/// The number of a molecule type.
pub(super) fn kind_of(network: &Network, name: &str) -> usize {
    // Networks are read with all their names checked.
    network.types.iter().position(|known| known.name == name).unwrap_or_default()
}

impl Soup {
    /// Adds a complex, all of whose sites are written; the numbers of its molecules.
    pub(super) fn add(&mut self, network: &Network, complex: &[Molecule]) -> Vec<usize> {
        let mut ends: Vec<(u32, SiteAt)> = Vec::new();
        let mut added = Vec::new();
        for molecule in complex {
            let kind = kind_of(network, &molecule.name);
            let sites = &network.types[kind].sites;
            let mut body =
                Body { kind, states: vec![0; sites.len()], bonds: vec![None; sites.len()] };
            let number = self.free.pop().unwrap_or(self.bodies.len());
            let mut taken = BTreeSet::new();
            for mention in &molecule.sites {
                let named = sites_named(network, kind, &mention.name);
                let Some(site) = named.into_iter().find(|site| taken.insert(*site)) else {
                    continue;
                };
                if let Some(state) = mention.states.first() {
                    let known = sites[site].states.iter().position(|known| known == state);
                    body.states[site] = known.unwrap_or_default();
                }
                if let Link::Numbered(bond) = mention.bond {
                    ends.push((bond, SiteAt { molecule: number, site }));
                }
            }
            if number == self.bodies.len() {
                self.bodies.push(Some(body));
            } else {
                self.bodies[number] = Some(body);
            }
            added.push(number);
        }
        for (n, (bond, a)) in ends.iter().enumerate() {
            for (_, b) in ends[..n].iter().filter(|(other, _)| other == bond) {
                self.bind(*a, *b);
            }
        }
        added
    }

    pub(super) fn body(&self, molecule: usize) -> Option<&Body> {
        self.bodies.get(molecule)?.as_ref()
    }

    fn set_bond(&mut self, at: SiteAt, bond: Option<SiteAt>) {
        if let Some(body) = self.bodies[at.molecule].as_mut() {
            body.bonds[at.site] = bond;
        }
    }

    pub(super) fn bind(&mut self, a: SiteAt, b: SiteAt) {
        self.set_bond(a, Some(b));
        self.set_bond(b, Some(a));
    }

    pub(super) fn part(&mut self, a: SiteAt, b: SiteAt) {
        self.set_bond(a, None);
        self.set_bond(b, None);
    }

    pub(super) fn set_state(&mut self, at: SiteAt, state: usize) {
        if let Some(body) = self.bodies[at.molecule].as_mut() {
            body.states[at.site] = state;
        }
    }

    /// Takes a molecule away; what was bound to it is free.
    pub(super) fn remove(&mut self, molecule: usize) {
        let Some(body) = self.bodies[molecule].take() else { return };
        body.bonds.into_iter().flatten().for_each(|partner| self.set_bond(partner, None));
        self.free.push(molecule);
    }

    /// The molecules of the complex to which one belongs, in order.
    pub(super) fn complex(&self, molecule: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut next = vec![molecule];
        while let Some(molecule) = next.pop() {
            if found.insert(molecule) {
                let bonds = self.body(molecule).map(|body| body.bonds.iter().flatten());
                next.extend(bonds.into_iter().flatten().map(|partner| partner.molecule));
            }
        }
        found
    }
}
