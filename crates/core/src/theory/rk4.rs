//! Ordinary differential equations, in steps of fixed length.

/// The state after `time` of a system that changes as `rate(state)` per unit of time, by the
/// classic method of Runge and Kutta of fourth order in `steps` equal steps.
pub fn rk4<const N: usize>(
    rate: impl Fn([f64; N]) -> [f64; N],
    start: [f64; N],
    time: f64,
    steps: u32,
) -> [f64; N] {
    let h = time / f64::from(steps);
    let ahead = |state: [f64; N], slope: [f64; N], h: f64| -> [f64; N] {
        std::array::from_fn(|i| state[i] + h * slope[i])
    };
    let mut state = start;
    for _ in 0..steps {
        let k1 = rate(state);
        let k2 = rate(ahead(state, k1, 0.5 * h));
        let k3 = rate(ahead(state, k2, 0.5 * h));
        let k4 = rate(ahead(state, k3, h));
        let slope = std::array::from_fn(|i| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0);
        state = ahead(state, slope, h);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An oscillator over one period; the error falls sixteenfold as the step is halved.
    #[test]
    fn fourth_order() {
        let error = |steps| {
            let [x, v] = rk4(|[x, v]| [v, -x], [1.0, 0.0], std::f64::consts::TAU, steps);
            ((x - 1.0) * (x - 1.0) + v * v).sqrt()
        };
        let (coarse, fine) = (error(50), error(100));
        assert!(fine < 1e-6, "{fine}");
        assert!((coarse / fine - 16.0).abs() < 1.0, "{coarse} {fine}");
    }
}
