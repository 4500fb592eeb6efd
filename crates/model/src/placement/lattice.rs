//! Particles on a lattice that fits the box, whatever its edges: the one whose sites are farthest
//! apart, thinned to the number at random, the species mixed.

use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use jostle_core::space::{Domain, Vector};

use super::grid::Occupied;
use super::ground::Ground;
use super::{GAP, Model, PlacementError, PlacementMethod, fractions, radius};

/// Where the sites of a cell are, in parts of its edges.
const SIMPLE: &[[f64; 3]] = &[[0.0; 3]];
/// Centred rectangles; with edges 1 : sqrt(3) the hexagonal lattice.
const CENTRED: &[[f64; 3]] = &[[0.0; 3], [0.5, 0.5, 0.0]];
const PARTICLE_CENTRED: &[[f64; 3]] = &[[0.0; 3], [0.5; 3]];
const FACE_CENTRED: &[[f64; 3]] = &[[0.0; 3], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]];

/// The lattices of each dimension.
fn bases(dimension: usize) -> &'static [&'static [[f64; 3]]] {
    match dimension {
        1 => &[SIMPLE],
        2 => &[SIMPLE, CENTRED],
        _ => &[SIMPLE, PARTICLE_CENTRED, FACE_CENTRED],
    }
}

pub(super) fn place<const D: usize>(
    model: &Model,
    ground: &Ground<'_, D>,
    occupied: &mut Occupied<'_, D>,
    random: &mut Xoshiro256PlusPlus,
) -> Result<(), PlacementError> {
    let mut species = Vec::new();
    for placement in &model.placement {
        if let PlacementMethod::Lattice { count } = placement.how {
            species.resize(species.len() + count, placement.species);
        }
    }
    if species.is_empty() {
        return Ok(());
    }
    let largest = species.iter().map(|&s| radius(model, s)).fold(0.0, f64::max);
    let is_free = |site: &Vector<D>| {
        let on_lattice =
            |p: &&super::super::Placement| matches!(p.how, PlacementMethod::Lattice { .. });
        let mut species = model.placement.iter().filter(on_lattice);
        species.all(|p| {
            ground.holds(p.species, *site).is_ok()
                && occupied.overlapping(p.species, *site, GAP).is_none()
        })
    };
    let found = free_sites(ground.domain, species.len(), largest, is_free);
    let mut sites =
        found.map_err(|full| full.reported(fractions(model, species[0], occupied).0))?;
    mix(&mut sites, random);
    for (species, site) in species.into_iter().zip(sites) {
        occupied.add(species, site);
    }
    Ok(())
}

/// Puts sites in a random order.
pub(super) fn mix<const D: usize>(sites: &mut [Vector<D>], random: &mut Xoshiro256PlusPlus) {
    sites.shuffle(random);
}

/// No lattice has enough sites.
pub(super) struct Full {
    wanted: usize,
    /// The least distance between sites. \[nm\]
    distance: f64,
    most: usize,
    reached: f64,
}

impl Full {
    /// As an error where a packing fraction of `asked` was asked for.
    pub(super) fn reported(self, asked: f64) -> PlacementError {
        let Self { wanted, distance, most, reached } = self;
        PlacementError::LatticeFull { wanted, distance, most, asked, reached }
    }
}

/// At least `wanted` sites that are free, for particles of radius `largest` \[nm\].
pub(super) fn free_sites<const D: usize>(
    domain: &Domain<D>,
    wanted: usize,
    largest: f64,
    is_free: impl Fn(&Vector<D>) -> bool,
) -> Result<Vec<Vector<D>>, Full> {
    let mut number = wanted;
    loop {
        let Some(lattice) = Lattice::widest(domain, number, largest) else {
            let most = most(domain, number, largest);
            return Err(Full {
                wanted: number,
                distance: 2.0 * largest,
                most,
                reached: most as f64 * jostle_core::space::ball_volume(D, largest)
                    / domain.volume(),
            });
        };
        let free: Vec<_> = lattice.sites(domain, largest).filter(&is_free).collect();
        if free.len() >= wanted {
            return Ok(free);
        }
        // Where most sites are out of bounds, in larger and larger strides.
        let stride = if 2 * free.len() < wanted { number / 2 } else { 0 };
        number += (wanted - free.len()).max(wanted / 50 + 1).max(stride);
    }
}

/// How many sites fit, somewhere below `too_many`.
fn most<const D: usize>(domain: &Domain<D>, too_many: usize, largest: f64) -> usize {
    let (mut fits, mut fails) = (0, too_many);
    while fits + 1 < fails {
        let middle = fits + (fails - fits) / 2;
        match Lattice::widest(domain, middle, largest) {
            Some(lattice) => fits = lattice.count().min(fails - 1).max(middle),
            None => fails = middle,
        }
    }
    fits
}

/// A lattice in the box.
#[derive(Clone, Copy)]
struct Lattice<const D: usize> {
    basis: &'static [[f64; 3]],
    cells: [usize; D],
    /// The edges of a cell. \[nm\]
    edges: [f64; D],
}

