//! From samples to findings. Each way states the law by which chance is judged, so that the
//! false-alarm rate is what it says for every seed.

use statrs::distribution::{
    Binomial, ChiSquared, ContinuousCDF, DiscreteCDF, FisherSnedecor, Normal, Poisson, StudentsT,
};

use super::finding::{BOUND, Finding, Statistic};
use jostle_core::statistics::Estimate;

/// A mean whose standard error `error` theory gives, from so many samples that it is Gaussian.
pub fn known_error(
    what: &str,
    measured: f64,
    expected: f64,
    error: f64,
    samples: usize,
) -> Finding {
    judged(what, [measured, expected, error], samples, Statistic::Normal)
}

/// The mean of independent samples with standard deviation `sd` each by theory, so many that it is
/// Gaussian.
pub fn mean_known(what: &str, samples: &[f64], expected: f64, sd: f64) -> Finding {
    let n = samples.len() as f64;
    known_error(what, samples.iter().sum::<f64>() / n, expected, sd / n.sqrt(), samples.len())
}

/// The mean of independent blocks, each itself a sum over enough to be nearly Gaussian; the error
/// is that of their scatter, and chance is judged by Student's t.
pub fn mean_of_blocks(what: &str, blocks: &[f64], expected: f64) -> Finding {
    let (mean, error) = mean_and_error(blocks);
    let freedom = blocks.len() as f64 - 1.0;
    judged(what, [mean, expected, error], blocks.len(), Statistic::Student { freedom })
}

/// The ratio of the sums of two columns of independent rows, by Student's t of what each row
/// differs from theory by.
pub fn ratio_of_blocks(what: &str, rows: &[[f64; 2]], expected: f64) -> Finding {
    let n = rows.len() as f64;
    let [above, below] = rows.iter().fold([0.0; 2], |[a, b], row| [a + row[0], b + row[1]]);
    let ratio = above / below;
    // What is left of a row if theory holds: no denominator has a part in its law (Fieller 1954).
    let apart: Vec<f64> = rows.iter().map(|row| row[0] - expected * row[1]).collect();
    let middle = apart.iter().sum::<f64>() / n;
    let spread: f64 = apart.iter().map(|x| (x - middle).powi(2)).sum();
    let error = (spread * n / (n - 1.0)).sqrt() / below;
    judged(what, [ratio, expected, error], rows.len(), Statistic::Student { freedom: n - 1.0 })
}

/// Several means over the same independent blocks (rows), all at once: how far the point they make
/// is from the `expected` one, in all directions alike, by Hotelling's T squared as the F that
/// follows from it. The means of a block have to be nearly Gaussian.
pub fn means_of_blocks(what: &str, rows: &[Vec<f64>], expected: &[f64]) -> Finding {
    let (n, k) = (rows.len() as f64, expected.len());
    assert!(n >= 20.0 + k as f64, "covariances of {k} means from {n} blocks are worth little");
    let mean: Vec<f64> = (0..k).map(|a| rows.iter().map(|row| row[a]).sum::<f64>() / n).collect();
    let scatter = |a: usize, b: usize| {
        rows.iter().map(|row| (row[a] - mean[a]) * (row[b] - mean[b])).sum::<f64>()
            / (n * (n - 1.0))
    };
    let apart = mean.iter().zip(expected).map(|(mean, expected)| mean - expected).collect();
    let t_squared = squared_length(apart, scatter);
    let freedom = n - k as f64;
    let f = t_squared * freedom / (k as f64 * (n - 1.0));
    let z = FisherSnedecor::new(k as f64, freedom)
        .ok()
        .filter(|_| f.is_finite())
        .map_or(f64::INFINITY, |law| two_sided(law.cdf(f), law.sf(f)));
    let [middle, spread] = [freedom / (freedom - 2.0), (2.0 / k as f64).sqrt()];
    let statistic = Statistic::Hotelling { means: k, blocks: rows.len() };
    finding(&format!("{what}: F of {k} means"), [f, middle, spread], rows.len(), statistic, z)
}

