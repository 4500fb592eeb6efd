//! Reproduces what four papers and a web page print: tables and figures of two papers on
//! event-driven simulation, Gavrilova & Rokne 2002 (the theory) and Gavrilova et al. 2003 (the
//! experiments on a shaker ball mill); the examples and claims of Johnson & Whalley 2002 on
//! detecting collisions in cells; counts and times of "Grouping the particles" (2021), a web page
//! that sorts the disks of a gas into strips; tables and claims of Schinner 1999 on polygons.
//!
//! Counts come first, since nothing disturbs them; times are the least of several and only ever
//! compared with each other. All structures must give the same results to the last bit; a
//! difference is an error.

pub mod cells;
pub mod complexity;
mod error;
mod gauge;
pub mod guidelines;
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
pub use report::{ReportSection, StudyReport};
pub use sample::Sample;
pub use verdict::PrintedVerdict;
pub use write::Document;

pub use crate::progress::Progress;
