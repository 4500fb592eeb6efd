//! Which reactions of two species compete at one and the same contact.

use super::Model;
use jostle_core::rules::rates::RateError;
use jostle_core::rules::{Case, Chance, ContactRule, MeetingPair, RuleSet, Standing, facing_pair};

/// Numbers of a rule and of one of its cases.
pub type Member = (u16, u32);

/// The contact rules by pair of species: found once for all pairs that have any.
#[derive(Clone, Debug)]
pub struct ByPair<'a> {
    rules: &'a RuleSet,
    /// The lower species and the higher one, in order, and where its members begin.
    pairs: Vec<([u16; 2], usize)>,
    members: Vec<Member>,
}

/// The contact rules by pair of species.
pub fn by_pair(rules: &RuleSet) -> ByPair<'_> {
    let cases = rules.contact.iter().enumerate().flat_map(|(number, rule)| {
        let cases = rule.cases.iter().enumerate();
        cases.map(move |(n, case)| (ordered(case.species), (number as u16, n as u32)))
    });
    let mut all: Vec<([u16; 2], Member)> = cases.collect();
    // Most are in order already, which a stable sort takes advantage of.
    all.sort_by_key(|(pair, _)| *pair);
    let mut pairs: Vec<([u16; 2], usize)> = Vec::new();
    for (at, (pair, _)) in all.iter().enumerate() {
        if pairs.last().is_none_or(|(last, _)| last != pair) {
            pairs.push((*pair, at));
        }
    }
    ByPair { rules, pairs, members: all.into_iter().map(|(_, member)| member).collect() }
}

/// Two species, the lower one first.
pub(crate) fn ordered([a, b]: [u16; 2]) -> [u16; 2] {
    [a.min(b), a.max(b)]
}

impl ByPair<'_> {
    /// Each pair that has a rule, and its members in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = ([u16; 2], &[Member])> {
        let ends = self.pairs.iter().skip(1).map(|(_, first)| *first).chain([self.members.len()]);
        self.pairs.iter().zip(ends).map(|(&(pair, first), end)| (pair, &self.members[first..end]))
    }

    /// The same for pairs that react, of which there are mostly far fewer.
    pub fn reacting(&self) -> impl Iterator<Item = ([u16; 2], &[Member])> {
        let reacts = |&(number, _): &Member| self.rules.reacts(number);
        self.iter().filter(move |(_, members)| members.iter().any(reacts))
    }

    /// The members of a pair.
    pub fn of(&self, a: u16, b: u16) -> &[Member] {
        let Ok(n) = self.pairs.binary_search_by_key(&ordered([a, b]), |(pair, _)| *pair) else {
            return &[];
        };
        let end = self.pairs.get(n + 1).map_or(self.members.len(), |(_, first)| *first);
        &self.members[self.pairs[n].1..end]
    }
}

/// One of the reactions of a pair, one way round.
#[derive(Clone, Copy)]
struct Rival<'a> {
    number: u16,
    rule: &'a ContactRule,
    case: &'a Case<2>,
    /// Whether the pair's first species is the rule's second.
    swapped: bool,
    /// Whether its conditions may hold the other way round just as well.
    either_way: bool,
}

/// The sets of reactions that can be up for decision at one contact of a pair: by size of clusters,
/// by time and by the states of sites. `members` are the pair's entries in [`by_pair`]. A rule is
/// there once for each pair of sites that it may join. No set is part of an earlier one, and the
/// first one is that of lone particles at the beginning, if anything applies to these.
pub fn rivals(rules: &RuleSet, members: &[Member]) -> Vec<Vec<u16>> {
    let reacting: Vec<Rival<'_>> = members.iter().flat_map(|&member| ways(rules, member)).collect();
    // Whatever can hold together holds together where some range or window begins.
    let begins = || reacting.iter().flat_map(|r| r.rule.windows.iter().map(|window| window[0]));
    let sizes = || reacting.iter().flat_map(|r| r.rule.conditions.iter().map(|c| *c.size.start()));
    let mut times: Vec<f64> = std::iter::once(0.0).chain(begins()).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut sizes: Vec<u32> = sizes().collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for &time in &times {
        for (&a, &b) in sizes.iter().flat_map(|a| sizes.iter().map(move |b| (a, b))) {
            let found: Vec<usize> =
                (0..reacting.len()).filter(|&n| reacting[n].holds(time, [a, b])).collect();
            for &seed in &found {
                let set = in_agreement(&reacting, seed, &found);
                let part = |of: &Vec<usize>| set.iter().all(|number| of.contains(number));
                if !sets.iter().any(part) {
                    sets.push(set);
                }
            }
        }
    }
    let numbers = |set: Vec<usize>| set.into_iter().map(|n| reacting[n].number).collect();
    sets.into_iter().map(numbers).collect()
}

