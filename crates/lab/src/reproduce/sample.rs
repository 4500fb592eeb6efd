//! Numbers that were drawn several times.

/// What several runs gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of one run; 0 of a single one.
    pub deviation: f64,
    /// How many runs.
    pub runs: usize,
}

impl Sample {
    /// Of these runs; NaN if there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.into_iter().collect();
        let runs = values.len();
        let mean = values.iter().sum::<f64>() / runs as f64;
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        Self { mean, deviation: (squares / runs.saturating_sub(1).max(1) as f64).sqrt(), runs }
    }
}

/// The least of some numbers; infinity of none.
pub(super) fn least(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::INFINITY, f64::min)
}

/// The exponent `a` of the power law `y = c x^a` that fits best, on logarithmic scales; NaN if
/// fewer than two points have two positive coordinates.
pub(super) fn exponent(points: impl IntoIterator<Item = [f64; 2]>) -> f64 {
    let positive = |p: &[f64; 2]| p[0] > 0.0 && p[1] > 0.0;
    let logs: Vec<[f64; 2]> =
        points.into_iter().filter(positive).map(|p| p.map(libm::log)).collect();
    let mean = |k: usize| logs.iter().map(|p| p[k]).sum::<f64>() / logs.len() as f64;
    let [x, y] = [mean(0), mean(1)];
    let product: f64 = logs.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    let square: f64 = logs.iter().map(|p| (p[0] - x) * (p[0] - x)).sum();
    if square > 0.0 { product / square } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_mean_and_the_deviation_of_one_run() {
        let sample = Sample::of([1.0, 3.0, 5.0]);
        assert_eq!(sample, Sample { mean: 3.0, deviation: 2.0, runs: 3 });
        assert_eq!(Sample::of([7.0]).deviation, 0.0);
        assert!(Sample::of([]).mean.is_nan());
    }

    #[test]
    fn a_power_law_shows_its_exponent() {
        let cubes = (1..9).map(|x| [f64::from(x), 5.0 * f64::from(x * x * x)]);
        assert!((exponent(cubes) - 3.0).abs() < 1e-12);
        assert!(exponent([[1.0, 2.0]]).is_nan());
        assert!(exponent([[1.0, 0.0], [2.0, 0.0]]).is_nan());
    }
}
