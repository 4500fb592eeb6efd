//! Whether particles overlap: a grid of cells in the order of which the particles are sorted, made
//! anew for each look, and a short list of those too large for it.

use rayon::prelude::*;

use super::places::{CHUNK, ROUNDING};
use super::{Hardness, SelfCheckFault, Subject};
use jostle_core::observe::View;
use jostle_core::particles::{ALONE, Particles};
use jostle_core::space::{Domain, Outline, Vector};

/// So many mean radii are what fits into the grid; what is larger is compared with every particle
/// near.
const LARGE: f64 = 2.5;

/// The particles of a state, in the order of the cells that hold their centres.
#[derive(Clone, Debug)]
pub(super) struct Cells<const D: usize> {
    counts: [usize; D],
    width: [f64; D],
    /// Cell, slot, place and radius.
    sorted: Vec<Entry<D>>,
    /// Where each cell begins among these, and where the last ends.
    begins: Vec<u32>,
    large: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<const D: usize> {
    cell: u32,
    slot: u32,
    radius: f64,
    position: Vector<D>,
}

impl<const D: usize> Default for Cells<D> {
    fn default() -> Self {
        let (sorted, begins, large) = (Vec::new(), Vec::new(), Vec::new());
        Self { counts: [1; D], width: [1.0; D], sorted, begins, large }
    }
}

/// Pairs tested, and the worst of those that overlap: by how much, and which.
type Found = (u64, Option<(f64, [u32; 2])>);

fn join((a, x): Found, (b, y): Found) -> Found {
    let deeper = |found: &Option<(f64, [u32; 2])>| found.map_or(0.0, |(by, _)| by);
    (a + b, if deeper(&y) > deeper(&x) { y } else { x })
}

impl<const D: usize> Cells<D> {
    /// Finds two that are inside each other and may not be; how many pairs were tested.
    pub(super) fn check(
        &mut self,
        view: &View<'_, D>,
        subject: &Subject<D>,
    ) -> Result<u64, SelfCheckFault> {
        if subject.hardness == Hardness::None {
            return Ok(0);
        }
        self.sort(view);
        let test = Test { view, subject, rounding: 64.0 * view.domain.rounding() };
        let small = self.sorted.par_chunks(CHUNK / 8).map(|some| {
            some.iter()
                .fold((0, None), |found, entry| join(found, self.around(entry, 1, &test, true)))
        });
        let large = self.large.par_iter().enumerate().map(|(n, &slot)| {
            let entry = self.entry(view, slot);
            let reach = self.reach(entry.radius);
            let among = self.large[n + 1..].iter().map(|&other| test.pair(slot, other));
            join(self.around(&entry, reach, &test, false), (0, among.flatten().max_by(deeper)))
        });
        // Chunks are joined in their order: the same one is named whatever the number of threads.
        let parts: Vec<Found> = small.chain(large).collect();
        let (pairs, worst) = parts.into_iter().fold((0, None), join);
        let pairs = pairs + (self.large.len() * self.large.len() / 2) as u64;
        worst.map_or(Ok(pairs), |(by, slots)| Err(test.complaint(by, slots)))
    }

    /// How many cells a particle of this radius reaches over, with one that fits into the grid.
    fn reach(&self, radius: f64) -> usize {
        let least = self.width.iter().copied().fold(f64::INFINITY, f64::min);
        ((radius + 0.5 * least) / least).ceil() as usize
    }

    fn entry(&self, view: &View<'_, D>, slot: u32) -> Entry<D> {
        let (p, i) = (view.particles, slot as usize);
        Entry { cell: self.cell(p.position[i]), slot, radius: p.radius[i], position: p.position[i] }
    }

    fn cell(&self, position: Vector<D>) -> u32 {
        (0..D).rev().fold(0, |number, k| {
            let along = (position[k] / self.width[k]) as usize;
            number * self.counts[k] + along.min(self.counts[k] - 1)
        }) as u32
    }

