//! Well-mixed reactions: enzyme kinetics, and how many are bound in equilibrium.

use super::rk4;

/// E + S <-> ES -> E + P in a well-mixed volume: Michaelis and Menten's scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MichaelisMenten {
    /// Rate constant of E + S -> ES. \[volume per time\]
    pub forward: f64,
    /// Rate of ES -> E + S. \[per time\]
    pub backward: f64,
    /// Rate of ES -> E + P. \[per time\]
    pub catalysis: f64,
    /// The volume, in the unit of `forward`.
    pub volume: f64,
}

impl MichaelisMenten {
    /// The numbers of \[E, S, ES, P\] after `time`, by [`rk4`] in `steps` steps.
    pub fn advance(&self, start: [f64; 4], time: f64, steps: u32) -> [f64; 4] {
        let rate = |[e, s, es, _]: [f64; 4]| {
            let bind = self.forward / self.volume * e * s;
            let (unbind, make) = (self.backward * es, self.catalysis * es);
            [unbind + make - bind, unbind - bind, bind - unbind - make, make]
        };
        rk4(rate, start, time, steps)
    }
}

/// The stationary distribution of A + B <-> C in a well-mixed volume: the probability of each
/// number of C, from none up to the lesser of `a` and `b`, which count the particles free and
/// bound. `constant` = K/V, K = k_a/k_d in equilibrium, V the volume (area, length) free to them.
///
/// P(c) ~ (K/V)^c / ((a-c)! (b-c)! c!); the same for every rule with detailed balance.
///
/// ```
/// use jostle_core::theory::{bound_pairs, mean_and_variance};
///
/// // One of each: bound with probability (K/V)/(1 + K/V).
/// assert!((bound_pairs(3.0, 1, 1)[1] - 0.75).abs() < 1e-12);
/// // Many obey the law of mass action, c/((a - c)(b - c)) = K/V.
/// let (mean, _) = mean_and_variance(&bound_pairs(0.01, 1000, 2000));
/// assert!((mean / ((1000.0 - mean) * (2000.0 - mean)) / 0.01 - 1.0).abs() < 1e-2);
/// ```
pub fn bound_pairs(constant: f64, a: u32, b: u32) -> Vec<f64> {
    let free = |total: u32, c: u32| f64::from(total - c);
    distribution(a.min(b), |c| constant * free(a, c) * free(b, c) / f64::from(c + 1))
}

/// The same for A + A <-> C with `a` particles A, free and bound. As everywhere in jostle, A + A
/// takes place k n²/2 times per volume and time, so that in a large volume \[C\] = K \[A\]²/2.
///
/// P(c) ~ (K/2V)^c / ((a-2c)! c!).
pub fn bound_twins(constant: f64, a: u32) -> Vec<f64> {
    let pairs = |c: u32| 0.5 * f64::from(a - 2 * c) * f64::from(a - 2 * c - 1);
    distribution(a / 2, |c| constant * pairs(c) / f64::from(c + 1))
}

