//! Molecules of several spheres: rigid clusters that are there from the start, and flexible ones
//! whose spheres are tethered to each other.

use jostle_core::rules::{Case, ContactRule};
use jostle_core::space::{Orientation, Vector};
use jostle_core::species::Species;

use super::{FirstBond, Model, PlacementMethod};

/// A molecule of several spheres, which keep their places to each other or are tethered.
#[derive(Clone, Debug, PartialEq)]
pub struct MoleculeTemplate {
    /// Its name, and that of the rule that its bonds or tethers belong to.
    pub name: String,
    /// The complex that its spheres follow from, as the file has it, if it is said so.
    pub complex: Option<String>,
    /// Its spheres.
    pub spheres: Vec<MoleculeSphere>,
    /// What holds it together.
    pub joints: Joints,
    /// Which of the model's placements is that of its first sphere; those of the others follow.
    pub placement: usize,
}

/// What holds the spheres of a molecule together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joints {
    /// They move as one.
    Rigid,
    /// Centres of neighbours are at most so far apart. \[nm\]
    Tethers(f64),
    /// The same of a chain of alike spheres, which is laid out at random.
    Chain(f64),
}

impl Joints {
    /// The length of the tethers, if there are any. \[nm\]
    pub fn tether(self) -> Option<f64> {
        match self {
            Self::Rigid => None,
            Self::Tethers(length) | Self::Chain(length) => Some(length),
        }
    }
}

/// A sphere of a molecule.
#[derive(Clone, Debug, PartialEq)]
pub struct MoleculeSphere {
    /// Index into the species.
    pub species: u16,
    /// Its site code; all of it says that its sites are free.
    pub sites: u64,
    /// Where it is, as the molecule itself sees it. \[nm\]
    pub at: [f64; 3],
    /// How it is turned in the molecule, if it is.
    pub turn: Option<SphereTurn>,
    /// Its bond to the sphere before it, if that is none of the molecule.
    pub bond: Option<SphereBond>,
}

/// A bond between spheres that a rule could have made.
#[derive(Clone, Debug, PartialEq)]
pub enum SphereBond {
    /// By the rule of this name, at the first sites that it joins and that are free.
    Rule(String),
    /// At these sites, by the first rule that joins them.
    Sites {
        /// To which of the spheres before.
        to: usize,
        /// Its site, and that of the sphere itself.
        sites: [u8; 2],
    },
}

/// How a sphere is turned in its molecule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereTurn {
    /// Of any length but 0.
    pub axis: Vector<3>,
    /// Right handed. \[rad\]
    pub angle: f64,
}

impl MoleculeSphere {
    /// How it is turned in the molecule.
    pub fn orientation(&self) -> Orientation {
        self.turn.map_or(Orientation::NONE, |turn| {
            Orientation::about(turn.axis * (1.0 / turn.axis.norm()), turn.angle)
        })
    }

    /// The way from another sphere of the molecule to this one. \[nm\]
    pub fn beside(&self, other: &Self) -> Vector<3> {
        Vector(self.at) - Vector(other.at)
    }
}

impl MoleculeTemplate {
    /// Whether it has two spheres of these species, one of each.
    pub fn has_two_of(&self, [a, b]: [u16; 2]) -> bool {
        let count = |species: u16| self.spheres.iter().filter(|s| s.species == species).count();
        count(a) > usize::from(a == b) && count(b) > 0
    }

    /// The pairs of spheres that bonds or tethers join: each with that of the earlier ones whose
    /// surface is nearest.
    pub fn joined<'a>(&'a self, species: &'a [Species]) -> impl Iterator<Item = [usize; 2]> + 'a {
        let is_chain = matches!(self.joints, Joints::Chain(_));
        let radius = |n: usize| species[usize::from(self.spheres[n].species)].radius;
        let gap = move |a: usize, b: usize| {
            self.spheres[a].beside(&self.spheres[b]).norm() - radius(b).unwrap_or(0.0)
        };
        (1..self.spheres.len()).filter_map(move |n| {
            if is_chain {
                return Some([n - 1, n]);
            }
            let nearest = (0..n).min_by(|&a, &b| gap(n, a).total_cmp(&gap(n, b)))?;
            Some([nearest, n])
        })
    }
}

impl Model {
    /// The molecules of several spheres.
    pub fn molecules(&self) -> &[MoleculeTemplate] {
        self.brownian().map_or(&[], |brownian| &brownian.molecules)
    }

    /// How many of a molecule there are at the start.
    pub fn count_of(&self, molecule: &MoleculeTemplate) -> usize {
        self.placement[molecule.placement].count()
    }

    /// The contact rule that the bonds or tethers of a molecule belong to; it applies to no contact.
    pub fn rule_of(&self, molecule: &MoleculeTemplate) -> Option<u16> {
        let rules = self.rules().contact.iter();
        let own = |rule: &_| is_of_molecules(rule) && rule.name == molecule.name;
        rules.enumerate().find_map(|(n, rule)| own(rule).then_some(n as u16))
    }