    fn sort(&mut self, view: &View<'_, D>) {
        let p = view.particles;
        let limit = LARGE * mean_radius(p);
        let widest = p.radius.iter().zip(&p.alive).filter(|(r, alive)| **alive && **r <= limit);
        let widest = 2.0 * widest.map(|(r, _)| *r).fold(0.0, f64::max);
        self.divide(view.domain, widest, p.len());
        let entries = (0..p.len() as u32).into_par_iter().with_min_len(CHUNK);
        let alive = |slot: &u32| p.alive[*slot as usize];
        let fits = |slot: &u32| p.radius[*slot as usize] <= limit;
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.clear();
        sorted.par_extend(
            entries.filter(|slot| alive(slot) && fits(slot)).map(|slot| self.entry(view, slot)),
        );
        sorted.par_sort_unstable_by_key(|entry| (entry.cell, entry.slot));
        self.sorted = sorted;
        self.large.clear();
        self.large.extend((0..p.len() as u32).filter(|slot| alive(slot) && !fits(slot)));
        let cells = self.counts.iter().product::<usize>();
        self.begins.clear();
        self.begins.resize(cells + 1, 0);
        for entry in &self.sorted {
            self.begins[entry.cell as usize + 1] += 1;
        }
        for cell in 0..cells {
            self.begins[cell + 1] += self.begins[cell];
        }
    }

    /// Cells at least as wide as the widest particles, and not many more of them than particles.
    fn divide(&mut self, domain: &Domain<D>, widest: f64, particles: usize) {
        let edges = domain.edges();
        let room = (domain.volume() / particles.max(1) as f64).powf(1.0 / D as f64);
        let width = room.max(widest);
        self.counts = std::array::from_fn(|k| ((edges[k] / width) as usize).clamp(1, 1 << 10));
        self.width = std::array::from_fn(|k| edges[k] / self.counts[k] as f64);
    }

    /// Tests a particle against those in the cells around it, so many to either side: against those
    /// in later slots, or against all.
    fn around(&self, entry: &Entry<D>, reach: usize, test: &Test<'_, '_, D>, later: bool) -> Found {
        let mut found = (0, None);
        let along: [Span; D] =
            std::array::from_fn(|k| self.span(entry.cell, k, reach, test.view.domain));
        let rows = along[1..].iter().map(|span| span.count).product::<usize>();
        for row in 0..rows {
            let (mut left, mut base, mut stride) = (row, 0, self.counts[0]);
            for k in 1..D {
                base += along[k].cell(left % along[k].count) * stride;
                left /= along[k].count;
                stride *= self.counts[k];
            }
            for [from, to] in along[0].ranges() {
                let slots = self.begins[base + from] as usize..self.begins[base + to] as usize;
                for other in &self.sorted[slots] {
                    if !later || other.slot > entry.slot {
                        found.0 += 1;
                        if let Some(hit) = test.entries(entry, other) {
                            found = join(found, (0, Some(hit)));
                        }
                    }
                }
            }
        }
        found
    }

    /// The cells along an axis within `reach` of a cell, each once.
    fn span(&self, cell: u32, k: usize, reach: usize, domain: &Domain<D>) -> Span {
        let before: usize = self.counts[..k].iter().product();
        let (at, count) = (cell as usize / before % self.counts[k], self.counts[k]);
        if 2 * reach + 1 >= count {
            return Span { first: 0, count, of: count };
        }
        if domain.is_periodic(k) {
            return Span { first: (at + count - reach) % count, count: 2 * reach + 1, of: count };
        }
        let (first, last) = (at.saturating_sub(reach), (at + reach).min(count - 1));
        Span { first, count: last + 1 - first, of: count }
    }
}

/// Some cells in a row along an axis, which may continue at its beginning.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: usize,
    count: usize,
    of: usize,
}

impl Span {
    fn cell(self, n: usize) -> usize {
        (self.first + n) % self.of
    }

    /// As ranges that do not go round.
    fn ranges(self) -> impl Iterator<Item = [usize; 2]> {
        let end = self.first + self.count;
        let round = end.saturating_sub(self.of);
        [[self.first, end - round], [0, round]].into_iter().filter(|range| range[0] < range[1])
    }
}

/// Finds one of these that is inside any particle and may not be; how many pairs were tested.
pub(super) fn check_some<const D: usize>(
    view: &View<'_, D>,
    subject: &Subject<D>,
    slots: &[u32],
) -> Result<u64, SelfCheckFault> {
    if subject.hardness == Hardness::None {
        return Ok(0);
    }
    let test = Test { view, subject, rounding: 64.0 * view.domain.rounding() };
    let p = view.particles;
    let all = (0..p.len() as u32).into_par_iter().with_min_len(CHUNK);
    let worst = all.filter(|&other| p.alive[other as usize]).filter_map(|other| {
        let others = slots.iter().filter(|&&slot| slot != other);
        others.filter_map(|&slot| test.pair(slot, other)).max_by(deeper)
    });
    match worst.max_by(deeper) {
        Some((by, pair)) => Err(test.complaint(by, pair)),
        None => Ok((p.len() * slots.len()) as u64),
    }
}

