//! The rules as the engine asks them: one dense table over pairs of species, decided at a contact,
//! and for each species what happens to it in time.

mod standings;

pub use standings::Standings;

use std::collections::BTreeMap;

use crate::planted::{Fault, planted};
use crate::rules::products::{Product, of_coalescence, of_conversion};
use crate::rules::rates::RateError;
use crate::rules::{
    Action, Chance, Condition, ContactRule, Encounter, Region, RuleSet, Standing, TimedAction,
    TimedRule,
};
use crate::species::Species;

/// What a contact will lead to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// What happens.
    pub action: Action,
    /// The rule that says so; none for the bounce of a pair without a rule.
    pub rule: Option<u16>,
    /// Which of the rule's cases it is.
    pub case: u16,
    /// Whether the rule names the two the other way round.
    pub swapped: bool,
    /// Whether no probability could give the rate that the rule asks for at this time step, so that
    /// the rule applied with certainty and still falls short.
    pub short: bool,
}

impl Decision {
    /// No rule says anything: a bounce.
    pub const BOUNCE: Self =
        Self { action: Action::Bounce, rule: None, case: 0, swapped: false, short: false };
}

/// Why rules cannot be used.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum BookError {
    /// A macroscopic rate constant that cannot be turned into an intrinsic one.
    #[error("rule \"{rule}\": {source}")]
    Rate {
        /// Its name.
        rule: String,
        /// Why.
        source: RateError,
    },
    /// A macroscopic rate constant of a species that has no size or diffusion coefficient.
    #[error(
        "rule \"{rule}\": a macroscopic rate constant needs a radius and a diffusion coefficient of \
         species \"{species}\""
    )]
    NoSize {
        /// Its name.
        rule: String,
        /// The species.
        species: String,
    },
    /// Standings that belong to other rules.
    #[error("the rules are others than those whose rates were kept")]
    OtherRules,
}

/// A rule that may apply to a contact of two species.
#[derive(Clone, Copy, Debug)]
struct Choice {
    rule: u16,
    case: u16,
    swapped: bool,
    /// Never [`Chance::Macroscopic`].
    chance: Chance,
    /// k_d over the rate at which its bonds are said to break: k_a/k_on with a macroscopic rate
    /// constant, else 1.
    unbinding: f64,
}

/// The rules of a model at its time step, in `D` dimensions, as they stand.
#[derive(Clone, Debug)]
pub struct RuleBook<const D: usize> {
    rules: RuleSet,
    species: Vec<Species>,
    timestep: f64,
    /// Whether each rule is in force. \[rule\]
    in_force: Vec<bool>,
    /// The rates that have been set since the start, by rule.
    set: BTreeMap<u16, f64>,
    /// Where two species meet. \[species a * species + species b\]
    encounters: Vec<Encounter>,
    /// Reactions that compete at a contact. \[the same\]
    choices: Vec<Vec<Choice>>,
    /// Whether any of them asks how a particle stands to others. \[the same\]
    asks: Vec<bool>,
    /// What happens if none of them does. \[the same\]
    otherwise: Vec<Decision>,
    /// \[contact rule\]\[case\]
    contact_products: Vec<Vec<Vec<Product>>>,
    /// \[timed rule\]\[case\]
    timed_products: Vec<Vec<Vec<Product>>>,
    /// Conversions in time: rule number and case. \[species\]
    conversions: Vec<Vec<(u16, u16)>>,
    /// Fragmentation in time: rule numbers. \[species\]
    fragmentations: Vec<Vec<u16>>,
}

impl<const D: usize> RuleBook<D> {
    /// The tables for `species` at `timestep` \[µs\]. Rules with windows begin out of force unless
    /// a window begins at 0; the calendar switches them.
    ///
    /// # Errors
    /// If a macroscopic rate constant cannot be turned into an intrinsic one.
    pub fn new(rules: RuleSet, species: &[Species], timestep: f64) -> Result<Self, BookError> {
        Self::of_encounters(rules, species, timestep, |_, _| Encounter::Free)
    }

    /// The same, where it matters that species are confined to surfaces: `meet` says how two of
    /// them meet.
    ///
    /// # Errors
    /// As [`RuleBook::new`].
    pub fn of_encounters(
        rules: RuleSet,
        species: &[Species],
        timestep: f64,
        meet: impl Fn(u16, u16) -> Encounter,
    ) -> Result<Self, BookError> {
        let all = 0..species.len() as u16;
        let windows = rules.contact.iter().map(|rule| &rule.windows);
        let windows = windows.chain(rules.timed.iter().map(|rule| &rule.windows));
        let at_once =
            |windows: &Vec<[f64; 2]>| windows.is_empty() || windows.iter().any(|w| w[0] <= 0.0);
        let mut in_force: Vec<bool> = windows.map(at_once).collect();
        in_force.resize(rules.len(), true);
        let mut book = Self {
            species: species.to_vec(),
            timestep,
            in_force,
            set: BTreeMap::new(),
            encounters: all
                .clone()
                .flat_map(|a| all.clone().map(move |b| (a, b)))
                .map(|(a, b)| meet(a, b))
                .collect(),
            choices: Vec::new(),
            asks: Vec::new(),
            otherwise: Vec::new(),
            contact_products: contact_products(&rules, species),
            timed_products: timed_products(&rules, species),
            conversions: vec![Vec::new(); species.len()],
            fragmentations: vec![Vec::new(); species.len()],
            rules,
        };
        book.tabulate_contacts()?;
        book.tabulate_time();
        Ok(book)
    }