/// Adds to `row` the cosines of 1, 2, 3, ... half turns times `u`. Their means over a `u` that is
/// uniform in \[0, 1\] are 0: the sums in independent blocks are rows for [`means_of_blocks`],
/// where all that may be expected are zeros, however much the numbers within a block have to do
/// with each other.
pub fn add_waves(row: &mut [f64], u: f64) {
    let cosine = libm::cos(std::f64::consts::PI * u);
    let mut last = [1.0, cosine];
    for sum in row {
        *sum += last[1];
        last = [last[1], 2.0 * cosine * last[1] - last[0]];
    }
}

/// The mean of the squares of `samples` independent Gaussian numbers of mean 0 and variance
/// `expected`, from their sum: exact by chi squared.
pub fn variance(what: &str, sum_of_squares: f64, samples: usize, expected: f64) -> Finding {
    let freedom = samples as f64;
    let error = expected * (2.0 / freedom).sqrt();
    let z = chi_squared_z(sum_of_squares / expected, freedom);
    let statistic = Statistic::ChiSquared { freedom };
    finding(what, [sum_of_squares / freedom, expected, error], samples, statistic, z)
}

/// The sum of `samples` independent exponential waits of mean 1, over their number, where the mean
/// itself may be off by `bias`: exact by chi squared, since a wait is half a chi squared with two
/// degrees of freedom.
pub fn waiting(what: &str, sum: f64, samples: usize, bias: f64) -> Finding {
    let (n, freedom) = (samples as f64, 2.0 * samples as f64);
    let z_of = |mean: f64| chi_squared_z(2.0 * sum / mean, freedom);
    // The mean within the bias that is nearest to what was found.
    let mean = (sum / n).clamp(1.0 - bias, 1.0 + bias);
    let z = if (mean - sum / n).abs() > 0.0 { z_of(mean) } else { 0.0 };
    let statistic = Statistic::ChiSquared { freedom };
    Finding { bias, ..finding(what, [sum / n, 1.0, 1.0 / n.sqrt()], samples, statistic, z) }
}

/// Counts in bins beside the `expected` ones: chi squared per degree of freedom, which is 1. Bins
/// that expect fewer than 20 are pooled with the next. The counts are of independent samples whose
/// total is given.
pub fn counts_in_bins(what: &str, observed: &[f64], expected: &[f64]) -> Finding {
    let bins = pooled(observed, expected);
    let freedom = bins.len() as f64 - 1.0;
    let chi: f64 = bins.iter().map(|[o, e]| (o - e).powi(2) / e).sum();
    let samples = observed.iter().sum::<f64>() as usize;
    let what = format!("{what}: chi squared per degree of freedom");
    let numbers = [chi / freedom, 1.0, (2.0 / freedom).sqrt()];
    // Counts that happen to be the expected ones are no fault: whole numbers make that likelier
    // than the law says.
    let z = ChiSquared::new(freedom).map_or(f64::INFINITY, |law| one_sided(law.sf(chi)));
    finding(&what, numbers, samples, Statistic::ChiSquared { freedom }, z)
}

/// The same for bins that are equally likely.
pub fn uniform_counts(what: &str, counts: &[u64]) -> Finding {
    let observed: Vec<f64> = counts.iter().map(|&n| n as f64).collect();
    let mean = observed.iter().sum::<f64>() / observed.len() as f64;
    counts_in_bins(what, &observed, &vec![mean; counts.len()])
}

/// Whether independent samples follow a continuous distribution function: sqrt(n) times the largest
/// distance, of which 0.8687 is the mean.
pub fn follows(what: &str, mut samples: Vec<f64>, distribution: impl Fn(f64) -> f64) -> Finding {
    samples.sort_unstable_by(f64::total_cmp);
    let n = samples.len() as f64;
    let apart = samples.iter().enumerate().map(|(k, &x)| {
        let f = distribution(x);
        (f - k as f64 / n).max((k + 1) as f64 / n - f)
    });
    // Stephens (1970): with this factor the limiting law holds for few samples too.
    let distance = apart.fold(0.0, f64::max) * (n.sqrt() + 0.12 + 0.11 / n.sqrt());
    let what = format!("{what}: Kolmogorov-Smirnov distance");
    let judged = !samples.is_empty() && samples.iter().all(|x| x.is_finite());
    let z = if judged { one_sided(kolmogorov_tail(distance)) } else { f64::INFINITY };
    finding(&what, [distance, 0.8687, 0.2603], samples.len(), Statistic::KolmogorovSmirnov, z)
}

