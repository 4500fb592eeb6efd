//! Loops of reversible reactions whose equilibrium constants contradict each other, or the
//! affinities of a region.

use std::collections::BTreeMap;

use crate::Model;
use crate::together::{intrinsic, reacting_pair};
use crate::warnings::Warning;
use jostle_core::environment::{Manner, Permeability};
use jostle_core::rules::balance::{Loop, Reversible, inconsistent_loops};
use jostle_core::rules::{Action, Case, Chance, Condition, ContactRule, TimedAction, TimedRule};
use jostle_core::words::digits;

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
    let mut found = told(inconsistent_loops(&reactions), |round, others| {
        format!(
            "the equilibrium constants contradict each other: round the loop {round} they multiply to {:.4} \
             instead of 1{others}, so the reactions circulate forever, which needs a source of energy (right for \
             an enzyme that burns fuel, wrong for an equilibrium)",
            round.factor
        )
    });
    for (number, surface) in model.surroundings().surfaces.iter().enumerate() {
        let crosses = |manner: &Manner| matches!(manner, Manner::Cross(c) if c.affinity != 1.0);
        if !surface.manners.iter().any(crosses) {
            continue;
        }
        let across = Across { model, surface: number as u16 };
        found.extend(reactions.iter().filter_map(|one| across.shift(one)));
        // The others stay on one side, and have been told.
        let mut loops = inconsistent_loops(&across.reactions(&reactions));
        loops.retain(|round| round.passes.iter().any(|(name, _)| rule(name).is_none()));
        found.extend(told(loops, |round, others| {
            format!(
                "the affinities of surface \"{}\" contradict this reaction: round the loop {round} the equilibrium \
                 constants multiply to {:.4} instead of 1{others}, so matter circulates forever, which needs a source \
                 of energy; in equilibrium the affinities of what reacts multiply to the same as those of its products",
                surface.name, round.factor
            )
        }));
    }
    found
}

/// A warning for each of the loops that pass the same rules, of the first rule, as `sentence` puts
/// it.
fn told(loops: Vec<Loop>, sentence: impl Fn(&Loop, &str) -> String) -> Vec<Warning> {
    let mut found: Vec<(Vec<String>, Loop, usize)> = Vec::new();
    for round in loops {
        let rules = rules(&round);
        match found.iter_mut().find(|(known, ..)| *known == rules) {
            Some((.., count)) => *count += 1,
            None => found.push((rules, round, 1)),
        }
    }
    let warning = |(rules, round, count): &(Vec<String>, Loop, usize)| {
        let others = match count {
            1 => String::new(),
            2 => " (and so in one more loop of these rules)".to_owned(),
            n => format!(" (and so in {} more loops of these rules)", n - 1),
        };
        Warning::of_rule(rules.first().map_or("", String::as_str), sentence(round, &others))
    };
    found.iter().map(warning).collect()
}

/// The names of the rules that a loop passes, in order of the alphabet.
fn rules(round: &Loop) -> Vec<String> {
    let mut rules: Vec<String> =
        round.passes.iter().filter_map(|(name, _)| Some(rule(name)?.to_owned())).collect();
    rules.sort();
    rules
}

/// The rule of a reaction; none if it is the way of a species through a surface.
fn rule(name: &str) -> Option<&str> {
    name.split_once(" (").map(|(rule, _)| rule)
}

/// A surface, with the sides of which reactions and species are multiplied.
struct Across<'a> {
    model: &'a Model,
    surface: u16,
}

