//! What observers are told.

use super::settle::Touch;
use super::{Brownian, StepError};
use crate::observe::{Change, ChangeKind, Contact, Observer, Outcome, Partner, Party};
use crate::space::Vector;

/// What a change was, for [`Brownian::tell_change`].
pub(super) struct Story<'a, const D: usize> {
    pub kind: ChangeKind,
    pub rule: u16,
    pub time: f64,
    pub place: Vector<D>,
    pub reactants: &'a [Party],
    pub products: &'a [Party],
    pub clusters_before: &'a [u64],
    pub clusters_after: &'a [u64],
}

impl<const D: usize> Brownian<D> {
    /// A body as changes name it.
    pub(super) fn party(&self, slot: u32) -> Party {
        let i = slot as usize;
        Party {
            id: self.particles.id[i],
            species: self.particles.species[i],
            radius: self.particles.radius[i],
        }
    }

    /// A contact as it stands before anything comes of it.
    pub(super) fn contact_report(&self, touch: &Touch<D>, rule: Option<u16>) -> Contact<D> {
        let [i, j] = touch.slots.map(|slot| slot as usize);
        let p = &self.particles;
        let normal = touch.normal();
        let centre = p.position[i] + p.velocity[i] * (touch.time - p.since[i]);
        Contact {
            step: self.clock.step,
            time: touch.time,
            subdivision: self.subdivision,
            id: touch.ids[0],
            species: p.species[i],
            partner: Partner::Body { id: touch.ids[1], species: p.species[j] },
            place: self.domain.wrap(centre + normal * p.radius[i]).0,
            normal,
            approach: (p.velocity[i] - p.velocity[j]).dot(normal),
            outcome: Outcome::Bounced,
            rule,
        }
    }

    /// Reports a contact to an observer that wants it; those that were bound, or would have been,
    /// are always told.
    pub(super) fn tell_contact(
        &self,
        observer: &mut dyn Observer<D>,
        contact: impl FnOnce() -> Contact<D>,
    ) -> Result<(), StepError> {
        let contact = contact();
        let matters = matches!(contact.outcome, Outcome::Bound | Outcome::Refused);
        if !matters && !observer.wants_contacts() {
            return Ok(());
        }
        observer.contact(&contact).map_err(|source| StepError::Observer { step: self.clock.step, source })
    }

    /// Reports a change of the population.
    pub(super) fn tell_change(
        &self,
        observer: &mut dyn Observer<D>,
        story: Story<'_, D>,
    ) -> Result<(), StepError> {
        let change = Change {
            step: self.clock.step,
            time: story.time,
            subdivision: self.subdivision,
            kind: story.kind,
            rule: story.rule,
            place: self.domain.wrap(story.place).0,
            reactants: story.reactants,
            products: story.products,
            clusters_before: story.clusters_before,
            clusters_after: story.clusters_after,
        };
        observer.change(&change).map_err(|source| StepError::Observer { step: self.clock.step, source })
    }
}
