//! Several that are set free at once, and could react at once.
//!
//! Of two that are set free in contact, a share reacts before they have parted, at any time step:
//! [`jostle_core::rules::RuleBook::at_once`] says which. Where three or more come out of one place, and
//! where a member of a cluster becomes another beside those that it was bound to, all fly apart
//! instead. So these early returns are lost, which are the more the longer the step is.

use std::collections::BTreeSet;

use crate::Model;
use crate::measure;
use crate::together::{ByPair, by_pair, intrinsic, reacting_by, reacting_pair, rivals};
use jostle_core::rules::{Action, Cut, Fragmentation, TimedAction};
use jostle_core::words::digits;

use super::Warning;

/// A smaller share is not worth a warning.
const TOLERANCE: f64 = 0.01;

/// A sentence for each rule that sets several free, about the pair that returns most.
pub(super) fn warnings(model: &Model) -> Vec<Warning> {
    let rules = model.rules();
    let all = Scattered { model, by_pair: by_pair(rules) };
    let mut found = Vec::new();
    for rule in &rules.contact {
        let converts = rule.cases.iter().filter(|_| rule.action == Action::Convert);
        let pairs = converts.flat_map(|case| several(&case.products));
        found.extend(all.worst(&rule.name, SEVERAL, pairs));
        if let Action::Cut(how) = rule.action {
            let cut = rule.cases.iter().flat_map(|case| case.species);
            found.extend(all.worst(&rule.name, CUT, all.bonded_to(cut, how)));
        }
        let becoming = rule.cases.iter().filter(|_| rule.action == Action::Convert);
        let becoming = becoming.map(|case| (&case.species[..], &case.products[..]));
        found.extend(all.worst(&rule.name, MEMBER, all.beside(becoming)));
    }
    for rule in &rules.timed {
        match &rule.action {
            TimedAction::Convert { cases } => {
                let pairs = cases.iter().flat_map(|case| several(&case.products));
                found.extend(all.worst(&rule.name, SEVERAL, pairs));
                let becoming = cases.iter().map(|case| (&case.species[..], &case.products[..]));
                found.extend(all.worst(&rule.name, MEMBER, all.beside(becoming)));
            }
            TimedAction::Unbind { of, cut: Cut::All, .. } => {
                let pairs = all.bonded(|number| of.contains(&number));
                found.extend(all.worst(&rule.name, CUT, pairs));
            }
            TimedAction::Fragment { species, how } => {
                let pairs = all.bonded_to(species.iter().copied(), *how);
                found.extend(all.worst(&rule.name, CUT, pairs));
            }
            TimedAction::Unbind { .. } | TimedAction::Create { .. } => {}
        }
    }
    found
}

/// What such rules do.
const SEVERAL: &str = "sets three or more particles free at once";
const CUT: &str = "takes clusters apart into three or more pieces at once";
const MEMBER: &str = "turns a member of a cluster into another particle";

/// The pairs of three products or more.
fn several(products: &[u16]) -> Vec<[u16; 2]> {
    let pairs = (0..products.len()).flat_map(|n| (0..n).map(move |m| [products[m], products[n]]));
    if products.len() > 2 { pairs.collect() } else { Vec::new() }
}

/// Whether there may be more than two pieces.
fn takes_apart(how: Fragmentation) -> bool {
    how.cut == Cut::All || how.minimum > 1
}

struct Scattered<'a> {
    model: &'a Model,
    by_pair: ByPair<'a>,
}

