//! Sites that point somewhere: which contacts count, and what closes rings.

use super::pairs::Choice;
use super::{Decision, RuleBook};
use crate::clusters::{Piece, rotational_diffusion};
use crate::rules::rates::patch_limit;
use crate::rules::{
    Action, Case, Closure, ContactRule, Encounter, MeetingPair, Partners, Standing, TouchingPair,
};
use crate::space::Vector;
use crate::species::Species;

impl<const D: usize> RuleBook<D> {
    /// Whether two partners face each other as a choice asks.
    pub(super) fn faces(&self, choice: &Choice, partners: &impl Partners) -> bool {
        if choice.share >= 1.0 && choice.target.is_none() {
            return true;
        }
        let rule = &self.rules.contact[choice.rule as usize];
        rule.cases[choice.case as usize].joins().is_none_or(|[a, b]| {
            partners.face(if choice.swapped { [b, a] } else { [a, b] }, rule.geometry.torsion)
        })
    }

    /// The intrinsic rate constant of a choice where the two face each other as it asks; none with a bare
    /// probability.
    pub(super) fn rate_facing(&self, choice: &Choice, meeting: &TouchingPair) -> Option<f64> {
        let rate = choice.rate_facing()?;
        let Some(confined) = choice.target else { return Some(rate) };
        let [a, b] = meeting.species;
        let met = self.pairs.of(a, b).encounter.pair(D, meeting.distance, meeting.diffusion);
        let least = met.map_or(0.0, |met| met.least_often(meeting.diffusion[1 - confined]));
        // What does not diffuse by itself never comes from straight above.
        Some(if least > 0.0 { rate / least } else { 0.0 })
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

/// The site with a direction at which a case of a rule binds what comes to a target on a surface, if there
/// is one: that of the first of the case, or that of the second. It turns about the normal alone, and faces one
/// side with all of its opening.
///
/// Two that are brought in line part to anywhere within the opening alike, so they have to bind from
/// anywhere within it alike. As the target moves along its surface only, they do not touch everywhere as often; so the
/// probability of a contact is the smaller the oftener they touch there.
pub fn site_of_target(
    encounter: Encounter,
    rule: &ContactRule,
    case: &Case<2>,
    species: &[Species],
) -> Option<usize> {
    let Encounter::Target { confined, .. } = encounter else { return None };
    let (Action::Bond, Some(joins)) = (rule.action, case.joins()) else { return None };
    let kind = &species[case.species[confined] as usize];
    kind.sites.direction(joins[confined]).map(|_| confined)
}

/// The share of all orientations of two molecules, which meet so in a box of so many dimensions, at which a
/// case of a rule binds them; of a target, of what shows of it.
pub fn share_of_orientations(
    encounter: Encounter,
    rule: &ContactRule,
    case: &Case<2>,
    species: &[Species],
    dimension: usize,
) -> f64 {
    let (Action::Bond, Some(joins)) = (rule.action, case.joins()) else { return 1.0 };
    let kinds = case.species.map(|one| &species[one as usize]);
    let directions = [0, 1].map(|n| kinds[n].sites.direction(joins[n]));
    let meets_in = encounter.dimension(dimension);
    let sites: f64 = directions.iter().flatten().map(|site| site.share(meets_in)).product();
    let sites = match site_of_target(encounter, rule, case, species) {
        Some(_) => {
            let distance = kinds.iter().filter_map(|kind| kind.radius).sum();
            sites / encounter.shown(dimension, distance)
        }
        None => sites,
    };
    match (rule.geometry.torsion, directions) {
        (Some(torsion), [Some(_), Some(_)]) => sites * torsion.share(),
        _ => sites,
    }
}

/// Two of these species, which meet so if they react all around, as a case of a rule lets them react:
/// in those orientations only in which their sites face each other.
pub fn facing_pair(
    (encounter, met): (Encounter, MeetingPair),
    rule: &ContactRule,
    case: &Case<2>,
    species: &[Species],
    dimension: usize,
) -> MeetingPair {
    let share = share_of_orientations(encounter, rule, case, species, dimension);
    if let Some(confined) = site_of_target(encounter, rule, case, species) {
        let free = species[case.species[1 - confined] as usize].diffusion_coefficient;
        return met.facing(share * met.least_often(free.unwrap_or(0.0)), None);
    }
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
