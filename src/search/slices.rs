//! Slices: the box divided along one axis only; Algorithm C of Johnson & Whalley 2002, section 4.4.

use super::cells::Cells;
use super::{Kind, Settings};

/// Slices across the axis that `settings` say (the last one, if there are fewer axes).
pub fn slices<const D: usize>(settings: &Settings) -> Cells<D> {
    let axis = settings.axis.min(D - 1);
    let divided = std::array::from_fn(|k| k == axis);
    Cells::new(Kind::Slices.name(), divided, settings)
}
