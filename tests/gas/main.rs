//! The disk gas: mechanics to rounding, the laws of an ideal gas, the counts of the page, files.

#[path = "../program/mod.rs"]
mod program;

mod counts;
mod files;
mod laws;
mod mechanics;
mod worlds;
