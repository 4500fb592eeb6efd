//! Whether particles drift: whether their mean displacement is larger than chance makes it.

use super::super::jackknife::{GROUPS, jackknife};

/// The time is divided into so many stretches.
const STRETCHES: usize = 16;
/// A drift is recognised in at least so many stretches.
const FEWEST_STRETCHES: usize = 8;
/// By so many standard errors a mean velocity has to differ from zero. With 8 stretches, chance does so in
/// 2 of 1000 axes; that it does so among the groups of particles as well is less likely still.
const CLEAR: f64 = 5.0;

/// How far particles have got, and in how many frames.
#[derive(Clone, Copy, Default)]
struct Distance {
    along: [f64; 3],
    frames: f64,
}

/// How far particles have got altogether, by groups of particles and by stretches of time. A drift shows in
/// both. A large cluster that wanders shows in all of its particles, but not in all stretches.
#[derive(Clone)]
pub(super) struct Travelled {
    groups: [Distance; GROUPS],
    stretches: [Distance; STRETCHES],
}

impl Default for Travelled {
    fn default() -> Self {
        Self { groups: [Distance::default(); GROUPS], stretches: [Distance::default(); STRETCHES] }
    }
}

impl Travelled {
    /// The first and last frame of each stretch of so many frames.
    pub(super) fn stretches(frames: usize) -> impl Iterator<Item = [usize; 2]> {
        let end = move |n: usize| n * frames.saturating_sub(1) / STRETCHES;
        (0..STRETCHES).map(move |n| [end(n), end(n + 1)]).filter(|[first, last]| first < last)
    }

    /// Takes in the displacement of a particle \[nm\] between two of so many frames.
    pub(super) fn add(
        &mut self,
        particle: usize,
        [first, last]: [usize; 2],
        frames: usize,
        displacement: [f64; 3],
    ) {
        let middle = (first + last) * STRETCHES / (2 * frames.saturating_sub(1)).max(1);
        let stretch = middle.min(STRETCHES - 1);
        for moved in [&mut self.groups[particle % GROUPS], &mut self.stretches[stretch]] {
            moved.frames += (last - first) as f64;
            for axis in 0..3 {
                moved.along[axis] += displacement[axis];
            }
        }
    }

    /// The velocity along each axis along which they clearly drift, and its standard error, the larger one of
    /// those between particles and between stretches. \[nm/µs\] `between` are the frames. \[µs\]
    pub(super) fn drift(&self, between: f64) -> [Option<[f64; 2]>; 3] {
        [0, 1, 2].map(|axis| {
            let velocity = |distances: &[Distance], without: Option<usize>| {
                let kept = distances.iter().enumerate().filter(|(n, _)| Some(*n) != without);
                let [moved, frames] = kept.fold([0.0; 2], |[moved, frames], (_, one)| {
                    [moved + one.along[axis], frames + one.frames]
                });
                moved / (frames * between)
            };
            let error = |distances: &[Distance], fewest: usize| {
                let seen = || (0..distances.len()).filter(|&n| distances[n].frames > 0.0);
                let told = seen().count() >= fewest;
                if told {
                    jackknife(seen(), |without| velocity(distances, without))
                } else {
                    f64::NAN
                }
            };
            let errors = [error(&self.groups, 4), error(&self.stretches, FEWEST_STRETCHES)];
            let error =
                if errors.iter().any(|e| e.is_nan()) { f64::NAN } else { errors[0].max(errors[1]) };
            let velocity = velocity(&self.groups, None);
            (velocity.abs() > CLEAR * error).then_some([velocity, error])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sixteen particles and 33 frames, in which each gets as far as `step` says.
    fn travelled(step: impl Fn(usize, usize) -> f64) -> Travelled {
        let mut all = Travelled::default();
        for particle in 0..16 {
            for (n, ends) in Travelled::stretches(33).enumerate() {
                all.add(particle, ends, 33, [step(particle, n), 0.0, 0.0]);
            }
        }
        all
    }

    #[test]
    fn a_drift_shows_in_all_particles_and_at_all_times() {
        // Two frames of 0.5 µs in each stretch.
        let wobble = |k: usize| if k.is_multiple_of(2) { 0.4 } else { -0.4 };
        let [x, y, _] = travelled(|k, n| 2.0 + wobble(k) + wobble(n)).drift(0.5);
        let [velocity, error] = x.unwrap();
        assert!((velocity - 2.0).abs() < 1e-12 && error > 0.05 && error < 0.2, "{x:?}");
        assert!(y.is_none());
        // All of them move together, to and fro; or half of them go each moved.
        assert!(travelled(|_, n| if n < 10 { 1.0 } else { -1.0 }).drift(0.5)[0].is_none());
        assert!(travelled(|k, _| if k < 10 { 1.0 } else { -1.0 }).drift(0.5)[0].is_none());
    }

    #[test]
    fn stretches_cover_all_frames_once() {
        let all: Vec<_> = Travelled::stretches(40).collect();
        assert_eq!((all.len(), all[0][0], all[15][1]), (16, 0, 39));
        assert!(all.windows(2).all(|two| two[0][1] == two[1][0]));
        assert_eq!(Travelled::stretches(3).collect::<Vec<_>>(), [[0, 1], [1, 2]]);
    }
}
