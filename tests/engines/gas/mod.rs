//! The disk gas: mechanics to rounding, the laws of an ideal gas, the counts of "Grouping the
//! particles" (2021), files.

mod counts;
mod files;
mod laws;
mod mechanics;
mod worlds;
