//! Directional half-cell pruning (Johnson & Whalley 2002, section 4.2 and Figure 5).
//!
//! A particle that lies wholly in one half of its cell and does not move towards the other half
//! cannot meet a particle from the cells beyond that other half: the cell condition keeps those
//! within half a cell of their own. (In three dimensions these are nine cubes; Johnson & Whalley
//! say three.) It holds for the particle's present path only, so it is worked out afresh from the
//! path whenever it is asked.
//!
//! Directions are bits: bit `2 k` is down axis `k`, bit `2 k + 1` up.

use crate::search::Listing;
use crate::search::cells::{Grid, Lattice, Span, place_at};
use crate::space::{Paths, Vector};

impl<const D: usize> Lattice<D> {
    /// Directions in which no contacts of regular particle `i` need be sought; 0 without pruning.
    #[inline]
    pub(in crate::search) fn pruned(&self, paths: &Paths<'_, D>, span: &Span<D>, i: u32) -> u8 {
        if !self.how.pruning {
            return 0;
        }
        let i = i as usize;
        let (place, _) = place_at(paths, i, self.window().start);
        let pad = paths.radius[i] + paths.domain.rounding();
        directions(&self.grid, span, place, paths.velocity[i], pad)
    }

    /// Whether the direction towards the other's cell is pruned for `i` or for `j`, both regular.
    /// False unless listed by centre: particles in several cells are seen from each of them.
    #[inline]
    pub(in crate::search) fn looks_past(&self, paths: &Paths<'_, D>, i: u32, j: u32) -> bool {
        let (Listing::Centre, Some([a, _]), Some([b, _])) =
            (self.how.listing, self.links.home(i), self.links.home(j))
        else {
            return false;
        };
        let grid = &self.grid;
        let (here, there) = (grid.span_between(a, a), grid.span_between(b, b));
        let towards = towards(grid, here.first, b);
        let back = opposite(towards);
        self.pruned(paths, &there, j) & back != 0 || self.pruned(paths, &here, i) & towards != 0
    }
}

/// The directions in which no contacts need be sought for a particle that is at `place` within the
/// box, with `velocity` and an extent of `pad` (radius and rounding), and is listed in `span`.
#[inline]
fn directions<const D: usize>(
    grid: &Grid<D>,
    span: &Span<D>,
    place: Vector<D>,
    velocity: Vector<D>,
    pad: f64,
) -> u8 {
    let mut pruned = 0;
    // Where nothing binds particles to their cells, there is no side from which none can come.
    for k in (0..D).filter(|&k| grid.binds(k)) {
        let x = grid.from_middle(span, place, k);
        // The dividing planes of the first and of the last cell are as far from the middle.
        let plane = 0.5 * f64::from(span.count[k] - 1) * grid.widths()[k];
        if x - pad >= -plane && velocity[k] >= 0.0 {
            pruned |= 1 << (2 * k);
        }
        if x + pad <= plane && velocity[k] <= 0.0 {
            pruned |= 2 << (2 * k);
        }
    }
    pruned
}

/// The opposite directions.
#[inline]
fn opposite(directions: u8) -> u8 {
    (directions & 0b01_0101) << 1 | (directions & 0b10_1010) >> 1
}

/// The directions in which `cell` lies as seen from the neighbouring cell `from`.
#[inline]
fn towards<const D: usize>(grid: &Grid<D>, from: [u32; D], cell: u32) -> u8 {
    let to = grid.coordinates(cell);
    let mut directions = 0;
    for k in (0..D).filter(|&k| grid.binds(k) && to[k] != from[k]) {
        let n = grid.counts()[k];
        // With three cells around the box, the cell below is also two cells above; it counts as
        // below. From above it can get no farther than the common face of two inflated cells.
        let up =
            if grid.domain().is_periodic(k) { to[k] == (from[k] + 1) % n } else { to[k] > from[k] };
        directions |= if up { 2 } else { 1 } << (2 * k);
    }
    directions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Domain;

    #[test]
    fn a_particle_in_one_half_looks_ahead_only() {
        let grid = Grid::new(&Domain::new([6.0, 6.0], [true; 2]), [true; 2], 2.0, 99);
        let span = grid.span_of_point(Vector([2.5, 0.5]));
        let pruned = |x: f64, vx: f64| {
            directions(&grid, &span, Vector([x, 0.5]), Vector([vx, 0.1]), 0.25) & 0b11
        };
        assert_eq!(pruned(2.5, -1.0), 0b10, "in the lower half, moving down");
        assert_eq!(pruned(2.5, 1.0), 0, "moving towards the plane");
        assert_eq!(pruned(3.5, 1.0), 0b01, "in the upper half, moving up");
        assert_eq!(pruned(3.25, 0.0), 0b01, "at the plane, at rest");
        assert_eq!(pruned(3.2, 1.0), 0, "across the plane");
    }

    #[test]
    fn directions_between_cells_are_opposite() {
        let grid = Grid::new(&Domain::new([9.0, 9.0], [true, false]), [true; 2], 3.0, 99);
        let (a, b) = (grid.cell([0, 1]), grid.cell([2, 2]));
        let there = towards(&grid, grid.coordinates(a), b);
        let back = towards(&grid, grid.coordinates(b), a);
        assert_eq!((there, back), (0b1001, 0b0110));
        assert_eq!(opposite(there), back);
    }
}
