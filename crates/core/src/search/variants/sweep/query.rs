//! What the lists say, tested.

use rayon::prelude::*;

use super::EndpointSearch;
use crate::search::{Counters, Pair, Search};
use crate::space::Paths;

/// How many particles a task of the pool takes.
const BATCH: usize = 1024;

impl<const D: usize> EndpointSearch<D> {
    /// Appends which particles may touch `i`.
    pub(super) fn near_one(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) {
        let before = out.len();
        let considered = if self.is_wide(i) {
            out.extend((0..paths.len() as u32).filter(|&j| j != i && self.may_touch(i, j, paths)));
            paths.len() - 1
        } else {
            self.near_in_order(i, paths, out) + self.near_and_wide(i, paths, out)
        };
        self.count(considered, out.len() - before);
    }

    /// All pairs of which `i` is the first in order, or the only wide one. Returns how many were
    /// looked at.
    fn pairs_of(
        &self,
        i: u32,
        paths: &Paths<'_, D>,
        found: &mut Vec<u32>,
        out: &mut Vec<Pair>,
    ) -> usize {
        found.clear();
        let mut considered = self.near_and_wide(i, paths, found);
        let wide = found.len();
        if !self.is_wide(i) {
            considered += self.near_in_order(i, paths, found);
        }
        let is_mine = |n: usize, j: u32| match n < wide {
            true => i < j || !self.is_wide(i),
            false => i < j,
        };
        out.extend(
            found.iter().enumerate().filter(|&(n, &j)| is_mine(n, j)).map(|(_, &j)| Pair::of(i, j)),
        );
        considered
    }

    /// Those whose boxes overlap that of `i`, neither of the two being wide.
    fn near_in_order(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) -> usize {
        if !self.endpoints.is_present(i) {
            return 0;
        }
        let mut considered = 0;
        let listed = self.endpoints.near(i).filter(|&j| !self.is_wide(j));
        let listed = listed.inspect(|_| considered += 1);
        out.extend(listed.filter(|&j| self.may_touch(i, j, paths)));
        considered
    }

    /// Those on the short list.
    fn near_and_wide(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) -> usize {
        out.extend(self.wide.iter().copied().filter(|&j| j != i && self.may_touch(i, j, paths)));
        self.wide.len()
    }

    fn may_touch(&self, i: u32, j: u32, paths: &Paths<'_, D>) -> bool {
        // A particle that has been removed is in order until the next refit, even if the slot is no
        // more.
        (j as usize) < paths.len() && paths.may_touch(i as usize, j as usize, self.end)
    }

    fn count(&self, considered: usize, reported: usize) {
        let [considered, reported] = [considered as u64, reported as u64];
        self.tally.add(&Counters {
            pairs_considered: considered,
            pairs_reported: reported,
            pruned_by_reach: considered.saturating_sub(reported),
            ..Counters::default()
        });
    }
}

impl<const D: usize> Search<D> for EndpointSearch<D> {
    fn pairs(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        let slots: Vec<u32> = (0..paths.len() as u32).collect();
        let parts: Vec<Vec<Pair>> = slots
            .par_chunks(BATCH)
            .map(|slots| {
                let (mut found, mut pairs) = (Vec::new(), Vec::new());
                let considered: usize =
                    slots.iter().map(|&i| self.pairs_of(i, paths, &mut found, &mut pairs)).sum();
                self.count(considered, pairs.len());
                pairs
            })
            .collect();
        parts.into_iter().for_each(|part| out.extend(part));
    }
}
