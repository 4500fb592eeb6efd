//! Polygons as the walks see them: corners and edges in the frame of the first of the pair,
//! worked out one by one when they are needed.

use super::side::side;
use crate::space::{Polygon, Pose, Vector};

/// A polygon's corners and edges in the frame of the first polygon of the pair.
pub(super) trait CornerRing: Copy {
    /// Whether this is the second of the pair. Where a corner lies exactly on the other's edge,
    /// the second counts as moved by an infinitely small step (a much smaller one along y than
    /// along x; Edelsbrunner and Muecke 1990): no corner ever lies on an edge.
    const SECOND: bool;
    /// The polygon in its own frame.
    fn polygon(&self) -> &Polygon;
    /// A direction of its own frame.
    fn direction(&self, own: Vector<2>) -> Vector<2>;
    fn centre(&self) -> Vector<2>;
    /// Corner `k`.
    fn corner(&self, k: usize) -> Vector<2>;

    /// How many corners there are.
    #[inline]
    fn len(&self) -> usize {
        self.polygon().edges().len()
    }

    /// The corner or edge after `k`.
    #[inline]
    fn after(&self, k: usize) -> usize {
        if k + 1 == self.len() { 0 } else { k + 1 }
    }

    /// The corner or edge before `k`.
    #[inline]
    fn before(&self, k: usize) -> usize {
        if k == 0 { self.len() - 1 } else { k - 1 }
    }

    /// Where edge `k` begins and ends.
    #[inline]
    fn ends(&self, k: usize) -> [Vector<2>; 2] {
        [self.corner(k), self.corner(self.after(k))]
    }

    /// The unit vector along edge `k`.
    #[inline]
    fn along(&self, k: usize) -> Vector<2> {
        self.direction(self.polygon().edges()[k].along)
    }

    /// Whether a corner of the other polygon lies to the left of the line through these ends of
    /// one of this one's edges.
    #[inline]
    fn left(&self, ends: [Vector<2>; 2], corner: Vector<2>) -> bool {
        let area = side(ends[0], ends[1], corner);
        area > 0.0 || area == 0.0 && tie(ends[1] - ends[0], Self::SECOND)
    }
}

/// The side of a point exactly on a line along `along`, after the second polygon's small step.
#[cold]
fn tie(along: Vector<2>, line_moves: bool) -> bool {
    // the step (1, epsilon) seen from the line's direction: its side is that of -along.y
    let step_left = if along[1] == 0.0 { along[0] > 0.0 } else { along[1] < 0.0 };
    step_left != line_moves
}

/// The first polygon of a pair, in its own frame.
#[derive(Clone, Copy)]
pub(super) struct First<'a>(pub(super) &'a Polygon);

/// The second polygon of a pair, seen from the first.
#[derive(Clone, Copy)]
pub(super) struct Second<'a> {
    pub(super) polygon: &'a Polygon,
    pub(super) pose: Pose,
}

impl CornerRing for First<'_> {
    const SECOND: bool = false;

    #[inline]
    fn polygon(&self) -> &Polygon {
        self.0
    }

    #[inline]
    fn direction(&self, own: Vector<2>) -> Vector<2> {
        own
    }

    #[inline]
    fn centre(&self) -> Vector<2> {
        Vector::ZERO
    }

    #[inline]
    fn corner(&self, k: usize) -> Vector<2> {
        self.0.edges()[k].start
    }
}

impl CornerRing for Second<'_> {
    const SECOND: bool = true;

    #[inline]
    fn polygon(&self) -> &Polygon {
        self.polygon
    }

    #[inline]
    fn direction(&self, own: Vector<2>) -> Vector<2> {
        self.pose.direction(own)
    }

    #[inline]
    fn centre(&self) -> Vector<2> {
        self.pose.position
    }

    #[inline]
    fn corner(&self, k: usize) -> Vector<2> {
        self.pose.place(self.polygon.edges()[k].start)
    }
}
