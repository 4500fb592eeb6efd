//! Physical proofs of the discrete-element engine: what it computes is what mechanics says.
//!
//! Lengths, masses and times are of no particular unit here: bodies of size 1 and mass about 1. `l` is the
//! length of the force law, `K = Y/l²` the stiffness of an overlap's energy.

mod books;
mod collisions;
mod drives;
mod friction;
mod heap;
#[cfg(feature = "long")]
mod long;
mod refusals;
mod rest;
mod threads;
mod worlds;
