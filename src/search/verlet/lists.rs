//! The lists themselves: for each body the slots of the others, one list after the other.

use crate::search::{GONE, Pair};

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

impl Lists {
    /// Makes the lists of `count` slots from the pairs that `name` appends, each once.
    pub(super) fn make(&mut self, count: usize, name: impl FnOnce(&mut Vec<Pair>)) {
        let mut pairs = Vec::with_capacity(self.named + self.named / 8);
        name(&mut pairs);
        self.named = pairs.len();
        let Self { start, below, others, .. } = self;
        // First, how many there are above and below each slot; then, where each stretch ends.
        start.clear();
        start.resize(count + 1, 0);
        below.clear();
        below.resize(count, 0);
        for &Pair(i, j) in pairs.iter() {
            start[i as usize] += 1;
            below[j as usize] += 1;
        }
        let mut sum = 0;
        for (above, below) in start.iter_mut().zip(below.iter_mut()) {
            sum += *above;
            *above = sum;
            sum += *below;
            *below = sum;
        }
        start[count] = sum;
        others.resize(sum as usize, 0);
        for &Pair(i, j) in pairs.iter() {
            start[i as usize] -= 1;
            others[start[i as usize] as usize] = j;
            below[j as usize] -= 1;
            others[below[j as usize] as usize] = i;
        }
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
