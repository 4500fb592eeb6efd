//! What a run has done: the figures that explain its time.

use serde::{Deserialize, Serialize};

/// Counts since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Collisions of two particles.
    pub collisions: u64,
    /// Collisions of a particle and a wall.
    pub wall_collisions: u64,
    /// Trajectory events.
    pub trajectory_events: u64,
    /// Pairs of flights examined for a contact.
    pub pair_tests: u64,
    /// Flights examined for their next wall.
    pub wall_tests: u64,
    /// Collisions that came up but were void, since the partner had set out anew.
    pub void: u64,
    /// Collisions that lost nothing, since they came while a contact lasted (TC model).
    pub lasting: u64,
    /// Events that were found after their time: none, if the search structure keeps its promise.
    pub late: u64,
}

/// What stands in the timetable: how many particles and facets wait for what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// Collisions of two particles that will happen unless something comes before.
    pub collisions: usize,
    /// Collisions whose partner has set out anew: to be found out when they come up.
    pub void: usize,
    /// Collisions with walls.
    pub walls: usize,
    /// Trajectory events.
    pub trajectory: usize,
    /// Topological events.
    pub topological: usize,
}
