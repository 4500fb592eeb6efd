//! Strays: particles that have moved farther than their skins. Their neighbours are kept beside the
//! lists, symmetrically, and found again at each step.

use std::ops::Range;

use multiversion::multiversion;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::{CHUNK, NONE, Verlet};
use crate::search::{Broad, GONE, Pair};
use crate::space::{Domain, Paths, Vector};

/// One particle in so many may stray, and a few more, before the lists are made anew.
const STRAYS: usize = 400;
const SOME_MORE: usize = 4;

/// Strays whose neighbours are sought as one piece of work.
const TOGETHER: usize = 32;

/// How many particles are looked at together.
const LANES: usize = 32;

/// By how much the squared distances of particles exceed their squared skins; 0 in lanes that are
/// left over.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn excesses<const D: usize>(
    domain: &Domain<D>,
    end: f64,
    [place, position, velocity]: [&[Vector<D>]; 3],
    [wide, radius, since]: [&[f64]; 3],
    excess: &mut [f64; LANES],
) {
    let count = place.len();
    let (position, velocity) = (&position[..count], &velocity[..count]);
    let (wide, radius, since) = (&wide[..count], &radius[..count], &since[..count]);
    excess.fill(0.0);
    for n in 0..count.min(LANES) {
        let start = domain.nearest_image(position[n] - place[n]);
        let arrival = start + velocity[n] * (end - since[n]);
        let (start, arrival) = (start.norm_squared(), arrival.norm_squared());
        let far = if start > arrival { start } else { arrival };
        // The same arithmetic as in `covers`: no path that fails there may pass here.
        let skin = wide[n] - radius[n];
        // A particle that has grown beyond its skin is far wherever it is.
        let allowed = if skin >= 0.0 { skin * skin } else { -1.0 };
        excess[n] = far - allowed;
    }
}

impl<const D: usize> Verlet<D> {
    /// Finds all particles that may touch particle `i` while that keeps within `far` of `place`
    /// \[length\], whatever its skin.
    pub fn stray(&mut self, i: u32, place: Vector<D>, far: f64, paths: &Paths<'_, D>) {
        self.widen(i, place, far, paths);
        let mut near = std::mem::take(&mut self.near);
        near.clear();
        self.near_stray(i, paths, &mut near);
        self.meet(i, &near);
        self.near = near;
    }

    /// Lets a particle, a stray from now on, be sought within `far` of `place`.
    fn widen(&mut self, i: u32, place: Vector<D>, far: f64, paths: &Paths<'_, D>) {
        let slot = i as usize;
        if !self.is_stray[slot] {
            self.is_stray[slot] = true;
            self.strays.push(i);
        }
        self.place[slot] = place;
        // More than the path needs, so that `covers` says yes for this path in spite of rounding.
        self.wide[slot] = paths.radius[slot] + 1.001 * far + 4.0 * paths.domain.rounding();
        self.widest = self.widest.max(paths.radius[slot]);
        self.group[slot] = paths.group[slot];
        let Self { maker, place, rest, wide, .. } = self;
        maker.update(i, &Paths { position: place, velocity: rest, radius: wide, ..*paths });
    }

    /// Appends all particles that may touch a stray.
    fn near_stray(&self, i: u32, paths: &Paths<'_, D>, near: &mut Vec<u32>) {
        let Self { maker, place, rest, wide, .. } = self;
        // Without this, particles of a group that interacts with none could cost very long queries.
        if paths.groups.interacts_with_any(paths.group[i as usize]) {
            maker.near(i, &Paths { position: place, velocity: rest, radius: wide, ..*paths }, near);
        }
    }

    /// Keeps in mind that a stray and each of these may touch.
    fn meet(&mut self, i: u32, near: &[u32]) {
        for &other in near {
            self.add_extra(i, other);
            self.add_extra(other, i);
        }
    }

    #[inline]
    pub(super) fn extra(&self, i: u32) -> &[u32] {
        match self.extra_of[i as usize] {
            NONE => &[],
            index => &self.extra[index as usize].1,
        }
    }

    /// All pairs of a stray and another that the lists do not name, each once.
    pub fn stray_pairs(&self) -> impl Iterator<Item = Pair> {
        let entries = self.extra.iter().filter(|(slot, _)| *slot != GONE);
        entries.flat_map(|(slot, others)| {
            others.iter().filter(|other| *slot < **other).map(|other| Pair(*slot, *other))
        })
    }

    fn add_extra(&mut self, i: u32, other: u32) {
        // Lists are symmetric, and extras are always added in both directions, so a pair is skipped
        // for both of its particles or for neither. `stray_pairs` relies on that.
        if self.lists.of(i).contains(&other) || self.extra(i).contains(&other) {
            return;
        }
        if self.extra_of[i as usize] == NONE {
            self.extra_of[i as usize] = self.extra.len() as u32;
            self.extra.push((i, SmallVec::new()));
        }
        self.extra[self.extra_of[i as usize] as usize].1.push(other);
    }

