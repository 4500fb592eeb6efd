//! One target and particles that diffuse to it: how many arrive in time, how long a lone one takes.
//!
//! A particle reacts where it touches the target with the intrinsic rate constant k_a (Collins and
//! Kimball 1949); with an infinite one it is absorbed at first touch (Smoluchowski 1917).

use std::f64::consts::{FRAC_PI_2, PI};

use super::encounter::scaled_erfc;

/// The time integral of the rate constant from a uniform start up to `t` \[µs\]: how many of unit
/// density have reacted with one target. `k_a` \[nm^d/µs\], D \[nm²/µs\], R \[nm\]. \[nm^d\]
///
/// The number that reacted is Poisson, and a target at rest survives with probability exp(-c times
/// this) among particles of density c. Straight steps follow it for t much above the time step.
pub fn encounters<const D: usize>(k_a: f64, diffusion: f64, contact: f64, t: f64) -> f64 {
    const { assert!(D == 2 || D == 3) };
    let (reduced, time) =
        (k_a / (diffusion * contact.powi(D as i32 - 2)), diffusion * t / (contact * contact));
    contact.powi(D as i32)
        * if D == 2 { encounters_2d(reduced, time) } else { encounters_3d(reduced, time) }
}

/// For D = R = 1.
fn encounters_3d(k_a: f64, t: f64) -> f64 {
    let k_d = 4.0 * PI;
    if k_a.is_infinite() {
        return k_d * (t + 2.0 * (t / PI).sqrt());
    }
    let gamma = 1.0 + k_a / k_d;
    let x = gamma * t.sqrt();
    let early = (scaled_erfc(x) - 1.0 + 2.0 * x / PI.sqrt()) / (gamma * gamma);
    k_a / gamma * (t + k_a / k_d * early)
}

/// For D = R = 1: (8/pi) Int (1 - exp(-u² t))/(u³ |H0(u) + (2 pi/k_a) u H1(u)|²) du (Carslaw and
/// Jaeger 1959, 13.5), by the logarithm of u; what is left below the smallest u has a closed form.
fn encounters_2d(k_a: f64, t: f64) -> f64 {
    const SPACING: f64 = 0.01;
    const SMALLEST: f64 = -16.0;
    let per_flux = 2.0 * PI / k_a;
    let integrand = |y: f64| {
        let u = libm::exp(y);
        let real = libm::j0(u) + per_flux * u * libm::j1(u);
        let imaginary = libm::y0(u) + per_flux * u * libm::y1(u);
        -libm::expm1(-u * u * t) / (u * u * (real * real + imaginary * imaginary))
    };
    let points = ((12.0 - SMALLEST) / SPACING) as u32;
    let sum: f64 = (0..points).map(|k| integrand(SMALLEST + (f64::from(k) + 0.5) * SPACING)).sum();
    let slope = 2.0 / PI;
    let end = slope * (SMALLEST - std::f64::consts::LN_2 + 0.577_215_664_901_532_9 - per_flux);
    8.0 / PI * (sum * SPACING + t / slope * (libm::atan(end) + FRAC_PI_2))
}

/// Of a periodic cube (square): the constant of its Green's function, and the sum of n^-4 over its
/// lattice over (2 pi)^4.
const IMAGES: [[f64; 2]; 2] = [[1.310_533, 0.003_866_9], [2.837_297, 0.010_607]];

/// Mean time until a particle that starts anywhere outside contact in a periodic cube (square) of
/// edge `edge` reacts with the one target. Units as in [`encounters`]. \[µs\]
///
/// T = C - (V/D) G with the periodic Green's function G = 1/(4 pi r) - 2.837297/(4 pi L) + r²/6V
/// (2D: (ln(L/r) - 1.310533)/2 pi + r²/4A), and C such that the flux into the target is k_a T
/// there. Relative error of order (R/L)^5 and less.
pub fn mean_capture_time<const D: usize>(edge: f64, k_a: f64, diffusion: f64, contact: f64) -> f64 {
    let (edge, k_a) = (edge / contact, k_a / (diffusion * contact.powi(D as i32 - 2)));
    let time = room::<D>(edge) / k_a + from_touch::<D>(edge, 1.0);
    time * contact * contact / diffusion
}