impl Scattered<'_> {
    /// The pairs that rigid bonds join by the rules that are `meant`.
    fn bonded(&self, meant: impl Fn(u16) -> bool) -> Vec<[u16; 2]> {
        let rules = self.model.rules().contact.iter().zip(0..);
        let bonds = rules.filter(|(rule, number)| rule.action == Action::Bond && meant(*number));
        bonds.flat_map(|(rule, _)| rule.cases.iter().map(|case| case.species)).collect()
    }

    /// The pairs in clusters that may have these species, if such a cut may leave more than two pieces.
    fn bonded_to(&self, species: impl Iterator<Item = u16>, how: Fragmentation) -> Vec<[u16; 2]> {
        if !takes_apart(how) {
            return Vec::new();
        }
        let bonds = self.bonded(|_| true);
        let mut members: BTreeSet<u16> = species.collect();
        loop {
            let known = members.len();
            let joined = bonds.iter().filter(|pair| pair.iter().any(|of| members.contains(of)));
            let joined: Vec<u16> = joined.copied().flatten().collect();
            members.extend(joined);
            if members.len() == known {
                break;
            }
        }
        bonds.into_iter().filter(|pair| members.contains(&pair[0])).collect()
    }

    /// What members of rigid clusters become, and those that they were bound to without sites: at sites,
    /// a molecule has to be free to become another.
    fn beside<'b>(&self, becoming: impl Iterator<Item = (&'b [u16], &'b [u16])>) -> Vec<[u16; 2]> {
        let rules = self.model.rules().contact.iter().filter(|rule| rule.action == Action::Bond);
        let cases = rules.filter(|rule| rule.tether.is_none()).flat_map(|rule| &rule.cases);
        let bonds: BTreeSet<[u16; 2]> =
            cases.filter(|case| case.joins().is_none()).map(|case| case.species).collect();
        let mut pairs = Vec::new();
        for (before, products) in becoming.filter(|_| !bonds.is_empty()) {
            let leaves = |product: &&u16| !before.iter().any(|&of| self.stays(of, **product));
            for product in products.iter().filter(leaves) {
                for &[a, b] in &bonds {
                    pairs.extend(before.contains(&a).then_some([*product, b]));
                    pairs.extend(before.contains(&b).then_some([*product, a]));
                }
            }
        }
        pairs
    }

    /// Whether a particle that becomes another one stays where it is, with its bonds: as large as it is, and
    /// on the same surface.
    fn stays(&self, before: u16, after: u16) -> bool {
        let radius = |of: u16| self.model.species[usize::from(of)].radius;
        let surface = |of: u16| self.model.surroundings().anchor(of).map(|anchor| anchor.surface);
        let is_as_large = radius(after).is_none() || radius(after) == radius(before);
        is_as_large && surface(after) == surface(before)
    }

    /// A warning about the pair of which most are lost, if that are many.
    fn worst(
        &self,
        name: &str,
        what: &str,
        pairs: impl IntoIterator<Item = [u16; 2]>,
    ) -> Option<Warning> {
        let pairs: BTreeSet<[u16; 2]> = pairs.into_iter().collect();
        let lost = pairs.into_iter().filter_map(|pair| Some((self.returning(pair)?, pair)));
        let (returning, pair) = lost.max_by(|(a, _), (b, _)| a.share.total_cmp(&b.share))?;
        let [a, b] = pair.map(|species| &self.model.species[usize::from(species)].name);
        (returning.share > TOLERANCE).then(|| {
            Warning::of_rule(
                name,
                format!(
                    "rule \"{name}\" {what}, among them {a} and {b}, which react with each other (\"{}\"). If only these \
                     two were set free, {} % of such pairs would react before they part, not counting those that meet again \
                     later. Where several are set free at once, these early returns are lost, and too few react with each \
                     other: the longer the time step, the fewer. With {} less than 1 % would be lost",
                    self.model.rules().contact[usize::from(returning.rule)].name,
                    digits(100.0 * returning.share, 2),
                    measure::time(self.short_enough(pair)),
                ),
            )
        })
    }

    /// The share of a pair in contact that reacts at once, if it reacts at all.
    fn returning(&self, pair: [u16; 2]) -> Option<Returning> {
        self.returning_at(pair, self.model.run.timestep)
    }

    fn returning_at(&self, [a, b]: [u16; 2], timestep: f64) -> Option<Returning> {
        let rules = self.model.rules();
        let met = reacting_pair(self.model, a, b)?;
        let k_a = |number: u16| {
            let rule = &rules.contact[usize::from(number)];
            let met = reacting_by(self.model, rule, [a, b])?;
            intrinsic(rule.chance, &met)?.ok()
        };
        let share = |set: Vec<u16>| {
            let rule = *set.first()?;
            let total: f64 = set.into_iter().filter_map(k_a).sum();
            let p = met.probability(total, timestep).ok().filter(|_| total > 0.0)?;
            Some(Returning { share: 1.0 - p * met.contact_rate(timestep) / total, rule })
        };
        let sets = rivals(rules, self.by_pair.of(a, b)).into_iter();
        sets.filter_map(share).max_by(|a, b| a.share.total_cmp(&b.share))
    }

    /// A time step at which hardly any is lost. \[µs\]
    fn short_enough(&self, pair: [u16; 2]) -> f64 {
        let mut timestep = self.model.run.timestep;
        let is_long =
            |timestep: f64| self.returning_at(pair, timestep).is_some_and(|r| r.share > TOLERANCE);
        for _ in 0..60 {
            if !is_long(timestep) {
                break;
            }
            timestep *= 0.5;
        }
        timestep
    }
}

