//! Engines for particles that keep their velocities: [`granular`] goes from event to event, [`gas`]
//! is a gas of disks whose overlaps are noticed after the move. [`kinetic`] has the search
//! structures that need no time steps.

pub mod gas;
pub mod granular;
pub mod kinetic;
