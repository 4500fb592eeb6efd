//! How fast diffusion brings partners to a site that points somewhere.

use std::f64::consts::PI;

/// Terms of the series: those left out are below 1e-4 of the sum for openings of 3 degrees and more.
const TERMS: usize = 400;

/// The rate constant at which partners come by diffusion to a round patch on a sphere, which turns
/// with it, if all that reach the patch react: 4 π D R times a share that is between that of the patch's
/// surface and its square root. \[nm³/µs\]
///
/// `opening` is the angle between the axis of the patch and its rim \[rad\], `diffusion` the sum D of the
/// diffusion coefficients \[nm²/µs\], `distance` that of the centres at contact R \[nm\], and `turning` the
/// rotational diffusion coefficient of the sphere \[rad²/µs\]. The partner reacts all around.
///
/// It is the approximation of constant flux through the patch (Shoup, Lipari and Szabo, Biophys. J. 36,
/// 697, 1981, equation 8): with c = cos θ, Legendre polynomials P_n, and x_n² = n (n + 1) R² D_r/D,
///
/// ```text
/// k = 4 π D R (1 - c)² / Σ_n [P_(n-1)(c) - P_(n+1)(c)]² / (2n + 1) · K_(n+½)(x_n) / (x_n K_(n+3/2)(x_n) - n K_(n+½)(x_n))
/// ```
pub fn patch_limit(opening: f64, diffusion: f64, distance: f64, turning: f64) -> f64 {
    let c = libm::cos(opening);
    let speed = distance * distance * turning / diffusion;
    // P_(n-1), P_n, P_(n+1)
    let (mut before, mut here, mut after) = (1.0, 1.0, c);
    let mut sum = 0.0;
    for n in 0..TERMS {
        let k = n as f64;
        let width = before - after;
        sum += width * width / (2.0 * k + 1.0) * response(n, (k * (k + 1.0) * speed).sqrt());
        before = here;
        here = after;
        after = ((2.0 * k + 3.0) * c * here - (k + 1.0) * before) / (k + 2.0);
    }
    4.0 * PI * diffusion * distance * (1.0 - c) * (1.0 - c) / sum
}

/// K_(n+½)(x)/(x K_(n+3/2)(x) - n K_(n+½)(x)): how far the n-th multipole of a flux from the sphere
/// reaches, if it decays over R/x as the sphere turns.
fn response(n: usize, x: f64) -> f64 {
    if x == 0.0 {
        return 1.0 / (n as f64 + 1.0);
    }
    // K_(m+3/2)/K_(m+½) from that of m - 1; x times it, which stays finite for small x.
    let mut ratio = x + 1.0;
    for m in 1..=n {
        ratio = (2 * m + 1) as f64 + x * x / ratio;
    }
    1.0 / (ratio - n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_all_around_is_met_like_a_sphere() {
        let limit = patch_limit(PI, 2.0, 3.0, 0.7);
        assert!((limit / (24.0 * PI) - 1.0).abs() < 1e-12, "{limit}");
    }

    /// A small patch at rest is met like a disk in a plane, 4 D a (Hill 1975); with constant flux
    /// 3 π² D a/8, 7.5 % less. On a sphere there is more space around it than above a plane.
    #[test]
    fn a_small_patch_at_rest_is_met_like_a_disk() {
        let over_disk = [0.06, 0.03]
            .map(|opening| patch_limit(opening, 1.0, 1.0, 0.0) / (3.0 * PI * PI / 8.0 * opening));
        assert!(over_disk[0] < 1.08 && over_disk[1] < over_disk[0] && over_disk[1] > 1.0);
    }

    /// A sphere that turns without end shows its patch everywhere.
    #[test]
    fn the_faster_it_turns_the_more_it_is_met() {
        let limits = [0.0, 0.75, 3.0, 1e9].map(|turning| patch_limit(PI / 6.0, 1.0, 1.0, turning));
        assert!(limits.is_sorted(), "{limits:?}");
        assert!((limits[1] - 3.277).abs() < 0.001, "{limits:?}");
        assert!((limits[3] / (4.0 * PI) - 1.0).abs() < 0.02, "{limits:?}");
    }
}
