//! One axis of a lattice: the neighbours along it.

use smallvec::SmallVec;

/// One axis as the walk over all cells sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) count: u32,
    periodic: bool,
    bits: [u8; 2],
}

impl Line {
    /// An axis with `count` cells.
    pub(super) fn new(count: u32, periodic: bool, bits: [u8; 2]) -> Self {
        Self { count, periodic, bits }
    }

    /// The distinct neighbours of coordinate `c`, itself included, each with the bit of the
    /// direction it lies in.
    pub(super) fn neighbours(&self, c: u32) -> SmallVec<[(u32, u8); 3]> {
        let n = self.count;
        if n < 3 {
            return (0..n).map(|c| (c, 0)).collect();
        }
        let mut found = SmallVec::new();
        if c > 0 || self.periodic {
            found.push(((c + n - 1) % n, self.bits[0]));
        }
        found.push((c, 0));
        if c + 1 < n || self.periodic {
            found.push(((c + 1) % n, self.bits[1]));
        }
        found
    }

    /// The bits of the directions down and up this axis, 0 where there is no telling them apart.
    pub(super) fn bits(&self) -> [u8; 2] {
        self.bits
    }

    /// The layer that follows layer `c`, such that walking all layers meets each pair of
    /// neighbouring layers once.
    pub(super) fn next(&self, c: u32) -> Option<u32> {
        match c + 1 < self.count {
            true => Some(c + 1),
            false => (self.periodic && self.count > 2).then_some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_neighbour_is_there_once() {
        let of = |count, periodic, c| {
            let line = Line::new(count, periodic, [1, 2]);
            line.neighbours(c).into_vec()
        };
        assert_eq!(of(5, true, 0), [(4, 1), (0, 0), (1, 2)]);
        assert_eq!(of(5, false, 0), [(0, 0), (1, 2)]);
        assert_eq!(of(3, true, 2), [(1, 1), (2, 0), (0, 2)]);
        assert_eq!(of(2, true, 0), [(0, 0), (1, 0)]);
        assert_eq!(of(1, true, 0), [(0, 0)]);
    }

    #[test]
    fn layers_follow_each_other_around_once() {
        let pairs = |count, periodic| {
            let line = Line::new(count, periodic, [1, 2]);
            (0..count).filter_map(|c| line.next(c)).count()
        };
        assert_eq!((pairs(5, true), pairs(5, false)), (5, 4));
        assert_eq!((pairs(2, true), pairs(1, true)), (1, 0));
    }
}
