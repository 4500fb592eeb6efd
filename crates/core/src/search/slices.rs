//! Slices: the box divided along one axis only; Algorithm C of Johnson & Whalley 2002, section 4.4.

use super::cells::Cells;
use super::{Kind, Settings};

/// Slices across the axis that `settings` say (the last one, if there are fewer axes).
pub fn slices<const D: usize>(settings: &Settings) -> Cells<D> {
    let axis = settings.axis.min(D - 1);
    let divided = std::array::from_fn(|k| k == axis);
    Cells::new(Kind::Slices.name(), divided, settings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Broad;
    use crate::space::{Domain, Groups, Paths, Vector, Window};

    #[test]
    fn only_the_axis_that_was_named_is_divided() {
        for (axis, counts) in [(0, [6, 1]), (1, [1, 4]), (2, [1, 4])] {
            let mut slices =
                slices::<2>(&Settings { axis, cell_size: Some(1.5), ..Settings::default() });
            let paths = Paths {
                domain: &Domain::new([10.0, 7.0], [true, false]),
                position: &[Vector([1.0, 1.0])],
                velocity: &[Vector([0.1, 0.1])],
                since: &[0.0],
                radius: &[0.5],
                group: &[0],
                groups: &Groups::all(),
                alive: &[true],
            };
            slices.refit(&paths, Window::STEP);
            assert_eq!(slices.grid().map(|grid| grid.counts()), Some(counts));
            assert!(slices.describe().starts_with("slices: "), "{}", slices.describe());
        }
    }
}
