//! What the queue tells observers, kept until it is known what islands tell.

use super::super::StepError;
use super::super::system::System;
use super::Event;
use jostle_core::clusters::Bond;
use jostle_core::observe::{Brake, Change, Contact, Observer, ObserverError, Party};

/// What an observer is to be told.
pub(super) enum Tale<const D: usize> {
    Contact(Contact<D>),
    Change(Box<Changed<D>>),
}

/// A change, with all that it refers to.
pub(super) struct Changed<const D: usize> {
    change: Change<'static, D>,
    parties: [Vec<Party>; 2],
    bonds: [Vec<Bond>; 2],
    clusters: [Vec<u64>; 2],
}

impl<const D: usize> Tale<D> {
    /// Tells it, as the event of this number in the step.
    pub(super) fn tell(
        self,
        subdivision: u32,
        system: &System<D>,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        match self {
            Self::Contact(contact) => {
                system.tell_contact(observer, Contact { subdivision, ..contact })
            }
            Self::Change(changed) => {
                let Changed { change, parties, bonds, clusters } = &*changed;
                let change = Change {
                    subdivision,
                    reactants: &parties[0],
                    products: &parties[1],
                    bonds_broken: &bonds[0],
                    bonds_made: &bonds[1],
                    clusters_before: &clusters[0],
                    clusters_after: &clusters[1],
                    ..change.clone()
                };
                let step = system.clock.step;
                observer.change(&change).map_err(|source| StepError::Observer { step, source })
            }
        }
    }
}

/// Stands in for an observer while the queue is at work.
pub(super) struct Tales<'a, const D: usize> {
    wants_contacts: bool,
    brake: Option<&'a Brake<'a>>,
    told: Vec<Tale<D>>,
    /// All that the queue has settled, and how much had been told by then.
    settled: Vec<(Event, usize)>,
}

impl<'a, const D: usize> Tales<'a, D> {
    pub(super) fn of(observer: &'a dyn Observer<D>) -> Self {
        let (wants_contacts, brake) = (observer.wants_contacts(), observer.brake());
        Self { wants_contacts, brake, told: Vec::new(), settled: Vec::new() }
    }

    /// Something has been settled; what has been told since the last was about it.
    pub(super) fn end(&mut self, event: Event) {
        let event = event.after(self.settled.last().map(|(event, _)| event));
        self.settled.push((event, self.told.len()));
    }

    /// What has been settled, and what was told about each, in order.
    pub(super) fn in_order(self) -> Vec<(Event, Vec<Tale<D>>)> {
        let mut told = self.told.into_iter();
        let mut before = 0;
        let settled = self.settled.into_iter().map(|(event, until)| {
            let tales = told.by_ref().take(until - before).collect();
            before = until;
            (event, tales)
        });
        let mut settled: Vec<_> = settled.collect();
        settled.sort_by_key(|(event, _)| *event);
        settled
    }
}

impl<const D: usize> Observer<D> for Tales<'_, D> {
    fn brake(&self) -> Option<&Brake<'_>> {
        self.brake
    }

    fn wants_contacts(&self) -> bool {
        self.wants_contacts
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        self.told.push(Tale::Contact(*contact));
        Ok(())
    }

    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        let changed = Changed {
            parties: [change.reactants.to_vec(), change.products.to_vec()],
            bonds: [change.bonds_broken.to_vec(), change.bonds_made.to_vec()],
            clusters: [change.clusters_before.to_vec(), change.clusters_after.to_vec()],
            change: Change {
                reactants: &[],
                products: &[],
                bonds_broken: &[],
                bonds_made: &[],
                clusters_before: &[],
                clusters_after: &[],
                ..*change
            },
        };
        self.told.push(Tale::Change(Box::new(changed)));
        Ok(())
    }
}
