//! All pairs of regular bodies listed by centre: a walk over the cells, layer by layer.
//!
//! Slots are in no order in space, so the bodies of a layer are first copied, cell by cell; then
//! each pair of neighbouring cells is looked at once. Two layers at a time are all that is held.

use rayon::prelude::*;
use smallvec::SmallVec;

use super::grid::{Grid, Line};
use super::{Cells, notice, prune};
use crate::search::{Counters, Pair};
use crate::space::Paths;

/// Layers are dealt out to the threads in so many blocks each.
const BLOCKS_PER_THREAD: usize = 4;

/// A body as the walk needs it.
#[derive(Clone, Copy)]
struct Local<const D: usize> {
    /// Within the box.
    place: [f64; D],
    reach: f64,
    slot: u32,
    /// Directions in which it has no need to look.
    pruned: u8,
}

/// The bodies of one layer, cell after cell.
#[derive(Default)]
struct Layer<const D: usize> {
    start: Vec<u32>,
    bodies: Vec<Local<D>>,
}

impl<const D: usize> Layer<D> {
    /// The bodies of the cells `first..=last` of the layer.
    #[inline]
    fn cells(&self, first: u32, last: u32) -> &[Local<D>] {
        &self.bodies[self.start[first as usize] as usize..self.start[last as usize + 1] as usize]
    }
}

/// Neighbours along the fast axis: first and last coordinate, and the direction.
type Stretches = SmallVec<[(u32, u32, u8); 3]>;

/// The walk over a block of layers.
struct Walk<'a, const D: usize> {
    cells: &'a Cells<D>,
    grid: &'a Grid<D>,
    paths: &'a Paths<'a, D>,
    /// Fast, middle and slow axis.
    lines: [Line; 3],
    /// By coordinate along the fast axis: all neighbours, and those that come later.
    stretches: &'a [[Stretches; 2]],
    /// The periods; infinite along axes that do not close on themselves.
    periods: [f64; D],
    work: Counters,
}

/// Appends all pairs of regular bodies that may touch.
pub(super) fn pairs<const D: usize>(
    cells: &Cells<D>,
    grid: &Grid<D>,
    paths: &Paths<'_, D>,
    out: &mut Vec<Pair>,
) {
    let lines = grid.lines();
    let stretches = stretches(lines[0], cells.pruning);
    let periods = std::array::from_fn(|k| match paths.domain.is_periodic(k) {
        true => paths.domain.edges()[k],
        false => f64::INFINITY,
    });
    let walk = |first: u32, last: u32, out: &mut Vec<Pair>| {
        let mut walk =
            Walk { cells, grid, paths, lines, stretches: &stretches, periods, work: Counters::default() };
        let before = out.len();
        walk.layers(first, last, out);
        walk.work.pairs_reported = (out.len() - before) as u64;
        cells.tally.add(&walk.work);
    };
    let layers = lines[2].count;
    let threads = rayon::current_num_threads();
    if threads == 1 {
        return walk(0, layers, out);
    }
    let block = layers.div_ceil((threads * BLOCKS_PER_THREAD) as u32);
    let parts: Vec<Vec<Pair>> = (0..layers.div_ceil(block))
        .into_par_iter()
        .map(|b| {
            let mut found = Vec::new();
            walk(b * block, layers.min((b + 1) * block), &mut found);
            found
        })
        .collect();
    parts.into_iter().for_each(|found| out.extend(found));
}

/// The neighbours along the fast axis. Without pruning, cells that follow each other are one
/// stretch, since their bodies follow each other too.
fn stretches(line: Line, pruning: bool) -> Vec<[Stretches; 2]> {
    let of = |c: u32, later: bool| {
        let mut found = Stretches::new();
        for (other, direction) in line.neighbours(c) {
            if later && other <= c {
                continue;
            }
            match found.last_mut() {
                Some((_, last, _)) if !pruning && *last + 1 == other => *last = other,
                _ => found.push((other, other, if pruning { direction } else { 0 })),
            }
        }
        found
    };
    let line = (0..line.count).map(|c| [of(c, false), of(c, true)]);
    line.collect()
}

