//! Counts what each rule has done.

use serde::{Deserialize, Serialize};

use jostle_core::observe::{Change, ChangeKind, Contact, Outcome};

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

/// What each rule has done, by its number.
#[derive(Clone, Debug)]
pub(super) struct Ledger(pub(super) Vec<RuleCounts>);

impl Ledger {
    /// Continues counting from `counts`, of as many rules as there are.
    pub(super) fn new(mut counts: Vec<RuleCounts>, rules: usize) -> Self {
        counts.resize(rules, RuleCounts::default());
        Self(counts)
    }

    pub(super) fn contact<const D: usize>(&mut self, contact: &Contact<D>) {
        if contact.outcome == Outcome::Refused
            && let Some(counts) = contact.rule.and_then(|rule| self.0.get_mut(rule as usize))
        {
            counts.refused += 1;
        }
    }

    pub(super) fn change<const D: usize>(&mut self, change: &Change<'_, D>) {
        if let Some(counts) = self.0.get_mut(change.rule as usize) {
            match change.kind {
                ChangeKind::Refused => counts.refused += 1,
                _ => counts.done += 1,
            }
        }
    }
}
