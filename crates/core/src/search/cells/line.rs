//! One axis of a lattice: the neighbours along it.

use smallvec::SmallVec;

/// One axis as the walk over all cells sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) count: u32,
    periodic: bool,
}

impl Line {
    /// An axis with `count` cells.
    pub(super) fn new(count: u32, periodic: bool) -> Self {
        Self { count, periodic }
    }

    /// The distinct neighbours of coordinate `c`, itself included.
    pub(super) fn neighbours(&self, c: u32) -> SmallVec<[u32; 3]> {
        let n = self.count;
        if n < 3 {
            return (0..n).collect();
        }
        let mut found = SmallVec::new();
        if c > 0 || self.periodic {
            found.push((c + n - 1) % n);
        }
        found.push(c);
        if c + 1 < n || self.periodic {
            found.push((c + 1) % n);
        }
        found
    }

    /// Whether the axis closes on itself.
    pub(super) fn periodic(&self) -> bool {
        self.periodic
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
            let line = Line::new(count, periodic);
            line.neighbours(c).into_vec()
        };
        assert_eq!(of(5, true, 0), [4, 0, 1]);
        assert_eq!(of(5, false, 0), [0, 1]);
        assert_eq!(of(3, true, 2), [1, 2, 0]);
        assert_eq!(of(2, true, 0), [0, 1]);
        assert_eq!(of(1, true, 0), [0]);
    }

    #[test]
    fn layers_follow_each_other_around_once() {
        let pairs = |count, periodic| {
            let line = Line::new(count, periodic);
            (0..count).filter_map(|c| line.next(c)).count()
        };
        assert_eq!((pairs(5, true), pairs(5, false)), (5, 4));
        assert_eq!((pairs(2, true), pairs(1, true)), (1, 0));
    }
}