    /// Whether the lists, made some steps ago, still serve, with not too many strays.
    pub(super) fn find_strays(&mut self, paths: &Paths<'_, D>) -> bool {
        // Handed out one by one, for the reason given in `Particles::stretches`.
        let chunks = (0..paths.len()).into_par_iter().step_by(CHUNK).with_max_len(1);
        let new: Vec<u32> = chunks
            .flat_map_iter(|first| {
                let slots = first..(first + CHUNK).min(paths.len());
                let mut far = Vec::new();
                self.those_far(paths, slots, &mut far);
                far.retain(|&i| {
                    let slot = i as usize;
                    paths.alive[slot]
                        && !self.is_stray[slot]
                        && !self.covers(i, &paths.path(slot), paths)
                });
                far
            })
            .collect();
        new.iter().for_each(|&slot| self.is_stray[slot as usize] = true);
        self.strays.extend(new);
        let alive = &paths.alive;
        self.strays.retain(|&slot| alive[slot as usize]);
        // New lists cost the same however many strays there are; each stray costs a query per step.
        self.strays.len() <= SOME_MORE + paths.len() / STRAYS
    }

    /// Appends all of `slots` whose lists do not cover their paths, and perhaps some others: what
    /// [`Verlet::covers`] says, of many at a time.
    fn those_far(&self, paths: &Paths<'_, D>, slots: Range<usize>, far: &mut Vec<u32>) {
        let mut excess = [0.0; LANES];
        for first in slots.clone().step_by(LANES) {
            let some = first..(first + LANES).min(slots.end);
            excesses(
                paths.domain,
                self.window.end,
                [
                    &self.place[some.clone()],
                    &paths.position[some.clone()],
                    &paths.velocity[some.clone()],
                ],
                [&self.wide[some.clone()], &paths.radius[some.clone()], &paths.since[some.clone()]],
                &mut excess,
            );
            let all_near = excess.iter().fold(true, |near, excess| near & (*excess <= 0.0));
            if all_near && self.group[some.clone()] == paths.group[some.clone()] {
                continue;
            }
            far.extend(some.map(|slot| slot as u32));
        }
    }

    /// Finds the neighbours of all strays again, for their new paths.
    pub(super) fn follow_strays(&mut self, paths: &Paths<'_, D>) {
        for (slot, _) in self.extra.drain(..).filter(|(slot, _)| *slot != GONE) {
            self.extra_of[slot as usize] = NONE;
        }
        let strays = std::mem::take(&mut self.strays);
        for &i in &strays {
            let (place, far) = self.way(i, paths);
            self.widen(i, place, far, paths);
        }
        // All strays are widened before the first is asked about: two strays might otherwise miss
        // each other, because one would look at where the other was in the last step. What was
        // found is written down in the order of the strays, by one thread.
        let some = strays.par_chunks(TOGETHER).map(|some| {
            let (mut near, mut ends) = (Vec::new(), Vec::new());
            for &i in some {
                self.near_stray(i, paths, &mut near);
                ends.push(near.len());
            }
            (near, ends)
        });
        let found: Vec<_> = some.collect();
        for (some, (near, ends)) in strays.chunks(TOGETHER).zip(&found) {
            let mut start = 0;
            for (&i, &end) in some.iter().zip(ends) {
                self.meet(i, &near[start..end]);
                start = end;
            }
        }
        self.strays = strays;
    }

    /// Treats the particle in slot `i` as a stray on its present path.
    pub(super) fn follow(&mut self, i: u32, paths: &Paths<'_, D>) {
        let (place, far) = self.way(i, paths);
        self.stray(i, place, far, paths);
    }

    /// Where the present path of a particle starts, and how far it gets from there within the
    /// window.
    fn way(&self, i: u32, paths: &Paths<'_, D>) -> (Vector<D>, f64) {
        let path = paths.path(i as usize);
        (path.position, path.velocity.norm() * (self.window.end - path.since))
    }

    /// Removes a particle from all extras: its slot may be taken away, and given to another.
    pub(super) fn part_from_strays(&mut self, i: u32) {
        if self.extra_of[i as usize] == NONE {
            return;
        }
        let others = std::mem::take(&mut self.extra[self.extra_of[i as usize] as usize].1);
        for other in others {
            // Extras are symmetric: the other has an entry as well.
            let theirs = &mut self.extra[self.extra_of[other as usize] as usize].1;
            theirs.retain(|named| *named != i);
        }
    }

    /// Follows a renumbering of the slots.
    pub(super) fn renumber_strays(&mut self, new_slot: &[u32]) {
        let stays = |slot: &mut u32| {
            *slot = new_slot[*slot as usize];
            *slot != GONE
        };
        self.strays.retain_mut(stays);
        self.extra.iter_mut().filter(|(slot, _)| *slot != GONE).for_each(|(slot, others)| {
            *slot = new_slot[*slot as usize];
            others.retain(stays);
        });
    }
}
