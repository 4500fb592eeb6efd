//! When forces that bend paths are taken in.

use crate::named;

named! {
    /// When a particle's next trajectory event is, after a collision.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TrajectoryClock {
        /// At the next whole multiple of the interval, for all particles alike. (The counts of
        /// Gavrilova et al. 2003 agree.)
        Grid => "grid",
        /// At once, and then an interval later: as printed in Gavrilova & Rokne 2002, section 2.
        Reset => "reset",
    }
}

/// Trajectory events, at which forces are taken in (Gavrilova & Rokne 2002, section 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trajectory {
    /// \[µs\]
    pub every: f64,
    /// What a collision does to them.
    pub clock: TrajectoryClock,
}
