//! The boxes of the cover as bits: who asks reads a few words, whatever is around.
//!
//! Every box that asks begins in one cell and is no longer than a *reach*, so that the cell can list all
//! boxes of the cover that it might overlap, 64 to a block. The stretch of an axis that cell and reach
//! take up is divided into slabs. A block has a word for each slab of those who begin in it or before, and
//! one of those who end in it or beyond. What is set in the first for the slab where the asking box ends,
//! and in the second for that where it begins, overlaps it along that axis, as far as slabs can tell.

use super::lattice::Lattice;
use super::spans::{Frame, Span, Swept};

/// Slabs along an axis: a power of two.
const SLABS: usize = 16;

/// Of the boxes that ask, few are so many times longer than they are on average.
const LONG: f64 = 4.0;

/// A cell should list so many boxes, and there are at most so many cells for each box, and some more.
const LISTED: f64 = 40.0;
const CELLS: usize = 1;
const FEWEST: usize = 64;

/// A reach of so much of an axis leaves nothing to divide.
const MOST_OF_AXIS: f64 = 0.4;

/// As many boxes as a word has bits.
#[derive(Clone, Debug)]
struct Block<const D: usize> {
    /// Who begins in each slab or before.
    begun: [[u64; SLABS]; D],
    /// Who ends in each slab or beyond.
    lasting: [[u64; SLABS]; D],
}

/// Cells with blocks of boxes.
#[derive(Debug)]
pub(super) struct Masks<const D: usize> {
    lattice: Lattice<D>,
    /// The longest box that may ask. \[units\]
    reach: [u32; D],
    /// A slab is two to the power of so many parts of a cell wide, of which that has 2^32.
    shift: [u32; D],
    /// Whether all of the axis is one cell, which tells nothing.
    open: [bool; D],
    /// Where the list of each cell begins, and its first block. \[cell\]
    starts: Vec<[u32; 2]>,
    /// The lists.
    slots: Vec<u32>,
    blocks: Vec<Block<D>>,
}

impl<const D: usize> Default for Masks<D> {
    fn default() -> Self {
        Self {
            lattice: Lattice::default(),
            reach: [u32::MAX; D],
            shift: [28; D],
            open: [true; D],
            starts: vec![[0; 2]; 2],
            slots: Vec::new(),
            blocks: Vec::new(),
        }
    }
}

impl<const D: usize> Masks<D> {
    /// Takes up these `boxes` of the cover, of such `few` slots, in place of all former; boxes that ask
    /// are of a `mean` length \[units\].
    pub(super) fn fill(&mut self, frame: &Frame<D>, boxes: &[Swept<D>], few: &[u32], mean: [f64; D]) {
        self.choose(frame, few.len(), mean);
        let total = self.lattice.total();
        self.starts.clear();
        self.starts.resize(total + 1, [0; 2]);
        for &slot in few {
            let around = self.around(&boxes[slot as usize]);
            self.lattice.each(&around, |cell| self.starts[cell][0] += 1);
        }
        // Each becomes the end of its list, and its beginning while slots are put down from the end.
        let mut end = [0; 2];
        for start in &mut self.starts {
            let listed = start[0];
            *start = [end[0] + listed, end[1]];
            end = [end[0] + listed, end[1] + listed.div_ceil(64)];
        }
        self.slots.resize(end[0] as usize, 0);
        for &slot in few {
            let around = self.around(&boxes[slot as usize]);
            let Self { lattice, starts, slots, .. } = self;
            lattice.each(&around, |cell| {
                starts[cell][0] -= 1;
                slots[starts[cell][0] as usize] = slot;
            });
        }
        let none = [[0; SLABS]; D];
        self.blocks.resize(end[1] as usize, Block { begun: none, lasting: none });
        (0..total).for_each(|cell| self.fill_blocks(cell, boxes));
    }

