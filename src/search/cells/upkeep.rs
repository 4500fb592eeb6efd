//! Keeping cells and links as they should be: which cells, who is in which, who is on the short list.

use rayon::prelude::*;

use super::size::{spared, suitable};
use super::{Cells, Grid, Links, Span, place_at, reach_of};
use crate::search::{Counters, Listing};
use crate::space::{Paths, Vector};

/// How many bodies a task of the pool takes.
const BATCH: usize = 4096;

/// After so many refits the cells are measured again.
const REFITS_PER_MEASURE: u32 = 64;

/// When the cells were last chosen, and for how many bodies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Upkeep {
    bodies: usize,
    refits: u32,
}

impl Upkeep {
    fn outgrown(&self, bodies: usize) -> bool {
        bodies > 2 * self.bodies + 64 || 2 * bodies + 64 < self.bodies
    }
}

/// What has to be done for a batch of bodies.
#[derive(Default)]
struct Orders {
    /// Slot, first and last of its new cells.
    moved: Vec<[u32; 3]>,
    gone: Vec<u32>,
    short: Vec<u32>,
}

impl<const D: usize> Cells<D> {
    /// Takes up all paths at the start of the window: keeps the cells as long as they suit, else
    /// chooses others.
    pub(super) fn take_up_all(&mut self, paths: &Paths<'_, D>) {
        let bodies = paths.alive.iter().filter(|&&alive| alive).count();
        let same_box = |grid: &Grid<D>| grid.domain() == paths.domain;
        self.upkeep.refits += 1;
        let due = self.upkeep.refits >= REFITS_PER_MEASURE || self.upkeep.outgrown(bodies);
        if due || !self.grid.as_ref().is_some_and(same_box) {
            self.lay_out(paths, bodies);
        }
        self.link_all(paths);
        if self.short.members().len() > 2 * spared(bodies) + 16 && self.lay_out(paths, bodies) {
            self.link_all(paths);
        }
    }

    /// Chooses the cells afresh and, if that makes a difference worth the work, empties them. The
    /// links are then to be made anew.
    fn lay_out(&mut self, paths: &Paths<'_, D>, bodies: usize) -> bool {
        let living = (0..paths.len()).filter(|&i| paths.alive[i]);
        let grid = self.suitable_grid(paths, living, bodies);
        self.upkeep = Upkeep { bodies, refits: 0 };
        if self.grid.as_ref().is_some_and(|old| alike(old, &grid)) {
            return false;
        }
        self.replace_grid(grid, paths.len());
        true
    }

    fn suitable_grid(
        &self,
        paths: &Paths<'_, D>,
        which: impl Iterator<Item = usize>,
        bodies: usize,
    ) -> Grid<D> {
        // The lists of the cells are the most of the memory, so cells are at most twice as many as
        // bodies, unless a size is asked for.
        let (width, most) = match self.cell_size {
            Some(size) => (size, 8 * bodies + 4096),
            None => (suitable(paths, which, self.divided, self.window), 2 * bodies + 64),
        };
        Grid::new(paths.domain, self.divided, width, most)
    }

    fn replace_grid(&mut self, grid: Grid<D>, slots: usize) {
        self.links = Links::new(grid.len(), slots, self.listing);
        self.grid = Some(grid);
    }

    /// Takes up all paths at the start of the window, in the cells as they are: moves those who are
    /// in others than before, and sets the short list.
    pub(super) fn link_all(&mut self, paths: &Paths<'_, D>) {
        self.links.resize(paths.len());
        self.short.reset(paths.len());
        let mut reach = std::mem::take(&mut self.reach);
        reach.resize(paths.len(), 0.0);
        let orders: Vec<Orders> = reach
            .par_chunks_mut(BATCH)
            .enumerate()
            .map(|(batch, reach)| self.orders(paths, batch * BATCH, reach))
            .collect();
        self.reach = reach;
        orders.into_iter().for_each(|orders| self.carry_out(orders));
    }

