//! How long a time step may be, and how small a periodic box.

use std::f64::consts::PI;

use super::{ForceLaw, NormalLaw, SPIN, Solid};
use crate::space::Outline;

/// A time step is at most this part of the shortest contact.
pub const STEPS_PER_CONTACT: f64 = 30.0;

/// Gear's method gets unstable where damping is faster than 0.16 per step (measured for an
/// oscillator); a body in two contacts is damped twice as fast as in one.
pub const DECAY_TIMES: f64 = 0.08 * STEPS_PER_CONTACT;

/// A periodic edge is at least so many circumradii of the largest body: two of them, each as wide
/// as it can be, and as much between them; padding is a quarter at most.
pub const LEAST_PERIOD: f64 = 5.0;

/// About the shortest time in which something happens in a contact of two of these bodies \[µs\]:
/// half a period of the stiffest contact there can be, between two bodies as light as the lightest,
/// face to face on the widest face; or [`DECAY_TIMES`] of the strongest damping, if that is less.
/// Infinite without bodies.
///
/// A time step is at most a [`STEPS_PER_CONTACT`]th of it.
pub fn contact_time(law: &ForceLaw, outlines: &[Outline], solids: &[Solid]) -> f64 {
    let (mut lightest, mut widest) = (f64::INFINITY, 1.0_f64);
    for solid in solids {
        let outline = &outlines[solid.outline as usize];
        lightest = lightest.min(solid.density * outline.area());
        // The width of a contact, in radii of a disk of the same area.
        widest = widest.max(longest_edge(outline) * (PI / outline.area()).sqrt());
    }
    if solids.is_empty() {
        return f64::INFINITY;
    }
    // Of a reduced mass m/2, with l = 2 r.
    let (rate, width) = ((2.0 * law.stiffness / lightest).sqrt(), 0.5 * widest);
    let (omega, decay) = match law.normal {
        NormalLaw::Gradient => (rate * width, law.damping * rate * width * width),
        NormalLaw::Area => (rate * width.sqrt(), law.damping * rate * width),
    };
    let is_rough = law.friction > 0.0 || law.wall_friction > 0.0 || law.rolling > 0.0;
    let rubbing = if is_rough { law.damping * rate * (SPIN * law.tangential).sqrt() } else { 0.0 };
    // What resists rolling damps rotation, two parts of the three in `SPIN`, a second time.
    let rubbing = if law.rolling > 0.0 { rubbing * (2.0 * SPIN - 1.0) / SPIN } else { rubbing };
    (PI / omega).min(DECAY_TIMES / decay.max(rubbing))
}

/// 0 for disks. \[nm\]
fn longest_edge(outline: &Outline) -> f64 {
    let corners = outline.polygon().map_or(&[][..], |polygon| polygon.corners());
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| (*b - *a).norm()).fold(0.0, f64::max)
}
