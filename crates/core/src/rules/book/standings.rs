//! Which rules are in force, and the rates that they have now: what a schedule changes of a rule
//! book.

use serde::{Deserialize, Serialize};

use super::{BookError, RuleBook};
use crate::rules::{Chance, ContactRule};

/// Of every rule, how it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standings {
    /// \[rule\]
    in_force: Vec<bool>,
    /// What has been set since the start: the rule, and its rate in the units of the rule.
    set: Vec<(u16, f64)>,
}

impl<const D: usize> RuleBook<D> {
    /// How the rules stand.
    pub fn standings(&self) -> Standings {
        Standings {
            in_force: self.in_force.clone(),
            set: self.set.iter().map(|(&n, &rate)| (n, rate)).collect(),
        }
    }

    /// The rate of rule `number` as it is now, in the units of the rule.
    pub fn rate_now(&self, number: u16) -> f64 {
        let of_contact = |rule: &ContactRule| match rule.chance {
            Chance::Intrinsic(x) | Chance::Macroscopic(x) | Chance::Probability(x) => x,
        };
        let contact = self.rules.contact.get(usize::from(number)).map(of_contact);
        contact.or_else(|| Some(self.rules.timed_rule(number)?.rate)).unwrap_or(0.0)
    }

    /// Lets the rules stand as they did in a book of the same rules.
    ///
    /// # Errors
    /// If there are not as many rules, or a rate cannot be had.
    pub fn stand(&mut self, standings: &Standings) -> Result<(), BookError> {
        let have_rates = self.rules.first_scheduled();
        let known = standings.set.iter().all(|(number, _)| *number < have_rates);
        // A checkpoint is a file, and files may be damaged or belong to another model.
        if self.in_force.len() != standings.in_force.len() || !known {
            return Err(BookError::OtherRules);
        }
        self.in_force.clone_from(&standings.in_force);
        standings.set.iter().try_for_each(|&(number, rate)| self.set_rate(number, rate))
    }
}
