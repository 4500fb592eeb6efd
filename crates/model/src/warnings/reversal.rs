//! Conversions there and back that are not in balance.
//!
//! The equilibrium constant of a reaction there and back is the ratio of the intrinsic rate constants,
//! at any time step: what comes out in contact reacts at once in the share that
//! [`jostle_core::rules::RuleBook::at_once`] says. Where a macroscopic constant is given, it is not the
//! ratio of what is given; and two pairs that touch at different distances are not each other's reverse.

use std::collections::{BTreeSet, HashMap};

use crate::Model;
use crate::together::{intrinsic, reacting_pair};
use jostle_core::rules::{Case, Chance, ContactRule, MeetingPair, TimedAction, TimedRule};
use jostle_core::words::digits;

use super::Warning;
use super::balance::{is_plain, is_plain_in_time, sorted};

/// Constants so near to the ratio of rates are not worth a warning: rates are hardly known better.
const TOLERANCE: f64 = 0.15;

/// One way of a reaction at contact.
struct OneWayRate<'a> {
    rule: &'a ContactRule,
    pair: MeetingPair,
    /// \[nm^d/µs\]
    k_a: f64,
    /// k_a over the rate constant that is given.
    correction: f64,
}

/// A sentence for each pair of rules; cases of the same two share the first's.
pub(super) fn warnings(model: &Model) -> Vec<Warning> {
    let mut found = Vec::new();
    let rules = model.rules();
    let known = Turns::of(model);
    for (number, rule) in rules.contact.iter().enumerate() {
        let bound = rule.action.effect().merges && rules.undoing(number as u16).next().is_none();
        if !(bound || rule.action.effect().converts) || !is_plain(rule) {
            continue;
        }
        let in_time = rule.cases.iter().find_map(|case| parting(&known, number, case));
        let reverse = rule.cases.iter().filter_map(|case| known.conversions.get(&back(case)));
        let later: BTreeSet<usize> =
            reverse.flatten().copied().filter(|&other| other > number).collect();
        let at_contact = later.into_iter().filter_map(|other| {
            let back = &rules.contact[other];
            rule.cases.iter().find_map(|case| swap(&known, [number, other], case, back))
        });
        found.extend(in_time.into_iter().chain(at_contact));
    }
    found.extend(known.switches());
    found
}

/// What becomes what: species before and after, each in order.
type Turn = [Vec<u16>; 2];

/// The way back from a case.
fn back(case: &Case<2>) -> Turn {
    [sorted(&case.products), sorted(&case.species)]
}

/// The plain conversions by what they do.
struct Turns<'a> {
    model: &'a Model,
    /// Numbers of contact rules.
    conversions: HashMap<Turn, Vec<usize>>,
    /// The first rule in time that does it.
    in_time: HashMap<Turn, &'a TimedRule>,
}

/// In place of a species, where a potential is with a surface.
const SURFACE: u16 = u16::MAX;

impl<'a> Turns<'a> {
    fn of(model: &'a Model) -> Self {
        let rules = model.rules();
        let mut conversions: HashMap<Turn, Vec<usize>> = HashMap::new();
        for (number, rule) in rules.contact.iter().enumerate() {
            for case in
                rule.cases.iter().filter(|_| rule.action.effect().converts && is_plain(rule))
            {
                let turn = [sorted(&case.species), sorted(&case.products)];
                conversions.entry(turn).or_default().push(number);
            }
        }
        let mut in_time = HashMap::new();
        for rule in rules.timed.iter().filter(|rule| is_plain_in_time(rule)) {
            let TimedAction::Convert { cases } = &rule.action else { continue };
            for Case { species, products, .. } in cases {
                in_time.entry([species.to_vec(), sorted(products)]).or_insert(rule);
            }
        }
        Self { model, conversions, in_time }
    }

    /// What switches there and back between states that attract or repel others differently, by two
    /// rules that happen at their rates whatever the energy.
    fn switches(&self) -> Vec<Warning> {
        let rules = self.model.rules().timed.iter().filter(|rule| is_plain_in_time(rule));
        let told = |rule: &TimedRule| {
            let TimedAction::Convert { cases } = &rule.action else { return None };
            cases.iter().find_map(|case| {
                let (&[a], &[b]) = (&case.species, sorted(&case.products).as_slice()) else {
                    return None;
                };
                let back = self.in_time.get(&[vec![b], vec![a]])?;
                let is_weighed = rule.reversible && back.reversible;
                // Of the two, the first tells.
                let told = a < b && !is_weighed && self.attracts(a) != self.attracts(b);
                told.then(|| self.switch(rule, back, [a, b]))
            })
        };
        rules.filter_map(told).collect()
    }

