//! A regular lattice of cells over the circles that axes are: rows of cells along the first axis.

use super::spans::{Frame, SweptBox, UnitSpan};

/// So many cells along each axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxLattice<const D: usize> {
    pub(super) cells: [u32; D],
    /// Spans of this length may come round to the cell where they began. \[units\]
    whole: [u16; D],
}

/// Cells that follow each other round an axis: the first of them, and how many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) first: u32,
    pub(super) count: u32,
    /// On all of the axis.
    of: u32,
}

impl Run {
    /// Calls `visit` for each of them.
    #[inline]
    pub(super) fn each(self, mut visit: impl FnMut(u32)) {
        let mut cell = self.first;
        for _ in 0..self.count {
            visit(cell);
            cell = if cell + 1 == self.of { 0 } else { cell + 1 };
        }
    }

    /// The same as ranges that do not wrap, the second of which may be empty.
    #[inline]
    pub(super) fn ranges(self) -> [std::ops::Range<usize>; 2] {
        let end = self.first + self.count;
        let beyond = end.saturating_sub(self.of);
        [self.first as usize..(end - beyond) as usize, 0..beyond as usize]
    }
}

impl<const D: usize> Default for BoxLattice<D> {
    fn default() -> Self {
        Self::new([1; D])
    }
}

impl<const D: usize> BoxLattice<D> {
    pub(super) fn new(cells: [u32; D]) -> Self {
        let units = u32::from(u16::MAX);
        Self { cells, whole: cells.map(|cells| (units - units / cells).saturating_sub(2) as u16) }
    }

    /// Cells of this `width` \[units\], or wider: at most `most` in all.
    pub(super) fn choose(frame: &Frame<D>, width: [f64; D], most: usize) -> Self {
        let width: [f64; D] = std::array::from_fn(|k| frame.length(k, width[k].max(1.0)));
        // Wider along all axes alike, so that cells keep the shape that was asked for.
        let mut factor = 1.0;
        loop {
            let cells: [u32; D] = std::array::from_fn(|k| frame.cells(k, factor * width[k]));
            let total = cells.iter().fold(1.0, |product, &cells| product * f64::from(cells));
            if total <= most.max(1) as f64 {
                return Self::new(cells);
            }
            factor *= 1.1;
        }
    }

    /// How many cells there are.
    pub(super) fn total(&self) -> usize {
        self.cells.iter().map(|&cells| cells as usize).product()
    }

    /// The cell along axis `k` that `place` is in.
    #[inline]
    pub(super) fn cell(&self, k: usize, place: u16) -> u32 {
        // A division that costs none, since an axis is 2^16 units.
        (u32::from(place) * self.cells[k]) >> 16
    }

    /// The cells along axis `k` that a span overlaps.
    #[inline]
    pub(super) fn run(&self, k: usize, span: UnitSpan) -> Run {
        let of = self.cells[k];
        if span.length >= self.whole[k] {
            return Run { first: 0, count: of, of };
        }
        let first = self.cell(k, span.from);
        let last = self.cell(k, span.from.wrapping_add(span.length));
        let count = if last >= first { last - first } else { last + of - first } + 1;
        Run { first, count, of }
    }

    /// The cell that a box begins in.
    #[inline]
    pub(super) fn corner(&self, swept: &SweptBox<D>) -> usize {
        (0..D)
            .rev()
            .fold(0, |cell, k| cell * self.cells[k] as usize + self.cell(k, swept[k].from) as usize)
    }

    /// Calls `visit` with the beginning of each row that a box overlaps, where rows are of this
    /// `length`.
    #[inline]
    pub(super) fn rows(&self, swept: &SweptBox<D>, length: usize, mut visit: impl FnMut(usize)) {
        match D {
            1 => visit(0),
            2 => self.run(1, swept[1]).each(|y| visit(y as usize * length)),
            _ => {
                let run = self.run(1, swept[1]);
                self.run(2, swept[2]).each(|z| {
                    let rows = z as usize * self.cells[1] as usize;
                    run.each(|y| visit((rows + y as usize) * length));
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Domain;

    #[test]
    fn runs_wrap_and_name_each_cell_once() {
        let frame = Frame::<1>::new(&Domain::new([10.0], [true]), 1.0);
        let lattice = BoxLattice::<1>::choose(&frame, [f64::from(1_u16 << 13)], 100);
        assert_eq!(lattice.cells, [8]);
        let cell = 1 << 13;
        let cells = |from, length| {
            let mut cells = Vec::new();
            lattice.run(0, UnitSpan { from, length }).each(|cell| cells.push(cell));
            cells
        };
        assert_eq!(cells(5, 0), [0]);
        assert_eq!(cells(6 * cell + 5, 2 * cell), [6, 7, 0]);
        assert_eq!(cells(0, u16::MAX).len(), 8);
        let whole_but_little = lattice.run(0, UnitSpan { from: cell - 1, length: 7 * cell });
        assert_eq!(whole_but_little.count, 8);
        let [one, two] = lattice.run(0, UnitSpan { from: 7 * cell, length: 2 * cell }).ranges();
        assert_eq!((one, two), (7..8, 0..2));
    }
}
