//! Work split among threads: chunks of arrays, always the same ones, whichever thread does them.

use rayon::prelude::*;

/// Does `work(chunk's number, part of a, part of b)` for all chunks of `size`, on the present pool
/// if it has threads and there are at least `few` elements.
pub(super) fn each<A: Send, B: Send>(
    a: &mut [A],
    b: &mut [B],
    [size, few]: [usize; 2],
    work: impl Fn(usize, &mut [A], &mut [B]) + Sync,
) {
    if alone(a.len(), few) {
        for (n, (a, b)) in a.chunks_mut(size).zip(b.chunks_mut(size)).enumerate() {
            work(n, a, b);
        }
    } else {
        let chunks = a.par_chunks_mut(size).zip(b.par_chunks_mut(size));
        chunks.enumerate().for_each(|(n, (a, b))| work(n, a, b));
    }
}

/// The same, with something found in each chunk. `found` has an element for each chunk.
pub(super) fn find<A: Send, B: Send, F: Send>(
    a: &mut [A],
    b: &mut [B],
    found: &mut [F],
    [size, few]: [usize; 2],
    work: impl Fn(&mut [A], &mut [B], &mut F) + Sync,
) {
    if alone(a.len(), few) {
        for ((a, b), found) in a.chunks_mut(size).zip(b.chunks_mut(size)).zip(found) {
            work(a, b, found);
        }
    } else {
        let chunks = a.par_chunks_mut(size).zip(b.par_chunks_mut(size)).zip(found);
        chunks.for_each(|((a, b), found)| work(a, b, found));
    }
}

/// Whether to set other threads to work would take longer than the work.
fn alone(count: usize, few: usize) -> bool {
    count < few || rayon::current_num_threads() == 1
}
