//! Boxes in the order of the cells that they begin in. The cells of a row follow each other, and so
//! do their boxes: a query goes through a stretch of them in each row around, some at a time.

use std::ops::Range;

use smallvec::SmallVec;

use super::entries::{BoxList, LANES};
use super::lattice::BoxLattice;
use super::spans::{Frame, Lengths, SweptBox, UNITS, UnitSpan};
use crate::search::GONE;

/// How many times wider than boxes are long on average rows may be; cells along them are as long as
/// boxes are.
const WIDER: [f64; 10] = [1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 32.0];

/// There are at most so many cells for each box, and some more.
const CELLS: usize = 4;
const FEWEST: usize = 64;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Rows<const D: usize> {
    lattice: BoxLattice<D>,
    /// None is longer than the longest of these.
    lengths: Lengths<D>,
    /// Where the boxes of each cell begin, and where the last of them end. \[cell\]
    starts: Vec<u32>,
    entries: BoxList<D>,
    /// The cell of each box, while they are sorted, and then whose they are.
    cells: Vec<u32>,
    order: Vec<u32>,
}

impl<const D: usize> Rows<D> {
    /// Takes up the boxes of these `slots`, of all `boxes` \[slot\], in place of all former. None
    /// is longer than the longest of `lengths`.
    pub(super) fn sort(
        &mut self,
        frame: &Frame<D>,
        boxes: &[SweptBox<D>],
        slots: &[u32],
        lengths: &Lengths<D>,
    ) {
        self.lengths = *lengths;
        self.lattice = choose(frame, lengths, slots.len());
        let Self { lattice, starts, entries, cells, order, .. } = self;
        // By counting, in linear time. Those of one cell stay in the order of slots, which is about that of
        // places, so that what is compared together is near in memory.
        cells.clear();
        cells.extend(slots.iter().map(|&slot| lattice.corner(&boxes[slot as usize]) as u32));
        starts.clear();
        starts.resize(lattice.total() + 1, 0);
        cells.iter().for_each(|&cell| starts[cell as usize] += 1);
        // Each becomes the end of its cell, and its beginning while slots are put down from the
        // end.
        let mut end = 0;
        for start in &mut *starts {
            end += *start;
            *start = end;
        }
        order.resize(slots.len(), 0);
        for (&slot, &cell) in slots.iter().zip(&*cells).rev() {
            let start = &mut starts[cell as usize];
            *start -= 1;
            order[*start as usize] = slot;
        }
        // Apart, so that the processor waits for many boxes at a time.
        entries.resize(slots.len());
        for (index, &slot) in order.iter().enumerate() {
            entries.set(index, slot, &boxes[slot as usize]);
        }
    }

