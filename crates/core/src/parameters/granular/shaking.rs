//! How a container oscillates.

use std::f64::consts::TAU;

use crate::named;

named! {
    /// What of a container oscillates.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Shaken {
        /// All of it.
        All => "all",
        /// The wall at the lower end of the axis, as a piston; the rest is at rest.
        Lower => "lower",
        /// The wall at the upper end of the axis.
        Upper => "upper",
    }
}

/// Harmonic motion along one axis: `offset(t) = A sin(2 pi f t + phase)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shaking {
    /// What moves.
    pub walls: Shaken,
    /// The axis along which it moves.
    pub axis: usize,
    /// `A`. \[nm\]
    pub amplitude: f64,
    /// `f`. \[1/µs\]
    pub frequency: f64,
    /// At time 0. \[radians\]
    pub phase: f64,
}

/// Where the container is and how it moves, along its axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Displacement {
    /// From its mean place. \[nm\]
    pub offset: f64,
    /// \[nm/µs\]
    pub velocity: f64,
    /// \[nm/µs²\]
    pub acceleration: f64,
}

impl Shaking {
    /// `2 pi f`. \[radians/µs\]
    #[inline]
    pub fn omega(&self) -> f64 {
        TAU * self.frequency
    }

    /// From its mean place at time 0. \[nm\]
    pub fn start(&self) -> f64 {
        self.amplitude * libm::sin(self.phase)
    }

    /// The same for the whole container, and so for what is in it: 0 where only one wall moves. \[nm\]
    pub fn start_of_container(&self) -> f64 {
        if self.walls == Shaken::All { self.start() } else { 0.0 }
    }

    /// Whether a wall across its axis moves, the lower or the upper one.
    #[inline]
    pub fn moves(&self, upper: bool) -> bool {
        match self.walls {
            Shaken::All => true,
            Shaken::Lower => !upper,
            Shaken::Upper => upper,
        }
    }

    /// The largest speed, `A omega`. \[nm/µs\]
    pub fn largest_speed(&self) -> f64 {
        self.amplitude * self.omega()
    }

    /// The largest acceleration, `A omega²`. \[nm/µs²\]
    #[inline]
    pub fn largest_acceleration(&self) -> f64 {
        self.amplitude * self.omega() * self.omega()
    }

    /// At `time` \[µs\].
    #[inline]
    pub fn at(&self, time: f64) -> Displacement {
        let omega = self.omega();
        let (sine, cosine) = libm::sincos(omega * time + self.phase);
        Displacement {
            offset: self.amplitude * sine,
            velocity: self.amplitude * omega * cosine,
            acceleration: -(self.amplitude * omega * omega * sine),
        }
    }

    /// Whether it does not move at all.
    pub fn is_still(&self) -> bool {
        self.amplitude == 0.0 || self.frequency == 0.0
    }
}
