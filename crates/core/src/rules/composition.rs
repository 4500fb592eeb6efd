//! What particles hold that no two have coalesced into during the run: those that are there at the
//! start, created, added or converted. Others of their species were made of two and fall apart into
//! these again; in mass action all are alike. So they hold what they would have been made of, where
//! there is only one way to make them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Case, RuleSet};

/// One way in which two particles become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joining {
    /// The contact rule.
    pub rule: u16,
    /// Its case, by its place in the list.
    pub case: u32,
    /// The species of the two.
    pub parts: [u16; 2],
}

/// How what falls apart again is made, by species.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compositions {
    ways: BTreeMap<u16, Vec<Joining>>,
    known: BTreeMap<u16, Joining>,
}

impl Compositions {
    /// What coalescence makes of two other species, by rules of which at least one is undone by a rule in
    /// time. What grows by taking in others is of its species before it has taken in any, so that this is no
    /// way to make it.
    pub(super) fn of(rules: &RuleSet) -> Self {
        let mut ways: BTreeMap<u16, Vec<Joining>> = BTreeMap::new();
        let mut falls_apart = BTreeSet::new();
        let merging = rules.contact.iter().zip(0..).filter(|(rule, _)| rule.action.effect().merges);
        for (bind, rule) in merging {
            let is_undone = rules.undoing(rule).next().is_some();
            for (Case { species: parts, products, .. }, case) in bind.cases.iter().zip(0..) {
                let Some(&product) = products.first().filter(|made| !parts.contains(made)) else {
                    continue;
                };
                ways.entry(product).or_default().push(Joining { rule, case, parts: *parts });
                if is_undone {
                    falls_apart.insert(product);
                }
            }
        }
        ways.retain(|species, _| falls_apart.contains(species));
        let known = known(&ways);
        Self { ways, known }
    }

    /// Whether nothing that coalesces falls apart again.
    pub fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    /// All ways to make a species; none if nothing gets out of it again.
    pub fn ways(&self, species: u16) -> &[Joining] {
        self.ways.get(&species).map_or(&[], Vec::as_slice)
    }

    /// What a particle of a species holds that has not coalesced in the run, if that is known.
    pub fn known(&self, species: u16) -> Option<Joining> {
        self.known.get(&species).copied()
    }

    /// Whether particles of a species hold others, but which is not known of one that has not coalesced
    /// in the run.
    pub fn is_open(&self, species: u16) -> bool {
        self.ways.contains_key(&species) && !self.known.contains_key(&species)
    }
}

/// What there is one way to make, of two that hold nothing or of which it is known what; so nothing that is a
/// part of itself.
fn known(ways: &BTreeMap<u16, Vec<Joining>>) -> BTreeMap<u16, Joining> {
    let mut known = BTreeMap::new();
    loop {
        let is_settled = |part: &u16| !ways.contains_key(part) || known.contains_key(part);
        let found = ways.iter().filter(|(species, _)| !known.contains_key(*species));
        let found = found.filter_map(|(species, ways)| match ways[..] {
            [way] if way.parts.iter().all(is_settled) => Some((*species, way)),
            _ => None,
        });
        let found: Vec<(u16, Joining)> = found.collect();
        if found.is_empty() {
            return known;
        }
        known.extend(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Chance, ContactRule, Cut, TimedAction, TimedRule};

    /// Rules by which these two coalesce to the third, the first `undone` of which are undone.
    fn compositions(joins: &[([u16; 2], u16)], undone: u16) -> Compositions {
        let join = |(parts, product): &([u16; 2], u16)| {
            ContactRule::coalesce("join", *parts, *product, Chance::Intrinsic(1.0))
        };
        let contact: Vec<ContactRule> = joins.iter().map(join).collect();
        let part = |of| TimedRule::new("part", TimedAction::unbind(&[of], Cut::Any), 1.0);
        let timed = (0..undone).map(part).collect();
        RuleSet { contact, timed, ..RuleSet::default() }.compositions()
    }

    #[test]
    fn what_is_made_in_one_way_is_known() {
        let all = compositions(&[([0, 1], 2), ([2, 0], 3), ([2, 4], 2)], 2);
        let known = |species: u16| all.known(species).map(|way| (way.rule, way.case, way.parts));
        assert_eq!([known(2), known(3)], [Some((0, 0, [0, 1])), Some((1, 0, [2, 0]))]);
        assert_eq!([known(0), known(1), known(4)], [None; 3]);
        assert!((0..5).all(|species| !all.is_open(species)));
    }

    #[test]
    fn what_is_made_in_several_ways_or_of_itself_is_open() {
        let several = compositions(&[([0, 1], 2), ([3, 4], 2)], 1);
        assert!(several.is_open(2) && several.known(2).is_none());
        // Nothing gets out of what never falls apart.
        assert!(compositions(&[([0, 1], 2)], 0).ways(2).is_empty());
        let circle = compositions(&[([0, 1], 2), ([2, 3], 0), ([2, 1], 4)], 3);
        assert_eq!([0, 1, 2, 3, 4].map(|s| circle.is_open(s)), [true, false, true, false, true]);
    }
}
