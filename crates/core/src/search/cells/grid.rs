//! The geometry of a regular lattice: which cells a place is in, and which cells are neighbours.

use super::line::Line;
use crate::space::{Domain, Vector};

/// A block of cells: along each axis the first coordinate and how many from there on, around the
/// box along periodic axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span<const D: usize> {
    /// The lowest coordinates.
    pub first: [u32; D],
    /// How many cells along each axis, at least 1, at most all.
    pub count: [u32; D],
}

impl<const D: usize> Span<D> {
    /// How many cells the block has.
    pub(super) fn len(&self) -> u64 {
        self.count.iter().map(|&n| u64::from(n)).product()
    }
}

/// A box divided evenly into cells, possibly along some axes only.
///
/// The cells are numbered such that the most divided axis varies slowest: all cells of one layer
/// across that axis follow each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<const D: usize> {
    domain: Domain<D>,
    counts: [u32; D],
    pub(super) strides: [u32; D],
    widths: [f64; D],
    /// Cells per length.
    pub(super) inverse: [f64; D],
    /// The axes, the least divided first.
    order: [usize; D],
}

impl<const D: usize> Grid<D> {
    /// Divides `domain` along the axes that are `divided` into cells that are at least
    /// `least_width` \[length\] wide, and wider where there would be more than `most_cells`.
    pub fn new(
        domain: &Domain<D>,
        divided: [bool; D],
        least_width: f64,
        most_cells: usize,
    ) -> Self {
        let edges = domain.edges();
        let axes = (0..D).filter(|&k| divided[k]);
        let (volume, dimension) = axes.fold((1.0, 0), |(v, d), k| (v * edges[k], d + 1));
        let most = most_cells as f64;
        let counts_at = |width: f64| -> [f64; D] {
            std::array::from_fn(|k| match divided[k] {
                true => (edges[k] / width).floor().max(1.0),
                false => 1.0,
            })
        };
        // Cells of the width (volume / most)^(1/d) are never too many while every axis is at least
        // one cell long, since the counts are rounded down. So the loop makes more than one step
        // only in flat boxes, where an axis shorter than a cell still counts as one.
        let mut width =
            f64::max(least_width, (volume / most).powf(1.0 / f64::from(dimension)) * 0.999);
        while counts_at(width).iter().product::<f64>() > most {
            width *= 1.01;
        }
        Self::with_counts(domain, counts_at(width).map(|n| n as u32))
    }

    fn with_counts(domain: &Domain<D>, counts: [u32; D]) -> Self {
        let edges = domain.edges();
        let mut order: [usize; D] = std::array::from_fn(|k| k);
        // The most divided axis is the slowest, which gives the walk over layers as many layers as
        // possible to share out among the threads.
        order.sort_by_key(|&k| counts[k]);
        let mut strides = [1; D];
        let mut stride = 1;
        for k in order {
            strides[k] = stride;
            stride *= counts[k];
        }
        Self {
            domain: domain.clone(),
            counts,
            strides,
            widths: std::array::from_fn(|k| edges[k] / f64::from(counts[k])),
            inverse: std::array::from_fn(|k| f64::from(counts[k]) / edges[k]),
            order,
        }
    }

    /// The box that is divided.
    pub fn domain(&self) -> &Domain<D> {
        &self.domain
    }

    /// How many cells along each axis.
    pub fn counts(&self) -> [u32; D] {
        self.counts
    }

    /// The edges of a cell. \[length\]
    pub fn widths(&self) -> [f64; D] {
        self.widths
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.counts.iter().map(|&n| n as usize).product()
    }

    /// Never: there is at least one cell.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Whether there are enough cells along axis `k` for some not to be neighbours: only then are
    /// particles bound to stay near their cell along it.
    #[inline]
    pub fn binds(&self, k: usize) -> bool {
        self.counts[k] >= 3
    }

