//! The geometry of cells that particles cross: which cell a place is in, which cells are around it,
//! and when a particle leaves its cell.

use jostle_core::space::{Domain, Flights, Vector, first_reach};

/// A cell, counted along each axis. Unwrapped coordinates run on around the box along periodic
/// axes; along others they end at the faces, and the outermost cells continue beyond them.
pub(super) type Cell<const D: usize> = [i32; D];

/// A face that a particle crosses: the axis, and whether it is the upper one of its cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Crossing {
    pub(super) axis: u8,
    pub(super) upper: bool,
}

/// The least width of cells, at least `least`, of which a box holds no more than about `most`.
/// \[length\]
pub(super) fn width_for<const D: usize>(domain: &Domain<D>, least: f64, most: f64) -> f64 {
    let edges = domain.edges();
    let mut width = least;
    // Axes that are shorter than a cell have one cell, however wide.
    for _ in 0..D {
        let divided = edges.iter().filter(|&&edge| edge > width);
        let (volume, axes) =
            divided.fold((1.0, 0), |(volume, axes), edge| (volume * edge, axes + 1));
        if axes == 0 {
            break;
        }
        width = width.max(libm::pow(volume / most, 1.0 / f64::from(axes)));
    }
    width
}

/// Fewer cells along a periodic axis could not tell one image of a pair from another.
const FEWEST_AROUND: i32 = 4;

/// A box divided evenly into cells.
#[derive(Clone, Debug)]
pub(super) struct Lattice<const D: usize> {
    pub(super) counts: [i32; D],
    periodic: [bool; D],
    widths: [f64; D],
    inverse: [f64; D],
    /// Neighbours are in cells at most so many away along each axis ...
    reach: [i32; D],
    /// ... or anywhere along it, where the box is too small for its cells to be distinguished.
    all: [bool; D],
}

impl<const D: usize> Lattice<D> {
    /// `counts` cells along each axis, for particles whose centres are at most `distance` apart
    /// when they touch. \[length\] Axes that close on themselves get at least four.
    pub(super) fn new(domain: &Domain<D>, counts: [i32; D], distance: f64) -> Self {
        let edges = domain.edges();
        let periodic = std::array::from_fn(|k| domain.is_periodic(k));
        let counts: Cell<D> = std::array::from_fn(|k| match periodic[k] {
            true => counts[k].max(FEWEST_AROUND),
            false => counts[k].max(1),
        });
        let widths = std::array::from_fn(|k| edges[k] / f64::from(counts[k]));
        let reach: Cell<D> =
            std::array::from_fn(|k| (distance / widths[k]).ceil().clamp(1.0, 1e9) as i32);
        Self {
            counts,
            periodic,
            widths,
            inverse: std::array::from_fn(|k| f64::from(counts[k]) / edges[k]),
            reach,
            // A pair in cells around each other must not be more than half the box apart.
            all: std::array::from_fn(|k| periodic[k] && 2 * (reach[k] + 1) > counts[k]),
        }
    }

    /// The cell that holds a place.
    pub(super) fn cell(&self, place: Vector<D>) -> Cell<D> {
        std::array::from_fn(|k| {
            let c = (place[k] * self.inverse[k]).floor() as i32;
            if self.periodic[k] { c } else { c.clamp(0, self.counts[k] - 1) }
        })
    }

    /// The same cell, counted so that `place`, which is in it but for whole periods and rounding,
    /// is.
    pub(super) fn moved_to(&self, cell: Cell<D>, place: Vector<D>) -> Cell<D> {
        std::array::from_fn(|k| match self.periodic[k] {
            true => {
                let off = place[k] * self.inverse[k] - (f64::from(cell[k]) + 0.5);
                cell[k] + self.counts[k] * (off / f64::from(self.counts[k])).round() as i32
            }
            false => cell[k],
        })
    }

    /// The coordinate `c` along axis `k`, brought into the box; none if it is beyond a face.
    #[inline]
    pub(super) fn wrapped(&self, k: usize, mut c: i32) -> Option<i32> {
        let count = self.counts[k];
        if !self.periodic[k] {
            return (0..count).contains(&c).then_some(c);
        }
        if c < 0 {
            c += count;
        } else if c >= count {
            c -= count;
        }
        // A particle that flies round and round without meeting any particle is many laps away.
        Some(if (0..count).contains(&c) { c } else { c.rem_euclid(count) })
    }

