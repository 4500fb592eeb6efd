//! What the time step does to spheres in Brownian motion: nothing, or something whose order and
//! limit are known. All steps are driven by the same noise, so that what differs is what longer
//! steps do wrong.

mod drift;
mod levels;
mod unchanged;

use super::{Check, Group};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "order-in-the-step",
        group: Group::Brownian,
        title: "convergence of drifting particles in the time step",
        theory: "first order, exactly: mean height D/v + v dt/2 above a wall towards which particles drift at v; \
                 variance 2 D t (1 + g^2 (t^2/3 - t dt/2 + dt^2/6)) along a shear flow of rate g, and rms distance \
                 g dt (D t)^(1/2) of paths at dt and 2 dt; by Richardson's extrapolation the limits of dt -> 0",
        source: "stationarity of <z^2> under z -> |z + s|; sums of Gaussian steps; Richardson 1911; exact",
        seconds: 8.0,
        quick: true,
        run: drift::orders,
    },
    Check {
        name: "independence-of-the-step",
        group: Group::Brownian,
        title: "what the time step does not change",
        theory: "free particles, with constant drift or in a harmonic well, end in the same place at every step that \
                 draws the same noise; hard rods in single file spread alike at every step, as they exchange \
                 their places among free particles",
        source: "sums of Gaussian steps; Ornstein and Uhlenbeck 1930; Jepsen 1965; exact",
        seconds: 1.0,
        quick: true,
        run: unchanged::by_the_step,
    },
];
