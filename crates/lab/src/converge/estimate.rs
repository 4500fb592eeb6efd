//! From the numbers of replicas to what they say: differences, the order in the time step, the
//! limit.

use statrs::distribution::{ContinuousCDF, StudentsT};

use jostle_core::statistics::{Estimate, jackknife_error};

/// A difference counts as seen if chance makes one as large less often than this.
const CHANCE: f64 = 1e-3;

/// Relative differences below this are rounding.
const ROUNDING: f64 = 1e-9;

/// What the levels say of an observable.
#[derive(Clone, Debug, PartialEq)]
pub enum LevelVerdict {
    /// All levels have the same values, but for rounding.
    Equal,
    /// No difference between levels can be distinguished from chance.
    Undetected {
        /// With a probability of 95 %, the longest and the shortest step differ by less than this.
        bound: f64,
    },
    /// The time step makes a difference.
    Detected {
        /// The power of the time step with which differences fall, if it can be told.
        order: Option<Estimate>,
        /// The value for short steps by Richardson's extrapolation, if it can be told.
        limit: Option<Estimate>,
        /// The order that the extrapolation has used.
        used: f64,
    },
    /// Not every replica has it: its particles were gone.
    Unknown,
}

/// What is known of each level's value, of the changes from level to level, and the verdict, from
/// `samples`\[replica\]\[level\].
pub(super) fn values(samples: &[Vec<f64>]) -> (Vec<Estimate>, Vec<Estimate>, LevelVerdict) {
    let levels = samples.first().map_or(0, Vec::len);
    let column = |k: usize| samples.iter().map(|row| row[k]).collect::<Vec<_>>();
    let values: Vec<Estimate> = (0..levels).map(|k| Estimate::of(&column(k))).collect();
    let steps: Vec<Vec<f64>> =
        samples.iter().map(|row| row.windows(2).map(|pair| pair[1] - pair[0]).collect()).collect();
    let changes = columns(&steps);
    let size = samples.iter().flatten().fold(0.0, |size: f64, x| size.max(x.abs()));
    let verdict = if values.iter().any(|value| value.mean.is_nan()) {
        LevelVerdict::Unknown
    } else if steps.iter().flatten().all(|step| step.abs() <= ROUNDING * size) {
        LevelVerdict::Equal
    } else if changes.iter().any(|change| is_detected(change, samples.len())) {
        seen(samples, &steps, &changes)
    } else {
        let whole: Vec<f64> = samples.iter().map(|row| row[levels - 1] - row[0]).collect();
        let whole = Estimate::of(&whole);
        LevelVerdict::Undetected {
            bound: whole.mean.abs() + student(samples.len(), 0.05) * whole.error,
        }
    };
    (values, changes, verdict)
}

/// The same of mean squared distances between levels, `samples`\[replica\]\[pair of levels\]: root
/// mean squares.
pub(super) fn distances(samples: &[Vec<f64>]) -> (Vec<Estimate>, LevelVerdict) {
    let roots: Vec<Vec<f64>> =
        samples.iter().map(|row| row.iter().map(|x| x.sqrt()).collect()).collect();
    let squares = columns(samples);
    // The error of a root is that of the square over twice the root.
    let root = |square: &Estimate| {
        let mean = square.mean.sqrt();
        Estimate { mean, error: if mean > 0.0 { square.error / (2.0 * mean) } else { 0.0 } }
    };
    let changes: Vec<Estimate> = squares.iter().map(root).collect();
    let verdict = if changes.iter().any(|change| change.mean.is_nan()) {
        LevelVerdict::Unknown
    } else if changes.iter().all(|change| change.mean <= 1e-6) {
        // A millionth of a nanometre: rounding.
        LevelVerdict::Equal
    } else {
        LevelVerdict::Detected {
            order: jackknife(&roots, &weights(&changes), order_of),
            limit: None,
            used: f64::NAN,
        }
    };
    (changes, verdict)
}