impl Across<'_> {
    /// The affinities of what a reaction begins with over that of its product, in the region: so many
    /// times smaller its equilibrium constant is there, if the engine weighs both ways with the
    /// energies. Of other reactions, 1: they happen at the rates that are given.
    fn shift_of(&self, one: &Reversible) -> f64 {
        let affinity = |&s: &u16| match self.manner(s) {
            Manner::Cross(crossing) => crossing.affinity,
            _ => 1.0,
        };
        let before: f64 = one.reactants.iter().map(affinity).product();
        let after: f64 = one.products.iter().map(affinity).product();
        if is_weighed(self.model, one) { before / after } else { 1.0 }
    }

    /// A warning of an equilibrium constant that is another in the region.
    fn shift(&self, one: &Reversible) -> Option<Warning> {
        let mut all = one.reactants.iter().chain(&one.products);
        let shift = self.shift_of(one);
        let is_told = (shift.ln().abs() > 1e-9) && all.all(|&s| self.may_be(s, true));
        let surface = &self.model.surroundings().surfaces[usize::from(self.surface)].name;
        is_told.then(|| {
            Warning::of_rule(
                rule(&one.name).unwrap_or_default(),
                format!(
                    "inside surface \"{surface}\" the equilibrium constant of {} is {} times that outside: the \
                     affinities of what reacts multiply to {} times that of what it becomes, and both ways are weighed \
                     with these energies",
                    one.name,
                    digits(1.0 / shift, 4),
                    digits(shift, 4),
                ),
            )
        })
    }

    fn manner(&self, species: u16) -> Manner {
        self.model.surroundings().surfaces[usize::from(self.surface)].manners[usize::from(species)]
    }

    /// The reactions on either side, and the ways through the surface of the species that go there.
    fn reactions(&self, reactions: &[Reversible]) -> Vec<Reversible> {
        let surface = &self.model.surroundings().surfaces[usize::from(self.surface)];
        let mut species: Vec<u16> =
            reactions.iter().flat_map(|r| r.reactants.iter().chain(&r.products)).copied().collect();
        species.sort_unstable();
        species.dedup();
        // Those that live on the surface are the same on both of its sides.
        let is_there = |s: u16| self.model.surroundings().anchor(s).map(|anchor| anchor.surface);
        let at = |inside: bool| {
            let species = &species;
            move |s: &u16| {
                let own = species.binary_search(s).unwrap_or_default() * 2;
                (own + usize::from(inside && is_there(*s) != Some(self.surface))) as u16
            }
        };
        let mut found = Vec::new();
        for (inside, side) in [(false, "outside"), (true, "inside")] {
            for one in reactions {
                let mut all = one.reactants.iter().chain(&one.products);
                if all.all(|&s| self.may_be(s, inside)) {
                    found.push(Reversible {
                        name: format!("{} {side} {}", one.name, surface.name),
                        reactants: one.reactants.iter().map(at(inside)).collect(),
                        products: one.products.iter().map(at(inside)).collect(),
                        constant: one.constant / if inside { self.shift_of(one) } else { 1.0 },
                    });
                }
            }
        }
        let moves = |s: u16| self.model.species[usize::from(s)].diffusion_coefficient != Some(0.0);
        let through = species.iter().filter(|&&s| moves(s)).filter_map(|&s| {
            let constant = match self.manner(s) {
                Manner::Cross(crossing) => crossing.affinity,
                Manner::Ignore => 1.0,
                // What goes one way only is in no equilibrium.
                Manner::Permeate(Permeability { inwards, outwards })
                    if inwards * outwards == 0.0 =>
                {
                    return None;
                }
                Manner::Permeate(Permeability { inwards, outwards }) => inwards / outwards,
                Manner::Reflect | Manner::Absorb { .. } => return None,
            };
            let is_on_both = self.may_be(s, false) && self.may_be(s, true);
            (is_on_both && is_there(s) != Some(self.surface)).then(|| Reversible {
                name: format!("{} into {}", self.model.species[usize::from(s)].name, surface.name),
                reactants: vec![at(false)(&s)],
                products: vec![at(true)(&s)],
                constant,
            })
        });
        found.extend(through);
        found
    }

    /// Whether a species may be found, or met, on a side.
    fn may_be(&self, species: u16, inside: bool) -> bool {
        let around = self.model.surroundings();
        let anchor = around.anchor(species).filter(|anchor| anchor.surface == self.surface);
        match anchor.and_then(|anchor| anchor.faces) {
            Some(face) => face == inside,
            None => around
                .sides(species)
                .iter()
                .all(|side| side.surface != self.surface || side.inside == inside),
        }
    }
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

