//! One facet, a triangle in 3D or a segment in 2D: its normal, and where a point stands to it.
//!
//! The nearest point of a triangle lies in its face, on an edge or at a corner (Ericson 2005,
//! Real-Time Collision Detection, section 5.1.5). Above the face the distance is the height over
//! the plane, which stays exact to a few ulp of the facet's size however thin the triangle is,
//! since the normal is; barycentric coordinates would not. Beyond an edge it is the distance from
//! that edge. Where the two meet they agree to second order, so that for the distance it does not
//! matter on which side of the seam rounding puts a point.

use super::segments::{is_well_below, segment_offset};
use crate::space::Vector;

/// A facet by itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Facet<const D: usize> {
    /// Its number in the mesh.
    pub(crate) number: u32,
    /// Where its corners are. \[length\]
    pub(crate) corners: [Vector<D>; D],
    /// The unit vector on whose side the corners are seen to run counter-clockwise (3D), or that
    /// points to the right of the way from the first to the second (2D).
    pub(crate) normal: Vector<D>,
}

impl<const D: usize> Facet<D> {
    /// The facet with these corners, which do not lie on one line (in one point). \[length\]
    pub(super) fn new(number: u32, corners: [Vector<D>; D]) -> Self {
        let across = if D == 2 { right_of(corners[1] - corners[0]) } else { exact_cross(&corners) };
        Self { number, corners, normal: across * (1.0 / across.norm()) }
    }

    /// Turns it round.
    pub(super) fn turn(&mut self) {
        self.corners.swap(D - 2, D - 1);
        self.normal = -self.normal;
    }

    /// The box around it. \[length\]
    pub(super) fn bounds(&self) -> [Vector<D>; 2] {
        let over = |pick: fn(f64, f64) -> f64| {
            Vector::from_fn(|k| {
                self.corners[1..].iter().fold(self.corners[0][k], |x, c| pick(x, c[k]))
            })
        };
        [over(f64::min), over(f64::max)]
    }

    /// The mean of the corners. \[length\]
    pub(super) fn middle(&self) -> Vector<D> {
        let mut sum = self.corners[0];
        self.corners[1..].iter().for_each(|&corner| sum += corner);
        sum * (1.0 / D as f64)
    }

    /// Its length (2D) or area (3D).
    pub(crate) fn measure(&self) -> f64 {
        let first = self.corners[1] - self.corners[0];
        if D == 2 { first.norm() } else { exact_cross(&self.corners).norm() / 2.0 }
    }

    /// Its length (2D) or least height (3D). \[length\]
    pub(crate) fn thickness(&self) -> f64 {
        let longest = Self::sides()
            .fold(0.0, |most, [a, b]| f64::max(most, (self.corners[b] - self.corners[a]).norm()));
        if D == 2 || longest == 0.0 { longest } else { 2.0 * self.measure() / longest }
    }

    /// The volume (area in 2D) between it and `origin`, positive if `origin` lies behind it.
    pub(super) fn volume_to(&self, origin: Vector<D>) -> f64 {
        self.measure() * self.height(origin) * (-1.0 / D as f64)
    }

    /// Its sides, as numbers of corners: three edges of a triangle, the segment itself.
    pub(super) fn sides() -> impl Iterator<Item = [usize; 2]> {
        (0..if D == 2 { 1 } else { D }).map(|k| [k, (k + 1) % D])
    }

    /// How far `point` lies before its plane (or line); negative behind it. \[length\]
    pub(crate) fn height(&self, point: Vector<D>) -> f64 {
        (point - self.corners[0]).dot(self.normal)
    }

    /// Whether the foot of the perpendicular from `point` lies in the facet, or beside it by at
    /// most `rim`. \[length\]
    pub(super) fn is_below(&self, point: Vector<D>, rim: f64) -> bool {
        if D == 2 {
            let (along, from) = (self.corners[1] - self.corners[0], point - self.corners[0]);
            let (reach, whole) = (from.dot(along), along.norm_squared());
            return !is_well_below(reach, rim, whole) && !is_well_below(whole - reach, rim, whole);
        }
        Self::sides().all(|side| !self.is_beyond(side, point, rim))
    }

