//! Swept boxes in cells, for steps that are long against radii: all are sorted, the few ask.
//!
//! Groups that ignore each other need not find each other. A *cover* of few particles has one of
//! each pair that might. The boxes that particles sweep in the window are sorted by the cells that
//! they begin in, those of the cover and those of others apart, and each particle of the cover asks
//! for the boxes that overlap its own. Boxes are compared axis by axis, which tells more than their
//! distance does when steps are longer than radii are.
//!
//! Where few ask few, nothing is sorted: boxes stay in the order of slots, and each that asks is compared with all
//! that come after it.
//!
//! Boxes that are far longer than others, and those of new paths within the window, are put aside
//! on a list that every particle is compared with. When it gets long, all are sorted anew.

mod aside;
mod cover;
mod entries;
mod lattice;
mod rows;
mod spans;

use rayon::prelude::*;

use super::cells::renumbered;
use super::counters::Tally;
use super::{Broad, Counters, GONE, Pair, Search};
use crate::space::{Paths, Window};
use aside::Aside;
use cover::Cover;
use entries::BoxList;
use rows::{Rows, moved};
use spans::{Frame, Lengths, UnitSpan};

/// Particles whose boxes are found, and particles that ask, as one piece of work; no result depends
/// on it.
const CHUNK: usize = 2048;
const ASKING: usize = 256;

/// See [`LongStep::pairs_per_box`] (measured).
const PAIRS_PER_BOX: usize = 128;

/// See [`few_ask`].
const FEW_ASK: usize = 8;

/// See the module.
#[derive(Debug, Default)]
pub struct LongStep<const D: usize> {
    frame: Frame<D>,
    end: f64,
    cover: Cover,
    /// All boxes, as they are now. \[slot\]
    boxes: Vec<spans::SweptBox<D>>,
    lengths: Lengths<D>,
    /// Those outside of the cover, and those in it.
    sides: [Rows<D>; 2],
    /// Which particles are in the cover; a list for those outside of it.
    few: Vec<u32>,
    many: Vec<u32>,
    aside: Aside<D>,
    /// Whether no particle has changed since the last refit.
    as_refit: bool,
    /// To sort a box takes about as long as to compare so many pairs: where there are fewer, none is sorted.
    pairs_per_box: usize,
    tally: Tally,
}

impl<const D: usize> LongStep<D> {
    /// What it holds of each particle: its box, and as an entry; its cell, its place in the order,
    /// on one of two lists and aside; about one cell; its role. \[bytes\]
    pub const EACH: usize = size_of::<spans::SweptBox<D>>()
        + BoxList::<D>::EACH
        + size_of::<[u32; 5]>()
        + size_of::<u8>();

    /// A structure without particles.
    pub fn new() -> Self {
        Self { pairs_per_box: PAIRS_PER_BOX, ..Self::default() }
    }

    /// One that sorts the boxes even where they are few.
    #[cfg(test)]
    pub(super) fn that_always_sorts() -> Self {
        Self::default()
    }

    /// Finds the boxes of all.
    fn fill_boxes(&mut self, paths: &Paths<'_, D>) {
        let Self { frame, boxes, .. } = self;
        boxes.resize(paths.len(), [UnitSpan::default(); D]);
        let chunks = boxes.par_chunks_mut(CHUNK).enumerate();
        chunks.for_each(|(chunk, boxes)| frame.fill(chunk * CHUNK, paths, boxes));
    }

    /// Sorts the boxes of those that interact with any particle.
    fn sort(&mut self, paths: &Paths<'_, D>) {
        self.take_sides(paths);
        let Self { frame, boxes, lengths, sides: [others, cover], many, few, aside, .. } = self;
        aside.clear(boxes.len());
        if few.len() * (many.len() + few.len()) < self.pairs_per_box * boxes.len() {
            others.list(boxes, many);
            cover.list(boxes, few);
            return;
        }
        *lengths = Lengths::of(boxes);
        let mut is_short = |slot: u32| {
            let swept = &boxes[slot as usize];
            let is_short = lengths.holds(swept);
            if !is_short {
                aside.put_first(slot, swept);
            }
            is_short
        };
        keep_from(0, many, &mut is_short);
        others.sort(frame, boxes, many, lengths);
        // Those of the cover ask, wherever they are.
        many.clone_from(few);
        keep_from(0, many, &mut is_short);
        cover.sort(frame, boxes, many, lengths);
    }

