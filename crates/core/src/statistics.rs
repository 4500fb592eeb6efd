//! Means of samples and their errors.

/// A mean and its standard error.
///
/// ```
/// use jostle_core::statistics::{Estimate, jackknife_error};
///
/// let samples = [1.0, 2.0, 3.0, 6.0];
/// let Estimate { mean, error } = Estimate::of(&samples);
/// assert_eq!(mean, 3.0);
/// assert!((error - (14.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
/// // Of a mean, the jackknife says the same; it also does of statistics that are none.
/// let without = |n: usize| (12.0 - samples[n]) / 3.0;
/// assert!((jackknife_error(&[0, 1, 2, 3].map(without)) - error).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    /// The mean of independent samples, and its standard error from their scatter: NaN for fewer
    /// than two.
    pub fn of(samples: &[f64]) -> Self {
        let count = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / count;
        let squares: f64 = samples.iter().map(|x| (x - mean) * (x - mean)).sum();
        Self { mean, error: (squares / (count * (count - 1.0))).sqrt() }
    }
}

/// The standard error of a statistic by jackknife (Efron and Stein 1981), from the values that it
/// takes when each of the independent groups of data is left out in turn.
pub fn jackknife_error(without_one: &[f64]) -> f64 {
    let n = without_one.len() as f64;
    let mean = without_one.iter().sum::<f64>() / n;
    let squares: f64 = without_one.iter().map(|value| (value - mean).powi(2)).sum();
    ((n - 1.0) / n * squares).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jackknife_error_of_a_mean_is_its_standard_error() {
        let samples = [1.0, 2.0, 3.0, 6.0];
        let without_one = samples.map(|x| (12.0 - x) / 3.0);
        let Estimate { mean, error } = Estimate::of(&samples);
        assert_eq!(mean, 3.0);
        assert!((error - (14.0f64 / 12.0).sqrt()).abs() < 1e-12);
        assert!((jackknife_error(&without_one) - error).abs() < 1e-12);
        assert!(Estimate::of(&[1.0]).error.is_nan());
    }
}
