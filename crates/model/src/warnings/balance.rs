//! Loops of reversible reactions whose equilibrium constants contradict each other.

use std::collections::BTreeMap;

use crate::Model;
use crate::together::{intrinsic, reacting_pair};
use crate::warnings::Warning;
use jostle_core::rules::balance::{Loop, Reversible, inconsistent_loops};
use jostle_core::rules::{Action, Case, Chance, Condition, ContactRule, TimedAction, TimedRule};

/// More reversible reactions than this are not looked through: a model like that is made of
/// patterns, and its loops would fill pages.
const MOST: usize = 200;

/// One way of a reaction: species before and after, each in order.
type Direction = [Vec<u16>; 2];

/// What goes one way: the rate constants of all rules that do it, and the first one's name.
struct Flow {
    rate: f64,
    name: String,
}

/// A sentence for each loop; loops of the same rules, through other states, share one.
pub(super) fn warnings(model: &Model) -> Vec<Warning> {
    let reactions = reversible(model);
    if reactions.len() > MOST {
        return Vec::new();
    }
    let mut found: Vec<(Vec<String>, Loop, usize)> = Vec::new();
    for round in inconsistent_loops(&reactions) {
        let rules = rules(&round);
        match found.iter_mut().find(|(known, ..)| *known == rules) {
            Some((.., count)) => *count += 1,
            None => found.push((rules, round, 1)),
        }
    }
    let warning = |(rules, round, count): &(Vec<String>, Loop, usize)| {
        Warning::of_rule(&rules[0], sentence(round, *count))
    };
    found.iter().map(warning).collect()
}

/// The names of the rules that a loop passes, in order of the alphabet.
fn rules(round: &Loop) -> Vec<String> {
    let rule = |name: &String| name.split(" (").next().unwrap_or(name).to_owned();
    let mut rules: Vec<String> = round.passes.iter().map(|(name, _)| rule(name)).collect();
    rules.sort();
    rules
}

fn sentence(round: &Loop, count: usize) -> String {
    let others = match count {
        1 => String::new(),
        2 => " (and so in one more loop of these rules)".to_owned(),
        n => format!(" (and so in {} more loops of these rules)", n - 1),
    };
    format!(
        "the equilibrium constants contradict each other: round the loop {round} they multiply to {:.4} \
         instead of 1{others}, so the reactions circulate forever, which needs a source of energy (right for \
         an enzyme that burns fuel, wrong for an equilibrium)",
        round.factor
    )
}

/// The reactions that go both ways, as far as that can be distinguished from their rules alone:
/// those without conditions and windows that make no bonds.
fn reversible(model: &Model) -> Vec<Reversible> {
    let flows = flows(model);
    let mut found = Vec::new();
    for (way, flow) in &flows {
        let [before, after] = way;
        let Some(back) = flows.get(&[after.clone(), before.clone()]) else { continue };
        if before.len() < after.len() || (before.len() == after.len() && before > after) {
            continue;
        }
        found.push(Reversible {
            name: format!("{} ({})", flow.name, equation(model, way)),
            reactants: before.clone(),
            products: after.clone(),
            constant: flow.rate / back.rate,
        });
    }
    found
}

/// `A + B <-> C`
fn equation(model: &Model, [before, after]: &Direction) -> String {
    let side = |species: &Vec<u16>| {
        let names: Vec<_> =
            species.iter().map(|&s| model.species[s as usize].name.as_str()).collect();
        names.join(" + ")
    };
    format!("{} <-> {}", side(before), side(after))
}

/// What goes which way, and how fast.
fn flows(model: &Model) -> BTreeMap<Direction, Flow> {
    let mut flows: BTreeMap<Direction, Flow> = BTreeMap::new();
    let mut add = |before: &[u16], after: &[u16], rate: f64, name: &str| {
        let way = [sorted(before), sorted(after)];
        let flow = flows.entry(way).or_insert_with(|| Flow { rate: 0.0, name: name.to_owned() });
        flow.rate += rate;
    };
    for (number, rule) in model.rules().contact.iter().enumerate() {
        if !matches!(rule.action, Action::Coalesce | Action::Convert) || !is_plain(rule) {
            continue;
        }
        for case in &rule.cases {
            let Some(rate) = rate_constant(model, rule.chance, case.species) else { continue };
            add(&case.species, &case.products, rate, &rule.name);
            if rule.action == Action::Coalesce {
                let undoing = model
                    .rules()
                    .undoing(number as u16)
                    .filter(|(_, timed)| is_plain_in_time(timed));
                undoing.for_each(|(_, timed)| {
                    // Beside k_on stands k_off, and k_d/k_a = k_off/k_on.
                    let k_d = match rule.chance {
                        Chance::Macroscopic(k_on) => timed.rate * rate / k_on,
                        _ => timed.rate,
                    };
                    add(&case.products, &case.species, k_d, &timed.name);
                });
            }
        }
    }
    for rule in model.rules().timed.iter().filter(|rule| is_plain_in_time(rule)) {
        if let TimedAction::Convert { cases } = &rule.action {
            cases.iter().for_each(|case| add(&case.species, &case.products, rule.rate, &rule.name));
        }
    }
    flows
}

pub(super) fn sorted(species: &[u16]) -> Vec<u16> {
    let mut sorted = species.to_vec();
    sorted.sort_unstable();
    sorted
}

