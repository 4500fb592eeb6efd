//! The skins, by which particles may move before the lists have to be made anew, chosen so that
//! making lists and going through them takes the least work.

use std::f64::consts::PI;
use std::ops::Range;

use rayon::prelude::*;

use crate::space::{Paths, Window};

/// The skin is so many rms displacements along one axis, after as many steps as the lists are to
/// last: of some thousand particles in free diffusion, one has moved farther by then.
const RMS_STEPS: f64 = 4.0;

/// Making lists takes as long as going through so many pairs for each particle (measured).
const MAKE_IN_PAIRS: f64 = 8.0;

/// For how many steps lists may be meant to last.
const LASTING: [f64; 14] =
    [1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0];

/// Particles summed up as one piece of work; sums depend on it in their last digits.
const CHUNK: usize = 16384;

/// For how many steps the first lists are meant to last at most: how dense particles are where they
/// gather is not known yet.
const AT_FIRST: f64 = 4.0;

/// What is summed up over the particles of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: u64,
    velocity_squared: f64,
    radius: f64,
}

impl Sums {
    fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.velocity_squared += other.velocity_squared;
        self.radius += other.radius;
    }

    /// The rms displacement along an axis in a window. \[length\]
    fn rms_step(&self, window: Window, dimension: usize) -> f64 {
        if self.count == 0 {
            return 0.0;
        }
        let count = self.count as f64;
        let rms = (self.velocity_squared / (count * dimension as f64)).sqrt();
        // Of a few particles the rms step is known only roughly.
        (window.end - window.start) * rms * (1.0 + 1.0 / count.sqrt())
    }
}

/// Sums over the live particles of each group that any particle is of, the same with any number of
/// threads.
fn sums<const D: usize>(paths: &Paths<'_, D>) -> Vec<Sums> {
    let groups = paths.group.iter().max().map_or(0, |&last| usize::from(last) + 1);
    let sum_up = |slots: Range<usize>| {
        let mut sums = vec![Sums::default(); groups];
        for i in slots.filter(|&i| paths.alive[i]) {
            let velocity_squared = paths.velocity[i].norm_squared();
            sums[paths.group[i] as usize].add(&Sums {
                count: 1,
                velocity_squared,
                radius: paths.radius[i],
            });
        }
        sums
    };
    // Floating-point sums depend on how terms are grouped. Chunks of fixed length that are added up
    // in order keep the skins, and so the moments at which lists are made, the same for any number
    // of threads. They are handed out one by one, for the reason given in `Particles::stretches`.
    let chunks = (0..paths.len()).into_par_iter().step_by(CHUNK).with_max_len(1);
    let parts: Vec<_> =
        chunks.map(|first| sum_up(first..(first + CHUNK).min(paths.len()))).collect();
    let mut total = vec![Sums::default(); groups];
    for part in parts {
        total.iter_mut().zip(&part).for_each(|(total, sums)| total.add(sums));
    }
    total
}

/// The skin of each group, and how long lists last with it.
#[derive(Debug, Default)]
pub(super) struct Skins {
    /// \[group\], \[length\]
    of: Vec<f64>,
    /// For how many steps lists are meant to last.
    lasting: f64,
    /// For how many steps the present lists have been in force.
    steps: u64,
    /// How much longer lists have lasted than they were meant to.
    longer: f64,
}

impl Skins {
    /// Another step begins.
    pub(super) fn count_step(&mut self) {
        self.steps += 1;
    }

    /// Of the particles of a group. \[length\]
    #[inline]
    pub(super) fn of(&self, group: u16) -> f64 {
        self.of[group as usize]
    }

    /// Chooses skins for new lists, for particles as fast as these; `pairs` is the number of pairs
    /// in the last lists.
    pub(super) fn choose<const D: usize>(
        &mut self,
        paths: &Paths<'_, D>,
        window: Window,
        pairs: usize,
    ) {
        let sums = sums(paths);
        let steps: Vec<f64> = sums.iter().map(|sum| sum.rms_step(window, D)).collect();
        // Before `lasting` and `steps` are set for the new lists.
        self.learn();
        let best = self.best(paths, &sums, &steps, pairs);
        self.lasting = if pairs == 0 { best.min(AT_FIRST) } else { best };
        self.steps = 0;
        // Wrapping may shift a position by its rounding. Without a floor, even particles at rest
        // could then leave a skin of zero width.
        let floor = 4.0 * paths.domain.rounding();
        let far = RMS_STEPS * self.lasting.sqrt();
        self.of = steps.iter().map(|step| far * step + floor).collect();
    }

    /// Takes down how long the last lists have lasted.
    fn learn(&mut self) {
        if self.lasting > 0.0 {
            // Clamped and averaged, because lists may also end for reasons that say nothing about
            // diffusion, such as a changed number of particles.
            let longer = (self.steps as f64 / self.lasting).clamp(0.1, 10.0);
            self.longer = if self.longer == 0.0 { longer } else { 0.5 * (self.longer + longer) };
        }
    }

    /// How many steps new lists should last, if particles are as dense as the last lists say.
    fn best<const D: usize>(
        &self,
        paths: &Paths<'_, D>,
        sums: &[Sums],
        steps: &[f64],
        pairs: usize,
    ) -> f64 {
        let count = sums.iter().map(|sum| sum.count).sum::<u64>().max(1) as f64;
        let radius = sums.iter().map(|sum| sum.radius).sum::<f64>() / count;
        let step =
            sums.iter().zip(steps).map(|(sum, step)| sum.count as f64 * step).sum::<f64>() / count;
        let range = |lasting: f64| (radius + RMS_STEPS * step * lasting.sqrt()).powi(D as i32);
        // Pairs are listed up to the sum of two radii and two skins, twice the range. Their number
        // per particle is taken to grow as range^D, from what the last lists contained, but from no
        // less than at a uniform density: particles on a crystal lattice may have no neighbours
        // just beyond the range, and a longer one would seem to cost nothing.
        let ball = [2.0, PI, 4.0 / 3.0 * PI][D - 1] * 2f64.powi(D as i32);
        let even = 0.5 * count * ball / paths.domain.volume();
        let density = f64::max(pairs as f64 / count / range(self.lasting.max(1.0)), even);
        let longer = if self.longer > 0.0 { self.longer } else { 1.0 };
        // Per particle and step: a share of the making, and all pairs that are gone through.
        let work =
            |lasting: f64| MAKE_IN_PAIRS / (longer * lasting).max(1.0) + density * range(lasting);
        LASTING.into_iter().min_by(|a, b| work(*a).total_cmp(&work(*b))).unwrap_or(AT_FIRST)
    }

    pub(super) fn describe(&self) -> String {
        format!("with skin for {} steps", self.lasting)
    }
}
