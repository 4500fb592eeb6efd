//! Rate constants that come out other than they are given, and by how much.

use std::collections::BTreeSet;

use jostle_core::environment::{Manner, room};
use jostle_core::rules::{Chance, ContactRule, MeetingPair, Side, TimedAction};
use jostle_core::space::ball_volume;
use jostle_core::words::digits;

use super::Warning;
use crate::together::{Member, by_pair, intrinsic, ordered, reacting_by, reacting_pair, rivals};
use crate::{Model, measure};

/// Constants that come out so near to what is given are not worth a warning: literature values are hardly
/// known better.
const TOLERANCE: f64 = 0.03;

/// Equilibria are expected to be nearer than that.
const TOLERANCE_OF_EQUILIBRIA: f64 = 0.01;

/// A sentence for each rule and cause.
pub(super) fn warnings(model: &Model) -> Vec<Warning> {
    let rules = model.rules();
    let passing: BTreeSet<[u16; 2]> = rules.passing().map(ordered).collect();
    let mut found: Vec<Warning> = Vec::new();
    // One pair of species is told for all.
    let mut told: BTreeSet<(&str, u16)> = BTreeSet::new();
    for (species, members) in by_pair(rules).reacting() {
        let Some(pair) = reacting_pair(model, species[0], species[1]) else { continue };
        let meeting = Reactants { model, species, pair };
        let competing = rivals(rules, members).into_iter().flat_map(|set| meeting.competing(&set));
        let mut notes: Vec<(&str, u16, String)> =
            competing.map(|(rule, text)| ("competing", rule, text)).collect();
        for &(number, _) in members {
            let elsewhere = meeting.elsewhere(number);
            notes.extend(elsewhere.map(|text| ("elsewhere", number, text)));
            let sides = meeting.met_from_both_sides(number);
            notes.extend(sides.map(|text| ("sides", number, text)));
            if passing.contains(&ordered(species)) {
                let overlapping = meeting.overlapping(number, members);
                notes.extend(overlapping.map(|text| ("overlapping", number, text)));
                notes.extend(meeting.through(number).map(|text| ("through", number, text)));
            }
        }
        for (cause, rule, text) in notes {
            if told.insert((cause, rule)) {
                found.push(Warning::of_rule(&rules.contact[usize::from(rule)].name, text));
            }
        }
    }
    found.extend(faster_than_steps(model));
    found
}

/// Two species that react.
struct Reactants<'a> {
    model: &'a Model,
    species: [u16; 2],
    pair: MeetingPair,
}

