//! Levels: several lattices, each cell divided into 2^d of the next finer one, for particles of
//! different sizes (Johnson and Whalley 2002, section 5, in continuous time).
//!
//! A particle belongs to the finest lattice whose cells hold it, and is a *guest* in all coarser
//! ones. In its own lattice it looks for its own kind and for guests, in coarser ones for those
//! that belong there: every pair is looked for in the lattice of the larger of the two. Faces of
//! coarse cells are faces of fine ones, so that one coordinate and one crossing tell of all
//! lattices.

use super::lattice::{Cell, Crossing, Lattice, width_for};
use super::store::{Dense, Store, leave_out};
use super::{Facets, Kinetic, MARGIN, Topology};
use jostle_core::prefetch::prefetch;
use jostle_core::space::Flights;

/// The most lattices: the finest cells are 2^11 times narrower than the coarsest.
const MOST: usize = 12;

/// One lattice and which particles are listed in its cells.
#[derive(Clone, Debug)]
struct Level<const D: usize> {
    lattice: Lattice<D>,
    own: Dense<D>,
    guests: Dense<D>,
    /// No particle belongs here, so no particle need be listed here.
    vacant: bool,
}

/// Lattices, the coarsest first.
#[derive(Clone, Debug, Default)]
pub struct KineticLevels<const D: usize> {
    levels: Vec<Level<D>>,
    /// The lattice that each particle belongs to. \[particle\]
    level: Vec<u8>,
    /// Its cell there, unwrapped. \[particle\]
    home: Vec<Cell<D>>,
    /// The face that each particle comes to next. \[particle\]
    crossing: Vec<Crossing>,
    /// Particles that a crossing brings near.
    found: Vec<u32>,
    topology: Topology,
}

/// The cell of a lattice so many levels coarser that holds `cell`.
#[inline]
fn coarser<const D: usize>(cell: Cell<D>, levels: usize) -> Cell<D> {
    cell.map(|c| c >> levels)
}

impl<const D: usize> KineticLevels<D> {
    fn foretell(&mut self, i: u32, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>) {
        let lattice = &self.levels[self.level[i as usize] as usize].lattice;
        let (when, crossing) = lattice.leaves(i, self.home[i as usize], flights, now);
        self.crossing[i as usize] = crossing;
        self.topology.planned += 1;
        facets.plan(i, when);
    }

    /// Chooses the lattices and says which one each particle belongs to.
    fn lay_out(&mut self, flights: &Flights<'_, D>) {
        let needs = |radius: f64| 2.0 * radius * (1.0 + MARGIN);
        let largest = needs(flights.largest_radius());
        let smallest = flights.all.iter().map(|flight| flight.radius).fold(f64::INFINITY, f64::min);
        let deepest = (largest / needs(smallest)).max(1.0);
        let edges = flights.domain.edges();
        // No cells that are much more in number than the particles.
        let finest = width_for(flights.domain, needs(smallest), (6 * flights.len()) as f64);
        let width = largest.max(finest);
        let doublings = libm::log2(f64::min(deepest, (width / finest).max(1.0))) as usize;
        let levels = (doublings + 1).min(MOST);
        let counts: Cell<D> = std::array::from_fn(|k| {
            (edges[k] / width).floor().clamp(1.0, f64::from(1 << 18)) as i32
        });
        let coarsest = Lattice::new(flights.domain, counts, largest).counts;
        let suited = |radius: f64| libm::log2((largest / needs(radius)).max(1.0)) as usize;
        self.level =
            flights.all.iter().map(|flight| suited(flight.radius).min(levels - 1) as u8).collect();
        let level = |n: usize| {
            let lattice = Lattice::new(
                flights.domain,
                coarsest.map(|c| c << n),
                largest / (1u64 << n) as f64,
            );
            let vacant = !self.level.contains(&(n as u8));
            // No particle is a guest in the finest.
            let none = [0; D];
            let [own, guests] = [!vacant, !vacant && n + 1 < levels];
            let lists = |wanted: bool| Dense::new(if wanted { lattice.counts } else { none });
            Level { own: lists(own), guests: lists(guests), vacant, lattice }
        };
        self.levels = (0..levels).map(level).collect();
    }

    fn enter(&mut self, i: u32) {
        let own = self.level[i as usize] as usize;
        for (n, level) in
            self.levels[..=own].iter_mut().enumerate().filter(|(_, level)| !level.vacant)
        {
            let cell = level.lattice.inside(coarser(self.home[i as usize], own - n));
            if n == own { level.own.insert(cell, i) } else { level.guests.insert(cell, i) }
        }
    }
}

