//! Convex polygons: corners about the centroid, edges, area and second moment.

use super::Vector;

mod check;
#[cfg(test)]
mod tests;

pub use check::PolygonFault;

/// One edge, from a corner to the next; inside is to its left (Schinner, Figure 7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    /// The corner it begins at. \[length\]
    pub(crate) start: Vector<2>,
    /// The unit vector along it.
    pub(crate) along: Vector<2>,
    /// How long it is. \[length\]
    pub(crate) length: f64,
}

/// A convex polygon; corners counter-clockwise about its centroid, which is the origin. \[length\]
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    corners: Vec<Vector<2>>,
    edges: Vec<Edge>,
    area: f64,
    second_moment: f64,
    circumradius: f64,
}

impl Polygon {
    /// The convex polygon with these corners, counter-clockwise, about any origin; the centroid
    /// becomes the origin.
    ///
    /// # Errors
    /// What is wrong with the corners, and what would be right. A corner on the straight line
    /// between its neighbours is refused: it adds nothing to the shape, and the normals of the two
    /// edges there could not be distinguished once the polygon is turned.
    pub fn new(corners: &[Vector<2>]) -> Result<Self, PolygonFault> {
        check::check(corners)?;
        let middle = centroid(corners);
        Ok(Self::about_centroid(corners.iter().map(|&corner| corner - middle).collect()))
    }

    /// The regular polygon whose first corner lies on the x axis. `circumradius` \[length\]
    ///
    /// # Panics
    /// With fewer than three corners or a radius that is not positive.
    pub fn regular(corners: usize, circumradius: f64) -> Self {
        assert!(
            corners >= 3 && circumradius > 0.0,
            "a regular polygon has three corners and a positive radius"
        );
        let corner = |k: usize| {
            let (sine, cosine) = libm::sincos(std::f64::consts::TAU * k as f64 / corners as f64);
            Vector([circumradius * cosine, circumradius * sine])
        };
        Self::about_centroid((0..corners).map(corner).collect())
    }

    /// The rectangle of this width (along x) and height (along y). \[length\]
    ///
    /// # Panics
    /// If a side is not positive.
    pub fn rectangle(width: f64, height: f64) -> Self {
        assert!(width > 0.0 && height > 0.0, "the sides of a rectangle are positive");
        let (x, y) = (width / 2.0, height / 2.0);
        Self::about_centroid(vec![
            Vector([-x, -y]),
            Vector([x, -y]),
            Vector([x, y]),
            Vector([-x, y]),
        ])
    }

    /// From corners that are known to be convex and to have their centroid at the origin.
    pub(super) fn about_centroid(corners: Vec<Vector<2>>) -> Self {
        let sides = || corners.iter().zip(corners.iter().cycle().skip(1));
        let edges = sides()
            .map(|(&start, &end)| {
                let (chord, length) = (end - start, (end - start).norm());
                Edge { start, along: chord * (1.0 / length), length }
            })
            .collect();
        let (mut twice, mut twelfth) = (0.0, 0.0);
        for (&p, &q) in sides() {
            let parallelogram = cross(p, q);
            twice += parallelogram;
            twelfth += parallelogram * (p.dot(p) + p.dot(q) + q.dot(q));
        }
        let circumradius = corners.iter().map(|corner| corner.norm()).fold(0.0, f64::max);
        Self { edges, area: twice / 2.0, second_moment: twelfth / 12.0, circumradius, corners }
    }

    /// The corners, counter-clockwise about the centroid. \[length\]
    pub fn corners(&self) -> &[Vector<2>] {
        &self.corners
    }

    /// The area. \[length²\]
    pub fn area(&self) -> f64 {
        self.area
    }

    /// The integral of r² over the area, about the centroid. \[length⁴\]
    pub fn second_moment(&self) -> f64 {
        self.second_moment
    }

    /// How far the farthest corner lies from the centroid. \[length\]
    pub fn circumradius(&self) -> f64 {
        self.circumradius
    }

    /// The edges; edge `k` begins at corner `k`.
    #[inline]
    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges
    }
}

/// The third component of the vector product: positive if `v` lies to the left of `u`. \[length²\]
#[inline]
pub fn cross(u: Vector<2>, v: Vector<2>) -> f64 {
    u[0] * v[1] - u[1] * v[0]
}

/// The centroid of the area inside a polygon, convex or not. \[length\]
pub fn centroid(corners: &[Vector<2>]) -> Vector<2> {
    let Some(&origin) = corners.first() else { return Vector::ZERO };
    let (mut twice, mut sum) = (0.0, Vector::ZERO);
    for (&p, &q) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let (p, q) = (p - origin, q - origin);
        let parallelogram = cross(p, q);
        twice += parallelogram;
        sum += (p + q) * parallelogram;
    }
    origin + sum * (1.0 / (3.0 * twice))
}
