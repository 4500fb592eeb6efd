//! Runs that are stopped or killed at any moment and gone on with are the same, to the bit, as runs that never
//! were.
#![cfg(unix)]

#[path = "../program/mod.rs"]
mod program;

mod cases;
mod ends;
mod kills;
mod once;
mod places;
mod same;