    /// The widest that particles may need their cells to be, see `needed`, and be suited wherever
    /// they are. \[length\]
    #[inline]
    pub(in crate::search) fn room(&self) -> f64 {
        let bound = (0..D).filter(|&k| self.binds(k));
        bound.map(|k| self.widths[k]).fold(f64::INFINITY, f64::min)
    }

    /// Whether this one serves in the place of another that would suit, so that changing them does
    /// not pay: its cells are as wide, and wider by little.
    pub(in crate::search) fn serves_for(&self, other: &Self) -> bool {
        let serves = |ours: u32, theirs: u32| ours <= theirs && (theirs - ours) * 8 <= theirs;
        self.domain == other.domain && (0..D).all(|k| serves(self.counts[k], other.counts[k]))
    }

    /// The axes for the walk over all cells: fast, middle and slow. Missing ones have one cell.
    pub(super) fn lines(&self) -> [Line; 3] {
        let line = |k: usize| Line::new(self.counts[k], self.domain.is_periodic(k));
        let none = Line::new(1, false);
        match self.order[..] {
            [slow] => [none, none, line(slow)],
            [fast, slow] => [line(fast), none, line(slow)],
            [fast, middle, slow] => [line(fast), line(middle), line(slow)],
            _ => [none; 3],
        }
    }

    /// The number of the cell at `coordinates`.
    #[inline]
    pub fn cell(&self, coordinates: [u32; D]) -> u32 {
        (0..D).map(|k| coordinates[k] * self.strides[k]).sum()
    }

    /// The coordinates of a cell.
    #[inline]
    pub fn coordinates(&self, cell: u32) -> [u32; D] {
        let (mut coordinates, mut rest) = ([0; D], cell);
        for &k in self.order.iter().rev() {
            coordinates[k] = rest / self.strides[k];
            rest -= coordinates[k] * self.strides[k];
        }
        coordinates
    }

    /// The cell that holds a place within the box; a place beyond a reflecting face belongs to the
    /// cell at that face.
    #[inline]
    pub fn span_of_point(&self, place: Vector<D>) -> Span<D> {
        Span {
            // The conversion takes what is negative to 0, and the product may round up to the
            // count. Near a face between cells it may also round into the wrong cell. That does no
            // harm: the cell condition is checked for the cell that was chosen.
            first: std::array::from_fn(|k| {
                ((place[k] * self.inverse[k]) as u32).min(self.counts[k] - 1)
            }),
            count: [1; D],
        }
    }

    /// The cells that meet the block from `low` to `high`, which may reach beyond the box.
    pub fn span_of_box(&self, low: Vector<D>, high: Vector<D>) -> Span<D> {
        let mut span = Span { first: [0; D], count: self.counts };
        for k in 0..D {
            let n = f64::from(self.counts[k]);
            let (mut a, mut b) =
                ((low[k] * self.inverse[k]).floor(), (high[k] * self.inverse[k]).floor());
            if self.domain.is_periodic(k) {
                // Includes infinite bounds, for which the remainder below would not be a number.
                if b - a + 1.0 >= n {
                    continue;
                }
                // Exact, since `a` is whole: it cannot round up to `n`, which would be no
                // coordinate.
                let start = a.rem_euclid(n);
                (a, b) = (start, start + b - a);
            } else {
                (a, b) = (a.clamp(0.0, n - 1.0), b.clamp(0.0, n - 1.0));
            }
            span.first[k] = a as u32;
            span.count[k] = (b - a) as u32 + 1;
        }
        span
    }

    /// The block from its first and its last cell, as [`Grid::cells`] lists them.
    #[inline]
    pub fn span_between(&self, first: u32, last: u32) -> Span<D> {
        let start = self.coordinates(first);
        if first == last {
            return Span { first: start, count: [1; D] };
        }
        let end = self.coordinates(last);
        Span {
            first: start,
            count: std::array::from_fn(|k| self.around(end[k] + self.counts[k] - start[k], k) + 1),
        }
    }

    /// A coordinate of less than twice the count, brought back into the box. (Division is slow.)
    #[inline]
    fn around(&self, c: u32, k: usize) -> u32 {
        if c < self.counts[k] { c } else { c - self.counts[k] }
    }

