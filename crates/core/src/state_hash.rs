//! One number for a state: equal states have equal numbers, whatever the order of their slots.

use crate::clusters::{Bond, Clusters, NO_SITE, Whole};
use crate::particles::Particles;

/// A 64-bit hash of words: each is folded in by an exclusive or, a multiplication and a shift.
/// Every step is one-to-one, so two sequences that differ in a single word never collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordHash(u64);

impl Default for WordHash {
    /// The offset and (below) the prime of 64-bit FNV-1a, here applied to words, not bytes.
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl WordHash {
    /// The hash of the words so far.
    pub fn value(self) -> u64 {
        self.0
    }

    /// Folds a word in.
    #[inline]
    pub fn word(&mut self, word: u64) {
        let product = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        // A product only carries upwards; the shift brings the high bits back down.
        self.0 = product ^ (product >> 32);
    }

    /// Folds the bits of a number in.
    #[inline]
    pub fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }
}

/// The hash of a state: of every living particle, in the order of identity, its identity, species,
/// sites, orientation (if there are any), position, image, radius, diffusion coefficient and cluster; then all bonds in the order of their
/// particles; then what coalesced particles are made of. Floating-point numbers count by their
/// bits. Equal for equal states on every machine, whatever slots and units are numbered.
pub fn state_hash<const D: usize>(particles: &Particles<D>, clusters: &Clusters) -> u64 {
    let mut hash = WordHash::default();
    for slot in particles.slots_by_id() {
        let i = slot as usize;
        hash.word(particles.id[i]);
        hash.word(particles.species[i] as u64);
        // Particles that have no sites have the hash that they had before there were any.
        if particles.sites[i] != 0 {
            hash.word(particles.sites[i]);
        }
        if particles.are_oriented {
            particles.orientation[i].quaternion().iter().for_each(|&x| hash.number(x));
        }
        for k in 0..D {
            hash.number(particles.position[i][k]);
            hash.word(particles.image[i][k] as u64);
        }
        hash.number(particles.radius[i]);
        hash.number(particles.diffusion_coefficient[i]);
        hash.word(clusters.id_of(particles, slot));
    }
    let mut bonds: Vec<&Bond> = clusters.bonds().collect();
    bonds.sort_unstable_by_key(|bond| (bond.ids, bond.rule));
    for bond in bonds {
        hash.word(bond.ids[0]);
        hash.word(bond.ids[1]);
        hash.word(bond.rule as u64);
        if bond.sites != [NO_SITE; 2] {
            hash.word(u64::from_be_bytes([0, 0, 0, 0, 0, 0, bond.sites[0], bond.sites[1]]));
        }
    }
    for (&id, whole) in &clusters.wholes {
        hash.word(id);
        fold_whole(&mut hash, whole);
    }
    hash.0
}

/// The hash of a state of particles that are turned: [`state_hash`], and by how much each is
/// \[rad\], in the order of identity. \[slot\]
pub fn with_angles<const D: usize>(hash: u64, particles: &Particles<D>, angle: &[f64]) -> u64 {
    let mut hash = WordHash(hash);
    for slot in particles.slots_by_id() {
        hash.number(angle[slot as usize]);
    }
    hash.0
}

/// Folds in every particle that a coalesced particle is, or was on the way.
fn fold_whole(hash: &mut WordHash, whole: &Whole) {
    for (part, code) in whole.history() {
        hash.word(part.id);
        hash.word(part.species as u64);
        hash.number(part.radius);
        hash.number(part.diffusion_coefficient);
        part.ahead.iter().for_each(|&periods| hash.word(periods as u64));
        hash.word(code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clusters::Unit;
    use crate::particles::Particle;
    use crate::space::Vector;

    fn three_particles() -> Particles<2> {
        let mut particles = Particles::default();
        for id in 0..3 {
            particles.push(Particle {
                sites: 0,
                position: Vector([1.5 * id as f64, 2.0]),
                velocity: Vector::ZERO,
                since: 0.0,
                radius: 1.0,
                diffusion_coefficient: 0.5,
                species: 0,
                id,
                image: [0, -1],
            });
        }
        particles
    }

    fn bonded() -> Clusters {
        let mut clusters = Clusters::default();
        clusters.units.push(Some(Unit {
            id: 9,
            members: vec![0, 1],
            bonds: vec![Bond::new([0, 1], 0)],
            is_flexible: false,
            diffusion_coefficient: 0.1,
            outwards: vec![[0, 1]],
        }));
        clusters
    }

    #[test]
    fn the_order_of_slots_does_not_matter() {
        let mut particles = three_particles();
        let before = state_hash(&particles, &Clusters::default());
        particles.renumber(&[2, 0, 1]);
        assert_eq!(particles.id, [1, 2, 0]);
        assert_eq!(state_hash(&particles, &Clusters::default()), before);
    }

    #[test]
    fn a_dead_particle_does_not_count() {
        let mut particles = three_particles();
        particles.alive[1] = false;
        let dead = state_hash(&particles, &Clusters::default());
        particles.renumber(&[0, u32::MAX, 1]);
        assert_eq!(state_hash(&particles, &Clusters::default()), dead);
    }

    #[test]
    fn every_part_of_the_state_counts() {
        let nothing = Clusters::default();
        let base = state_hash(&three_particles(), &nothing);
        let changes: [fn(&mut Particles<2>); 6] = [
            |p| p.position[1] = -p.position[1],
            |p| p.image[2][1] = 0,
            |p| p.radius[0] = f64::from_bits(1.0f64.to_bits() + 1),
            |p| p.species[0] = 1,
            |p| p.diffusion_coefficient[1] = 0.25,
            |p| p.id[2] = 7,
        ];
        for (n, change) in changes.iter().enumerate() {
            let mut particles = three_particles();
            change(&mut particles);
            assert_ne!(state_hash(&particles, &nothing), base, "change {n}");
        }
        let mut particles = three_particles();
        particles.unit[0] = 0;
        particles.unit[1] = 0;
        assert_ne!(state_hash(&particles, &bonded()), base);
    }
}
