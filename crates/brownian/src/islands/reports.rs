//! What the queue tells observers, kept until it is known what islands tell.

use super::super::StepError;
use super::super::system::System;
use super::Event;
use jostle_core::clusters::Bond;
use jostle_core::observe::{Brake, Change, Contact, Observer, ObserverError, Party};

/// What an observer is to be told.
pub(super) enum PendingReport<const D: usize> {
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

impl<const D: usize> PendingReport<D> {
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

/// What the queue has settled in a stretch, in order.
#[derive(Default)]
pub(super) struct Queued<const D: usize> {
    /// With what observers are to be told of each.
    pub(super) settled: Vec<(Event, Vec<PendingReport<D>>)>,
    /// Edges that pairs came to, if observers want to hear of them.
    pub(super) edges: Vec<(Event, Contact<D>)>,
}

/// Stands in for an observer while the queue is at work.
pub(super) struct EventReports<'a, const D: usize> {
    wants_contacts: bool,
    wants_edges: bool,
    brake: Option<&'a Brake<'a>>,
    told: Vec<PendingReport<D>>,
    /// All that the queue has settled, and how much had been told by then.
    settled: Vec<(Event, usize)>,
    /// Edges, of which the last one waits for its place in the order.
    edges: Vec<(Event, Contact<D>)>,
    edge: Option<Contact<D>>,
}

impl<'a, const D: usize> EventReports<'a, D> {
    pub(super) fn of(observer: &'a dyn Observer<D>) -> Self {
        Self {
            wants_contacts: observer.wants_contacts(),
            wants_edges: observer.wants_contacts() && observer.wants_edges(),
            brake: observer.brake(),
            told: Vec::new(),
            settled: Vec::new(),
            edges: Vec::new(),
            edge: None,
        }
    }

    /// Something has been settled; what has been told since the last was about it.
    pub(super) fn end(&mut self, event: Event) {
        let event = event.after(self.settled.last().map(|(event, _)| event));
        self.settled.push((event, self.told.len()));
    }

    /// A pair has come to an edge, which does not change the order of all else.
    pub(super) fn end_edge(&mut self, event: Event) {
        let Some(edge) = self.edge.take() else { return };
        let last = self.settled.last().map(|(event, _)| *event);
        let before = self.edges.last().map(|(event, _)| *event);
        self.edges.push((event.after(last.max(before).as_ref()), edge));
    }

    /// What has been settled, and what was told about each, in order.
    pub(super) fn in_order(self) -> Queued<D> {
        let mut told = self.told.into_iter();
        let mut before = 0;
        let settled = self.settled.into_iter().map(|(event, until)| {
            let reports = told.by_ref().take(until - before).collect();
            before = until;
            (event, reports)
        });
        let mut settled: Vec<_> = settled.collect();
        settled.sort_by_key(|(event, _)| *event);
        Queued { settled, edges: self.edges }
    }
}

impl<const D: usize> Observer<D> for EventReports<'_, D> {
    fn brake(&self) -> Option<&Brake<'_>> {
        self.brake
    }

    fn wants_contacts(&self) -> bool {
        self.wants_contacts
    }

    fn wants_edges(&self) -> bool {
        self.wants_edges
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        if contact.outcome.is_at_distance() {
            self.edge = Some(*contact);
            return Ok(());
        }
        self.told.push(PendingReport::Contact(*contact));
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
        self.told.push(PendingReport::Change(Box::new(changed)));
        Ok(())
    }
}
