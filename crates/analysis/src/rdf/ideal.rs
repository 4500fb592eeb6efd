//! How often two particles of an ideal gas in the same box are so far apart.

use std::f64::consts::FRAC_PI_2;

/// What an axis is for two particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Axis {
    /// It closes on itself after so much. \[nm\]
    Closed(f64),
    /// The centres keep within intervals of these lengths, one in the middle of the other. \[nm\]
    Open([f64; 2]),
}

impl Axis {
    /// The density of the separation along the axis, at `u`, for two particles that are anywhere
    /// with equal chance. \[1/nm\] Along a closed axis, up to half its length.
    fn density(self, u: f64) -> f64 {
        match self {
            Self::Closed(length) => 1.0 / length,
            Self::Open([a, b]) => {
                let (long, short) = (a.max(b), a.min(b));
                let overlap = 0.5 * (long + short) - u;
                (overlap / (long * short)).clamp(0.0, 1.0 / long)
            }
        }
    }
}

/// Nodes of a quadrature: exact for polynomials of degree 31, and for their products with sines and
/// cosines of small multiples of the angle to the last digits.
const NODES: usize = 16;

/// The probability that two particles that are anywhere with equal chance are between `from` and
/// `to` apart, for distances up to half the shortest axis. To rounding if both keep the same
/// distance from the walls; to some 1e-4 of itself otherwise.
pub(super) fn share(axes: &[Axis], from: f64, to: f64) -> f64 {
    let nodes = gauss_legendre();
    let over = |low: f64, high: f64, f: &dyn Fn(f64) -> f64| -> f64 {
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        nodes.iter().map(|[x, weight]| half * weight * f(middle + half * x)).sum()
    };
    over(from, to, &|r| match *axes {
        [x] => 2.0 * x.density(r),
        [x, y] => {
            let around = |phi: f64| x.density(r * libm::cos(phi)) * y.density(r * libm::sin(phi));
            4.0 * r * over(0.0, FRAC_PI_2, &around)
        }
        [x, y, z] => {
            let up = |theta: f64| {
                let (s, c) = (libm::sin(theta), libm::cos(theta));
                let around = |phi: f64| {
                    x.density(r * s * libm::cos(phi)) * y.density(r * s * libm::sin(phi))
                };
                s * z.density(r * c) * over(0.0, FRAC_PI_2, &around)
            };
            8.0 * r * r * over(0.0, FRAC_PI_2, &up)
        }
        _ => f64::NAN,
    })
}

/// Places and weights on -1..1: the roots of the Legendre polynomial, by Newton's method.
fn gauss_legendre() -> [[f64; 2]; NODES] {
    let n = NODES as f64;
    std::array::from_fn(|k| {
        let mut x = libm::cos(std::f64::consts::PI * (k as f64 + 0.75) / (n + 0.5));
        let mut slope = 1.0;
        for _ in 0..100 {
            let (mut before, mut p) = (1.0, x);
            for m in 2..=NODES {
                let m = m as f64;
                (before, p) = (p, ((2.0 * m - 1.0) * x * p - (m - 1.0) * before) / m);
            }
            slope = n * (x * p - before) / (x * x - 1.0);
            let step = p / slope;
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        [x, 2.0 / ((1.0 - x * x) * slope * slope)]
    })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::Axis::{Closed, Open};
    use super::*;

    fn close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within * expected, "{found} for {expected}");
    }

    #[test]
    fn in_a_closed_box_shells_have_their_exact_volume() {
        let (from, to) = (2.0, 3.5);
        close(share(&[Closed(10.0)], from, to), 2.0 * 1.5 / 10.0, 1e-14);
        close(share(&[Closed(10.0), Closed(8.0)], from, to), PI * (12.25 - 4.0) / 80.0, 1e-14);
        let shell = 4.0 / 3.0 * PI * (3.5f64.powi(3) - 8.0);
        close(share(&[Closed(10.0), Closed(8.0), Closed(9.0)], from, to), shell / 720.0, 1e-14);
    }

    #[test]
    fn between_walls_it_is_the_known_distribution_of_distances() {
        // In a unit interval the density is 2 (1 - r), in a unit square 2 r (π - 4 r + r²), in a
        // unit cube 4 π r² - 6 π r³ + 8 r⁴ - r⁵ (for r up to 1).
        let (a, b) = (0.2, 0.45);
        let between = |f: &dyn Fn(f64) -> f64| f(b) - f(a);
        let unit = Open([1.0; 2]);
        close(share(&[unit], a, b), between(&|r| 2.0 * r - r * r), 1e-13);
        let square = |r: f64| PI * r.powi(2) - 8.0 / 3.0 * r.powi(3) + 0.5 * r.powi(4);
        close(share(&[unit; 2], a, b), between(&square), 1e-13);
        let cube = |r: f64| {
            4.0 / 3.0 * PI * r.powi(3) - 1.5 * PI * r.powi(4) + 1.6 * r.powi(5) - r.powi(6) / 6.0
        };
        close(share(&[unit; 3], a, b), between(&cube), 1e-13);
    }

    #[test]
    fn particles_of_different_size_have_different_room() {
        // One anywhere in 0..1, the other always in the middle: the density of |x - 1/2| is 2.
        close(share(&[Open([1.0, 1e-9])], 0.1, 0.3), 0.4, 1e-6);
        // All separations together, along an axis: 1.
        close(share(&[Open([1.0, 0.4])], 0.0, 0.3), 0.6, 1e-13);
    }
}
