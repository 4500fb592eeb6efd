//! Counts pairs by their distance.

use crate::near::count_pairs;
use jostle_core::space::{Domain, Vector};

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

impl<const D: usize> Still<'_, D> {
    /// How many pairs there are of the kinds a <= b in each bin of distance, at `a * kinds + b`;
    /// nothing of kinds that are nowhere so near.
    pub(super) fn count(&self) -> Vec<Vec<u64>> {
        let Self { domain, position, kinds, farthest, .. } = *self;
        count_pairs(domain, position, farthest, kinds * kinds, |counts, pair| {
            self.enter(counts, pair);
        })
    }

    fn enter(&self, counts: &mut [Vec<u64>], [i, j]: [usize; 2]) {
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
        for i in 0..n {
            (i + 1..n).for_each(|j| still.enter(&mut expected, [i, j]));
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
