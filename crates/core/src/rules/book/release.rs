//! Two particles that are set free in contact with each other: at which rate, and whether they react
//! again before they have parted.
//!
//! In the continuous theory two that start in contact meet again without end before they part. Within
//! a step of finite length these early encounters are lost. The probability p of a contact is made for
//! partners that come from afar (see [`crate::rules::rates`]), so that p k_c, the rate constant at
//! which pairs that touch react, is less than k_a by just these. So of two that are set free, the
//! share
//!
//! ```text
//! q = 1 - p k_c / k_a
//! ```
//!
//! reacts at once, k_a being the sum over the rules that the two as they are can follow, and the rule
//! is drawn in proportion to its k_a; the others fly apart. Then every two reactions that undo each
//! other are in balance at any time step: pairs fly apart at the rate k_d p k_c/k_a, which belongs to
//! K = k_a/k_d, and as many go from one bound state to another by reacting at once as come back,
//! K_1 k_d1 q k_2/k_a = K_2 k_d2 q k_1/k_a. The share of geminate pairs that react is that of the
//! continuous theory, in 3D k_a/(k_a + 4 pi D R).

use super::pairs::Choice;
use super::{Decision, RuleBook};
use crate::planted::{Fault, planted};
use crate::rules::{Partners, Standing, TouchingPair};

impl<const D: usize> RuleBook<D> {
    /// How two that are set free in contact react before they have parted; none if they part. `fate`
    /// is a uniform number, asked for only if the two can react.
    ///
    /// Rules with a bare probability take no part: such a probability is that of a contact, whatever
    /// the time step.
    pub fn at_once(
        &self,
        meeting: &TouchingPair,
        partners: &impl Partners,
        fate: impl FnOnce() -> f64,
    ) -> Option<Decision> {
        let [a, b] = meeting.species;
        let pair = self.pairs.of(a, b);
        if pair.choices.is_empty() || planted(Fault::ReleasedPairs) {
            return None;
        }
        let standing = if pair.asks { partners.standing() } else { [Standing::ALONE; 2] };
        let rated = || {
            self.eligible(pair, a == b, standing, partners)
                .filter(|choice| self.is_in_place(choice, partners) && self.faces(choice, partners))
                .filter_map(|choice| {
                    let k_a = self.rate_facing(&choice, meeting).filter(|&k_a| k_a > 0.0)?;
                    Some((choice, k_a))
                })
        };
        let total: f64 = rated().map(|(_, k_a)| k_a).sum();
        if total <= 0.0 {
            return None;
        }
        let met = pair.encounter.pair(D, meeting.distance, meeting.diffusion).ok()?;
        let (p, _) = self.probability(pair, total, total, meeting);
        let share = 1.0 - p * met.contact_rate(self.timestep) / total;
        let fate = fate();
        if fate >= share {
            return None;
        }
        // Given that it lies below the share, the number is uniform up to it: it can be used once more, to
        // draw the rule.
        let mut left = fate / share * total;
        let drawn = rated().find(|(_, k_a)| {
            left -= k_a;
            left < 0.0
        });
        // By rounding, a little may be left after the last of them.
        let (choice, _) = drawn.or_else(|| rated().last())?;
        Some(choice.decision(self.rules.contact[choice.rule as usize].action, false))
    }

    /// By what the rate is to be multiplied at which contact rule `rule` is undone, for it to be k_d:
    /// where it is said of a macroscopic rate constant, k_d = k_off k_a/k_on. The two of these
    /// `species`, which are as `partners` says once they have parted, are bound at sites that `joins`
    /// names, if at any. Where nothing would bind their sites again, two that part have parted for good,
    /// and k_d is k_off.
    pub fn intrinsic_over_stated(
        &self,
        rule: u16,
        joins: Option<[u8; 2]>,
        species: [u16; 2],
        partners: &impl Partners,
    ) -> f64 {
        let [a, b] = species;
        let pair = self.pairs.of(a, b);
        let case_of =
            |choice: &Choice| &self.rules.contact[choice.rule as usize].cases[choice.case as usize];
        let joins_them = |choice: &Choice| {
            let own = joins.map(|[a, b]| if choice.swapped { [b, a] } else { [a, b] });
            case_of(choice).joins().is_none_or(|joins| own == Some(joins))
        };
        let standing = if pair.asks { partners.standing() } else { [Standing::ALONE; 2] };
        // The reverse is what would bind their sites again as they are now: they may have changed
        // since they were bound, and another rule may be for them, or none. Without sites, it is what
        // has bound them, or else the rule's first case.
        if joins.is_some() {
            let mut able = self.eligible(pair, a == b, standing, partners);
            let again = able.find(|choice| case_of(choice).joins().is_some() && joins_them(choice));
            return again.map_or(1.0, |again| again.unbinding);
        }
        let made_it = pair.choices.iter().find(|choice| choice.rule == rule);
        made_it.map_or_else(|| self.intrinsic_over_stated_of(rule, species), |made| made.unbinding)
    }

    /// The same where it does not matter what the two are like otherwise: if they have no sites, or if
    /// other bonds hold them together.
    pub fn intrinsic_over_stated_of(&self, rule: u16, species: [u16; 2]) -> f64 {
        let own = self.pairs.of(species[0], species[1]).choices.iter();
        let mut all = own.chain(self.pairs.all().flat_map(|pair| &pair.choices));
        all.find(|choice| choice.rule == rule).map_or(1.0, |choice| choice.unbinding)
    }
}
