//! Reproduces what five texts print: tables and figures of two on event-driven simulation, 000 (Gavrilova
//! and Rokne 2002, the theory) and 001 (Gavrilova et al. 2003, the experiments on a shaker ball mill); the
//! examples and claims of 002, on detecting collisions in cells (Johnson and Whalley 2002); counts and times
//! of 003, a page that sorts the disks of a gas into strips (2021); tables and claims of
//! 004, on polygons (Schinner 1999).
//!
//! Counts come first, since nothing disturbs them; times are the least of several and only ever
//! compared with each other. All structures must give the same results to the last bit; a difference
//! is an error.

pub mod cells;
pub mod complexity;
mod error;
mod fold;
mod gauge;
pub mod laguerre;
pub mod polygons;
mod report;
mod sample;
pub mod shaker;
pub mod strips;
mod structures;
mod verdict;
mod write;

pub use error::ReproduceError;
pub use report::{Report, Section};
pub use sample::Sample;
pub use verdict::Verdict;
pub use write::Document;

/// Told what is being run.
pub type Progress<'a> = &'a mut (dyn FnMut(&str) + Send);