/// A count that is Poisson with mean `expected`: exact.
pub fn poisson(what: &str, count: u64, expected: f64) -> Finding {
    let law = Poisson::new(expected).expect("a positive mean");
    let above = if count == 0 { 1.0 } else { law.sf(count - 1) };
    let z = two_sided(law.cdf(count), above);
    let numbers = [count as f64, expected, expected.sqrt()];
    finding(what, numbers, count as usize, Statistic::Counts, z)
}

/// The share of `trials` that succeeded, each with `probability`: exact.
pub fn binomial(what: &str, successes: u64, trials: u64, probability: f64) -> Finding {
    let law = Binomial::new(probability, trials).expect("a probability");
    let above = if successes == 0 { 1.0 } else { law.sf(successes - 1) };
    let z = two_sided(law.cdf(successes), above);
    let n = trials as f64;
    let error = (probability * (1.0 - probability) / n).sqrt();
    finding(what, [successes as f64 / n, probability, error], trials as usize, Statistic::Counts, z)
}

/// A number in which chance has no part.
pub fn exact(what: &str, measured: f64, expected: f64, tolerance: f64) -> Finding {
    let z = (measured - expected) / tolerance * BOUND;
    let z = if z.is_nan() { f64::INFINITY } else { z };
    finding(what, [measured, expected, 0.0], 1, Statistic::Exact { tolerance }, z)
}

/// The mean of independent blocks and its standard error, from their scatter.
pub fn mean_and_error(blocks: &[f64]) -> (f64, f64) {
    assert!(blocks.len() >= 20, "an error from {} blocks is worth little", blocks.len());
    let Estimate { mean, error } = Estimate::of(blocks);
    (mean, error)
}

/// The worst of so many findings, as one that chance makes fail no more often (Bonferroni).
pub fn of_many(worst: Finding, findings: usize) -> Finding {
    let tail = findings as f64 * Normal::standard().sf(worst.z.abs());
    Finding { z: two_tails(tail).copysign(worst.z), ..worst }
}

/// The larger of two deviations. What is not a number is worse than any, and stays.
pub fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b <= a { a } else { b }
}

/// The distribution function of a standard normal.
pub fn normal_distribution(x: f64) -> f64 {
    0.5 * libm::erfc(-x / 2f64.sqrt())
}

/// How many standard deviations of a Gaussian are as unlikely as `deviations` standard errors are
/// by the law of this statistic.
pub(super) fn gaussian_equivalent(statistic: Statistic, deviations: f64) -> f64 {
    let Statistic::Student { freedom } = statistic else { return deviations };
    let law = StudentsT::new(0.0, 1.0, freedom).expect("at least one degree of freedom");
    two_tails(law.cdf(-deviations.abs())).copysign(deviations)
}

fn judged(what: &str, numbers: [f64; 3], samples: usize, statistic: Statistic) -> Finding {
    let [measured, expected, error] = numbers;
    // Nothing measured, or no scatter at all where some is due, is not agreement.
    let deviations = (measured - expected) / error;
    let z = if deviations.is_finite() {
        gaussian_equivalent(statistic, deviations)
    } else {
        f64::INFINITY
    };
    finding(what, numbers, samples, statistic, z)
}

fn finding(what: &str, numbers: [f64; 3], samples: usize, statistic: Statistic, z: f64) -> Finding {
    let [measured, expected, error] = numbers;
    Finding {
        what: what.into(),
        measured,
        expected,
        error,
        bias: 0.0,
        samples: samples as u64,
        statistic,
        z,
    }
}