    /// The cell, brought into the box.
    #[inline]
    pub(super) fn inside(&self, cell: Cell<D>) -> Cell<D> {
        std::array::from_fn(|k| self.wrapped(k, cell[k]).unwrap_or(0))
    }

    /// When a particle in `cell` leaves it, and through which face: the first from `now` on.
    pub(super) fn leaves(
        &self,
        i: u32,
        cell: Cell<D>,
        flights: &Flights<'_, D>,
        now: f64,
    ) -> (f64, Crossing) {
        let (x, v) = (flights.at(i, now), flights.velocity_at(i, now));
        let g = flights.acceleration;
        let mut first = (f64::INFINITY, Crossing::default());
        for k in 0..D {
            let lower = f64::from(cell[k]) * self.widths[k];
            let last = !self.periodic[k] && cell[k] == self.counts[k] - 1;
            let begin = !self.periodic[k] && cell[k] == 0;
            // Without acceleration there is only one way to go.
            if !last && (v[k] > 0.0 || g[k] > 0.0) {
                let t = first_reach(lower + self.widths[k] - x[k], v[k], g[k]);
                if t < first.0 {
                    first = (t, Crossing { axis: k as u8, upper: true });
                }
            }
            if !begin && (v[k] < 0.0 || g[k] < 0.0) {
                let t = first_reach(x[k] - lower, -v[k], -g[k]);
                if t < first.0 {
                    first = (t, Crossing { axis: k as u8, upper: false });
                }
            }
        }
        (now + first.0, first.1)
    }

    /// How far apart centres may be that touch, for cells around to be enough. \[length\]
    pub(super) fn distance(&self) -> f64 {
        let least =
            (0..D).filter(|&k| !self.all[k]).map(|k| f64::from(self.reach[k]) * self.widths[k]);
        least.fold(f64::INFINITY, f64::min)
    }

    /// Holds particle `i` to be in its cell, but for rounding. For tests.
    ///
    /// # Panics
    /// If it is not.
    pub(super) fn assert_holds(&self, i: u32, cell: Cell<D>, flights: &Flights<'_, D>, now: f64) {
        let at = flights.at(i, now);
        for k in 0..D {
            let (x, end) = (at[k] * self.inverse[k] - f64::from(cell[k]), self.counts[k] - 1);
            let below = x >= -1e-6 || (!self.periodic[k] && cell[k] == 0);
            let above = x <= 1.0 + 1e-6 || (!self.periodic[k] && cell[k] == end);
            assert!(below && above, "particle {i} at {at:?} is not in cell {cell:?} of {self:?}");
        }
    }

    /// Whether a pair in cells around each other is nearest through the image that these cells are
    /// next to each other in.
    pub(super) fn tells_images_apart(&self) -> bool {
        !self.all.contains(&true)
    }

    /// Visits all cells in which neighbours of a particle in `cell` may be, that one included: runs
    /// of cells along the last axis, the first one and how many.
    #[inline]
    pub(super) fn around(&self, cell: Cell<D>, visit: impl FnMut(Cell<D>, i32)) {
        self.visit(std::array::from_fn(|k| self.range(k, cell[k])), visit);
    }

    /// Visits the cells that are around `cell` but were not around the one that `crossing` led
    /// from.
    #[inline]
    pub(super) fn new_around(
        &self,
        cell: Cell<D>,
        crossing: Crossing,
        visit: impl FnMut(Cell<D>, i32),
    ) {
        let axis = crossing.axis as usize;
        let mut ranges = std::array::from_fn(|k| self.range(k, cell[k]));
        // Where all are around no particle is new, but another image of a neighbour may be the
        // nearest now.
        if !self.all[axis] {
            let outermost = if crossing.upper { self.reach[axis] } else { -self.reach[axis] };
            ranges[axis] = (cell[axis] + outermost, 1);
        }
        self.visit(ranges, visit);
    }

    /// Along axis `k`, the first of the cells around the one at `c`, and how many.
    #[inline]
    fn range(&self, k: usize, c: i32) -> (i32, i32) {
        let reach = self.reach[k];
        match self.all[k] {
            true => (0, self.counts[k]),
            false => (c - reach, 2 * reach + 1),
        }
    }

