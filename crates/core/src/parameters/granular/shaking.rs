//! How a container oscillates.

use std::f64::consts::TAU;

/// Harmonic motion of the whole container along one axis: `offset(t) = A sin(2 pi f t + phase)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shaking {
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
