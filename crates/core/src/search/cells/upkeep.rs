//! Keeping the links of a lattice up to date: which particles are in which cells, and which are on
//! the short list.

use multiversion::multiversion;
use rayon::prelude::*;

use super::lanes::each;
use super::lattice::place_at;
use super::links::NOWHERE;
use super::places::{Found, TOGETHER};
use super::{Lattice, Span};
use crate::search::{Counters, Listing};
use crate::space::{Paths, Vector, Window};

/// How many particles a task of the pool takes.
pub(super) const BATCH: usize = 4096;

/// What has been found about a batch of particles.
#[derive(Debug)]
pub(super) struct Orders {
    /// The lowest and the highest cell that lists any of them.
    cells: [u32; 2],
    short: Vec<u32>,
    relinked: u64,
    /// Whether any path started before the window.
    old: bool,
}

impl Orders {
    fn new() -> Self {
        Self { cells: [u32::MAX, 0], short: Vec::new(), relinked: 0, old: false }
    }

    /// Whether any of the batch may be in the cells from `first` to before `end`.
    pub(super) fn within(&self, first: u32, end: u32) -> bool {
        self.cells[0] < end && self.cells[1] >= first
    }

    /// Takes down what has been found about the particles from slot `first` on.
    #[inline(always)]
    fn take_down(&mut self, found: &Found, first: u32, homes: &mut [[u32; 2]]) {
        let (mut relinked, [mut low, mut high]) = (0, self.cells);
        for (home, &cell) in homes.iter_mut().zip(&found.cell) {
            relinked += u32::from(home[0] != cell);
            *home = [cell; 2];
            low = low.min(cell);
            high = high.max(cell);
        }
        self.cells = [low, high];
        self.relinked += u64::from(relinked);
        self.old |= found.old;
        self.short.extend(each(first, found.unsuited));
    }

    fn clear(&mut self) {
        let short = std::mem::take(&mut self.short);
        *self = Self { short, ..Self::new() };
        self.short.clear();
    }
}

impl<const D: usize> Lattice<D> {
    /// Takes up the paths of all particles that are `here` at the start of the window, with the
    /// present cells; forgets all others, and sets the short list.
    pub(in crate::search) fn link_all(
        &mut self,
        paths: &Paths<'_, D>,
        window: Window,
        here: &[bool],
    ) {
        self.window = window;
        // Nothing is unlinked one by one: the sort below makes all entries anew.
        self.links.homes.resize(paths.len(), NOWHERE);
        self.reach.resize(paths.len(), 0.0);
        self.short.reset(paths.len());
        let (mut homes, mut reach) =
            (std::mem::take(&mut self.links.homes), std::mem::take(&mut self.reach));
        let mut orders = std::mem::take(&mut self.orders);
        orders.resize_with(paths.len().div_ceil(BATCH), Orders::new);
        // Handed out one by one, for the reason given in `Particles::stretches`.
        (orders.par_iter_mut(), homes.par_chunks_mut(BATCH), reach.par_chunks_mut(BATCH))
            .into_par_iter()
            .with_max_len(1)
            .enumerate()
            .for_each(|(batch, (orders, homes, reach))| {
                orders.clear();
                look_at_batch(self, paths, here, batch * BATCH, homes, reach, orders);
            });
        (self.links.homes, self.reach, self.orders) = (homes, reach, orders);
        self.fresh = !self.orders.iter().any(|orders| orders.old);
        self.sort(paths);
        // `hide` looks for entries, so the short list has to wait for the sort. It is filled in the
        // order of the batches, not in that in which they were finished.
        let mut work = Counters::default();
        for orders in &self.orders {
            work.relinks += orders.relinked;
            work.short_listed += orders.short.len() as u64;
            for &slot in &orders.short {
                self.short.set(slot, true);
                self.links.hide(slot, &self.grid);
            }
        }
        self.tally.add(&work);
    }

    /// Finds the homes and reaches of the particles from slot `first` on.
    #[inline(always)]
    fn look_at(
        &self,
        paths: &Paths<'_, D>,
        here: &[bool],
        first: usize,
        homes: &mut [[u32; 2]],
        reach: &mut [f32],
        orders: &mut Orders,
    ) {
        for n in (0..homes.len()).step_by(TOGETHER) {
            let slot = first + n;
            let end = homes.len().min(n + TOGETHER);
            // False for the last few slots if they are fewer than eight.
            let found = match self.plain() && here[slot..first + end] == [true; TOGETHER] {
                true => self.look_at_some(paths, slot),
                false => None,
            };
            if let Some(found) = found {
                reach[n..end].copy_from_slice(&found.reach);
                orders.take_down(&found, slot as u32, &mut homes[n..end]);
                continue;
            }
            for n in n..end {
                (homes[n], reach[n]) = match here[first + n] {
                    true => self.look_at_one(paths, first + n, homes[n], orders),
                    false => (NOWHERE, 0.0),
                };
            }
        }
    }

