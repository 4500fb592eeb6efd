//! Which times apart frames are compared.

use std::ops::Range;

use ndarray::Array2;

use super::scope::Scope;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// At most this many origins of time are averaged over for each lag.
pub(super) const MOST_ORIGINS: usize = 100;

/// Lags of 1, 2, 5, 10, 20, ... frames, or so many per decade, and the frames they are between.
pub(super) struct Lags {
    /// The frames that are looked at.
    pub(super) frames: Range<usize>,
    /// The steps of these frames.
    steps: Vec<i64>,
    pub(super) lags: Vec<usize>,
    /// \[µs\]
    between: f64,
}

impl Lags {
    /// Those within the scope, up to `longest` \[µs\], in `per_decade` even steps of their logarithm.
    pub(super) fn of(
        reading: &Reading,
        scope: &Scope,
        longest: Option<f64>,
        per_decade: Option<usize>,
    ) -> Result<Self, ReadError> {
        let frames = scope.frames(reading, 2)?;
        let steps = reading.steps()?[frames.clone()].to_vec();
        let times = &reading.times()?[frames.clone()];
        let between = times[1] - times[0];
        let most =
            longest.map_or(usize::MAX, |longest| (longest / between * (1.0 + 1e-9)) as usize);
        let mut lags = per_decade.map_or_else(|| lags(frames.len()), |n| even(frames.len(), n));
        lags.retain(|&lag| lag <= most.max(1));
        Ok(Self { frames, steps, lags, between })
    }

    /// Only lags of 1, 10, 100, ... frames.
    pub(super) fn decades(mut self) -> Self {
        self.lags.retain(|&lag| lag.to_string().starts_with('1'));
        self
    }

    /// How many lags there are.
    pub(super) fn len(&self) -> usize {
        self.lags.len()
    }

    /// The times. \[lag\], \[µs\]
    pub(super) fn times(&self) -> Vec<f64> {
        self.lags.iter().map(|&lag| lag as f64 * self.between).collect()
    }

    /// Whether two frames, counted from the first that is looked at, are exactly a lag apart: the
    /// last frame may be closer to its forerunner than the others are.
    pub(super) fn fits(&self, origin: usize, later: usize) -> bool {
        let step = |frame: usize| i128::from(self.steps[frame]);
        step(later) - step(origin) == (later - origin) as i128 * (step(1) - step(0))
    }

    /// The frames that are compared over a lag, counted from the first that is looked at.
    pub(super) fn pairs(&self, lag: usize) -> impl Iterator<Item = [usize; 2]> + '_ {
        let lag = self.lags[lag];
        let pairs = origins(self.frames.len(), lag).map(move |origin| [origin, origin + lag]);
        pairs.filter(|[origin, later]| self.fits(*origin, *later))
    }
}

/// For each frame, the first from which on slot `k` has held the same particle; none if it holds no
/// particle. Over a life inside another, or as one of another species, no particle is compared.
pub(super) fn since(id: &Array2<i64>, k: usize) -> Vec<Option<usize>> {
    let mut since: Vec<Option<usize>> = Vec::with_capacity(id.nrows());
    for frame in 0..id.nrows() {
        let same = frame > 0 && id[[frame, k]] == id[[frame - 1, k]];
        let first = if same { since[frame - 1] } else { Some(frame) };
        since.push(first.filter(|_| id[[frame, k]] >= 0));
    }
    since
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

/// So many in each decade, rounded to whole frames, without those that are the same.
fn even(frames: usize, per_decade: usize) -> Vec<usize> {
    let exact = (0..).map(|n| libm::pow(10.0, n as f64 / per_decade as f64));
    let mut lags: Vec<usize> =
        exact.map(|lag| lag.round() as usize).take_while(|&lag| lag < frames).collect();
    lags.dedup();
    lags
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
    fn lags_go_up_by_even_factors_where_frames_allow() {
        assert_eq!(even(33, 10), [1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32]);
        assert_eq!(even(101, 1), [1, 10, 100]);
    }

    /// Particle 7 is another particle, or away, for a frame; then 8 has its slot.
    #[test]
    fn a_slot_holds_a_particle_for_as_long_as_every_frame_shows_the_same() {
        let id = Array2::from_shape_vec((7, 1), vec![7, 7, -1, 7, 7, 8, 8]).unwrap();
        assert_eq!(since(&id, 0), [Some(0), Some(0), None, Some(3), Some(3), Some(5), Some(5)]);
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
}
