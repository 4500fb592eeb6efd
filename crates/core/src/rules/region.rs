//! Parts of the box in which rules apply, or in which new particles are placed.

/// A part of the box: what lies between two corners and on the given sides of surfaces. \[nm\], the
/// first D components count
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The lowest coordinates.
    pub from: [f64; 3],
    /// The highest.
    pub to: [f64; 3],
    /// On which sides of which surfaces; empty if that does not matter.
    pub sides: Vec<Side>,
    /// Its volume (3D), area (2D) or length (1D). \[nm^d\]
    pub volume: f64,
}

/// One side of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The number of the surface.
    pub surface: u16,
    /// Whether it is the inner side; above, for a plane.
    pub inside: bool,
}
