//! Tethers that rules make: at a constant rate while two particles are near each other, instead of at
//! contact. A tether breaks wherever the two are, so that only what makes it anywhere as well is the
//! reverse (Doi 1976, J. Phys. A 9, 1479).

use super::pairs::Choice;
use super::{Decision, RuleBook};
use crate::rules::{ContactRule, Partners, Standing};

/// A way in which two particles become tethered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tethering {
    pub(super) choice: Choice,
    /// How far apart their centres can be, then and later. \[nm\]
    pub length: f64,
    /// How often it happens while they are so near: k_a over the volume of the shell from contact to
    /// `length`, so that the equilibrium constant is k_a/k_d. \[per step\]
    pub rate: f64,
}

impl Tethering {
    /// `per_volume`: the length of a step over the volume of the shell.
    pub(super) fn new(choice: Choice, length: f64, per_volume: f64) -> Self {
        Self { choice, length, rate: choice.intrinsic().unwrap_or(0.0) * per_volume }
    }
}

impl<const D: usize> RuleBook<D> {
    /// Whether there are tethers.
    #[inline]
    pub fn has_tethers(&self) -> bool {
        self.some_tether
    }

    /// Whether any rule makes tethers.
    pub fn makes_tethers(&self) -> bool {
        self.some_tether && self.rules.contact.iter().any(ContactRule::makes_tethers)
    }

    /// Whether clusters may be cut at contacts.
    pub fn cuts_at_contact(&self) -> bool {
        self.rules.contact.iter().any(|rule| rule.action.effect().cuts.is_some())
    }

    /// All ways in which particles of two species may become tethered, whatever they are bound to and
    /// whichever rules are in force: see [`Self::tether`].
    #[inline]
    pub fn tetherings(&self, a: u16, b: u16) -> &[Tethering] {
        if self.some_tether { &self.pairs.of(a, b).tethers } else { &[] }
    }

    /// What comes of it when the time of a way to become tethered has come; nothing if the two are not
    /// ready for it at that moment.
    pub fn tether(
        &self,
        way: &Tethering,
        species: [u16; 2],
        partners: &impl Partners,
    ) -> Option<Decision> {
        let [a, b] = species;
        let rule = &self.rules.contact[way.choice.rule as usize];
        let asks = self.pairs.of(a, b).asks;
        let standing = if asks { partners.standing() } else { [Standing::ALONE; 2] };
        let choice = self.applicable(&way.choice, a == b, standing, partners)?;
        let in_place = rule.region.as_ref().is_none_or(|region| partners.are_in(region));
        in_place.then(|| choice.decision(rule.action, false))
    }

    /// The distance at which particles of two species touch, those without a radius counted as points.
    pub(super) fn contact_distance(&self, species: [u16; 2]) -> f64 {
        species.iter().filter_map(|s| self.species[*s as usize].radius).sum()
    }
}