    /// Which potentials a species has, and with which species.
    fn attracts(&self, species: u16) -> BTreeSet<(usize, u16)> {
        let potentials = self.model.potentials().iter().enumerate();
        let pairs =
            potentials.flat_map(|(n, one)| one.pairs().into_iter().map(move |pair| (n, pair)));
        let own = pairs.filter(|(_, pair)| pair.contains(&species));
        let with = own.map(|(n, [a, b])| (n, if a == species { b } else { a }));
        let beside = (self.model.potentials().len()..).zip(self.model.surface_potentials());
        let beside = beside.filter(|(_, one)| one.species.contains(&species));
        with.chain(beside.map(|(n, _)| (n, SURFACE))).collect()
    }

    fn switch(&self, rule: &TimedRule, back: &TimedRule, ends: [u16; 2]) -> Warning {
        let [a, b] = ends.map(|species| self.model.species[usize::from(species)].name.as_str());
        Warning::of_rule(
            &rule.name,
            format!(
                "rules \"{}\" and \"{}\" switch between {a} and {b}, which attract or repel others differently, at \
                 rates that do not depend on the energy: this does work, as an enzyme that burns fuel does, and the \
                 states are not shared as in an equilibrium; `reaction = \"{a} <-> {b}\"` with `rate` and `back` is \
                 weighed with the energies",
                rule.name, back.name
            ),
        )
    }
}

/// Two become one, which falls apart in time.
fn parting(known: &Turns<'_>, number: usize, case: &Case<2>) -> Option<Warning> {
    let [product] = case.products.as_slice() else { return None };
    let back = known.in_time.get(&back(case))?;
    let forth = way(known, number, case)?;
    let model = known.model;
    let name = |species: &u16| model.species[*species as usize].name.as_str();
    let [a, b] = case.species.each_ref().map(name);
    (!is_balanced(forth.correction)).then(|| {
        Warning::of_rule(&forth.rule.name, format!(
            "rules \"{}\" and \"{}\" are the reverse of each other, but their equilibrium constant is {} times the \
             ratio of their rates, since most pairs that part meet again at once, which `k_on` does not count and \
             `rate` does. `reaction = \"{a} + {b} <-> {}\"` with `k_on` and `k_off` has the constant of what is \
             given; here, rate = \"{} /s\" in \"{}\" would",
            forth.rule.name,
            back.name,
            digits(forth.correction, 4),
            name(product),
            digits(back.rate * forth.correction * 1e6, 6),
            back.name,
        ))
    })
}

/// Two become two, which at contact become the former.
fn swap(
    known: &Turns<'_>,
    [number, other]: [usize; 2],
    case: &Case<2>,
    back: &ContactRule,
) -> Option<Warning> {
    let reverse = |known: &&Case<2>| {
        sorted(&known.species) == sorted(&case.products)
            && sorted(&known.products) == sorted(&case.species)
    };
    let reverse = back.cases.iter().find(reverse).filter(|_| case.products.len() == 2)?;
    let (forth, back) = (way(known, number, case)?, way(known, other, reverse)?);
    let model = known.model;
    let ratio = forth.correction / back.correction;
    let [first, second] = [&forth, &back].map(|way| way.rule.name.as_str());
    let distance = |case: &Case<2>| -> Option<f64> {
        case.species.iter().map(|&species| model.species[species as usize].radius).sum()
    };
    let (one, two) = (distance(case)?, distance(reverse)?);
    if (one - two).abs() > 1e-9 * one {
        return Some(Warning::of_rule(
            first,
            format!(
                "rules \"{first}\" and \"{second}\" are the reverse of each other, but no rates bring them exactly into \
             balance: the two pairs touch at {} and {} nm, so one of them has to be moved apart",
                digits(one, 4),
                digits(two, 4)
            ),
        ));
    }
    (!is_balanced(ratio)).then(|| {
        let would = balanced(&back, ratio).unwrap_or_default();
        Warning::of_rule(first, format!(
            "rules \"{first}\" and \"{second}\" are the reverse of each other, but their equilibrium constant, that \
             of the intrinsic rate constants, is {} times the ratio of those that are given{would}",
            digits(ratio, 4)
        ))
    })
}

