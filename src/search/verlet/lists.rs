//! The lists themselves: for each body the slots of the others, one list after the other.

use rayon::current_num_threads;
use rayon::prelude::*;

use crate::prefetch::prefetch;
use crate::search::{GONE, Pair};

/// Slots whose lists are made as one piece of work, at the least.
const FEWEST: usize = 4096;

/// For each slot those above it, then those below it.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// Where the list of each slot starts in `others`, and the end. \[slot\]
    start: Vec<u32>,
    /// Where those below it start. \[slot\]
    below: Vec<u32>,
    others: Vec<u32>,
    /// How many pairs there are.
    named: usize,
}

/// The lists of some slots that follow each other.
struct Part<'a> {
    first: usize,
    start: &'a mut [u32],
    below: &'a mut [u32],
    others: &'a mut [u32],
}

impl Part<'_> {
    /// Finds out how many there are above and below each slot, and then where each of these stretches ends.
    fn find_ends(&mut self, pairs: &[Pair]) {
        let Self { first, start, below, .. } = self;
        for &Pair(i, j) in pairs {
            if let Some(above) = start.get_mut((i as usize).wrapping_sub(*first)) {
                *above += 1;
            }
            if let Some(below) = below.get_mut((j as usize).wrapping_sub(*first)) {
                *below += 1;
            }
        }
        let mut sum = 0;
        for (above, below) in start.iter_mut().zip(below.iter_mut()) {
            sum += *above;
            *above = sum;
            sum += *below;
            *below = sum;
        }
    }

    /// Writes down who is in each list, from the ends on, and then where it starts: all lists before take `before`.
    fn fill(self, pairs: &[Pair], before: u32) {
        let Self { first, start, below, others } = self;
        for &Pair(i, j) in pairs {
            if let Some(above) = start.get_mut((i as usize).wrapping_sub(first)) {
                *above -= 1;
                others[*above as usize] = j;
            }
            if let Some(below) = below.get_mut((j as usize).wrapping_sub(first)) {
                *below -= 1;
                others[*below as usize] = i;
            }
        }
        start.iter_mut().chain(below).for_each(|place| *place += before);
    }
}

impl Lists {
    /// Makes the lists of `count` slots from the pairs that `name` appends, each once.
    pub(super) fn make(&mut self, count: usize, name: impl FnOnce(&mut Vec<Pair>)) {
        let mut pairs = Vec::with_capacity(self.named + self.named / 8);
        name(&mut pairs);
        self.named = pairs.len();
        let Self { start, below, others, .. } = self;
        start.clear();
        start.resize(count + 1, 0);
        below.clear();
        below.resize(count, 0);
        others.resize(2 * pairs.len(), 0);
        start[count] = others.len() as u32;
        // Each thread goes through all pairs for the lists of its own slots.
        let slots = count.div_ceil(current_num_threads()).max(FEWEST);
        let mut parts: Vec<Part<'_>> = start[..count]
            .chunks_mut(slots)
            .zip(below.chunks_mut(slots))
            .enumerate()
            .map(|(n, (start, below))| Part { first: n * slots, start, below, others: &mut [] })
            .collect();
        parts.par_iter_mut().for_each(|part| part.find_ends(&pairs));
        let mut rest = &mut others[..];
        for part in &mut parts {
            let named = part.below.last().map_or(0, |end| *end as usize);
            (part.others, rest) = rest.split_at_mut(named);
        }
        let named: Vec<usize> = parts.iter().map(|part| part.others.len()).collect();
        parts.into_par_iter().enumerate().for_each(|(n, part)| {
            part.fill(&pairs, named[..n].iter().sum::<usize>() as u32);
        });
    }

    /// Makes room for slots `0..count`; new ones have empty lists.
    pub(super) fn cover(&mut self, count: usize) {
        let end = self.others.len() as u32;
        self.start.resize(count + 1, end);
        self.below.resize(count, end);
    }

    /// Follows a renumbering of the slots.
    pub(super) fn renumber(&mut self, new_slot: &[u32]) {
        let new = |slot: u32| new_slot[slot as usize];
        let mut pairs = Vec::with_capacity(self.named);
        for i in (0..new_slot.len() as u32).filter(|&i| new(i) != GONE) {
            let others = self.above(i).iter().filter(|&&other| new(other) != GONE);
            pairs.extend(others.map(|&other| Pair::of(new(i), new(other))));
        }
        let count = new_slot.iter().filter(|&&new| new != GONE).count();
        self.make(count, |named| *named = pairs);
    }

    /// How many pairs the lists were made of.
    pub(super) fn pairs(&self) -> usize {
        self.named
    }

    /// Everybody on the list of slot `i`.
    #[inline]
    pub(super) fn of(&self, i: u32) -> &[u32] {
        let i = i as usize;
        &self.others[self.start[i] as usize..self.start[i + 1] as usize]
    }

    /// Those of them above it.
    #[inline]
    pub(super) fn above(&self, i: u32) -> &[u32] {
        let i = i as usize;
        &self.others[self.start[i] as usize..self.below[i] as usize]
    }

    /// Brings close where that list is.
    #[inline]
    pub(super) fn fetch(&self, i: u32) {
        prefetch(&self.start, i as usize);
    }

    /// Brings that list close.
    #[inline]
    pub(super) fn fetch_names(&self, i: u32) {
        // Sixteen to a line of the cache.
        let ends = [i, i + 1].map(|i| self.start[i as usize] as usize);
        (ends[0]..ends[1]).step_by(16).for_each(|n| prefetch(&self.others, n));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_a_pair_has_the_other_on_its_list() {
        let mut lists = Lists::default();
        let pairs = [Pair(1, 3), Pair(0, 3), Pair(3, 4), Pair(0, 1)];
        lists.make(6, |out| out.extend(pairs));
        lists.cover(7);
        for i in 0..7 {
            let mut expected: Vec<u32> = Vec::new();
            expected.extend(pairs.iter().filter(|p| p.0 == i).map(|p| p.1));
            expected.extend(pairs.iter().filter(|p| p.1 == i).map(|p| p.0));
            let mut listed = lists.of(i).to_vec();
            assert!(lists.above(i).iter().all(|&other| other > i));
            assert_eq!(lists.above(i).len(), pairs.iter().filter(|p| p.0 == i).count());
            listed.sort_unstable();
            expected.sort_unstable();
            assert_eq!(listed, expected);
        }
        assert_eq!(lists.pairs(), 4);
        lists.renumber(&[2, 0, 4, 1, GONE, 3, 5]);
        assert_eq!((lists.of(1), lists.of(4), lists.pairs()), (&[2, 0][..], &[][..], 3));
    }
}
