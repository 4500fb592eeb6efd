//! Which bodies belong together: rigid units of bonded bodies, and what coalesced bodies are made
//! of.

mod mobility;
mod sizes;
mod units;

pub use mobility::{Piece, joint_radius};
pub use sizes::{size_class, size_class_name};
pub use units::Tree;

use std::collections::BTreeMap;

use crate::particles::{ALONE, Particles};

/// Bodies joined by bonds, moving as one.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The cluster's identity.
    pub id: u64,
    /// The slots of its bodies, in the order of their identities; two or more.
    pub members: Vec<u32>,
    /// Its bonds: always one less than its members, a tree.
    pub bonds: Vec<Bond>,
    /// \[nm²/µs\]
    pub diffusion_coefficient: f64,
}

/// A bond between two bodies that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bond {
    /// The identities of the two bodies, the lower first.
    pub ids: [u64; 2],
    /// The contact rule that made it.
    pub rule: u16,
}

/// A body that rests inside a coalesced one.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its identity, which it takes up again when it is set free.
    pub id: u64,
    /// Its species.
    pub species: u16,
    /// \[nm\]
    pub radius: f64,
    /// \[nm²/µs\]
    pub diffusion_coefficient: f64,
    /// What it is made of itself.
    pub whole: Option<Box<Whole>>,
}

/// What a coalesced body is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    /// The two bodies that met, the lower identity first.
    pub parts: [Part; 2],
    /// The contact rule that joined them.
    pub rule: u16,
    /// How many bodies it holds in all, down to those that were never joined.
    pub size: u32,
}

/// All clusters.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    /// Rigid units; an emptied place is reused.
    pub units: Vec<Option<Unit>>,
    /// Emptied places among them.
    free: Vec<u32>,
    /// What each coalesced body is made of, by its identity.
    pub wholes: BTreeMap<u64, Whole>,
}

impl Clusters {
    /// The unit that the body in `slot` belongs to.
    pub fn unit_of<const D: usize>(&self, particles: &Particles<D>, slot: u32) -> Option<&Unit> {
        match particles.unit[slot as usize] {
            ALONE => None,
            unit => self.units[unit as usize].as_ref(),
        }
    }

    /// The identity of the cluster that the body in `slot` belongs to; a lone body is its own.
    pub fn id_of<const D: usize>(&self, particles: &Particles<D>, slot: u32) -> u64 {
        self.unit_of(particles, slot).map_or(particles.id[slot as usize], |unit| unit.id)
    }

    /// How many bodies a cluster holds, those inside coalesced bodies counted one by one.
    pub fn size_of<const D: usize>(&self, particles: &Particles<D>, slot: u32) -> u32 {
        let inside = |slot: u32| self.wholes.get(&particles.id[slot as usize]).map_or(1, |whole| whole.size);
        match self.unit_of(particles, slot) {
            None => inside(slot),
            Some(unit) => unit.members.iter().map(|&member| inside(member)).sum(),
        }
    }

    /// All bonds, as pairs of identities.
    pub fn bonds(&self) -> impl Iterator<Item = &Bond> {
        self.units.iter().flatten().flat_map(|unit| &unit.bonds)
    }
}
