//! The particles around one particle: the question of `near`, and of `pairs` where particles are
//! taken one by one.

use std::ops::Range;

use rayon::prelude::*;
use smallvec::SmallVec;

use super::Lattice;
use super::entries::Entry;
use super::grid::Span;
use super::lanes::{Local, all_hits};
use super::lattice::{interact, place_at};
use crate::search::counters::Tally;
use crate::search::{Counters, Listing, Pair};
use crate::space::{Paths, Vector};

impl<const D: usize> Lattice<D> {
    /// Calls `found` for each particle of this lattice that may touch `i`, of this lattice too, and
    /// is either regular, or on the short list and among `short`; each once.
    pub(in crate::search) fn around(
        &self,
        paths: &Paths<'_, D>,
        i: u32,
        short: &[u32],
        work: &mut Counters,
        mut found: impl FnMut(u32),
    ) {
        let Some(span) = self.span_of(i) else {
            return;
        };
        let reach = self.reach(i);
        if self.short.contains(i) {
            return self.swept(paths, i, reach, short, work, found);
        }
        let pruned = self.pruned(paths, &span, i);
        let block = self.grid.widened(span, pruned);
        let mut cut = match pruned {
            0 => 0,
            _ => self.grid.widened(span, 0).len() - block.len(),
        };
        self.in_block(paths, i, reach, block, work, |j| {
            match self.how.pruning && self.looks_past(paths, i, j) {
                true => cut += 1,
                false => found(j),
            }
        });
        work.pruned_by_direction += cut;
        self.among(paths, i, reach, short, work, found);
    }

    /// The same for a particle that gets as far as `reach` and is not confined to any cell of this
    /// lattice: all that it may touch on its way.
    pub(in crate::search) fn swept(
        &self,
        paths: &Paths<'_, D>,
        i: u32,
        reach: f32,
        short: &[u32],
        work: &mut Counters,
        mut found: impl FnMut(u32),
    ) {
        let block = self.reached_by(paths, i);
        self.in_block(paths, i, reach, block, work, &mut found);
        self.among(paths, i, reach, short, work, found);
    }

    /// Calls `found` for each of `others` but `i` that `i` may touch.
    fn among(
        &self,
        paths: &Paths<'_, D>,
        i: u32,
        reach: f32,
        others: &[u32],
        work: &mut Counters,
        mut found: impl FnMut(u32),
    ) {
        for &j in others.iter().filter(|&&j| j != i) {
            work.pairs_considered += 1;
            match self.may_touch(paths, i, reach, j) {
                true => found(j),
                false => work.pruned_by_reach += 1,
            }
        }
    }

    /// Calls `found` for each regular particle but `i` that a cell of the block lists and that `i`
    /// may touch; each once.
    fn in_block(
        &self,
        paths: &Paths<'_, D>,
        i: u32,
        reach: f32,
        block: Span<D>,
        work: &mut Counters,
        mut found: impl FnMut(u32),
    ) {
        let (links, entries) = (&self.links, &self.links.entries);
        // Around one cell in three dimensions there are nine rows, each of which is two pieces
        // where it wraps round the box.
        let mut stretches = SmallVec::<[Range<usize>; 18]>::new();
        self.grid.each_row(block, |first, last| {
            work.cells_visited += u64::from(last - first + 1);
            stretches.push(links.stretch(first, last));
        });
        let mut hits = SmallVec::new();
        all_hits(
            &entries.lanes(self.periods()),
            &self.local(paths, i, reach),
            &stretches,
            &mut hits,
        );
        let (mut others, mut met) =
            (stretches.iter().map(|stretch| stretch.len() as u64).sum::<u64>(), 0);
        for index in hits {
            // Never no particle: entries whose particle has left are infinitely far away.
            let Entry { particle: j, cell } = entries.which[index as usize];
            if j == i {
                others -= 1;
            } else if interact(paths, i as usize, j as usize) {
                met += 1;
                if self.is_first(&block, j, cell) {
                    found(j);
                }
            }
        }
        work.pairs_considered += others;
        work.pruned_by_reach += others - met;
        if links.any_late() {
            self.late_in_block(paths, i, reach, block, work, found);
        }
    }

    /// The rest of [`Lattice::in_block`]: particles that are in no entry.
    fn late_in_block(
        &self,
        paths: &Paths<'_, D>,
        i: u32,
        reach: f32,
        block: Span<D>,
        work: &mut Counters,
        mut found: impl FnMut(u32),
    ) {
        self.grid.each_row(block, |first, last| {
            for (cell, j) in
                self.links.late(first, last).filter(|(_, j)| *j != i && !self.short.contains(*j))
            {
                work.pairs_considered += 1;
                if !self.may_touch(paths, i, reach, j) {
                    work.pruned_by_reach += 1;
                } else if self.is_first(&block, j, cell) {
                    found(j);
                }
            }
        });
    }