    /// Takes up the boxes of these `slots` as they are: all are in one cell, in the order of slots.
    pub(super) fn list(&mut self, boxes: &[SweptBox<D>], slots: &[u32]) {
        self.lengths = Lengths::default();
        self.lattice = BoxLattice::default();
        self.starts.clear();
        self.starts.extend([0, slots.len() as u32]);
        self.entries.resize(slots.len());
        for (index, &slot) in slots.iter().enumerate() {
            self.entries.set(index, slot, &boxes[slot as usize]);
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Appends to `found` whose boxes overlap `swept`, at least those of slots from `first` on. Returns in how many
    /// cells they were sought, and how many were compared.
    pub(super) fn ask(&self, swept: &SweptBox<D>, first: u32, found: &mut Vec<u32>) -> [u64; 2] {
        if self.lattice.total() == 1 {
            let all = self.entries.start_of(first)..self.len();
            self.entries.ask(swept, std::slice::from_ref(&all), found);
            return [1, all.len() as u64];
        }
        // Boxes are sorted by where they begin: what begins before this one by no more than the longest is
        // long may reach it.
        let around: SweptBox<D> = std::array::from_fn(|k| UnitSpan {
            from: swept[k].from.wrapping_sub(self.lengths.longest[k]),
            length: swept[k].length.saturating_add(self.lengths.longest[k]),
        });
        let (mut stretches, mut cells, mut compared) =
            (SmallVec::<[Range<usize>; 32]>::new(), 0, 0);
        for run in self.lattice.run(0, around[0]).ranges() {
            if run.is_empty() {
                continue;
            }
            self.lattice.rows(&around, self.lattice.cells[0] as usize, |row| {
                let stretch =
                    self.starts[row + run.start] as usize..self.starts[row + run.end] as usize;
                cells += run.len() as u64;
                compared += stretch.len() as u64;
                if !stretch.is_empty() {
                    stretches.push(stretch);
                }
            });
        }
        self.entries.ask(swept, &stretches, found);
        [cells, compared]
    }

    /// Follows a renumbering of the slots.
    pub(super) fn renumber(&mut self, new_slot: &[u32]) {
        self.entries.which().iter_mut().for_each(|slot| *slot = moved(*slot, new_slot));
    }

    /// How the cells are set.
    pub(super) fn describe(&self, frame: &Frame<D>) -> String {
        let width = |k: usize| format!("{:.3}", frame.edge(k) / f64::from(self.lattice.cells[k]));
        let count = self.lattice.cells.map(|cells| cells.to_string()).join(" x ");
        format!("{count} cells of {}", (0..D).map(width).collect::<Vec<_>>().join(" x "))
    }
}

/// Where the particle of a slot is now, if it is anywhere.
pub(super) fn moved(slot: u32, new_slot: &[u32]) -> u32 {
    new_slot.get(slot as usize).copied().unwrap_or(GONE)
}

/// The cells in which asking for the boxes around one takes least: as much for each row as for some
/// boxes that are compared at once.
fn choose<const D: usize>(frame: &Frame<D>, lengths: &Lengths<D>, count: usize) -> BoxLattice<D> {
    let Lengths { mean, longest } = lengths;
    let cost = |lattice: &BoxLattice<D>| {
        // How many cells along each axis are around a box, and what share of the axis they are.
        let around = |k: usize| {
            let cells = f64::from(lattice.cells[k]);
            let taken = (mean[k] + f64::from(longest[k])) * cells / UNITS + 1.0;
            [taken.min(cells), (taken / cells).min(1.0)]
        };
        let rows: f64 = (1..D).map(|k| around(k)[0]).product();
        let compared = (0..D).fold(count as f64, |count, k| count * around(k)[1]);
        rows * 2.0 + compared / LANES as f64
    };
    let choices = WIDER.map(|wider| {
        let width = std::array::from_fn(|k| if k == 0 { mean[k] } else { wider * mean[k] });
        BoxLattice::choose(frame, width, CELLS * count + FEWEST)
    });
    let [first, others @ ..] = choices;
    others.into_iter().fold(first, |best, next| if cost(&next) < cost(&best) { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Random};
    use crate::search::long_step::spans::meet;
    use crate::space::Domain;

    /// Boxes of all lengths, a few as long as the axis.
    fn boxes<const D: usize>(count: u64, typical: f64) -> Vec<SweptBox<D>> {
        let random = Random::new(11);
        let draw =
            |n: u64, k: usize, m: u64| random.uniform(Purpose::Placement, [n, k as u64, m, 0]);
        let span = |n: u64, k: usize| {
            let factor = [1.0, 3.0, 0.0, 20.0, 1e9][if n % 64 == 7 { 4 } else { n as usize % 4 }];
            let length = (draw(n, k, 1) * factor * typical).min(f64::from(u16::MAX)) as u16;
            UnitSpan { from: (draw(n, k, 0) * f64::from(u16::MAX)) as u16, length }
        };
        (0..count).map(|n| std::array::from_fn(|k| span(n, k))).collect()
    }

    fn all_are_found<const D: usize>(typical: f64) {
        let frame = Frame::<D>::new(&Domain::new([10.0; D], [true; D]), 1.0);
        let boxes = boxes::<D>(600, typical);
        let lengths = Lengths::of(&boxes);
        let short = |slot: &u32| lengths.holds(&boxes[*slot as usize]);
        let some: Vec<u32> = (0..600).filter(|slot| slot % 2 == 0).filter(short).collect();
        assert!(some.len() > 250);
        let mut rows = Rows::default();
        let mut met = 0;
        // Once more with room from before.
        for some in [&some[..], &some[..150]] {
            rows.sort(&frame, &boxes, some, &lengths);
            for swept in &boxes {
                let mut found = Vec::new();
                rows.ask(swept, 0, &mut found);
                found.sort_unstable();
                let all: Vec<_> = some
                    .iter()
                    .copied()
                    .filter(|&slot| meet(swept, &boxes[slot as usize]))
                    .collect();
                assert_eq!(found, all);
                met += all.len();
            }
        }
        assert!(met > 300, "{met}");
    }

    #[test]
    fn one_that_asks_finds_all_boxes_that_overlap_its_own_and_no_others() {
        for typical in [15.0, 500.0, 6000.0, 30_000.0] {
            all_are_found::<1>(typical);
            all_are_found::<2>(typical);
            all_are_found::<3>(typical);
        }
    }
}
