//! The engines without time steps of their own: [`granular`] goes from event to event; [`gas`] is a gas of disks whose
//! overlaps are noticed after the move.

pub mod gas;
pub mod granular;