impl<const D: usize> Walk<'_, D> {
    fn layers(&mut self, first: u32, last: u32, out: &mut Vec<Pair>) {
        let (mut here, mut there) = (Layer::default(), Layer::default());
        self.gather(first, &mut here);
        let (middle, slow) = (self.lines[1], self.lines[2]);
        for layer in first..last {
            for row in 0..middle.count {
                self.within_row(&here, row, out);
                let others = middle.neighbours(row).into_iter();
                for (other, direction) in others.filter(|(other, _)| *other > row) {
                    self.across((&here, row), (&here, other), direction, out);
                }
            }
            let Some(next) = slow.next(layer) else {
                continue;
            };
            self.gather(next, &mut there);
            let up = slow.up();
            for row in 0..middle.count {
                for (other, direction) in middle.neighbours(row) {
                    self.across((&here, row), (&there, other), direction | up, out);
                }
            }
            std::mem::swap(&mut here, &mut there);
        }
    }

    /// Copies the bodies of a layer, those on the short list left out.
    fn gather(&self, layer: u32, into: &mut Layer<D>) {
        let cells = self.lines[0].count * self.lines[1].count;
        into.bodies.clear();
        into.start.clear();
        into.start.push(0);
        let none_short = self.cells.short.members().is_empty();
        for cell in layer * cells..(layer + 1) * cells {
            for &slot in self.cells.links.bodies_in(cell) {
                if none_short || !self.cells.short.contains(slot) {
                    into.bodies.push(self.local(cell, slot));
                }
            }
            into.start.push(into.bodies.len() as u32);
        }
    }

    #[inline]
    fn local(&self, cell: u32, slot: u32) -> Local<D> {
        let i = slot as usize;
        let pruned = match self.cells.pruning {
            true => {
                let span = self.grid.span_between(cell, cell);
                self.cells.pruned(self.grid, self.paths, &span, slot)
            }
            false => 0,
        };
        Local {
            place: self.paths.domain.wrap(self.paths.position[i]).0.0,
            reach: self.cells.reach[i],
            slot,
            pruned,
        }
    }

    /// All pairs of a row with itself.
    fn within_row(&mut self, layer: &Layer<D>, row: u32, out: &mut Vec<Pair>) {
        let length = self.lines[0].count;
        for c in 0..length {
            let cell = row * length + c;
            let bodies = layer.cells(cell, cell);
            if bodies.is_empty() {
                continue;
            }
            self.work.cells_visited += 1;
            for (n, a) in bodies.iter().enumerate() {
                self.one_with_all(a, &bodies[n + 1..], out);
            }
            for (first, last, direction) in &self.stretches[c as usize][1] {
                let others = layer.cells(row * length + first, row * length + last);
                self.work.cells_visited += u64::from(last - first + 1);
                self.all_with_all(bodies, others, *direction, out);
            }
        }
    }

    /// All pairs of two rows that are neighbours, the other in `direction`.
    fn across(
        &mut self,
        (layer, row): (&Layer<D>, u32),
        (other_layer, other_row): (&Layer<D>, u32),
        direction: u8,
        out: &mut Vec<Pair>,
    ) {
        let length = self.lines[0].count;
        let direction = if self.cells.pruning { direction } else { 0 };
        for c in 0..length {
            let cell = row * length + c;
            let bodies = layer.cells(cell, cell);
            if bodies.is_empty() {
                continue;
            }
            for (first, last, along) in &self.stretches[c as usize][0] {
                let others = other_layer.cells(other_row * length + first, other_row * length + last);
                self.work.cells_visited += u64::from(last - first + 1);
                self.all_with_all(bodies, others, direction | along, out);
            }
        }
    }

    #[inline]
    fn all_with_all(&mut self, bodies: &[Local<D>], others: &[Local<D>], direction: u8, out: &mut Vec<Pair>) {
        if direction == 0 {
            return bodies.iter().for_each(|a| self.one_with_all(a, others, out));
        }
        let back = prune::opposite(direction);
        for a in bodies {
            if a.pruned & direction != 0 {
                self.work.pruned_by_direction += 1;
                continue;
            }
            for b in others {
                if b.pruned & back != 0 {
                    self.work.pruned_by_direction += 1;
                } else {
                    self.one_with_all(a, std::slice::from_ref(b), out);
                }
            }
        }
    }

    #[inline]
    fn one_with_all(&mut self, a: &Local<D>, others: &[Local<D>], out: &mut Vec<Pair>) {
        self.work.pairs_considered += others.len() as u64;
        for b in others {
            if self.meet(a, b) && notice(self.paths, a.slot as usize, b.slot as usize) {
                out.push(Pair::of(a.slot, b.slot));
            } else {
                self.work.pruned_by_reach += 1;
            }
        }
    }

    /// Whether the swept reaches meet: [`Paths::may_touch`] for places within the box, where the
    /// nearest image is at most one period away.
    #[inline]
    fn meet(&self, a: &Local<D>, b: &Local<D>) -> bool {
        let mut distance_squared = 0.0;
        for k in 0..D {
            let apart = (a.place[k] - b.place[k]).abs();
            let apart = apart.min(self.periods[k] - apart);
            distance_squared += apart * apart;
        }
        let within = a.reach + b.reach;
        distance_squared <= within * within
    }
}