    /// Makes the blocks of a cell.
    fn fill_blocks(&mut self, cell: usize, boxes: &[Swept<D>]) {
        let [from, to] = [self.starts[cell], self.starts[cell + 1]];
        let place = self.lattice.place(cell);
        let slots = self.slots[from[0] as usize..to[0] as usize].chunks(64);
        for (block, slots) in self.blocks[from[1] as usize..to[1] as usize].iter_mut().zip(slots) {
            (block.begun, block.lasting) = ([[0; SLABS]; D], [[0; SLABS]; D]);
            for (number, &slot) in slots.iter().enumerate() {
                for k in 0..D {
                    let span = boxes[slot as usize][k];
                    let ends = match self.open[k] {
                        true => [0, u64::MAX],
                        false => stretch(u64::from(self.lattice.cells[k]), place[k], span, self.reach[k]),
                    };
                    let [begin, end] = ends.map(|end| (end >> self.shift[k]).min(SLABS as u64 - 1) as usize);
                    block.begun[k][begin] |= 1 << number;
                    block.lasting[k][end] |= 1 << number;
                }
            }
            for (begun, lasting) in block.begun.iter_mut().zip(&mut block.lasting) {
                (1..SLABS).for_each(|slab| begun[slab] |= begun[slab - 1]);
                (1..SLABS).rev().for_each(|slab| lasting[slab - 1] |= lasting[slab]);
            }
        }
    }

    /// Sets the cells, the reach and the slabs for `count` boxes.
    fn choose(&mut self, frame: &Frame<D>, count: usize, mean: [f64; D]) {
        const AXIS: f64 = (1_u64 << 32) as f64;
        let reach = mean.map(|mean| LONG * mean.max(16.0));
        self.open = reach.map(|reach| reach > MOST_OF_AXIS * AXIS);
        let share = |k: usize, cells: f64| match self.open[k] {
            true => 1.0,
            false => ((AXIS / cells + reach[k] + mean[k]) / AXIS).min(1.0),
        };
        let most = (CELLS * count + FEWEST) as f64;
        let mut cells = [1.0; D];
        loop {
            let listed = (0..D).fold(count as f64, |listed, k| listed * share(k, cells[k]));
            let total: f64 = cells.iter().product();
            // The axis with the widest cells is divided.
            let wide = (0..D).filter(|&k| !self.open[k]).max_by(|&a, &b| {
                let width = |k: usize| frame.edge(k) / cells[k];
                width(a).total_cmp(&width(b))
            });
            let Some(k) = wide.filter(|_| listed > LISTED && total < most) else { break };
            cells[k] = (cells[k] * 1.2_f64).ceil().min(65536.0);
            if cells[k] >= 65536.0 {
                break;
            }
        }
        // A cell and its reach must not come round to where they began.
        for k in 0..D {
            let width = AXIS / cells[k] + reach[k];
            self.open[k] |= width > 0.9 * AXIS;
            if self.open[k] {
                (cells[k], self.reach[k], self.shift[k]) = (1.0, u32::MAX, 32 - SLABS.ilog2());
            } else {
                self.reach[k] = reach[k] as u32;
                self.shift[k] = self.slab_shift(k, cells[k] as u32);
            }
        }
        self.lattice = Lattice::new(cells.map(|cells| cells as u32));
    }

    /// Cell and reach are no more than all slabs.
    fn slab_shift(&self, k: usize, cells: u32) -> u32 {
        let stretch = (1_u64 << 32) + u64::from(self.reach[k]) * u64::from(cells);
        stretch.next_power_of_two().ilog2() - SLABS.ilog2()
    }

    /// Where boxes begin that might overlap `swept`.
    #[inline]
    fn around(&self, swept: &Swept<D>) -> Swept<D> {
        let mut around = *swept;
        for k in 0..D {
            around[k] = Span {
                from: swept[k].from.wrapping_sub(self.reach[k]),
                length: swept[k].length.saturating_add(self.reach[k]),
            };
        }
        around
    }

    /// Whether a box may ask.
    #[inline]
    pub(super) fn is_short(&self, swept: &Swept<D>) -> bool {
        (0..D).fold(true, |so_far, k| so_far & ((swept[k].length < self.reach[k]) | self.open[k]))
    }

