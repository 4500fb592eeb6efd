//! The diffusion coefficient and the exponent that fit a mean squared displacement.

use super::super::jackknife::jackknife;
use super::MeanSquare;
use super::tally::Tally;

/// What fits how far particles get.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiffusionFit {
    /// D of the straight line MSD = 2 d D t through the shortest lags, weighted with 1/error²: as
    /// far as the next point lies on the line through those before, within 3 of its errors, and
    /// within the first quarter of the lags' times. \[nm²/µs\]
    pub diffusion: f64,
    /// Its standard error, by jackknife over groups of particles. \[nm²/µs\]
    pub diffusion_error: f64,
    /// The longest lag on the line. \[µs\]
    pub up_to: f64,
    /// The slope of log MSD against log t over the first quarter of the lags' times: 1 for free
    /// diffusion, less in a crowd, 2 for steady drift. NaN with a single lag, and where no straight line
    /// passes all of them within 3 of their errors; each lag has its own then.
    pub exponent: f64,
    /// Its standard error, by jackknife over groups of particles.
    pub exponent_error: f64,
    /// How many groups of particles the errors come from; at most 64.
    pub groups: usize,
    /// D at long times; none if there are not two lags for it.
    pub long: Option<LongFit>,
}

/// A straight line MSD = c + 2 d D t through lags of some range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongFit {
    /// The slope as a diffusion coefficient, weighted with 1/error². \[nm²/µs\]
    pub diffusion: f64,
    /// Its standard error, by jackknife over groups of particles. \[nm²/µs\]
    pub diffusion_error: f64,
    /// The shortest of these lags, and the longest. \[µs\]
    pub between: [f64; 2],
    /// The slope of log MSD against log t over the same lags.
    pub exponent: f64,
    /// Its standard error, by jackknife over groups of particles.
    pub exponent_error: f64,
    /// Whether the line passes all points within 3 of their errors.
    pub is_straight: bool,
    /// By how many standard errors D differs from that of short times.
    pub change: f64,
}

/// From which lag to which. \[µs\]
pub(super) type Window = [f64; 2];

/// How many errors a point may lie off the line.
const OFF_THE_LINE: f64 = 3.0;

/// Fits a tally whose lags are those of `points`. A drift is subtracted. Long times are those of the window; by
/// default, from 1/40 to 1/4 of the longest lag.
pub(super) fn fit(
    tally: &Tally,
    points: &[MeanSquare],
    dimension: usize,
    window: Option<Window>,
) -> Option<DiffusionFit> {
    let first = points.first()?;
    let short =
        |point: &&MeanSquare| point.lag <= first.lag.max(0.25 * points[points.len() - 1].lag);
    let times: Vec<f64> = points.iter().take_while(short).map(|p| p.lag).collect();
    let errors: Vec<f64> = points.iter().map(|p| p.error).collect();
    if first.error.is_nan() || first.value <= 0.0 {
        return None;
    }
    let means =
        |without| (0..times.len()).map(|lag| tally.spread(lag, without)).collect::<Vec<f64>>();
    let all = means(None);
    let on_line = (2..=times.len()).take_while(|&n| {
        let next = n - 1;
        let line = slope(&times[..next], &all[..next], &errors[..next]) * times[next];
        (all[next] - line).abs() <= OFF_THE_LINE * errors[next]
    });
    let length = on_line.last().unwrap_or(1);
    let per_time = 2.0 * dimension as f64;
    let diffusion =
        |without| slope(&times[..length], &means(without)[..length], &errors[..length]) / per_time;
    let line = |without| power(&times, &means(without), &all, &errors);
    let exponent = |without| line(without)[1];
    let groups: Vec<usize> = tally.filled(0).collect();
    let [height, power] = line(None);
    let is_on_line = |n: usize| {
        let expected = libm::exp(height + power * libm::log(times[n]));
        (all[n] - expected).abs() <= OFF_THE_LINE * errors[n]
    };
    let has_exponent = (0..times.len()).all(is_on_line);
    let told = |value: f64| if has_exponent { value } else { f64::NAN };
    let [low, high] = window.unwrap_or_else(|| {
        let longest = points[points.len() - 1].lag;
        [longest / 40.0, longest / 4.0].map(|lag| lag.max(first.lag))
    });
    let is_within = |lag: f64| lag >= low * (1.0 - 1e-9) && lag <= high * (1.0 + 1e-9);
    let lags: Vec<usize> =
        (0..points.len()).filter(|&n| is_within(points[n].lag) && points[n].error > 0.0).collect();
    let long = (lags.len() > 1).then(|| {
        let long = Long { tally, points, lags: &lags, per_time };
        long.fit(&groups, &|without| diffusion(without))
    });
    Some(DiffusionFit {
        diffusion: diffusion(None),
        diffusion_error: jackknife(groups.iter().copied(), diffusion),
        up_to: times[length - 1],
        exponent: told(power),
        exponent_error: told(jackknife(groups.iter().copied(), exponent)),
        groups: groups.len(),
        long,
    })
}

