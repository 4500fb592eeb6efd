//! The engines without time steps of their own: [`granular`] goes from event to event; [`gas`] is a gas of disks whose
//! overlaps are noticed after the move.
//! [`kinetic`] holds the search structures of engines that know no steps.

pub mod gas;
pub mod granular;
pub mod kinetic;