    /// Particle `i`, which gets as far as `reach`, as the entries are tested against it.
    #[inline]
    fn local(&self, paths: &Paths<'_, D>, i: u32, reach: f32) -> Local<D> {
        let place = paths.domain.wrap(paths.position[i as usize]).0;
        Local { place: place.0.map(|x| x as f32), reach: reach + self.slack() }
    }

    /// Whether `cell` is the first of the block, in the order of coordinates, that lists particle
    /// `j`: a particle listed in several cells is reported from that one only.
    #[inline]
    fn is_first(&self, block: &Span<D>, j: u32, cell: u32) -> bool {
        if self.how.listing == Listing::Centre {
            return true;
        }
        let Some(span) = self.span_of(j) else {
            return false;
        };
        let here = self.grid.coordinates(cell);
        (0..D).all(|k| {
            let n = self.grid.counts()[k];
            let start = block.first[k];
            // Going up from the start of the block, one is among the cells of j at once or enters
            // them at their first. This holds on a circle too, where the two may overlap in two
            // pieces.
            let holds_start = (start + n - span.first[k]) % n < span.count[k];
            here[k] == if holds_start { start } else { span.first[k] }
        })
    }

    /// The cells of all regular particles that particle `i` could touch: those that meet the box
    /// that it sweeps, inflated by half a cell, since regular particles stay that near to their
    /// cells.
    fn reached_by(&self, paths: &Paths<'_, D>, i: u32) -> Span<D> {
        let (slot, grid) = (i as usize, &self.grid);
        let (place, from) = place_at(paths, slot, self.window.start);
        let travel = paths.velocity[slot] * (self.window.end - from);
        let pad = paths.radius[slot] + 2.0 * paths.domain.rounding();
        let margin = |k: usize| match grid.binds(k) {
            true => pad + 0.5 * grid.widths()[k],
            // Nothing binds a particle to its cell along this axis.
            false => f64::INFINITY,
        };
        grid.span_of_box(
            Vector::from_fn(|k| place[k] + travel[k].min(0.0) - margin(k)),
            Vector::from_fn(|k| place[k] + travel[k].max(0.0) + margin(k)),
        )
    }

    /// All pairs of regular particles, each particle asked for its surroundings.
    pub(super) fn pairs_of_each(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        ask(&self.tally, self.links.slots(), 512, out, |i, work, pairs| {
            let i = i as u32;
            if !self.short.contains(i) {
                self.around(paths, i, &[], work, |j| {
                    if i < j {
                        pairs.push(Pair(i, j));
                    }
                });
            }
        });
    }

    /// All pairs of regular particles at least one of which has been linked since the last sort.
    pub(super) fn pairs_of_latecomers(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        let late: Vec<u32> = self.links.latecomers().filter(|&i| !self.short.contains(i)).collect();
        ask(&self.tally, late.len(), 16, out, |n, work, pairs| {
            let i = late[n];
            self.around(paths, i, &[], work, |j| {
                // Two latecomers find each other; the pair is kept only once.
                if i < j || !self.links.is_late(j) {
                    pairs.push(Pair::of(i, j));
                }
            });
        });
    }

    /// All pairs with a member of the short list.
    pub(super) fn pairs_of_short_list(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        let members = self.short.members();
        ask(&self.tally, members.len(), 16, out, |n, work, pairs| {
            let i = members[n];
            // Members before this one have been paired with it already.
            self.around(paths, i, &members[n + 1..], work, |j| {
                pairs.push(Pair::of(i, j));
            });
        });
    }
}

/// Runs `task` for `0..count` in batches over the pool; gathers the pairs and the work.
pub(in crate::search) fn ask(
    tally: &Tally,
    count: usize,
    batch: usize,
    out: &mut Vec<Pair>,
    task: impl Fn(usize, &mut Counters, &mut Vec<Pair>) + Sync,
) {
    let batches = (0..count.div_ceil(batch)).into_par_iter();
    let parts: Vec<_> = batches
        .map(|b| {
            let (mut work, mut pairs) = (Counters::default(), Vec::new());
            let members = b * batch..count.min((b + 1) * batch);
            members.for_each(|n| task(n, &mut work, &mut pairs));
            work.pairs_reported += pairs.len() as u64;
            tally.add(&work);
            pairs
        })
        .collect();
    // In the order of the batches, not in that in which they were finished.
    parts.into_iter().for_each(|pairs| out.extend(pairs));
}
