//! A body at the start.

use crate::space::Vector;

/// A body at the start. Its identity is its place in the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Index into the outlines.
    pub outline: u32,
    /// Of its centroid; along periodic axes in any period. \[nm\]
    pub position: Vector<2>,
    /// Counter-clockwise. \[rad\]
    pub angle: f64,
    /// \[nm/µs\]
    pub velocity: Vector<2>,
    /// \[rad/µs\]
    pub angular_velocity: f64,
    /// \[kg/nm²\]
    pub density: f64,
    /// Index into the model's species.
    pub species: u16,
}
