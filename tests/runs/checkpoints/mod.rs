//! Runs that are stopped or killed at any moment and resumed are the same, to the bit, as runs that
//! never were.
#![cfg(unix)]

mod disks;
mod ends;
pub(crate) mod kills;
mod longer;
mod once;
pub(crate) mod places;
pub(crate) mod victim;
