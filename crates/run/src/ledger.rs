//! Counts what each rule has done, on the way to the other observers.

use serde::{Deserialize, Serialize};

use super::drive::Chain;
use super::tape::Tape;
use jostle_core::observe::{
    Change, ChangeKind, Clock, Contact, Observer, ObserverError, Outcome, View,
};

/// How often a rule has applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleCounts {
    /// Bonds made or broken, particles merged or split.
    pub done: u64,
    /// What was due but did not fit.
    pub refused: u64,
}

/// Refusals count for something from this share of all cases on.
const MOST_REFUSED: f64 = 0.01;

impl RuleCounts {
    /// Whether what was refused is more than a trifle.
    pub fn is_short_of_room(&self) -> bool {
        self.refused as f64 > MOST_REFUSED * (self.done + self.refused) as f64
    }
}

/// An observer that counts by rule, and passes everything on.
pub(super) struct Ledger<N> {
    /// By the rule's number.
    pub(super) rule_counts: Vec<RuleCounts>,
    pub(super) next: N,
}

impl<N> Ledger<N> {
    /// Continues counting from `rule_counts`, of as many rules as there are.
    pub(super) fn new(mut rule_counts: Vec<RuleCounts>, rules: usize, next: N) -> Self {
        rule_counts.resize(rules, RuleCounts::default());
        Self { rule_counts, next }
    }

    fn of(&mut self, rule: u16) -> Option<&mut RuleCounts> {
        self.rule_counts.get_mut(rule as usize)
    }
}

impl<const D: usize, N: Chain<D>> Chain<D> for Ledger<N> {
    fn tape(&mut self) -> &mut Tape<D> {
        self.next.tape()
    }

    fn rule_counts(&self) -> &[RuleCounts] {
        &self.rule_counts
    }
}

impl<const D: usize, N: Observer<D>> Observer<D> for Ledger<N> {
    fn wants_contacts(&self) -> bool {
        self.next.wants_contacts()
    }

    fn wants_edges(&self) -> bool {
        self.next.wants_edges()
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        if contact.outcome == Outcome::Refused
            && let Some(rule_counts) = contact.rule.and_then(|rule| self.of(rule))
        {
            rule_counts.refused += 1;
        }
        self.next.contact(contact)
    }

    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        if let Some(rule_counts) = self.of(change.rule) {
            match change.kind {
                ChangeKind::Refused => rule_counts.refused += 1,
                _ => rule_counts.done += 1,
            }
        }
        self.next.change(change)
    }

    fn wants_step(&self, clock: Clock) -> bool {
        self.next.wants_step(clock)
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        self.next.step(view)
    }
}
