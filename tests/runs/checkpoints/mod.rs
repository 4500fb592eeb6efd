//! Runs that are stopped or killed at any moment and resumed are the same, to the bit, as runs that
//! never were.
#![cfg(unix)]

mod ends;
mod kills;
mod once;
mod places;
