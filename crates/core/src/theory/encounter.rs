//! One pair: first contact within a step, capture by a single target, rates that change in time.

use std::f64::consts::{FRAC_PI_2, PI, SQRT_2};

/// The probability that two particles a distance `r` apart make contact within one step, exact for
/// straight steps of any width s. `r`, the contact distance `contact` and `width` = s in the same
/// unit; 1 for r below contact. In 1D the other particle is on one side.
pub fn first_contact<const D: usize>(r: f64, contact: f64, width: f64) -> f64 {
    const { assert!(D >= 1 && D <= 3) };
    if r < contact {
        return 1.0;
    }
    if D == 1 {
        return 0.5 * libm::erfc((r - contact) / (width * SQRT_2));
    }
    // over the rays that hit, by the angle psi between the ray and the tangent where it hits: the
    // impact parameter is R cos psi, and from the point closest to the centre the ray starts
    // `along` and hits R sin psi before
    let beyond = (r - contact) * (r + contact);
    let ray = |psi: f64| {
        let (sin, cos) = libm::sincos(psi);
        let along = (beyond + contact * contact * sin * sin).sqrt();
        let t = beyond / (along + contact * sin) / width;
        let gauss = libm::exp(-0.5 * t * t);
        let share = contact * sin / along;
        if D == 2 {
            share * gauss / PI
        } else {
            let longer = libm::erfc(t / SQRT_2) + (2.0 / PI).sqrt() * t * gauss;
            0.5 * share * longer * contact * cos / r
        }
    };
    quarter_turn(ray)
}

/// The integral of `f` over (0, pi/2), smooth inside but not necessarily at the ends
/// (Takahasi and Mori 1974: the points crowd doubly exponentially at both).
fn quarter_turn(f: impl Fn(f64) -> f64) -> f64 {
    const SPACING: f64 = 1.0 / 64.0;
    let mut sum = 0.0;
    for i in -224..=224 {
        let t = f64::from(i) * SPACING;
        let q = libm::exp(-PI * libm::sinh(t));
        let weight = FRAC_PI_2 * PI * libm::cosh(t) * q / ((1.0 + q) * (1.0 + q));
        sum += weight * f(FRAC_PI_2 / (1.0 + q));
    }
    sum * SPACING
}

/// Mean time until a particle that starts anywhere in a periodic cube (square) of edge `edge`
/// \[nm\] meets the one target of absorbing radius `radius` \[nm\] (R times
/// [`crate::rules::rates::absorbing_radius`]), D the sum of both diffusion coefficients \[nm²/µs\].
/// \[µs\]
///
/// 3D: relative error of order (a/L)^5; 2D: of order (a/L)² ln(L/a).
pub fn capture_time<const D: usize>(edge: f64, radius: f64, diffusion: f64) -> f64 {
    const { assert!(D == 2 || D == 3) };
    let share = radius / edge;
    if D == 2 {
        edge * edge / (2.0 * PI * diffusion) * (-libm::log(share) - 1.310_533)
    } else {
        let images = 1.0 - 2.837_297 * share + 8.0 * PI / 3.0 * share * share * share;
        edge * edge * edge / (4.0 * PI * diffusion * radius) * images
    }
}

/// The rate constant a time `t` \[µs\] after a uniform start in 3D \[nm³/µs\]: Collins and Kimball
/// 1949; with an infinite k_a \[nm³/µs\] Smoluchowski 1917. D \[nm²/µs\], R \[nm\].
///
/// Straight steps follow it for t much above the time step only.
///
/// ```
/// use jostle_core::theory::collins_kimball;
/// use std::f64::consts::PI;
///
/// let (k_a, diffusion, contact) = (2000.0, 100.0, 4.0);
/// let rate = |t| collins_kimball(k_a, diffusion, contact, t);
/// // At first all contacts count; in the end diffusion has to bring partners, too.
/// assert!((rate(1e-9) / k_a - 1.0).abs() < 1e-3);
/// let late = 1.0 / (1.0 / k_a + 1.0 / (4.0 * PI * diffusion * contact));
/// assert!((rate(1e6) / late - 1.0).abs() < 1e-3);
/// ```
pub fn collins_kimball(k_a: f64, diffusion: f64, contact: f64, t: f64) -> f64 {
    let k_d = 4.0 * PI * diffusion * contact;
    if k_a.is_infinite() {
        return k_d * (1.0 + contact / (PI * diffusion * t).sqrt());
    }
    let ratio = k_a / k_d;
    let x = (1.0 + ratio) * (diffusion * t).sqrt() / contact;
    k_a / (1.0 + ratio) * (1.0 + ratio * scaled_erfc(x))
}

