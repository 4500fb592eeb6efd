//! The parameters of the engines: what models say to them in words and physical quantities. They
//! are here so that reading a model needs no engine.

pub mod granular;
pub mod polygons;
mod scheduler;

pub use scheduler::Scheduler;
