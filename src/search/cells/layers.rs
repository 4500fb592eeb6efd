//! All pairs of regular bodies listed by centre: a walk over the cells, layer by layer.
//!
//! Slots are in no order in space, so the bodies of a layer are first copied, cell by cell, in
//! single precision; then each pair of neighbouring cells is looked at once, some bodies at a time.
//! Two layers at a time are all that is held.

use std::ops::Range;

use rayon::prelude::*;
use smallvec::SmallVec;

use super::Lattice;
use super::lattice::notice;
use super::line::Line;
use crate::search::{Counters, Pair};
use crate::space::Paths;

/// Layers are dealt out to the threads in so many blocks each.
const BLOCKS_PER_THREAD: usize = 4;

/// So many bodies are tested at a time.
const LANES: usize = 4;

/// The bodies of one layer, cell after cell, and [`LANES`] entries of padding.
struct Layer<const D: usize> {
    /// Of each cell, the index of its first body; and the end of the last cell.
    start: Vec<u32>,
    slots: Vec<u32>,
    /// Within the box.
    place: [Vec<f32>; D],
    reach: Vec<f32>,
    /// Directions in which the body has no need to look.
    pruned: Vec<u8>,
}

/// One of these bodies.
struct Local<const D: usize> {
    place: [[f32; LANES]; D],
    reach: [f32; LANES],
    slot: u32,
    pruned: u8,
}

/// Another row of cells along the fast axis, in a direction from the row that is looked at.
struct Row<'a, const D: usize> {
    layer: &'a Layer<D>,
    /// The first cell of the row, within its layer.
    first: usize,
    direction: u8,
}

impl<const D: usize> Row<'_, D> {
    /// Where the bodies of the cell at coordinate `c` of the row start.
    #[inline]
    fn start(&self, c: u32) -> usize {
        self.layer.start[self.first + c as usize] as usize
    }
}

/// Cells that follow each other along the fast axis: the first and the last coordinate.
type Stretches = SmallVec<[(u32, u32); 2]>;

/// The neighbours along the fast axis, itself included.
struct Along {
    all: Stretches,
    /// Without those that come earlier.
    later: Stretches,
    /// How many `all` are, and how many fewer than without pruning.
    cells: u64,
    cut: u64,
}

/// The walk over a block of layers.
struct Walk<'a, const D: usize> {
    lattice: &'a Lattice<D>,
    paths: &'a Paths<'a, D>,
    /// Fast, middle and slow axis.
    lines: [Line; 3],
    /// Four entries for each coordinate along the fast axis: pruned nowhere, down, up, both.
    along: &'a [Along],
    /// The periods; infinite along axes that do not close on themselves.
    periods: [[f32; LANES]; D],
    /// What single precision may be wrong by, added to each reach.
    slack: f32,
    work: Counters,
}

