//! Which place in the file a particle has.
//!
//! A particle keeps its file slot for life, while its place in memory changes. `species` and
//! `radius` are fixed per slot in the file, so the slot of a particle that is gone may go to a new
//! particle only if that has the same species and, to the bit, the same radius. A particle that
//! comes back (set free by the one it had coalesced into) takes its old slot again, unless that was
//! given away. One that turns into another kind gives its slot up: no particle has two. So the
//! number of slots is bounded when particles bind and unbind for ever.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use jostle_core::particles::Particles;

/// What a slot is for: a species and the bits of a radius.
type Kind = (u16, u64);

/// An identity that no particle has.
const NONE: u64 = u64::MAX;

/// The file's slots and who is in them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Slots {
    /// What each file slot is for.
    kind: Vec<Kind>,
    /// The particle that has or last had each file slot; [`NONE`] if it has another by now.
    owner: Vec<u64>,
    /// The frame in which each file slot was last taken.
    seen: Vec<u64>,
    /// The file slot of each identity; those of absent particles stay until their slot is given
    /// away.
    of: HashMap<u64, u32>,
    /// The file slot of each place in memory, as of the last frame: mostly still true.
    last: Vec<u32>,
    frame: u64,
}

impl Slots {
    /// What is held of each particle. A hash map is filled to 5/8 in the mean, as it doubles when it
    /// is filled to 7/8, and has one byte more for each place. \[bytes\]
    pub(super) const EACH: usize = size_of::<Kind>()
        + size_of::<[u64; 2]>()
        + (size_of::<(u64, u32)>() + 1) * 8 / 5
        + size_of::<u32>();

    /// Whether it hangs together; what was read from a file might not.
    pub(super) fn hang_together(&self) -> bool {
        let slots = self.kind.len();
        let lengths = [self.owner.len(), self.seen.len()];
        let there = |slot: &u32| (*slot as usize) < slots;
        let owns = |(id, slot): (&u64, &u32)| self.owner[*slot as usize] == *id;
        lengths == [slots; 2] && self.of.values().all(there) && self.of.iter().all(owns)
    }

    /// How many slots the file has.
    pub(super) fn len(&self) -> usize {
        self.kind.len()
    }

    /// The species of the slots from `first` on.
    pub(super) fn species(&self, first: usize) -> Vec<i32> {
        self.kind[first..].iter().map(|k| k.0 as i32).collect()
    }

    /// The radii of the slots from `first` on. \[nm\]
    pub(super) fn radii(&self, first: usize) -> Vec<f64> {
        let bits = self.kind[first..].iter().map(|k| k.1);
        bits.map(f64::from_bits).collect()
    }

    /// The file slot of the particle at each place in memory; means nothing for a dead one.
    pub(super) fn last(&self) -> &[u32] {
        &self.last
    }

    /// The file slot of a living particle.
    pub(super) fn of(&self, id: u64) -> Option<u32> {
        let slot = *self.of.get(&id)?;
        (self.seen[slot as usize] == self.frame).then_some(slot)
    }

    /// Gives every living particle its slot for a new frame, and returns [`Slots::last`].
    pub(super) fn assign<const D: usize>(&mut self, particles: &Particles<D>) -> &[u32] {
        self.frame += 1;
        self.last.resize(particles.len(), 0);
        let mut newborn = Vec::new();
        for i in (0..particles.len()).filter(|&i| particles.alive[i]) {
            match self.known(particles, i) {
                Some(slot) => {
                    self.last[i] = slot;
                    self.seen[slot as usize] = self.frame;
                }
                None => newborn.push(i),
            }
        }
        if !newborn.is_empty() {
            newborn.sort_unstable_by_key(|&i| particles.id[i]);
            self.settle(particles, &newborn);
        }
        &self.last
    }

    /// The slot that already is the particle's.
    fn known<const D: usize>(&self, particles: &Particles<D>, i: usize) -> Option<u32> {
        let (id, kind) = (particles.id[i], kind(particles, i));
        let last = self.last[i];
        let fits = |slot: u32| self.kind[slot as usize] == kind;
        if self.owner.get(last as usize) == Some(&id) && fits(last) {
            return Some(last);
        }
        self.of.get(&id).copied().filter(|&slot| fits(slot))
    }

