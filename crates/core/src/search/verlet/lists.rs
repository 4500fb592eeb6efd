//! The lists themselves: for each particle the slots of the others, one list after the other.

use rayon::current_num_threads;
use rayon::prelude::*;

use crate::prefetch::prefetch;
use crate::search::{GONE, Pair};

/// Slots whose lists are made as one piece of work, at the least.
const FEWEST: usize = 4096;

/// Named pairs of which it is known together whose slots they have.
const BLOCK: usize = 512;

/// For each slot the others, and all pairs once.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// Where the list of each slot starts in `others`, and the end. \[slot\]
    start: Vec<u32>,
    others: Vec<u32>,
    /// In the order of their lower slots.
    pairs: Vec<Pair>,
}

/// Pairs in the order in which they were named. That is roughly the order of space, so that a block
/// of them has slots in few parts of all.
struct Named<'a> {
    pairs: &'a [Pair],
    /// Which parts each block has slots in, one bit each, or each for several. \[block\]
    parts: Vec<u64>,
}

impl<'a> Named<'a> {
    fn new(pairs: &'a [Pair], slots: usize, parts: usize) -> Self {
        let blocks = pairs.par_chunks(BLOCK).with_min_len(FEWEST / BLOCK);
        let parts = blocks.map(|block| match parts {
            1 => u64::MAX,
            _ => block.iter().fold(0, |all, &Pair(i, j)| {
                all | bit(i as usize / slots) | bit(j as usize / slots)
            }),
        });
        Self { pairs, parts: parts.collect() }
    }

    /// All pairs that may have slots in a part, and few others.
    fn of_part(&self, part: usize) -> impl Iterator<Item = &Pair> {
        let blocks = self.pairs.chunks(BLOCK).zip(&self.parts);
        blocks.filter(move |(_, parts)| *parts & bit(part) != 0).flat_map(|(block, _)| block)
    }
}

fn bit(part: usize) -> u64 {
    1 << (part % 64)
}

/// The lists of some slots that follow each other.
struct ListPart<'a> {
    number: usize,
    first: usize,
    start: &'a mut [u32],
    above: &'a mut [u32],
    others: &'a mut [u32],
    /// Those whose lower slot is one of these.
    pairs: &'a mut [Pair],
}

impl ListPart<'_> {
    /// Finds out how many each slot is paired with, and how many of them are above it, and then
    /// where its list and its pairs end.
    fn find_ends(&mut self, named: &Named<'_>) {
        let Self { number, first, start, above, .. } = self;
        named.of_part(*number).for_each(|&Pair(i, j)| {
            // Slots below the first wrap to huge numbers, so that one comparison tests both limits.
            let [i, j] = [i, j].map(|slot| (slot as usize).wrapping_sub(*first));
            if i < start.len() {
                start[i] += 1;
                above[i] += 1;
            }
            if j < start.len() {
                start[j] += 1;
            }
        });
        for counts in [start, above] {
            let mut sum = 0;
            for count in counts.iter_mut() {
                sum += *count;
                *count = sum;
            }
        }
    }

    /// Fills each list and the pairs from their ends downwards, and then writes down where each
    /// list starts, with `before` entries in all lists before these.
    fn fill(self, named: &Named<'_>, before: u32) {
        let Self { number, first, start, above, others, pairs } = self;
        // Filled downwards, so that the ends left by `find_ends` have turned into starts when all
        // is done.
        named.of_part(number).for_each(|&pair| {
            let [i, j] = [pair.0, pair.1].map(|slot| (slot as usize).wrapping_sub(first));
            if i < start.len() {
                start[i] -= 1;
                others[start[i] as usize] = pair.1;
                above[i] -= 1;
                pairs[above[i] as usize] = pair;
            }
            if j < start.len() {
                start[j] -= 1;
                others[start[j] as usize] = pair.0;
            }
        });
        start.iter_mut().for_each(|place| *place += before);
    }
}