/// The same of a target that absorbs at `radius`, below the contact distance \[nm\], particles that
/// start outside contact: straight steps see it at R times
/// [`crate::rules::rates::absorbing_radius`].
pub fn mean_absorption_time<const D: usize>(
    edge: f64,
    radius: f64,
    diffusion: f64,
    contact: f64,
) -> f64 {
    from_touch::<D>(edge / contact, radius / contact) * contact * contact / diffusion
}

/// The volume outside contact, for R = 1.
fn room<const D: usize>(edge: f64) -> f64 {
    edge.powi(D as i32) - if D == 3 { 4.0 * PI / 3.0 } else { PI }
}

/// Mean time until particles that start outside contact come to `radius` first, for D = R = 1.
fn from_touch<const D: usize>(edge: f64, radius: f64) -> f64 {
    const { assert!(D == 2 || D == 3) };
    let v = edge.powi(D as i32);
    // G at the target, and its integral over all that is within contact
    let (green, inside) = if D == 3 {
        let image = IMAGES[1][0] / edge;
        let green = (1.0 / radius - image) / (4.0 * PI) + radius * radius / (6.0 * v);
        (green, 0.5 - image / 3.0 + 2.0 * PI / (15.0 * v))
    } else {
        let image = libm::log(edge) - IMAGES[0][0];
        let green = (image - libm::log(radius)) / (2.0 * PI) + radius * radius / (4.0 * v);
        (green, 0.5 * (image + 0.5) + PI / (8.0 * v))
    };
    v * green + v / room::<D>(edge) * inside
}

/// The time constant of the exponential in which survival ends in the same box, long after the
/// start. \[µs\]
///
/// From the Green's function of Helmholtz's equation to first order in its eigenvalue; relative
/// error of order (R/L)^4 (2D: times a logarithm).
pub fn late_capture_time<const D: usize>(edge: f64, k_a: f64, diffusion: f64, contact: f64) -> f64 {
    const { assert!(D == 2 || D == 3) };
    let (edge, k_a) = (edge / contact, k_a / (diffusion * contact.powi(D as i32 - 2)));
    let v = edge.powi(D as i32);
    // G = -1/(V mu) + G0 + mu G1 at contact, and its fluxes into the target
    let (green, next, sink, next_sink) = if D == 3 {
        let green = 1.0 / (4.0 * PI) - IMAGES[1][0] / (4.0 * PI * edge) + 1.0 / (6.0 * v);
        (green, IMAGES[1][1] * edge - 1.0 / (8.0 * PI), 1.0 - 4.0 * PI / (3.0 * v), 0.5)
    } else {
        let log = libm::log(edge) - IMAGES[0][0];
        let next = IMAGES[0][1] * v - (log + 1.0) / (8.0 * PI);
        (log / (2.0 * PI) + 1.0 / (4.0 * v), next, 1.0 - PI / v, 0.5 * (log + 0.5))
    };
    let mut time = v * (green + sink / k_a);
    for _ in 0..50 {
        time = v * (green + sink / k_a + (next + next_sink / k_a) / time);
    }
    time * contact * contact / diffusion
}

#[cfg(test)]
mod tests {
    use super::super::{capture_time, collins_kimball};
    use super::*;

    /// The derivative is the rate constant.
    #[test]
    fn encounters_in_space_grow_at_the_rate_constant() {
        let (d, r, h) = (2.0, 0.5, 1e-5);
        for (k_a, t) in [(3.0, 0.1), (50.0, 2.0), (f64::INFINITY, 0.3)] {
            let slope =
                (encounters::<3>(k_a, d, r, t + h) - encounters::<3>(k_a, d, r, t - h)) / (2.0 * h);
            assert!((slope / collins_kimball(k_a, d, r, t) - 1.0).abs() < 1e-6, "{k_a} {t}");
        }
    }