    /// Calls `found` once for each box that might overlap `swept`, which is short. Returns how many blocks
    /// were looked at.
    #[inline]
    pub(super) fn ask(&self, swept: &Swept<D>, mut found: impl FnMut(u32)) -> u64 {
        let mut slabs = [[0; 2]; D];
        let mut cell = 0;
        for k in (0..D).rev() {
            let place = self.lattice.cell(k, swept[k].from);
            cell = cell * self.lattice.cells[k] as usize + place as usize;
            let cells = u64::from(self.lattice.cells[k]);
            let from = (u64::from(swept[k].from) * cells) & u64::from(u32::MAX);
            let to = from + u64::from(swept[k].length) * cells;
            slabs[k] = [from, to].map(|at| (at >> self.shift[k]).min(SLABS as u64 - 1) as usize);
        }
        let [from, to] = [self.starts[cell], self.starts[cell + 1]];
        let blocks = &self.blocks[from[1] as usize..to[1] as usize];
        let lists = self.slots[from[0] as usize..to[0] as usize].chunks(64);
        for (block, slots) in blocks.iter().zip(lists) {
            let mut left = u64::MAX;
            for k in 0..D {
                left &= block.lasting[k][slabs[k][0]] & block.begun[k][slabs[k][1]];
            }
            while left != 0 {
                found(slots[left.trailing_zeros() as usize]);
                left &= left - 1;
            }
        }
        blocks.len() as u64
    }

    /// How the cells are set.
    pub(super) fn describe(&self, frame: &Frame<D>) -> String {
        let width = |k: usize| format!("{:.3}", frame.edge(k) / f64::from(self.lattice.cells[k]));
        let count = self.lattice.cells.map(|cells| cells.to_string()).join(" x ");
        format!("in {count} cells of {}", (0..D).map(width).collect::<Vec<_>>().join(" x "))
    }
}

/// Where on the stretch that a cell and the reach beyond it take up a span begins and ends: from the cell's
/// beginning, in parts of which a cell has 2^32. It is the cell number `place` of so many.
fn stretch(cells: u64, place: u32, span: Span, reach: u32) -> [u64; 2] {
    let [axis, begin] = [cells, u64::from(place)].map(|cells| cells << 32);
    let [from, length, reach] = [span.from, span.length, reach].map(|units| u64::from(units) * cells);
    let ahead = if from < begin { from + axis - begin } else { from - begin };
    if ahead + length < axis {
        return [ahead, ahead + length];
    }
    // The cell begins within it; it may begin once more before the stretch ends.
    let end = if ahead < (1 << 32) + reach { u64::MAX } else { ahead + length - axis };
    [0, end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Random};
    use crate::search::swept::spans::{mean, meet};
    use crate::space::Domain;

    /// Boxes of all lengths, a few as long as the axis.
    fn boxes<const D: usize>(count: u64, typical: f64) -> Vec<Swept<D>> {
        let random = Random::new(11);
        let draw = |n: u64, k: usize, m: u64| random.uniform(Purpose::Placement, [n, k as u64, m, 0]);
        let span = |n: u64, k: usize| {
            let factor = [1.0, 3.0, 0.0, 20.0, 1e9][if n % 64 == 7 { 4 } else { n as usize % 4 }];
            let length = (draw(n, k, 1) * factor * typical).min(f64::from(u32::MAX)) as u32;
            Span { from: (draw(n, k, 0) * f64::from(u32::MAX)) as u32, length }
        };
        (0..count).map(|n| std::array::from_fn(|k| span(n, k))).collect()
    }

    fn all_are_found<const D: usize>(typical: f64) {
        let frame = Frame::<D>::new(&Domain::new([10.0; D], [true; D]), 1.0);
        let boxes = boxes::<D>(600, typical);
        let few: Vec<u32> = (0..600).filter(|slot| slot % 2 == 0).collect();
        let mut masks = Masks::default();
        let mut asked = 0;
        // Once more with room from before.
        for few in [&few[..], &few[..200]] {
            masks.fill(&frame, &boxes, few, mean(boxes.iter().filter(|swept| swept[0].length < 1 << 31)));
            for swept in boxes.iter().filter(|swept| masks.is_short(swept)) {
                asked += 1;
                let mut found = Vec::new();
                masks.ask(swept, |slot| found.push(slot));
                found.sort_unstable();
                assert!(found.windows(2).all(|two| two[0] < two[1]), "none twice: {found:?}");
                let missed = few
                    .iter()
                    .find(|&&slot| meet(swept, &boxes[slot as usize]) && found.binary_search(&slot).is_err());
                assert_eq!(missed, None);
            }
        }
        assert!(asked > 300, "{asked}");
    }

    #[test]
    fn who_asks_finds_all_boxes_that_overlap_its_own() {
        for typical in [1e6, 3e7, 4e8, 2e9] {
            all_are_found::<1>(typical);
            all_are_found::<2>(typical);
            all_are_found::<3>(typical);
        }
    }
}
