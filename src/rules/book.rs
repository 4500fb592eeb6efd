//! The rules as the engine asks them: one dense table over pairs of species, decided at a contact.

use super::rates::ReactingPair;
use super::{Action, Chance, RuleSet};

/// What a contact is to lead to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// What happens.
    pub action: Action,
    /// The rule that says so; none for the bounce of a pair without a rule.
    pub rule: Option<u16>,
    /// Whether no probability could give the rate that the rule asks for at this time step, so that
    /// the rule applied with certainty and still falls short.
    pub short: bool,
}

#[derive(Clone, Copy, Debug)]
struct Choice {
    rule: u16,
    action: Action,
}

/// The rules of a model at its time step, in `D` dimensions.
#[derive(Clone, Debug)]
pub struct RuleBook<const D: usize> {
    rules: RuleSet,
    species: usize,
    timestep: f64,
    /// Reactions that compete at a contact. \[species a * species + species b\]
    choices: Vec<Vec<Choice>>,
    /// What happens if none of them does. \[the same\]
    otherwise: Vec<Decision>,
}

impl<const D: usize> RuleBook<D> {
    /// The table for `species` species at `timestep` \[µs\].
    pub fn new(rules: RuleSet, species: usize, timestep: f64) -> Self {
        let bounce = Decision { action: Action::Bounce, rule: None, short: false };
        let mut choices = vec![Vec::new(); species * species];
        let mut otherwise = vec![bounce; species * species];
        for a in 0..species as u16 {
            for b in 0..species as u16 {
                let pair = a as usize * species + b as usize;
                for (number, rule) in rules.between(a, b) {
                    match rule.action {
                        Action::Bounce | Action::Pass | Action::Ignore => {
                            otherwise[pair] =
                                Decision { action: rule.action, rule: Some(number), short: false };
                        }
                        action => choices[pair].push(Choice { rule: number, action }),
                    }
                }
            }
        }
        Self { rules, species, timestep, choices, otherwise }
    }

    /// The rules as they were given.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    fn pair(&self, a: u16, b: u16) -> usize {
        a as usize * self.species + b as usize
    }

    /// Whether bodies of two species may overlap.
    #[inline]
    pub fn pass(&self, a: u16, b: u16) -> bool {
        matches!(self.otherwise[self.pair(a, b)].action, Action::Pass | Action::Ignore)
    }

    /// Decides a contact of species `a` and `b` at centre distance `distance` \[nm\], whose units
    /// diffuse with `relative_diffusion` = D_A + D_B \[nm²/µs\]. `fate` gives the one uniform number
    /// of this contact; it is asked only if something is to be decided.
    pub fn decide(
        &self,
        [a, b]: [u16; 2],
        distance: f64,
        relative_diffusion: f64,
        fate: impl FnOnce() -> f64,
    ) -> Decision {
        let pair = self.pair(a, b);
        if self.choices[pair].is_empty() {
            return self.otherwise[pair];
        }
        let fate = fate();
        let mut below = 0.0;
        for choice in &self.choices[pair] {
            let (probability, short) = self.probability(choice.rule, distance, relative_diffusion);
            below += probability;
            if fate < below {
                return Decision { action: choice.action, rule: Some(choice.rule), short };
            }
        }
        self.otherwise[pair]
    }

    /// The probability of a rule at one contact, and whether it falls short of the rate asked for.
    /// Reactions of the same two species compete: all together have the probability that belongs to
    /// the sum of their rate constants, and share it as these.
    fn probability(&self, rule: u16, distance: f64, relative_diffusion: f64) -> (f64, bool) {
        let rule = &self.rules.contact[rule as usize];
        let k_a = match rule.chance {
            Chance::Probability(p) => return (p, false),
            Chance::Intrinsic(k_a) => k_a,
        };
        let total = self.rules.total_rate(rule.species[0], rule.species[1]).unwrap_or(k_a);
        // Two bodies that only drift have no rate constant.
        let Ok(pair) = ReactingPair::new(D, distance, relative_diffusion) else { return (0.0, true) };
        match pair.probability(total, self.timestep) {
            Ok(p) => (p * (k_a / total), false),
            Err(_) => (k_a / total, true),
        }
    }

    /// How many unbindings of what contact rule `rule` has bound fall due in one step, on average;
    /// the two that would part touch at `distance` \[nm\] and diffuse with `relative_diffusion`
    /// \[nm²/µs\]. For each timed rule that undoes it: its number and its rate.
    ///
    /// The rate is k_d' = k_d p V_c / (k_a dt), so that K = k_a/k_d at any time step (the closed
    /// calibration makes p V_c / dt differ from k_a). A rule that is given by a bare probability
    /// keeps its k_d.
    pub fn unbinding(
        &self,
        rule: u16,
        distance: f64,
        relative_diffusion: f64,
    ) -> impl Iterator<Item = (u16, f64)> {
        let correction = match self.rules.contact[rule as usize].chance {
            Chance::Probability(_) => 1.0,
            Chance::Intrinsic(k_a) => {
                let (p, _) = self.probability(rule, distance, relative_diffusion);
                let pair = ReactingPair::new(D, distance, relative_diffusion);
                pair.map_or(1.0, |pair| p * pair.contact_rate(self.timestep) / k_a)
            }
        };
        self.rules.undoing(rule).map(move |(number, timed)| (number, timed.rate * self.timestep * correction))
    }
}

#[cfg(test)]
mod tests {
    use super::super::ContactRule;
    use super::*;

    fn bind(k_a: f64) -> ContactRule {
        let chance = Chance::Intrinsic(k_a);
        ContactRule { name: "bind".into(), species: [0, 1], action: Action::Bond, chance }
    }

    #[test]
    fn reactions_of_the_same_pair_share_the_probability_of_their_sum() {
        let (distance, diffusion, timestep) = (2.0, 10.0, 0.01);
        let rules = RuleSet { contact: vec![bind(300.0), bind(100.0)], timed: Vec::new() };
        let book = RuleBook::<3>::new(rules, 2, timestep);
        let pair = ReactingPair::new(3, distance, diffusion).unwrap();
        let all = pair.probability(400.0, timestep).unwrap();
        let decide = |fate: f64| book.decide([1, 0], distance, diffusion, || fate).rule;
        assert_eq!(
            [0.74 * all, 0.76 * all, 0.99 * all, 1.01 * all].map(decide),
            [Some(0), Some(1), Some(1), None]
        );
    }
}
