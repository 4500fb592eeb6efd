//! Mechanics of the discrete-element engine that `jostle validate` does not check: drives, rest,
//! refusals, threads.
//!
//! Lengths, masses and times are of no particular unit here: bodies of size 1 and mass about 1. `l`
//! is the length of the force law, `K = Y/l²` the stiffness of an overlap's energy.

mod balance;
mod collisions;
mod drives;
mod friction;
mod refusals;
mod rest;
mod threads;
mod worlds;