/// Chi squared is too large or too small.
fn chi_squared_z(chi_squared: f64, freedom: f64) -> f64 {
    if freedom > 1e5 {
        // Wilson and Hilferty's cube root, which is exact for all that matters here.
        let width = 2.0 / (9.0 * freedom);
        return ((chi_squared / freedom).cbrt() - (1.0 - width)) / width.sqrt();
    }
    let law = ChiSquared::new(freedom).expect("at least one degree of freedom");
    two_sided(law.cdf(chi_squared), law.sf(chi_squared))
}

/// The z of what is too small or too large with these probabilities.
fn two_sided(below: f64, above: f64) -> f64 {
    if above < below { two_tails(above) } else { -two_tails(below) }
}

/// x C^-1 x, by Cholesky's way; infinite if the covariances C are those of fewer numbers.
pub(super) fn squared_length(mut x: Vec<f64>, covariance: impl Fn(usize, usize) -> f64) -> f64 {
    let mut lower = vec![vec![0.0; x.len()]; x.len()];
    for a in 0..x.len() {
        for b in 0..=a {
            let rest = covariance(a, b) - (0..b).map(|c| lower[a][c] * lower[b][c]).sum::<f64>();
            lower[a][b] = if a == b { rest.sqrt() } else { rest / lower[b][b] };
        }
        x[a] = (x[a] - (0..a).map(|c| lower[a][c] * x[c]).sum::<f64>()) / lower[a][a];
    }
    x.iter().map(|x| x * x).sum()
}

/// The z that a Gaussian exceeds with this probability. What is less likely than 1e-300 counts as
/// that: 37.
fn two_tails(one_tail: f64) -> f64 {
    -Normal::standard().inverse_cdf(one_tail.clamp(1e-300, 0.5))
}

/// The z that is exceeded to either side with this probability, 0 for all that is likelier than
/// not.
fn one_sided(probability: f64) -> f64 {
    two_tails(0.5 * probability.min(1.0))
}