    /// Calls `each` with the kind of every molecule at the start, in the order in which they are
    /// placed, and its spheres: the species of each, and its number among the particles of that, from 0. Particles
    /// with given places have lower numbers, all others higher ones.
    pub fn each_molecule(&self, mut each: impl FnMut(usize, &[(u16, usize)])) {
        let mut next = vec![0; self.species.len()];
        for placement in &self.placement {
            if let PlacementMethod::Positions(places) = &placement.how {
                next[usize::from(placement.species)] += places.len();
            }
        }
        for (kind, molecule) in self.molecules().iter().enumerate() {
            for _ in 0..self.count_of(molecule) {
                let spheres = molecule.spheres.iter().map(|sphere| {
                    let number = &mut next[usize::from(sphere.species)];
                    *number += 1;
                    (sphere.species, *number - 1)
                });
                each(kind, &spheres.collect::<Vec<_>>());
            }
        }
    }

    /// The species of particles that may be tethered to others, in order.
    pub fn tethered_species(&self) -> Vec<u16> {
        let flexible =
            self.molecules().iter().filter(|molecule| molecule.joints.tether().is_some());
        let first = flexible.flat_map(|molecule| &molecule.spheres).map(|sphere| sphere.species);
        let tethered = self.rules().tethered(first);
        tethered.map_or_else(Vec::new, |(_, species)| species.into_iter().collect())
    }

    /// The bonds and tethers that hold molecules of several spheres together at the start, by the numbers
    /// of [`Model::each_molecule`].
    pub fn molecule_bonds(&self) -> Vec<FirstBond> {
        let kinds: Vec<_> = self.molecules().iter().map(|one| self.bonds_of(one)).collect();
        let mut bonds = Vec::new();
        self.each_molecule(|kind, spheres| {
            let all = kinds[kind].iter();
            bonds.extend(
                all.map(|(pair, bond)| FirstBond { ends: pair.map(|n| spheres[n]), ..*bond }),
            );
        });
        bonds
    }

    /// The pairs of spheres of a molecule that are joined, and the bond of each as if there were no others of
    /// their species.
    pub fn bonds_of(&self, molecule: &MoleculeTemplate) -> Vec<([usize; 2], FirstBond)> {
        let bond = |pair: [usize; 2]| {
            let sites = match molecule.spheres[pair[1]].bond {
                Some(SphereBond::Sites { sites, .. }) => Some(sites),
                Some(SphereBond::Rule(_)) | None => None,
            };
            let ends = pair.map(|n| (molecule.spheres[n].species, n));
            (pair, FirstBond { ends, rule: self.rule_of_bond(molecule, pair[1]), sites })
        };
        molecule.joined(&self.species).map(bond).collect()
    }

    /// The contact rule that the bond of a sphere to one before it belongs to: one that binds, or that of
    /// the molecule. None if there is no rule of the name.
    pub fn rule_of_bond(&self, molecule: &MoleculeTemplate, sphere: usize) -> Option<u16> {
        let makes_bonds = |rule: &&ContactRule| {
            rule.action.effect().makes_bond && rule.tether.is_none() && !is_of_molecules(rule)
        };
        let rules = self.rules().contact.iter();
        let mut rules = (0..).zip(rules).filter(|(_, rule)| makes_bonds(rule));
        match &molecule.spheres[sphere].bond {
            None => self.rule_of(molecule),
            Some(SphereBond::Rule(name)) => {
                rules.find(|(_, rule)| rule.name == *name).map(|(number, _)| number)
            }
            Some(SphereBond::Sites { to, sites }) => {
                let ends = [*to, sphere].map(|n| &molecule.spheres[n]);
                let joining = rules.filter_map(|(number, rule)| {
                    let fitting =
                        rule.cases.iter().filter_map(|case| self.joins_as(case, ends, *sites));
                    Some((number, fitting.max()?))
                });
                // That which asks for their states, rather than for others.
                let joining: Vec<(u16, bool)> = joining.collect();
                let best = joining.iter().find(|(_, fits)| *fits).or(joining.first());
                best.map(|(number, _)| *number)
            }
        }
    }

    /// Whether two spheres are in the states that a case asks for, if it joins them at these sites.
    fn joins_as(&self, case: &Case<2>, ends: [&MoleculeSphere; 2], sites: [u8; 2]) -> Option<bool> {
        let species = ends.map(|end| end.species);
        let in_state = |(n, end): (usize, usize)| {
            let states = !self.species[usize::from(species[end])].sites.all_bound();
            let asked = case.pattern(n).map_or((0, 0), |pattern| (pattern.mask, pattern.value));
            (ends[end].sites ^ asked.1) & asked.0 & states == 0
        };
        let joins = |order: &[usize; 2]| {
            case.species == order.map(|n| species[n])
                && case.joins() == Some(order.map(|n| sites[n]))
        };
        let orders = [[0, 1], [1, 0]].into_iter().filter(joins);
        orders.map(|order| order.into_iter().enumerate().all(in_state)).max()
    }
}

/// Whether a contact rule stands for the bonds or tethers of molecules of several spheres: it binds, but
/// no pair.
pub fn is_of_molecules(rule: &ContactRule) -> bool {
    rule.action.effect().makes_bond && rule.cases.is_empty()
}
