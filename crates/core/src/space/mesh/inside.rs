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
        let ahead = |met: f64| met > self.point[0];
        self.odd ^= (self.counted)(facet.number) && met(self.point, 0, facet).is_some_and(ahead);
    }
}

/// Where the line through `point` along an axis meets the facets, in the order of the leaves. \[length\]
pub(super) fn cuts<const D: usize>(tree: &BoxTree<D>, point: Vector<D>, axis: usize) -> Vec<f64> {
    let mut plumb = Plumb { point, axis, met: Vec::new() };
    tree.walk(&mut plumb);
    plumb.met
}

/// A line along an axis, and where it has met facets.
struct Plumb<const D: usize> {
    point: Vector<D>,
    axis: usize,
    met: Vec<f64>,
}

impl<const D: usize> Visitor<D> for Plumb<D> {
    fn enters(&self, low: Vector<D>, high: Vector<D>) -> bool {
        let mut across = (0..D).filter(|&k| k != self.axis);
        across.all(|k| low[k] <= self.point[k] && self.point[k] <= high[k])
    }

    fn sees(&mut self, facet: &Facet<D>) {
        self.met.extend(met(self.point, self.axis, facet));
    }
}

/// Where the line through `point` along `axis` meets a facet.
#[inline]
fn met<const D: usize>(point: Vector<D>, axis: usize, facet: &Facet<D>) -> Option<f64> {
    let corners = &facet.corners;
    let [next, last] = [1, 2].map(|n| (axis + n) % D);
    if D == 2 {
        return cut(point, [corners[0], corners[1]], next).map(|met| met[axis]);
    }
    let mut cuts =
        Facet::<D>::sides().filter_map(|[a, b]| cut(point, [corners[a], corners[b]], last));
    let (start, end) = (cuts.next()?, cuts.next()?);
    cut(point, [start, end], next).map(|met| met[axis])
}

/// Where a segment is cut by the plane through the point across `axis`, if its ends lie on
/// different sides.
#[inline]
fn cut<const D: usize>(
    point: Vector<D>,
    [start, end]: [Vector<D>; 2],
    axis: usize,
) -> Option<Vector<D>> {
    let at = point[axis];
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