/// The probability that sqrt(n) times the distance is larger, for many samples (Kolmogorov 1933).
fn kolmogorov_tail(distance: f64) -> f64 {
    if distance < 0.3 {
        return 1.0;
    }
    let term = |k: i32| {
        f64::from(1 - 2 * ((k + 1) % 2)) * libm::exp(-2.0 * f64::from(k * k) * distance * distance)
    };
    (2.0 * (1..=100).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

fn pooled(observed: &[f64], expected: &[f64]) -> Vec<[f64; 2]> {
    let mut bins: Vec<[f64; 2]> = Vec::new();
    let mut open = [0.0; 2];
    for (o, e) in observed.iter().zip(expected) {
        open = [open[0] + o, open[1] + e];
        if open[1] >= 20.0 {
            bins.push(std::mem::take(&mut open));
        }
    }
    if let Some(last) = bins.last_mut() {
        *last = [last[0] + open[0], last[1] + open[1]];
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::finding::FALSE_ALARM_RATE;
    use jostle_core::random::{Purpose, Random};

    fn normals(n: u64) -> Vec<f64> {
        (0..n).map(|k| Random::new(5).normal::<3>(k, 0)[0]).collect()
    }

    #[test]
    fn the_bound_is_that_of_the_false_alarm_rate() {
        assert!((two_tails(0.5 * FALSE_ALARM_RATE) - BOUND).abs() < 1e-9);
        assert!((gaussian_equivalent(Statistic::Student { freedom: 1e7 }, 3.0) - 3.0).abs() < 1e-4);
        // Published: t = 3.646 with 30 degrees of freedom is exceeded with probability 0.0005.
        let z = gaussian_equivalent(Statistic::Student { freedom: 30.0 }, 3.646);
        assert!((z - 3.290_5).abs() < 1e-3, "{z}");
        // Published: chi squared with 10 degrees of freedom exceeds 29.588 with probability 0.001.
        assert!((chi_squared_z(29.588, 10.0) - 3.090_2).abs() < 1e-3);
        assert!((kolmogorov_tail(1.3581) - 0.05).abs() < 1e-4);
        assert!(
            (chi_squared_z(1.001e5, 0.999_99e5) - chi_squared_z(1.001e5 + 0.02, 1.000_01e5)).abs()
                < 0.02
        );
    }

    /// 2000 repetitions each; the share beyond 1.96 is 0.05 +- 0.005.
    #[test]
    fn z_has_the_distribution_it_claims() {
        let all = normals(60_000);
        let share = |judge: &dyn Fn(&[f64]) -> f64| {
            all.chunks(30).filter(|chunk| judge(chunk).abs() > 1.959_964).count() as f64 / 2000.0
        };
        let squares = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        // Two numbers that have to do with each other, and thirty such pairs that have not.
        let pairs = |x: &[f64]| {
            let other = |k: usize| Random::new(6).normal::<3>(x[k].to_bits(), 0)[0];
            (0..30).map(|k| vec![x[k], 3.0 * x[k] - other(k)]).collect::<Vec<_>>()
        };
        let shares = [
            share(&|x| mean_known("", x, 0.0, 1.0).z),
            share(&|x| mean_of_blocks("", x, 0.0).z),
            share(&|x| variance("", squares(x), x.len(), 1.0).z),
            share(&|x| means_of_blocks("", &pairs(x), &[0.0, 0.0]).z),
            share(&|x| follows("", x.to_vec(), normal_distribution).z),
        ];
        assert!(shares.iter().all(|share| (share - 0.05).abs() < 4.0 * 0.005), "{shares:?}");
    }

    #[test]
    fn a_length_is_measured_by_covariances() {
        let length = |c: [[f64; 2]; 2], x: [f64; 2]| squared_length(x.to_vec(), |a, b| c[a][b]);
        assert!((length([[4.0, 0.0], [0.0, 9.0]], [2.0, 3.0]) - 2.0).abs() < 1e-12);
        // C = [[2,1],[1,2]], C^-1 = [[2,-1],[-1,2]]/3
        assert!(
            (length([[2.0, 1.0], [1.0, 2.0]], [1.0, 3.0]) - (2.0 - 6.0 + 18.0) / 3.0).abs() < 1e-12
        );
    }

    #[test]
    fn what_is_off_is_found_and_what_is_no_number_never_holds() {
        let off: Vec<f64> = normals(1000).iter().map(|x| x + 0.2).collect();
        let finding = mean_of_blocks("", &off, 0.0);
        assert!(!finding.holds() && finding.z > 4.9, "{finding:?}");
        assert!(finding.with_bias(0.2).holds());
        assert!(!exact("", f64::NAN, 0.0, 1.0).holds() && exact("", 1.0, 0.0, 1.0).holds());
        assert!(!mean_of_blocks("", &[f64::NAN; 30], 0.0).holds());
        assert!(!mean_of_blocks("", &[1.0; 30], 0.0).holds());
        assert!(!poisson("", 1600, 1000.0).holds() && poisson("", 1000, 1000.0).z.abs() < 0.1);
        let uniform: Vec<u64> = (0..20).map(|k| 1000 + u64::from(k == 3) * 300).collect();
        assert!(!uniform_counts("", &uniform).holds());
        assert!(
            !binomial("", 400, 1000, 0.3).holds() && binomial("", 300, 1000, 0.3).z.abs() < 0.1
        );
        let leaning: Vec<Vec<f64>> = off.windows(2).map(|w| vec![w[0], w[1] - w[0]]).collect();
        assert!(!means_of_blocks("", &leaning, &[0.0, 0.0]).holds());
        assert!(means_of_blocks("", &leaning, &[0.2, 0.0]).holds());
        let twice: Vec<Vec<f64>> = off.iter().map(|&x| vec![x, x]).collect();
        assert!(!means_of_blocks("", &twice, &[0.2, 0.1]).holds());
        let dice = |k: u64| Random::new(3).uniform(Purpose::Placement, [k, 0, 0, 0]);
        assert!(!follows("", (0..1000).map(|k| dice(k) * 0.9).collect(), |x| x).holds());
    }
}
