//! Swept boxes in cells, for steps that are long against radii: the few are entered, the many ask.
//!
//! Groups that take no notice of each other need not find each other. A *cover* of few bodies has one of
//! each pair that might: the boxes that these sweep in the window are listed by all cells around, and
//! each body that takes notice of the cover asks the one cell that its own box begins in. Boxes are compared
//! axis by axis, which tells more than their distance does when steps are longer than radii are.
//!
//! Bodies with new paths within the window are searched for in another lattice, where every box is in the
//! cell that it begins in: it is made when the first of them asks.

mod corners;
mod cover;
mod lattice;
mod masks;
mod spans;

use std::sync::{Mutex, OnceLock};

use rayon::prelude::*;

use super::cells::renumbered;
use super::counters::Tally;
use super::{Broad, Counters, Pair, Search};
use crate::space::{Groups, Paths, Window};
use corners::Corners;
use cover::Cover;
use masks::Masks;
use spans::{Frame, Span, mean, meet};

/// Bodies handled as one piece of work; no result depends on it.
const CHUNK: usize = 2048;

/// One box in so many tells how large boxes are.
const SAMPLE: usize = 16;

/// See the module.
#[derive(Debug)]
pub struct Swept<const D: usize> {
    frame: Frame<D>,
    end: f64,
    cover: Cover,
    /// The boxes of the cover, as they were at the last refit.
    masks: Masks<D>,
    /// Whose they are.
    few: Vec<u32>,
    /// All boxes, as they are now. \[slot\]
    boxes: Vec<spans::Swept<D>>,
    /// How long they are on average along each axis. \[units\]
    mean: [f64; D],
    /// All boxes as they are now, if anybody has asked.
    corners: OnceLock<Corners<D>>,
    /// Room for that.
    room: Mutex<Corners<D>>,
    /// Whether nobody has changed since the last refit.
    as_refit: bool,
    tally: Tally,
}

impl<const D: usize> Default for Swept<D> {
    fn default() -> Self {
        Self {
            frame: Frame::default(),
            end: 1.0,
            cover: Cover::default(),
            masks: Masks::default(),
            few: Vec::new(),
            boxes: Vec::new(),
            mean: [1.0; D],
            corners: OnceLock::new(),
            room: Mutex::default(),
            as_refit: false,
            tally: Tally::default(),
        }
    }
}

impl<const D: usize> Swept<D> {
    /// A structure without bodies.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives up the lattice of the last window, and keeps its room.
    fn forget_corners(&mut self) {
        if let (Some(corners), Ok(room)) = (self.corners.take(), self.room.get_mut()) {
            *room = corners;
        }
    }

    /// All boxes as they are now.
    fn corners(&self, paths: &Paths<'_, D>) -> &Corners<D> {
        self.corners.get_or_init(|| {
            let mut corners = self.room.lock().map(|mut room| std::mem::take(&mut *room)).unwrap_or_default();
            // Who was taken back has left a box.
            let is_here = |i: usize| paths.alive.get(i).is_some_and(|&alive| alive);
            let in_cover = |i: usize| is_here(i).then(|| self.cover.has(paths.group[i]));
            corners.fill(&self.frame, &self.boxes, self.mean, in_cover);
            corners
        })
    }

