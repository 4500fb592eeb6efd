//! Where particles are so far: one cell grid per species, as fine as its particles are large.

use jostle_core::space::{Domain, Groups, Vector};

use super::{Model, radius};
use crate::measure;

/// All particles placed so far.
pub(super) struct Occupied<'a, const D: usize> {
    domain: &'a Domain<D>,
    grids: Vec<Grid<D>>,
    radius: Vec<f64>,
    /// Which species keep each other out.
    exclusive: Groups,
}

/// A particle placed earlier.
pub(super) struct Placed<const D: usize> {
    pub(super) species: u16,
    /// Its number among those of its species, from 0.
    pub(super) number: usize,
    pub(super) place: Vector<D>,
}

impl<'a, const D: usize> Occupied<'a, D> {
    pub(super) fn new(model: &Model, domain: &'a Domain<D>) -> Self {
        let all = 0..model.species.len() as u16;
        let mut counts = vec![0; model.species.len()];
        for placement in &model.placement {
            counts[placement.species as usize] += placement.count();
        }
        Self {
            domain,
            grids: all
                .clone()
                .map(|s| Grid::new(domain, 2.0 * radius(model, s), counts[s as usize]))
                .collect(),
            radius: all.clone().map(|s| radius(model, s)).collect(),
            exclusive: measure::apart(model),
        }
    }

    /// A particle what a particle of `species` at `place` would be closer to than touching plus a
    /// relative `gap`.
    pub(super) fn overlapping(
        &self,
        species: u16,
        place: Vector<D>,
        gap: f64,
    ) -> Option<Placed<D>> {
        let s = species as usize;
        self.in_the_way(species).find_map(|other| {
            let within = (self.radius[s] + self.radius[other]) * (1.0 + gap);
            let number = self.grids[other].within(self.domain, place, within)?;
            Some(Placed { species: other as u16, number, place: self.grids[other].places[number] })
        })
    }

    /// Whether particle `number` of `species` would touch no other at `place`, or be nearer to one than
    /// touching plus a relative `gap`.
    pub(super) fn is_free_for(
        &self,
        species: u16,
        number: usize,
        place: Vector<D>,
        gap: f64,
    ) -> bool {
        let s = species as usize;
        self.in_the_way(species).all(|other| {
            let within = (self.radius[s] + self.radius[other]) * (1.0 + gap);
            let mut is_free = true;
            self.grids[other].each_within(self.domain, place, within, &mut |found, _| {
                is_free = other == s && found == number;
                !is_free
            });
            is_free
        })
    }

    /// Moves particle `number` of a species.
    pub(super) fn relocate(&mut self, species: u16, number: usize, place: Vector<D>) {
        self.grids[species as usize].relocate(number, place);
    }

    /// Calls `look` with the species and the number of each particle that one of `species` at
    /// `place` would touch, or be no farther from than `gap`. \[nm\]
    pub(super) fn each_near(
        &self,
        species: u16,
        place: Vector<D>,
        gap: f64,
        mut look: impl FnMut(u16, usize),
    ) {
        let s = species as usize;
        for other in self.in_the_way(species) {
            let within = self.radius[s] + self.radius[other] + gap;
            self.grids[other].each_within(self.domain, place, within, &mut |number, _| {
                look(other as u16, number);
                false
            });
        }
    }

    /// The species, of which there are particles, that keep others of `species` out.
    fn in_the_way(&self, species: u16) -> impl Iterator<Item = usize> {
        let others = (0..self.grids.len()).filter(|&other| !self.grids[other].places.is_empty());
        others.filter(move |&other| self.exclusive.interact(species, other as u16))
    }

    /// Adds a particle.
    pub(super) fn add(&mut self, species: u16, place: Vector<D>) {
        self.grids[species as usize].add(place);
    }

    /// Where particle `number` of a species is.
    pub(super) fn place(&self, species: u16, number: usize) -> Vector<D> {
        self.grids[species as usize].places[number]
    }

    /// How many particles of a species there are.
    pub(super) fn count(&self, species: u16) -> usize {
        self.grids[species as usize].places.len()
    }

    /// The species and the place of each particle, species by species.
    pub(super) fn particles(&self) -> impl Iterator<Item = (u16, Vector<D>)> {
        self.grids.iter().enumerate().flat_map(|(species, grid)| {
            grid.places.iter().map(move |&place| (species as u16, place))
        })
    }

    /// The species and the place of each particle, at the end.
    pub(super) fn into_particles(self) -> Vec<(u16, Vector<D>)> {
        let count = self.grids.iter().map(|grid| grid.places.len()).sum();
        let mut particles = Vec::with_capacity(count);
        for (species, grid) in self.grids.into_iter().enumerate() {
            particles.extend(grid.places.into_iter().map(|place| (species as u16, place)));
        }
        particles
    }
}

/// The end of a chain.
const NONE: u32 = u32::MAX;

