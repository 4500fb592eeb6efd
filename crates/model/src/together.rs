//! Which reactions of two species compete at one and the same contact.

use std::collections::BTreeMap;

use super::Model;
use jostle_core::rules::rates::RateError;
use jostle_core::rules::{Chance, ContactRule, MeetingPair, RuleSet, Standing};

/// The contact rules by pair of species (the lower one first), as numbers of rule and case.
pub fn by_pair(rules: &RuleSet) -> BTreeMap<[u16; 2], Vec<(u16, u16)>> {
    let mut table: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (number, rule) in rules.contact.iter().enumerate() {
        for (n, case) in rule.cases.iter().enumerate() {
            let [a, b] = case.species;
            table.entry([a.min(b), a.max(b)]).or_default().push((number as u16, n as u16));
        }
    }
    table
}

/// The sets of reactions that can be up for decision at one contact of a pair: by size of clusters
/// and by time. `members` are the pair's entries in [`by_pair`]. No set is part of an earlier one,
/// and the first one is that of lone particles at the beginning, if anything applies to these.
pub fn rivals(rules: &RuleSet, members: &[(u16, u16)]) -> Vec<Vec<u16>> {
    let reacting: Vec<(u16, &ContactRule, bool, bool)> = members
        .iter()
        .map(|&(number, case)| (number, &rules.contact[number as usize], case))
        .filter(|(_, rule, _)| rule.action.reacts())
        .map(|(number, rule, case)| {
            let [a, b] = rule.cases[case as usize].species;
            (number, rule, a > b, a == b)
        })
        .collect();
    // Whatever can hold together holds together where some range or window begins.
    let begins =
        || reacting.iter().flat_map(|(_, rule, ..)| rule.windows.iter().map(|window| window[0]));
    let sizes = || {
        reacting.iter().flat_map(|(_, rule, ..)| rule.conditions.iter().map(|c| *c.size.start()))
    };
    let mut times: Vec<f64> = std::iter::once(0.0).chain(begins()).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut sizes: Vec<u32> = sizes().collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut sets: Vec<Vec<u16>> = Vec::new();
    for &time in &times {
        for (&a, &b) in sizes.iter().flat_map(|a| sizes.iter().map(move |b| (a, b))) {
            let holds = |&&(_, rule, swapped, alike): &&(u16, &ContactRule, bool, bool)| {
                let held = |[a, b]: [u32; 2]| {
                    let [first, second] = &rule.conditions;
                    let standing = |size| Standing { size, bonds: 0 };
                    first.holds(standing(a)) && second.holds(standing(b))
                };
                let order = if swapped { [b, a] } else { [a, b] };
                in_force(&rule.windows, time) && (held(order) || (alike && held([b, a])))
            };
            let set: Vec<u16> = reacting.iter().filter(holds).map(|(number, ..)| *number).collect();
            let part = |of: &Vec<u16>| set.iter().all(|number| of.contains(number));
            if !set.is_empty() && !sets.iter().any(part) {
                sets.push(set);
            }
        }
    }
    sets
}

fn in_force(windows: &[[f64; 2]], time: f64) -> bool {
    windows.is_empty() || windows.iter().any(|window| (window[0]..window[1]).contains(&time))
}

/// Two species as a pair that reacts; None if the size or the mobility of one is not known, or if
/// neither diffuses.
pub fn reacting_pair(model: &Model, a: u16, b: u16) -> Option<MeetingPair> {
    let encounter = model.surroundings().encounter(model.space.dimension, &model.species, a, b);
    let [a, b] = [a, b].map(|s| &model.species[s as usize]);
    let diffusion = [a.diffusion_coefficient?, b.diffusion_coefficient?];
    encounter.pair(model.space.dimension, a.radius? + b.radius?, diffusion).ok()
}

/// The intrinsic rate constant of a rule for a pair, if it is given by a rate.
/// \[nm^d/µs\]
///
/// # Errors
/// If a macroscopic rate constant cannot be had.
pub fn intrinsic(chance: Chance, pair: &MeetingPair) -> Option<Result<f64, RateError>> {
    match chance {
        Chance::Intrinsic(k_a) => Some(Ok(k_a)),
        Chance::Macroscopic(k_on) => Some(pair.intrinsic_from_macroscopic(k_on)),
        Chance::Probability(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::rules::Condition;

    fn sets(contact: Vec<ContactRule>) -> Vec<Vec<u16>> {
        let rules = RuleSet { contact, ..RuleSet::default() };
        let table = by_pair(&rules);
        rivals(&rules, &table[&[0, 1]])
    }

    fn rule(species: [u16; 2]) -> ContactRule {
        ContactRule::bond("bind", species, Chance::Probability(0.1))
    }

    fn sized(species: [u16; 2], first: std::ops::RangeInclusive<u32>) -> ContactRule {
        let conditions = [Condition { size: first, valence: Some(2) }, Condition::default()];
        ContactRule { conditions, ..rule(species) }
    }

    #[test]
    fn rules_compete_where_their_conditions_meet() {
        assert_eq!(sets(vec![rule([0, 1]), rule([1, 0])]), [[0, 1]]);
        assert_eq!(sets(vec![sized([0, 1], 1..=3), sized([0, 1], 4..=9)]), [[0], [1]]);
        assert_eq!(sets(vec![sized([0, 1], 1..=4), sized([0, 1], 4..=9)]), [vec![0], vec![0, 1]]);
        // The one asks it of A, the other of B.
        assert_eq!(sets(vec![sized([0, 1], 1..=3), sized([1, 0], 4..=9)]), [vec![0], vec![0, 1]]);
        let windows = |from: f64| ContactRule { windows: vec![[from, from + 1.0]], ..rule([0, 1]) };
        assert_eq!(sets(vec![windows(0.0), windows(1.0), rule([0, 1])]), [[0, 2], [1, 2]]);
    }
}
