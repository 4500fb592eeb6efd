//! How a kinetic structure is named and built.

use std::any::Any;

use jostle_core::space::of_dimension;

use super::laguerre::SpatialLaguerre;
use super::{Cubic, Direct, Kinetic, KineticLevels, Laguerre, Segments, SpatialTree};

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

/// How a kinetic structure is to be built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KineticSettings {
    /// Which structure.
    pub kind: KineticKind,
    /// For cells: their least edge \[length\]; chosen by the structure if absent.
    pub cell_size: Option<f64>,
}

/// Builds a structure in `D` dimensions.
struct Build<const D: usize>(fn(&KineticSettings) -> Option<Box<dyn Kinetic<D>>>);

impl KineticSettings {
    /// The structure. None where it is of no
    /// use in so many dimensions; see [`serves`](KineticKind::serves).
    pub fn build<const D: usize>(&self) -> Option<Box<dyn Kinetic<D>>> {
        static IN_1D: Build<1> = Build(KineticSettings::structure);
        static IN_2D: Build<2> = Build(KineticSettings::structure);
        static IN_3D: Build<3> = Build(KineticSettings::structure);
        of_dimension::<Build<D>>([&IN_1D, &IN_2D, &IN_3D]).0(self)
    }

    /// The same, compiled once: the one place that knows all kinds.
    fn structure<const D: usize>(&self) -> Option<Box<dyn Kinetic<D>>> {
        Some(match self.kind {
            KineticKind::Direct => Box::new(Direct::default()),
            KineticKind::Cubic => Box::new(Cubic::new(self.cell_size)),
            KineticKind::Tree => Box::new(SpatialTree::new(self.cell_size)),
            KineticKind::Segments => Box::new(Segments::new()),
            KineticKind::Laguerre if D == 2 => {
                return only_in::<D, 2>(Box::new(Laguerre::default()));
            }
            KineticKind::Laguerre => {
                return only_in::<D, 3>(Box::new(SpatialLaguerre::default()));
            }
            KineticKind::Levels => Box::new(KineticLevels::default()),
        })
    }
}

/// A structure for one dimension, if that is `D`.
fn only_in<const D: usize, const E: usize>(
    structure: Box<dyn Kinetic<E>>,
) -> Option<Box<dyn Kinetic<D>>> {
    let structure: Box<dyn Any> = Box::new(structure);
    structure.downcast::<Box<dyn Kinetic<D>>>().ok().map(|structure| *structure)
}