    /// Early on the rate constant is k_a, or that of a flat wall; late it falls as
    /// 4 pi/(ln(4t) - 2 gamma).
    #[test]
    fn encounters_in_the_plane_have_their_limits() {
        assert!((encounters::<2>(3.0, 1.0, 1.0, 1e-6) / 3e-6 - 1.0).abs() < 5e-3);
        // 2 pi (1/sqrt(pi t) + 1/2 - ...)
        let flat = |t: f64| 4.0 * (PI * t).sqrt() + PI * t;
        assert!((encounters::<2>(f64::INFINITY, 1.0, 1.0, 1e-4) / flat(1e-4) - 1.0).abs() < 1e-3);
        let t = 1e9;
        let slope = (encounters::<2>(f64::INFINITY, 1.0, 1.0, 1.01 * t)
            - encounters::<2>(f64::INFINITY, 1.0, 1.0, 0.99 * t))
            / (0.02 * t);
        let log = (4.0 * t).ln() - 2.0 * 0.577_215_664_9;
        // and the next terms: 1 - gamma/log - (pi²/6 - gamma²)/log²
        let next = (0.577_215_664_9 + (1.644_934 - 0.333_178) / log) / log;
        assert!((slope * log / (4.0 * PI) - 1.0 + next).abs() < 5e-4, "{slope}");
        // units
        let (d, r) = (3.0, 2.0);
        let found = encounters::<2>(5.0 * d, d, r, 0.7 * r * r / d);
        assert!((found - r * r * encounters::<2>(5.0, 1.0, 1.0, 0.7)).abs() < 1e-9);
    }

    /// A target that absorbs differs from [`capture_time`] by where particles start only.
    #[test]
    fn mean_times_of_a_target_that_absorbs() {
        let unbounded = mean_capture_time::<3>(10.0, f64::INFINITY, 2.0, 1.5);
        assert!((mean_absorption_time::<3>(10.0, 1.5, 2.0, 1.5) / unbounded - 1.0).abs() < 1e-12);
        // started from farther off than it absorbs, it takes a little longer
        let nearer = mean_absorption_time::<2>(10.0, 0.9, 1.0, 0.9);
        let ratio = mean_absorption_time::<2>(10.0, 0.9, 1.0, 1.0) / nearer;
        assert!(ratio > 1.0 && ratio < 1.01, "{ratio}");
        let three = mean_capture_time::<3>(10.0, f64::INFINITY, 1.0, 1.0)
            / capture_time::<3>(10.0, 1.0, 1.0);
        assert!((three - 1.0).abs() < 6e-3, "{three}");
        let two = mean_capture_time::<2>(20.0, f64::INFINITY, 1.0, 1.0)
            / capture_time::<2>(20.0, 1.0, 1.0);
        assert!((two - 1.0).abs() < 1.5e-2, "{two}");
    }

    /// A slow reaction leaves the distribution uniform: one exponential.
    #[test]
    fn late_times_of_a_slow_reaction_are_the_mean() {
        let ratio =
            late_capture_time::<3>(8.0, 0.1, 2.0, 1.0) / mean_capture_time::<3>(8.0, 0.1, 2.0, 1.0);
        assert!((ratio - 1.0).abs() < 1e-4, "{ratio}");
        let ratio =
            late_capture_time::<2>(8.0, 0.1, 2.0, 1.0) / mean_capture_time::<2>(8.0, 0.1, 2.0, 1.0);
        assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
        // absorbed at once: 1 + 1.675 (a/L)² and higher orders
        let ratio = late_capture_time::<3>(20.0, f64::INFINITY, 1.0, 1.0)
            / mean_capture_time::<3>(20.0, f64::INFINITY, 1.0, 1.0);
        assert!((ratio - 1.0 - 1.675 / 400.0).abs() < 2.5e-3, "{ratio}");
    }
}
