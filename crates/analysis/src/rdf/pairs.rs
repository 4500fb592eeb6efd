//! Counts pairs by their distance.

use super::vessel::Vessel;
use jostle_core::space::Vector;

/// Particles at rest, and how far to look.
pub(super) struct Still<'a, const D: usize> {
    pub(super) vessel: &'a Vessel<D>,
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
        let Self { vessel, position, kinds, farthest, .. } = *self;
        vessel.count(position, farthest, kinds * kinds, |counts, pair, distance| {
            self.enter(counts, pair, distance);
        })
    }

    fn enter(&self, counts: &mut [Vec<u64>], [i, j]: [usize; 2], distance: f64) {
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
    use jostle_core::space::Domain;
    use jostle_h5md::reading::BoxVectors;

    fn compare<const D: usize>(
        vessel: &Vessel<D>,
        farthest: f64,
        nearest: impl Fn(Vector<D>) -> f64,
    ) {
        let n = 150;
        let place =
            |i: usize, k: usize| ((i * 7919 + k * 104_729 + i * i * 31) % 9973) as f64 / 997.4;
        let position: Vec<_> =
            (0..n).map(|i| vessel.wrap(Vector::from_fn(|k| place(i, k)))).collect();
        let kind: Vec<u16> = (0..n).map(|i| (i % 2) as u16).collect();
        let still = Still { vessel, position: &position, kind: &kind, kinds: 2, farthest, bins: 7 };
        let mut expected = vec![Vec::new(); 4];
        for i in 0..n {
            (i + 1..n).for_each(|j| {
                still.enter(&mut expected, [i, j], nearest(position[j] - position[i]));
            });
        }
        assert!(expected.iter().flatten().sum::<u64>() > 20);
        assert_eq!(still.count(), expected, "{D} {farthest}");
    }

    fn upright<const D: usize>(periodic: bool, farthest: f64) {
        let domain = Domain::new([10.0; D], [periodic; D]);
        let vessel = Vessel::Upright(domain.clone());
        compare(&vessel, farthest, |way| domain.nearest_image(way).norm());
    }

    #[test]
    fn cells_find_every_pair_once() {
        for periodic in [false, true] {
            for farthest in [1.5, 3.0, 5.0] {
                upright::<1>(periodic, farthest);
                upright::<2>(periodic, farthest);
                upright::<3>(periodic, farthest);
            }
        }
    }

    #[test]
    fn pairs_in_a_sheared_box_are_found_once() {
        let vectors = BoxVectors([[10.0, 0.0, 0.0], [-4.0, 9.0, 0.0], [3.0, -2.0, 11.0]]);
        let vessel = Vessel::<3>::Sheared(vectors);
        // Among all images nearby, without any reduction of the cell.
        let nearest = |way: Vector<3>| {
            let shift = |n: i32, m: i32| f64::from(n / m % 5 - 2);
            let images = (0..125).map(|n| vectors.along([shift(n, 1), shift(n, 5), shift(n, 25)]));
            let distance = |by: [f64; 3]| Vector::<3>::from_fn(|k| way[k] + by[k]).norm();
            images.map(distance).fold(f64::INFINITY, f64::min)
        };
        for farthest in [1.5, 3.0, vessel.half()] {
            compare(&vessel, farthest, nearest);
        }
        let plane = Vessel::<2>::Sheared(vectors);
        let nearest = |way: Vector<2>| {
            let shift = |n: i32, m: i32| f64::from(n / m % 5 - 2);
            let images = (0..25).map(|n| vectors.along([shift(n, 1), shift(n, 5), 0.0]));
            let distance = |by: [f64; 3]| Vector::<2>::from_fn(|k| way[k] + by[k]).norm();
            images.map(distance).fold(f64::INFINITY, f64::min)
        };
        compare(&plane, plane.half(), nearest);
    }
}
