//! Coagulation with a constant kernel: any two clusters join at the same rate constant.

/// The reduced time T = K n0 t / 2, for a rate constant K of dn/dt = -K n²/2 for the total number
/// density n, which was n0 in monomers. `kernel` \[nm³/µs\], `density` \[1/nm³\], `time` \[µs\].
///
/// K counts each unordered pair once: of particles that all diffuse with D and are absorbed at the
/// distance R, K = 4 π (2 D) R. A rule of jostle for A + A that has the macroscopic rate constant k
/// takes place k n²/2 times per volume and time, and then K = k.
pub fn coagulation_time(kernel: f64, density: f64, time: f64) -> f64 {
    0.5 * kernel * density * time
}

/// Clusters of `size` monomers per monomer at the start, at reduced time `reduced`:
/// T^(k-1)/(1+T)^(k+1) (Smoluchowski 1916). Zero for size 0.
pub fn coagulated(size: u32, reduced: f64) -> f64 {
    if size == 0 {
        return 0.0;
    }
    let share = reduced / (1.0 + reduced);
    libm::pow(share, f64::from(size - 1)) / ((1.0 + reduced) * (1.0 + reduced))
}

/// Clusters of all sizes per monomer at the start, at reduced time `reduced`: 1/(1+T).
pub fn coagulated_total(reduced: f64) -> f64 {
    1.0 / (1.0 + reduced)
}

#[cfg(test)]
mod tests {
    use super::super::rk4;
    use super::*;

    #[test]
    fn sizes_add_up() {
        for reduced in [0.5, 1.0, 2.0, 4.0] {
            let sizes = || (0..2000).map(|k| (f64::from(k), coagulated(k, reduced)));
            let total: f64 = sizes().map(|(_, n)| n).sum();
            assert!((total - coagulated_total(reduced)).abs() < 1e-12, "{total}");
            let mass: f64 = sizes().map(|(k, n)| k * n).sum();
            assert!((mass - 1.0).abs() < 1e-12, "{mass}");
        }
        assert_eq!(coagulated(1, 0.0), 1.0);
        assert_eq!(coagulated(2, 0.0), 0.0);
        // at T = 1: 1/4, 1/8, 1/16, ...
        assert_eq!([1, 2, 3].map(|k| coagulated(k, 1.0)), [0.25, 0.125, 0.0625]);
    }

    /// The first sizes do not depend on larger ones except through the total, and so close:
    /// d n_k/dt = K/2 sum n_i n_(k-i) - K n_k n.
    #[test]
    fn the_equations_of_smoluchowski() {
        let (kernel, density, time) = (3.0, 0.25, 4.0);
        let rate = |n: [f64; 6]| {
            // n[0] holds the total
            std::array::from_fn(|k| match k {
                0 => -0.5 * kernel * n[0] * n[0],
                k => {
                    let gain: f64 = (1..k).map(|i| n[i] * n[k - i]).sum();
                    kernel * (0.5 * gain - n[k] * n[0])
                }
            })
        };
        let start = [density, density, 0.0, 0.0, 0.0, 0.0];
        let end = rk4(rate, start, time, 1000);
        let reduced = coagulation_time(kernel, density, time);
        assert!((end[0] / density - coagulated_total(reduced)).abs() < 1e-10);
        for k in 1..6 {
            assert!((end[k as usize] / density - coagulated(k, reduced)).abs() < 1e-10, "{k}");
        }
    }
}
