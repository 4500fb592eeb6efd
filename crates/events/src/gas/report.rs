//! What observers are told of contacts, all of which are noticed at the end of a step.

use super::{Gas, StepError};
use jostle_core::observe::{Contact, Observer, Partner};
use jostle_core::space::{Face, Vector};

impl Gas {
    /// Turns a disk back at a wall, which it has gone through along axis `k`, and reports it.
    pub(super) fn hit_wall(
        &mut self,
        i: usize,
        k: usize,
        upper: bool,
        place: Vector<2>,
        observer: &mut dyn Observer<2>,
    ) -> Result<(), StepError> {
        let velocity = self.particles.velocity[i][k];
        self.particles.velocity[i][k] = -velocity;
        self.tally.wall_collisions += 1;
        let mut normal = Vector::ZERO;
        normal[k] = if upper { 1.0 } else { -1.0 };
        let mut touched = place;
        touched[k] = if upper { self.domain.edges()[k] } else { 0.0 };
        let partner = Partner::Wall(Face { axis: k as u8, upper });
        self.tell(observer, |gas| gas.contact(i, partner, touched, normal, velocity.abs()))
    }

    /// Reports a collision; the place is in the middle of the overlap.
    pub(super) fn tell_collision(
        &mut self,
        i: usize,
        j: usize,
        approach: f64,
        observer: &mut dyn Observer<2>,
    ) -> Result<(), StepError> {
        self.tell(observer, |gas| {
            let p = &gas.particles;
            let [i, j] = if i < j { [i, j] } else { [j, i] };
            let apart = p.position[j] - p.position[i];
            let distance = apart.norm();
            let normal = apart * (1.0 / distance);
            let arm = 0.5 * (distance + p.radius[i] - p.radius[j]);
            let partner = Partner::Particle { id: p.id[j], species: p.species[j] };
            gas.contact(i, partner, p.position[i] + normal * arm, normal, approach)
        })
    }

    fn contact(
        &self,
        i: usize,
        partner: Partner,
        place: Vector<2>,
        normal: Vector<2>,
        approach: f64,
    ) -> Contact<2> {
        Contact {
            step: self.clock.step,
            time: 1.0,
            subdivision: self.subdivision,
            id: self.particles.id[i],
            species: self.particles.species[i],
            place,
            normal,
            approach,
            ..Contact::bounce(partner)
        }
    }

    fn tell(
        &mut self,
        observer: &mut dyn Observer<2>,
        contact: impl FnOnce(&Self) -> Contact<2>,
    ) -> Result<(), StepError> {
        let step = self.clock.step;
        if observer.wants_contacts() {
            let reported = observer.contact(&contact(self));
            reported.map_err(|source| StepError::Observer { step, source })?;
        }
        self.subdivision += 1;
        Ok(())
    }
}
