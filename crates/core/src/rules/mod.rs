//! What happens at a contact, what happens in time, and what happens by the clock. Rules are plain
//! tables; a rule is known by its number, contact rules first, then those in time, then the
//! schedule.

pub mod balance;
mod book;
mod case;
mod composition;
mod contact;
mod effect;
mod encounter;
mod observable;
mod partners;
mod products;
pub mod rates;
mod region;
mod schedule;
mod timed;

pub use book::{
    BookError, Decision, RuleBook, Standings, Tethering, facing_pair, share_of_orientations,
    site_of_target,
};
pub use case::{Case, OtherMolecule, SiteCase};
pub use composition::{Compositions, Joining};
pub use contact::{Action, BondGeometry, Chance, Closure, Condition, ContactRule, Standing};
pub use effect::Effect;
pub use encounter::{Encounter, MeetingPair};
pub use observable::{Factor, Observable};
pub use partners::{Partners, TouchingPair};
pub use products::Product;
pub use region::{Region, Side};
pub use schedule::{Division, Scheduled, ScheduledAction};
pub use timed::{Cut, Fragmentation, TimedAction, TimedRule};

use std::collections::BTreeSet;

/// All rules of a model. Pairs of species without a contact rule bounce.
///
/// ```
/// use jostle_core::rules::{Chance, ContactRule, RuleSet, TimedRule};
///
/// // A + B <-> C, and C decays: species 0, 1 and 2. Rules are known by number, contact rules first.
/// let rules = RuleSet {
///     contact: vec![ContactRule::coalesce("bind", [0, 1], 2, Chance::Intrinsic(200.0))],
///     timed: vec![
///         TimedRule::unbind("unbind", 0, 1.0),
///         TimedRule::convert("decay", 2, &[], 0.1),
///     ],
///     ..RuleSet::default()
/// };
/// assert_eq!(rules.names(), ["bind", "unbind", "decay"]);
/// assert_eq!(rules.undoing(0).map(|(number, _)| number).collect::<Vec<_>>(), [1]);
/// assert_eq!(rules.between(1, 0).count(), 1); // in either order
/// assert_eq!(rules.between(0, 0).count(), 0); // A and A bounce
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleSet {
    /// What may happen at a contact.
    pub contact: Vec<ContactRule>,
    /// What happens in time.
    pub timed: Vec<TimedRule>,
    /// What happens by the clock.
    pub schedule: Vec<Scheduled>,
    /// What is counted by name; factors of rates know it by its number.
    pub observables: Vec<Observable>,
}

impl RuleSet {
    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.contact.len() + self.timed.len() + self.schedule.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of the first rule in time.
    pub fn first_timed(&self) -> u16 {
        self.contact.len() as u16
    }

    /// The number of the first entry of the schedule.
    pub fn first_scheduled(&self) -> u16 {
        (self.contact.len() + self.timed.len()) as u16
    }

    /// The number under which the first surface absorbs particles: surfaces come after all rules.
    pub fn first_absorbing(&self) -> u16 {
        self.len() as u16
    }

    /// The name of rule `number`.
    pub fn name(&self, number: u16) -> &str {
        let n = number as usize;
        if let Some(rule) = self.contact.get(n) {
            return &rule.name;
        }
        match self.timed_rule(number) {
            Some(rule) => &rule.name,
            None => &self.schedule[n - self.first_scheduled() as usize].name,
        }
    }

    /// The rule in time of that number, if it is one.
    pub fn timed_rule(&self, number: u16) -> Option<&TimedRule> {
        self.timed.get((number as usize).checked_sub(self.contact.len())?)
    }

    /// The names of all rules, in the order of their numbers.
    pub fn names(&self) -> Vec<String> {
        (0..self.len() as u16).map(|number| self.name(number).to_owned()).collect()
    }

    /// The contact rules of two species, with their numbers.
    pub fn between(&self, a: u16, b: u16) -> impl Iterator<Item = (u16, &ContactRule)> {
        let rules = self.contact.iter().enumerate().map(|(n, rule)| (n as u16, rule));
        rules.filter(move |(_, rule)| rule.case_of(a, b).is_some())
    }

    /// Whether particles of two species may overlap: they pass through each other, or ignore it.
    pub fn pass(&self, a: u16, b: u16) -> bool {
        self.between(a, b).any(|(_, rule)| rule.action.effect().lets_overlap)
    }