    /// Lists which particles are outside of the cover, and which particles are in it: without a
    /// branch, since no particle foresees which.
    fn take_sides(&mut self, paths: &Paths<'_, D>) {
        let Self { cover, boxes, many, few, .. } = self;
        let mut counts = [0; 2];
        many.resize(paths.len(), 0);
        few.resize(paths.len(), 0);
        for (i, (&alive, &group)) in
            paths.alive.iter().zip(paths.group).take(boxes.len()).enumerate()
        {
            (many[counts[0]], few[counts[1]]) = (i as u32, i as u32);
            counts[0] += usize::from(alive & cover.is_asked(group));
            counts[1] += usize::from(alive & cover.has(group));
        }
        many.truncate(counts[0]);
        few.truncate(counts[1]);
    }

    /// Takes up the path of `i` as it is now.
    fn put(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.as_refit = false;
        let slot = i as usize;
        // The slots before it have not been heard of, either.
        if slot > self.boxes.len() {
            self.fill_boxes(paths);
            return self.sort(paths);
        }
        if slot == self.boxes.len() {
            self.boxes.push([UnitSpan::default(); D]);
        }
        self.boxes[slot] = self.frame.swept(slot, paths);
        self.aside.put(i, &self.boxes[slot]);
        if self.aside.late() > most_late(paths.len()) {
            self.sort(paths);
        }
    }

    /// Appends to `out` whose boxes overlap `swept`, of those outside of the cover and of those in
    /// it as `asked`, at least those from such a slot on; of those aside, in any case.
    fn overlapping(
        &self,
        swept: &spans::SweptBox<D>,
        asked: [Option<u32>; 2],
        out: &mut Vec<u32>,
    ) -> Counters {
        let (before, mut counters) = (out.len(), Counters::default());
        for (rows, first) in self.sides.iter().zip(asked) {
            let Some(first) = first else { continue };
            let [cells, considered] = rows.ask(swept, first, out);
            counters.cells_visited += cells;
            counters.pairs_considered += considered;
        }
        keep_from(before, out, |slot| self.aside.is_sorted(slot));
        counters.pairs_considered += self.aside.ask(swept, out);
        counters
    }

    /// Every pair of one of the cover in `few` and one that it might touch.
    fn ask(&self, few: &[u32], paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        let (before, mut counters, mut found) = (out.len(), Counters::default(), Vec::new());
        for &slot in few {
            let i = slot as usize;
            let [cover, others] = self.cover.asks(paths.group[i]);
            found.clear();
            // Two of the cover need not find each other twice.
            let asked = [others.then_some(0), cover.then_some(slot + 1)];
            counters += self.overlapping(&self.boxes[i], asked, &mut found);
            let met = found.iter().filter(|&&other| {
                (slot < other || !self.cover.has(paths.group[other as usize]))
                    && paths.may_touch(i, other as usize, self.end)
            });
            out.extend(met.map(|&other| Pair::of(slot, other)));
        }
        self.count(counters, out.len() - before);
    }

    fn count(&self, mut counters: Counters, reported: usize) {
        counters.pairs_reported = reported as u64;
        counters.pruned_by_reach = counters.pairs_considered - counters.pairs_reported;
        self.tally.add(&counters);
    }
}

/// So many boxes are put aside before all are sorted anew: the root of how many there are, since
/// what it takes to sort them grows with that, and what it takes to compare with those aside with
/// the square of their number.
fn most_late(slots: usize) -> usize {
    64 + 6 * slots.isqrt()
}

