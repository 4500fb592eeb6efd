//! How a search structure is named and built.

use crate::named;
use crate::space::of_dimension;

use super::{
    Auto, EndpointSearch, Finder, Levels, Listing, LongStep, Naive, Relink, Resize, Verlet, cubic,
    slices,
};

named! {
    /// The search structures that a model can name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Kind {
        /// Every pair is looked at: the reference.
        Naive => "naive",
        /// A regular lattice of cells.
        Cubic => "cubic",
        /// Cells divided along one axis only.
        Slices => "slices",
        /// Several lattices of cells, each for the particles that its cells suit.
        Levels => "levels",
        /// Sorted endpoints of swept boxes.
        Endpoints => "sweep",
        /// Swept boxes in cells: all are sorted, the few ask.
        LongStep => "swept",
        /// Neighbour lists with a skin, which last many steps.
        Verlet => "verlet",
        /// Measures the others on the user's own model during the first steps, then picks.
        Auto => "auto",
    }
}

/// How a search structure is to be built; the `[search]` table of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Which structure.
    pub kind: Kind,
    /// For cells and levels: Algorithm A or B.
    pub relink: Relink,
    /// For cells and levels: by centre or by touch.
    pub listing: Listing,
    /// For slices: the axis that is divided, `0..D`.
    pub axis: usize,
    /// For cells, slices and levels: directional half-cell pruning (section 4.2).
    pub pruning: bool,
    /// For cells, slices and levels: the least edge of a cell (of the finest lattice) \[length\];
    /// chosen by the structure if absent.
    pub cell_size: Option<f64>,
    /// For cells, slices and levels: when the size of the cells is chosen again.
    pub resize: Resize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            kind: Kind::Auto,
            relink: Relink::Step,
            listing: Listing::Centre,
            axis: 0,
            pruning: false,
            cell_size: None,
            resize: Resize::Auto,
        }
    }
}

/// Builds a structure in `D` dimensions.
struct Build<const D: usize>(fn(&Settings) -> Finder<D>);

impl Settings {
    /// Neighbour lists.
    pub fn lists() -> Self {
        Self { kind: Kind::Verlet, ..Self::default() }
    }

    /// The structure.
    pub fn build<const D: usize>(&self) -> Finder<D> {
        static IN_1D: Build<1> = Build(Settings::structure);
        static IN_2D: Build<2> = Build(Settings::structure);
        static IN_3D: Build<3> = Build(Settings::structure);
        of_dimension::<Build<D>>([&IN_1D, &IN_2D, &IN_3D]).0(self)
    }

    /// The same, compiled once: the one place that knows all kinds.
    fn structure<const D: usize>(&self) -> Finder<D> {
        match self.kind {
            Kind::Naive => Finder::any(Naive::new()),
            Kind::Cubic => Finder::any(cubic(self)),
            Kind::Slices => Finder::any(slices(self)),
            Kind::Levels => Finder::any(Levels::new(self)),
            Kind::Endpoints => Finder::any(EndpointSearch::new()),
            Kind::LongStep => Finder::any(LongStep::new()),
            Kind::Verlet => Finder::Lists(Box::new(Verlet::new(self))),
            Kind::Auto => Finder::Auto(Box::new(Auto::new(self))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Broad;

    #[test]
    fn every_word_names_what_it_should() {
        assert!(Kind::ALL.into_iter().all(|k| Kind::parse(k.name()) == Some(k)));
        assert!(Relink::ALL.into_iter().all(|r| Relink::parse(r.name()) == Some(r)));
        assert!(Listing::ALL.into_iter().all(|l| Listing::parse(l.name()) == Some(l)));
        assert_eq!(Kind::parse("Cubic"), None);
    }

    #[test]
    fn what_is_built_is_what_was_named() {
        for kind in Kind::ALL {
            let settings = Settings { kind, ..Settings::default() };
            let said = settings.build::<3>().describe();
            assert!(said.starts_with(kind.name()), "{said}");
        }
    }
}
