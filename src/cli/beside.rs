//! The part of the command line that says on which sides of surfaces.

use crate::analysis::{Beside, Which};

/// On which sides of surfaces: on all of these.
#[derive(clap::Args, Default, PartialEq)]
pub(super) struct BesideArguments {
    /// Inside this closed surface of the model, by name; can be repeated.
    #[arg(long, value_name = "SURFACE")]
    inside: Vec<String>,
    /// Outside this closed surface.
    #[arg(long, value_name = "SURFACE")]
    outside: Vec<String>,
    /// Above this plane: at higher coordinates along its axis.
    #[arg(long, value_name = "SURFACE")]
    above: Vec<String>,
    /// Below this plane.
    #[arg(long, value_name = "SURFACE")]
    below: Vec<String>,
}

impl BesideArguments {
    /// Whether any is requested.
    pub(super) fn is_given(&self) -> bool {
        !self.meant().is_empty()
    }

    /// The sides that are requested.
    pub(super) fn meant(&self) -> Vec<Beside> {
        let Self { inside, outside, above, below } = self;
        let words = [
            (Which::Inside, inside),
            (Which::Outside, outside),
            (Which::Above, above),
            (Which::Below, below),
        ];
        let beside = |which, surface: &String| Beside { which, surface: surface.clone() };
        words
            .iter()
            .flat_map(|(which, names)| names.iter().map(|name| beside(*which, name)))
            .collect()
    }
}
