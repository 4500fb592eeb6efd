//! Sites that point somewhere: which contacts count, and what closes rings.

use super::pairs::Choice;
use super::{Decision, RuleBook};
use crate::clusters::{Piece, rotational_diffusion};
use crate::rules::rates::patch_limit;
use crate::rules::{Action, Case, Closure, ContactRule, MeetingPair, Partners, Standing};
use crate::space::Vector;
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
}

/// The share of all orientations of two molecules, which meet in so many dimensions, at which a case of a
/// rule binds them.
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

/// Two of these species, which meet so if they react all around, as a case of a rule lets them react:
/// in those orientations only in which their sites face each other.
pub fn facing_pair(
    met: MeetingPair,
    rule: &ContactRule,
    case: &Case<2>,
    species: &[Species],
) -> MeetingPair {
    let share = share_of_orientations(rule, case, species, met.dimension());
    if share >= 1.0 {
        return met;
    }
    let directed = [0, 1].map(|n| {
        let one = &species[case.species[n] as usize];
        let site = one.sites.direction(case.joins()?[n])?;
        Some((site.opening, rotation_of(one)?))
    });
    // How fast diffusion brings a patch to a partner that reacts all around is known, in free space. Of two
    // patches it is not, and their share of orientations has to do.
    let limit = match directed {
        [Some((opening, turning)), None] | [None, Some((opening, turning))]
            if met.dimension() == 3 && met.exposed == 1.0 =>
        {
            Some(patch_limit(opening, met.pair.diffusion(), met.pair.contact_distance(), turning))
        }
        _ => None,
    };
    met.facing(share, limit)
}

/// How fast a lone particle of a species turns in space. \[rad²/µs\]
fn rotation_of(species: &Species) -> Option<f64> {
    let diffusion_coefficient = species.diffusion_coefficient?;
    let piece = Piece { radius: species.radius?, diffusion_coefficient };
    let of_sphere = || rotational_diffusion::<3>(&[Vector::ZERO], &[piece], diffusion_coefficient);
    Some(species.sites.rotational_diffusion().unwrap_or_else(of_sphere))
}