/// Keeps those of `slots`, from place `first` on, that `is` says so of: without a branch, too.
fn keep_from(first: usize, slots: &mut Vec<u32>, mut is: impl FnMut(u32) -> bool) {
    let mut kept = first;
    for n in first..slots.len() {
        let slot = slots[n];
        slots[kept] = slot;
        kept += usize::from(is(slot));
    }
    slots.truncate(kept);
}

/// How many particles there are of each group, about: of many, a sample is counted.
fn count_groups<const D: usize>(paths: &Paths<'_, D>) -> Vec<usize> {
    let mut particles = Vec::new();
    if paths.groups.is_all() {
        return particles;
    }
    particles.resize(paths.groups.count(), 0);
    let sample = paths.group.iter().step_by(1 + paths.len() / CHUNK);
    sample.for_each(|&group| particles[group as usize] += 1);
    particles
}

/// Whether at most one in [`FEW_ASK`] particles asks; those that it asks ignore each other.
pub(super) fn few_ask<const D: usize>(paths: &Paths<'_, D>) -> bool {
    let cover = Cover::choose(paths.groups, &count_groups(paths));
    let asking = paths.group.iter().filter(|&&group| cover.has(group));
    FEW_ASK * asking.count() <= paths.len()
}

impl<const D: usize> Broad<D> for LongStep<D> {
    fn refit(&mut self, paths: &Paths<'_, D>, window: Window) {
        self.frame = Frame::new(paths.domain, window.end);
        self.end = window.end;
        self.cover = Cover::choose(paths.groups, &count_groups(paths));
        self.fill_boxes(paths);
        self.sort(paths);
        self.as_refit = true;
    }

    fn near(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) {
        let (before, slot) = (out.len(), i as usize);
        let [cover, others] = self.cover.asks(paths.group[slot]);
        if !(cover || others) {
            return;
        }
        let asked = [others, cover].map(|asked| asked.then_some(0));
        let counters = self.overlapping(&self.frame.swept(slot, paths), asked, out);
        keep_from(before, out, |other| {
            other != i && paths.may_touch(slot, other as usize, self.end)
        });
        self.count(counters, out.len() - before);
    }

    fn update(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.put(i, paths);
    }

    fn insert(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.put(i, paths);
    }

    fn remove(&mut self, i: u32) {
        self.as_refit = false;
        self.aside.take(i);
    }

    fn renumber(&mut self, new_slot: &[u32]) {
        self.as_refit = false;
        self.boxes = renumbered(&self.boxes, new_slot, [UnitSpan::default(); D]);
        // Boxes stay in the order that they are in, which is that of places; only their owners are called
        // something else.
        self.few.iter_mut().for_each(|slot| *slot = moved(*slot, new_slot));
        self.few.retain(|&slot| slot != GONE);
        self.sides.iter_mut().for_each(|rows| rows.renumber(new_slot));
        self.aside.renumber(new_slot);
    }

    fn counters(&self) -> Counters {
        self.tally.total()
    }

    fn describe(&self) -> String {
        let [others, cover] = &self.sides;
        let sorted = if others.len() > 0 { others } else { cover };
        format!(
            "swept: {} particles ask, {} are sorted, in {}",
            self.few.len(),
            sorted.len(),
            sorted.describe(&self.frame)
        )
    }
}

impl<const D: usize> Search<D> for LongStep<D> {
    fn pairs(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        if !self.as_refit {
            // `few` is as it was at the refit: those of the cover that came later are not among them.
            let mut near = Vec::new();
            for i in 0..paths.len() as u32 {
                near.clear();
                self.near(i, paths, &mut near);
                out.extend(near.iter().filter(|&&other| i < other).map(|&other| Pair(i, other)));
            }
            return;
        }
        if rayon::current_num_threads() == 1 || self.few.len() <= ASKING {
            return self.ask(&self.few, paths, out);
        }
        out.par_extend(self.few.par_chunks(ASKING).flat_map_iter(|few| {
            let mut found = Vec::new();
            self.ask(few, paths, &mut found);
            found
        }));
    }
}
