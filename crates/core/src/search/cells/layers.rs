//! All pairs of regular particles listed by centre: a walk over the cells, row by row.
//!
//! The entries of the cells of a row follow each other, so each particle is tested against a few
//! stretches of them, some at a time: one in its own row, and one in each neighbouring row that
//! comes later.

use std::ops::Range;

use multiversion::multiversion;
use multiversion::target::match_target;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::Lattice;
#[cfg(target_arch = "x86_64")]
use super::lanes::chosen_avx2;
use super::lanes::{LANES, Lanes, Local, chosen, each};
use super::lattice::interact;
use super::line::Line;
use crate::planted::{Fault, planted};
use crate::search::{Counters, Pair};
use crate::space::Paths;

/// Layers are dealt out to the threads in so many blocks each.
const BLOCKS_PER_THREAD: usize = 4;

/// So many hits are noted before they are written down.
const NOTES: usize = 512;

/// Room that is always left for notes made without a check: one for each of the at most six rows
/// that a particle is tested against.
const SPARE: usize = 8;

/// What [`Lanes::hits`] has found: the entry of the one particle, the first of the others, and the
/// bits.
#[derive(Clone, Copy, Default)]
struct Hits {
    one: u32,
    from: u32,
    bits: u32,
}

/// The walk over a block of layers.
struct Walk<'a, const D: usize> {
    lattice: &'a Lattice<D>,
    paths: &'a Paths<'a, D>,
    /// Fast, middle and slow axis.
    lines: [Line; 3],
    /// Whether all tests are to be between nearest images.
    images: bool,
    /// Cells looked into, and particles in them.
    visited: usize,
    considered: usize,
    notes: [Hits; NOTES],
    out: &'a mut Vec<Pair>,
}

impl<const D: usize> Lattice<D> {
    /// Appends all pairs of regular particles that may touch.
    pub(super) fn pairs_by_layers(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        let lines = self.grid.lines();
        // A particle is confined to its cell and half a cell around it. With four or more cells
        // around the box, such zones of neighbouring cells overlap in one image only, so plain
        // differences do; with three they may also meet round the other side. A path that began
        // before the window may have started anywhere, also across a face.
        let images = !self.fresh || lines.iter().any(|line| line.periodic() && line.count <= 3);
        let walk = |first: u32, last: u32, out: &mut Vec<Pair>| {
            let before = out.len();
            let notes = [Hits::default(); NOTES];
            let mut walk =
                Walk { lattice: self, paths, lines, images, visited: 0, considered: 0, notes, out };
            over_layers(&mut walk, first, last);
            let (visited, considered) = (walk.visited as u64, walk.considered as u64);
            let reported = (out.len() - before) as u64;
            self.tally.add(&Counters {
                cells_visited: visited,
                pairs_considered: considered,
                pruned_by_reach: considered - reported,
                pairs_reported: reported,
                ..Counters::default()
            });
        };
        let layers = lines[2].count;
        let threads = rayon::current_num_threads();
        if threads == 1 {
            return walk(0, layers, out);
        }
        let block = layers.div_ceil((threads * BLOCKS_PER_THREAD) as u32);
        // Only one caller at a time asks for all pairs. A second one would find the lock taken and
        // allocate vectors of its own.
        let mut parts =
            self.parts.try_lock().map(|mut parts| std::mem::take(&mut *parts)).unwrap_or_default();
        parts.resize_with(layers.div_ceil(block) as usize, Vec::new);
        // Handed out one by one, for the reason given in `Particles::stretches`.
        parts.par_iter_mut().with_max_len(1).enumerate().for_each(|(b, found)| {
            found.clear();
            let first = b as u32 * block;
            walk(first, layers.min(first + block), found);
        });
        // Blocks are in the order of layers, so the list is the same for any number of threads.
        gather(&parts, out);
        self.parts.try_lock().into_iter().for_each(|mut kept| *kept = std::mem::take(&mut parts));
    }
}

/// Appends all parts, in their order.
fn gather(parts: &[Vec<Pair>], out: &mut Vec<Pair>) {
    let before = out.len();
    out.resize(before + parts.iter().map(Vec::len).sum::<usize>(), Pair(0, 0));
    let mut rest = &mut out[before..];
    rayon::scope(|scope| {
        for part in parts {
            let (here, others) = std::mem::take(&mut rest).split_at_mut(part.len());
            rest = others;
            scope.spawn(|_| here.copy_from_slice(part));
        }
    });
}

/// [`Walk::layers`] with the widest vector instructions of the machine, found out when it runs.
#[multiversion(targets("x86_64+avx2+bmi2"))]
fn over_layers<const D: usize>(walk: &mut Walk<'_, D>, first: u32, last: u32) {
    match_target! {
        "x86_64+avx2+bmi2" => walk.layers(first, last, |margins| chosen_avx2(margins)),
        _ => walk.layers(first, last, chosen),
    }
}