/// Whether the engine weighs both ways with the energies: where two coalesce and fall apart by the
/// reverse rule, and where one is said to become another and back.
fn is_weighed(model: &Model, one: &Reversible) -> bool {
    let rules = model.rules();
    let turns = |case: &Case<1>| {
        let sides = [case.species.to_vec(), sorted(&case.products)];
        sides == [one.reactants.clone(), one.products.clone()]
    };
    let is_switch = rules.timed.iter().filter(|rule| rule.reversible).any(
        |rule| matches!(&rule.action, TimedAction::Convert { cases } if cases.iter().any(turns)),
    );
    is_switch
        || rules.contact.iter().enumerate().any(|(number, rule)| {
            let is_it = |case: &Case<2>| {
                sorted(&case.species) == one.reactants && sorted(&case.products) == one.products
            };
            rule.action.effect().merges
                && rule.cases.iter().any(is_it)
                && rules.undoing(number as u16).next().is_some()
        })
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
            if rule.action.effect().merges {
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
    rule.action.conversions().iter().all(Case::is_of_species)
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

    /// Three species, of which two bind, in a box with a ball: what each does there, and where the
    /// third is.
    fn ball(species: [&str; 3], more: [&str; 3], rule: &str) -> String {
        let mut text = "[space]\ndimension = 3\nedges = '40 nm'\n[run]\ntimestep = '0.5 ns'\nsteps = 9\n\
             [[surface]]\nname = 'raft'\nsphere = { centre = ['20 nm', '20 nm', '20 nm'], radius = '10 nm' }\n\
             meets = 'ignore'\n[surface.species]\n"
            .to_owned();
        for (name, manner) in ["A", "B", "C"].iter().zip(species).filter(|(_, m)| !m.is_empty()) {
            text += &format!("{name} = {manner}\n");
        }
        for ((name, count), more) in [("A", 5), ("B", 5), ("C", 0)].iter().zip(more) {
            text += &format!(
                "[[species]]\nname = '{name}'\nradius = '0.5 nm'\ncount = {count}\n{more}\n"
            );
            if !more.contains("diffusion") {
                text += "diffusion = '10 um^2/s'\n";
            }
        }
        let model = parse(&(text + rule), "test", &[]).unwrap_or_else(|faults| panic!("{faults}"));
        let warnings = model.warnings();
        let told = warnings.iter().filter(|text| text.contains("affinities"));
        told.cloned().collect::<Vec<_>>().join("\n")
    }

    fn likes(affinity: f64) -> String {
        format!("{{ diffusion_inside = '5 um^2/s', affinity = {affinity} }}")
    }

    #[test]
    fn affinities_that_contradict_a_reaction_are_reported() {
        let [ten, two] = [likes(10.0), likes(2.0)];
        let twenty = likes(20.0);
        let free = "'ignore'";
        let bind = "[[rule]]\nname = 'r'\nreaction = 'A + B <-> C'\nrate = '20 nm^3/us'\nunbind = '1 /us'\n";
        let nothing = ["", "", ""];
        let convert = bind.replace("<->", "->").replace("unbind = '1 /us'\n", "")
            + "[[rule]]\nreaction = 'C -> A + B'\nrate = '1 /us'\n";
        let said = ball([&ten, free, free], nothing, &convert);
        for part in [
            "surface \"raft\"",
            "r (A + B <-> C) outside raft",
            "r (A + B <-> C) inside raft",
            "A into raft",
            "B into raft",
            "C into raft",
            "multiply to 0.1000 instead of 1,",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(ball([&ten, &two, &ten], nothing, &convert).contains("multiply to 0.5000"));
        // Coalescence is weighed with the energies, so that nothing circulates.
        let said = ball([&ten, free, free], nothing, bind);
        assert!(said.contains("constant of r (A + B <-> C) is 0.1 times that outside"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert_eq!(ball([&ten, free, &ten], nothing, bind), "");
        assert_eq!(ball([&ten, &two, &twenty], nothing, bind), "");
        assert!(ball([&ten, &two, &ten], nothing, bind).contains("is 0.5 times"));
        // Two of one species count twice.
        let pair = bind.replace("A + B", "A + A");
        assert!(ball([&ten, free, &ten], nothing, &pair).contains("is 0.1 times"));
        assert_eq!(ball([&ten, free, &likes(100.0)], nothing, &pair), "");
    }

    #[test]
    fn affinities_contradict_nothing_where_no_loop_leads_through_the_surface() {
        let ten = likes(10.0);
        let free = "'ignore'";
        let bind = "[[rule]]\nname = 'r'\nreaction = 'A + B -> C'\nrate = '20 nm^3/us'\n\
             [[rule]]\nreaction = 'C -> A + B'\nrate = '1 /us'\n";
        let nothing = ["", "", ""];
        // What binds A is on either side for good, or only on one.
        assert_eq!(ball([&ten, "'reflect'", "'reflect'"], nothing, bind), "");
        let still = "diffusion = '0 nm^2/us'";
        assert_eq!(ball([&ten, free, free], ["", still, still], bind), "");
        assert_eq!(
            ball(
                [&ten, "'reflect'", "'reflect'"],
                ["", "inside = 'raft'", "inside = 'raft'"],
                bind
            ),
            ""
        );
        // One way there is no equilibrium, and a region makes it one that is not looked at.
        let one_way = "[[rule]]\nname = 'r'\nreaction = 'A + B -> C'\nrate = '20 nm^3/us'\n";
        assert_eq!(ball([&ten, free, free], nothing, one_way), "");
        // What lives on the surface is reached from both sides.
        let on = "on = 'raft'";
        let manners = [ten.as_str(), "", ""];
        assert!(ball(manners, ["", on, on], bind).contains("multiply to"));
        let faces = "on = 'raft'\nfaces = 'inside'";
        assert_eq!(ball(manners, ["", faces, faces], bind), "");
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
