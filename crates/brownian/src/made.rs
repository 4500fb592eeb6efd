//! The products of conversions.

use jostle_core::clusters::{Part, Whole};
use jostle_core::rules::Product;

/// A product and where it comes to be.
pub(super) struct Made {
    pub(super) product: Product,
    pub(super) id: u64,
    /// By how many periods the path of that identity is ahead of that of the reactant.
    pub(super) ahead: [i32; 3],
    pub(super) radius: f64,
    pub(super) diffusion: f64,
    /// Its site code.
    pub(super) sites: u64,
    /// What it is made of: taken over from the reactant or from one of its parts, or else what those of
    /// its species are made of.
    pub(super) whole: Option<Whole>,
    /// The reactant that it continues, if it is to stay where that is: else it gets a slot of its
    /// own.
    pub(super) stays: Option<u32>,
    pub(super) slot: u32,
}

impl Made {
    /// It by itself, whatever it holds.
    pub(super) fn part(&self) -> Part {
        Part {
            id: self.id,
            species: self.product.species,
            radius: self.radius,
            diffusion_coefficient: self.diffusion,
            ahead: self.ahead,
        }
    }

    /// Its own identity, and those of all that it holds.
    pub(super) fn identities(&self) -> impl Iterator<Item = u64> {
        let inside = self.whole.iter().flat_map(Whole::particles).map(|part| part.id);
        inside.chain([self.id])
    }
}