impl<const D: usize> Walk<'_, D> {
    #[inline(always)]
    fn layers(&mut self, first: u32, last: u32, chosen: impl Fn([f32; LANES]) -> u32 + Copy) {
        let [fast, middle, slow] = self.lines;
        let mut count = 0;
        for layer in first..last {
            for row in 0..middle.count {
                let first_cell = |layer, row| (layer * middle.count + row) * fast.count;
                // Whether any of the rows is on the other side of a periodic face.
                let mut across = false;
                // Half of the neighbouring rows, so that each pair of rows is met once: those with
                // higher numbers in this layer (at most two) and all in the next layer (three).
                let mut others = SmallVec::<[u32; 5]>::new();
                for other in middle.neighbours(row) {
                    across |= other.abs_diff(row) > 1;
                    if other > row {
                        others.push(first_cell(layer, other));
                    }
                    if let Some(next) = slow.next(layer) {
                        across |= next < layer;
                        others.push(first_cell(next, other));
                    }
                }
                let own = first_cell(layer, row);
                count = match across || self.images {
                    true => self.one_row::<true>(own, &others, count, chosen),
                    false => self.one_row::<false>(own, &others, count, chosen),
                };
                // With two cells in a row, the first and the last are next to each other anyway.
                if fast.periodic() && fast.count >= 3 {
                    count = self.around_the_box(own, &others, count, chosen);
                }
            }
        }
        self.write_down(count);
    }

    /// All pairs of particles in cells that are next to each other, of a row with itself and with
    /// others, all given by their first cells. Takes and gives the number of notes.
    #[inline(always)]
    fn one_row<const IMAGES: bool>(
        &mut self,
        own: u32,
        others: &[u32],
        mut count: usize,
        chosen: impl Fn([f32; LANES]) -> u32 + Copy,
    ) -> usize {
        let (links, cells) = (&self.lattice.links, self.lines[0].count as usize);
        let lanes = links.entries.lanes(self.lattice.periods());
        let starts = |first: u32| &links.start[first as usize..][..=cells];
        let own_starts = starts(own);
        let particles = own_starts[0] as usize..own_starts[cells] as usize;
        let (mut visited, mut considered) = (0, 0);
        for (index, entry) in particles.clone().zip(&links.entries.which[particles]) {
            if count + SPARE > NOTES {
                count = self.write_down(count);
            }
            let a = lanes.local(index);
            // The cells c - 1 to c + 1 of a row are one stretch of entries. In the particle's own
            // row only entries after its own are tested, so each pair is met once.
            let c = (entry.cell - own) as usize;
            let (low, high) = (c.saturating_sub(1), (c + 2).min(cells));
            visited += high - c + (high - low) * others.len();
            let end = own_starts[high] as usize;
            considered += end - index - 1;
            count = self.test::<IMAGES>(&lanes, &a, index, index + 1..end, count, chosen);
            for &other in others {
                let starts = starts(other);
                let high = if planted(Fault::MissingCell) { high.min(c + 1) } else { high };
                let stretch = starts[low] as usize..starts[high] as usize;
                considered += stretch.end - stretch.start;
                count = self.test::<IMAGES>(&lanes, &a, index, stretch, count, chosen);
            }
        }
        self.visited += visited;
        self.considered += considered;
        count
    }

    /// The pairs that are missing in [`Walk::one_row`]: from the last cell of a row to the first.
    #[inline(always)]
    fn around_the_box(
        &mut self,
        own: u32,
        others: &[u32],
        mut count: usize,
        chosen: impl Fn([f32; LANES]) -> u32 + Copy,
    ) -> usize {
        let (links, last) = (&self.lattice.links, self.lines[0].count - 1);
        let lanes = links.entries.lanes(self.lattice.periods());
        let upper = others.iter().map(|other| (own, other + last));
        let lower = others.iter().map(|other| (own + last, *other));
        for (here, there) in upper.chain(lower).chain([(own, own + last)]) {
            let stretch = links.stretch(there, there);
            for index in links.stretch(here, here) {
                if count + SPARE > NOTES {
                    count = self.write_down(count);
                }
                self.visited += 1;
                self.considered += stretch.len();
                count = self.test::<true>(
                    &lanes,
                    &lanes.local(index),
                    index,
                    stretch.clone(),
                    count,
                    chosen,
                );
            }
        }
        count
    }

    /// Tests `a`, the particle of entry `one`, against a stretch. Whether there is a hit is hard to
    /// predict for the processor, so a note is made in any case, and overwritten by the next one
    /// if there was none.
    #[inline(always)]
    fn test<const IMAGES: bool>(
        &mut self,
        lanes: &Lanes<'_, D>,
        a: &Local<D>,
        one: usize,
        stretch: Range<usize>,
        mut count: usize,
        chosen: impl Fn([f32; LANES]) -> u32,
    ) -> usize {
        let mut from = stretch.start;
        while from + LANES < stretch.end {
            let bits = lanes.hits::<IMAGES>(a, from, &chosen);
            count = self.note(count, one, from, bits);
            from += LANES;
            if count + SPARE > NOTES {
                count = self.write_down(count);
            }
        }
        // Up to eight entries are left, none if the stretch is empty. The loads may reach into the
        // next cell or into the padding; what they find there is masked off.
        let rest = !(u32::MAX << stretch.end.wrapping_sub(from));
        self.note(count, one, from, lanes.hits::<IMAGES>(a, from, &chosen) & rest)
    }

    #[inline(always)]
    fn note(&mut self, count: usize, one: usize, from: usize, bits: u32) -> usize {
        self.notes[count % NOTES] = Hits { one: one as u32, from: from as u32, bits };
        count + usize::from(bits != 0)
    }

    /// Reports all hits of so many notes, except pairs that do not interact. Returns the number of
    /// notes left, which is 0.
    #[cold]
    #[inline(never)]
    fn write_down(&mut self, count: usize) -> usize {
        let which = &self.lattice.links.entries.which[..];
        let all = self.paths.groups.is_all();
        for hits in &self.notes[..count] {
            let i = which[hits.one as usize].particle;
            for j in each(hits.from, hits.bits).map(|index| which[index as usize].particle) {
                // Where all groups interact nothing is looked up. Dead particles have no visible
                // entry.
                if all || interact(self.paths, i as usize, j as usize) {
                    self.out.push(Pair::of(i, j));
                }
            }
        }
        0
    }
}
