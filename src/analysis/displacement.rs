//! The mean squared displacement, beside what free diffusion would give.

use std::ops::Range;

use ndarray::{Array2, Array3};

use super::error::ReadError;
use super::reading::Reading;
use super::table::{Table, number};

/// Positions that are held in memory at a time, in numbers.
const AT_A_TIME: usize = 1 << 24;
/// At most this many origins of time are averaged over for each lag.
const MOST_ORIGINS: usize = 100;

/// A mean squared displacement.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanSquare {
    /// The species.
    pub species: String,
    /// The time between two looks. \[µs\]
    pub lag: f64,
    /// The mean over bodies and origins of time. \[nm²\]
    pub value: f64,
    /// Its standard error, from how much the bodies differ. \[nm²\] NaN for a single body.
    pub error: f64,
    /// How many bodies contribute.
    pub bodies: u64,
    /// How many displacements were averaged.
    pub samples: u64,
    /// 2 d D t, if the model gives D. \[nm²\] Holds for bodies that move freely and alone.
    pub free: Option<f64>,
}

/// Mean squared displacements by species and lag.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Displacements {
    /// In the order of the species, then of the lags.
    pub entries: Vec<MeanSquare>,
}

impl Displacements {
    /// One row per species and lag.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&[
            "species",
            "lag (µs)",
            "MSD (nm²)",
            "std. error",
            "2dDt (nm²)",
            "MSD/2dDt",
            "bodies",
            "samples",
        ]);
        for entry in &self.entries {
            let free = |text: fn(&MeanSquare, f64) -> String| match entry.free {
                Some(free) if free > 0.0 => text(entry, free),
                _ => "-".into(),
            };
            table.push(vec![
                entry.species.clone(),
                number(entry.lag),
                number(entry.value),
                if entry.error.is_nan() { "-".into() } else { number(entry.error) },
                free(|_, free| number(free)),
                free(|entry, free| format!("{:.4}", entry.value / free)),
                entry.bodies.to_string(),
                entry.samples.to_string(),
            ]);
        }
        table
    }
}

/// Sums over bodies: of a body, S is the sum of its squared displacements and n their number.
#[derive(Clone, Copy, Default)]
struct Sums {
    bodies: u64,
    n: f64,
    s: f64,
    s_s: f64,
    s_n: f64,
    n_n: f64,
}

impl Sums {
    fn add(&mut self, s: f64, n: f64) {
        self.bodies += 1;
        self.n += n;
        self.s += s;
        self.s_s += s * s;
        self.s_n += s * n;
        self.n_n += n * n;
    }

    /// The standard error of S/n as a ratio of two sums over independent bodies.
    fn error(&self) -> f64 {
        let mean = self.s / self.n;
        let squares = self.s_s - 2.0 * mean * self.s_n + mean * mean * self.n_n;
        let bodies = self.bodies as f64;
        (squares.max(0.0) * bodies / (bodies - 1.0)).sqrt() / self.n
    }
}

/// Measures how far bodies get in a time, for lags of 1, 2, 5, 10, 20, ... frames. A body counts
/// while it exists: two looks are compared if they show the same identity in the same slot.
///
/// # Errors
/// If there are fewer than two frames, or the file cannot be read.
pub fn mean_squared_displacement(reading: &Reading) -> Result<Displacements, ReadError> {
    let steps = reading.steps()?;
    if steps.len() < 2 {
        return Err(ReadError::TooLittle {
            path: reading.path().to_owned(),
            reason: format!("a displacement needs two frames, and there are {}", steps.len()),
        });
    }
    let lags = lags(steps.len());
    let species = reading.slot_species()?;
    let mut sums = vec![vec![Sums::default(); lags.len()]; reading.species().len()];
    let block = (AT_A_TIME / (3 * steps.len())).clamp(1, reading.slots().max(1));
    for first in (0..reading.slots()).step_by(block) {
        let slots = first..reading.slots().min(first + block);
        let (id, position) = reading.unwrapped(0..steps.len(), slots.clone())?;
        for (k, slot) in slots.enumerate() {
            let of = usize::try_from(species[slot]).ok().and_then(|s| sums.get_mut(s));
            let Some(sums) = of else {
                return Err(reading.damaged("species", "a number that names no species"));
            };
            for (lag, sums) in lags.iter().zip(sums) {
                let (s, n) = body(&steps, &id, &position, k, *lag);
                if n > 0.0 {
                    sums.add(s, n);
                }
            }
        }
    }
    entries(reading, &steps, &lags, &sums)
}

