//! Sums of squared displacements, kept apart by groups of particles.

use super::super::jackknife::{GROUPS, jackknife};
use super::super::lags::Lags;
use super::fit::fit;
use super::{Displacement, MeanSquare, Walker};

/// Sums over displacements: for each lag and group, of the squares, and how many there are.
#[derive(Clone)]
pub(super) struct Tally {
    groups: Vec<[[f64; 2]; GROUPS]>,
}

impl Tally {
    pub(super) fn new(lags: usize) -> Self {
        Self { groups: vec![[[0.0; 2]; GROUPS]; lags] }
    }

    /// Takes in `count` displacements of a particle, whose squares add up to `sum`.
    pub(super) fn add(&mut self, lag: usize, particle: usize, sum: f64, count: f64) {
        let [s, n] = &mut self.groups[lag][particle % GROUPS];
        *s += sum;
        *n += count;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.groups.iter().flatten().all(|[_, n]| *n == 0.0)
    }

    /// The mean square over a lag, with all groups but one, or with all.
    pub(super) fn mean(&self, lag: usize, without: Option<usize>) -> f64 {
        let kept = self.groups[lag].iter().enumerate().filter(|(g, _)| Some(*g) != without);
        let [s, n] = kept.fold([0.0; 2], |[s, n], (_, group)| [s + group[0], n + group[1]]);
        s / n
    }

    fn samples(&self, lag: usize) -> f64 {
        self.groups[lag].iter().map(|[_, n]| n).sum()
    }

    /// The groups that have a displacement over this lag.
    pub(super) fn filled(&self, lag: usize) -> impl Iterator<Item = usize> + '_ {
        (0..GROUPS).filter(move |&g| self.groups[lag][g][1] > 0.0)
    }

    /// Means with errors, and what is fitted to them. Of the model's D, `free` tells.
    pub(super) fn finish(
        &self,
        of: Walker,
        lags: &Lags,
        dimension: usize,
        free: Option<f64>,
    ) -> Displacement {
        let times = lags.times();
        let point = |lag: usize| MeanSquare {
            lag: times[lag],
            value: self.mean(lag, None),
            error: jackknife(self.filled(lag), |without| self.mean(lag, without)),
            exponent: f64::NAN,
            exponent_error: f64::NAN,
            samples: self.samples(lag) as u64,
        };
        let seen = (0..times.len()).take_while(|&lag| self.samples(lag) > 0.0);
        let mut points: Vec<MeanSquare> = seen.map(point).collect();
        let slope = |[first, last]: [usize; 2], without| {
            let [before, after] = [first, last].map(|lag| self.mean(lag, without));
            libm::log(after / before) / libm::log(times[last] / times[first])
        };
        let longest = points.len().saturating_sub(1);
        for (lag, point) in points.iter_mut().enumerate() {
            let ends = [lag.saturating_sub(1), (lag + 1).min(longest)];
            point.exponent = slope(ends, None);
            point.exponent_error = jackknife(self.filled(ends[1]), |without| slope(ends, without));
        }
        let fit = fit(self, &points, dimension);
        Displacement { of, dimension, points, fit, free }
    }
}
