//! Brownian particles on a line that cannot pass each other.

use std::f64::consts::{PI, SQRT_2};

/// The mean squared displacement of a rod among `n` hard rods on a ring, with mean gap `gap` and
/// diffusion coefficient `diffusion`, a time `t` after an equilibrium start; exact as long as no
/// rod travels around the ring. The unit of length is that of `gap`.
///
/// Rods keep their order, as points do that exchange their names when they meet (Jepsen 1965;
/// Harris 1965). So the rod is beyond y unless more points have come from beyond y than have gone
/// there.
pub fn single_file(n: usize, gap: f64, diffusion: f64, t: f64) -> f64 {
    let width = (2.0 * diffusion * t).sqrt();
    // Long enough for the free motion of the rod, and for the one that crossings allow.
    let longest = 12.0
        * width.min((gap * single_file_limit(gap, diffusion, t).sqrt()).sqrt() + width / 8.0 + gap);
    let steps = 400;
    let dy = longest / f64::from(steps);
    let beyond = |k: i32| {
        let y = (f64::from(k) + 0.5) * dy;
        y * beyond(n, gap, width, y)
    };
    4.0 * dy * (0..steps).map(beyond).sum::<f64>()
}

/// What [`single_file`] comes to after long times in a large ring: gap 2 sqrt(D t / pi) (Harris
/// 1965; Levitt 1973).
pub fn single_file_limit(gap: f64, diffusion: f64, t: f64) -> f64 {
    gap * 2.0 * (diffusion * t / PI).sqrt()
}

/// The probability that the rod has come farther than `y`.
fn beyond(n: usize, gap: f64, width: f64, y: f64) -> f64 {
    let x = y / width;
    let stays = 0.5 * libm::erfc(-x / SQRT_2);
    let density = libm::exp(-0.5 * x * x) / (2.0 * PI).sqrt();
    // Mean way beyond y, and mean way short of it, as shares of the ring.
    let ring = n as f64 * gap;
    let gone = width * (density - x * (1.0 - stays)) / ring;
    let come = width * (density + x * stays) / ring;
    let others = n - 1;
    stays * come_less_gone_at_most(-1, others, come, gone)
        + (1.0 - stays) * come_less_gone_at_most(0, others, come, gone)
}

/// The probability that of `others`, each of which has come or gone with these probabilities, at
/// most `most` more have come than gone.
fn come_less_gone_at_most(most: i32, others: usize, come: f64, gone: f64) -> f64 {
    let mut sum = 0.0;
    // The number that have gone, and given that, of those left the number that have come.
    let gone_by = binomial(others, gone);
    for (k, probability) in gone_by.iter().enumerate() {
        let come_by = binomial(others - k, come / (1.0 - gone));
        let most = k as i32 + most;
        sum += probability * come_by.iter().take((most + 1).max(0) as usize).sum::<f64>();
    }
    sum
}

/// The probabilities of 0, 1, 2, ... successes, as far as they matter.
fn binomial(trials: usize, probability: f64) -> Vec<f64> {
    let (n, p) = (trials as f64, probability);
    let last = (n * p + 10.0 * (n * p).sqrt() + 20.0).min(n) as usize;
    let mut term = libm::exp(n * libm::log1p(-p));
    let mut terms = Vec::with_capacity(last + 1);
    for k in 0..=last {
        terms.push(term);
        term *= (n - k as f64) / (k as f64 + 1.0) * p / (1.0 - p);
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_at_first_and_slow_in_the_end() {
        let free = single_file(1000, 1.0, 1.0, 1e-4);
        assert!((free / 2e-4 - 1.0).abs() < 0.02, "{free}");
        for t in [100.0, 1000.0] {
            let ratio = single_file(4000, 1.0, 1.0, t) / single_file_limit(1.0, 1.0, t);
            assert!((ratio - 1.0).abs() < 1.0 / t.sqrt(), "{t}: {ratio}");
        }
        // Lengths scale.
        let scaled = single_file(500, 2.0, 3.0, 5.0) / 4.0;
        assert!((scaled / single_file(500, 1.0, 3.0, 1.25) - 1.0).abs() < 1e-9);
    }

    /// Points thrown on a ring, moved, and ranked anew.
    #[test]
    fn the_law_is_that_of_points_that_exchange_names() {
        use crate::random::Random;
        let (n, rounds) = (60_usize, 4000);
        let mut squares = 0.0;
        for round in 0..rounds {
            let normal =
                |k: usize, what: u64| Random::new(7).normal::<2>(2 * round + what, k as u64);
            let uniform = |k: usize| 0.5 * libm::erfc(normal(k, 0)[0] / SQRT_2) * n as f64;
            let mut before: Vec<f64> = (0..n).map(uniform).collect();
            before.sort_unstable_by(f64::total_cmp);
            // Three turns of the ring, so that the middle one does not feel the ends.
            let turns = |points: Vec<f64>| -> Vec<f64> {
                (0..3)
                    .flat_map(|turn| {
                        points.iter().map(move |x| x + (turn * n) as f64).collect::<Vec<_>>()
                    })
                    .collect()
            };
            let after = before.iter().enumerate().map(|(k, x)| x + 2.0 * normal(k, 1)[0]).collect();
            let mut after = turns(after);
            after.sort_unstable_by(f64::total_cmp);
            squares += (0..n).map(|k| (after[n + k] - before[k] - n as f64).powi(2)).sum::<f64>();
        }
        let (found, expected) =
            (squares / (n as f64 * rounds as f64), single_file(n, 1.0, 2.0, 1.0));
        // Some four neighbours move together: 60 000 samples of a Gaussian's square.
        assert!(
            (found / expected - 1.0).abs() < 4.0 * (2.0 / 6e4_f64).sqrt(),
            "{found} {expected}"
        );
    }
}