    fn tabulate_contacts(&mut self) -> Result<(), BookError> {
        let count = self.species.len();
        let mut choices = vec![Vec::new(); count * count];
        let mut otherwise = vec![Decision::BOUNCE; count * count];
        for (number, rule) in self.rules.contact.iter().enumerate() {
            let number = number as u16;
            for (n, case) in rule.cases.iter().enumerate() {
                let chance = self.resolved(rule, case.species)?;
                let unbinding = match (rule.chance, chance) {
                    (Chance::Macroscopic(k_on), Chance::Intrinsic(k_a)) if k_on > 0.0 => k_a / k_on,
                    _ => 1.0,
                };
                let [a, b] = case.species.map(usize::from);
                let orders: &[(usize, usize, bool)] = &[(a, b, false), (b, a, true)];
                for &(first, second, swapped) in &orders[..if a == b { 1 } else { 2 }] {
                    let (pair, case) = (first * count + second, n as u16);
                    if rule.action.reacts() {
                        choices[pair].push(Choice {
                            rule: number,
                            case,
                            swapped,
                            chance,
                            unbinding,
                        });
                    } else {
                        let rule_number = Some(number);
                        otherwise[pair] = Decision {
                            action: rule.action,
                            rule: rule_number,
                            case,
                            swapped,
                            short: false,
                        };
                    }
                }
            }
        }
        let asks = |choice: &Choice| {
            let rule = &self.rules.contact[choice.rule as usize];
            matches!(rule.action, Action::Cut(_)) || !rule.conditions.iter().all(Condition::is_free)
        };
        self.asks = choices.iter().map(|choices: &Vec<Choice>| choices.iter().any(asks)).collect();
        self.choices = choices;
        self.otherwise = otherwise;
        Ok(())
    }

    /// The chance of a rule for two species, with a macroscopic rate constant turned into an
    /// intrinsic one.
    fn resolved(&self, rule: &ContactRule, pair: [u16; 2]) -> Result<Chance, BookError> {
        let Chance::Macroscopic(k_on) = rule.chance else { return Ok(rule.chance) };
        let (mut distance, mut diffusion) = (0.0, [0.0; 2]);
        for (n, species) in pair.map(|s| &self.species[s as usize]).into_iter().enumerate() {
            let (Some(radius), Some(free)) = (species.radius, species.diffusion_coefficient) else {
                return Err(BookError::NoSize {
                    rule: rule.name.clone(),
                    species: species.name.clone(),
                });
            };
            distance += radius;
            diffusion[n] = free;
        }
        let encounter = self.encounters[self.pair(pair[0], pair[1])];
        let met = encounter.pair(D, distance, diffusion);
        let k_a = met.and_then(|met| met.intrinsic_from_macroscopic(k_on));
        k_a.map(Chance::Intrinsic)
            .map_err(|source| BookError::Rate { rule: rule.name.clone(), source })
    }

    fn tabulate_time(&mut self) {
        let first = self.rules.first_timed();
        for (n, rule) in self.rules.timed.iter().enumerate() {
            let number = first + n as u16;
            match &rule.action {
                TimedAction::Convert { cases } => {
                    for (case, (species, _)) in cases.iter().enumerate() {
                        self.conversions[*species as usize].push((number, case as u16));
                    }
                }
                TimedAction::Fragment { species, .. } => {
                    species.iter().for_each(|&s| self.fragmentations[s as usize].push(number));
                }
                TimedAction::Unbind { .. } | TimedAction::Create { .. } => {}
            }
        }
    }

    /// The rules as they stand: with the rates that they have now.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// The length of a step. \[µs\]
    pub fn timestep(&self) -> f64 {
        self.timestep
    }

    /// Whether rule `number` is in force.
    pub fn in_force(&self, number: u16) -> bool {
        self.in_force[number as usize]
    }

    /// Puts rule `number` in force or out of it.
    pub fn switch(&mut self, number: u16, on: bool) {
        self.in_force[number as usize] = on;
    }

