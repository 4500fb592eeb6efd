//! What bodies and walls look like: convex polygons, ellipses and disks.

use super::{Polygon, Pose, Vector};

#[cfg(test)]
mod tests;

/// The outline of a particle or a wall.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A convex polygon.
    Polygon(Polygon),
    /// An ellipse, in contact through a polygon.
    Ellipse(Ellipse),
    /// An exact disk of this radius. \[length\]
    Disk(f64),
}

/// An ellipse that meets others through a polygon of the same area.
///
/// The corners lie on the ellipse stretched by the factor `s = sqrt(2π / (n sin(2π/n)))`, at
/// equal steps of its parameter, so that the polygon has the ellipse's area, πab.
#[derive(Clone, Debug, PartialEq)]
pub struct Ellipse {
    semi_axes: [f64; 2],
    stretch: f64,
    polygon: Polygon,
}

impl Ellipse {
    /// The ellipse with these semi-axes \[length\] along x and y, and `corners` corners.
    ///
    /// # Panics
    /// With fewer than three corners or a semi-axis that is not positive.
    pub fn new(semi_axes: [f64; 2], corners: usize) -> Self {
        assert!(
            corners >= 3 && semi_axes.iter().all(|&a| a > 0.0),
            "an ellipse has positive semi-axes"
        );
        let step = std::f64::consts::TAU / corners as f64;
        let stretch = (step / libm::sin(step)).sqrt();
        let corner = |k: usize| {
            let (sine, cosine) = libm::sincos(step * k as f64);
            Vector([stretch * semi_axes[0] * cosine, stretch * semi_axes[1] * sine])
        };
        Self {
            semi_axes,
            stretch,
            polygon: Polygon::about_centroid((0..corners).map(corner).collect()),
        }
    }

    /// The semi-axes along the figure's x and y. \[length\]
    pub fn semi_axes(&self) -> [f64; 2] {
        self.semi_axes
    }

    /// The polygon through which it meets others.
    pub fn polygon(&self) -> &Polygon {
        &self.polygon
    }

    /// The largest distance between the boundaries of ellipse and polygon: `(s - 1) a` at a
    /// corner on the longer semi-axis a, about π²a/(3n²); at most that anywhere. \[length\]
    pub fn error(&self) -> f64 {
        (self.stretch - 1.0) * self.semi_axes[0].max(self.semi_axes[1])
    }
}

impl Outline {
    /// The area. \[length²\]
    pub fn area(&self) -> f64 {
        match self {
            Self::Polygon(polygon) => polygon.area(),
            Self::Ellipse(ellipse) => {
                std::f64::consts::PI * ellipse.semi_axes[0] * ellipse.semi_axes[1]
            }
            Self::Disk(radius) => std::f64::consts::PI * radius * radius,
        }
    }

    /// The integral of r² over the area, about the centroid. \[length⁴\]
    pub fn second_moment(&self) -> f64 {
        match self {
            Self::Polygon(polygon) => polygon.second_moment(),
            Self::Ellipse(Ellipse { semi_axes: [a, b], .. }) => self.area() * (a * a + b * b) / 4.0,
            Self::Disk(radius) => self.area() * radius * radius / 2.0,
        }
    }

    /// The radius of the circle about the centroid that holds everything, the corners of an
    /// ellipse's polygon included. \[length\]
    pub fn circumradius(&self) -> f64 {
        match self {
            Self::Polygon(polygon) | Self::Ellipse(Ellipse { polygon, .. }) => {
                polygon.circumradius()
            }
            Self::Disk(radius) => *radius,
        }
    }

    /// The polygon through which it meets others; none for a disk.
    pub fn polygon(&self) -> Option<&Polygon> {
        match self {
            Self::Polygon(polygon) | Self::Ellipse(Ellipse { polygon, .. }) => Some(polygon),
            Self::Disk(_) => None,
        }
    }

    /// The tight box around it: `[axis][begin, end]`. \[length\]
    ///
    /// `extremes` remembers a polygon's extreme corners (begin and end along x, then along y)
    /// from call to call: the search for them climbs from there, in constant time for small
    /// turns, and the answer does not depend on where it began. Start with zeros. The box of an
    /// ellipse is that of the ellipse through its polygon's corners (`Ellipse`).
    pub fn bounds(&self, pose: &Pose, extremes: &mut [u32; 4]) -> [[f64; 2]; 2] {
        let [cosine, sine] = pose.turn;
        let around = |reach: [f64; 2]| {
            [0, 1]
                .map(|axis| [pose.position[axis] - reach[axis], pose.position[axis] + reach[axis]])
        };
        match self {
            Self::Polygon(polygon) => {
                let rows = [Vector([cosine, -sine]), Vector([sine, cosine])];
                [0, 1].map(|axis| {
                    let [begin, end] = [2 * axis, 2 * axis + 1];
                    let low = -climb(polygon.corners(), -rows[axis], &mut extremes[begin]);
                    let high = climb(polygon.corners(), rows[axis], &mut extremes[end]);
                    [pose.position[axis] + low, pose.position[axis] + high]
                })
            }
            Self::Ellipse(ellipse) => {
                let [a, b] = ellipse.semi_axes.map(|axis| ellipse.stretch * axis);
                let reach = |x: f64, y: f64| (x * x + y * y).sqrt();
                around([reach(a * cosine, b * sine), reach(a * sine, b * cosine)])
            }
            Self::Disk(radius) => around([*radius; 2]),
        }
    }
}

/// How far the corners reach along `direction`, climbing from corner `at` to the extreme one:
/// along a convex boundary there is only one summit.
#[inline]
fn climb(corners: &[Vector<2>], direction: Vector<2>, at: &mut u32) -> f64 {
    let n = corners.len();
    let mut k = if (*at as usize) < n { *at as usize } else { 0 };
    let mut best = corners[k].dot(direction);
    loop {
        let after = if k + 1 == n { 0 } else { k + 1 };
        let before = if k == 0 { n - 1 } else { k - 1 };
        let (forth, back) = (corners[after].dot(direction), corners[before].dot(direction));
        if forth > best {
            (k, best) = (after, forth);
        } else if back > best {
            (k, best) = (before, back);
        } else {
            *at = k as u32;
            return best;
        }
    }
}
