//! Every pair is looked at: the reference that all structures are held to. O(n²) time, O(1) memory.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::{Broad, Counters, Pair, Search};
use crate::space::{Paths, Window};

/// The naive algorithm of Johnson & Whalley (2002, section 3).
#[derive(Debug, Default)]
pub struct Naive {
    end: f64,
    considered: AtomicU64,
    reported: AtomicU64,
}

impl Naive {
    /// A structure without any state worth the name.
    pub fn new() -> Self {
        Self::default()
    }

    fn count(&self, considered: usize, reported: usize) {
        self.considered.fetch_add(considered as u64, Relaxed);
        self.reported.fetch_add(reported as u64, Relaxed);
    }
}

impl<const D: usize> Broad<D> for Naive {
    fn refit(&mut self, _: &Paths<'_, D>, window: Window) {
        self.end = window.end;
    }

    fn near(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) {
        let before = out.len();
        let others = (0..paths.len() as u32).filter(|&j| j != i);
        out.extend(others.filter(|&j| paths.may_touch(i as usize, j as usize, self.end)));
        self.count(paths.len() - 1, out.len() - before);
    }

    fn update(&mut self, _: u32, _: &Paths<'_, D>) {}

    fn insert(&mut self, _: u32, _: &Paths<'_, D>) {}

    fn remove(&mut self, _: u32) {}

    fn renumber(&mut self, _: &[u32]) {}

    fn counters(&self) -> Counters {
        let (considered, reported) = (self.considered.load(Relaxed), self.reported.load(Relaxed));
        Counters {
            pairs_considered: considered,
            pairs_reported: reported,
            pruned_by_reach: considered - reported,
            ..Counters::default()
        }
    }

    fn describe(&self) -> String {
        "naive: every pair is looked at".into()
    }
}

impl<const D: usize> Search<D> for Naive {
    fn pairs(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        let n = paths.len() as u32;
        let before = out.len();
        out.par_extend((0..n).into_par_iter().with_min_len(64).flat_map_iter(|i| {
            (i + 1..n)
                .filter(move |&j| paths.may_touch(i as usize, j as usize, self.end))
                .map(move |j| Pair(i, j))
        }));
        self.count(n as usize * (n as usize).saturating_sub(1) / 2, out.len() - before);
    }
}
