//! Mechanics of the event-driven engine that need no statistics: clocks, ties, walls, forces, rest,
//! and the same bits whatever the search structure. What kinetic theory says of it is checked by
//! `jostle validate`.
//!
//! Lengths, masses and energies are of no particular unit here: balls of diameter 1 and mass 1 at
//! temperature 1, except where metres and seconds say so.

mod driven;
mod floor;
mod gas;
mod inelastic;
#[cfg(feature = "long")]
mod long;
mod mechanics;
mod structures;
mod ties;
mod worlds;