impl<const D: usize> Lattice<D> {
    /// The lattice of at least `number` sites whose sites are farthest apart; None if particles of
    /// radius `largest` would overlap on it.
    fn widest(domain: &Domain<D>, number: usize, largest: f64) -> Option<Self> {
        let mut best: Option<(f64, Self)> = None;
        for basis in bases(D) {
            let cells = number.div_ceil(basis.len());
            let ideal = ideal(domain, cells);
            each_shape(&ideal, cells, &mut |shape: [usize; D]| {
                let lattice = Self::new(domain, basis, shape, largest);
                let distance = lattice.distance(domain);
                if best.is_none_or(|(widest, _)| distance > widest) {
                    best = Some((distance, lattice));
                }
            });
        }
        let least = 2.0 * largest * (1.0 + GAP);
        best.filter(|(distance, _)| *distance >= least).map(|(_, lattice)| lattice)
    }

    fn new(
        domain: &Domain<D>,
        basis: &'static [[f64; 3]],
        cells: [usize; D],
        largest: f64,
    ) -> Self {
        let edges = std::array::from_fn(|k| {
            let edge = domain.edges()[k];
            if domain.is_periodic(k) {
                return edge / cells[k] as f64;
            }
            // Between walls, the first and the last site are a radius away from them.
            let last = basis.iter().map(|site| site[k]).fold(0.0, f64::max);
            let intervals = (cells[k] - 1) as f64 + last;
            let room = edge - 2.0 * largest * (1.0 + GAP);
            if intervals > 0.0 { room / intervals } else { f64::INFINITY }
        });
        Self { basis, cells, edges }
    }

    fn count(&self) -> usize {
        self.basis.len() * self.cells.iter().product::<usize>()
    }

    /// The least distance between two sites, or a site and its own periodic image. \[nm\]
    fn distance(&self, domain: &Domain<D>) -> f64 {
        let mut least = f64::INFINITY;
        for site in self.basis {
            for shift in 0..3_usize.pow(D as u32) {
                let mut squared = 0.0;
                let mut possible = true;
                for k in 0..D {
                    let offset = (shift / 3_usize.pow(k as u32) % 3) as f64 - 1.0 + site[k];
                    if offset != 0.0 {
                        squared += (offset * self.edges[k]).powi(2);
                        // One layer between walls has no neighbour along that axis.
                        possible &=
                            self.cells[k] > 1 || domain.is_periodic(k) || offset.abs() < 1.0;
                    }
                }
                if squared > 0.0 && possible {
                    least = least.min(squared);
                }
            }
        }
        least.sqrt()
    }

    fn sites(self, domain: &Domain<D>, largest: f64) -> impl Iterator<Item = Vector<D>> {
        let corner: [f64; D] =
            std::array::from_fn(
                |k| if domain.is_periodic(k) { 0.0 } else { largest * (1.0 + GAP) },
            );
        let domain = domain.clone();
        let cells = self.cells.iter().product::<usize>();
        (0..cells).flat_map(move |cell| {
            let domain = domain.clone();
            self.basis.iter().map(move |site| {
                let mut rest = cell;
                let place = Vector::from_fn(|k| {
                    let n = rest % self.cells[k];
                    rest /= self.cells[k];
                    let offset = n as f64 + site[k];
                    let along = if offset > 0.0 { offset * self.edges[k] } else { 0.0 };
                    corner[k] + along
                });
                domain.wrap(place).0
            })
        })
    }
}

/// The numbers of cells along each axis that make `cells` cells nearly cubic. An axis that is
/// shorter than such a cell has one, and the others share what is left.
fn ideal<const D: usize>(domain: &Domain<D>, cells: usize) -> [f64; D] {
    let edges = domain.edges();
    let mut thin = [false; D];
    loop {
        let thick = (0..D).filter(|&k| !thin[k]);
        let volume: f64 = thick.clone().map(|k| edges[k]).product();
        let edge = libm::pow(volume / cells as f64, 1.0 / thick.count().max(1) as f64);
        let numbers = std::array::from_fn(|k| if thin[k] { 1.0 } else { edges[k] / edge });
        match (0..D).find(|&k| numbers[k] < 1.0) {
            Some(k) => thin[k] = true,
            None => return numbers,
        }
    }
}

/// Calls `look` with the shapes around `ideal` that have at least `cells` cells: all numbers from
/// half to twice the ideal along all axes but the last, which takes as few as will do.
fn each_shape<const D: usize>(ideal: &[f64; D], cells: usize, look: &mut impl FnMut([usize; D])) {
    let low = ideal.map(|n| ((n / 2.0) as usize).max(1));
    let high = ideal.map(|n| (2.0 * n) as usize + 1);
    let mut shape = low;
    loop {
        let layer: usize = shape[..D - 1].iter().product();
        shape[D - 1] = cells.div_ceil(layer);
        look(shape);
        let Some(k) = (0..D - 1).find(|&k| shape[k] < high[k]) else {
            return;
        };
        shape[k] += 1;
        shape[..k].copy_from_slice(&low[..k]);
    }
}