    /// Visits a block of cells: the first coordinate and how many along each axis.
    #[inline]
    fn visit(&self, ranges: [(i32, i32); D], mut visit: impl FnMut(Cell<D>, i32)) {
        let last = D - 1;
        let runs = self.runs(ranges[last]);
        let mut at: Cell<D> = ranges.map(|(first, _)| first);
        let mut cell = [0; D];
        loop {
            let mut inside = true;
            for k in 0..last {
                match self.wrapped(k, at[k]) {
                    Some(c) => cell[k] = c,
                    None => inside = false,
                }
            }
            if inside {
                for &(first, count) in runs.iter().filter(|(_, count)| *count > 0) {
                    cell[last] = first;
                    visit(cell, count);
                }
            }
            let Some(k) = (0..last).rev().find(|&k| at[k] + 1 < ranges[k].0 + ranges[k].1) else {
                return;
            };
            at[k] += 1;
            for later in k + 1..last {
                at[later] = ranges[later].0;
            }
        }
    }

    /// A stretch of the last axis within the box: one run of cells, or two where it continues
    /// around.
    #[inline]
    fn runs(&self, (first, count): (i32, i32)) -> [(i32, i32); 2] {
        let (last, all) = (D - 1, self.counts[D - 1]);
        if !self.periodic[last] {
            let (from, to) = (first.max(0), (first + count).min(all));
            return [(from, to - from), (0, 0)];
        }
        let from = self.wrapped(last, first).unwrap_or(0);
        let straight = count.min(all - from);
        [(from, straight), (0, count - straight)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::space::Flight;

    #[test]
    fn every_cell_is_around_nine_and_three_are_new() {
        let domain = Domain::new([60.0, 60.0], [true, false]);
        let lattice = Lattice::new(&domain, [6, 6], 10.0);
        let count = |cell| {
            let mut n = 0;
            lattice.around(cell, |_, run| n += run);
            n
        };
        assert_eq!([count([0, 2]), count([0, 0]), count([7, 5])], [9, 6, 6]);
        let mut new = Vec::new();
        lattice.new_around([6, 2], Crossing { axis: 0, upper: true }, |cell, run| {
            new.push((cell, run))
        });
        assert_eq!(new, [([1, 1], 3)]);
    }

    #[test]
    fn a_small_periodic_box_is_all_around() {
        let domain = Domain::new([30.0, 60.0], [true; 2]);
        let lattice = Lattice::new(&domain, [3, 6], 10.0);
        let mut n = 0;
        lattice.around([0, 0], |_, run| n += run);
        assert_eq!((lattice.counts, n), ([4, 6], 12));
    }

    #[test]
    fn particles_leave_through_the_face_they_come_to_first() {
        let domain = Domain::new([60.0, 60.0], [false; 2]);
        let lattice = Lattice::new(&domain, [6, 6], 10.0);
        let all = [Flight {
            position: Vector([15.0, 15.0]),
            velocity: Vector([1.0, 4.0]),
            since: 0.0,
            radius: 1.0,
        }];
        let leaves = |g: f64| {
            let flights = Flights { domain: &domain, acceleration: Vector([0.0, g]), all: &all };
            lattice.leaves(0, [1, 1], &flights, 0.0)
        };
        assert_eq!(leaves(0.0), (1.25, Crossing { axis: 1, upper: true }));
        // It turns round at 15 + 8 / 2 and comes back to 10 after 2 + 3 s.
        assert_eq!(leaves(-2.0), (5.0, Crossing { axis: 0, upper: true }));
        assert_eq!(leaves(-2.1).1.axis, 1);
    }

    #[test]
    fn there_are_not_many_more_cells_than_particles_in_any_box() {
        for edges in [[1e9, 1e9, 1.0], [1e9, 1.0, 1.0], [50.0, 60.0, 70.0], [3.0, 1e7, 2e5]] {
            let width = width_for(&Domain::new(edges, [false; 3]), 0.5, 2e4);
            let cells: f64 = edges.iter().map(|edge| (edge / width).floor().max(1.0)).product();
            assert!(
                width >= 0.5 && (1.0..=2e4).contains(&cells),
                "{cells} cells of {width} in {edges:?}"
            );
        }
        assert_eq!(width_for(&Domain::new([10.0; 2], [true; 2]), 2.0, 1e4), 2.0);
    }

    #[test]
    fn a_wrapped_place_is_in_the_same_cell() {
        let domain = Domain::new([60.0], [true]);
        let lattice = Lattice::new(&domain, [6], 10.0);
        assert_eq!(lattice.moved_to([6], Vector([0.0])), [0]);
        assert_eq!(lattice.moved_to([-1], Vector([60.0 - 1e-12])), [5]);
        assert_eq!(lattice.moved_to([5], Vector([0.0])), [-1], "just beyond its face, by rounding");
    }
}