    /// Finds the boxes of all.
    fn fill_boxes(&mut self, paths: &Paths<'_, D>) {
        let Self { frame, boxes, .. } = self;
        boxes.resize(paths.len(), [Span::default(); D]);
        let fill = |first: usize, boxes: &mut [spans::Swept<D>]| {
            boxes.iter_mut().enumerate().for_each(|(n, swept)| *swept = frame.swept(first + n, paths));
        };
        match rayon::current_num_threads() {
            1 => fill(0, boxes),
            _ => {
                boxes.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, boxes)| fill(chunk * CHUNK, boxes))
            }
        }
        self.mean = mean(self.boxes.iter().step_by(SAMPLE));
    }

    /// Takes up the path of `i` as it is now.
    fn put(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.as_refit = false;
        let slot = i as usize;
        if slot == self.boxes.len() {
            self.boxes.push([Span::default(); D]);
        } else if slot > self.boxes.len() {
            self.forget_corners();
            self.fill_boxes(paths);
        }
        self.boxes[slot] = self.frame.swept(slot, paths);
        self.corners(paths);
        if let Some(corners) = self.corners.get_mut() {
            corners.put(i, &self.boxes[slot], self.cover.has(paths.group[slot]));
        }
    }

    /// Every pair of one in `slots` who asks and one that the last refit found in the cover.
    fn ask_masks(&self, slots: std::ops::Range<usize>, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        let mut counters = Counters::default();
        let (before, mut blocks) = (out.len(), 0);
        for i in slots {
            let group = paths.group[i];
            if !(paths.alive[i] && self.cover.asks(paths.groups, group)[0]) {
                continue;
            }
            let (slot, in_cover) = (i as u32, self.cover.has(group));
            let swept = &self.boxes[i];
            let look = |other: u32| {
                counters.pairs_considered += 1;
                // Two of the cover would find each other twice.
                if (!in_cover || slot < other)
                    && meet(swept, &self.boxes[other as usize])
                    && paths.may_touch(i, other as usize, self.end)
                {
                    out.push(Pair::of(slot, other));
                }
            };
            if self.masks.is_short(swept) {
                blocks += self.masks.ask(swept, look);
            } else {
                self.few.iter().copied().filter(|&other| other != slot).for_each(look);
            }
        }
        counters.cells_visited = blocks;
        self.count(counters, out.len() - before);
    }

    fn count(&self, mut counters: Counters, reported: usize) {
        counters.pairs_reported = reported as u64;
        counters.pruned_by_reach = counters.pairs_considered - counters.pairs_reported;
        self.tally.add(&counters);
    }
}

/// How many bodies there are of each group.
fn count_groups<const D: usize>(paths: &Paths<'_, D>) -> [usize; Groups::MOST] {
    let mut bodies = [0; Groups::MOST];
    paths.group.iter().for_each(|&group| bodies[group as usize] += 1);
    bodies
}

impl<const D: usize> Broad<D> for Swept<D> {
    fn refit(&mut self, paths: &Paths<'_, D>, window: Window, _: f64) {
        self.forget_corners();
        self.frame = Frame::new(paths.domain, window.end);
        self.end = window.end;
        self.cover = Cover::choose(paths.groups, &count_groups(paths));
        self.fill_boxes(paths);
        self.few.clear();
        let cover = self.cover;
        let covers = |&i: &u32| cover.has(paths.group[i as usize]) && paths.alive[i as usize];
        self.few.extend((0..paths.len() as u32).filter(covers));
        self.masks.fill(&self.frame, &self.boxes, &self.few, self.mean);
        self.as_refit = true;
    }

    fn near(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) {
        let before = out.len();
        let slot = i as usize;
        let [cover, others] = self.cover.asks(paths.groups, paths.group[slot]);
        if !(cover || others) {
            return;
        }
        let swept = self.frame.swept(slot, paths);
        let looked = self.corners(paths).ask(&self.boxes, &swept, [others, cover], |other| {
            if other != i && paths.may_touch(slot, other as usize, self.end) {
                out.push(other);
            }
        });
        let counters =
            Counters { cells_visited: looked[0], pairs_considered: looked[1], ..Counters::default() };
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
        if let Some(corners) = self.corners.get_mut() {
            corners.take(i);
        }
    }

    fn renumber(&mut self, new_slot: &[u32]) {
        self.as_refit = false;
        self.forget_corners();
        self.boxes = renumbered(&self.boxes, new_slot, [Span::default(); D]);
    }

    fn counters(&self) -> Counters {
        self.tally.total()
    }

    fn describe(&self) -> String {
        format!("swept: {} boxes are entered, {}", self.few.len(), self.masks.describe(&self.frame))
    }
}

impl<const D: usize> Search<D> for Swept<D> {
    fn pairs(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        let slots = paths.len();
        if !self.as_refit {
            let mut near = Vec::new();
            for i in 0..slots as u32 {
                near.clear();
                self.near(i, paths, &mut near);
                out.extend(near.iter().filter(|&&other| i < other).map(|&other| Pair(i, other)));
            }
            return;
        }
        if rayon::current_num_threads() == 1 || slots <= CHUNK {
            return self.ask_masks(0..slots, paths, out);
        }
        out.par_extend((0..slots.div_ceil(CHUNK)).into_par_iter().flat_map_iter(|chunk| {
            let mut found = Vec::new();
            self.ask_masks(chunk * CHUNK..((chunk + 1) * CHUNK).min(slots), paths, &mut found);
            found
        }));
    }
}
