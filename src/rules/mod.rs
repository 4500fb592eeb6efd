//! What happens at a contact, and what happens in time. Rules are plain tables.

mod book;
pub mod rates;

pub use book::{Decision, RuleBook};

/// All rules of a model. Pairs of species without a contact rule bounce.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleSet {
    /// What may happen at a contact; the place in this list is the rule's number in the log.
    pub contact: Vec<ContactRule>,
    /// What happens in time; numbered after the contact rules.
    pub timed: Vec<TimedRule>,
}

/// A rule for contacts of two species.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRule {
    /// Appears in the log and in reports.
    pub name: String,
    /// The two species, indices into the model's list; they may be the same.
    pub species: [u16; 2],
    /// What happens.
    pub action: Action,
    /// How likely it is at one contact.
    pub chance: Chance,
}

/// What a contact leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// An elastic collision with effective masses 1/D.
    Bounce,
    /// Nothing but an entry in the log: the two may overlap.
    Pass,
    /// Nothing at all: the two take no notice of each other, and are not even looked for.
    Ignore,
    /// The two become one sphere of species `product`.
    Coalesce {
        /// Index into the model's species.
        product: u16,
    },
    /// The two keep their places relative to each other and move as one rigid unit.
    Bond,
}

/// How likely a rule is at one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chance {
    /// The intrinsic (Collins-Kimball) rate constant k_a. \[nm³/µs in 3D, nm²/µs in 2D, nm/µs in 1D\]
    /// The probability follows from it, the diffusion coefficients and the time step.
    Intrinsic(f64),
    /// The same at every contact, whatever the time step: 0..=1.
    Probability(f64),
}

/// A rule in time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedRule {
    /// Appears in the log and in reports.
    pub name: String,
    /// What happens.
    pub action: TimedAction,
    /// k_d \[1/µs\], of the well-mixed reaction: jostle corrects it so that K = k_a/k_d holds.
    pub rate: f64,
}

/// What happens in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimedAction {
    /// Undoes what contact rule number `of` has bound: the coalesced pair, or the bond.
    Unbind {
        /// The contact rule's number.
        of: u16,
    },
}

impl RuleSet {
    /// The name of rule `number`, contact rules first.
    pub fn name(&self, number: u16) -> &str {
        let n = number as usize;
        match self.contact.get(n) {
            Some(rule) => &rule.name,
            None => &self.timed[n - self.contact.len()].name,
        }
    }

    /// The names of all rules, in the order of their numbers.
    pub fn names(&self) -> Vec<String> {
        let contact = self.contact.iter().map(|r| r.name.clone());
        contact.chain(self.timed.iter().map(|r| r.name.clone())).collect()
    }

    /// The contact rules of two species, with their numbers.
    pub fn between(&self, a: u16, b: u16) -> impl Iterator<Item = (u16, &ContactRule)> {
        let rules = self.contact.iter().enumerate().map(|(n, rule)| (n as u16, rule));
        rules.filter(move |(_, rule)| rule.species == [a, b] || rule.species == [b, a])
    }

    /// Whether bodies of two species may overlap: they pass through each other, or take no notice.
    pub fn pass(&self, a: u16, b: u16) -> bool {
        self.between(a, b).any(|(_, rule)| matches!(rule.action, Action::Pass | Action::Ignore))
    }

    /// Whether bodies of a species can arise from others.
    pub fn produces(&self, species: u16) -> bool {
        self.contact.iter().any(|rule| rule.action == Action::Coalesce { product: species })
    }

    /// Whether two species take no notice of each other.
    pub fn ignore(&self, a: u16, b: u16) -> bool {
        self.between(a, b).any(|(_, rule)| rule.action == Action::Ignore)
    }

    /// The intrinsic rate constant of all that two species do at contact together, if their rules
    /// are given by rates. \[as [`Chance::Intrinsic`]\]
    pub fn total_rate(&self, a: u16, b: u16) -> Option<f64> {
        let rates = self.between(a, b).filter_map(|(_, rule)| match rule.chance {
            Chance::Intrinsic(k_a) => Some(k_a),
            Chance::Probability(_) => None,
        });
        rates.reduce(|sum, k_a| sum + k_a)
    }

    /// Whether rule `number` binds or unbinds.
    pub fn reacts(&self, number: u16) -> bool {
        let rule = self.contact.get(number as usize);
        rule.is_none_or(|rule| matches!(rule.action, Action::Bond | Action::Coalesce { .. }))
    }

    /// The timed rules that undo contact rule `of`, with their numbers.
    pub fn undoing(&self, of: u16) -> impl Iterator<Item = (u16, &TimedRule)> {
        let first = self.contact.len() as u16;
        let rules = self.timed.iter().enumerate().map(move |(n, rule)| (first + n as u16, rule));
        rules.filter(move |(_, rule)| rule.action == TimedAction::Unbind { of })
    }
}
