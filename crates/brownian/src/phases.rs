//! Where the time of a step goes.

use std::time::Duration;

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
