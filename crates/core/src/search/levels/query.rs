//! Which particles may touch, within a lattice and between lattices.

use super::Levels;
use crate::search::cells::ask;
use crate::search::{Counters, Pair, Search};
use crate::space::Paths;

impl<const D: usize> Levels<D> {
    /// Appends every particle of any lattice that may touch `i`.
    pub(super) fn near_in_all(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) {
        let Some(own) = self.level_of(i) else {
            return;
        };
        let (mut work, before) = (Counters::default(), out.len());
        let reach = self.lattices[own].reach(i);
        for (n, lattice) in self.lattices.iter().enumerate() {
            let short = lattice.short_list();
            if n == own {
                lattice.around(paths, i, short, &mut work, |j| out.push(j));
            } else {
                lattice.swept(paths, i, reach, short, &mut work, |j| out.push(j));
            }
        }
        work.pairs_reported = (out.len() - before) as u64;
        self.tally.add(&work);
    }

    /// Of each lattice, those that its particles look into: of every two that hold any particle,
    /// one looks into the other.
    fn asking_order(&self) -> Vec<Vec<usize>> {
        let mut particles = vec![0u64; self.lattices.len()];
        (0..self.home.len() as u32)
            .filter_map(|i| self.level_of(i))
            .for_each(|level| particles[level] += 1);
        let mut asked = vec![Vec::new(); self.lattices.len()];
        for coarse in 0..self.lattices.len() {
            for fine in (0..coarse).filter(|&fine| particles[fine] > 0 && particles[coarse] > 0) {
                let work = |a: usize, b: usize| particles[a] as f64 * self.cells_swept(a, b);
                let (by, of) = if work(coarse, fine) < work(fine, coarse) {
                    (coarse, fine)
                } else {
                    (fine, coarse)
                };
                asked[by].push(of);
            }
        }
        asked
    }

    /// How many cells of lattice `b` a particle of lattice `a` looks into, about: its own size is
    /// up to that of a cell, and the others may be half a cell out of theirs.
    fn cells_swept(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (self.lattices[a].grid(), self.lattices[b].grid());
        let along = |k: usize| (a.widths()[k] / b.widths()[k] + 2.0).min(f64::from(b.counts()[k]));
        (0..D).map(along).product()
    }

    /// All pairs of particles that belong to different lattices.
    fn pairs_between(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        let asked = self.asking_order();
        if asked.iter().all(Vec::is_empty) {
            return;
        }
        // Each particle that searches, on a short list or not, finds those that are on none.
        ask(&self.tally, self.home.len(), 512, out, |i, work, pairs| {
            let i = i as u32;
            let Some(own) = self.level_of(i) else {
                return;
            };
            let reach = self.lattices[own].reach(i);
            for &other in &asked[own] {
                self.lattices[other]
                    .swept(paths, i, reach, &[], work, |j| pairs.push(Pair::of(i, j)));
            }
        });
        // Those that are on one look for those that have asked for them.
        let short: Vec<u32> =
            self.lattices.iter().flat_map(|lattice| lattice.short_list()).copied().collect();
        ask(&self.tally, short.len(), 16, out, |n, work, pairs| {
            let i = short[n];
            let Some(own) = self.level_of(i) else {
                return;
            };
            let reach = self.lattices[own].reach(i);
            for (other, _) in asked.iter().enumerate().filter(|(_, asked)| asked.contains(&own)) {
                let other = &self.lattices[other];
                other.swept(paths, i, reach, other.short_list(), work, |j| {
                    pairs.push(Pair::of(i, j))
                });
            }
        });
    }
}

impl<const D: usize> Search<D> for Levels<D> {
    fn pairs(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        self.lattices.iter().for_each(|lattice| lattice.pairs(paths, out));
        self.pairs_between(paths, out);
    }
}