/// Particles of one species in cells; those of one cell are a chain.
pub(super) struct Grid<const D: usize> {
    cells: [usize; D],
    /// Cells per length.
    inverse: [f64; D],
    first: Vec<u32>,
    next: Vec<u32>,
    places: Vec<Vector<D>>,
}

impl<const D: usize> Grid<D> {
    /// Cells no smaller than `diameter`, and about one for each particle if they are few; not many
    /// more in a box that is much longer than wide either.
    pub(super) fn new(domain: &Domain<D>, diameter: f64, count: usize) -> Self {
        let share = libm::pow(domain.volume() / (count.max(1) as f64), 1.0 / D as f64);
        let mut size = diameter.max(share);
        let along = |size: f64| domain.edges().map(|edge| (edge / size).floor().max(1.0));
        while along(size).iter().product::<f64>() > 8.0 * count as f64 + 64.0 {
            size *= 2.0;
        }
        let cells = along(size).map(|count| count as usize);
        let inverse = std::array::from_fn(|k| cells[k] as f64 / domain.edges()[k]);
        Self {
            cells,
            inverse,
            first: if count == 0 { Vec::new() } else { vec![NONE; cells.iter().product()] },
            next: Vec::with_capacity(count),
            places: Vec::with_capacity(count),
        }
    }

    fn cell_of(&self, place: Vector<D>) -> usize {
        let mut cell = 0;
        for k in 0..D {
            let c = ((place[k] * self.inverse[k]) as usize).min(self.cells[k] - 1);
            cell = cell * self.cells[k] + c;
        }
        cell
    }

    /// Moves a particle.
    fn relocate(&mut self, number: usize, place: Vector<D>) {
        let (old, new) = (self.cell_of(self.places[number]), self.cell_of(place));
        self.places[number] = place;
        if old == new {
            return;
        }
        let after = self.next[number];
        let mut at = self.first[old];
        if at == number as u32 {
            self.first[old] = after;
        }
        while at != NONE {
            let next = self.next[at as usize];
            if next == number as u32 {
                self.next[at as usize] = after;
            }
            at = next;
        }
        self.next[number] = self.first[new];
        self.first[new] = number as u32;
    }

    pub(super) fn add(&mut self, place: Vector<D>) {
        let cell = self.cell_of(place);
        self.next.push(self.first[cell]);
        self.first[cell] = self.places.len() as u32;
        self.places.push(place);
    }

    /// The number of a particle whose centre is closer to `place` than `distance`.
    fn within(&self, domain: &Domain<D>, place: Vector<D>, distance: f64) -> Option<usize> {
        let mut found = None;
        self.each_within(domain, place, distance, &mut |particle, _| {
            found = Some(particle);
            true
        });
        found
    }

    /// Calls `look` with the number of each particle whose centre is closer to `place` than
    /// `distance`, and the square of how close, until it says that it has seen enough.
    pub(super) fn each_within(
        &self,
        domain: &Domain<D>,
        place: Vector<D>,
        distance: f64,
        look: &mut impl FnMut(usize, f64) -> bool,
    ) {
        if self.places.is_empty() {
            return;
        }
        let ranges: [Range; D] = std::array::from_fn(|k| self.range(domain, k, place[k], distance));
        let mut at = [0; D];
        loop {
            let mut cell = 0;
            for k in 0..D {
                cell = cell * self.cells[k] + ranges[k].cell(at[k], self.cells[k]);
            }
            let mut particle = self.first[cell];
            while particle != NONE {
                let other = self.places[particle as usize];
                let apart = domain.nearest_image(other - place).norm_squared();
                if apart < distance * distance && look(particle as usize, apart) {
                    return;
                }
                particle = self.next[particle as usize];
            }
            // The next cell, the last axis first.
            let mut k = D;
            loop {
                if k == 0 {
                    return;
                }
                k -= 1;
                at[k] += 1;
                if at[k] < ranges[k].count {
                    break;
                }
                at[k] = 0;
            }
        }
    }

    /// The cells along axis `k` that come within `distance` of `x`.
    fn range(&self, domain: &Domain<D>, k: usize, x: f64, distance: f64) -> Range {
        let cells = self.cells[k] as i64;
        let low = ((x - distance) * self.inverse[k]).floor() as i64;
        let high = ((x + distance) * self.inverse[k]).floor() as i64;
        let (low, high) = if !domain.is_periodic(k) {
            (low.clamp(0, cells - 1), high.clamp(0, cells - 1))
        } else if high - low + 1 >= cells {
            (0, cells - 1)
        } else {
            (low, high)
        };
        Range { low, count: (high - low + 1) as usize }
    }
}

/// Neighbouring cells along one axis, over the periodic face if need be.
struct Range {
    low: i64,
    count: usize,
}

impl Range {
    fn cell(&self, n: usize, cells: usize) -> usize {
        (self.low + n as i64).rem_euclid(cells as i64) as usize
    }
}
