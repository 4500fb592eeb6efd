//! The rules as the engine asks them: one dense table over pairs of species, decided at a contact,
//! and for each species what happens to it in time.

mod facing;
mod pairs;
mod release;
mod standings;
mod tethers;

pub use facing::{facing_pair, share_of_orientations, site_of_target};
use pairs::{Choice, PairRules, Pairs, orders};
pub use standings::Standings;
pub use tethers::Tethering;

use std::collections::BTreeMap;

use crate::planted::{Fault, planted};
use crate::rules::products::{Product, of_coalescence, of_conversion};
use crate::rules::rates::RateError;
use crate::rules::{
    Action, Case, Chance, Compositions, Condition, ContactRule, Encounter, Partners, RuleSet,
    Standing, TimedAction, TimedRule, TouchingPair,
};
use crate::sites::{SiteChange, SitePattern};
use crate::species::Species;

/// What a contact will lead to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// What happens.
    pub action: Action,
    /// The rule that says so; none for the bounce of a pair without a rule.
    pub rule: Option<u16>,
    /// Which of the rule's cases it is.
    pub case: u32,
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
        /// The underlying error.
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
    pairs: Pairs,
    /// Whether the contacts of some pair may lead through each other.
    some_pass: bool,
    /// Whether there are tethers.
    some_tether: bool,
    /// \[contact rule\]\[case\]
    contact_products: Vec<Vec<Vec<Product>>>,
    /// \[timed rule\]\[case\]
    timed_products: Vec<Vec<Vec<Product>>>,
    /// Conversions in time: rule number and case. \[species\]
    conversions: Vec<Vec<(u16, u32)>>,
    /// The rules in time that undo a contact rule. \[contact rule\]
    undoing: Vec<Vec<u16>>,
    /// Fragmentation in time: rule numbers. \[species\]
    fragmentations: Vec<Vec<u16>>,
    compositions: Compositions,
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
        let windows = rules.contact.iter().map(|rule| &rule.windows);
        let windows = windows.chain(rules.timed.iter().map(|rule| &rule.windows));
        let at_once =
            |windows: &Vec<[f64; 2]>| windows.is_empty() || windows.iter().any(|w| w[0] <= 0.0);
        let mut in_force: Vec<bool> = windows.map(at_once).collect();
        // What is in the schedule has numbers, too. It is never out of force.
        in_force.resize(rules.len(), true);
        let mut book = Self {
            species: species.to_vec(),
            timestep,
            in_force,
            set: BTreeMap::new(),
            pairs: Pairs::new(species.len(), meet),
            some_pass: false,
            some_tether: rules.contact.iter().any(|rule| rule.tether.is_some()),
            contact_products: contact_products(&rules, species),
            timed_products: timed_products(&rules, species),
            conversions: vec![Vec::new(); species.len()],
            undoing: vec![Vec::new(); rules.contact.len()],
            fragmentations: vec![Vec::new(); species.len()],
            compositions: rules.compositions(),
            rules,
        };
        book.tabulate_contacts()?;
        book.tabulate_time();
        Ok(book)
    }

    fn tabulate_contacts(&mut self) -> Result<(), BookError> {
        // The whole table is rebuilt even if a single rate has changed, which happens a few times in a run at most. On
        // a copy, so that nothing has changed if a rate cannot be had.
        let mut pairs = self.pairs.clone();
        pairs.all_mut().for_each(|pair| {
            pair.choices.clear();
            pair.tethers.clear();
        });
        for (number, rule) in self.rules.contact.iter().enumerate() {
            let number = number as u16;
            // To know how a particle stands to others one has to look at its cluster. Most contacts need
            // not know, so they are not made to wait for it.
            let asks = matches!(rule.action, Action::Cut(_))
                || !rule.conditions.iter().all(Condition::is_free);
            for (n, case) in rule.cases.iter().enumerate() {
                let (chance, case_number) = (self.resolved(rule, case)?, n as u32);
                // k_off counts pairs that have parted for good, k_d all bonds that break. Of those, k_on/k_a
                // part for good.
                let unbinding = match (rule.chance, chance) {
                    (Chance::Macroscopic(k_on), Chance::Intrinsic(k_a)) if k_on > 0.0 => k_a / k_on,
                    _ => 1.0,
                };
                let [a, b] = case.species;
                let encounter = self.pairs.of(a, b).encounter;
                let target = site_of_target(encounter, rule, case, &self.species);
                let share = share_of_orientations(encounter, rule, case, &self.species, D);
                for (first, second, swapped) in orders(case) {
                    let pair = pairs.own(first, second);
                    let choice = Choice {
                        rule: number,
                        case: case_number,
                        swapped,
                        chance,
                        share,
                        target: target.map(|n| if swapped { 1 - n } else { n }),
                        unbinding,
                    };
                    if let Some(length) = rule.tether {
                        let distance = self.contact_distance([first, second]);
                        let room = pair.encounter.shell_volume(D, distance, length);
                        pair.asks |= asks;
                        pair.tethers.push(Tethering::new(choice, length, self.timestep / room));
                    } else if rule.action.reacts() {
                        pair.asks |= asks;
                        pair.choices.push(choice);
                    } else {
                        pair.otherwise = Decision {
                            action: rule.action,
                            rule: Some(number),
                            case: case_number,
                            swapped,
                            short: false,
                        };
                    }
                }
            }
        }
        let passes = |pair: &PairRules| pair.otherwise.action.effect().lets_overlap;
        self.some_pass = pairs.all().any(passes);
        self.pairs = pairs;
        Ok(())
    }

    /// The chance of a rule for two species, with a macroscopic rate constant turned into an
    /// intrinsic one.
    fn resolved(&self, rule: &ContactRule, case: &Case<2>) -> Result<Chance, BookError> {
        let pair = case.species;
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
        let encounter = self.pairs.of(pair[0], pair[1]).encounter;
        let met = encounter.pair(D, distance, diffusion);
        let k_a = met.and_then(|met| {
            facing_pair((encounter, met), rule, case, &self.species, D)
                .intrinsic_from_macroscopic(k_on)
        });
        k_a.map(Chance::Intrinsic)
            .map_err(|source| BookError::Rate { rule: rule.name.clone(), source })
    }

    fn tabulate_time(&mut self) {
        let first = self.rules.first_timed();
        for (n, rule) in self.rules.timed.iter().enumerate() {
            let number = first + n as u16;
            match &rule.action {
                TimedAction::Convert { cases } => {
                    for (n, Case { species: [species], .. }) in cases.iter().enumerate() {
                        self.conversions[*species as usize].push((number, n as u32));
                    }
                }
                TimedAction::Fragment { species, .. } => {
                    species.iter().for_each(|&s| self.fragmentations[s as usize].push(number));
                }
                TimedAction::Unbind { of, .. } => {
                    of.iter().for_each(|&of| self.undoing[of as usize].push(number));
                }
                TimedAction::Create { .. } => {}
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
        // Checkpoints keep what has been set, in the units of the rule; the tables follow from it.
        self.set.insert(number, rate);
        if number < first {
            return Ok(());
        }
        if let Some(rule) = self.rules.timed.get_mut((number - first) as usize) {
            rule.rate = rate;
        }
        Ok(())
    }

    /// The sites that a bond joins which a contact makes, if it joins any: that of the first of the
    /// two first.
    pub fn joins(&self, decision: Decision) -> Option<[u8; 2]> {
        let [a, b] = self.case_of(decision)?.joins()?;
        Some(if decision.swapped { [b, a] } else { [a, b] })
    }

    /// How the states of the two change that a contact joins by a bond: those of the first of the two
    /// first.
    pub fn changes(&self, decision: Decision) -> [SiteChange; 2] {
        let changes = self.case_of(decision).map(|case| [case.change(0), case.change(1)]);
        let [a, b] = changes.unwrap_or_default();
        if decision.swapped { [b, a] } else { [a, b] }
    }

    fn case_of(&self, decision: Decision) -> Option<&Case<2>> {
        Some(&self.rules.contact[decision.rule? as usize].cases[decision.case as usize])
    }

    /// A case of a conversion in time.
    pub fn timed_case(&self, rule: u16, case: u32) -> Option<&Case<1>> {
        self.rules.timed_rule(rule)?.action.conversions().get(case as usize)
    }

    /// A case of a contact rule.
    pub fn contact_case(&self, rule: u16, case: u32) -> Option<&Case<2>> {
        self.rules.contact.get(rule as usize)?.cases.get(case as usize)
    }

    /// The products of a case of a contact rule.
    pub fn contact_products(&self, rule: u16, case: u32) -> &[Product] {
        &self.contact_products[rule as usize][case as usize]
    }

    /// The products of a case of a rule in time.
    pub fn timed_products(&self, rule: u16, case: u32) -> &[Product] {
        &self.timed_products[(rule - self.rules.first_timed()) as usize][case as usize]
    }

    /// The conversions in time of a particle of `species` in a cluster of `size`, whose sites are as
    /// `fits` says: number, case and rate \[per step\] of each that is in force.
    pub fn conversions(
        &self,
        species: u16,
        size: impl Fn() -> u32,
        fits: impl Fn(&SitePattern) -> bool,
    ) -> impl Iterator<Item = (u16, u32, f64)> {
        let all = self.conversions[species as usize].iter();
        all.filter_map(move |&(number, case)| {
            let TimedAction::Convert { cases } = &self.rules.timed_rule(number)?.action else {
                return None;
            };
            let own = &cases[case as usize];
            let applies = own.pattern(0).is_none_or(&fits);
            let rate = self.rate_in_force(number, &size).filter(|_| applies)?;
            Some((number, case, rate * own.share()))
        })
    }

    /// How coalescence makes what falls apart again.
    pub fn compositions(&self) -> &Compositions {
        &self.compositions
    }

    /// The rules in time that undo contact rule `of`.
    pub fn undoing(&self, of: u16) -> &[u16] {
        self.undoing.get(of as usize).map_or(&[], Vec::as_slice)
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
        // The size of a cluster is asked for only by rules for which it matters: it takes a walk over all
        // members.
        let holds =
            self.in_force(number) && (rule.size == (1..=u32::MAX) || rule.size.contains(&size()));
        holds.then_some(rule.rate * self.timestep)
    }

    /// Whether particles of two species may overlap.
    #[inline]
    pub fn pass(&self, a: u16, b: u16) -> bool {
        self.pairs.of(a, b).otherwise.action.effect().lets_overlap
    }

    /// Whether there is no pair whose contacts may lead through each other.
    pub fn none_passes(&self) -> bool {
        !self.some_pass
    }

    /// Decides a contact; `fate`, the one uniform number of this contact, is asked only if something
    /// is to be decided.
    pub fn decide(
        &self,
        meeting: &TouchingPair,
        partners: &impl Partners,
        fate: impl FnOnce() -> f64,
    ) -> Decision {
        let [a, b] = meeting.species;
        let pair = self.pairs.of(a, b);
        if pair.choices.is_empty() {
            return pair.otherwise;
        }
        let standing = if pair.asks { partners.standing() } else { [Standing::ALONE; 2] };
        // Gone through twice instead of being kept: there are a few rules for a pair, and a list would have
        // to be allocated at each contact. What costs most, whether sites face each other, comes last.
        let facing = || {
            self.eligible(pair, a == b, standing, partners)
                .filter(|choice| self.is_in_place(choice, partners) && self.faces(choice, partners))
        };
        let fate = fate();
        let total: f64 = facing().filter_map(|choice| self.rate_facing(&choice, meeting)).sum();
        // The rules divide the interval from 0 to 1 among themselves, one after the other; where `fate` lies
        // in none of their parts, no reaction takes place. A single number does for all of them, so that a
        // rule more changes nothing of what is drawn elsewhere.
        let mut below = 0.0;
        for choice in facing() {
            let (p, short) = match self.rate_facing(&choice, meeting) {
                Some(rate) => self.probability(pair, rate, total, meeting),
                None => choice.probability(),
            };
            let p = if choice.target.is_some() { p * partners.least_often() } else { p };
            below += if planted(Fault::BindingTwice) { 2.0 * p } else { p };
            if fate < below {
                return choice.decision(self.rules.contact[choice.rule as usize].action, short);
            }
        }
        pair.otherwise
    }

    /// Whether a rule is in force where the two touch.
    fn is_in_place(&self, choice: &Choice, partners: &impl Partners) -> bool {
        let region = self.rules.contact[choice.rule as usize].region.as_ref();
        region.is_none_or(|region| partners.are_in(region))
    }

    /// The reactions that may apply, each the way round in which its conditions hold.
    fn eligible(
        &self,
        pair: &PairRules,
        alike: bool,
        standing: [Standing; 2],
        partners: &impl Partners,
    ) -> impl Iterator<Item = Choice> {
        let all = pair.choices.iter();
        all.filter_map(move |choice| self.applicable(choice, alike, standing, partners))
    }

    /// A reaction, if it may apply, the way round in which its conditions hold.
    fn applicable(
        &self,
        choice: &Choice,
        alike: bool,
        standing: [Standing; 2],
        partners: &impl Partners,
    ) -> Option<Choice> {
        if !self.in_force[choice.rule as usize] {
            return None;
        }
        let ContactRule { conditions: [first, second], cases, .. } =
            &self.rules.contact[choice.rule as usize];
        let case = &cases[choice.case as usize];
        let fits = |n: usize, pattern: Option<&SitePattern>| {
            pattern.is_none_or(|pattern| partners.fits(n, pattern))
        };
        let holds = |swapped: bool| {
            let [a, b] = if swapped { [1, 0] } else { [0, 1] };
            first.holds(standing[a])
                && second.holds(standing[b])
                && fits(a, case.pattern(0))
                && fits(b, case.pattern(1))
        };
        // Two of one species are known in one order only, that of their identities, which says nothing of
        // which one meets which condition. So the other way round is tried, too, unless the first one holds:
        // what holds both ways is one reaction, not two.
        if holds(choice.swapped) {
            Some(*choice)
        } else if alike && case.is_one_either_way() && holds(!choice.swapped) {
            Some(Choice { swapped: !choice.swapped, ..*choice })
        } else {
            None
        }
    }

    /// The probability of a reaction of this rate constant at one contact, and whether it falls short
    /// of the rate asked for. Reactions of the same two particles compete: all together have the
    /// probability that belongs to the sum `total` of their rate constants, and share it as these.
    fn probability(
        &self,
        pair: &PairRules,
        k_a: f64,
        total: f64,
        meeting: &TouchingPair,
    ) -> (f64, bool) {
        if k_a <= 0.0 {
            return (0.0, false);
        }
        // Two particles that only drift have no rate constant.
        let Ok(pair) = pair.encounter.pair(D, meeting.distance, meeting.diffusion) else {
            return (0.0, true);
        };
        match pair.probability_at_any_step(total, self.timestep) {
            Ok(p) => (p * (k_a / total), false),
            Err(_) => (k_a / total, true),
        }
    }
}

fn contact_products(rules: &RuleSet, species: &[Species]) -> Vec<Vec<Vec<Product>>> {
    let of_case = |rule: &ContactRule| match rule.action.effect().merges {
        true => rule.cases.iter().map(|case| of_coalescence(case, species)).collect(),
        false => rule.cases.iter().map(|case| of_conversion(case, species)).collect(),
    };
    rules.contact.iter().map(of_case).collect()
}

fn timed_products(rules: &RuleSet, species: &[Species]) -> Vec<Vec<Vec<Product>>> {
    let of_rule = |rule: &TimedRule| {
        rule.action.conversions().iter().map(|case| of_conversion(case, species)).collect()
    };
    rules.timed.iter().map(of_rule).collect()
}

#[cfg(test)]
mod tests;
