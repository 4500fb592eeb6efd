//! Rates from counts of independent events.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// What lies outside a 95 % interval, on either side.
const TAIL: f64 = 0.025;

/// A number of events, and the exposure during which they happened. Its interval holds if the
/// events are independent of each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoissonRate {
    /// How many events.
    pub events: u64,
    /// How many candidates there were, for how long: the integral over time. \[µs\], and for pairs
    /// \[µs/nm^d\]
    pub exposure: f64,
}

impl PoissonRate {
    /// Events per exposure; NaN without any.
    pub fn rate(&self) -> f64 {
        if self.exposure > 0.0 { self.events as f64 / self.exposure } else { f64::NAN }
    }

    /// The exact 95 % interval of the rate (Garwood 1936); NaN without exposure.
    pub fn interval(&self) -> [f64; 2] {
        let exposed = self.exposure > 0.0;
        poisson_interval(self.events).map(|n| if exposed { n / self.exposure } else { f64::NAN })
    }
}

/// The exact 95 % interval of the mean of a Poisson distribution from one count (Garwood 1936).
///
/// ```
/// use jostle_analysis::poisson_interval;
///
/// // Nothing was seen: with 95 % confidence the mean is below 3.69, since exp(-3.69) = 2.5 %.
/// let [low, high] = poisson_interval(0);
/// assert_eq!(low, 0.0);
/// assert!(((-high).exp() - 0.025).abs() < 1e-6);
/// // Many events: two standard deviations to either side, sqrt(n) each.
/// let [low, high] = poisson_interval(10_000);
/// assert!((low - 9804.0).abs() < 5.0 && (high - 10_196.0).abs() < 5.0);
/// ```
pub fn poisson_interval(events: u64) -> [f64; 2] {
    let quantile = |events: u64, share: f64| {
        let chi_squared = ChiSquared::new(2.0 * events as f64);
        chi_squared.map_or(f64::NAN, |distribution| 0.5 * distribution.inverse_cdf(share))
    };
    let low = if events == 0 { 0.0 } else { quantile(events, TAIL) };
    [low, quantile(events.saturating_add(1), 1.0 - TAIL)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_tables() {
        // Garwood (1936), Table; more digits from scipy.stats.chi2.ppf.
        let cases = [(0, 0.0, 3.688879), (1, 0.025318, 5.571643), (10, 4.795389, 18.390356)];
        for (events, low, high) in cases {
            let found = poisson_interval(events);
            assert!((found[0] - low).abs() < 1e-6 && (found[1] - high).abs() < 1e-6, "{found:?}");
        }
        let many = poisson_interval(1_000_000);
        assert!(
            (many[0] - 998_040.97).abs() < 0.1 && (many[1] - 1_001_961.9).abs() < 0.2,
            "{many:?}"
        );
    }

    #[test]
    fn nothing_that_happens_in_no_time_has_no_rate() {
        let nothing = PoissonRate::default();
        assert!(nothing.rate().is_nan() && nothing.interval()[1].is_nan());
        let some = PoissonRate { events: 4, exposure: 2.0 };
        assert_eq!(some.rate(), 2.0);
        assert!(some.interval()[0] < 2.0 && some.interval()[1] > 2.0);
    }
}
