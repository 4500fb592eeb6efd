//! Systems that nobody chose: drawn at random, written as models, and held to what theory says of them.

mod draws;
pub mod equilibria;
pub mod rates;

pub use draws::Draws;

use super::{Check, Group};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "random-equilibria",
        group: Group::Brownian,
        title: "small reversible systems, drawn at random, at their longest time step and shorter ones",
        theory: "shares of time in macrostates (who is bound to whom, in which state, on which side) = configuration \
                 integrals with exp(-U) and K for what is bound, at any time step",
        source: "equilibrium statistical mechanics; integrals by plain Monte Carlo",
        seconds: 25.0,
        quick: true,
        run: equilibria::equilibria,
    },
    rates::CHECK,
];