    /// Whether `point`, seen from above, lies outside this edge of a triangle by more than `rim`.
    /// \[length\]
    #[inline]
    fn is_beyond(&self, [a, b]: [usize; 2], point: Vector<D>, rim: f64) -> bool {
        let (start, along) = (self.corners[a], self.corners[b] - self.corners[a]);
        is_well_below(cross(along, point - start).dot(self.normal), rim, along.norm_squared())
    }

    /// The vector to `point` from the nearest point of the facet. \[length\]
    ///
    /// Faces and edges are taken to reach farther by `rim`, if it is not zero. Across a seam the
    /// direction to the nearest point turns by a right angle within a distance that is as small as
    /// that to the surface: for a point that is rounded and as near, only a rim a
    /// few ulp wide lets it turn the right way.
    #[inline]
    pub(crate) fn offset(&self, point: Vector<D>, rim: f64) -> Vector<D> {
        if D == 2 {
            return if self.is_below(point, rim) {
                self.normal * self.height(point)
            } else {
                segment_offset(point, [self.corners[0], self.corners[1]], rim)
            };
        }
        let mut nearest: Option<(f64, Vector<D>)> = None;
        for side in Self::sides().filter(|&side| self.is_beyond(side, point, rim)) {
            let offset = segment_offset(point, side.map(|k| self.corners[k]), rim);
            let squared = offset.norm_squared();
            if nearest.is_none_or(|(least, _)| squared < least) {
                nearest = Some((squared, offset));
            }
        }
        nearest.map_or_else(|| self.normal * self.height(point), |(_, offset)| offset)
    }

    /// The unit vector along the facet that leads straight out of it over this ridge: the edge from corner `side` to
    /// the next (3D), or that corner (2D).
    pub(crate) fn out_over(&self, side: usize) -> Vector<D> {
        let along = self.corners[(side + 1) % D] - self.corners[side];
        let out = if D == 2 { -along } else { cross(along, self.normal) };
        out * (1.0 / out.norm())
    }

    /// The unit normal of the side from which something comes that moves with `velocity`.
    pub(crate) fn normal_against(&self, velocity: Vector<D>) -> Vector<D> {
        if self.normal.dot(velocity) <= 0.0 { self.normal } else { -self.normal }
    }
}

/// What lies to the right of `along` in 2D, of the same length.
fn right_of<const D: usize>(along: Vector<D>) -> Vector<D> {
    Vector::from_fn(|k| if k == 0 { along[1] } else { -along[0] })
}

/// The vector product in 3D.
#[inline]
fn cross<const D: usize>(u: Vector<D>, v: Vector<D>) -> Vector<D> {
    Vector::from_fn(|k| u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3])
}

/// The vector product of two edges of a triangle, twice its area long, in twice the usual
/// precision: the normal of a sliver a million times longer than high is as good as any other.
fn exact_cross<const D: usize>(corners: &[Vector<D>; D]) -> Vector<D> {
    let edge = |end: usize, k: usize| two_difference(corners[end][k], corners[0][k]);
    Vector::from_fn(|k| {
        let (j, l) = ((k + 1) % 3, (k + 2) % 3);
        let [plus, plus_rest] = product(edge(1, j), edge(2, l));
        let [minus, minus_rest] = product(edge(1, l), edge(2, j));
        let [difference, rest] = two_difference(plus, minus);
        difference + (rest + (plus_rest - minus_rest))
    })
}

/// A difference and what rounding took from it (Knuth 1997, The Art of Computer Programming,
/// section 4.2.2).
fn two_difference(a: f64, b: f64) -> [f64; 2] {
    let difference = a - b;
    let b_seen = a - difference;
    let a_seen = difference + b_seen;
    [difference, (a - a_seen) - (b - b_seen)]
}

/// The product of two numbers that are sums of two, but for the product of the rests.
fn product([a, a_rest]: [f64; 2], [b, b_rest]: [f64; 2]) -> [f64; 2] {
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    let product = a * b;
    let rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    [product, rest + (a * b_rest + a_rest * b)]
}

/// A number as the sum of two with half as many digits (Dekker 1971).
fn halves(a: f64) -> (f64, f64) {
    const SPLIT: f64 = ((1u64 << 27) + 1) as f64;
    let c = SPLIT * a;
    let high = c - (c - a);
    (high, a - high)
}