/// What a difference that is there says.
fn seen(samples: &[Vec<f64>], steps: &[Vec<f64>], changes: &[Estimate]) -> LevelVerdict {
    let clear = changes.iter().take_while(|change| is_detected(change, samples.len())).count();
    let weights = weights(&changes[..clear]);
    let order = jackknife(steps, &weights, order_of);
    let finest = |row: &Vec<f64>| [row[row.len() - 2], row[row.len() - 1]];
    let pairs: Vec<Vec<f64>> = samples.iter().map(|row| finest(row).to_vec()).collect();
    let extrapolated =
        |[long, short]: [f64; 2], order: f64| short + (short - long) / (order.exp2() - 1.0);
    match order {
        // Not first order, as far as can be told.
        Some(found) if (found.mean - 1.0).abs() > 2.0 * found.error => {
            let joint: Vec<Vec<f64>> = pairs
                .iter()
                .zip(steps)
                .map(|(pair, steps)| [&pair[..], &steps[..]].concat())
                .collect();
            let limit = jackknife(&joint, &weights, |means, weights| {
                let order = order_of(&means[2..], weights)?;
                // Differences that hardly fall tell of no limit.
                (order > 0.25).then(|| extrapolated([means[0], means[1]], order))
            });
            LevelVerdict::Detected { order, limit, used: found.mean }
        }
        _ => {
            let ends: Vec<f64> =
                pairs.iter().map(|pair| extrapolated([pair[0], pair[1]], 1.0)).collect();
            LevelVerdict::Detected { order, limit: Some(Estimate::of(&ends)), used: 1.0 }
        }
    }
}

/// The weights of the logarithms of changes in the fit of the order.
fn weights(changes: &[Estimate]) -> Vec<f64> {
    changes
        .iter()
        .map(|change| (change.mean / change.error.max(1e-12 * change.mean.abs())).powi(2))
        .collect()
}

/// The order in the time step: the slope of the logarithm to base 2 of the first changes, as many
/// as there are weights, against their level. All must have one sign.
fn order_of(changes: &[f64], weights: &[f64]) -> Option<f64> {
    let changes = &changes[..weights.len()];
    let [first, _, ..] = changes else { return None };
    if changes.iter().any(|change| change * first <= 0.0) {
        return None;
    }
    let total: f64 = weights.iter().sum();
    let mean = |of: &dyn Fn(usize) -> f64| {
        (0..weights.len()).map(|k| weights[k] * of(k)).sum::<f64>() / total
    };
    let (x, y) = (mean(&|k| k as f64), mean(&|k| changes[k].abs().log2()));
    let above = mean(&|k| (k as f64 - x) * (changes[k].abs().log2() - y));
    let below = mean(&|k| (k as f64 - x).powi(2));
    Some(-above / below)
}

/// A function of the means of the columns and its error by jackknife over the rows.
fn jackknife(
    rows: &[Vec<f64>],
    weights: &[f64],
    of: impl Fn(&[f64], &[f64]) -> Option<f64>,
) -> Option<Estimate> {
    let n = rows.len() as f64;
    let width = rows.first()?.len();
    let sums: Vec<f64> = (0..width).map(|k| rows.iter().map(|row| row[k]).sum()).collect();
    let mean = of(&sums.iter().map(|sum| sum / n).collect::<Vec<_>>(), weights)?;
    let without = |row: &Vec<f64>| {
        let means: Vec<f64> = (0..width).map(|k| (sums[k] - row[k]) / (n - 1.0)).collect();
        of(&means, weights)
    };
    let others = rows.iter().map(without).collect::<Option<Vec<f64>>>()?;
    Some(Estimate { mean, error: jackknife_error(&others) })
}

fn columns(rows: &[Vec<f64>]) -> Vec<Estimate> {
    let width = rows.first().map_or(0, Vec::len);
    (0..width).map(|k| Estimate::of(&rows.iter().map(|row| row[k]).collect::<Vec<_>>())).collect()
}

fn is_detected(change: &Estimate, replicas: usize) -> bool {
    change.mean.abs() > student(replicas, CHANCE) * change.error
}

/// How many standard errors Student's t exceeds, to either side, with probability `chance`.
fn student(replicas: usize, chance: f64) -> f64 {
    let law = StudentsT::new(0.0, 1.0, replicas as f64 - 1.0);
    law.map_or(f64::INFINITY, |law| law.inverse_cdf(1.0 - 0.5 * chance))
}
