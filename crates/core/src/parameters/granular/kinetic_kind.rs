//! The words for kinetic structures.

use crate::named;

named! {
    /// The kinetic structures that a model can name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum KineticKind {
        /// Every pair is looked at: the reference.
        Direct => "direct",
        /// A regular lattice of cells.
        Cubic => "cubic",
        /// The occupied cells of such a lattice, in a tree.
        Tree => "tree",
        /// Sorted endpoints of bounding boxes: the set of segment trees.
        Segments => "segments",
        /// The generalised Delaunay triangulation in Laguerre geometry, in the plane and in space.
        Laguerre => "laguerre",
        /// Several lattices, each for the particles that its cells suit.
        Levels => "levels",
    }
}

impl KineticKind {
    /// Whether it can serve a box of so many dimensions.
    pub fn serves(self, dimension: usize) -> bool {
        self != Self::Laguerre || dimension > 1
    }
}
