//! How long the parts of a step take.

use std::time::{Duration, Instant};

/// Measures how long the parts of a step take, one after the other.
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// The first part begins.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// A part ends, and the next begins.
    pub fn split(&mut self, part: &mut Duration) {
        let now = Instant::now();
        *part += now - self.0;
        self.0 = now;
    }
}