impl Reactants<'_> {
    fn rule(&self, number: u16) -> &ContactRule {
        &self.model.rules().contact[usize::from(number)]
    }

    fn names(&self) -> String {
        let [a, b] = self.species.map(|s| self.model.species[usize::from(s)].name.as_str());
        format!("{a} and {b}")
    }

    /// The intrinsic rate constant of a rule that reacts with all of the other. \[nm^d/µs\]
    fn all_around(&self, number: u16) -> Option<f64> {
        let met = reacting_by(self.model, self.rule(number), self.species)?;
        let k_a = intrinsic(self.rule(number).chance, &met)?.ok()?;
        (met.exposed == self.pair.exposed).then_some(k_a)
    }

    /// Macroscopic rate constants of reactions that compete for the same contacts: each has the k_a that
    /// it would have alone, and together they consume more of those that diffusion brings.
    fn competing(&self, set: &[u16]) -> Vec<(u16, String)> {
        let rated: Vec<(u16, f64)> =
            set.iter().filter_map(|&number| Some((number, self.all_around(number)?))).collect();
        let Some(limit) = self.pair.diffusion_limit().filter(|_| rated.len() > 1) else {
            return Vec::new();
        };
        let total: f64 = rated.iter().map(|(_, k_a)| k_a).sum();
        let given = |number: u16| match self.rule(number).chance {
            Chance::Macroscopic(k_on) => Some(k_on),
            _ => None,
        };
        let typed: f64 = rated.iter().filter_map(|&(number, _)| given(number)).sum();
        let intrinsic: f64 =
            rated.iter().filter(|(number, _)| given(*number).is_none()).map(|(_, k_a)| k_a).sum();
        // With the k_a that give all macroscopic constants as they are typed.
        let wanted = (intrinsic + typed) / (1.0 - typed / limit);
        let told = |&(number, k_a): &(u16, f64)| {
            let k_on = given(number)?;
            let comes_out = k_a / (1.0 + total / limit);
            let others: BTreeSet<&str> = set
                .iter()
                .filter(|&&other| other != number)
                .map(|&other| self.rule(other).name.as_str())
                .collect();
            let others = match others.len() {
                0 => "another pair of their sites does the same".to_owned(),
                _ => {
                    let all: Vec<String> =
                        others.iter().map(|name| format!("\"{name}\"")).collect();
                    format!("{} may happen at the same contact", all.join(", "))
                }
            };
            let remedy = if wanted > 0.0 {
                let rate = digits(k_on * (1.0 + wanted / limit), 6);
                let alike = if intrinsic > 0.0 || rated.len() == 1 {
                    ""
                } else {
                    " (and so for the others)"
                };
                format!(
                    "rate = \"{rate} nm^3/us\" in place of `k_on`{alike} would give what is typed"
                )
            } else {
                format!(
                    "all together cannot be faster than diffusion, {} nm^3/us",
                    digits(limit, 4)
                )
            };
            (comes_out < (1.0 - TOLERANCE) * k_on).then(|| {
                (number, format!(
                    "rule \"{}\": k_on = {} nm^3/us is that of {} if nothing else happens to them; where {others}, \
                     it is {}; {remedy}",
                    self.rule(number).name,
                    digits(k_on, 4),
                    self.names(),
                    digits(comes_out, 4),
                ))
            })
        };
        rated.iter().filter_map(told).collect()
    }

    /// A macroscopic rate constant in a region in which the two diffuse at another rate: k_a is that of
    /// outside.
    fn elsewhere(&self, number: u16) -> Option<String> {
        let Chance::Macroscopic(k_on) = self.rule(number).chance else { return None };
        let k_a = self.all_around(number)?;
        let limit = self.pair.diffusion_limit()?;
        let outside = self.diffusion(|crossing| crossing.outside, None)?;
        let surfaces = &self.model.surroundings().surfaces;
        surfaces.iter().enumerate().find_map(|(n, surface)| {
            let inside = self.diffusion(|crossing| crossing.inside, Some(n))?;
            let there = limit * inside / outside;
            let comes_out = k_a / (1.0 + k_a / there);
            ((comes_out / k_on - 1.0).abs() > TOLERANCE).then(|| {
                format!(
                    "rule \"{}\": k_on = {} nm^3/us is that of {} outside surface \"{}\"; inside, where they diffuse at \
                     another rate, the same intrinsic rate constant makes it {}; `rate` says the same for both",
                    self.rule(number).name,
                    digits(k_on, 4),
                    self.names(),
                    surface.name,
                    digits(comes_out, 4),
                )
            })
        })
    }

    /// A target on a surface that the other one meets from both sides: the rate constant is that from one.
    fn met_from_both_sides(&self, number: u16) -> Option<String> {
        self.all_around(number)?;
        let around = self.model.surroundings();
        let [a, b] = self.species;
        let (target, guest) = if around.anchor(a).is_some() { (a, b) } else { (b, a) };
        let anchor = around.anchor(target).filter(|anchor| anchor.faces.is_none())?;
        let surface = &around.surfaces[usize::from(anchor.surface)];
        let is_kept = |side: &Side| side.surface == anchor.surface;
        if around.anchor(guest).is_some() || !surface.manners[usize::from(guest)].separates() {
            return None;
        }
        let is_kept = around.sides(guest).iter().any(is_kept);
        let is_undone = self.model.rules().undoing(number).next().is_some();
        let space = &self.model.space;
        let is_open =
            |inside| room(&[(&surface.form, inside)], space.dimension, &space.edges) > 0.0;
        let [target, guest] = [target, guest].map(|s| &self.model.species[usize::from(s)].name);
        // Two that a bond holds together part where they are.
        let stays = is_kept && self.rule(number).action.effect().makes_bond;
        let matters = is_open(true) && is_open(false) && (is_undone || !is_kept) && !stays;
        matters.then(|| match is_kept {
            true => format!(
                "rule \"{}\": {guest} is on one side of surface \"{}\", but {target} faces both: what unbinds from it \
                 comes out on either side, so that {target} carries {guest} through; `faces` keeps {target} to one side",
                self.rule(number).name, surface.name,
            ),
            false => format!(
                "rule \"{}\": the rate constant of {guest} and {target} is that from one side of surface \"{}\", and \
                 {target} faces both: where {guest} is on both sides, it is twice as large in all, and K_D half as \
                 large; `faces` lets {target} be met on one side only",
                self.rule(number).name, surface.name,
            ),
        })
    }

    /// The sum of the diffusion coefficients of the two, with what a surface says of those that cross it.
    fn diffusion(
        &self,
        of: impl Fn(&jostle_core::environment::Crossing) -> f64,
        surface: Option<usize>,
    ) -> Option<f64> {
        let one = |species: u16| {
            let own = self.model.species[usize::from(species)].diffusion_coefficient;
            let at = surface.map(|n| &self.model.surroundings().surfaces[n]);
            match at.map(|surface| &surface.manners[usize::from(species)]) {
                Some(Manner::Cross(crossing)) => Some(of(crossing)),
                _ => own,
            }
        };
        let [a, b] = self.species.map(one);
        Some(a? + b?)
    }

    /// Reversible reactions of two that overlap where they do not react: they get into the overlap with
    /// probability 1 - p and out of it always.
    fn overlapping(&self, number: u16, members: &[Member]) -> Option<String> {
        let rule = self.rule(number);
        let is_undone = self.model.rules().undoing(number).next().is_some();
        if !is_undone || !rule.action.reacts() {
            return None;
        }
        let numbers: BTreeSet<u16> = members.iter().map(|&(number, _)| number).collect();
        let total: f64 = numbers.into_iter().filter_map(|number| self.all_around(number)).sum();
        let p = self.pair.probability(total, self.model.run.timestep).ok()?;
        let covered = p * ball_volume(self.pair.dimension(), self.pair.pair.contact_distance());
        let per_room = self.species.map(|s| {
            let placed = self.model.placement.iter().filter(|placement| placement.species == s);
            let count: usize = placed.map(crate::Placement::count).sum();
            count as f64 / measure::room_of(self.model, s)
        });
        let excess = covered * per_room[0].max(per_room[1]);
        (excess > TOLERANCE_OF_EQUILIBRIA).then(|| {
            format!(
                "rule \"{}\": {} pass through each other where they do not react, so they are seldom found \
                 overlapping, and the equilibrium constant is about {} % larger than what is given; two that keep \
                 each other out (`do = \"bounce\"` for the pair) have the one that is given",
                rule.name,
                self.names(),
                digits(100.0 * excess, 2),
            )
        })
    }

    /// Sites with a direction of particles that let their partners through.
    fn through(&self, number: u16) -> Option<String> {
        let rule = self.rule(number);
        let met = reacting_by(self.model, rule, self.species)?;
        (met.exposed < self.pair.exposed).then(|| {
            format!(
                "rule \"{}\": {} pass through each other where they do not react, so a partner also gets to a site from \
                 within, and two meet there more often than what is given says (by a tenth to a quarter for an \
                 opening of 30 degrees); `do = \"bounce\"` for the pair keeps them out",
                rule.name,
                self.names(),
            )
        })
    }
}