pub(super) fn is_plain(rule: &ContactRule) -> bool {
    rule.windows.is_empty()
        && rule.region.is_none()
        && rule.conditions.iter().all(Condition::is_free)
        && rule.cases.iter().all(Case::is_of_species)
}

pub(super) fn is_plain_in_time(rule: &TimedRule) -> bool {
    let of_species = match &rule.action {
        TimedAction::Convert { cases } => cases.iter().all(Case::is_of_species),
        _ => true,
    };
    of_species
        && rule.windows.is_empty()
        && rule.region.is_none()
        && rule.size == Condition::default().size
}

/// The rate constant in equilibrium; for a bare probability, that of contacts times it.
fn rate_constant(model: &Model, chance: Chance, species: [u16; 2]) -> Option<f64> {
    let [a, b] = species;
    match chance {
        Chance::Intrinsic(k_a) => Some(k_a),
        Chance::Macroscopic(_) => intrinsic(chance, &reacting_pair(model, a, b)?)?.ok(),
        Chance::Probability(p) => {
            Some(p * reacting_pair(model, a, b)?.contact_rate(model.run.timestep))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    fn warnings(rules: &str) -> String {
        let mut text =
            "[space]\ndimension = 3\nedges = '40 nm'\n[run]\ntimestep = '0.5 ns'\nsteps = 9\n"
                .to_owned();
        for (name, count) in [("A", 5), ("B", 5), ("C", 0), ("D", 0)] {
            text += &format!(
                "[[species]]\nname = '{name}'\nradius = '0.5 nm'\ndiffusion = '10 um^2/s'\ncount = {count}\n"
            );
        }
        let model = parse(&(text + rules), "test", &[]).unwrap_or_else(|faults| panic!("{faults}"));
        model.warnings().join("\n")
    }

    fn bind(product: &str, rate: f64, back: f64) -> String {
        format!(
            "[[rule]]\nname = 'to_{product}'\ndo = 'bind'\nmerge = 'coalesce'\non = ['A', 'B']\n\
             product = '{product}'\nrate = '{rate} nm^3/us'\nunbind = '{back} /us'\n"
        )
    }

    fn turn(from: &str, to: &str, rate: f64) -> String {
        format!(
            "[[rule]]\nname = '{from}_{to}'\ndo = 'convert'\non = '{from}'\nproducts = ['{to}']\nrate = '{rate} /us'\n"
        )
    }

    #[test]
    fn a_loop_that_contradicts_itself_is_reported_with_its_rules() {
        // K is 20 nm³ and 10 nm³, so C and D have to be as 2 to 1.
        let round = |forth: f64, back: f64| {
            warnings(
                &(bind("C", 20.0, 1.0)
                    + &bind("D", 20.0, 2.0)
                    + &turn("C", "D", forth)
                    + &turn("D", "C", back)),
            )
        };
        assert_eq!(round(1.0, 2.0), "");
        let said = round(1.0, 1.0);
        for expected in ["to_C (A + B <-> C)", "to_D (A + B <-> D)", "C_D (C <-> D)"] {
            assert!(said.contains(expected), "{said}");
        }
        assert!(said.contains("to 0.5000") || said.contains("to 2.0000"), "{said}");
    }

    #[test]
    fn loops_of_the_same_rules_are_reported_once() {
        let mut text = "[space]\ndimension = 3\nedges = '40 nm'\n[run]\ntimestep = '1 ns'\nsteps = 9\n\
             [[species]]\nname = 'X'\nstates = [['a', 'b'], ['c', 'd'], ['e', 'f']]\nradius = '1 nm'\n\
             diffusion = '10 um^2/s'\ncount = 5\n"
            .to_owned();
        // The way from c to d and back depends on where the first site is.
        for (n, (from, to, rate)) in
            [("a", "b", 1), ("b", "a", 1), ("c", "d", 1), ("a,d", "c", 1), ("b,d", "c", 2)]
                .iter()
                .enumerate()
        {
            text += &format!(
                "[[rule]]\nname = 'r{n}'\ndo = 'convert'\non = 'X{{{from}}}'\nproducts = ['X{{{to}}}']\n\
                 rate = '{rate} /us'\n"
            );
        }
        let warnings =
            parse(&text, "test", &[]).unwrap_or_else(|faults| panic!("{faults}")).warnings();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].contains("one more loop"), "{}", warnings[0]);
    }

    #[test]
    fn ways_that_lead_nowhere_back_are_no_loop() {
        let one_way = turn("A", "B", 1.0) + &turn("B", "C", 1.0) + &turn("C", "A", 1.0);
        assert_eq!(warnings(&one_way), "");
        // A window makes a rule something else than an equilibrium.
        let gated = turn("C", "A", 1.0) + "during = ['0 us', '1 us']\n";
        let all =
            [turn("A", "B", 1.0), turn("B", "A", 2.0), turn("B", "C", 1.0), turn("C", "B", 1.0)]
                .concat();
        assert_eq!(warnings(&(all.clone() + &turn("A", "C", 1.0) + &gated)), "");
        assert!(
            warnings(&(all + &turn("A", "C", 1.0) + &turn("C", "A", 1.0))).contains("multiply")
        );
    }
}
