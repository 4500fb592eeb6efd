//! What is known of each pair of species: how they meet, and which rules there are for them.

use super::{Decision, Tethering};
use crate::planted::{Fault, planted};
use crate::rules::{Action, Case, Chance, Encounter};

/// A rule that may apply to a contact of two species.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    pub(super) rule: u16,
    pub(super) case: u32,
    pub(super) swapped: bool,
    /// Never [`Chance::Macroscopic`].
    pub(super) chance: Chance,
    /// The share of all orientations of the two at which they react; 1, if they need not face each
    /// other.
    pub(super) share: f64,
    /// Which of the two lives on a surface and has the site there that points at what comes, if one does: the first
    /// or the second of the pair.
    pub(super) target: Option<usize>,
    /// k_d over the rate at which its bonds are said to break: k_a/k_on with a macroscopic rate
    /// constant, else 1.
    pub(super) unbinding: f64,
}

/// What is known of a pair of species.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PairRules {
    pub(super) encounter: Encounter,
    /// Reactions that compete at a contact.
    pub(super) choices: Vec<Choice>,
    /// Whether any of them asks how a particle stands to others.
    pub(super) asks: bool,
    /// What tethers the two while they are near each other.
    pub(super) tethers: Vec<Tethering>,
    /// What happens if none of them does.
    pub(super) otherwise: Decision,
}

/// All pairs of species. Most have no rule of their own and share an entry, so that a thousand
/// species need a number for each pair, and no more.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    species: usize,
    /// The entry of each pair. \[species a * species + species b\]
    number: Vec<u32>,
    entries: Vec<PairRules>,
    /// How many of them, the first ones, are shared by pairs without rules.
    shared: usize,
}

impl Pairs {
    /// Pairs without rules, of so many species that meet so.
    pub(super) fn new(species: usize, meet: impl Fn(u16, u16) -> Encounter) -> Self {
        let mut entries: Vec<PairRules> = Vec::new();
        let mut number = Vec::with_capacity(species * species);
        for a in 0..species as u16 {
            for b in 0..species as u16 {
                let encounter = meet(a, b);
                // There are as many kinds of encounters as of surfaces: a few.
                let known = entries.iter().position(|entry| entry.encounter == encounter);
                let entry = known.unwrap_or_else(|| {
                    let otherwise = Decision::BOUNCE;
                    entries.push(PairRules {
                        encounter,
                        choices: Vec::new(),
                        asks: false,
                        tethers: Vec::new(),
                        otherwise,
                    });
                    entries.len() - 1
                });
                number.push(entry as u32);
            }
        }
        let shared = entries.len();
        Self { species, number, entries, shared }
    }

    #[inline]
    fn at(&self, a: u16, b: u16) -> usize {
        a as usize * self.species + b as usize
    }

    /// What is known of `a` and `b`.
    #[inline]
    pub(super) fn of(&self, a: u16, b: u16) -> &PairRules {
        &self.entries[self.number[self.at(a, b)] as usize]
    }

    /// The same, to be changed for this pair alone.
    pub(super) fn own(&mut self, a: u16, b: u16) -> &mut PairRules {
        let at = self.at(a, b);
        // Copied when it is first written to. When the table is rebuilt, the copy is still there, and its
        // choices are empty.
        if (self.number[at] as usize) < self.shared {
            let entry = self.entries[self.number[at] as usize].clone();
            self.number[at] = self.entries.len() as u32;
            self.entries.push(entry);
        }
        &mut self.entries[self.number[at] as usize]
    }

    /// All that is known of any pair, the pairs with rules in the order in which they got them.
    pub(super) fn all(&self) -> impl Iterator<Item = &PairRules> {
        self.entries.iter()
    }

    /// The same, to be changed.
    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut PairRules> {
        self.entries.iter_mut()
    }
}

impl Choice {
    pub(super) fn decision(&self, action: Action, short: bool) -> Decision {
        Decision { action, rule: Some(self.rule), case: self.case, swapped: self.swapped, short }
    }

    /// The intrinsic rate constant of two that face each other; none with a bare probability. One that
    /// is given is the mean over all orientations, so that it does not depend on the openings whether
    /// the equilibrium constant is k_a/k_d.
    pub(super) fn rate_facing(&self) -> Option<f64> {
        let share = if planted(Fault::OpeningOnce) { self.share.sqrt() } else { self.share };
        self.intrinsic().map(|k_a| k_a / share)
    }

    /// The intrinsic rate constant; none with a bare probability.
    pub(super) fn intrinsic(&self) -> Option<f64> {
        match self.chance {
            Chance::Intrinsic(k_a) | Chance::Macroscopic(k_a) => Some(k_a),
            Chance::Probability(_) => None,
        }
    }

    /// A bare probability, which never falls short.
    pub(super) fn probability(&self) -> (f64, bool) {
        match self.chance {
            Chance::Probability(p) => (p, false),
            Chance::Intrinsic(_) | Chance::Macroscopic(_) => (0.0, false),
        }
    }
}

/// The two species of a case in the orders in which it is to be known: once if they are the same,
/// unless its bond would join other sites the other way round.
pub(super) fn orders(case: &Case<2>) -> impl Iterator<Item = (u16, u16, bool)> {
    let [a, b] = case.species;
    let ways = if case.is_for_alike() { 1 } else { 2 };
    [(a, b, false), (b, a, true)].into_iter().take(ways)
}
