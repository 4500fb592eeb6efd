//! Whether a mesh crosses or touches itself.
//!
//! Two triangles that meet do so where an edge of the one meets the other (Möller 1997), so edges
//! are held against facets, and only facets whose boxes meet. Touching within rounding counts as
//! meeting. Neighbours meet by right at the corners they share; what is asked of them is whether
//! what they do not share lies on the other.

use std::array::from_fn;

use super::segments::segment_distance;
use super::tree::{BoxTree, Visitor};
use super::{Facet, Vector};

/// Two facets that meet where they should not, the lower number first. Distances below `rounding`
/// are none.
pub(super) fn crossing<const D: usize>(
    tree: &BoxTree<D>,
    corners: &[[u32; D]],
    rounding: f64,
) -> Option<[u32; 2]> {
    tree.facets().iter().find_map(|facet| {
        let grown = Vector([rounding; D]);
        let [low, high] = facet.bounds();
        let mut search = FacetSearch {
            facet,
            corners,
            rounding,
            low: low - grown,
            high: high + grown,
            found: None,
        };
        tree.walk(&mut search);
        search.found.map(|other| [facet.number, other])
    })
}

/// Looks for facets of higher numbers that one facet meets.
struct FacetSearch<'a, const D: usize> {
    facet: &'a Facet<D>,
    corners: &'a [[u32; D]],
    rounding: f64,
    low: Vector<D>,
    high: Vector<D>,
    found: Option<u32>,
}

impl<const D: usize> Visitor<D> for FacetSearch<'_, D> {
    fn enters(&self, low: Vector<D>, high: Vector<D>) -> bool {
        self.found.is_none() && (0..D).all(|k| low[k] <= self.high[k] && self.low[k] <= high[k])
    }

    fn sees(&mut self, other: &Facet<D>) {
        if other.number > self.facet.number && self.found.is_none() && self.meets(other) {
            self.found = Some(other.number);
        }
    }
}

impl<const D: usize> FacetSearch<'_, D> {
    fn meets(&self, other: &Facet<D>) -> bool {
        let (ours, theirs) =
            (&self.corners[self.facet.number as usize], &self.corners[other.number as usize]);
        let free = |mine: &[u32; D], their: &[u32; D]| -> [bool; D] {
            from_fn(|k| !their.contains(&mine[k]))
        };
        let pairs =
            [(self.facet, other, free(ours, theirs)), (other, self.facet, free(theirs, ours))];
        let shared = pairs[0].2.iter().filter(|free| !**free).count();
        if shared == D {
            return true;
        }
        if pairs.iter().any(|(a, b, free)| self.keeps_clear(a, b, free)) {
            return false;
        }
        if shared == D - 1 {
            return pairs.iter().any(|(a, b, free)| self.rests_on(a, b, free));
        }
        pairs.iter().any(|(a, b, free)| {
            let sides = Facet::<D>::sides().filter(|side| side.iter().all(|&k| free[k]));
            sides.into_iter().any(|side| self.pierces(side.map(|k| a.corners[k]), b))
        })
    }

    /// Whether all free corners of `a` lie well on one side of the plane of `b`.
    fn keeps_clear(&self, a: &Facet<D>, b: &Facet<D>, free: &[bool; D]) -> bool {
        let heights = || (0..D).filter(|&k| free[k]).map(|k| b.height(a.corners[k]));
        heights().all(|height| height > self.rounding)
            || heights().all(|height| height < -self.rounding)
    }

    /// Whether a free corner of `a` lies on `b`.
    fn rests_on(&self, a: &Facet<D>, b: &Facet<D>, free: &[bool; D]) -> bool {
        (0..D).any(|k| free[k] && b.offset(a.corners[k], 0.0).norm() <= self.rounding)
    }

    /// Whether a segment meets a facet.
    fn pierces(&self, [start, end]: [Vector<D>; 2], facet: &Facet<D>) -> bool {
        if [start, end].iter().any(|&point| facet.offset(point, 0.0).norm() <= self.rounding) {
            return true;
        }
        let (above, below) = (facet.height(start), facet.height(end));
        if (above > 0.0) != (below > 0.0) {
            let met = start + (end - start) * (above / (above - below));
            if facet.is_below(met, self.rounding) {
                return true;
            }
        }
        let near = |[a, b]: [usize; 2]| {
            segment_distance([start, end], [facet.corners[a], facet.corners[b]]) <= self.rounding
        };
        D > 2 && Facet::<D>::sides().any(near)
    }
}
