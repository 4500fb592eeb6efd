//! Sites that point somewhere: which contacts count, and what closes rings.

use super::pairs::{Choice, PairRules};
use super::{Decision, RuleBook};
use crate::planted::{Fault, planted};
use crate::rules::{Action, Case, Chance, Closure, ContactRule, Partners, Standing, TouchingPair};
use crate::species::Species;

impl<const D: usize> RuleBook<D> {
    /// Whether two partners face each other as a choice asks.
    pub(super) fn faces(&self, choice: &Choice, partners: &impl Partners) -> bool {
        if choice.share >= 1.0 {
            return true;
        }
        let rule = &self.rules.contact[choice.rule as usize];
        rule.cases[choice.case as usize].joins().is_none_or(|[a, b]| {
            partners.face(if choice.swapped { [b, a] } else { [a, b] }, rule.geometry.torsion)
        })
    }

    /// As [`Self::probability`], of two that face each other as a choice asks. A rate constant is
    /// the mean over all orientations, so that it does not depend on the openings whether the
    /// equilibrium constant is k_a/k_d.
    pub(super) fn probability_facing(
        &self,
        pair: &PairRules,
        choice: &Choice,
        total: f64,
        meeting: &TouchingPair,
    ) -> (f64, bool) {
        let (p, short) = self.probability(pair, choice.chance, total, meeting);
        match choice.chance {
            Chance::Probability(_) => (p, short),
            Chance::Intrinsic(_) | Chance::Macroscopic(_) => {
                let p = if planted(Fault::OpeningOnce) {
                    p / choice.share.sqrt()
                } else {
                    p / choice.share
                };
                (p, short || p > 1.0)
            }
        }
    }

    /// How sites of one cluster may bind: the closures that `partners` of these species, which are
    /// members of it, are ready for, and the rate \[per step\] of each. They must be in line.
    pub fn closures(
        &self,
        species: [u16; 2],
        partners: &impl Partners,
    ) -> impl Iterator<Item = (Decision, Closure)> {
        let [a, b] = species;
        let pair = self.pairs.of(a, b);
        let standing = if pair.asks { partners.standing() } else { [Standing::ALONE; 2] };
        self.eligible(pair, a == b, standing, partners).filter_map(|choice| {
            let rule = &self.rules.contact[choice.rule as usize];
            let Closure { rate, tolerance } = rule.geometry.closure?;
            let closure = Closure { rate: rate * self.timestep, tolerance };
            Some((choice.decision(rule.action, false), closure))
        })
    }

    /// Whether any rule closes rings.
    pub fn closes(&self) -> bool {
        self.rules.contact.iter().any(|rule| rule.geometry.closure.is_some())
    }

    /// By what the rate is to be multiplied at which contact rule `rule` is undone where the two do
    /// not part, since other bonds hold them together: as [`Self::unbinding_correction`], without
    /// what depends on the time step.
    pub fn opening_correction(&self, rule: u16) -> f64 {
        let choices = self.pairs.all().flat_map(|pair| &pair.choices);
        choices
            .into_iter()
            .find(|choice| choice.rule == rule)
            .map_or(1.0, |choice| choice.unbinding)
    }
}

/// The share of all orientations of two molecules at which a case of a rule binds them.
pub fn share_of_orientations(
    rule: &ContactRule,
    case: &Case<2>,
    species: &[Species],
    dimension: usize,
) -> f64 {
    let (Action::Bond, Some(joins)) = (rule.action, case.joins()) else { return 1.0 };
    let directions = [0, 1].map(|n| species[case.species[n] as usize].sites.direction(joins[n]));
    let sites: f64 = directions.iter().flatten().map(|site| site.share(dimension)).product();
    match (rule.geometry.torsion, directions) {
        (Some(torsion), [Some(_), Some(_)]) => sites * torsion.share(),
        _ => sites,
    }
}
