//! Energies beside surfaces, by the law of bounces: where a particle has climbed as much as it may, it
//! bounces along the gradient, and with it the rigid unit that it is a member of.

use super::surfaces::Departure;
use super::system::System;
use jostle_core::environment::{SurfaceField, Wall};
use jostle_core::random::Purpose;
use jostle_core::space::{Path, Vector};

/// The walls and surfaces that particles meet, the energies that they climb beside them, and how they bounce off these.
pub(super) struct Walls<'a, const D: usize>(pub(super) &'a System<D>);

impl<const D: usize> Walls<'_, D> {
    /// What the particle in `slot` comes upon first on a path, other than a particle, and when.
    #[inline]
    pub(super) fn next(&self, slot: u32, path: &Path<D>) -> Option<(f64, Wall)> {
        let System { environment, domain, particles, .. } = self.0;
        let i = slot as usize;
        if !particles.alive[i] {
            return None;
        }
        let wall = environment.first_wall(domain, particles.species[i], path, 1.0);
        match environment.has_fields() {
            false => wall,
            true => [wall, self.climbed(slot, path)]
                .into_iter()
                .flatten()
                .reduce(|a, b| if b.0 < a.0 { b } else { a }),
        }
    }

    /// Where the particle in `slot` has climbed as much as it may. How much that is has no memory, and is a
    /// function of the identity and of when the path began.
    fn climbed(&self, slot: u32, path: &Path<D>) -> Option<(f64, Wall)> {
        let System { environment, domain, particles, clock, random, .. } = self.0;
        let i = slot as usize;
        let uniform = |field: u16, image: [i64; D]| {
            let mut key = [clock.step, particles.id[i], u64::from(field), path.since.to_bits()];
            // Steps and identities have 48 bits.
            key.iter_mut().zip(image).for_each(|(word, k)| *word |= u64::from(k as u16) << 48);
            random.uniform(Purpose::Field, key)
        };
        environment.first_climb(domain, particles.species[i], path, 1.0, uniform)
    }

    /// How the particle in `slot` bounces that has climbed as much as it may in a field.
    pub(super) fn off_field(
        &self,
        slot: u32,
        path: &Path<D>,
        time: f64,
        field: u16,
    ) -> Departure<D> {
        let (place, mut velocity) = (path.at(time), path.velocity);
        let SurfaceField { shape, .. } = &self.0.environment.fields()[usize::from(field)];
        let gradient = shape.outwards(&self.0.domain, place);
        // One that is confined to a plane gives way along that only.
        let along = self.0.free_way(slot, place, gradient);
        let gives = along.norm_squared().max(f64::MIN_POSITIVE);
        velocity -= along * (2.0 * velocity.dot(along) / gives);
        Departure { place, velocity, normal: Vector::ZERO, margin: 0.0 }
    }
}

#[cfg(test)]
mod tests;
