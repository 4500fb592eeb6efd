//! Whether a point is inside: how often the ray from it along x meets the surface.
//!
//! The surface is cut with the plane through the point across the last axis, which leaves closed
//! lines; those with the line across the next, which leaves points on the ray; an odd number ahead
//! means inside. A corner on the plane counts as below it, and where an edge is cut depends on that
//! edge alone: the two facets at an edge or the many at a corner always agree, and the lines are
//! closed whatever rounding does. Only whether a point on the ray lies ahead can be wrong, and only
//! if it lies within rounding of the point itself.

use super::tree::{BoxTree, Visitor};
use super::{Facet, Vector};

/// Whether the ray from `point` along the first axis meets the facets that `counted` names an odd
/// number of times.
pub(super) fn is_odd<const D: usize>(
    tree: &BoxTree<D>,
    point: Vector<D>,
    counted: impl Fn(u32) -> bool,
) -> bool {
    let mut ray = Ray { point, counted, odd: false };
    tree.walk(&mut ray);
    ray.odd
}

struct Ray<const D: usize, F> {
    point: Vector<D>,
    counted: F,
    odd: bool,
}

impl<const D: usize, F: Fn(u32) -> bool> Visitor<D> for Ray<D, F> {
    fn enters(&self, low: Vector<D>, high: Vector<D>) -> bool {
        self.point[0] <= high[0]
            && (1..D).all(|k| low[k] <= self.point[k] && self.point[k] <= high[k])
    }

    fn sees(&mut self, facet: &Facet<D>) {
        self.odd ^= (self.counted)(facet.number) && self.meets(facet);
    }
}

impl<const D: usize, F> Ray<D, F> {
    fn meets(&self, facet: &Facet<D>) -> bool {
        let corners = &facet.corners;
        if D == 2 {
            return self.cut([corners[0], corners[1]], 1).is_some_and(|met| met[0] > self.point[0]);
        }
        let mut cuts =
            Facet::<D>::sides().filter_map(|[a, b]| self.cut([corners[a], corners[b]], 2));
        let (Some(start), Some(end)) = (cuts.next(), cuts.next()) else { return false };
        self.cut([start, end], 1).is_some_and(|met| met[0] > self.point[0])
    }

    /// Where a segment is cut by the plane through the point across `axis`, if its ends lie on
    /// different sides.
    fn cut(&self, [start, end]: [Vector<D>; 2], axis: usize) -> Option<Vector<D>> {
        let at = self.point[axis];
        let (low, high) = match (start[axis] > at, end[axis] > at) {
            (false, true) => (start, end),
            (true, false) => (end, start),
            _ => return None,
        };
        let part = (at - low[axis]) / (high[axis] - low[axis]);
        Some(Vector::from_fn(|k| {
            let x = low[k] + (high[k] - low[k]) * part;
            x.max(low[k].min(high[k])).min(low[k].max(high[k]))
        }))
    }
}
