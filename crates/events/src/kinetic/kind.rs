//! How a kinetic structure is built.

use std::any::Any;

pub use jostle_core::parameters::granular::KineticKind;
use jostle_core::space::of_dimension;

use super::laguerre::SpatialLaguerre;
use super::{Cubic, Direct, Kinetic, KineticLevels, Laguerre, Segments, SpatialTree};

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
    /// The structure. None where it is of no use in so many dimensions; see
    /// [`serves`](KineticKind::serves).
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
