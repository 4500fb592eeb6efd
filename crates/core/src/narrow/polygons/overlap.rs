//! How two polygons overlap: area, centroid, and the gradient of the area.

use super::crossings::EdgeCrossing;
use super::rings::{CornerRing, First, Second};
use super::side::side;
use crate::space::{Pose, Vector, cross};

/// How two outlines overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The area. \[length²\]
    pub area: f64,
    /// The centroid of the overlap, relative to the position of the first. \[length\]
    pub centroid: Vector<2>,
    /// The derivative of the area by the position of the first: the sum over the arcs of the
    /// first's boundary inside the second of `(dy, -dx)`, `(dx, dy)` being the arc's chord. It
    /// points from outside into the second; a repulsive force on the first goes the other way,
    /// and the derivative by the position of the second is the opposite. \[length\]
    pub gradient: Vector<2>,
    /// The derivative of the area by the angle of the first, about its position: the sum over
    /// the same arcs of `-(|Q|² - |P|²)/2`, from P to Q, relative to that position. The area does
    /// not change if both move as one, so that for the second it is
    /// `-moment + (x₂ - x₁) × gradient`. \[length²\]
    pub moment: f64,
    /// How often the boundaries cross: usually twice; 0 if one figure lies inside the other.
    pub crossings: u32,
}

impl Overlap {
    /// One figure inside the other: nothing changes if it moves a little.
    pub(super) fn contained(area: f64, centroid: Vector<2>) -> Self {
        Self { area, centroid, gradient: Vector::ZERO, moment: 0.0, crossings: 0 }
    }

    /// The same, with the directions of the first's own frame turned into the world's.
    pub(super) fn turned(self, first: &Pose) -> Self {
        Self {
            centroid: first.direction(self.centroid),
            gradient: first.direction(self.gradient),
            ..self
        }
    }
}

/// The area on one side, corner by corner, with its first moments, about a point of it.
pub(super) struct Area {
    origin: Vector<2>,
    last: Vector<2>,
    twice: f64,
    sum: Vector<2>,
    /// For the middle of an overlap too thin to have a centroid.
    middle: Vector<2>,
    corners: f64,
    reach_squared: f64,
}

impl Area {
    /// A figure whose boundary begins at `origin`.
    pub(super) fn from(origin: Vector<2>) -> Self {
        let zero = Vector::ZERO;
        Self {
            origin,
            last: zero,
            twice: 0.0,
            sum: zero,
            middle: zero,
            corners: 1.0,
            reach_squared: 0.0,
        }
    }

    /// The next corner.
    #[inline]
    pub(super) fn corner(&mut self, at: Vector<2>) {
        let next = at - self.origin;
        let parallelogram = cross(self.last, next);
        self.twice += parallelogram;
        self.sum += (self.last + next) * parallelogram;
        self.middle += next;
        self.corners += 1.0;
        self.reach_squared = self.reach_squared.max(next.norm_squared());
        self.last = next;
    }

    pub(super) fn area(&self) -> f64 {
        self.twice / 2.0
    }

    /// The area times the centroid, relative to the point where the boundary begins.
    pub(super) fn first_moment(&self) -> Vector<2> {
        self.sum * (1.0 / 6.0)
    }

    /// How far the boundary goes from where it begins, squared.
    pub(super) fn reach_squared(&self) -> f64 {
        self.reach_squared
    }

    /// The centroid; of a sliver that is all rounding, the middle of its corners.
    pub(super) fn centroid(&self) -> Vector<2> {
        if self.twice > 1e-13 * self.reach_squared {
            self.origin + self.sum * (1.0 / (3.0 * self.twice))
        } else {
            self.origin + self.middle * (1.0 / self.corners)
        }
    }
}

/// The overlap inside these crossings, in the frame of the first.
pub(super) fn measure(a: &First<'_>, b: &Second<'_>, crossings: &[EdgeCrossing]) -> Overlap {
    let start = place(a, b, crossings[0].edges);
    let mut area = Area::from(start);
    let (mut gradient, mut moment) = (Vector::ZERO, 0.0);
    let mut from = start;
    for (c, crossing) in crossings.iter().enumerate() {
        let home = c + 1 == crossings.len();
        let next = if home { &crossings[0] } else { &crossings[c + 1] };
        let to = if home { start } else { place(a, b, next.edges) };
        if crossing.enters {
            round(a, crossing.edges[0], next.edges[0], &mut area);
            let chord = to - from;
            gradient += Vector([chord[1], -chord[0]]);
            moment -= chord.dot(to + from) / 2.0;
        } else {
            round(b, crossing.edges[1], next.edges[1], &mut area);
        }
        if !home {
            area.corner(to);
        }
        from = to;
    }
    Overlap {
        area: area.area(),
        centroid: area.centroid(),
        gradient,
        moment,
        crossings: crossings.len() as u32,
    }
}

/// Adds the corners from edge `from` to edge `to`.
#[inline]
fn round<R: CornerRing>(ring: &R, from: usize, to: usize, area: &mut Area) {
    let mut k = from;
    while k != to {
        k = ring.after(k);
        area.corner(ring.corner(k));
    }
}

/// Where two edges cross. \[length\]
#[inline]
pub(super) fn place(a: &First<'_>, b: &Second<'_>, [i, j]: [usize; 2]) -> Vector<2> {
    let ([p, q], [u, v]) = (a.ends(i), b.ends(j));
    let (begin, end) = (side(u, v, p), side(u, v, q));
    let whole = begin - end;
    // both ends on the line, to rounding: any point of the edge will do
    let part = if whole == 0.0 { 0.5 } else { (begin / whole).clamp(0.0, 1.0) };
    p + (q - p) * part
}