    /// Whether two species ignore each other.
    pub fn ignore(&self, a: u16, b: u16) -> bool {
        self.between(a, b).any(|(_, rule)| rule.action.effect().is_ignored)
    }

    /// The pairs of species of which particles may overlap, as [`RuleSet::pass`] says of one; a pair
    /// may come more than once.
    pub fn passing(&self) -> impl Iterator<Item = [u16; 2]> {
        self.pairs_that(|action| action.effect().lets_overlap)
    }

    /// The pairs of species that ignore each other, as [`RuleSet::ignore`] says of one; a pair may
    /// come more than once.
    pub fn ignoring(&self) -> impl Iterator<Item = [u16; 2]> {
        self.pairs_that(|action| action.effect().is_ignored)
    }

    fn pairs_that(&self, act: impl Fn(Action) -> bool) -> impl Iterator<Item = [u16; 2]> {
        let rules = self.contact.iter().filter(move |rule| act(rule.action));
        rules.flat_map(|rule| rule.cases.iter().map(|case| case.species))
    }

    /// The length of the tethers that contact rule `number` makes, if it makes any. \[nm\]
    pub fn tether(&self, number: u16) -> Option<f64> {
        self.contact.get(number as usize)?.tether
    }

    /// The length of the longest tether \[nm\], and the species that may be at the end of one: those
    /// that are `now`, those that rules tether, and what they are converted into; none if there are no
    /// tethers.
    pub fn tethered(&self, now: impl IntoIterator<Item = u16>) -> Option<(f64, BTreeSet<u16>)> {
        let making = || self.contact.iter().filter(|rule| rule.tether.is_some());
        let longest = making().filter_map(|rule| rule.tether).reduce(f64::max)?;
        let mut species: BTreeSet<u16> = now.into_iter().collect();
        species.extend(making().flat_map(|rule| &rule.cases).flat_map(|case| case.species));
        loop {
            let is_known = |species_of: &[u16]| species_of.iter().any(|s| species.contains(s));
            let at_contact = self.contact.iter().filter(|rule| rule.action.effect().converts);
            let at_contact = at_contact.flat_map(|rule| &rule.cases);
            let found = at_contact.filter(|case| is_known(&case.species)).flat_map(|c| &c.products);
            let in_time = self.timed.iter().flat_map(|rule| rule.action.conversions());
            let in_time = in_time.filter(|case| is_known(&case.species));
            let found = found.chain(in_time.flat_map(|case| &case.products));
            let new: Vec<u16> = found.copied().filter(|s| !species.contains(s)).collect();
            if new.is_empty() {
                return Some((longest, species));
            }
            species.extend(new);
        }
    }

    /// Whether rule `number` changes any particle: all do but those that let particles bounce or
    /// pass.
    pub fn reacts(&self, number: u16) -> bool {
        self.contact.get(number as usize).is_none_or(|rule| rule.action.reacts())
    }

    /// Whether a rule in time says how fast something falls apart by the macroscopic k_off: what
    /// undoes a binding that is given by k_on, except for whole clusters at once.
    pub fn breaks_macroscopically(&self, rule: &TimedRule) -> bool {
        let TimedAction::Unbind { of, cut, .. } = &rule.action else { return false };
        let mut binds = of.iter().filter_map(|&of| self.contact.get(of as usize));
        *cut != Cut::All && binds.any(|bind| matches!(bind.chance, Chance::Macroscopic(_)))
    }

    /// Whether a rule in time undoes all that contact rule `of` does, with the states that change: a bond
    /// that breaks into other states than those in which it was made is none of its reverse.
    pub fn reverses(&self, rule: &TimedRule, of: u16) -> bool {
        let change = |cases: &[Case<2>]| cases.iter().any(Case::changes_states);
        let parts = match &rule.action {
            TimedAction::Unbind { ends, .. } => change(ends),
            _ => false,
        };
        let binds = self.contact.get(of as usize).is_some_and(|bind| change(&bind.cases));
        rule.undoes(of) && parts == binds
    }

    /// How coalescence makes what falls apart again.
    pub fn compositions(&self) -> Compositions {
        Compositions::of(self)
    }

    /// The rules in time that undo contact rule `of`, with their numbers.
    pub fn undoing(&self, of: u16) -> impl Iterator<Item = (u16, &TimedRule)> {
        let first = self.first_timed();
        let rules = self.timed.iter().enumerate().map(move |(n, rule)| (first + n as u16, rule));
        rules.filter(move |(_, rule)| rule.undoes(of))
    }
}