/// The probabilities of 0..=`most`, of which each is `ratio` times the one before. Summed from the
/// logarithms, so that none overflows.
fn distribution(most: u32, ratio: impl Fn(u32) -> f64) -> Vec<f64> {
    let mut logs = vec![0.0_f64];
    for c in 0..most {
        logs.push(logs[c as usize] + libm::log(ratio(c)));
    }
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| libm::exp(log - top)).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// The mean and the variance of a number whose probabilities are given from 0 upwards.
pub fn mean_and_variance(probabilities: &[f64]) -> (f64, f64) {
    let numbered = || probabilities.iter().enumerate().map(|(c, p)| (c as f64, p));
    let mean: f64 = numbered().map(|(c, p)| c * p).sum();
    let variance = numbered().map(|(c, p)| (c - mean) * (c - mean) * p).sum();
    (mean, variance)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The benchmark of Andrews, Addy, Brent and Arkin 2010 (a periodic cube of 4.4964 µm), as
    /// integrated by an independent program.
    #[test]
    fn michaelis_menten_benchmark() {
        let edge = 4.4964;
        let scheme = MichaelisMenten {
            forward: 0.01,
            backward: 1.0,
            catalysis: 1.0,
            volume: edge * edge * edge,
        };
        let printed = [
            (0.1, [830.8, 9008.7, 78.2, 4.1]),
            (0.5, [677.8, 8787.7, 231.2, 72.1]),
            (1.0, [629.7, 8608.8, 279.3, 202.9]),
            (2.0, [622.2, 8315.2, 286.8, 489.0]),
            (5.0, [641.2, 7501.5, 267.8, 1321.7]),
            (10.0, [673.4, 6275.6, 235.6, 2579.8]),
        ];
        for (time, numbers) in printed {
            let found = scheme.advance([909.0, 9091.0, 0.0, 0.0], time, 2000);
            for (found, printed) in found.into_iter().zip(numbers) {
                assert!((found - printed).abs() < 0.051, "{time} s: {found}, printed {printed}");
            }
        }
    }

    fn factorial(n: u32) -> f64 {
        (1..=n).map(f64::from).product()
    }

    #[test]
    fn pairs_follow_the_formula() {
        let found = bound_pairs(0.3, 5, 3);
        let weight =
            |c: u32| 0.3_f64.powi(c as i32) / (factorial(5 - c) * factorial(3 - c) * factorial(c));
        let sum: f64 = (0..=3).map(weight).sum();
        assert_eq!(found.len(), 4);
        for c in 0..=3 {
            assert!((found[c as usize] - weight(c) / sum).abs() < 1e-14);
        }
        let found = bound_twins(0.3, 5);
        let weight = |c: u32| 0.15_f64.powi(c as i32) / (factorial(5 - 2 * c) * factorial(c));
        let sum: f64 = (0..=2).map(weight).sum();
        assert_eq!(found.len(), 3);
        for c in 0..=2 {
            assert!((found[c as usize] - weight(c) / sum).abs() < 1e-14);
        }
    }

    /// One of each: bound with probability (K/V)/(1 + K/V).
    #[test]
    fn a_lone_pair() {
        let (mean, variance) = mean_and_variance(&bound_pairs(4.0, 1, 1));
        assert!((mean - 0.8).abs() < 1e-15 && (variance - 0.16).abs() < 1e-15);
        let (mean, _) = mean_and_variance(&bound_twins(4.0, 2));
        assert!((mean - 0.8).abs() < 1e-15);
    }

    /// Many of them obey the law of mass action: Johnson et al. 2021, 1e5 and 1e5 in 3.1934 µm³
    /// with K = 1000 nm³, leave 563.5 free; 1000 and 1000 on 1 µm² with K = 1 µm² leave 31.127.
    #[test]
    fn many_obey_the_law_of_mass_action() {
        let (bound, _) = mean_and_variance(&bound_pairs(1e9 / 3.1934e9, 100_000, 100_000));
        assert!((1e5 - bound - 563.5).abs() < 0.6, "{}", 1e5 - bound);
        let (bound, variance) = mean_and_variance(&bound_pairs(1.0, 1000, 1000));
        assert!((1000.0 - bound - 31.127).abs() < 0.3, "{}", 1000.0 - bound);
        // 1/variance = 1/bound + 2/free, to leading order
        let free = 1000.0 - bound;
        let expected = 1.0 / (1.0 / bound + 2.0 / free);
        assert!((variance / expected - 1.0).abs() < 0.05, "{variance} {expected}");
    }

    /// Half of a large number of twins: \[C\] = K \[A\]²/2.
    #[test]
    fn twins_obey_the_law_of_mass_action() {
        let (bound, _) = mean_and_variance(&bound_twins(1e-3, 100_000));
        let free = 1e5 - 2.0 * bound;
        assert!((bound / (0.5e-3 * free * free) - 1.0).abs() < 1e-3);
    }
}