/// The sum of the squared displacements of the body in slot `k` over a lag, and their number.
fn body(steps: &[i64], id: &Array2<i64>, position: &Array3<f64>, k: usize, lag: usize) -> (f64, f64) {
    let (mut sum, mut count) = (0.0, 0.0);
    for origin in origins(steps.len(), lag) {
        let later = origin + lag;
        // The last frame may be closer to its forerunner than the others are.
        let even = steps[later] - steps[origin] == lag as i64 * (steps[1] - steps[0]);
        if even && id[[origin, k]] >= 0 && id[[origin, k]] == id[[later, k]] {
            for axis in 0..3 {
                let x = position[[later, k, axis]] - position[[origin, k, axis]];
                sum += x * x;
            }
            count += 1.0;
        }
    }
    (sum, count)
}

fn origins(frames: usize, lag: usize) -> std::iter::StepBy<Range<usize>> {
    let count = frames - lag;
    (0..count).step_by(count.div_ceil(MOST_ORIGINS))
}

/// 1, 2, 5, 10, 20, ... frames.
fn lags(frames: usize) -> Vec<usize> {
    let decades = (0..).map(|power| 10usize.saturating_pow(power));
    let lags = decades.flat_map(|ten| [1, 2, 5].map(|n: usize| n.saturating_mul(ten)));
    lags.take_while(|&lag| lag < frames).collect()
}

fn entries(
    reading: &Reading,
    steps: &[i64],
    lags: &[usize],
    sums: &[Vec<Sums>],
) -> Result<Displacements, ReadError> {
    // µm²/s is nm²/µs.
    let diffusion = reading.numbers("parameters/species/diffusion_coefficient")?;
    let between = (steps[1] - steps[0]) as f64 * reading.timestep();
    let mut entries = Vec::new();
    for (species, sums) in sums.iter().enumerate() {
        let coefficient = diffusion.get(species).copied().filter(|d| d.is_finite());
        for (&lag, sums) in lags.iter().zip(sums).filter(|(_, sums)| sums.bodies > 0) {
            let lag = lag as f64 * between;
            let free = |d| 2.0 * reading.dimension() as f64 * d * lag;
            entries.push(MeanSquare {
                species: reading.species_name(species as i64),
                lag,
                value: sums.s / sums.n,
                error: sums.error(),
                bodies: sums.bodies,
                samples: sums.n as u64,
                free: coefficient.map(free),
            });
        }
    }
    Ok(Displacements { entries })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lags_go_up_by_ones_twos_and_fives() {
        assert_eq!(lags(2), [1]);
        assert_eq!(lags(101), [1, 2, 5, 10, 20, 50, 100]);
    }

    #[test]
    fn origins_are_bounded_and_stay_within_the_frames() {
        for frames in [2, 5, 100, 101, 1000, 12345] {
            for lag in lags(frames) {
                let list: Vec<usize> = origins(frames, lag).collect();
                assert!(!list.is_empty() && list.len() <= MOST_ORIGINS);
                assert!(list.iter().all(|origin| origin + lag < frames));
            }
        }
    }

    #[test]
    fn the_error_is_that_of_a_mean_when_bodies_have_one_sample_each() {
        let mut sums = Sums::default();
        for s in [1.0, 2.0, 3.0, 6.0] {
            sums.add(s, 1.0);
        }
        let variance: f64 = [4.0, 1.0, 0.0, 9.0].iter().sum::<f64>() / 3.0;
        assert!((sums.error() - (variance / 4.0).sqrt()).abs() < 1e-12);
    }
}
