//! The observers of a run: they count, collect, record and check what its engine tells.

use super::balance::Accounts;
use super::checkpoint::Keeper;
use super::collect::Collector;
use super::ledger::Ledger;
use super::self_check::{SelfCheck, SelfCheckFault};
use super::tape::Tape;
use jostle_core::engine::Engine;
use jostle_core::observe::{Brake, Change, Clock, Contact, Observer, ObserverError, View};
use jostle_h5md::record::Recorder;

/// All that observes a run.
pub(super) struct Observers<const D: usize> {
    /// What the energy is reckoned from, where the engine does not reckon it.
    pub(super) accounts: Option<Accounts<D>>,
    pub(super) ledger: Ledger,
    pub(super) collector: Collector,
    pub(super) tape: Tape<D>,
    pub(super) check: Option<SelfCheck<D>>,
}

impl<const D: usize> Observers<D> {
    /// What the self-check says at the end of a run that went well so far.
    pub(super) fn finish(&mut self, view: &View<'_, D>) -> Result<(), SelfCheckFault> {
        self.check.as_mut().map_or(Ok(()), |check| check.finish(view))
    }

    /// Keeps the state of the run.
    pub(super) fn keep<E: Engine<D>>(
        &mut self,
        keeper: &mut Keeper<E>,
        engine: &E,
    ) -> Result<(), ObserverError> {
        let Self { ledger, tape, .. } = self;
        keeper.keep(engine, ledger, |clock| tape.bookmark(clock))
    }

    /// The same observers, as long as a step may be broken off.
    pub(super) fn with<'a>(&'a mut self, brake: Option<&'a Brake<'a>>) -> Watch<'a, D> {
        Watch { brake, observers: self }
    }
}

/// What an engine is given for its next steps.
pub(super) struct Watch<'a, const D: usize> {
    /// What ends a step that takes too long.
    brake: Option<&'a Brake<'a>>,
    pub(super) observers: &'a mut Observers<D>,
}

impl<const D: usize> Observer<D> for Watch<'_, D> {
    fn brake(&self) -> Option<&Brake<'_>> {
        self.brake
    }

    fn wants_contacts(&self) -> bool {
        let Observers { collector, tape, .. } = &*self.observers;
        collector.wants_contacts() || tape.record.as_ref().is_some_and(Recorder::wants_contacts)
    }

    fn wants_edges(&self) -> bool {
        self.observers.tape.record.as_ref().is_some_and(Recorder::wants_edges)
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        let Observers { ledger, collector, tape, .. } = &mut *self.observers;
        ledger.contact(contact);
        collector.contact(contact);
        tape.record.as_mut().map_or(Ok(()), |record| record.contact(contact))
    }

    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        let Observers { ledger, collector, tape, check, .. } = &mut *self.observers;
        ledger.change(change);
        collector.change(change);
        if let Some(record) = &mut tape.record {
            record.change(change)?;
        }
        Ok(check.as_mut().map_or(Ok(()), |check| check.change(change))?)
    }

    fn wants_step(&self, clock: Clock) -> bool {
        self.observers.tape.wants_step(clock)
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        let Observers { accounts, tape, check, .. } = &mut *self.observers;
        let wanted = tape.wants_step(view.clock);
        if let Some(record) = &mut tape.record {
            match accounts.as_ref().filter(|_| wanted) {
                Some(accounts) => {
                    record.step(&View { balance: Some(accounts.balance(view)), ..*view })?;
                }
                None => record.step(view)?,
            }
        }
        Ok(check.as_mut().map_or(Ok(()), |check| check.step(view))?)
    }
}
