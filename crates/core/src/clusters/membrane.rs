//! How fast a disk diffuses in a membrane.

/// The constants of Petrov and Schwille 2008 (Biophysical Journal 94, L41).
const C: [f64; 2] = [0.73761, 0.52119];
const B: [f64; 2] = [2.74819, 0.51465];

const EULER: f64 = 0.577_215_664_901_532_9;

/// D of a disk in a membrane, in units of kT/(4 pi times the surface viscosity of the membrane),
/// where `size` is its radius over the length of Saffman and Delbrück.
///
/// For small disks ln(2/size) - 0.5772 (Saffman and Delbrück 1975), for large ones pi/(2 size), as
/// the water alone would have it. Between them the interpolation of Petrov and Schwille 2008, which
/// is within 0.03 % of the exact solution (Hughes, Pailthorpe and White 1981) for every size.
pub(super) fn disk_mobility(size: f64) -> f64 {
    let log = libm::log(2.0 / size);
    let small = log - EULER + 4.0 / std::f64::consts::PI * size - 0.5 * size * size * log;
    let bend = C[0] * libm::pow(size, B[0]) / (1.0 + C[1] * libm::pow(size, B[1]));
    small / (1.0 - size * size * size / std::f64::consts::PI * log + bend)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact solution, from the least drag of all forces spread over the disk: with B_nm the
    /// integral of J_2n(k) J_2m(k)/(k + size) over k > 0, it is 1/(B⁻¹)_00 (ten terms of each).
    const EXACT: [(f64, f64); 15] = [
        (1e-4, 9.32639916),
        (1e-3, 7.02495619),
        (0.01, 4.73356527),
        (0.1, 2.53039984),
        (0.3, 1.60890399),
        (0.5, 1.24109819),
        (1.0, 0.82460879),
        (1.5, 0.62939838),
        (2.0, 0.51264965),
        (3.0, 0.37709334),
        (5.0, 0.24929577),
        (10.0, 0.13664215),
        (30.0, 0.04936130),
        (100.0, 0.01537082),
        (1000.0, 0.00156644),
    ];

    #[test]
    fn within_three_parts_in_ten_thousand_of_the_exact_solution() {
        for (size, exact) in EXACT {
            let ratio = disk_mobility(size) / exact;
            assert!((ratio - 1.0).abs() < 2.5e-4, "{size}: {ratio}");
        }
    }

    #[test]
    fn the_limits_and_no_step_between_them() {
        let size = 1e-9;
        assert!((disk_mobility(size) - (libm::log(2.0 / size) - EULER)).abs() < 1e-7);
        assert!((disk_mobility(1e7) * 1e7 * 2.0 / std::f64::consts::PI - 1.0).abs() < 1e-3);
        let all: Vec<f64> =
            (-600..600).map(|n| disk_mobility(libm::exp(0.02 * f64::from(n)))).collect();
        assert!(all.windows(2).all(|pair| pair[1] < pair[0] && pair[1] > 0.97 * pair[0]));
    }
}
