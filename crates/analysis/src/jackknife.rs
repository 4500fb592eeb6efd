//! Errors from how much groups of independent particles differ.

use jostle_core::statistics::jackknife_error;

/// Particles fall into so many groups.
pub(super) const GROUPS: usize = 64;
/// Fewer groups than this tell no error.
const FEWEST_GROUPS: usize = 4;

/// The standard error of a statistic by jackknife: from its values without one group each. NaN if
/// there are fewer than four groups.
pub(super) fn jackknife(
    groups: impl Iterator<Item = usize>,
    statistic: impl Fn(Option<usize>) -> f64,
) -> f64 {
    let values: Vec<f64> = groups.map(|group| statistic(Some(group))).collect();
    if values.len() < FEWEST_GROUPS { f64::NAN } else { jackknife_error(&values) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_mean_is_the_usual_one() {
        let values = [1.0, 2.0, 3.0, 6.0];
        let mean = |without: Option<usize>| {
            let kept = values.iter().enumerate().filter(|(n, _)| Some(*n) != without);
            let (sum, count) = kept.fold((0.0, 0.0), |(sum, count), (_, x)| (sum + x, count + 1.0));
            sum / count
        };
        let variance: f64 = [4.0, 1.0, 0.0, 9.0].iter().sum::<f64>() / 3.0;
        assert!((jackknife(0..4, mean) - (variance / 4.0).sqrt()).abs() < 1e-12);
        assert!(jackknife(0..3, mean).is_nan());
    }
}
