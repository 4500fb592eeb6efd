//! The log of contacts of a fluid, and every particle's path through the step as it follows from
//! nothing but the log.

use super::fluid::Component;
use jostle_core::observe::{Contact, Observer, ObserverError, Partner, View};
use jostle_core::space::{Domain, Vector};

/// A contact as the log has it, and what follows from the log about the two paths before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting<const D: usize> {
    /// The components of the two, the lower first.
    pub(super) components: [usize; 2],
    pub(super) time: f64,
    pub(super) normal: Vector<D>,
    pub(super) approach: f64,
    /// The impact parameter in units of the contact distance.
    pub(super) impact: f64,
}

/// A velocity that the log gives, and by how much rounding may have spoilt it: it is known to few
/// digits if it follows from a very short way.
#[derive(Clone, Copy)]
struct KnownVelocity<const D: usize> {
    velocity: Vector<D>,
    uncertainty: f64,
}

/// Tells of each contact of two particles, and follows every particle's path: from one contact to
/// the next, bouncing with masses 1/D.
pub(super) struct Log<'a, const D: usize, F> {
    components: &'a [Component],
    /// Where every particle's present path starts, and when.
    start: Vec<(Vector<D>, f64)>,
    /// The velocities of those that have bounced in this step.
    bounced: Vec<Option<KnownVelocity<D>>>,
    domain: Domain<D>,
    reported: F,
    /// The largest deviation of where a particle is, or how fast, from what the log says; rounding
    /// alone explains 1.
    pub(super) worst: f64,
}

impl<'a, const D: usize, F: FnMut(&Meeting<D>)> Log<'a, D, F> {
    pub(super) fn new(components: &'a [Component], view: &View<'_, D>, reported: F) -> Self {
        let domain = view.domain.clone();
        let mut log = Self {
            components,
            start: Vec::new(),
            bounced: Vec::new(),
            domain,
            reported,
            worst: 0.0,
        };
        log.begin(view);
        log
    }

    fn begin(&mut self, view: &View<'_, D>) {
        let p = view.particles;
        self.start.clear();
        self.start.extend(p.slots_by_id().into_iter().map(|slot| (p.position[slot as usize], 0.0)));
        self.bounced.clear();
        self.bounced.resize(self.start.len(), None);
    }

    fn compare(&mut self, deviation: f64, uncertainty: f64) {
        let deviation = deviation / (uncertainty + self.domain.rounding());
        if deviation.is_nan() || deviation > self.worst {
            self.worst = deviation;
        }
    }

    /// The velocity with which particle `id` came to be at `place` at `time`.
    fn arrived(&mut self, id: usize, place: Vector<D>, time: f64) -> KnownVelocity<D> {
        let (start, since) = self.start[id];
        let (way, span) = (self.domain.nearest_image(place - start), time - since);
        if let Some(known) = self.bounced[id] {
            self.compare((way - known.velocity * span).norm(), known.uncertainty * span);
            return known;
        }
        KnownVelocity { velocity: way * (1.0 / span), uncertainty: self.domain.rounding() / span }
    }
}

impl<const D: usize, F: FnMut(&Meeting<D>)> Observer<D> for Log<'_, D, F> {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        let Partner::Particle { id, species } = contact.partner else { return Ok(()) };
        let ids = [contact.id as usize, id as usize];
        let numbers = [contact.species as usize, species as usize];
        let [a, b] = numbers.map(|number| self.components[number]);
        let normal = contact.normal;
        let centres = [contact.place - normal * a.radius, contact.place + normal * b.radius];
        let [before_a, before_b] = [0, 1].map(|n| self.arrived(ids[n], centres[n], contact.time));
        let relative = before_b.velocity - before_a.velocity;
        let along = relative.dot(normal);
        let uncertainty = 2.0 * (before_a.uncertainty + before_b.uncertainty);
        self.compare((along + contact.approach).abs(), uncertainty);
        let share = a.diffusion / (a.diffusion + b.diffusion);
        let after_a = before_a.velocity + normal * (2.0 * share * along);
        let after_b = before_b.velocity - normal * (2.0 * (1.0 - share) * along);
        for (n, velocity) in [after_a, after_b].into_iter().enumerate() {
            self.bounced[ids[n]] = Some(KnownVelocity { velocity, uncertainty });
            self.start[ids[n]] = (centres[n], contact.time);
        }
        (self.reported)(&Meeting {
            components: [numbers[0].min(numbers[1]), numbers[0].max(numbers[1])],
            time: contact.time,
            normal,
            approach: contact.approach,
            impact: (relative - normal * along).norm() / relative.norm(),
        });
        Ok(())
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        let p = view.particles;
        for (id, slot) in p.slots_by_id().into_iter().enumerate() {
            if self.bounced[id].is_some() {
                self.arrived(id, p.position[slot as usize], 1.0);
            }
        }
        self.begin(view);
        Ok(())
    }
}
