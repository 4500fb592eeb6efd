//! Finds pairs of particles that are near each other, with the cells that contacts are searched
//! with.

use rayon::prelude::*;

use jostle_core::search::{Broad, Settings, cubic};
use jostle_core::space::{Domain, Groups, Paths, Vector, Window};

/// Particles handled as one piece of work; no result depends on it.
const CHUNK: usize = 256;

/// Shows `enter` each pair of particles whose centres are nearer than `farthest` \[nm\] once, and
/// some that are not, with so many lists of counts to enter it in; the sum of all.
pub(super) fn count_pairs<const D: usize>(
    domain: &Domain<D>,
    position: &[Vector<D>],
    farthest: f64,
    lists: usize,
    enter: impl Fn(&mut [Vec<u64>], [usize; 2]) + Sync,
) -> Vec<Vec<u64>> {
    let n = position.len();
    // Spheres of half the distance touch if their centres are nearer than it.
    let radius = vec![0.5 * farthest; n];
    let paths = Paths {
        domain,
        position,
        velocity: &vec![Vector::ZERO; n],
        since: &vec![0.0; n],
        radius: &radius,
        group: &vec![0; n],
        groups: &Groups::all(),
        alive: &vec![true; n],
    };
    let mut cells = cubic::<D>(&Settings::default());
    cells.refit(&paths, Window::STEP);
    let particles: Vec<u32> = (0..n as u32).collect();
    let empty = || vec![Vec::new(); lists];
    let counted = particles.par_chunks(CHUNK).fold(empty, |mut counts, chunk| {
        let mut near = Vec::new();
        for &i in chunk {
            near.clear();
            cells.near(i, &paths, &mut near);
            for &j in near.iter().filter(|&&j| j > i) {
                enter(&mut counts, [i as usize, j as usize]);
            }
        }
        counts
    });
    counted.reduce(empty, |mut all, some| {
        all.iter_mut().zip(some).for_each(|(sum, counts)| add(sum, counts));
        all
    })
}

/// Adds counts to others, either of which may be missing.
fn add(sum: &mut Vec<u64>, counts: Vec<u64>) {
    if sum.is_empty() {
        *sum = counts;
    } else {
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
}