/// The ways round in which a case of a rule may apply to a pair, if it is a reaction.
fn ways(rules: &RuleSet, (number, case): Member) -> impl Iterator<Item = Rival<'_>> {
    let rule = &rules.contact[number as usize];
    let case = &rule.cases[case as usize];
    let [a, b] = case.species;
    let either_way = case.is_for_alike();
    let way = move |swapped| Rival { number, rule, case, swapped, either_way };
    let both = a == b && !either_way;
    let all = [way(a > b), way(true)].into_iter().take(if both { 2 } else { 1 });
    // Tethers are not made at contact.
    all.filter(|rival| rival.rule.action.reacts() && rival.rule.tether.is_none())
}

/// Those of `found` that the states of sites let hold together with `seed`, and with each other:
/// each that agrees with all before it.
fn in_agreement(reacting: &[Rival<'_>], seed: usize, found: &[usize]) -> Vec<usize> {
    let mut set = vec![seed];
    for &n in found.iter().filter(|n| **n != seed) {
        if set.iter().all(|&other| reacting[n].agrees_with(&reacting[other])) {
            set.push(n);
        }
    }
    set.sort_unstable();
    set
}

impl Rival<'_> {
    fn holds(&self, time: f64, sizes: [u32; 2]) -> bool {
        let held = |[a, b]: [u32; 2]| {
            let [first, second] = &self.rule.conditions;
            let standing = |size| Standing { size, bonds: 0 };
            first.holds(standing(a)) && second.holds(standing(b))
        };
        let [a, b] = sizes;
        let order = if self.swapped { [b, a] } else { [a, b] };
        in_force(&self.rule.windows, time)
            && (held(order) || (self.either_way && held([order[1], order[0]])))
    }

    fn agrees_with(&self, other: &Self) -> bool {
        let agree = |mine: [usize; 2], theirs: [usize; 2]| {
            (0..2).all(|n| {
                let (mine, theirs) = (self.case.pattern(mine[n]), other.case.pattern(theirs[n]));
                mine.zip(theirs).is_none_or(|(mine, theirs)| mine.agrees_with(theirs))
            })
        };
        let order = |rival: &Self| if rival.swapped { [1, 0] } else { [0, 1] };
        let [mine, theirs] = [order(self), order(other)];
        agree(mine, theirs)
            || (self.either_way || other.either_way) && agree(mine, [theirs[1], theirs[0]])
    }
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

/// The same two as a rule lets them react: if their sites have to face each other, in a share of all
/// orientations. Of several cases for the two species it is the first.
pub fn reacting_by(model: &Model, rule: &ContactRule, species: [u16; 2]) -> Option<MeetingPair> {
    let [a, b] = species;
    let case = rule.cases.iter().find(|case| ordered(case.species) == ordered(species));
    let Some(case) = case else { return reacting_pair(model, a, b) };
    // As the case names them, since it may matter which of them lives on a surface.
    let [a, b] = case.species;
    let met = reacting_pair(model, a, b)?;
    let dimension = model.space.dimension;
    let encounter = model.surroundings().encounter(dimension, &model.species, a, b);
    Some(facing_pair((encounter, met), rule, case, &model.species, dimension))
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
    use jostle_core::rules::{Action, Case, Condition};

    fn sets(contact: Vec<ContactRule>) -> Vec<Vec<u16>> {
        let rules = RuleSet { contact, ..RuleSet::default() };
        let table = by_pair(&rules);
        rivals(&rules, table.of(1, 0))
    }

    fn rule(species: [u16; 2]) -> ContactRule {
        ContactRule::bond("bind", species, Chance::Probability(0.1))
    }

    fn sized(species: [u16; 2], first: std::ops::RangeInclusive<u32>) -> ContactRule {
        let conditions = [Condition { size: first, valence: Some(2) }, Condition::default()];
        ContactRule { conditions, ..rule(species) }
    }

    #[test]
    fn pairs_have_the_rules_that_name_them() {
        let contact = vec![rule([3, 1]), rule([0, 0]), rule([1, 3]), rule([2, 1])];
        let mut rules = RuleSet { contact, ..RuleSet::default() };
        rules.contact[1].cases.push(Case::new([3, 1], &[]));
        rules.contact.push(ContactRule::plain("ghosts", [2, 2], Action::Ignore));
        let table = by_pair(&rules);
        let found: Vec<([u16; 2], Vec<Member>)> =
            table.iter().map(|(pair, members)| (pair, members.to_vec())).collect();
        let of_pair = vec![(0, 0), (1, 1), (2, 0)];
        let expected = [
            ([0, 0], vec![(1, 0)]),
            ([1, 2], vec![(3, 0)]),
            ([1, 3], of_pair.clone()),
            ([2, 2], vec![(4, 0)]),
        ];
        assert_eq!(found, expected);
        assert_eq!(table.reacting().count(), 3);
        assert_eq!([table.of(3, 1), table.of(1, 3)], [&of_pair[..]; 2]);
        assert!(table.of(0, 3).is_empty() && table.of(2, 2) == [(4, 0)]);
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
