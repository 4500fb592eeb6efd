//! Where the time of a step goes.

use std::time::{Duration, Instant};

/// Where the time goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Drawing displacements.
    pub draw: Duration,
    /// Renewing the search structure.
    pub relink: Duration,
    /// Listing candidate pairs.
    pub search: Duration,
    /// First contacts of the candidates.
    pub narrow: Duration,
    /// Settling what is due, in order of time.
    pub settle: Duration,
    /// Arriving: ends of paths, periodic wrap, bookkeeping.
    pub arrive: Duration,
}

/// Tells how long the parts of a step took, one after the other.
pub(super) struct Stopwatch(Instant);

impl Stopwatch {
    /// The first part begins.
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    /// A part ends, and the next begins.
    pub(super) fn split(&mut self, part: &mut Duration) {
        let now = Instant::now();
        *part += now - self.0;
        self.0 = now;
    }
}
