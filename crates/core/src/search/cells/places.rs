//! Where particles belong in a lattice that lists them by centre, some particles at a time.

use super::{Grid, Lattice};
use crate::space::{Paths, Window};

/// So many particles at a time.
pub(super) const TOGETHER: usize = 8;

/// From here to twice as much, numbers are whole, and their last bits are those of an integer.
const INTEGERS: f64 = (1_u64 << 52) as f64;

/// What has been found about the particles of consecutive slots.
pub(super) struct Found {
    /// The cells that list them.
    pub(super) cell: [u32; TOGETHER],
    /// How far they get, rounded up to single precision. \[length\]
    pub(super) reach: [f32; TOGETHER],
    /// Those that do not keep near to their cells: one bit each.
    pub(super) unsuited: u32,
    /// Whether any of their paths started before the window.
    pub(super) old: bool,
}

/// An axis as seen by particles that are listed in one cell each: the edge of the box, cells per
/// length, the edge of a cell, the highest coordinate, the step from cell to cell, and how far
/// particles may be from the middle of their cell.
#[derive(Clone, Copy)]
struct Axis {
    edge: f64,
    inverse: f64,
    width: f64,
    last: f64,
    stride: f64,
    margin: f64,
}

impl<const D: usize> Grid<D> {
    #[inline]
    fn axis(&self, k: usize) -> Axis {
        Axis {
            edge: self.domain().edges()[k],
            inverse: self.inverse[k],
            width: self.widths()[k],
            last: f64::from(self.counts()[k] - 1),
            stride: f64::from(self.strides[k]),
            // Half of its own cell and half of the next: the limit of `Grid::confines` for one
            // cell.
            margin: if self.binds(k) { self.widths()[k] } else { f64::INFINITY },
        }
    }
}

impl<const D: usize> Lattice<D> {
    /// Looks at the particles from slot `first` on, which are all alive: as `Grid::span_of_point`,
    /// `Grid::confines` and [`Paths::reach`] do one by one. None if any of them is out of the box.
    #[inline(always)]
    pub(super) fn look_at_some(&self, paths: &Paths<'_, D>, first: usize) -> Option<Found> {
        let slots = first..first + TOGETHER;
        let [since, radius] =
            [paths.since, paths.radius].map(|all| together(&all[slots.clone()], |&x| x));
        let (position, velocity) = (&paths.position[slots.clone()], &paths.velocity[slots]);
        let Window { start, end } = self.window;
        let from = since.map(|since| greater(since, start));
        let pad = radius.map(|radius| radius + paths.domain.rounding());
        // Whole numbers, which are not made integers before the end: that would take longer.
        let mut cell = [0.0; TOGETHER];
        let mut speed_squared = [0.0; TOGETHER];
        // How far outside of the box, and how much farther than they may be from their cells.
        let mut outside = [f64::NEG_INFINITY; TOGETHER];
        let mut excess = [f64::NEG_INFINITY; TOGETHER];
        for k in 0..D {
            let Axis { edge, inverse, width, last, stride, margin } = self.grid.axis(k);
            let x = together(position, |place| place[k]);
            let v = together(velocity, |velocity| velocity[k]);
            for n in 0..TOGETHER {
                let x = x[n] + v[n] * (from[n] - since[n]);
                outside[n] = greater(outside[n], greater(-x, x - edge));
                // The product may round up to the number of cells, as in `Grid::span_of_point`.
                let c = lesser(whole_part(x * inverse), last);
                cell[n] += c * stride;
                let from_middle = x - (c + 0.5) * width;
                let travel = v[n] * (end - from[n]);
                let above = from_middle + greater(travel, 0.0);
                let below = greater(-travel, 0.0) - from_middle;
                excess[n] = greater(excess[n], greater(above, below) - margin);
                speed_squared[n] += v[n] * v[n];
            }
        }
        let mut found =
            Found { cell: [0; TOGETHER], reach: [0.0; TOGETHER], unsuited: 0, old: false };
        for n in 0..TOGETHER {
            let reach = speed_squared[n].sqrt() * (end - since[n]) + pad[n];
            found.reach[n] = (reach * (1.0 + f64::from(f32::EPSILON))) as f32;
            // The number of the cell is now the lowest bits of the mantissa.
            found.cell[n] = (cell[n] + INTEGERS).to_bits() as u32;
        }
        for n in 0..TOGETHER {
            found.unsuited |= u32::from(excess[n] + pad[n] > 0.0) << n;
            found.old |= since[n] < start;
        }
        // Particles exactly at a face count as outside: they are looked at one by one, which is
        // slower but not wrong.
        (!outside.iter().any(|&outside| outside >= 0.0)).then_some(found)
    }
}

#[inline(always)]
fn together<T>(values: &[T], f: impl Fn(&T) -> f64) -> [f64; TOGETHER] {
    std::array::from_fn(|n| f(&values[n]))
}

#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers; as `f64::max` but for what is not a number, which takes longer.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The greatest whole number up to `x`, which is from 0 to 2^51.
#[inline(always)]
fn whole_part(x: f64) -> f64 {
    // The sum is rounded to the nearest whole number, half of the time upwards. (Floating-point
    // sums are never rearranged, so the two steps do not cancel.)
    let next = (x + INTEGERS) - INTEGERS;
    if next > x { next - 1.0 } else { next }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_part_is_that_of_the_standard_library() {
        for x in [
            0.0,
            0.25,
            0.5,
            1.0 - f64::EPSILON,
            1.0,
            1.5,
            2.5,
            2.75,
            1e6,
            123_456.789,
            2f64.powi(50) + 0.5,
        ] {
            assert_eq!(whole_part(x), x.floor());
        }
    }
}