    /// Whether particles may be looked at some at a time.
    fn plain(&self) -> bool {
        #[cfg(test)]
        if self.how.credulous {
            return false;
        }
        self.how.listing == Listing::Centre
    }

    /// The home and the reach of a particle whose home was another one.
    fn look_at_one(
        &self,
        paths: &Paths<'_, D>,
        i: usize,
        old: [u32; 2],
        orders: &mut Orders,
    ) -> ([u32; 2], f32) {
        let grid = &self.grid;
        let (place, from) = place_at(paths, i, self.window.start);
        orders.old |= paths.since[i] < self.window.start;
        let span = self.span_at(place, paths.radius[i]);
        let home = [grid.cell(span.first), grid.last(span)];
        orders.relinked += u64::from(home != old);
        let [low, high] = orders.cells;
        // A block that wraps round the box has cells at both ends of the numbering, so its first
        // and its last cell bound nothing.
        orders.cells = match self.how.listing {
            Listing::Centre => [low.min(home[0]), high.max(home[0])],
            Listing::Touch => [0, u32::MAX],
        };
        if !self.suits(paths, i, &span, place, from) {
            orders.short.push(i as u32);
        }
        (home, reach_of(paths, i, self.window.end))
    }

    /// Takes up the path of one particle, and its place if it is to be `relinked`.
    pub(in crate::search) fn take_up_one(&mut self, i: u32, paths: &Paths<'_, D>, relinked: bool) {
        let slot = i as usize;
        if !paths.alive[slot] {
            return self.remove(i);
        }
        self.reach[slot] = reach_of(paths, slot, self.window.end);
        let (place, from) = place_at(paths, slot, self.window.start);
        let old = self.span_of(i);
        let span = match old {
            // Algorithm B: the links stay as they were at the start of the step, and the rest of
            // the path has to suit the old cells; otherwise the particle goes to the short list.
            Some(span) if !relinked => span,
            _ => self.span_at(place, paths.radius[slot]),
        };
        let mut work = Counters::default();
        if old != Some(span) {
            self.links.unlink(i, &self.grid);
            self.links.link(i, [self.grid.cell(span.first), self.grid.last(span)], &self.grid);
            work.relinks = 1;
        }
        let short = !self.suits(paths, slot, &span, place, from);
        self.short.set(i, short);
        if short {
            work.short_listed = 1;
            self.links.hide(i, &self.grid);
        } else {
            self.fresh &= paths.since[slot] >= self.window.start;
            // The particle may have crossed a periodic face and still be listed on the other side.
            // Where cells are compared without images, its place has to be that beside its cells.
            let start = self.grid.image_next_to(&span, paths.domain.wrap(paths.position[slot]).0);
            self.links.place(i, &self.grid, start, self.reach[slot] + self.slack());
        }
        self.tally.add(&work);
    }

    /// The cells that are to list a particle at `place` within the box.
    #[inline]
    fn span_at(&self, place: Vector<D>, radius: f64) -> Span<D> {
        match self.how.listing {
            Listing::Centre => self.grid.span_of_point(place),
            Listing::Touch => self.grid.span_of_box(
                Vector::from_fn(|k| place[k] - radius),
                Vector::from_fn(|k| place[k] + radius),
            ),
        }
    }

    /// Whether particle `i`, at `place` within the box at time `from`, keeps near to the cells of
    /// `span`.
    #[inline]
    fn suits(
        &self,
        paths: &Paths<'_, D>,
        i: usize,
        span: &Span<D>,
        place: Vector<D>,
        from: f64,
    ) -> bool {
        #[cfg(test)]
        if self.how.credulous {
            return true;
        }
        let travel = paths.velocity[i] * (self.window.end - from);
        let pad = paths.radius[i] + paths.domain.rounding();
        self.grid.confines(span, place, travel, pad)
    }
}

/// [`Lattice::look_at`] with the widest vector instructions of the machine, found out when it runs.
#[multiversion(targets("x86_64+avx2"))]
fn look_at_batch<const D: usize>(
    lattice: &Lattice<D>,
    paths: &Paths<'_, D>,
    here: &[bool],
    first: usize,
    homes: &mut [[u32; 2]],
    reach: &mut [f32],
    orders: &mut Orders,
) {
    lattice.look_at(paths, here, first, homes, reach, orders);
}

/// [`Paths::reach`], rounded up to single precision.
#[inline]
fn reach_of<const D: usize>(paths: &Paths<'_, D>, i: usize, end: f64) -> f32 {
    // The conversion is wrong by up to half an epsilon; raised by a whole one before, the result is
    // never less than the true reach.
    (paths.reach(i, end) * (1.0 + f64::from(f32::EPSILON))) as f32
}