    /// Gives rule `number` another rate, of the kind that it has.
    ///
    /// # Errors
    /// If it is a macroscopic rate constant that cannot be had; then the rule keeps the one it has.
    pub fn set_rate(&mut self, number: u16, rate: f64) -> Result<(), BookError> {
        let first = self.rules.first_timed();
        if let Some(rule) = self.rules.contact.get_mut(number as usize) {
            let former = rule.chance;
            rule.chance = former.with(rate);
            if let Err(error) = self.tabulate_contacts() {
                self.rules.contact[number as usize].chance = former;
                return Err(error);
            }
        }
        self.set.insert(number, rate);
        if number < first {
            return Ok(());
        }
        if let Some(rule) = self.rules.timed.get_mut((number - first) as usize) {
            rule.rate = rate;
        }
        Ok(())
    }

    /// The products of a case of a contact rule.
    pub fn contact_products(&self, rule: u16, case: u16) -> &[Product] {
        &self.contact_products[rule as usize][case as usize]
    }

    /// The products of a case of a rule in time.
    pub fn timed_products(&self, rule: u16, case: u16) -> &[Product] {
        &self.timed_products[(rule - self.rules.first_timed()) as usize][case as usize]
    }

    /// The conversions in time of a particle of `species` in a cluster of `size`: number, case and
    /// rate \[per step\] of each that is in force.
    pub fn conversions(
        &self,
        species: u16,
        size: impl Fn() -> u32,
    ) -> impl Iterator<Item = (u16, u16, f64)> {
        let all = self.conversions[species as usize].iter();
        all.filter_map(move |&(number, case)| {
            Some((number, case, self.rate_in_force(number, &size)?))
        })
    }

    /// The fragmentation in time of bonds of `species` in a cluster of `size`: number and rate per
    /// bond \[per step\] of each rule in force.
    pub fn fragmentations(
        &self,
        species: u16,
        size: impl Fn() -> u32,
    ) -> impl Iterator<Item = (u16, f64)> {
        let all = self.fragmentations[species as usize].iter();
        all.filter_map(move |&number| Some((number, self.rate_in_force(number, &size)?)))
    }

    /// The rate of a rule in time \[per step\], if it is in force and its size condition holds.
    pub fn rate_in_force(&self, number: u16, size: &impl Fn() -> u32) -> Option<f64> {
        let rule: &TimedRule = self.rules.timed_rule(number)?;
        let holds =
            self.in_force(number) && (rule.size == (1..=u32::MAX) || rule.size.contains(&size()));
        holds.then_some(rule.rate * self.timestep)
    }

    fn pair(&self, a: u16, b: u16) -> usize {
        a as usize * self.species.len() + b as usize
    }

    /// Whether particles of two species may overlap.
    #[inline]
    pub fn pass(&self, a: u16, b: u16) -> bool {
        matches!(self.otherwise[self.pair(a, b)].action, Action::Pass | Action::Ignore)
    }

    /// Decides a contact of species `a` and `b` at centre distance `distance` \[nm\], whose units
    /// diffuse with these `diffusion` coefficients \[nm²/µs\]. `standing`, `here`, whether the
    /// contact is in a region, and `fate`, the one uniform number of this contact, are asked only
    /// if something is to be decided.
    pub fn decide(
        &self,
        [a, b]: [u16; 2],
        distance: f64,
        diffusion: [f64; 2],
        standing: impl FnOnce() -> [Standing; 2],
        here: impl Fn(&Region) -> bool,
        fate: impl FnOnce() -> f64,
    ) -> Decision {
        let pair = self.pair(a, b);
        let otherwise = self.otherwise[pair];
        if self.choices[pair].is_empty() {
            return otherwise;
        }
        let standing = if self.asks[pair] { standing() } else { [Standing::ALONE; 2] };
        let fate = fate();
        let in_place = |choice: &Choice| {
            self.rules.contact[choice.rule as usize].region.as_ref().is_none_or(&here)
        };
        let eligible = || self.eligible(pair, a == b, standing).filter(in_place);
        let total: f64 = eligible().filter_map(|choice| choice.intrinsic()).sum();
        let mut below = 0.0;
        for choice in eligible() {
            let (p, short) = self.probability(pair, choice.chance, total, distance, diffusion);
            below += if planted(Fault::BindingTwice) { 2.0 * p } else { p };
            if fate < below {
                let Choice { rule, case, swapped, .. } = choice;
                let action = self.rules.contact[rule as usize].action;
                return Decision { action, rule: Some(rule), case, swapped, short };
            }
        }
        otherwise
    }

    /// Whether there is no pair whose contacts may lead through each other.
    pub fn none_passes(&self) -> bool {
        !self
            .otherwise
            .iter()
            .any(|decision| matches!(decision.action, Action::Pass | Action::Ignore))
    }