/// The lags of long times.
struct Long<'a> {
    tally: &'a Tally,
    points: &'a [MeanSquare],
    lags: &'a [usize],
    per_time: f64,
}

impl Long<'_> {
    fn fit(&self, groups: &[usize], short: &dyn Fn(Option<usize>) -> f64) -> LongFit {
        let of = |value: &dyn Fn(&MeanSquare) -> f64| -> Vec<f64> {
            self.lags.iter().map(|&lag| value(&self.points[lag])).collect()
        };
        let (times, errors) = (of(&|point| point.lag), of(&|point| point.error));
        let means = |without| -> Vec<f64> {
            self.lags.iter().map(|&lag| self.tally.spread(lag, without)).collect()
        };
        let all = means(None);
        let weights: Vec<f64> = errors.iter().map(|error| error.powi(-2)).collect();
        let line = |without| straight(&times, &means(without), &weights);
        let diffusion = |without| line(without)[1] / self.per_time;
        let exponent = |without| power(&times, &means(without), &all, &errors)[1];
        let change = |without| diffusion(without) - short(without);
        let error = |of: &dyn Fn(Option<usize>) -> f64| jackknife(groups.iter().copied(), of);
        let [height, slope] = line(None);
        LongFit {
            diffusion: diffusion(None),
            diffusion_error: error(&diffusion),
            between: [times[0], times[times.len() - 1]],
            exponent: exponent(None),
            exponent_error: error(&exponent),
            is_straight: (0..times.len())
                .all(|n| (all[n] - height - slope * times[n]).abs() <= OFF_THE_LINE * errors[n]),
            change: change(None) / error(&change),
        }
    }
}

/// How flat the MSD along an axis has to be, as the slope of its logarithm against that of the time.
const FLAT: f64 = 0.25;

/// Where the mean square along an axis levels off \[nm²\], and what it is at the shortest lag; none where it
/// goes on growing, over the last two lags a factor of 4 apart within the first quarter of the lags' times.
pub(super) fn level(tally: &Tally, points: &[MeanSquare], axis: usize) -> Option<[f64; 2]> {
    let quarter = 0.25 * points.last()?.lag;
    let last = points.iter().rposition(|point| point.lag <= quarter)?;
    let before = points.iter().rposition(|point| point.lag <= 0.25 * points[last].lag)?;
    let slope = |without| {
        let [from, to] = [before, last].map(|lag| tally.square_along(lag, axis, without));
        libm::log(to / from) / libm::log(points[last].lag / points[before].lag)
    };
    let error = jackknife(tally.filled(last), slope);
    let is_flat = slope(None) < FLAT && slope(None) + 3.0 * error < 2.0 * FLAT;
    is_flat.then(|| [last, 0].map(|lag| points[lag].along[axis].square))
}

/// Height and slope of a straight line.
fn straight(x: &[f64], y: &[f64], weights: &[f64]) -> [f64; 2] {
    let mut sums = [0.0; 5];
    for ((x, y), weight) in x.iter().zip(y).zip(weights) {
        for (sum, term) in sums.iter_mut().zip([1.0, *x, *y, x * x, x * y]) {
            *sum += weight * term;
        }
    }
    let [w, x, y, xx, xy] = sums;
    let slope = (w * xy - x * y) / (w * xx - x * x);
    [(y - slope * x) / w, slope]
}

