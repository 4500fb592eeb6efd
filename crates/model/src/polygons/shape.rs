//! Outlines as a model file gives them.

use std::f64::consts::TAU;

use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Ellipse, Outline, Polygon, Vector};

/// An outline, or how outlines are drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A convex polygon by its corners, counter-clockwise, about any origin. \[nm\]
    Corners(Vec<[f64; 2]>),
    /// A regular polygon.
    Regular {
        /// How many corners.
        corners: usize,
        /// From the centre to a corner. \[nm\]
        radius: f64,
    },
    /// Width and height. \[nm\]
    Rectangle([f64; 2]),
    /// An ellipse, which touches others through a polygon.
    Ellipse {
        /// Along x and y before it is turned. \[nm\]
        semi_axes: [f64; 2],
        /// How many corners the polygon has.
        corners: usize,
    },
    /// A disk of this radius. \[nm\]
    Disk(f64),
    /// A convex polygon of its own for each body, its corners on an ellipse.
    Random {
        /// The least and the largest number of corners.
        corners: [usize; 2],
        /// The least and the largest mean of the semi-axes. \[nm\]
        radius: [f64; 2],
        /// The least ratio of the semi-axes; the largest is 1.
        aspect: f64,
    },
}

impl Shape {
    /// Whether every body has an outline of its own.
    pub fn varies(&self) -> bool {
        matches!(self, Self::Random { .. })
    }

    /// How far an outline reaches from its centroid: of shapes that are drawn, about the most.
    /// \[nm\]
    pub fn reach(&self) -> f64 {
        match self {
            Self::Random { radius, aspect, .. } => 2.0 * radius[1] / (1.0 + aspect),
            one => one.outline(&Random::new(0), 0, 0).circumradius(),
        }
    }

    /// The outline of body `n` of a species: a function of the seed, the species and `n` alone.
    pub fn outline(&self, random: &Random, species: u16, n: usize) -> Outline {
        match self {
            Self::Corners(corners) => polygon(corners),
            Self::Regular { corners, radius } => polygon(&regular_corners(*corners, *radius)),
            Self::Rectangle([width, height]) => {
                Outline::Polygon(Polygon::rectangle(*width, *height))
            }
            Self::Ellipse { semi_axes, corners } => {
                Outline::Ellipse(Ellipse::new(*semi_axes, *corners))
            }
            Self::Disk(radius) => Outline::Disk(*radius),
            Self::Random { corners, radius, aspect } => {
                let draw =
                    |what| random.uniform(Purpose::Radius, [u64::from(species), n as u64, 1, what]);
                let count = corners[0] as f64 + draw(0) * (corners[1] - corners[0] + 1) as f64;
                let mean = radius[0] + (radius[1] - radius[0]) * draw(1);
                // Of semi-axes a and q a, the mean is a (1 + q)/2.
                let ratio = aspect + (1.0 - aspect) * draw(2);
                let a = 2.0 * mean / (1.0 + ratio);
                let count = (count as usize).clamp(corners[0], corners[1]);
                polygon(&on_ellipse(count, [a, ratio * a], |k| draw(3 + k as u64)))
            }
        }
    }
}

/// Corners in nearly even steps around an ellipse, each up to a quarter of a step from its place:
/// in convex position, and none too close to the next.
fn on_ellipse(count: usize, semi_axes: [f64; 2], draw: impl Fn(usize) -> f64) -> Vec<[f64; 2]> {
    let corner = |k: usize| {
        let angle = TAU * (k as f64 + 0.5 * (draw(k) - 0.5)) / count as f64;
        [semi_axes[0] * libm::cos(angle), semi_axes[1] * libm::sin(angle)]
    };
    (0..count).map(corner).collect()
}

/// The corners of a regular polygon about the origin, one side of which is level, at the bottom.
/// \[nm\]
pub fn regular_corners(corners: usize, radius: f64) -> Vec<[f64; 2]> {
    let corner = |k: usize| {
        let angle = TAU * ((k as f64 + 0.5) / corners as f64 - 0.25);
        [radius * libm::cos(angle), radius * libm::sin(angle)]
    };
    (0..corners).map(corner).collect()
}

/// The reading made sure that they are a polygon's; what is faulty there is a disk of no size here.
pub(super) fn polygon(corners: &[[f64; 2]]) -> Outline {
    let corners: Vec<_> = corners.iter().map(|&corner| Vector(corner)).collect();
    Polygon::new(&corners).map_or(Outline::Disk(f64::NAN), Outline::Polygon)
}