/// The rate of the way back that would do.
fn balanced(back: &OneWayRate<'_>, ratio: f64) -> Option<String> {
    let k_a = back.k_a * ratio;
    let (key, k) = match back.rule.chance {
        Chance::Macroscopic(_) => ("k_on", back.pair.macroscopic_from_intrinsic(k_a)?),
        _ => ("rate", k_a),
    };
    let unit = ["nm/us", "nm^2/us", "nm^3/us"][back.pair.dimension() - 1];
    Some(format!(
        "; {key} = \"{} {unit}\" in \"{}\" would bring it into balance",
        digits(k, 6),
        back.rule.name
    ))
}

fn is_balanced(ratio: f64) -> bool {
    (ratio - 1.0).abs() < TOLERANCE
}

/// What a rule amounts to for the species of a case, if it is given by a rate that can be had.
fn way<'a>(known: &Turns<'a>, number: usize, case: &Case<2>) -> Option<OneWayRate<'a>> {
    let model = known.model;
    let rule = &model.rules().contact[number];
    let [a, b] = case.species;
    let pair = reacting_pair(model, a, b)?;
    let k_a = intrinsic(rule.chance, &pair)?.ok()?;
    let (Chance::Intrinsic(given) | Chance::Macroscopic(given)) = rule.chance else { return None };
    Some(OneWayRate { rule, pair, k_a, correction: k_a / given })
}

#[cfg(test)]
mod tests {
    use crate::parse;

    fn warnings(rules: &str) -> Vec<String> {
        let mut text =
            "[space]\ndimension = 3\nedges = '2 um'\n[run]\ntimestep = '50 us'\nsteps = 9\n"
                .to_owned();
        for (name, diffusion, count) in [("A", 10, 5), ("B", 0, 5), ("C", 0, 0), ("D", 10, 5)] {
            text += &format!(
                "[[species]]\nname = '{name}'\nradius = '30 nm'\ndiffusion = '{diffusion} um^2/s'\ncount = {count}\n"
            );
        }
        parse(&(text + rules), "test", &[]).unwrap_or_else(|faults| panic!("{faults}")).warnings()
    }

    fn two(first: [&str; 2], second: [&str; 2]) -> String {
        let rule =
            |[reaction, rate]: [&str; 2]| format!("[[rule]]\nreaction = '{reaction}'\n{rate}\n");
        rule(first) + &rule(second)
    }

    #[test]
    fn falling_apart_by_conversion_is_reported_with_the_rate_that_would_do() {
        let said = warnings(&two(
            ["A + B -> C", "k_on = '4.189 um^3/s'"],
            ["C -> A + B", "rate = '50 /s'"],
        ));
        let [said] = said.as_slice() else { panic!("{said:?}") };
        for part in [
            "\"A_B_to_C\" and \"C_to_A_B\"",
            "constant is 2.25 ",
            "\"A + B <-> C\"",
            "rate = \"112.",
        ] {
            assert!(said.contains(part), "{said}");
        }
        assert!(
            warnings(
                "[[rule]]\nreaction = 'A + B <-> C'\nk_on = '4.189 um^3/s'\nk_off = '50 /s'\n"
            )
            .is_empty()
        );
    }

    #[test]
    fn switches_between_other_energies_are_weighed_or_told() {
        let well = "[[potential]]\nname = 'w'\nbetween = ['A', 'C']\nsquare_well = { to = '90 nm', depth = '1 kT' }\n";
        let both = two(["A -> B", "rate = '5 /s'"], ["B -> A", "rate = '3 /s'"]) + well;
        let said = warnings(&both);
        let told = said.iter().filter(|said| said.contains("attract or repel others differently"));
        let told: Vec<&String> = told.collect();
        let [said] = told[..] else { panic!("{said:?}") };
        assert!(
            said.contains("\"A_to_B\" and \"B_to_A\"") && said.contains("\"A <-> B\""),
            "{said}"
        );
        let weighed = "[[rule]]\nreaction = 'A <-> B'\nrate = '5 /s'\nback = '3 /s'\n";
        let marked = both.replace("rate = ", "reversible = true\nrate = ");
        for fine in [weighed.to_owned() + well, marked] {
            assert!(warnings(&fine).iter().all(|said| !said.contains("differently")), "{fine}");
        }
    }

    #[test]
    fn two_that_become_two_are_in_balance_if_their_rates_are_alike() {
        let rules =
            |forth: &str, back: &str| two(["A + B -> C + D", forth], ["C + D -> A + B", back]);
        assert!(warnings(&rules("k_on = '4 um^3/s'", "k_on = '4 um^3/s'")).is_empty());
        let said = warnings(&rules("k_on = '4 um^3/s'", "k_on = '0.4 um^3/s'"));
        assert!(said.len() == 1 && said[0].contains("would bring it into balance"), "{said:?}");
    }
}
