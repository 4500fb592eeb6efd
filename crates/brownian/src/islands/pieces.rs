//! Work handed out piece by piece.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Pieces of a row of things in the order of space. Each thread has a part of the row, so that what
/// it handles is near in space and stays in its own cache: pieces dealt out in turn made it ask other
/// cores for most neighbours. A thread that is done with its part takes pieces from the ends of
/// others, since cores do not keep pace with each other.
#[derive(Debug)]
pub(super) struct Pieces {
    /// What is left of each part: the first and the end, 32 bits each. \[thread\]
    left: Vec<AtomicU64>,
    size: u32,
}

impl Pieces {
    /// So many things, of which a piece has `size`, or what is left.
    pub(super) fn new(count: usize, size: usize, threads: usize) -> Self {
        let bound = |thread: usize| (thread * count / threads) as u32;
        let left = (0..threads).map(|n| AtomicU64::new(both(bound(n)..bound(n + 1))));
        Self { left: left.collect(), size: size as u32 }
    }

    /// A piece for this thread that none has taken.
    #[inline]
    pub(super) fn take(&self, thread: usize) -> Option<Range<usize>> {
        let own = self.take_from(thread, |left| {
            let next = left.end.min(left.start + self.size);
            (left.start..next, next..left.end)
        });
        own.or_else(|| self.take_from_others())
    }

    /// The last piece of the part of which most is left.
    #[cold]
    fn take_from_others(&self) -> Option<Range<usize>> {
        loop {
            let sizes = self.left.iter().map(|left| range(left.load(Relaxed)).len());
            let (part, _) =
                sizes.enumerate().max_by_key(|&(_, size)| size).filter(|&(_, n)| n > 0)?;
            let last = self.take_from(part, |left| {
                let first = left.start.max(left.end.saturating_sub(self.size));
                (first..left.end, left.start..first)
            });
            if last.is_some() {
                return last;
            }
        }
    }

    /// Cuts a piece off a part, of which `cut` says what is taken and what is left.
    fn take_from(
        &self,
        part: usize,
        cut: impl Fn(Range<u32>) -> (Range<u32>, Range<u32>),
    ) -> Option<Range<usize>> {
        let left = |both: u64| Some(range(both)).filter(|left| !left.is_empty());
        let before =
            self.left[part].fetch_update(Relaxed, Relaxed, |now| left(now).map(|l| both(cut(l).1)));
        let taken = cut(range(before.ok()?)).0;
        Some(taken.start as usize..taken.end as usize)
    }
}

/// How many of so many threads share one task, so that none is woken for less than a piece.
pub(super) fn threads_together(count: usize, size: usize, threads: usize) -> usize {
    threads.div_ceil(count.div_ceil(size).max(1))
}

fn both(range: Range<u32>) -> u64 {
    u64::from(range.start) << 32 | u64::from(range.end)
}

fn range(both: u64) -> Range<u32> {
    (both >> 32) as u32..both as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn each_thing_is_taken_once() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for (count, size) in [(0, 4), (1, 4), (5, 1), (1000, 7), (100_000, 16)] {
            let pieces = Pieces::new(count, size, 3);
            let take = |thread| {
                std::iter::from_fn(|| pieces.take(thread)).flatten().collect::<Vec<usize>>()
            };
            let mut taken: Vec<usize> =
                pool.install(|| (0..3).into_par_iter().flat_map_iter(take).collect());
            taken.sort_unstable();
            assert_eq!(taken, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn one_thread_takes_all_if_the_others_are_busy() {
        let pieces = Pieces::new(10, 4, 2);
        let taken = std::iter::from_fn(|| pieces.take(1)).collect::<Vec<_>>();
        assert_eq!(taken, [5..9, 9..10, 1..5, 0..1]);
    }
}
