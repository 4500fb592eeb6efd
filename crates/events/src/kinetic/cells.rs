//! Regular cells: a particle is listed in the cell that holds its centre, and its neighbours are in
//! that cell and those around it (Gavrilova and Rokne 2002, sections 3.2 and 3.3).

use super::lattice::{Cell, Crossing, Lattice, width_for};
use super::store::{Dense, Store, Tree, leave_out};
use super::{Facets, Kinetic, MARGIN, Topology};
use jostle_core::prefetch::prefetch;
use jostle_core::space::Flights;

/// The regular spatial subdivision: every cell has its list.
pub type Cubic<const D: usize> = Cells<D, Dense<D>>;

/// The regular spatial tree: only occupied cells have one.
pub type SpatialTree<const D: usize> = Cells<D, Tree<D>>;

/// Cells at least as wide as the largest particle; the facet of a particle is the next cell face
/// that its centre comes to.
#[derive(Clone, Debug)]
pub struct Cells<const D: usize, S> {
    name: &'static str,
    /// \[length\]
    cell_size: Option<f64>,
    /// None before the first build.
    lattice: Option<Lattice<D>>,
    store: Option<S>,
    /// The cell of each particle, unwrapped. \[particle\]
    home: Vec<Cell<D>>,
    /// The face that each particle comes to next. \[particle\]
    crossing: Vec<Crossing>,
    /// Particles that a crossing brings near.
    found: Vec<u32>,
    topology: Topology,
}

impl<const D: usize> Cubic<D> {
    /// No particles yet. Cells are at least as wide as `cell_size` \[length\] says, and as the
    /// largest particle; if nothing is said, there are at most about two of them for each particle.
    pub fn new(cell_size: Option<f64>) -> Self {
        Self::named("cubic", cell_size)
    }
}

impl<const D: usize> SpatialTree<D> {
    /// No particles yet; cells as for [`Cubic::new`].
    pub fn new(cell_size: Option<f64>) -> Self {
        Self::named("tree", cell_size)
    }
}

impl<const D: usize, S: Store<D>> Cells<D, S> {
    fn named(name: &'static str, cell_size: Option<f64>) -> Self {
        Self {
            name,
            cell_size,
            lattice: None,
            store: None,
            home: Vec::new(),
            crossing: Vec::new(),
            found: Vec::new(),
            topology: Topology::default(),
        }
    }

    /// How many cells there are to be along each axis.
    fn counts(&self, flights: &Flights<'_, D>, diameter: f64) -> [i32; D] {
        let width = match self.cell_size {
            Some(size) => size.max(diameter),
            None => width_for(flights.domain, diameter, (2 * flights.len()).max(1) as f64),
        };
        flights.domain.edges().map(|edge| (edge / width).floor().clamp(1.0, 1e6) as i32)
    }

    /// Plans when `i` leaves its cell.
    fn foretell(&mut self, i: u32, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>) {
        if let Some(lattice) = &self.lattice {
            let (when, crossing) = lattice.leaves(i, self.home[i as usize], flights, now);
            self.crossing[i as usize] = crossing;
            self.topology.planned += 1;
            facets.plan(i, when);
        }
    }
}

impl<const D: usize, S: Store<D>> Kinetic<D> for Cells<D, S> {
    fn build(&mut self, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>) {
        let diameter = 2.0 * flights.largest_radius() * (1.0 + MARGIN);
        // An empty box has no largest particle.
        let diameter = if diameter > 0.0 { diameter } else { f64::INFINITY };
        let lattice =
            Lattice::new(flights.domain, self.counts(flights, diameter), diameter.min(1e300));
        let mut store = S::new(lattice.counts);
        self.home = (0..flights.len() as u32).map(|i| lattice.cell(flights.at(i, now))).collect();
        for (i, &home) in (0..).zip(&self.home) {
            store.insert(lattice.inside(home), i);
        }
        self.crossing = vec![Crossing::default(); flights.len()];
        (self.lattice, self.store) = (Some(lattice), Some(store));
        facets.cover(flights.len());
        for i in 0..flights.len() as u32 {
            self.foretell(i, flights, now, facets);
        }
    }

    fn near(&self, i: u32, _: &Flights<'_, D>, _: f64, out: &mut Vec<u32>) {
        let (Some(lattice), Some(store)) = (&self.lattice, &self.store) else {
            return;
        };
        let known = out.len();
        lattice.around(self.home[i as usize], |first, count| store.gather(first, count, out));
        leave_out(i, known, out);
    }

    fn fetch(&self, i: u32) {
        prefetch(&self.home, i as usize);
        prefetch(&self.crossing, i as usize);
    }

    fn update(&mut self, i: u32, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>) {
        if let Some(lattice) = &self.lattice {
            let home = &mut self.home[i as usize];
            *home = lattice.moved_to(*home, flights.at(i, now));
        }
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
        let (Some(lattice), Some(store)) = (&self.lattice, &mut self.store) else {
            return;
        };
        let (i, crossing, before) = (facet, self.crossing[facet as usize], gained.len());
        let home = &mut self.home[i as usize];
        store.remove(lattice.inside(*home), i);
        home[crossing.axis as usize] += if crossing.upper { 1 } else { -1 };
        self.found.clear();
        let found = &mut self.found;
        lattice.new_around(*home, crossing, |first, count| store.gather(first, count, found));
        gained.extend(self.found.iter().map(|&j| [i, j]));
        store.insert(lattice.inside(*home), i);
        self.topology.events += 1;
        self.topology.gained += (gained.len() - before) as u64;
        self.foretell(i, flights, now, facets);
    }

    fn tells_images_apart(&self) -> bool {
        self.lattice.as_ref().is_some_and(Lattice::tells_images_apart)
    }

    fn topology(&self) -> Topology {
        self.topology
    }

    fn bytes(&self) -> usize {
        self.store.as_ref().map_or(0, S::bytes)
            + self.home.capacity() * size_of::<Cell<D>>()
            + self.crossing.capacity() * size_of::<Crossing>()
    }

    fn describe(&self) -> String {
        let name = self.name;
        match (&self.lattice, &self.store) {
            (Some(lattice), Some(store)) => {
                let counts = lattice.counts.map(|n| n.to_string()).join(" x ");
                format!("{name}: {counts} cells, {} of them in memory", store.cells())
            }
            _ => format!("{name}: no cells yet"),
        }
    }

    fn assert_well_formed(&self, flights: &Flights<'_, D>, now: f64) {
        let (Some(lattice), Some(store)) = (&self.lattice, &self.store) else {
            return assert!(flights.is_empty());
        };
        for (i, &home) in (0..).zip(&self.home) {
            lattice.assert_holds(i, home, flights, now);
            let mut list = Vec::new();
            store.gather(lattice.inside(home), 1, &mut list);
            let listed = list.iter().filter(|&&j| j == i).count();
            assert_eq!(listed, 1, "particle {i} in cell {home:?}");
        }
    }
}
