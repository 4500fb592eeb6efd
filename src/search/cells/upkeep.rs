//! Keeping the links of a lattice as they should be: who is in which cells, who is on the short list.

use rayon::prelude::*;

use super::lattice::place_at;
use super::{Lattice, Span};
use crate::search::{Counters, Listing};
use crate::space::{Paths, Vector, Window};

/// How many bodies a task of the pool takes.
const BATCH: usize = 4096;

/// What has to be done for a batch of bodies.
#[derive(Default)]
struct Orders {
    /// Slot, first and last of its new cells.
    moved: Vec<[u32; 3]>,
    gone: Vec<u32>,
    short: Vec<u32>,
}

impl<const D: usize> Lattice<D> {
    /// Takes up all paths of those who are `here` at the start of the window, in the cells as they
    /// are: moves those who are in others than before, forgets all others, and sets the short list.
    pub(in crate::search) fn link_all(
        &mut self,
        paths: &Paths<'_, D>,
        window: Window,
        here: impl Fn(usize) -> bool + Sync,
    ) {
        self.window = window;
        self.links.resize(paths.len());
        self.short.reset(paths.len());
        let mut reach = std::mem::take(&mut self.reach);
        reach.resize(paths.len(), 0.0);
        let orders: Vec<Orders> = reach
            .par_chunks_mut(BATCH)
            .enumerate()
            .map(|(batch, reach)| self.orders(paths, batch * BATCH, reach, &here))
            .collect();
        self.reach = reach;
        orders.into_iter().for_each(|orders| self.carry_out(orders));
    }

    /// What has to be done for the bodies from slot `first` on, whose reaches are set.
    fn orders(
        &self,
        paths: &Paths<'_, D>,
        first: usize,
        reach: &mut [f32],
        here: impl Fn(usize) -> bool,
    ) -> Orders {
        let mut orders = Orders::default();
        let grid = &self.grid;
        for (i, reach) in (first..).zip(reach) {
            let slot = i as u32;
            if !here(i) {
                if !self.links.cells_of(slot).is_empty() {
                    orders.gone.push(slot);
                }
                continue;
            }
            *reach = reach_of(paths, i, self.window.end);
            let (place, from) = place_at(paths, i, self.window.start);
            let span = self.span_at(place, paths.radius[i]);
            let cells = self.links.cells_of(slot);
            let [first, last] = [grid.cell(span.first), grid.last(span)];
            if cells.first() != Some(&first) || cells.last() != Some(&last) {
                orders.moved.push([slot, first, last]);
            }
            if !self.suits(paths, i, &span, place, from) {
                orders.short.push(slot);
            }
        }
        orders
    }

    fn carry_out(&mut self, orders: Orders) {
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
            let span = self.grid.span_between(first, last);
            self.links.link(slot, self.grid.cells(span));
        }
        for slot in orders.short {
            self.short.set(slot, true);
        }
    }

    /// Takes up the path of one body, and its place if it is to be `relinked`.
    pub(in crate::search) fn take_up_one(&mut self, i: u32, paths: &Paths<'_, D>, relinked: bool) {
        let slot = i as usize;
        if !paths.alive[slot] {
            self.links.unlink(i);
            self.short.set(i, false);
            return;
        }
        self.reach[slot] = reach_of(paths, slot, self.window.end);
        let (place, from) = place_at(paths, slot, self.window.start);
        let old = self.span_of(i);
        let span = match old {
            Some(span) if !relinked => span,
            _ => self.span_at(place, paths.radius[slot]),
        };
        let mut work = Counters::default();
        if old != Some(span) {
            self.links.unlink(i);
            self.links.link(i, self.grid.cells(span));
            work.relinks = 1;
        }
        let short = !self.suits(paths, slot, &span, place, from);
        self.short.set(i, short);
        work.short_listed = short.into();
        self.tally.add(&work);
    }

    /// The cells that are to list a body at `place` within the box.
    #[inline]
    fn span_at(&self, place: Vector<D>, radius: f64) -> Span<D> {
        match self.how.listing {
            Listing::Centre => self.grid.span_of_point(place),
            Listing::Touch => self
                .grid
                .span_of_box(Vector::from_fn(|k| place[k] - radius), Vector::from_fn(|k| place[k] + radius)),
        }
    }

    /// Whether body `i`, at `place` within the box at time `from`, keeps near to the cells of `span`.
    #[inline]
    fn suits(&self, paths: &Paths<'_, D>, i: usize, span: &Span<D>, place: Vector<D>, from: f64) -> bool {
        #[cfg(test)]
        if self.how.credulous {
            return true;
        }
        let travel = paths.velocity[i] * (self.window.end - from);
        let pad = paths.radius[i] + paths.domain.rounding();
        self.grid.confines(span, place, travel, pad)
    }
}

/// [`Paths::reach`], rounded up to single precision.
#[inline]
fn reach_of<const D: usize>(paths: &Paths<'_, D>, i: usize, end: f64) -> f32 {
    (paths.reach(i, end) * (1.0 + f64::from(f32::EPSILON))) as f32
}
