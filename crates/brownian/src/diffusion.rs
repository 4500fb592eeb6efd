//! How fast particles and rigid clusters diffuse, alone and together, and in regions where it is otherwise.

use super::system::System;
use jostle_core::clusters::Piece;
use jostle_core::space::Vector;

/// The diffusion coefficients of what is in a system.
#[derive(Clone, Copy)]
pub(super) struct Diffusion<'a, const D: usize>(pub(super) &'a System<D>);

impl<const D: usize> Diffusion<'_, D> {
    /// D of the particle in `slot` when it is alone, outside of all regions in which it is another.
    /// \[nm²/µs\]
    pub(super) fn free(&self, slot: u32) -> f64 {
        let i = slot as usize;
        let species = &self.0.species[self.0.particles.species[i] as usize];
        species.diffusion_coefficient.unwrap_or_else(|| {
            if self.0.clusters.rigid_unit_of(&self.0.particles, slot).is_none() {
                return self.0.particles.diffusion_coefficient[i];
            }
            // In a rigid unit the array has D of the unit. Only a coalesced particle has none of
            // its species, and remembers its own.
            let whole = self.0.clusters.wholes.get(&self.0.particles.id[i]);
            whole.map_or(0.0, |whole| whole.particle().diffusion_coefficient)
        })
    }

    /// D of the particle in `slot` if it were alone, where it is at `time`. \[nm²/µs\]
    pub(super) fn alone(&self, slot: u32, time: f64) -> f64 {
        let free = self.free(slot);
        match self.0.environment.is_empty() {
            true => free,
            false => {
                let species = self.0.particles.species[slot as usize];
                self.0.ground().diffusion_at(species, self.0.place_at(slot, time), free)
            }
        }
    }

    /// D of a cluster of these members, in the order of their identities, where they are at `time`.
    /// \[nm²/µs\]
    pub(super) fn of(&self, members: &[u32], time: f64) -> f64 {
        match members {
            [alone] => self.alone(*alone, time),
            _ => self.with(members, |slot| self.alone(slot, time)),
        }
    }

    /// D of a cluster of these members, each of which has D `of` it when alone. \[nm²/µs\]
    pub(super) fn with(&self, members: &[u32], of: impl Fn(u32) -> f64) -> f64 {
        let radius = |slot: u32| self.0.particles.radius[slot as usize];
        let piece = |&slot: &u32| Piece { diffusion_coefficient: of(slot), radius: radius(slot) };
        let pieces: Vec<Piece> = members.iter().map(piece).collect();
        self.0.mobility.diffusion_coefficient(&pieces, D)
    }

    /// Particles as parts of a cluster, as far as its mobility goes.
    pub(super) fn pieces(&self, members: &[u32]) -> Vec<Piece> {
        self.pieces_of(members).collect()
    }

    /// The same, one after the other.
    pub(super) fn pieces_of(&self, members: &[u32]) -> impl Iterator<Item = Piece> {
        members.iter().map(|&slot| Piece {
            diffusion_coefficient: self.free(slot),
            radius: self.0.particles.radius[slot as usize],
        })
    }

    /// The particles that these hold, down to those that were never joined, as parts of a cluster.
    pub(super) fn singles(&self, slots: &[u32]) -> Vec<Piece> {
        let of = |slot: u32| match self.0.clusters.wholes.get(&self.0.particles.id[slot as usize]) {
            Some(whole) => whole.singles().map(|part| Piece::from(&part)).collect(),
            None => self.pieces(&[slot]),
        };
        slots.iter().flat_map(|&slot| of(slot)).collect()
    }

    /// In how many dimensions the particle in `slot` moves, with all that move with it.
    pub(super) fn dimensions(&self, slot: u32) -> usize {
        let anchor = |slot: u32| self.0.environment.anchor(self.0.particles.species[slot as usize]);
        match self.0.clusters.rigid_unit_of(&self.0.particles, slot) {
            Some(unit) => {
                let across = self.0.along_planes(&unit.members, Vector::from_fn(|_| 1.0));
                (0..D).filter(|&k| across[k] == 1.0).count()
            }
            None => D - usize::from(anchor(slot).is_some()),
        }
    }

    /// D of the particle in `slot`, or of the rigid unit that it is part of, once it has gone through
    /// the surface that it touches at `place`, and is inside or not. \[nm²/µs\]
    pub(super) fn beyond(
        &self,
        slot: u32,
        time: f64,
        place: Vector<D>,
        (surface, is_inside): (u16, bool),
    ) -> f64 {
        let System { environment, domain, particles, .. } = self.0;
        let species = particles.species[slot as usize];
        let free = self.free(slot);
        let beside = Some((surface, is_inside));
        let own = environment.diffusion_at(domain, species, place, beside).unwrap_or(free);
        match self.0.clusters.rigid_unit_of(particles, slot) {
            None => own,
            Some(unit) => self.with(&unit.members, |member| match member == slot {
                true => own,
                false => self.alone(member, time),
            }),
        }
    }
}
