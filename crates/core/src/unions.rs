//! Sets that are joined, and joined again (union by the lower name, with path halving).

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// In place of a parent: none.
const NONE: u32 = u32::MAX;

/// Sets of names `0..n`.
#[derive(Debug, Default)]
pub struct Unions {
    /// A name that is in no set has none.
    parent: Vec<u32>,
    /// Which particles are in a set.
    members: Vec<u32>,
}

impl Unions {
    /// Makes room for so many names, all in no set.
    pub fn clear(&mut self, names: usize) {
        for name in self.members.drain(..) {
            self.parent[name as usize] = NONE;
        }
        self.parent.resize(names.max(self.parent.len()), NONE);
    }

    /// The lowest name in the set of `name`; itself if it is in no set.
    #[inline]
    pub fn root(&mut self, name: u32) -> u32 {
        if self.parent[name as usize] == NONE {
            return name;
        }
        let mut name = name;
        while self.parent[name as usize] != name {
            // Each name on the way is hung up one step higher (path halving), so that later ways
            // are short.
            let above = self.parent[self.parent[name as usize] as usize];
            self.parent[name as usize] = above;
            name = above;
        }
        name
    }

    /// The root of a name that is in a set from now on.
    #[inline]
    pub fn enter(&mut self, name: u32) -> u32 {
        if self.parent[name as usize] == NONE {
            self.parent[name as usize] = name;
            self.members.push(name);
            return name;
        }
        self.root(name)
    }

    /// Every particle that is in a set.
    pub fn members(&self) -> &[u32] {
        &self.members
    }

    /// Joins the sets of two names.
    #[inline]
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.enter(a), self.enter(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

/// Sets of names `0..n` that several threads join at a time. Each name starts in a set of its own.
///
/// A name is linked to a lower one, by the one thread that finds it to be a root still, and never
/// becomes a root again. So there are no circles, and a link that two threads shorten at a time
/// leads to the root in either case (Anderson and Woll, STOC 1991). What one thread has joined is
/// known to another once both have met, as at the end of a parallel loop.
#[derive(Debug, Default)]
pub struct SharedUnions {
    parent: Vec<AtomicU32>,
}

impl SharedUnions {
    /// Makes room for so many names.
    pub fn cover(&mut self, names: usize) {
        self.parent.extend((self.parent.len()..names).map(|name| AtomicU32::new(name as u32)));
    }

    /// The lowest name in the set of `name`.
    #[inline]
    pub fn root(&self, mut name: u32) -> u32 {
        loop {
            let link = &self.parent[name as usize];
            let parent = link.load(Relaxed);
            let above = self.parent[parent as usize].load(Relaxed);
            if above == parent {
                return parent;
            }
            link.store(above, Relaxed);
            name = above;
        }
    }

    /// Joins the sets of two names.
    #[inline]
    pub fn join(&self, a: u32, b: u32) {
        loop {
            let (a, b) = (self.root(a), self.root(b));
            let (low, high) = (a.min(b), a.max(b));
            let link = &self.parent[high as usize];
            // Another thread may have linked the higher one since.
            if low == high || link.compare_exchange(high, low, Relaxed, Relaxed).is_ok() {
                return;
            }
        }
    }

    /// Takes a name out of its set. All others of this set have to be taken out as well, before
    /// any of them is joined again.
    #[inline]
    pub fn take_out(&self, name: u32) {
        self.parent[name as usize].store(name, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn threads_join_the_same_sets_as_one_thread() {
        const NAMES: u32 = 20_000;
        let (mut alone, mut shared) = (Unions::default(), SharedUnions::default());
        alone.clear(NAMES as usize);
        shared.cover(NAMES as usize);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        for round in 1..=20_u32 {
            // Some sets are large, some small.
            let pair = |n: u32| [7919, 104_729].map(|by| n.wrapping_mul(by * round) % NAMES);
            (0..NAMES / 2).map(pair).for_each(|[a, b]| alone.join(a, b));
            pool.install(|| {
                (0..NAMES / 2).into_par_iter().map(pair).for_each(|[a, b]| shared.join(a, b));
            });
            (0..NAMES).for_each(|name| assert_eq!(shared.root(name), alone.root(name)));
            alone.clear(NAMES as usize);
            (0..NAMES).for_each(|name| shared.take_out(name));
        }
    }

    #[test]
    fn the_lowest_name_stands_for_its_set() {
        let mut sets = Unions::default();
        sets.clear(9);
        for [a, b] in [[7, 3], [5, 8], [3, 8], [2, 6]] {
            sets.join(a, b);
        }
        assert_eq!([0, 2, 3, 5, 6, 7, 8].map(|name| sets.root(name)), [0, 2, 3, 3, 2, 3, 3]);
        assert_eq!(sets.members().len(), 6);
        sets.clear(9);
        assert_eq!(sets.root(8), 8);
    }
}