/// The slope of the straight line through the origin.
fn slope(times: &[f64], values: &[f64], errors: &[f64]) -> f64 {
    let (mut above, mut below) = (0.0, 0.0);
    for ((t, y), error) in times.iter().zip(values).zip(errors) {
        let weight = 1.0 / (error * error);
        above += weight * t * y;
        below += weight * t * t;
    }
    above / below
}

/// Height at log t = 0 and slope of log y against log t, weighted with the relative errors of `all`; NaN of
/// a single point.
fn power(times: &[f64], values: &[f64], all: &[f64], errors: &[f64]) -> [f64; 2] {
    let logs = |values: &[f64]| values.iter().map(|&value| libm::log(value)).collect::<Vec<f64>>();
    let weights: Vec<f64> = all.iter().zip(errors).map(|(y, error)| (y / error).powi(2)).collect();
    let [height, slope] = straight(&logs(times), &logs(values), &weights);
    if times.len() < 2 { [height, f64::NAN] } else { [height, slope] }
}

#[cfg(test)]
mod tests {
    use super::super::MeanAlong;
    use super::super::tally::Sums;
    use super::*;

    const TIMES: [f64; 4] = [1.0, 2.0, 5.0, 10.0];
    const ERRORS: [f64; 4] = [0.1, 0.3, 0.6, 2.0];

    #[test]
    fn a_straight_line_has_its_slope_and_a_power_law_its_power() {
        let line = TIMES.map(|t| 4.0 * t);
        assert!((slope(&TIMES, &line, &ERRORS) - 4.0).abs() < 1e-12);
        for alpha in [0.5, 1.0, 2.0] {
            let values = TIMES.map(|t| 3.0 * libm::pow(t, alpha));
            let [height, slope] = power(&TIMES, &values, &values, &ERRORS);
            assert!((slope - alpha).abs() < 1e-12 && (height - libm::log(3.0)).abs() < 1e-12);
        }
        assert!(power(&TIMES[..1], &line, &line, &ERRORS)[1].is_nan());
    }

    #[test]
    fn the_line_ends_where_diffusion_slows_down() {
        // Four groups of particles that differ by 10 %, the second half of the times far below the
        // line.
        let times = [1.0, 2.0, 5.0, 10.0, 20.0, 100.0];
        let squares = [4.0, 8.0, 20.0, 20.0, 22.0, 23.0];
        let mut tally = Tally::of_times(&times);
        let mut points = Vec::new();
        for (lag, (&lag_time, &square)) in times.iter().zip(&squares).enumerate() {
            for (group, factor) in [0.95, 1.05, 0.95, 1.05].into_iter().enumerate() {
                let mut sums = Sums::default();
                sums.add([f64::sqrt(factor * square), 0.0, 0.0]);
                tally.add(lag, group, &sums);
            }
            let error = 0.05 / 3f64.sqrt() * square;
            let [exponent, exponent_error] = [f64::NAN; 2];
            points.push(MeanSquare {
                lag: lag_time,
                value: square,
                error,
                along: [MeanAlong::default(); 3],
                exponent,
                exponent_error,
                samples: 4,
            });
        }
        let fit = fit(&tally, &points, 2, Some([10.0, 30.0])).unwrap();
        let long = fit.long.unwrap();
        assert!((long.diffusion - 0.05).abs() < 1e-12 && long.between == [10.0, 20.0], "{long:?}");
        assert!(long.change < -4.0 && long.is_straight, "{long:?}");
        assert!((fit.diffusion - 1.0).abs() < 1e-12 && fit.up_to == 5.0, "{fit:?}");
        let error = 0.05 / 3f64.sqrt();
        assert!((fit.diffusion_error - error).abs() < 1e-3 * error && fit.groups == 4, "{fit:?}");
        assert!(fit.exponent.is_nan(), "no power law: {fit:?}");
    }
}
