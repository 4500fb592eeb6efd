//! The algorithms in the variants in which they were published. No model needs them, and `auto` tries
//! none of them: they are here so that the comparisons of the texts can be made again (Johnson & Whalley
//! 2002, Figure 6; Schinner 1999). How a step works can be understood without this folder, if one takes
//! cells to be listed by centre ([`Listing::Centre`]), linked once per step ([`Relink::Step`]), without
//! pruning, and chosen again when that pays ([`Resize::Auto`]). What of them depends on the scheduler is
//! in `rescan` of the Brownian engine.

mod pruning;
mod sweep;

pub use sweep::EndpointSearch;

use super::Settings;
use crate::named;

named! {
    /// When the links between cells and particles are renewed (Johnson & Whalley 2002, section 4).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Relink {
        /// With every move of a particle within the step: Algorithm A.
        Move => "move",
        /// At the beginning of each step: Algorithm B (Result 1).
        Step => "step",
    }
}

named! {
    /// Which cells list a particle.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Listing {
        /// The one cell that holds its centre (Result 1).
        Centre => "centre",
        /// Every cell that any part of it is in (section 3.1); corners of the block that holds it
        /// count.
        Touch => "touch",
    }
}

/// When the size of the cells is chosen again while the run continues (Johnson & Whalley 2002,
/// section 5: "to change the size of cells as the algorithm progresses").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resize {
    /// Every 64 refits, and whenever the particles have become many more or many fewer, or too many
    /// of them are on the short list.
    Auto,
    /// As at the first refit for good.
    Never,
    /// At every refit of so many (at least 1): every so many steps.
    Every(u64),
}

/// How lattices are used, whatever their cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant {
    pub(super) relink: Relink,
    pub(super) listing: Listing,
    pub(super) pruning: bool,
    /// Only for the test that the shared runner bites: believes the cell condition unseen.
    #[cfg(test)]
    pub(super) credulous: bool,
}

impl Variant {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            relink: settings.relink,
            listing: settings.listing,
            pruning: settings.pruning,
            #[cfg(test)]
            credulous: false,
        }
    }

    pub(super) fn describe(&self) -> String {
        let pruning = if self.pruning { ", with pruning" } else { "" };
        format!("listed by {}, relinked every {}{pruning}", self.listing.name(), self.relink.name())
    }
}