/// Appends all pairs of regular bodies that may touch.
pub(super) fn pairs<const D: usize>(lattice: &Lattice<D>, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
    let lines = lattice.grid.lines();
    let along = neighbours_along(lines[0]);
    let edges = paths.domain.edges();
    let walk = |first: u32, last: u32, out: &mut Vec<Pair>| {
        let mut walk = Walk {
            lattice,
            paths,
            lines,
            along: &along,
            periods: std::array::from_fn(|k| match paths.domain.is_periodic(k) {
                true => [edges[k] as f32; LANES],
                false => [f32::INFINITY; LANES],
            }),
            slack: 8.0 * f32::EPSILON * edges.iter().fold(0.0, |a, &b| f32::max(a, b as f32)),
            work: Counters::default(),
        };
        let before = out.len();
        walk.layers(first, last, out);
        let reported = (out.len() - before) as u64;
        walk.work.pairs_reported = reported;
        walk.work.pruned_by_reach += walk.work.pairs_considered - reported;
        lattice.tally.add(&walk.work);
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

fn neighbours_along(line: Line) -> Vec<Along> {
    let of = |c: u32, pruned: u8| {
        let stretches = |from: u32| {
            let mut found = Stretches::new();
            for (other, direction) in line.neighbours(c) {
                match found.last_mut() {
                    _ if other < from || direction & pruned != 0 => {}
                    Some((_, last)) if *last + 1 == other => *last = other,
                    _ => found.push((other, other)),
                }
            }
            found
        };
        let (all, later) = (stretches(0), stretches(c));
        let cells = all.iter().map(|(a, b)| u64::from(b - a + 1)).sum();
        Along { all, later, cells, cut: line.neighbours(c).len() as u64 - cells }
    };
    let [down, up] = line.bits();
    let each = |c| [0, down, up, down | up].map(|pruned| of(c, pruned));
    (0..line.count).flat_map(each).collect()
}

impl<const D: usize> Walk<'_, D> {
    fn layers(&mut self, first: u32, last: u32, out: &mut Vec<Pair>) {
        let [fast, middle, slow] = self.lines;
        let (mut here, mut there) = (Layer::new(), Layer::new());
        self.gather(first, &mut here);
        for layer in first..last {
            let next = slow.next(layer);
            if let Some(next) = next {
                self.gather(next, &mut there);
            }
            for row in 0..middle.count {
                let of = |layer, row, direction| Row { layer, first: (row * fast.count) as usize, direction };
                let mut others = SmallVec::<[Row<'_, D>; 5]>::new();
                for (other, direction) in middle.neighbours(row) {
                    if other > row {
                        others.push(of(&here, other, direction));
                    }
                    if next.is_some() {
                        others.push(of(&there, other, direction | slow.bits()[1]));
                    }
                }
                self.one_row(&of(&here, row, 0), &others, out);
            }
            if next.is_some() {
                std::mem::swap(&mut here, &mut there);
            }
        }
    }

    /// Copies the bodies of a layer, those on the short list left out.
    fn gather(&self, layer: u32, into: &mut Layer<D>) {
        let cells = self.lines[0].count * self.lines[1].count;
        let first = layer * cells;
        into.start.clear();
        into.slots.clear();
        let none_short = self.lattice.short.members().is_empty();
        for cell in first..first + cells {
            into.start.push(into.slots.len() as u32);
            for &slot in self.lattice.links.bodies_in(cell) {
                if none_short || !self.lattice.short.contains(slot) {
                    into.slots.push(slot);
                }
            }
        }
        into.start.push(into.slots.len() as u32);
        self.copy(into);
        into.pruned.clear();
        if self.lattice.how.pruning {
            self.gather_directions(first, into);
        }
    }

    /// The rest of [`Walk::gather`], apart, so that the processor waits for many places at a time.
    fn copy(&self, into: &mut Layer<D>) {
        let count = into.slots.len();
        into.reach.resize(count + LANES, 0.0);
        into.place.iter_mut().for_each(|x| x.resize(count + LANES, 0.0));
        for (n, &slot) in into.slots.iter().enumerate() {
            let slot = slot as usize;
            let place = self.paths.domain.wrap(self.paths.position[slot]).0;
            for k in 0..D {
                into.place[k][n] = place[k] as f32;
            }
            into.reach[n] = self.lattice.reach[slot] + self.slack;
        }
    }

    fn gather_directions(&self, first: u32, into: &mut Layer<D>) {
        for (cell, ends) in (first..).zip(into.start.windows(2)) {
            let span = self.lattice.grid.span_between(cell, cell);
            let slots = &into.slots[ends[0] as usize..ends[1] as usize];
            into.pruned.extend(slots.iter().map(|&slot| self.lattice.pruned(self.paths, &span, slot)));
        }
    }

    /// All pairs of a row with itself and with other rows.
    fn one_row(&mut self, row: &Row<'_, D>, others: &[Row<'_, D>], out: &mut Vec<Pair>) {
        let [down, up] = self.lines[0].bits();
        for c in 0..self.lines[0].count {
            for index in row.start(c)..row.start(c + 1) {
                let a = row.layer.body(index);
                let combination = (a.pruned & down != 0) as usize + 2 * (a.pruned & up != 0) as usize;
                let along = &self.along[4 * c as usize + combination];
                self.work.cells_visited += 1;
                for &(first, last) in &along.later {
                    let from = if first == c { index + 1 } else { row.start(first) };
                    self.one_with_all(&a, row.layer, from..row.start(last + 1), out);
                }
                for other in others {
                    if a.pruned & other.direction != 0 {
                        self.work.pruned_by_direction += along.cells + along.cut;
                        continue;
                    }
                    self.work.cells_visited += along.cells;
                    self.work.pruned_by_direction += along.cut;
                    for &(first, last) in &along.all {
                        let stretch = other.start(first)..other.start(last + 1);
                        self.one_with_all(&a, other.layer, stretch, out);
                    }
                }
            }
        }
    }

    #[inline]
    fn one_with_all(&mut self, a: &Local<D>, layer: &Layer<D>, stretch: Range<usize>, out: &mut Vec<Pair>) {
        self.work.pairs_considered += stretch.len() as u64;
        for from in stretch.clone().step_by(LANES) {
            let margins = self.margins(a, layer, from);
            // The sign bit of all: usually nobody is met, and that is seen at once.
            if margins.iter().fold(u32::MAX, |all, m| all & m.to_bits()) >> 31 == 1 {
                continue;
            }
            for (index, margin) in (from..stretch.end).zip(margins) {
                if margin >= 0.0 {
                    self.report(a.slot, layer.slots[index], out);
                }
            }
        }
    }

    /// For the bodies that follow each other from index `from` on, the square of the reaches less
    /// the square of the distance: negative if there can be no contact. The places are within the
    /// box, so the nearest image is at most one period away.
    #[inline]
    fn margins(&self, a: &Local<D>, layer: &Layer<D>, from: usize) -> [f32; LANES] {
        let lanes = from..from + LANES;
        let reach = &layer.reach[lanes.clone()];
        let mut margins: [f32; LANES] = std::array::from_fn(|n| {
            let within = a.reach[n] + reach[n];
            within * within
        });
        for k in 0..D {
            let (x, place, period) = (&layer.place[k][lanes.clone()], &a.place[k], &self.periods[k]);
            for n in 0..LANES {
                let apart = (x[n] - place[n]).abs();
                let around = period[n] - apart;
                let apart = if around < apart { around } else { apart };
                margins[n] -= apart * apart;
            }
        }
        margins
    }

    /// Reports a pair whose reaches meet, unless one ignores the other or looks past it.
    #[inline(never)]
    fn report(&mut self, i: u32, j: u32, out: &mut Vec<Pair>) {
        if !notice(self.paths, i as usize, j as usize) {
            return;
        }
        if self.lattice.how.pruning && self.lattice.looks_past(self.paths, i, j) {
            self.work.pruned_by_direction += 1;
            return;
        }
        out.push(Pair::of(i, j));
    }
}

impl<const D: usize> Layer<D> {
    fn new() -> Self {
        Self {
            start: Vec::new(),
            slots: Vec::new(),
            place: std::array::from_fn(|_| Vec::new()),
            reach: Vec::new(),
            pruned: Vec::new(),
        }
    }

    #[inline]
    fn body(&self, index: usize) -> Local<D> {
        Local {
            place: std::array::from_fn(|k| [self.place[k][index]; LANES]),
            reach: [self.reach[index]; LANES],
            slot: self.slots[index],
            pruned: self.pruned.get(index).copied().unwrap_or(0),
        }
    }
}