/// Pairs that come apart and react again many times within one step, of which a step finds a few.
fn faster_than_steps(model: &Model) -> Vec<Warning> {
    let rules = model.rules();
    let table = by_pair(rules);
    let reacts = |products: &[u16]| match *products {
        [a, b] => table.of(a, b).iter().any(|&(number, _)| rules.reacts(number)),
        _ => false,
    };
    let dt = model.run.timestep;
    let fast = rules.timed.iter().filter(|rule| rule.rate * dt > 1.0);
    let releases = fast.filter(|rule| match &rule.action {
        TimedAction::Unbind { .. } => true,
        TimedAction::Convert { cases } => cases.iter().any(|case| reacts(&case.products)),
        TimedAction::Create { .. } | TimedAction::Fragment { .. } => false,
    });
    let text = |name: &str, rate: f64| {
        format!(
            "rule \"{name}\" happens {} times per step to what it applies to: of what is released and reacts again \
             within the step, a part is not followed, so shares of time depend on the step; steps of {} would do",
            digits(rate * dt, 3),
            measure::time(0.1 / rate)
        )
    };
    releases.map(|rule| Warning::of_rule(&rule.name, text(&rule.name, rule.rate))).collect()
}

#[cfg(test)]
mod tests {
    use crate::parse;

    fn warnings(run: &str, rules: &str) -> Vec<String> {
        let mut text = format!(
            "[space]\ndimension = 3\nedges = '60 nm'\n[run]\ntimestep = '1 ns'\nsteps = 9\n{run}\n"
        );
        for (name, count) in [("A", 20), ("B", 20), ("C", 0), ("D", 0)] {
            text += &format!(
                "[[species]]\nname = '{name}'\nradius = '2 nm'\ndiffusion = '10 um^2/s'\ncount = {count}\n"
            );
        }
        parse(&(text + rules), "test", &[]).unwrap_or_else(|faults| panic!("{faults}")).warnings()
    }

