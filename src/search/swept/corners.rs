//! All boxes of a window, each in the one cell that it begins in: for those who get new paths.

use super::lattice::Lattice;
use super::spans::{Frame, Span, Swept, meet};

/// Cells are so many times wider than boxes are on average, and at most so many for each of them.
const WIDER: f64 = 2.0;
const CELLS: usize = 1;
const FEWEST: usize = 64;

/// Boxes so many times longer than others, or longer than a quarter of an axis, are compared with all.
const LONG: f64 = 5.0;

/// Nobody, no cell.
const NONE: u32 = u32::MAX;

/// In `home`: on the list of large boxes.
const LARGE: u32 = u32::MAX - 1;

/// Lists of those who are in each cell, the cover and the others apart, and a list of boxes that are too
/// large for that.
#[derive(Debug)]
pub(super) struct Corners<const D: usize> {
    lattice: Lattice<D>,
    /// The first in each cell, outside of the cover and in it. \[2 cell + in the cover\]
    heads: Vec<u32>,
    /// Who comes next in the same list. \[slot\]
    next: Vec<u32>,
    /// The list, an index into `heads`. \[slot\]
    home: Vec<u32>,
    large: Vec<u32>,
    /// The longest box along each axis, but for large ones. \[units\]
    longest: [u32; D],
    /// What is large. \[units\]
    long: [u32; D],
}

impl<const D: usize> Default for Corners<D> {
    fn default() -> Self {
        Self {
            lattice: Lattice::default(),
            heads: Vec::new(),
            next: Vec::new(),
            home: Vec::new(),
            large: Vec::new(),
            longest: [0; D],
            long: [0; D],
        }
    }
}

impl<const D: usize> Corners<D> {
    /// Takes up boxes in place of all former \[slot\]: `in_cover` tells who is in the cover, and nothing
    /// of those who are not to be taken up. Boxes are of a `mean` length \[units\].
    pub(super) fn fill(
        &mut self,
        frame: &Frame<D>,
        boxes: &[Swept<D>],
        mean: [f64; D],
        in_cover: impl Fn(usize) -> Option<bool>,
    ) {
        let slots = boxes.len();
        self.lattice = Lattice::choose(frame, mean, WIDER, CELLS * slots + FEWEST);
        self.long = mean.map(|mean| (LONG * mean).min(f64::from(u32::MAX / 4)) as u32);
        self.longest = [0; D];
        self.large.clear();
        self.heads.clear();
        self.heads.resize(2 * self.lattice.total(), NONE);
        self.next.clear();
        self.next.resize(slots, NONE);
        self.home.clear();
        self.home.resize(slots, NONE);
        for (slot, swept) in boxes.iter().enumerate() {
            if let Some(in_cover) = in_cover(slot) {
                self.enter(slot, swept, in_cover);
            }
        }
    }

    /// Takes up the box of one that is nowhere, or has been somewhere else.
    pub(super) fn put(&mut self, slot: u32, swept: &Swept<D>, in_cover: bool) {
        let i = slot as usize;
        if i >= self.home.len() {
            self.home.resize(i + 1, NONE);
            self.next.resize(i + 1, NONE);
        }
        self.take(slot);
        self.enter(i, swept, in_cover);
    }

    #[inline]
    fn enter(&mut self, i: usize, swept: &Swept<D>, in_cover: bool) {
        if (0..D).any(|k| swept[k].length > self.long[k]) {
            self.home[i] = LARGE;
            self.large.push(i as u32);
            return;
        }
        (0..D).for_each(|k| self.longest[k] = self.longest[k].max(swept[k].length));
        let home = 2 * self.lattice.corner(swept) + usize::from(in_cover);
        self.home[i] = home as u32;
        self.next[i] = std::mem::replace(&mut self.heads[home], i as u32);
    }

    /// Forgets one, who may be nowhere.
    pub(super) fn take(&mut self, slot: u32) {
        let i = slot as usize;
        let Some(home) = self.home.get_mut(i) else { return };
        match std::mem::replace(home, NONE) {
            NONE => {}
            LARGE => self.large.retain(|&other| other != slot),
            home => {
                let mut at = self.heads[home as usize];
                if at == slot {
                    self.heads[home as usize] = self.next[i];
                    return;
                }
                while self.next[at as usize] != slot {
                    at = self.next[at as usize];
                }
                self.next[at as usize] = self.next[i];
            }
        }
    }

    /// Calls `found` once for each of these `boxes` \[slot\] that overlaps `swept`, of those outside of the
    /// cover and of those in it as `asked`; of large ones, for all. Returns how many cells and boxes were
    /// looked at.
    pub(super) fn ask(
        &self,
        boxes: &[Swept<D>],
        swept: &Swept<D>,
        asked: [bool; 2],
        mut found: impl FnMut(u32),
    ) -> [u64; 2] {
        let (mut cells, mut considered) = (0, 0);
        let around: Swept<D> = std::array::from_fn(|k| Span {
            from: swept[k].from.wrapping_sub(self.longest[k]),
            length: swept[k].length.saturating_add(self.longest[k]),
        });
        let mut look = |slot: u32| {
            considered += 1;
            if meet(swept, &boxes[slot as usize]) {
                found(slot);
            }
        };
        let ranges = self.lattice.run(0, around[0]).ranges();
        self.lattice.rows(&around, |first| {
            for range in &ranges {
                cells += range.len() as u64;
                for heads in self.heads[2 * (first + range.start)..2 * (first + range.end)].chunks_exact(2) {
                    for (&head, _) in heads.iter().zip(asked).filter(|(_, asked)| *asked) {
                        let mut at = head;
                        while at != NONE {
                            look(at);
                            at = self.next[at as usize];
                        }
                    }
                }
            }
        });
        self.large.iter().for_each(|&slot| look(slot));
        [cells, considered]
    }
}