    /// Finds slots for particles that have none: vacant ones of their kind first, then new ones.
    fn settle<const D: usize>(&mut self, particles: &Particles<D>, newborn: &[usize]) {
        let mut vacant: BTreeMap<Kind, Vec<u32>> = BTreeMap::new();
        for slot in (0..self.len()).rev() {
            if self.seen[slot] != self.frame {
                vacant.entry(self.kind[slot]).or_default().push(slot as u32);
            }
        }
        for &i in newborn {
            let (id, kind) = (particles.id[i], kind(particles, i));
            let slot = match vacant.get_mut(&kind).and_then(Vec::pop) {
                Some(slot) => {
                    self.of.remove(&self.owner[slot as usize]);
                    slot
                }
                None => {
                    self.kind.push(kind);
                    self.owner.push(id);
                    self.seen.push(self.frame);
                    (self.kind.len() - 1) as u32
                }
            };
            self.owner[slot as usize] = id;
            self.seen[slot as usize] = self.frame;
            if let Some(former) = self.of.insert(id, slot) {
                self.owner[former as usize] = NONE;
            }
            self.last[i] = slot;
        }
    }
}

fn kind<const D: usize>(particles: &Particles<D>, i: usize) -> Kind {
    (particles.species[i], particles.radius[i].to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::particles::Particle;
    use jostle_core::space::Vector;

    fn particles(list: &[(u64, u16, f64)]) -> Particles<1> {
        let mut particles = Particles::default();
        for &(id, species, radius) in list {
            particles.push(Particle {
                sites: 0,
                position: Vector([0.0]),
                velocity: Vector::ZERO,
                since: 0.0,
                radius,
                diffusion_coefficient: 1.0,
                species,
                id,
                image: [0],
            });
        }
        particles
    }

    #[test]
    fn a_particle_keeps_its_slot_wherever_it_lies_in_memory() {
        let mut slots = Slots::default();
        let mut particles = particles(&[(5, 0, 1.0), (6, 0, 1.0), (7, 1, 2.0)]);
        assert_eq!(slots.assign(&particles), [0, 1, 2]);
        particles.renumber(&[1, u32::MAX, 0]);
        assert_eq!(slots.assign(&particles), [2, 0]);
        assert_eq!(slots.of(7), Some(2));
        assert_eq!(slots.of(6), None);
    }

    #[test]
    fn free_slots_go_to_particles_of_the_same_kind() {
        let mut slots = Slots::default();
        slots.assign(&particles(&[(0, 0, 1.0), (1, 1, 1.0)]));
        slots.assign(&particles(&[(0, 0, 1.0)]));
        // Another species and another radius get slots of their own, an equal particle the old one.
        let next = particles(&[(0, 0, 1.0), (2, 2, 1.0), (3, 1, 1.5), (4, 1, 1.0)]);
        assert_eq!(slots.assign(&next), [0, 2, 3, 1]);
        assert_eq!(slots.species(0), [0, 1, 2, 1]);
        assert_eq!(slots.radii(2), [1.0, 1.5]);
    }

    #[test]
    fn binding_and_unbinding_for_ever_needs_no_more_slots() {
        let mut slots = Slots::default();
        for round in 0..50 {
            slots.assign(&particles(&[(0, 0, 1.0), (1, 0, 1.0)]));
            assert_eq!((slots.of(0), slots.of(1)), (Some(0), Some(1)));
            slots.assign(&particles(&[(10 + round, 1, 2.0)]));
        }
        assert_eq!(slots.len(), 3);
    }

    #[test]
    fn a_particle_that_turns_into_another_kind_and_back_is_where_it_is_said_to_be() {
        let mut slots = Slots::default();
        for radius in [1.0, 1.4, 1.0, 1.4] {
            let places = slots.assign(&particles(&[(0, 0, radius), (1, 0, 1.0)])).to_vec();
            assert_eq!([slots.of(0), slots.of(1)], [Some(places[0]), Some(places[1])]);
            assert_eq!(slots.radii(0)[places[0] as usize], radius);
            assert!(slots.hang_together());
        }
        assert_eq!(slots.len(), 3);
    }

    #[test]
    fn a_particle_that_returns_to_a_slot_given_away_gets_another() {
        let mut slots = Slots::default();
        slots.assign(&particles(&[(0, 0, 1.0)]));
        slots.assign(&particles(&[(1, 0, 1.0)]));
        slots.assign(&particles(&[(0, 0, 1.0), (1, 0, 1.0)]));
        assert_eq!((slots.of(0), slots.of(1)), (Some(1), Some(0)));
        assert_eq!(slots.len(), 2);
    }
}
