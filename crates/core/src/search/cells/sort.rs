//! Sorts the particles of a lattice by their cells: a counting sort, by several threads at a time.

use rayon::prelude::*;
use smallvec::SmallVec;

use super::entries::{Entry, EntryRange};
use super::links::{Links, NOWHERE};
use super::upkeep::{BATCH, Orders};
use super::{Grid, Lattice};
use crate::space::Paths;

/// Some cells that follow each other, and their entries.
struct Range<'a, const D: usize> {
    /// The first of the cells.
    first: u32,
    /// At first how many entries each cell has, then where they start, at last where they end.
    ends: &'a mut [u32],
    /// How many entries there are, and how many come before them.
    count: usize,
    before: u32,
    entries: Option<EntryRange<'a, D>>,
}

/// The particles to be sorted.
struct Unsorted<'a, const D: usize> {
    grid: &'a Grid<D>,
    paths: &'a Paths<'a, D>,
    homes: &'a [[u32; 2]],
    reach: &'a [f32],
    slack: f32,
    orders: &'a [Orders],
}

impl<const D: usize> Lattice<D> {
    /// Makes the lists of all cells anew, for particles whose homes and reaches are known.
    pub(super) fn sort(&mut self, paths: &Paths<'_, D>) {
        self.links.forget_late();
        let slack = self.slack();
        let Links { homes, start, entries, .. } = &mut self.links;
        let (grid, reach, orders) = (&self.grid, &self.reach[..], &self.orders[..]);
        let particles = Unsorted { grid, paths, homes, reach, slack, orders };
        // Each thread owns a range of cells, goes through the homes of all particles and keeps
        // those in its range: no two threads write to the same place, and particles of a cell are
        // in the order of their slots whatever the number of threads.
        let cells = start.len() - 1;
        let share = cells.div_ceil(rayon::current_num_threads());
        // The ends of the cells are written from start[1] on; start[0] stays 0, and so the end of
        // each cell is the start of the next.
        let mut ranges: SmallVec<[Range<'_, D>; 16]> = (0..)
            .step_by(share)
            .zip(start[1..].chunks_mut(share))
            .map(|(first, ends)| Range { first, ends, count: 0, before: 0, entries: None })
            .collect();
        ranges.par_iter_mut().for_each(|range| range.count(&particles));
        entries.resize(ranges.iter().map(|range| range.count).sum());
        let (mut rest, mut before) = (entries.part(), 0);
        for range in &mut ranges {
            let (part, others) = rest.split(range.count);
            (range.before, range.entries) = (before as u32, Some(part));
            before += range.count;
            rest = others;
        }
        ranges.par_iter_mut().for_each(|range| range.fill(&particles));
    }
}

impl<const D: usize> Range<'_, D> {
    fn count(&mut self, particles: &Unsorted<'_, D>) {
        self.ends.fill(0);
        let mut count = 0;
        let (first, ends) = (self.first, &mut *self.ends);
        particles.each_within(first, ends.len(), |_, cell| {
            ends[(cell - first) as usize] += 1;
            count += 1;
        });
        self.count = count;
    }

    fn fill(&mut self, particles: &Unsorted<'_, D>) {
        let Some(entries) = &mut self.entries else {
            return;
        };
        let mut end = 0;
        for count in self.ends.iter_mut() {
            (*count, end) = (end, end + *count);
        }
        particles.each_within(self.first, self.ends.len(), |slot, cell| {
            let next = &mut self.ends[(cell - self.first) as usize];
            entries.which[*next as usize] = Entry { particle: slot as u32, cell };
            *next += 1;
        });
        // In a pass of its own: positions are scattered in memory, and a loop that only loads them
        // has many cache misses under way at a time. Where the path starts, not where the particle
        // is when the window starts, since reaches are counted from there.
        let Unsorted { paths, reach, slack, .. } = particles;
        entries.fill_in(|slot| (paths.domain.wrap(paths.position[slot]).0, reach[slot] + slack));
        self.ends.iter_mut().for_each(|end| *end += self.before);
    }
}

impl<const D: usize> Unsorted<'_, D> {
    /// Calls `f` for each particle that is in one of so many cells, and that cell.
    #[inline(always)]
    fn each_within(&self, first: u32, cells: usize, mut f: impl FnMut(usize, u32)) {
        let end = first + cells as u32;
        for (batch, orders) in self.orders.iter().enumerate() {
            // Where slots are in the order of space, a batch lies in the cells of few threads.
            if !orders.within(first, end) {
                continue;
            }
            let slots = batch * BATCH..self.homes.len().min((batch + 1) * BATCH);
            for slot in slots {
                let home = self.homes[slot];
                if home[0] == home[1] {
                    // Never true of NOWHERE, which is beyond all cells.
                    if (first..end).contains(&home[0]) {
                        f(slot, home[0]);
                    }
                } else if home != NOWHERE {
                    let span = self.grid.span_between(home[0], home[1]);
                    self.grid
                        .cells(span)
                        .filter(|cell| (first..end).contains(cell))
                        .for_each(|cell| f(slot, cell));
                }
            }
        }
    }
}
