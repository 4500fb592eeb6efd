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
}

/// How many errors a point may lie off the line.
const OFF_THE_LINE: f64 = 3.0;

/// Fits a tally whose lags are those of `points`.
pub(super) fn fit(tally: &Tally, points: &[MeanSquare], dimension: usize) -> Option<DiffusionFit> {
    let first = points.first()?;
    let short =
        |point: &&MeanSquare| point.lag <= first.lag.max(0.25 * points[points.len() - 1].lag);
    let times: Vec<f64> = points.iter().take_while(short).map(|p| p.lag).collect();
    let errors: Vec<f64> = points.iter().map(|p| p.error).collect();
    if first.error.is_nan() || first.value <= 0.0 {
        return None;
    }
    let means =
        |without| (0..times.len()).map(|lag| tally.mean(lag, without)).collect::<Vec<f64>>();
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
    Some(DiffusionFit {
        diffusion: diffusion(None),
        diffusion_error: jackknife(groups.iter().copied(), diffusion),
        up_to: times[length - 1],
        exponent: told(power),
        exponent_error: told(jackknife(groups.iter().copied(), exponent)),
        groups: groups.len(),
    })
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
    let mut sums = [0.0; 5];
    for n in 0..times.len() {
        let (x, y, weight) =
            (libm::log(times[n]), libm::log(values[n]), (all[n] / errors[n]).powi(2));
        for (sum, term) in sums.iter_mut().zip([1.0, x, y, x * x, x * y]) {
            *sum += weight * term;
        }
    }
    let [w, x, y, xx, xy] = sums;
    let slope = if times.len() < 2 { f64::NAN } else { (w * xy - x * y) / (w * xx - x * x) };
    [(y - slope * x) / w, slope]
}

#[cfg(test)]
mod tests {
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
        let mut tally = Tally::new(times.len());
        let mut points = Vec::new();
        for (lag, (&lag_time, &square)) in times.iter().zip(&squares).enumerate() {
            for (group, factor) in [0.95, 1.05, 0.95, 1.05].into_iter().enumerate() {
                tally.add(lag, group, factor * square, 1.0);
            }
            let error = 0.05 / 3f64.sqrt() * square;
            let [exponent, exponent_error] = [f64::NAN; 2];
            points.push(MeanSquare {
                lag: lag_time,
                value: square,
                error,
                exponent,
                exponent_error,
                samples: 4,
            });
        }
        let fit = fit(&tally, &points, 2).unwrap();
        assert!((fit.diffusion - 1.0).abs() < 1e-12 && fit.up_to == 5.0, "{fit:?}");
        let error = 0.05 / 3f64.sqrt();
        assert!((fit.diffusion_error - error).abs() < 1e-3 * error && fit.groups == 4, "{fit:?}");
        assert!(fit.exponent.is_nan(), "no power law: {fit:?}");
    }
}
