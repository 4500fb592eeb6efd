//! Sums of displacements and of their squares, kept apart by groups of particles.

use super::super::jackknife::{GROUPS, jackknife};
use super::super::lags::Lags;
use super::drift::Travelled;
use super::fit::{Window, fit, level};
use super::{Displacement, MeanAlong, MeanSquare, Walker};

/// Displacements, added up.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    count: f64,
    along: [f64; 3],
    squares: [f64; 3],
}

impl Sums {
    /// Takes in one displacement. \[nm\]
    pub(super) fn add(&mut self, displacement: [f64; 3]) {
        self.count += 1.0;
        for (axis, x) in displacement.into_iter().enumerate() {
            self.along[axis] += x;
            self.squares[axis] += x * x;
        }
    }

    fn plus(mut self, other: &Self) -> Self {
        self.count += other.count;
        for axis in 0..3 {
            self.along[axis] += other.along[axis];
            self.squares[axis] += other.squares[axis];
        }
        self
    }
}

/// Sums over displacements, for each lag and group.
#[derive(Clone)]
pub(super) struct Tally {
    lags: usize,
    /// Empty until something is added. \[lag\]
    groups: Vec<[Sums; GROUPS]>,
    /// From which a drift can be recognised.
    pub(super) travelled: Travelled,
    /// The drift that is subtracted before anything is fitted. \[nm/µs\]
    drift: [f64; 3],
    /// \[lag\], \[µs\]
    times: Vec<f64>,
}

impl Tally {
    pub(super) fn new(lags: &Lags) -> Self {
        Self::of_times(&lags.times())
    }

    /// One of lags of these times. \[µs\]
    pub(super) fn of_times(times: &[f64]) -> Self {
        Self {
            lags: times.len(),
            groups: Vec::new(),
            travelled: Travelled::default(),
            drift: [0.0; 3],
            times: times.to_vec(),
        }
    }

    /// Takes in displacements of a particle.
    pub(super) fn add(&mut self, lag: usize, particle: usize, sums: &Sums) {
        if self.groups.is_empty() {
            self.groups = vec![[Sums::default(); GROUPS]; self.lags];
        }
        let group = &mut self.groups[lag][particle % GROUPS];
        *group = group.plus(sums);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.groups.iter().flatten().all(|group| group.count == 0.0)
    }

    /// The sums over a lag, with all groups but one, or with all.
    fn sums(&self, lag: usize, without: Option<usize>) -> Sums {
        let kept = self.groups[lag].iter().enumerate().filter(|(g, _)| Some(*g) != without);
        kept.fold(Sums::default(), |all, (_, group)| all.plus(group))
    }

    /// The mean square along an axis over a lag.
    pub(super) fn square_along(&self, lag: usize, axis: usize, without: Option<usize>) -> f64 {
        let sums = self.sums(lag, without);
        sums.squares[axis] / sums.count
    }

    fn mean_along(&self, lag: usize, axis: usize, without: Option<usize>) -> f64 {
        let sums = self.sums(lag, without);
        sums.along[axis] / sums.count
    }

    /// The mean square over a lag.
    fn mean(&self, lag: usize, without: Option<usize>) -> f64 {
        let sums = self.sums(lag, without);
        sums.squares.iter().sum::<f64>() / sums.count
    }

    /// The mean square of what the drift does not explain.
    pub(super) fn spread(&self, lag: usize, without: Option<usize>) -> f64 {
        let sums = self.sums(lag, without);
        let drifted = |axis: usize| {
            let moved = self.drift[axis] * self.times[lag];
            moved * (moved * sums.count - 2.0 * sums.along[axis])
        };
        let squares = (0..3).map(|axis| sums.squares[axis] + drifted(axis));
        squares.sum::<f64>() / sums.count
    }

    fn samples(&self, lag: usize) -> f64 {
        self.groups.get(lag).map_or(0.0, |groups| groups.iter().map(|group| group.count).sum())
    }

    /// The groups that have a displacement over this lag.
    pub(super) fn filled(&self, lag: usize) -> impl Iterator<Item = usize> + '_ {
        (0..GROUPS).filter(move |&g| self.groups[lag][g].count > 0.0)
    }

    /// Means with errors, and what is fitted to them. Of the model's D, `free` tells.
    pub(super) fn finish(
        mut self,
        of: Walker,
        [dimension, axes]: [usize; 2],
        free: Option<f64>,
        window: Option<Window>,
    ) -> Displacement {
        let drift = self.travelled.drift(self.times.first().copied().unwrap_or(f64::NAN));
        self.drift = drift.map(|along| along.map_or(0.0, |[velocity, _]| velocity));
        let along = |lag: usize, axis: usize| {
            let error = |of: &dyn Fn(Option<usize>) -> f64| jackknife(self.filled(lag), of);
            MeanAlong {
                square: self.square_along(lag, axis, None),
                square_error: error(&|without| self.square_along(lag, axis, without)),
                mean: self.mean_along(lag, axis, None),
                mean_error: error(&|without| self.mean_along(lag, axis, without)),
            }
        };
        let point = |lag: usize| MeanSquare {
            lag: self.times[lag],
            value: self.mean(lag, None),
            error: jackknife(self.filled(lag), |without| self.mean(lag, without)),
            along: [0, 1, 2].map(|axis| along(lag, axis)),
            exponent: f64::NAN,
            exponent_error: f64::NAN,
            samples: self.samples(lag) as u64,
        };
        let seen = (0..self.lags).take_while(|&lag| self.samples(lag) > 0.0);
        let mut points: Vec<MeanSquare> = seen.map(point).collect();
        let slope = |[first, last]: [usize; 2], without| {
            let [before, after] = [first, last].map(|lag| self.mean(lag, without));
            libm::log(after / before) / libm::log(self.times[last] / self.times[first])
        };
        let longest = points.len().saturating_sub(1);
        for (lag, point) in points.iter_mut().enumerate() {
            let ends = [lag.saturating_sub(1), (lag + 1).min(longest)];
            point.exponent = slope(ends, None);
            point.exponent_error = jackknife(self.filled(ends[1]), |without| slope(ends, without));
        }
        let found = fit(&self, &points, dimension, window);
        let levels = [0, 1, 2].map(|axis| {
            let still = axis < axes && drift[axis].is_none();
            still.then(|| level(&self, &points, axis)).flatten()
        });
        Displacement { of, dimension, axes, points, fit: found, free, drift, levels }
    }
}
