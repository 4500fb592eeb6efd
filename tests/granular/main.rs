//! Physical proofs of the event-driven engine: what it computes is what mechanics and kinetic theory
//! say.
//!
//! Lengths, masses and energies are of no particular unit here: balls of diameter 1 and mass 1 at
//! temperature 1, except where metres and seconds say so. Statistical tests have fixed seeds; each
//! states its sample and its bound, which a right engine would pass but for one seed in 10^5 (4.5
//! standard errors).

mod driven;
mod floor;
mod gas;
mod inelastic;
#[cfg(feature = "long")]
mod long;
mod mechanics;
mod mixtures;
mod reversal;
mod shaken;
mod structures;
mod ties;
mod worlds;
