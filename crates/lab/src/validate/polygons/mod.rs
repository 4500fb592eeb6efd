//! Polygons that press on each other.

mod balance;
mod heaps;
mod impacts;
mod rest;
pub mod world;

use super::{Check, Group};
use jostle_core::random::{Purpose, Random};

/// The `k`-th number of a seed, from `low` to `high`.
fn draw(seed: u64, k: u64, [low, high]: [f64; 2]) -> f64 {
    low + (high - low) * Random::new(seed).uniform(Purpose::Placement, [k, 0, 0, 0])
}

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "polygon-impact",
        group: Group::Polygons,
        title: "faces and corners that meet a plane",
        theory: "face: a damped spring that never pulls, e = exp(-(zeta/q)(pi - atan(2 zeta q/(1 - 2 zeta^2)))), \
                 q^2 = 1 - zeta^2, zeta = gamma/2 w/l or gamma/2 sqrt(w/l); corner: depth \
                 (m l^2 v^2/(Y tan^2))^(1/4) for 2.622 depth/v (Gradient law), (3 l m v^2/(2 Y tan))^(1/3) for \
                 2.804 depth/v (Area law), e = 1",
        source: "linear oscillator; energy integrals of the force laws of Feng and Owen 2004 and of Tillemans and \
                 Herrmann 1995",
        seconds: 0.5,
        quick: true,
        run: impacts::on_a_plane,
    },
    Check {
        name: "polygon-spin",
        group: Group::Polygons,
        title: "what impacts make of spin",
        theory: "momentum and angular momentum are kept, whatever the law; a square that hits a smooth wall keeps \
                 its angular momentum about the contact line, and spins on with J = -2 v/(1/m + a^2/I)",
        source: "rigid body mechanics",
        seconds: 0.5,
        quick: true,
        run: impacts::spin,
    },
    Check {
        name: "polygon-incline",
        group: Group::Polygons,
        title: "blocks and a disk on an incline",
        theory: "rest below tan theta = mu, without creep; above it a = g (sin theta - mu cos theta); a disk rolls \
                 with 2/3 g sin theta; a block topples above tan theta = w/h (full suite)",
        source: "Coulomb 1785; Cundall and Strack 1979",
        seconds: 0.5,
        quick: true,
        run: rest::on_an_incline,
    },
    Check {
        name: "polygon-stack",
        group: Group::Polygons,
        title: "a stack of blocks at rest",
        theory: "every block bears the weight of those above it, as a mean over time where it still sways",
        source: "statics",
        seconds: 1.0,
        quick: true,
        run: rest::stack,
    },
    Check {
        name: "polygon-books",
        group: Group::Polygons,
        title: "the energy balance of polygons",
        theory: "kinetic + potential + elastic energy + heat - work of the walls never changes, but for the \
                 integration",
        source: "conservation of energy",
        seconds: 1.0,
        quick: true,
        run: balance::energy,
    },
    Check {
        name: "polygon-order",
        group: Group::Polygons,
        title: "convergence with the time step",
        theory: "errors shrink with the fifth power of the step where forces are smooth, and with about the second \
                 where corners come to lie within overlaps",
        source: "Gear 1971, Allen and Tildesley 1987",
        seconds: 1.0,
        quick: true,
        run: balance::order,
    },
    Check {
        name: "angle-of-repose",
        group: Group::Polygons,
        title: "heaps of polygons and of disks",
        theory: "heaps of polygons are steeper than heaps of disks, and steeper with more friction: by 3 to 60 degrees",
        source: "a trend: Schinner 1999, section 1; no published number",
        seconds: 10.0,
        quick: true,
        run: heaps::repose,
    },
];
