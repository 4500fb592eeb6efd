//! Bonds at the start: those of position files, and those that `clusters.bonds` lists.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};

use crate::templates::MoleculeTemplate;
use crate::together::{ByPair, by_pair};
use crate::walker::Item;
use crate::{FirstBond, Placement, PlacementMethod};
use jostle_core::rules::RuleSet;
use jostle_files::positions::FileBond;

use super::Context;

/// A particle at the start: its species, and its number among the given places of that.
type End = (u16, usize);

/// What has been taken from position files so far.
#[derive(Default)]
pub(super) struct Taken(RefCell<Vec<TakenFile>>);

/// One position file.
struct TakenFile {
    path: PathBuf,
    bonds: Vec<FileBond>,
    /// A particle that was in which slot.
    ends: HashMap<u64, End>,
}

impl Taken {
    /// Remembers which comes from which slot of a file with these bonds.
    pub(super) fn note(
        &self,
        path: &Path,
        bonds: &[FileBond],
        ends: impl Iterator<Item = (u64, End)>,
    ) {
        let mut files = self.0.borrow_mut();
        // Several species may be read from one file, and a bond of it may join two of them.
        let n = files.iter().position(|file| file.path == path).unwrap_or(files.len());
        if n == files.len() {
            files.push(TakenFile {
                path: path.to_owned(),
                bonds: bonds.to_vec(),
                ends: HashMap::new(),
            });
        }
        files[n].ends.extend(ends);
    }

    /// The bonds whose two particles have both been taken from their file.
    pub(super) fn bonds(&self, rules: &RuleSet, molecules: &[MoleculeTemplate]) -> Vec<FirstBond> {
        let mut bonds = Vec::new();
        let makers = Makers::of(rules);
        let within = |pair: [u16; 2]| {
            let of = molecules.iter().find(|molecule| molecule.has_two_of(pair))?;
            makers.called(&of.name)
        };
        for file in self.0.borrow().iter() {
            for bond in &file.bonds {
                if let [Some(&a), Some(&b)] = bond.slots.map(|slot| file.ends.get(&slot)) {
                    let pair = [a.0, b.0];
                    let rule = makers.maker(bond.rule.as_deref(), pair).or_else(|| within(pair));
                    bonds.push(FirstBond { ends: [a, b], rule, sites: None });
                }
            }
        }
        bonds
    }
}

/// The rules that make bonds.
struct Makers<'a> {
    rules: &'a RuleSet,
    /// The first of each name.
    named: HashMap<&'a str, u16>,
    pairs: ByPair<'a>,
}

impl<'a> Makers<'a> {
    fn of(rules: &'a RuleSet) -> Self {
        let mut named = HashMap::new();
        for (number, rule) in rules.contact.iter().enumerate() {
            if rule.action.effect().makes_bond {
                named.entry(rule.name.as_str()).or_insert(number as u16);
            }
        }
        Self { rules, named, pairs: by_pair(rules) }
    }

    /// The rule of that name, if it makes bonds.
    fn called(&self, name: &str) -> Option<u16> {
        self.named.get(name).copied()
    }

    /// The rule that a bond of two species has: the one called as that which made it, or else the
    /// first that could have.
    fn maker(&self, name: Option<&str>, [a, b]: [u16; 2]) -> Option<u16> {
        let bonds =
            |number: &u16| self.rules.contact[usize::from(*number)].action.effect().makes_bond;
        let fits = || self.pairs.of(a, b).iter().map(|(number, _)| *number).find(bonds);
        name.and_then(|name| self.called(name)).or_else(fits)
    }
}

/// The bonds of a list of `["A", 1, "B", 7, "bind"]`: particles by species and number among its
/// given places, counted from 1, and the rule that could have made them.
pub(super) fn listed(
    item: &Item<'_>,
    context: &Context<'_>,
    placement: &[Placement],
    rules: &RuleSet,
) -> Option<Vec<FirstBond>> {
    let makers = Makers::of(rules);
    let row = |item: &Item<'_>| {
        let list = item.list()?;
        let [a, first, b, second, rule] = &list[..] else {
            item.fault("five entries are needed: [\"A\", 1, \"B\", 7, \"bind\"]");
            return None;
        };
        let ends = [end(a, first, context, placement)?, end(b, second, context, placement)?];
        let name = rule.text()?;
        let made_by = makers.called(name);
        if made_by.is_none() {
            rule.fault(format!(
                "\"{name}\" is not a rule with `do = \"bind\"` and `merge = \"bond\"` or `\"tether\"`"
            ));
        }
        Some(FirstBond { ends, rule: Some(made_by?), sites: None })
    };
    item.list()?.iter().map(row).collect()
}

/// Why bonds may not close a ring.
pub(super) const TREES: &str =
    "two members of a cluster can be joined by one chain of bonds, not by two";

fn end(
    name: &Item<'_>,
    number: &Item<'_>,
    context: &Context<'_>,
    placement: &[Placement],
) -> Option<End> {
    let species = context.kinds.one(name)?;
    let number = number.whole(1)? as usize - 1;
    let given = placement.iter().find(|p| p.species == species).map_or(0, |p| match &p.how {
        PlacementMethod::Positions(places) => places.len(),
        _ => 0,
    });
    if number >= given {
        name.fault(format!(
            "{} has {given} given positions, so there is no number {} among them; bonds join particles with given \
             positions",
            context.kinds.name(species),
            number + 1
        ));
        return None;
    }
    Some((species, number))
}

/// The first pair that closes a ring with those before it.
pub(super) fn ring<T: Copy + Eq + Hash>(pairs: impl Iterator<Item = [T; 2]>) -> Option<usize> {
    let mut parents: HashMap<T, T> = HashMap::new();
    let root = |parents: &mut HashMap<T, T>, mut node: T| {
        while let Some(&parent) = parents.get(&node) {
            // Each second one is skipped from now on, which keeps the ways short.
            if let Some(&next) = parents.get(&parent) {
                parents.insert(node, next);
            }
            node = parent;
        }
        node
    };
    for (n, pair) in pairs.enumerate() {
        let [a, b] = pair.map(|node| root(&mut parents, node));
        if a == b {
            return Some(n);
        }
        parents.insert(a, b);
    }
    None
}
