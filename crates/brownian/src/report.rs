//! Reports to observers.

use super::StepError;
use super::shells::{AtEdge, Encounters};
use super::surfaces::Departure;
use super::system::System;
use super::touch::{Approach, Touched};
use jostle_core::clusters::Bond;
use jostle_core::environment::Wall;
use jostle_core::observe::{ChangeKind, Contact, Observer, Outcome, Partner, Party};
use jostle_core::space::Vector;

/// What a change was, for [`Brownian::tell_change`].
#[derive(Clone, Copy)]
pub(super) struct ChangeRecord<'a, const D: usize> {
    pub kind: ChangeKind,
    pub rule: u16,
    pub time: f64,
    pub place: Vector<D>,
    pub reactants: &'a [Party],
    pub products: &'a [Party],
    pub bonds_broken: &'a [Bond],
    pub bonds_made: &'a [Bond],
    pub before: &'a [u64],
    pub after: &'a [u64],
}

impl<'a, const D: usize> ChangeRecord<'a, D> {
    /// A change that happened to `reactants`; what came of it is still to be said.
    pub(super) fn of(
        kind: ChangeKind,
        rule: u16,
        time: f64,
        place: Vector<D>,
        reactants: &'a [Party],
    ) -> Self {
        Self {
            kind,
            rule,
            time,
            place,
            reactants,
            products: &[],
            bonds_broken: &[],
            bonds_made: &[],
            before: &[],
            after: &[],
        }
    }
}

impl<const D: usize> Encounters<'_, D> {
    /// Two particles at an edge, as they come to it.
    pub(super) fn edge_report(&self, pair: &Approach<D>, edge: &AtEdge<D>) -> Contact<D> {
        let AtEdge { ref touch, outcome, .. } = *edge;
        let [a, b] = &pair.paths;
        let species = pair.slots.map(|slot| self.0.particles.species[slot as usize]);
        let normal = touch.normal();
        // Two at a distance have no point of contact. Divided like this, the place goes over into
        // that point as they come near.
        let from_first = touch.separation * (a.radius / (a.radius + b.radius));
        Contact {
            step: self.0.clock.step,
            time: touch.time,
            id: pair.ids[0],
            species: species[0],
            place: self.0.domain.wrap(a.at(touch.time) + from_first).0,
            normal,
            approach: (a.velocity - b.velocity).dot(normal),
            outcome,
            ..Contact::bounce(Partner::Particle { id: pair.ids[1], species: species[1] })
        }
    }
}

impl<const D: usize> System<D> {
    /// The clusters of the particles in these slots, each once, that of the lowest identity first.
    pub(super) fn clusters_of(&self, slots: &[u32]) -> Vec<u64> {
        let lowest = |&slot: &u32| {
            let first =
                self.clusters.unit_of(&self.particles, slot).map_or(slot, |unit| unit.members[0]);
            (self.particles.id[first as usize], self.clusters.id_of(&self.particles, slot))
        };
        let mut found: Vec<(u64, u64)> = slots.iter().map(lowest).collect();
        // By identities: neither the slots nor who was named first may show in a log.
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|(_, cluster)| cluster).collect()
    }

    /// A contact of two particles as it stands before anything comes of it. Its place in the subdivision of the
    /// step is filled in by the caller.
    pub(super) fn contact_report(&self, touched: &Touched<D>) -> Contact<D> {
        let Touched { ref touch, paths: [a, b], decision, .. } = *touched;
        let [i, j] = touch.slots.map(|slot| slot as usize);
        let species = &self.particles.species;
        let normal = touch.normal();
        Contact {
            step: self.clock.step,
            time: touch.time,
            id: touch.ids[0],
            species: species[i],
            place: self.domain.wrap(a.at(touch.time) + normal * a.radius).0,
            normal,
            approach: (a.velocity - b.velocity).dot(normal),
            rule: decision.rule,
            ..Contact::bounce(Partner::Particle { id: touch.ids[1], species: species[j] })
        }
    }

    /// A contact with a wall, of a particle that came with `velocity` \[nm per step\] and leaves as
    /// `off` says.
    pub(super) fn wall_report(
        &self,
        slot: u32,
        wall: Wall,
        time: f64,
        off: &Departure<D>,
        velocity: Vector<D>,
    ) -> Contact<D> {
        let i = slot as usize;
        let normal = off.normal * -1.0;
        let (partner, extent) = match wall {
            Wall::Surface(surface) => (Partner::Surface(surface), off.margin),
            Wall::Face(face) => (Partner::Wall(face), self.particles.radius[i]),
            Wall::Turn | Wall::Field(_) => (Partner::Side, 0.0),
        };
        Contact {
            step: self.clock.step,
            time,
            id: self.particles.id[i],
            species: self.particles.species[i],
            place: self.domain.wrap(off.place + normal * extent).0,
            normal,
            approach: velocity.dot(normal).abs(),
            ..Contact::bounce(partner)
        }
    }

    /// Reports a contact to an observer that wants it; those that were bound, or would have been,
    /// are always told.
    pub(super) fn tell_contact(
        &self,
        observer: &mut dyn Observer<D>,
        contact: Contact<D>,
    ) -> Result<(), StepError> {
        let is_wanted = match contact.outcome {
            Outcome::Bounced | Outcome::Passed => observer.wants_contacts(),
            outcome if outcome.is_at_distance() => {
                observer.wants_contacts() && observer.wants_edges()
            }
            _ => true,
        };
        if !is_wanted {
            return Ok(());
        }
        observer
            .contact(&contact)
            .map_err(|source| StepError::Observer { step: self.clock.step, source })
    }

    /// Whether each new product of a change is the only living particle with its identity, and that
    /// has been given. It looks at all particles, which only builds with debug assertions do.
    pub(super) fn newborn_are_unique(&self, record: &ChangeRecord<'_, D>) -> bool {
        let p = &self.particles;
        let holders = |id: u64| (0..p.len()).filter(|&i| p.alive[i] && p.id[i] == id).count();
        let ids =
            |parties: &[Party]| -> Vec<u64> { parties.iter().map(|party| party.id).collect() };
        let (old, new) = (ids(record.reactants), ids(record.products));
        new.iter().enumerate().all(|(n, id)| {
            *id < self.next_id && !new[..n].contains(id) && (old.contains(id) || holders(*id) == 1)
        })
    }
}