    /// What has to be done for the bodies from slot `first` on, whose reaches are set.
    fn orders(&self, paths: &Paths<'_, D>, first: usize, reach: &mut [f32]) -> Orders {
        let mut orders = Orders::default();
        let Some(grid) = &self.grid else {
            return orders;
        };
        for (i, reach) in (first..).zip(reach) {
            let slot = i as u32;
            if !paths.alive[i] {
                if !self.links.cells_of(slot).is_empty() {
                    orders.gone.push(slot);
                }
                continue;
            }
            *reach = reach_of(paths, i, self.window.end);
            let (place, from) = place_at(paths, i, self.window.start);
            let span = self.span_at(grid, place, paths.radius[i]);
            let cells = self.links.cells_of(slot);
            let [first, last] = [grid.cell(span.first), grid.last(span)];
            if cells.first() != Some(&first) || cells.last() != Some(&last) {
                orders.moved.push([slot, first, last]);
            }
            if !self.suits(grid, paths, i, &span, place, from) {
                orders.short.push(slot);
            }
        }
        orders
    }

    fn carry_out(&mut self, orders: Orders) {
        let Some(grid) = &self.grid else {
            return;
        };
        self.tally.add(&Counters {
            relinks: orders.moved.len() as u64,
            short_listed: orders.short.len() as u64,
            ..Counters::default()
        });
        for slot in orders.gone {
            self.links.unlink(slot);
        }
        for [slot, first, last] in orders.moved {
            self.links.unlink(slot);
            self.links.link(slot, grid.cells(grid.span_between(first, last)));
        }
        for slot in orders.short {
            self.short.set(slot, true);
        }
    }

    /// Takes up the path of one body, and its place if it is to be `relinked`.
    pub(super) fn take_up_one(&mut self, i: u32, paths: &Paths<'_, D>, relinked: bool) {
        let Some(grid) = &self.grid else {
            return;
        };
        let slot = i as usize;
        if !paths.alive[slot] {
            self.links.unlink(i);
            self.short.set(i, false);
            return;
        }
        self.reach[slot] = reach_of(paths, slot, self.window.end);
        let (place, from) = place_at(paths, slot, self.window.start);
        let old = self.span_of(grid, i);
        let span = match old {
            Some(span) if !relinked => span,
            _ => self.span_at(grid, place, paths.radius[slot]),
        };
        let mut work = Counters::default();
        if old != Some(span) {
            self.links.unlink(i);
            self.links.link(i, grid.cells(span));
            work.relinks = 1;
        }
        let short = !self.suits(grid, paths, slot, &span, place, from);
        self.short.set(i, short);
        work.short_listed = short.into();
        self.tally.add(&work);
    }

    /// Makes room for a new body in slot `i`, with finer cells where the bodies have outgrown them.
    pub(super) fn make_room(&mut self, i: u32, paths: &Paths<'_, D>) {
        let slots = self.links.slots().max(i as usize + 1);
        self.links.resize(slots);
        self.short.grow(slots);
        self.reach.resize(slots, 0.0);
        if self.grid.is_some() && !self.upkeep.outgrown(slots) {
            return;
        }
        let known = |body: usize| paths.alive[body] && !self.links.cells_of(body as u32).is_empty();
        let bodies: Vec<usize> = (0..slots).filter(|&body| known(body)).collect();
        let grid = self.suitable_grid(paths, bodies.iter().copied(), slots);
        self.upkeep.bodies = slots;
        self.short.reset(slots);
        self.replace_grid(grid, slots);
        for body in bodies {
            self.take_up_one(body as u32, paths, true);
        }
    }

    /// The cells that are to list a body at `place` within the box.
    #[inline]
    fn span_at(&self, grid: &Grid<D>, place: Vector<D>, radius: f64) -> Span<D> {
        match self.listing {
            Listing::Centre => grid.span_of_point(place),
            Listing::Touch => grid
                .span_of_box(Vector::from_fn(|k| place[k] - radius), Vector::from_fn(|k| place[k] + radius)),
        }
    }

    /// Whether body `i`, at `place` within the box at time `from`, keeps near to the cells of `span`.
    #[inline]
    fn suits(
        &self,
        grid: &Grid<D>,
        paths: &Paths<'_, D>,
        i: usize,
        span: &Span<D>,
        place: Vector<D>,
        from: f64,
    ) -> bool {
        #[cfg(test)]
        if self.credulous {
            return true;
        }
        let travel = paths.velocity[i] * (self.window.end - from);
        let pad = paths.radius[i] + paths.domain.rounding();
        grid.confines(span, place, travel, pad)
    }
}

/// Whether two lattices of the same box are so alike that changing one for the other does not pay.
fn alike<const D: usize>(a: &Grid<D>, b: &Grid<D>) -> bool {
    let near = |a: u32, b: u32| a.abs_diff(b) * 8 <= a.max(b);
    a.domain() == b.domain() && (0..D).all(|k| near(a.counts()[k], b.counts()[k]))
}