impl Lists {
    /// Makes the lists of `count` slots from the pairs that `name` appends, each once.
    pub(super) fn make(&mut self, count: usize, name: impl FnOnce(&mut Vec<Pair>)) {
        let Self { start, others, pairs } = self;
        let mut named = Vec::with_capacity(pairs.len() + pairs.len() / 8);
        name(&mut named);
        start.clear();
        start.resize(count + 1, 0);
        let mut above = vec![0; count];
        others.resize(2 * named.len(), 0);
        pairs.resize(named.len(), Pair(0, 0));
        start[count] = others.len() as u32;
        // Each thread goes through the pairs of its own slots, in the order in which they were
        // named. So no two threads write to the same list, and the order within it does not depend
        // on their number.
        let slots = count.div_ceil(current_num_threads()).max(FEWEST);
        let named = Named::new(&named, slots, count.div_ceil(slots));
        let starts = start[..count].chunks_mut(slots).zip(above.chunks_mut(slots)).enumerate();
        let mut parts: Vec<ListPart<'_>> = starts
            .map(|(number, (start, above))| ListPart {
                number,
                first: number * slots,
                start,
                above,
                others: &mut [],
                pairs: &mut [],
            })
            .collect();
        parts.par_iter_mut().for_each(|part| part.find_ends(&named));
        let (mut others, mut pairs) = (&mut others[..], &mut pairs[..]);
        let last = |ends: &[u32]| ends.last().map_or(0, |end| *end as usize);
        for part in &mut parts {
            (part.others, others) = others.split_at_mut(last(part.start));
            (part.pairs, pairs) = pairs.split_at_mut(last(part.above));
        }
        let listed: Vec<usize> = parts.iter().map(|part| part.others.len()).collect();
        parts.into_par_iter().enumerate().for_each(|(n, part)| {
            part.fill(&named, listed[..n].iter().sum::<usize>() as u32);
        });
    }

    /// Makes room for slots `0..count`; new ones have empty lists.
    pub(super) fn cover(&mut self, count: usize) {
        // Slots may also be cut off, but only those of newcomers, whose lists are empty: the last
        // start that remains is the end in that case too.
        let end = self.others.len() as u32;
        self.start.resize(count + 1, end);
    }

    /// Follows a renumbering of the slots.
    pub(super) fn renumber(&mut self, new_slot: &[u32]) {
        // The order of slots changes, and with it that of the lists, so these are made again, from
        // the pairs alone: nothing has to be searched.
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.retain_mut(|pair| {
            let [i, j] = [pair.0, pair.1].map(|slot| new_slot[slot as usize]);
            *pair = Pair::of(i, j);
            i != GONE && j != GONE
        });
        let count = new_slot.iter().filter(|&&new| new != GONE).count();
        self.make(count, |named| *named = pairs);
    }

    /// All pairs, each once, in the order of the lower slots.
    #[inline]
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// All slots on the list of slot `i`.
    #[inline]
    pub(super) fn of(&self, i: u32) -> &[u32] {
        let i = i as usize;
        &self.others[self.start[i] as usize..self.start[i + 1] as usize]
    }

    /// Brings close where that list is.
    #[inline]
    pub(super) fn fetch(&self, i: u32) {
        prefetch(&self.start, i as usize);
    }

    /// Brings that list close.
    #[inline]
    pub(super) fn fetch_names(&self, i: u32) {
        // A cache line of 64 bytes holds sixteen slots.
        let ends = [i, i + 1].map(|i| self.start[i as usize] as usize);
        (ends[0]..ends[1]).step_by(16).for_each(|n| prefetch(&self.others, n));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

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
            listed.sort_unstable();
            expected.sort_unstable();
            assert_eq!(listed, expected);
        }
        let sorted = |lists: &Lists| {
            assert!(lists.pairs().is_sorted_by_key(|pair| pair.0));
            lists.pairs().iter().copied().collect::<BTreeSet<_>>()
        };
        assert_eq!(sorted(&lists), BTreeSet::from(pairs));
        lists.renumber(&[2, 0, 4, 1, GONE, 3, 5]);
        assert_eq!(sorted(&lists), BTreeSet::from([Pair(0, 1), Pair(0, 2), Pair(1, 2)]));
        assert!(lists.of(4).is_empty());
    }
}
