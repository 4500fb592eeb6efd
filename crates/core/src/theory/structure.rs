//! The structure of hard rods, disks and spheres in equilibrium, as exactly as it is known; and
//! what a periodic box that holds just so many particles changes about it.

use std::f64::consts::PI;

use super::contact_value_virial;

/// By what share the pair density at contact of `n` particles in a periodic box falls short of that
/// of infinitely many: (chi / 2n) (phi^2 g)'' / g, chi the compressibility (Lebowitz and Percus
/// 1961). For point particles it is 1/n: no particle meets himself.
pub fn finite_size<const D: usize>(phi: f64, n: f64) -> f64 {
    let h = 1e-3 * phi.min(1.0);
    let pairs = |phi: f64| phi * phi * contact_value_virial::<D>(phi);
    let pressure = |phi: f64| phi + f64::from(1_u32 << (D - 1)) * pairs(phi);
    let chi = 2.0 * h / (pressure(phi + h) - pressure(phi - h));
    let curvature = (pairs(phi + h) - 2.0 * pairs(phi) + pairs(phi - h)) / (h * h);
    chi * curvature / (2.0 * n * contact_value_virial::<D>(phi))
}

/// The pair distribution of hard spheres at a distance of `r` diameters, 1 to 2, by Percus and
/// Yevick's closure (Wertheim 1963): exact to first order in `phi`, and off by 0.6 phi^2 at
/// contact.
pub fn percus_yevick(phi: f64, r: f64) -> f64 {
    // r g(r) has the Laplace transform t ((1 + phi/2) t + 1 + 2 phi) / S(t) with a cubic S, from
    // contact to two diameters; this is its Taylor series about contact.
    let cubic = [
        (1.0 - phi).powi(2),
        6.0 * phi * (1.0 - phi),
        18.0 * phi * phi,
        -12.0 * phi * (1.0 + 2.0 * phi),
    ];
    let above = [1.0 + 0.5 * phi, 1.0 + 2.0 * phi];
    let mut last = [0.0; 3];
    let (mut power, mut sum) = (1.0, 0.0);
    for k in 0..60_usize {
        let known = last[0] * cubic[1] + last[1] * cubic[2] + last[2] * cubic[3];
        let coefficient = (above.get(k).copied().unwrap_or(0.0) - known) / cubic[0];
        last = [coefficient, last[0], last[1]];
        sum += coefficient * power;
        power *= (r - 1.0) / (k + 1) as f64;
    }
    sum / r
}

/// What g(r) of hard disks has of second order in the packing fraction, at 1, 1.1, .. 3 diameters:
/// two more disks between the two, in all ways to overlap (the five diagrams of the virial
/// expansion, summed over 4e6 random places each: +- 0.003; the first is known to be 2.129, from
/// the virial coefficient B_4).
const TWO_MORE_DISKS: [f64; 21] = [
    2.129, 1.491, 0.931, 0.445, 0.032, -0.309, -0.584, -0.779, -0.901, -0.940, -0.853, -0.634,
    -0.450, -0.306, -0.194, -0.115, -0.060, -0.025, -0.007, -0.001, 0.0,
];

/// The pair distribution of hard disks at a distance of `r` diameters, at least 1, to second order
/// in `phi`: off by 2.7 phi^3 at contact.
pub fn dilute_disks(phi: f64, r: f64) -> f64 {
    let lens =
        if r < 2.0 { 2.0 * libm::acos(r / 2.0) - r / 2.0 * (4.0 - r * r).sqrt() } else { 0.0 };
    let (cell, within) = ((r - 1.0) / 0.1, ((r - 1.0) / 0.1).fract());
    let [near, far] = [0, 1].map(|k| TWO_MORE_DISKS.get(cell as usize + k).copied().unwrap_or(0.0));
    1.0 + 4.0 * phi / PI * lens + phi * phi * (near + within * (far - near))
}

/// The pair distribution of `n` hard rods on a ring of which they fill the share `phi`, at a
/// distance of `r` rods: exact (gaps are those of points thrown at random; for infinitely many,
/// Zernike and Prins 1927).
pub fn rods_on_a_ring(phi: f64, n: usize, r: f64) -> f64 {
    let free = n as f64 * (1.0 / phi - 1.0);
    let mut g = 0.0;
    for k in 1..=(r as usize).min(n - 1) {
        // The density of the sum of k gaps: Beta(k, n - k), in units of the free length.
        let x = (r - k as f64) / free;
        if x > 1.0 {
            continue;
        }
        let log = libm::lgamma(n as f64) - libm::lgamma(k as f64) - libm::lgamma((n - k) as f64);
        g += libm::exp(log) * x.powi(k as i32 - 1) * (1.0 - x).powi((n - k) as i32 - 1) / free;
    }
    // An ideal gas has n - 1 others on the ring.
    g * (n as f64 / phi) / (n as f64 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rods: n - 1 gaps on the free length say that no correction at all is due to pairs per pair.
    #[test]
    fn a_finite_box_of_rods_is_exact() {
        for phi in [0.1, 0.5, 0.8] {
            assert!((finite_size::<1>(phi, 100.0) - 0.01).abs() < 1e-6);
            assert!((rods_on_a_ring(phi, 100, 1.0) - 1.0 / (1.0 - phi)).abs() < 1e-9);
        }
        assert!((finite_size::<3>(1e-6, 100.0) - 0.01).abs() < 1e-6);
        let dense = finite_size::<3>(0.3, 343.0);
        assert!(dense > 0.0005 && dense < 0.002, "{dense}");
    }

    /// The other rods of a ring are somewhere on it.
    #[test]
    fn pairs_of_rods_add_up() {
        let (phi, n) = (0.5, 20);
        let ring = n as f64 / phi;
        let steps = 40_000;
        let sum: f64 = (0..steps)
            .map(|k| rods_on_a_ring(phi, n, (k as f64 + 0.5) * ring / steps as f64))
            .sum();
        assert!((sum / steps as f64 - 1.0).abs() < 1e-3, "{}", sum / steps as f64);
    }

    #[test]
    fn pair_distributions_have_their_limits() {
        // To first order in phi: 1 + 8 phi (1 - 3 r/4 + r^3/16).
        for r in [1.0, 1.3, 1.7, 2.0_f64] {
            let slope = (percus_yevick(1e-6, r) - 1.0) / 1e-6;
            assert!(
                (slope - 8.0 * (1.0 - 0.75 * r + r.powi(3) / 16.0)).abs() < 1e-3,
                "{r}: {slope}"
            );
        }
        assert!((percus_yevick(0.3, 1.0) - 1.15 / 0.49).abs() < 1e-12);
        // The contact value of disks is 1 + 1.564 phi: B_3 = 4/3 - sqrt(3)/pi in units of B_2^2.
        let slope = (dilute_disks(1e-6, 1.0) - 1.0) / 1e-6;
        assert!((slope - 2.0 * (4.0 / 3.0 - 3f64.sqrt() / PI)).abs() < 1e-5);
        // The next order there, as the virial coefficients have it.
        let second =
            |phi: f64| (contact_value_virial::<2>(phi) - dilute_disks(phi, 1.0)) / (phi * phi);
        assert!(second(0.01).abs() < 0.04, "{}", second(0.01));
        assert!((dilute_disks(0.1, 2.0 - 1e-9) - dilute_disks(0.1, 2.0 + 1e-9)).abs() < 1e-6);
        assert_eq!(dilute_disks(0.1, 3.5), 1.0);
    }
}
