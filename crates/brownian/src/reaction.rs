//! A change of the population on its way: what all of them need, and what is reported to observers.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::report::ChangeRecord;
use super::system::System;
use super::touch::Touch;
use super::{Brownian, StepError};
use jostle_core::observe::{Change, Observer, Outcome};
use jostle_core::random::Purpose;
use jostle_core::rules::{Action, Decision};

/// A rule that applies at a moment, or whatever else makes, changes or takes away particles.
pub(super) struct Reaction<'a, const D: usize> {
    pub(super) engine: &'a mut Brownian<D>,
    pub(super) observer: &'a mut dyn Observer<D>,
    /// The moment within the step.
    pub(super) time: f64,
    /// The number that observers know the rule by.
    pub(super) rule: u16,
    /// Its own random numbers.
    pub(super) generator: Xoshiro256PlusPlus,
    /// Two that it has set free, which are still to be asked whether they react at once.
    pub(super) released: Option<[u32; 2]>,
}

/// What comes of a change that is due: it happens, or nothing changes.
pub(super) type Attempt = Result<(), Refusal>;

/// Why a change does not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Something would overlap, or be on the wrong side of a surface.
    NoRoom,
    /// Chance, for detailed balance.
    Declined,
}

/// That there is room, or else no change.
pub(super) fn with_room(is_there: bool) -> Attempt {
    if is_there { Ok(()) } else { Err(Refusal::NoRoom) }
}

/// What comes of a contact that changes no particle.
pub(super) fn outcome_of_motion(action: Action) -> Outcome {
    if action == Action::Bounce { Outcome::Bounced } else { Outcome::Passed }
}

impl<'a, const D: usize> Reaction<'a, D> {
    /// A reaction whose random numbers follow from a key.
    pub(super) fn new(
        engine: &'a mut Brownian<D>,
        time: f64,
        rule: u16,
        (purpose, key): (Purpose, [u64; 4]),
        observer: &'a mut dyn Observer<D>,
    ) -> Self {
        // One for each reaction, by its key: how many numbers a reaction takes changes no other.
        let generator = engine.system.random.generator(purpose, key);
        Self { engine, observer, time, rule, generator, released: None }
    }

    /// A reaction of two particles that touch.
    pub(super) fn of_touch(
        engine: &'a mut Brownian<D>,
        touch: &Touch<D>,
        rule: u16,
        observer: &'a mut dyn Observer<D>,
    ) -> Self {
        let key = touch.key(engine.system.clock.step);
        Self::new(engine, touch.time, rule, (Purpose::Product, key), observer)
    }

    /// Lets two that touch react as was decided. Says what came of their contact.
    pub(super) fn react(
        &mut self,
        touch: &Touch<D>,
        decision: Decision,
    ) -> Result<Outcome, StepError> {
        let (attempt, done) = match decision.action {
            Action::Bounce | Action::Pass | Action::Ignore => {
                return Ok(outcome_of_motion(decision.action));
            }
            Action::Bond => (self.bond(touch, decision)?, Outcome::Bound),
            Action::Coalesce => (self.coalesce(touch, decision)?, Outcome::Bound),
            Action::Convert => (self.convert_pair(touch, decision)?, Outcome::Converted),
            Action::Cut(_) => (self.cut_by_contact(touch, decision)?, Outcome::Cut),
        };
        Ok(match attempt {
            Ok(()) => done,
            Err(Refusal::NoRoom) => Outcome::Refused,
            Err(Refusal::Declined) => Outcome::Bounced,
        })
    }

    /// Reports what it has changed.
    pub(super) fn tell_change(&mut self, record: ChangeRecord<'_, D>) -> Result<(), StepError> {
        self.engine.tell_change(self.observer, record)
    }
}

impl<const D: usize> Brownian<D> {
    /// Reports a change of the population, after which sites of surfaces are counted again.
    pub(super) fn tell_change(
        &mut self,
        observer: &mut dyn Observer<D>,
        record: ChangeRecord<'_, D>,
    ) -> Result<(), StepError> {
        self.system.taken_sites = None;
        let System { clock, domain, .. } = &self.system;
        debug_assert!(
            self.system.newborn_are_unique(&record),
            "an identity is given once: {:?}",
            record.products
        );
        let change = Change {
            step: clock.step,
            time: record.time,
            subdivision: self.subdivision,
            kind: record.kind,
            rule: record.rule,
            place: domain.wrap(record.place).0,
            reactants: record.reactants,
            products: record.products,
            bonds_broken: record.bonds_broken,
            bonds_made: record.bonds_made,
            clusters_before: record.before,
            clusters_after: record.after,
        };
        observer.change(&change).map_err(|source| StepError::Observer { step: clock.step, source })
    }
}
