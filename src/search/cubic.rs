//! Cubic cells: the box divided along every axis; Algorithms A (relinked with every move) and B
//! (relinked once per step) of Johnson & Whalley 2002, sections 3 and 4.

use super::cells::Cells;
use super::{Kind, Settings};

/// Cells along every axis, as `settings` say.
pub fn cubic<const D: usize>(settings: &Settings) -> Cells<D> {
    Cells::new(Kind::Cubic.name(), [true; D], settings)
}