fn mean_radius<const D: usize>(p: &Particles<D>) -> f64 {
    let (sum, count) = p.radius.iter().fold((0.0, 0u64), |(sum, count), r| (sum + r, count + 1));
    sum / count.max(1) as f64
}

fn deeper(a: &(f64, [u32; 2]), b: &(f64, [u32; 2])) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0)
}

/// Whether two particles are inside each other.
struct Test<'a, 'b, const D: usize> {
    view: &'a View<'b, D>,
    subject: &'a Subject<D>,
    rounding: f64,
}

impl<const D: usize> Test<'_, '_, D> {
    /// By how much two overlap, if they do and may not.
    #[inline]
    fn entries(&self, a: &Entry<D>, b: &Entry<D>) -> Option<(f64, [u32; 2])> {
        let contact = a.radius + b.radius;
        let apart = self.view.domain.nearest_image(b.position - a.position).norm_squared();
        if apart >= contact * contact {
            return None;
        }
        let by = contact - apart.sqrt();
        (by > self.rounding + ROUNDING * contact && self.may_not(a.slot, b.slot))
            .then_some((by, [a.slot, b.slot]))
    }

    fn pair(&self, a: u32, b: u32) -> Option<(f64, [u32; 2])> {
        let p = self.view.particles;
        let entry = |slot: u32| Entry {
            cell: 0,
            slot,
            radius: p.radius[slot as usize],
            position: p.position[slot as usize],
        };
        self.entries(&entry(a), &entry(b))
    }

    #[cold]
    fn may_not(&self, a: u32, b: u32) -> bool {
        let (p, [i, j]) = (self.view.particles, [a as usize, b as usize]);
        if self.subject.hardness == Hardness::Soft {
            return self.swallows(i, j) || self.swallows(j, i);
        }
        let (apart, species) = (&self.subject.apart, [p.species[i], p.species[j]]);
        let known = species.iter().all(|&s| usize::from(s) < apart.count());
        let pass = known && !apart.interact(species[0], species[1]);
        // Members of a rigid unit touch each other for as long as it lasts.
        !pass && (p.unit[i] == ALONE || p.unit[i] != p.unit[j])
    }

    /// Whether the centre of particle `j` is inside the outline of particle `i`.
    fn swallows(&self, i: usize, j: usize) -> bool {
        let p = self.view.particles;
        let (Some(outlines), Some(outline)) =
            (self.view.outlines, self.subject.outlines.get(p.id[i] as usize))
        else {
            return false;
        };
        let apart = self.view.domain.nearest_image(p.position[j] - p.position[i]);
        let (sine, cosine) = libm::sincos(outlines.angle[i]);
        let Some(polygon) = outline.polygon() else {
            return matches!(outline, Outline::Disk(radius) if apart.norm() < *radius);
        };
        // In the frame of the outline, whose corners go round counter-clockwise.
        let [x, y] = [apart[0] * cosine + apart[1] * sine, apart[1] * cosine - apart[0] * sine];
        let corners = polygon.corners();
        corners.iter().zip(corners.iter().cycle().skip(1)).all(|(from, to)| {
            (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]) > 0.0
        })
    }

    fn complaint(&self, by: f64, slots: [u32; 2]) -> SelfCheckFault {
        let (p, step) = (self.view.particles, self.view.clock.step);
        let [mut i, mut j] = slots.map(|slot| slot as usize);
        if self.subject.hardness == Hardness::Soft {
            if !self.swallows(i, j) {
                (i, j) = (j, i);
            }
            let place = p.position[j].0.to_vec();
            return SelfCheckFault::Swallowed { step, ids: [p.id[j], p.id[i]], place };
        }
        if p.id[i] > p.id[j] {
            (i, j) = (j, i);
        }
        SelfCheckFault::Overlap {
            step,
            ids: [p.id[i], p.id[j]],
            by,
            place: p.position[i].0.to_vec(),
        }
    }
}