/// exp(x²) erfc(x) for x >= 0.
pub(super) fn scaled_erfc(x: f64) -> f64 {
    if x < 20.0 {
        return libm::exp(x * x) * libm::erfc(x);
    }
    let z = 0.5 / (x * x);
    (1.0 - z * (1.0 - 3.0 * z * (1.0 - 5.0 * z))) / (x * PI.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (gap/s, flat, 2D at s/R = 0.05, 0.2, 1, 3D at the same), from independent quadrature.
    const TABLE: [(f64, f64, [f64; 3], [f64; 3]); 4] = [
        (0.0, 0.5, [0.5; 3], [0.5; 3]),
        (0.5, 0.308538, [0.299895, 0.275809, 0.192775], [0.291364, 0.245209, 0.117966]),
        (1.0, 0.158655, [0.152822, 0.137490, 0.088016], [0.147133, 0.118347, 0.046123]),
        (2.0, 0.022750, [0.021493, 0.018556, 0.011013], [0.020296, 0.015037, 0.004984]),
    ];

    #[test]
    fn first_contact_table() {
        for (gap, flat, two, three) in TABLE {
            for (n, s) in [0.05, 0.2, 1.0].into_iter().enumerate() {
                let r = 1.0 + gap * s;
                assert!((first_contact::<1>(r, 1.0, s) - flat).abs() < 6e-7);
                let p = first_contact::<2>(r, 1.0, s);
                assert!((p - two[n]).abs() < 6e-7, "2D {gap} {s}: {p}");
                let p = first_contact::<3>(r, 1.0, s);
                assert!((p - three[n]).abs() < 6e-7, "3D {gap} {s}: {p}");
            }
        }
        assert_eq!(first_contact::<2>(0.99, 1.0, 0.1), 1.0);
    }

    /// Just outside contact the integrand has a narrow edge: no loss of accuracy there.
    #[test]
    fn first_contact_is_continuous_at_touch() {
        for gap in [1e-14_f64, 1e-11, 1e-8] {
            for p in
                [first_contact::<2>(1.0 + gap, 1.0, 0.3), first_contact::<3>(1.0 + gap, 1.0, 0.3)]
            {
                // the half space narrows to a cone that is sqrt(2 gap) short of it
                assert!(p < 0.5 + 1e-9 && p > 0.5 - (2.0 * gap).sqrt(), "{gap}: {p}");
            }
        }
    }

    /// Integrated over all places it is the contact volume.
    #[test]
    fn first_contact_integrates_to_the_contact_volume() {
        for s in [0.01, 0.1, 1.0, 3.0] {
            let (mut line, mut plane, mut space) = (0.0, 0.0, 0.0);
            let spacing = 5e-3;
            // r = 1 + s g²: midpoints, smooth at touch
            for i in 0..700 {
                let g = (f64::from(i) + 0.5) * spacing;
                let (r, weight) = (1.0 + s * g * g, 2.0 * s * g * spacing);
                line += 2.0 * weight * first_contact::<1>(r, 1.0, s);
                plane += 2.0 * PI * r * weight * first_contact::<2>(r, 1.0, s);
                space += 4.0 * PI * r * r * weight * first_contact::<3>(r, 1.0, s);
            }
            let mean_step = s / (2.0 * PI).sqrt();
            for (volume, surface) in [(line, 2.0), (plane, 2.0 * PI), (space, 4.0 * PI)] {
                let ratio = volume / (surface * mean_step);
                assert!((ratio - 1.0).abs() < 1e-5, "s = {s}, surface {surface}: {ratio}");
            }
        }
    }

    /// The printed formulas, and a target of a = 0.94189 in a box of edge 10 with D = 1.
    #[test]
    fn capture() {
        let tau = capture_time::<3>(10.0, 0.94189, 1.0);
        assert!((tau - 62.50).abs() < 0.01, "{tau}");
        let tau = capture_time::<2>(10.0, 1.0, 2.0);
        assert!((tau - 100.0 / (4.0 * PI) * (10.0_f64.ln() - 1.310_533)).abs() < 1e-9);
    }

    #[test]
    fn time_dependent_rate() {
        let (k_a, d, r) = (85.0, 20.0, 1.0);
        let k_d = 4.0 * PI * d * r;
        let late = collins_kimball(k_a, d, r, 1e9);
        assert!((late / (k_a * k_d / (k_a + k_d)) - 1.0).abs() < 1e-5);
        assert!((collins_kimball(k_a, d, r, 0.0) / k_a - 1.0).abs() < 1e-12);
        // a large k_a tends to Smoluchowski's
        let (fast, limit) =
            (collins_kimball(1e9, d, r, 0.01), collins_kimball(f64::INFINITY, d, r, 0.01));
        assert!((fast / limit - 1.0).abs() < 1e-5);
        // both forms of the scaled complementary error function meet
        assert!((scaled_erfc(20.0 - 1e-9) / scaled_erfc(20.0) - 1.0).abs() < 1e-8);
    }
}
