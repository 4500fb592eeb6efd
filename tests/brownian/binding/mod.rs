//! Binding and unbinding: the equilibrium is that of k_a/k_d at any time step in chains of bindings
//! and between walls, and unbinding is binding played backwards. (A lone pair, twenty of each and a
//! crowd are checks of `jostle validate`.)
//!
//! The whole takes a quarter of a minute on one idle core. Every test is a bound of 4.5 standard
//! errors, or of like rareness, on estimates whose errors come from independent cycles or blocks;
//! seeds are fixed.

mod chains;
mod constants;
mod lone_pair;
mod refusals;
mod velocities;

use crate::kinetics::Bind;
use jostle::rules::rates::ReactingPair;

/// Species 0 and 1 become one sphere of species 2.
const COALESCE: Bind = Bind::Into(2);

/// A pair that touches at distance 1 and diffuses with D_A + D_B = 1, and the time step at which
/// its rms relative step per axis is `s`.
fn reacting(dimension: usize, s: f64) -> (ReactingPair, f64) {
    (ReactingPair::new(dimension, 1.0, 1.0).expect("positive numbers"), s * s / 2.0)
}
