//! The granular engine, the disk gas and the engine of polygons; and numbers at the edge of what
//! can be, in all engines.

#[path = "../shared/program.rs"]
mod program;
#[path = "../shared/trace.rs"]
mod trace;

mod gas;
mod granular;
mod numbers;
mod polygons;