    /// The reactions that may apply, each the way round in which its conditions hold.
    fn eligible(
        &self,
        pair: usize,
        alike: bool,
        standing: [Standing; 2],
    ) -> impl Iterator<Item = Choice> + '_ {
        self.choices[pair].iter().filter_map(move |&choice| {
            if !self.in_force[choice.rule as usize] {
                return None;
            }
            let [first, second] = &self.rules.contact[choice.rule as usize].conditions;
            let holds = |swapped: bool| {
                let [a, b] = if swapped { [standing[1], standing[0]] } else { standing };
                first.holds(a) && second.holds(b)
            };
            if holds(choice.swapped) {
                Some(choice)
            } else if alike && holds(!choice.swapped) {
                Some(Choice { swapped: !choice.swapped, ..choice })
            } else {
                None
            }
        })
    }

    /// The probability of a reaction at one contact, and whether it falls short of the rate asked
    /// for. Reactions of the same two particles compete: all together have the probability that
    /// belongs to the sum `total` of their rate constants, and share it as these.
    fn probability(
        &self,
        pair: usize,
        chance: Chance,
        total: f64,
        distance: f64,
        diffusion: [f64; 2],
    ) -> (f64, bool) {
        let k_a = match chance {
            Chance::Probability(p) => return (p, false),
            Chance::Intrinsic(k_a) | Chance::Macroscopic(k_a) => k_a,
        };
        if k_a <= 0.0 {
            return (0.0, false);
        }
        // Two particles that only drift have no rate constant.
        let Ok(pair) = self.encounters[pair].pair(D, distance, diffusion) else {
            return (0.0, true);
        };
        match pair.probability(total, self.timestep) {
            Ok(p) => (p * (k_a / total), false),
            Err(_) => (k_a / total, true),
        }
    }

    /// By what the rate is to be multiplied at which contact rule `rule` is undone; the two that
    /// would part are of `species`, as `standing` says once they have parted, touch at `distance`
    /// \[nm\] and diffuse with these `diffusion` coefficients \[nm²/µs\].
    ///
    /// It is k_d'/k_d = p V_c / (k_a dt), so that K = k_a/k_d at any time step (the closed
    /// calibration makes p V_c / dt differ from k_a). A rule that is given by a bare probability
    /// keeps its k_d; one that is given by k_on breaks at k_off, for which k_d = k_off k_a/k_on.
    pub fn unbinding_correction(
        &self,
        rule: u16,
        [a, b]: [u16; 2],
        standing: [Standing; 2],
        distance: f64,
        diffusion: [f64; 2],
    ) -> f64 {
        let pair = self.pair(a, b);
        let of_rule = |choice: &&Choice| choice.rule == rule;
        // The two may have changed since they were bound: then the rule's first case has to serve.
        let known = self.choices[pair].iter().find(of_rule);
        let choice = known.or_else(|| self.choices.iter().flatten().find(of_rule));
        let unbinding = choice.map_or(1.0, |choice| choice.unbinding);
        let k_a = choice.and_then(Choice::intrinsic).filter(|&k_a| k_a > 0.0);
        let Some(k_a) = k_a else { return 1.0 };
        let others = self.eligible(pair, a == b, standing).filter(|choice| choice.rule != rule);
        let total = k_a + others.filter_map(|choice| choice.intrinsic()).sum::<f64>();
        let (p, _) = self.probability(pair, Chance::Intrinsic(k_a), total, distance, diffusion);
        let pair = self.encounters[pair].pair(D, distance, diffusion);
        unbinding * pair.map_or(1.0, |pair| p * pair.contact_rate(self.timestep) / k_a)
    }
}

impl Choice {
    fn intrinsic(&self) -> Option<f64> {
        match self.chance {
            Chance::Intrinsic(k_a) | Chance::Macroscopic(k_a) => Some(k_a),
            Chance::Probability(_) => None,
        }
    }
}

fn contact_products(rules: &RuleSet, species: &[Species]) -> Vec<Vec<Vec<Product>>> {
    let of_case = |rule: &ContactRule| match rule.action {
        Action::Coalesce => rule
            .cases
            .iter()
            .map(|case| of_coalescence(case.species, &case.products, species))
            .collect(),
        _ => rule
            .cases
            .iter()
            .map(|case| of_conversion(&case.species, &case.products, species))
            .collect(),
    };
    rules.contact.iter().map(of_case).collect()
}

fn timed_products(rules: &RuleSet, species: &[Species]) -> Vec<Vec<Vec<Product>>> {
    let of_rule = |rule: &TimedRule| match &rule.action {
        TimedAction::Convert { cases } => {
            cases.iter().map(|(from, to)| of_conversion(&[*from], to, species)).collect()
        }
        _ => Vec::new(),
    };
    rules.timed.iter().map(of_rule).collect()
}

#[cfg(test)]
mod tests;