    /// The last cell of a block.
    #[inline]
    pub fn last(&self, span: Span<D>) -> u32 {
        self.cell(std::array::from_fn(|k| self.around(span.first[k] + span.count[k] - 1, k)))
    }

    /// The cells of a block, each once.
    #[inline]
    pub fn cells(&self, span: Span<D>) -> impl Iterator<Item = u32> + '_ {
        let mut next = Some([0; D]);
        std::iter::from_fn(move || {
            let offset = next?;
            let cell = std::array::from_fn(|k| self.around(span.first[k] + offset[k], k));
            let cell = self.cell(cell);
            next = None;
            let mut following = offset;
            for k in 0..D {
                following[k] += 1;
                if following[k] < span.count[k] {
                    next = Some(following);
                    break;
                }
                following[k] = 0;
            }
            Some(cell)
        })
    }

    /// Calls `f` with the first and the last cell of each row of a block along the fast axis; twice
    /// where the row continues at the other face of the box.
    #[inline]
    pub(super) fn each_row(&self, span: Span<D>, mut f: impl FnMut(u32, u32)) {
        let fast = self.order[0];
        let start = span.first[fast];
        let before = span.count[fast].min(self.counts[fast] - start);
        let rest = span.count[fast] - before;
        let mut rows = Span { first: span.first, count: span.count };
        (rows.first[fast], rows.count[fast]) = (0, 1);
        for row in self.cells(rows) {
            f(row + start, row + start + before - 1);
            if rest > 0 {
                f(row, row + rest - 1);
            }
        }
    }

    /// The block and its neighbours, except for those in the directions whose bits are set in
    /// `pruned`: bit `2 k` is down axis `k`, bit `2 k + 1` up.
    #[inline]
    pub fn widened(&self, span: Span<D>, pruned: u8) -> Span<D> {
        let mut wide = span;
        for k in 0..D {
            let n = self.counts[k];
            let [down, up] = [0, 1].map(|side| u32::from(pruned >> (2 * k + side) & 1 == 0));
            // With fewer than three cells, all are neighbours, and nothing confines a particle.
            if !self.binds(k) {
                (wide.first[k], wide.count[k]) = (0, n);
            } else if !self.domain.is_periodic(k) {
                let end = (span.first[k] + span.count[k] + up).min(n);
                wide.first[k] = span.first[k].saturating_sub(down);
                wide.count[k] = end - wide.first[k];
            } else if span.count[k] + down + up >= n {
                // Continuing around would list some cells, and report their particles, twice.
                (wide.first[k], wide.count[k]) = (0, n);
            } else {
                wide.first[k] = self.around(span.first[k] + n - down, k);
                wide.count[k] = span.count[k] + down + up;
            }
        }
        wide
    }

    /// How far along axis `k` the place (within the box) is from the middle of the block, the
    /// shorter way around a periodic box. \[length\]
    #[inline]
    pub fn from_middle(&self, span: &Span<D>, place: Vector<D>, k: usize) -> f64 {
        let middle = f64::from(span.first[k]) + 0.5 * f64::from(span.count[k]);
        // The middle of a block that wraps may lie up to half an edge beyond the face, so this is
        // between -3/2 and 1 edges, and one period is always enough.
        let x = place[k] - middle * self.widths[k];
        if self.domain.is_periodic(k) {
            let edge = self.domain.edges()[k];
            if x > 0.5 * edge {
                return x - edge;
            } else if x < -0.5 * edge {
                return x + edge;
            }
        }
        x
    }

    /// The image of a place within the box that is nearest to the middle of the block.
    #[inline]
    pub(super) fn image_next_to(&self, span: &Span<D>, place: Vector<D>) -> Vector<D> {
        Vector::from_fn(|k| {
            let middle = f64::from(span.first[k]) + 0.5 * f64::from(span.count[k]);
            middle * self.widths[k] + self.from_middle(span, place, k)
        })
    }

    /// The cell condition, in the form that the proof of Result 1 uses: a particle of extent `pad`
    /// (radius and rounding) that starts at `place` within the box and moves by `travel` stays
    /// within the block inflated by half a cell.
    ///
    /// Two particles of which this holds touch only if their blocks share a cell or have
    /// neighbouring ones, whatever the time (Johnson & Whalley 2002, section 4.3).
    #[inline]
    pub fn confines(&self, span: &Span<D>, place: Vector<D>, travel: Vector<D>, pad: f64) -> bool {
        (0..D).all(|k| {
            if !self.binds(k) || span.count[k] == self.counts[k] {
                return true;
            }
            // Two particles whose blocks are not neighbours along some axis have at least one whole
            // cell between them, and each may enter it up to the middle. The path is straight, so
            // the ends of the travel bound it, and `pad` contains the rounding of this comparison.
            let x = self.from_middle(span, place, k);
            let most = 0.5 * f64::from(span.count[k] + 1) * self.widths[k];
            x + travel[k].min(0.0) - pad >= -most && x + travel[k].max(0.0) + pad <= most
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(counts: [u32; 2], periodic: [bool; 2]) -> Grid<2> {
        let edges = counts.map(f64::from);
        Grid::with_counts(&Domain::new(edges, periodic), counts)
    }

    #[test]
    fn cells_are_at_least_as_wide_and_at_most_as_many_as_asked_for() {
        let domain = Domain::new([100.0, 30.0, 4.0], [true; 3]);
        let fine = Grid::new(&domain, [true; 3], 5.0, 1000);
        assert_eq!(fine.counts(), [20, 6, 1]);
        let coarse = Grid::new(&domain, [true; 3], 0.0, 500);
        assert!(coarse.len() <= 500 && coarse.len() > 250, "{coarse:?}");
        let slices = Grid::new(&domain, [true, false, false], 5.0, 1000);
        assert_eq!(slices.counts(), [20, 1, 1]);
        assert_eq!(Grid::new(&domain, [true; 3], f64::INFINITY, 9).len(), 1);
    }

    #[test]
    fn coordinates_and_numbers_are_inverse() {
        let grid = grid([3, 5], [true, false]);
        for cell in 0..15 {
            assert_eq!(grid.cell(grid.coordinates(cell)), cell);
        }
    }

    #[test]
    fn blocks_wrap_around_periodic_axes_and_end_at_faces() {
        let grid = grid([5, 4], [true, false]);
        let span = grid.span_of_box(Vector([-0.5, -0.5]), Vector([1.5, 0.5]));
        assert_eq!((span.first, span.count), ([4, 0], [3, 1]));
        let cells: Vec<_> = grid.cells(span).collect();
        assert_eq!(cells.len(), 3);
        assert_eq!(grid.span_between(cells[0], cells[2]), span);
        assert_eq!(grid.last(span), cells[2]);
        let wide = grid.widened(span, 0);
        assert_eq!((wide.first, wide.count), ([0, 0], [5, 2]));
        let half = grid.widened(span, 0b1001);
        assert_eq!((half.first, half.count), ([4, 0], [4, 1]));
        let all = grid.span_of_box(Vector([-9.0, 1.0]), Vector([9.0, 99.0]));
        assert_eq!((all.first, all.count), ([0, 1], [5, 3]));
    }

    #[test]
    fn the_condition_is_that_of_the_proof() {
        let grid = grid([5, 5], [true; 2]);
        let span = grid.span_of_point(Vector([0.25, 4.5]));
        let holds = |x: f64, travel: f64, pad: f64| {
            grid.confines(&span, Vector([x, 4.5]), Vector([travel, 0.0]), pad)
        };
        assert!(holds(0.25, 0.5, 0.25) && holds(0.25, -0.5, 0.25));
        assert!(!holds(0.25, -0.51, 0.25) && !holds(0.25, 1.01, 0.25));
        // Just across the face of the box it is still near its cell.
        assert!(holds(4.9, 0.0, 0.25) && !holds(4.6, 0.0, 0.25));
    }
}
