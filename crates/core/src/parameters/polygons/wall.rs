//! A wall at the start, and how it moves.

use crate::space::Vector;

/// A wall at the start: an outline that contacts do not move, unless it is driven by a force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedWall {
    /// Index into the outlines.
    pub outline: u32,
    /// Of its centroid. \[nm\]
    pub position: Vector<2>,
    /// \[rad\]
    pub angle: f64,
    /// How it moves.
    pub drive: Drive,
    /// Its coefficient of friction; none: that of the force law.
    pub friction: Option<f64>,
    /// It is gone from then on. \[µs\]
    pub opens_at: Option<f64>,
}

/// How a wall moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drive {
    /// Not at all.
    Fixed,
    /// Steadily. \[nm/µs\]
    Velocity(Vector<2>),
    /// Round a centre, turning with it.
    Rotation {
        /// \[nm\]
        centre: Vector<2>,
        /// \[rad/µs\]
        angular_velocity: f64,
    },
    /// To and fro: it is displaced by `amplitude sin(2 pi frequency t + phase)`.
    Oscillation {
        /// \[nm\]
        amplitude: Vector<2>,
        /// \[1/µs\]
        frequency: f64,
        /// \[rad\]
        phase: f64,
    },
    /// Pushed by a constant force and by contacts, along the line of that force only.
    Force {
        /// \[kg nm/µs²\]
        force: Vector<2>,
        /// \[kg\]
        mass: f64,
    },
}
