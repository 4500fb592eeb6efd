//! The words for kinetic structures.

/// The kinetic structures that a model can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KineticKind {
    /// Every pair is looked at: the reference.
    Direct,
    /// A regular lattice of cells.
    Cubic,
    /// The occupied cells of such a lattice, in a tree.
    Tree,
    /// Sorted endpoints of bounding boxes: the set of segment trees.
    Segments,
    /// The generalised Delaunay triangulation in Laguerre geometry, in the plane and in space.
    Laguerre,
    /// Several lattices, each for the particles that its cells suit.
    Levels,
}

impl KineticKind {
    /// All of them, the reference first.
    pub const ALL: [Self; 6] =
        [Self::Direct, Self::Cubic, Self::Tree, Self::Segments, Self::Laguerre, Self::Levels];

    /// The word in a model file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Cubic => "cubic",
            Self::Tree => "tree",
            Self::Segments => "segments",
            Self::Laguerre => "laguerre",
            Self::Levels => "levels",
        }
    }

    /// What `word` names, if anything.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == word)
    }

    /// Whether it can serve a box of so many dimensions.
    pub fn serves(self, dimension: usize) -> bool {
        self != Self::Laguerre || dimension > 1
    }
}