impl<const D: usize> Kinetic<D> for KineticLevels<D> {
    fn build(&mut self, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>) {
        facets.cover(flights.len());
        self.crossing = vec![Crossing::default(); flights.len()];
        self.home.clear();
        if flights.is_empty() {
            return;
        }
        self.lay_out(flights);
        for i in 0..flights.len() as u32 {
            let lattice = &self.levels[self.level[i as usize] as usize].lattice;
            self.home.push(lattice.cell(flights.at(i, now)));
            self.enter(i);
        }
        for i in 0..flights.len() as u32 {
            self.foretell(i, flights, now, facets);
        }
    }

    fn near(&self, i: u32, _: &Flights<'_, D>, _: f64, out: &mut Vec<u32>) {
        let own = self.level[i as usize] as usize;
        let finest = own + 1 == self.levels.len();
        let known = out.len();
        for (n, level) in self.levels[..=own].iter().enumerate().filter(|(_, level)| !level.vacant)
        {
            level.lattice.around(coarser(self.home[i as usize], own - n), |first, count| {
                level.own.gather(first, count, out);
                if n == own && !finest {
                    level.guests.gather(first, count, out);
                }
            });
        }
        leave_out(i, known, out);
    }

    fn fetch(&self, i: u32) {
        prefetch(&self.level, i as usize);
        prefetch(&self.home, i as usize);
        prefetch(&self.crossing, i as usize);
    }

    fn update(&mut self, i: u32, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>) {
        let lattice = &self.levels[self.level[i as usize] as usize].lattice;
        let home = &mut self.home[i as usize];
        *home = lattice.moved_to(*home, flights.at(i, now));
        self.foretell(i, flights, now, facets);
    }

    fn change(
        &mut self,
        facet: u32,
        flights: &Flights<'_, D>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        let (i, crossing, known) = (facet, self.crossing[facet as usize], gained.len());
        let own = self.level[i as usize] as usize;
        let finest = own + 1 == self.levels.len();
        let before = self.home[i as usize];
        let mut after = before;
        after[crossing.axis as usize] += if crossing.upper { 1 } else { -1 };
        self.home[i as usize] = after;
        for (n, level) in self.levels[..=own].iter_mut().enumerate().rev() {
            let (left, entered) = (coarser(before, own - n), coarser(after, own - n));
            if left == entered {
                break;
            }
            if level.vacant {
                continue;
            }
            let Level { lattice, own: owners, guests, .. } = level;
            let lists: &mut Dense<D> = if n == own { owners } else { guests };
            lists.remove(lattice.inside(left), i);
            self.found.clear();
            let found = &mut self.found;
            lattice.new_around(entered, crossing, |first, count| {
                owners.gather(first, count, found);
                if n == own && !finest {
                    guests.gather(first, count, found);
                }
            });
            gained.extend(self.found.iter().map(|&j| [i, j]));
            let lists = if n == own { owners } else { guests };
            lists.insert(lattice.inside(entered), i);
        }
        self.topology.events += 1;
        self.topology.gained += (gained.len() - known) as u64;
        self.foretell(i, flights, now, facets);
    }

    fn tells_images_apart(&self) -> bool {
        self.levels.iter().all(|level| level.lattice.tells_images_apart())
    }

    fn topology(&self) -> Topology {
        self.topology
    }

    fn bytes(&self) -> usize {
        let lists =
            self.levels.iter().map(|level| level.own.bytes() + level.guests.bytes()).sum::<usize>();
        lists
            + self.home.capacity() * size_of::<Cell<D>>()
            + self.crossing.capacity() * size_of::<Crossing>()
            + self.level.capacity()
    }

    fn describe(&self) -> String {
        if self.levels.is_empty() {
            return "levels: no cells yet".to_owned();
        }
        let cells = |level: &Level<D>| level.lattice.counts.map(|n| n.to_string()).join(" x ");
        format!("levels: {} cells", self.levels.iter().map(cells).collect::<Vec<_>>().join(", "))
    }

    fn assert_well_formed(&self, flights: &Flights<'_, D>, now: f64) {
        assert_eq!(self.home.len(), flights.len());
        for i in 0..flights.len() as u32 {
            let own = self.level[i as usize] as usize;
            let lattice = &self.levels[own].lattice;
            lattice.assert_holds(i, self.home[i as usize], flights, now);
            assert!(own == 0 || 2.0 * flights.all[i as usize].radius <= lattice.distance());
            for (n, level) in
                self.levels[..=own].iter().enumerate().filter(|(_, level)| !level.vacant)
            {
                let mut list = Vec::new();
                let cell = level.lattice.inside(coarser(self.home[i as usize], own - n));
                let lists = if n == own { &level.own } else { &level.guests };
                lists.gather(cell, 1, &mut list);
                let listed = list.iter().filter(|&&j| j == i).count();
                assert_eq!(listed, 1, "particle {i} of level {own}, in level {n}");
            }
        }
    }
}
