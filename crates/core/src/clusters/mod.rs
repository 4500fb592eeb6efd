//! Which particles belong together: units of particles that bonds or tethers join, and what coalesced
//! particles are made of.

mod membrane;
mod mobility;
mod rotation;
mod sizes;
mod units;
mod whole;

pub use mobility::{Piece, joint_radius};
pub use rotation::{Rotation, centre_of_friction, rotational_diffusion};
pub use sizes::{size_class, size_class_name};
pub use units::{BondGraph, Component, components};
pub use whole::{Assembly, Part, Whole};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::particles::{ALONE, Particles};

/// Particles joined by bonds, which move as one, or by tethers, which leave each of them free to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// The cluster's identity.
    pub id: u64,
    /// The slots of its particles, in the order of their identities; two or more.
    pub members: Vec<u32>,
    /// Its bonds, in the order of the particles: one less than its members, or more where there are rings.
    pub bonds: Vec<Bond>,
    /// Whether tethers hold it together, so that its members move by themselves. A unit has either
    /// bonds or tethers: a cluster of both would need a rigid part of its own for each member.
    pub is_flexible: bool,
    /// Of the unit as a whole; members of a flexible one keep their own. \[nm²/µs\]
    pub diffusion_coefficient: f64,
    /// Bonds from the first member outwards: each leads from a member already reached to a new one,
    /// by their places among the members; those that close rings are left out. It follows from members and bonds, and is kept since
    /// every step asks for it.
    #[serde(skip)]
    pub outwards: Vec<[u32; 2]>,
}

/// A bond between two particles that touch, or a tether.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bond {
    /// The identities of the two particles, the lower first.
    pub ids: [u64; 2],
    /// The contact rule that made it.
    pub rule: u16,
    /// The site of each at which it ends, or [`NO_SITE`].
    pub sites: [u8; 2],
}

/// In [`Bond::sites`]: the bond ends at no site in particular.
pub const NO_SITE: u8 = u8::MAX;

impl Bond {
    /// A bond at no sites in particular of two particles, in either order.
    pub fn new([a, b]: [u64; 2], rule: u16) -> Self {
        Self { ids: [a.min(b), a.max(b)], rule, sites: [NO_SITE; 2] }
    }
}

/// All clusters.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Clusters {
    /// An emptied place is reused.
    pub units: Vec<Option<Unit>>,
    /// Emptied places among them.
    free: Vec<u32>,
    /// What each coalesced particle is made of, by its identity.
    pub wholes: BTreeMap<u64, Whole>,
}

impl Clusters {
    /// The unit that the particle in `slot` belongs to.
    pub fn unit_of<const D: usize>(&self, particles: &Particles<D>, slot: u32) -> Option<&Unit> {
        match particles.unit[slot as usize] {
            ALONE => None,
            unit => self.units[unit as usize].as_ref(),
        }
    }

    /// The same, if its members move as one.
    #[inline]
    pub fn rigid_unit_of<const D: usize>(
        &self,
        particles: &Particles<D>,
        slot: u32,
    ) -> Option<&Unit> {
        self.unit_of(particles, slot).filter(|unit| !unit.is_flexible)
    }

    /// Whether the particle in `slot` is at the end of a tether.
    pub fn is_tethered<const D: usize>(&self, particles: &Particles<D>, slot: u32) -> bool {
        self.unit_of(particles, slot).is_some_and(|unit| unit.is_flexible)
    }

    /// The species of all particles at the ends of tethers; each may come more than once.
    pub fn tethered_species<'a, const D: usize>(
        &'a self,
        particles: &'a Particles<D>,
    ) -> impl Iterator<Item = u16> + 'a {
        let flexible = self.units.iter().flatten().filter(|unit| unit.is_flexible);
        flexible.flat_map(|unit| &unit.members).map(|&slot| particles.species[slot as usize])
    }

    /// The identity of the cluster that the particle in `slot` belongs to; a lone particle is its
    /// own.
    pub fn id_of<const D: usize>(&self, particles: &Particles<D>, slot: u32) -> u64 {
        self.unit_of(particles, slot).map_or(particles.id[slot as usize], |unit| unit.id)
    }

    /// The slots of the particles that move with the one in `slot`, itself included, in the order of
    /// their identities.
    pub fn moving_with<const D: usize>(&self, particles: &Particles<D>, slot: u32) -> Vec<u32> {
        self.rigid_unit_of(particles, slot).map_or_else(|| vec![slot], |unit| unit.members.clone())
    }

    /// How many particles a cluster holds, those inside coalesced particles counted one by one.
    pub fn size_of<const D: usize>(&self, particles: &Particles<D>, slot: u32) -> u32 {
        match self.unit_of(particles, slot) {
            None => self.size_among(particles, &[slot]),
            Some(unit) => self.size_among(particles, &unit.members),
        }
    }

    /// How many particles the given ones are, those inside coalesced ones counted one by one.
    pub fn size_among<const D: usize>(&self, particles: &Particles<D>, slots: &[u32]) -> u32 {
        let inside =
            |&slot: &u32| self.wholes.get(&particles.id[slot as usize]).map_or(1, Whole::size);
        slots.iter().map(inside).sum()
    }

    /// How many units there are.
    pub fn unit_count(&self) -> usize {
        self.units.len() - self.free.len()
    }

    /// All bonds, as pairs of identities.
    pub fn bonds(&self) -> impl Iterator<Item = &Bond> {
        self.units.iter().flatten().flat_map(|unit| &unit.bonds)
    }
}
