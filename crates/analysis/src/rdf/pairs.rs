//! Counts pairs by their distance, with the cells that contacts are searched with.

use rayon::prelude::*;

use jostle_core::search::{Broad, Settings, cubic};
use jostle_core::space::{Domain, Groups, Paths, Vector, Window};

/// Particles at rest, and how far to look.
pub(super) struct Still<'a, const D: usize> {
    pub(super) domain: &'a Domain<D>,
    pub(super) position: &'a [Vector<D>],
    /// Which kind each is, counted from 0.
    pub(super) kind: &'a [u16],
    /// How many kinds there are.
    pub(super) kinds: usize,
    /// \[nm\]
    pub(super) farthest: f64,
    pub(super) bins: usize,
}

/// Particles handled as one piece of work; no result depends on it.
const CHUNK: usize = 256;

impl<const D: usize> Still<'_, D> {
    /// How many pairs there are of the kinds a <= b in each bin of distance, at `a * kinds + b`;
    /// nothing of kinds that are nowhere so near.
    pub(super) fn count(&self) -> Vec<Vec<u64>> {
        let n = self.position.len();
        // Spheres of half the distance touch if their centres are nearer than it.
        let radius = vec![0.5 * self.farthest; n];
        let paths = Paths {
            domain: self.domain,
            position: self.position,
            velocity: &vec![Vector::ZERO; n],
            since: &vec![0.0; n],
            radius: &radius,
            group: &vec![0; n],
            groups: &Groups::all(),
            alive: &vec![true; n],
        };
        let mut cells = cubic::<D>(&Settings::default());
        cells.refit(&paths, Window::STEP);
        let particles: Vec<u32> = (0..n as u32).collect();
        let empty = || vec![Vec::new(); self.kinds * self.kinds];
        let counted = particles.par_chunks(CHUNK).fold(empty, |mut counts, chunk| {
            let mut near = Vec::new();
            for &i in chunk {
                near.clear();
                cells.near(i, &paths, &mut near);
                near.iter().filter(|&&j| j > i).for_each(|&j| self.enter(&mut counts, i, j));
            }
            counts
        });
        counted.reduce(empty, |mut all, some| {
            all.iter_mut().zip(some).for_each(|(sum, counts)| add(sum, counts));
            all
        })
    }

    fn enter(&self, counts: &mut [Vec<u64>], i: u32, j: u32) {
        let (i, j) = (i as usize, j as usize);
        let distance = self.domain.nearest_image(self.position[j] - self.position[i]).norm();
        let bin = (distance / self.farthest * self.bins as f64) as usize;
        if bin < self.bins {
            let (a, b) =
                (self.kind[i].min(self.kind[j]) as usize, self.kind[i].max(self.kind[j]) as usize);
            let counts = &mut counts[a * self.kinds + b];
            counts.resize(self.bins, 0);
            counts[bin] += 1;
        }
    }
}

/// Adds counts to others, either of which may be missing.
fn add(sum: &mut Vec<u64>, counts: Vec<u64>) {
    if sum.is_empty() {
        *sum = counts;
    } else {
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare<const D: usize>(periodic: bool, farthest: f64) {
        let domain = Domain::new([10.0; D], [periodic; D]);
        let n = 150;
        let place =
            |i: usize, k: usize| ((i * 7919 + k * 104_729 + i * i * 31) % 9973) as f64 / 997.4;
        let position: Vec<_> = (0..n).map(|i| Vector::from_fn(|k| place(i, k))).collect();
        let kind: Vec<u16> = (0..n).map(|i| (i % 2) as u16).collect();
        let still = Still {
            domain: &domain,
            position: &position,
            kind: &kind,
            kinds: 2,
            farthest,
            bins: 7,
        };
        let mut expected = vec![Vec::new(); 4];
        for i in 0..n as u32 {
            (i + 1..n as u32).for_each(|j| still.enter(&mut expected, i, j));
        }
        assert!(expected.iter().flatten().sum::<u64>() > 20);
        assert_eq!(still.count(), expected, "{D} {periodic} {farthest}");
    }

    #[test]
    fn cells_find_every_pair_once() {
        for periodic in [false, true] {
            for farthest in [1.5, 3.0, 5.0] {
                compare::<1>(periodic, farthest);
                compare::<2>(periodic, farthest);
                compare::<3>(periodic, farthest);
            }
        }
    }
}