/// How many of a pair return, and by which rule.
struct Returning {
    share: f64,
    rule: u16,
}

#[cfg(test)]
mod tests {
    use crate::parse;

    fn warnings(rules: &str) -> Vec<String> {
        let mut text =
            "[space]\ndimension = 3\nedges = '2 um'\n[run]\ntimestep = '1 us'\nsteps = 9\n"
                .to_owned();
        for name in ["A", "B", "C", "D", "P"] {
            text += &format!(
                "[[species]]\nname = '{name}'\nradius = '{} nm'\ndiffusion = '1 um^2/s'\ncount = 2\n",
                if name == "P" { "2.6" } else { "2.5" }
            );
        }
        let model = parse(&(text + rules), "test", &[]).unwrap_or_else(|faults| panic!("{faults}"));
        model.warnings().into_iter().filter(|said| said.contains("early returns")).collect()
    }

    const BIND: &str = "[[rule]]\nreaction = 'A + B -> D'\nrate = '92.99 nm^3/us'\n";

    #[test]
    fn three_products_of_which_two_react_are_told_with_the_share_that_is_lost() {
        let said =
            warnings(&format!("{BIND}[[rule]]\nreaction = 'P -> A + B + C'\nrate = '1 /us'\n"));
        let [said] = said.as_slice() else { panic!("{said:?}") };
        for part in ["\"P_to_A_B_C\" sets three", "A and B", "\"A_B_to_D\"", "less than 1 %"] {
            assert!(said.contains(part), "{said}");
        }
        // Two are followed, and so are three that do not react.
        for harmless in ["P -> A + B", "P -> A + C + D"] {
            let rule = format!("{BIND}[[rule]]\nreaction = '{harmless}'\nrate = '1 /us'\n");
            assert!(warnings(&rule).is_empty(), "{harmless}");
        }
        let slow = BIND.replace("92.99", "0.1");
        assert!(
            warnings(&format!("{slow}[[rule]]\nreaction = 'P -> A + B + C'\nrate = '1 /us'\n"))
                .is_empty()
        );
    }

    #[test]
    fn members_of_clusters_and_clusters_taken_apart_are_told() {
        let bond = "[[rule]]\nname = 'bond'\ndo = 'bind'\nmerge = 'bond'\non = ['P', 'B']\nrate = '50 nm^3/us'\n";
        let becomes = "[[rule]]\nreaction = 'P -> A'\nrate = '1 /us'\n";
        let said = warnings(&format!("{BIND}{bond}{becomes}"));
        assert!(said.len() == 1 && said[0].contains("a member of a cluster"), "{said:?}");
        // As large as before, it keeps its bonds.
        let stays = bond.replace("'P', 'B'", "'C', 'B'") + &becomes.replace("P ->", "C ->");
        assert!(warnings(&format!("{BIND}{stays}")).is_empty());
        let apart =
            "[[rule]]\nname = 'off'\ndo = 'unbind'\nof = 'bond'\nwhich = 'all'\nrate = '1 /us'\n";
        let said = warnings(&format!("{bond}{apart}"));
        assert!(said.len() == 1 && said[0].contains("takes clusters apart"), "{said:?}");
    }
}
