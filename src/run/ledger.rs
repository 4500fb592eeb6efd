//! Counts what each rule has done, on the way to whoever else listens.

use crate::observe::{Change, ChangeKind, Contact, Observer, ObserverError, Outcome, View};

/// How often a rule has applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deeds {
    /// Bonds made or broken, bodies merged or split.
    pub done: u64,
    /// What was due but did not fit.
    pub refused: u64,
}

/// An observer that counts by rule, and passes everything on.
pub(super) struct Ledger<'a, const D: usize> {
    /// By the rule's number.
    deeds: Vec<Deeds>,
    next: &'a mut dyn Observer<D>,
}

impl<'a, const D: usize> Ledger<'a, D> {
    pub(super) fn new(rules: usize, next: &'a mut dyn Observer<D>) -> Self {
        Self { deeds: vec![Deeds::default(); rules], next }
    }

    pub(super) fn into_deeds(self) -> Vec<Deeds> {
        self.deeds
    }

    fn of(&mut self, rule: u16) -> Option<&mut Deeds> {
        self.deeds.get_mut(rule as usize)
    }
}

impl<const D: usize> Observer<D> for Ledger<'_, D> {
    fn wants_contacts(&self) -> bool {
        self.next.wants_contacts()
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        if contact.outcome == Outcome::Refused
            && let Some(deeds) = contact.rule.and_then(|rule| self.of(rule))
        {
            deeds.refused += 1;
        }
        self.next.contact(contact)
    }

    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        if let Some(deeds) = self.of(change.rule) {
            match change.kind {
                ChangeKind::Refused => deeds.refused += 1,
                _ => deeds.done += 1,
            }
        }
        self.next.change(change)
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        self.next.step(view)
    }
}