    /// 4 pi D R of the two is 1005 nm³/µs.
    fn two(first: &str, second: &str) -> String {
        format!(
            "[[rule]]\nname = 'one'\nreaction = 'A + B -> C'\n{first}\n[[rule]]\nname = 'other'\nreaction = 'A + B -> D'\n{second}\n"
        )
    }

    #[test]
    fn a_target_that_is_met_from_both_sides_is_reported() {
        let said = |faces: &str| {
            let rules = format!(
                "[[surface]]\nname = 'm'\nplane = {{ axis = 'z', at = '30 nm' }}\n[[species]]\nname = 'T'\n\
                 radius = '2 nm'\ndiffusion = '1 um^2/s'\ncount = 2\non = 'm'\n{faces}[[species]]\nname = 'L'\n\
                 radius = '2 nm'\ndiffusion = '1 um^2/s'\ncount = 2\n[[rule]]\nname = 'bind'\n\
                 reaction = 'L + T -> T'\nrate = '10 nm^3/us'\n"
            );
            let said = warnings("", &rules);
            said.iter().filter(|said| said.contains("from one side of surface \"m\"")).count()
        };
        assert_eq!(said(""), 1);
        assert_eq!(said("faces = 'above'\n"), 0);
    }

    #[test]
    fn constants_of_reactions_that_compete_are_reported_with_rates_that_would_do() {
        let said = warnings("", &two("k_on = '200 nm^3/us'", "k_on = '300 nm^3/us'"));
        let [one, other] = said.as_slice() else { panic!("{said:?}") };
        // k_a = 200/(1 - 0.199) = 249.7 and 300/(1 - 0.2984) = 427.6, together 677.3: /(1 + 0.6738)
        assert!(one.contains("it is 149.2") && other.contains("it is 255.5"), "{said:?}");
        // 200/(1 - 500/1005.31)
        assert!(one.contains("rate = \"397.8"), "{one}");
        let rated = warnings("", &two("rate = '397.9 nm^3/us'", "rate = '596.9 nm^3/us'"));
        assert!(rated.is_empty(), "{rated:?}");
        let too_fast = warnings("", &two("k_on = '600 nm^3/us'", "k_on = '700 nm^3/us'"));
        assert!(
            too_fast.iter().any(|text| text.contains("cannot be faster than diffusion")),
            "{too_fast:?}"
        );
        assert!(warnings("", &two("k_on = '5 nm^3/us'", "k_on = '5 nm^3/us'")).is_empty());
    }

    #[test]
    fn reversible_pairs_that_pass_are_reported_where_partners_cover_much() {
        let rule = "[[rule]]\nreaction = 'A + B <-> C'\nk_on = '900 nm^3/us'\nk_off = '1e4 /s'\n";
        let said = warnings("interactions = 'reactive'", rule);
        assert!(said.iter().any(|text| text.contains("equilibrium constant is about")), "{said:?}");
        assert!(warnings("", rule).is_empty());
        let slow = rule.replace("900", "1");
        assert!(warnings("interactions = 'reactive'", &slow).is_empty());
    }

    #[test]
    fn releases_faster_than_steps_are_reported() {
        let rule = "[[rule]]\nreaction = 'A + B <-> C'\nk_on = '500 nm^3/us'\nk_off = '2e9 /s'\n";
        let said = warnings("", rule);
        assert!(said.iter().any(|text| text.contains("times per step")), "{said:?}");
    }
}
