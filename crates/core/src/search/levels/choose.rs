//! Which lattices there are to be.

use crate::search::cells::{Grid, most_cells, suitable};
use crate::space::Domain;

/// The most lattices: from the finest to the coarsest, edges grow by up to 2^15.
const MOST: usize = 16;

/// The lattices for particles that need cells of the given widths, the finest first.
///
/// The coarsest is the one that a search with a single lattice would take. Those that follow have
/// cells half as wide each; one is left out where its particles are so few that, in cells twice as
/// wide, there would be no more than one of them to a cell. Particles that a lattice suits but that
/// it is left out for go to the next coarser one.
pub(super) fn lattices<const D: usize>(
    domain: &Domain<D>,
    needed: &mut [f64],
    cell_size: Option<f64>,
) -> Vec<Grid<D>> {
    let particles = needed.len();
    let least = cell_size.unwrap_or(0.0);
    let of_width =
        |width: f64| Grid::new(domain, [true; D], width, most_cells(particles, cell_size));
    let coarsest = f64::max(suitable(needed), least);
    let smallest = needed.iter().copied().fold(f64::INFINITY, f64::min);
    let mut widths = vec![coarsest];
    let mut width = 0.5 * coarsest;
    while widths.len() < MOST && width >= f64::max(smallest, least) {
        widths.push(width);
        width *= 0.5;
    }
    let mut grids: Vec<Grid<D>> = Vec::new();
    // Particles that the lattices so far suit.
    let mut served = 0;
    for &width in widths[1..].iter().rev() {
        let suited = needed.iter().filter(|&&n| n <= width).count();
        let grid = of_width(width);
        let coarser = of_width(2.0 * width).len();
        if suited - served > coarser && grid.len() > coarser {
            grids.push(grid);
            served = suited;
        }
    }
    grids.push(of_width(coarsest));
    grids
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells along an axis of each lattice, for so many particles that need cells so wide.
    fn counts(particles: &[(usize, f64)], cell_size: Option<f64>) -> Vec<u32> {
        let of = |&(count, width): &(usize, f64)| std::iter::repeat_n(width, count);
        let mut needed: Vec<f64> = particles.iter().flat_map(of).collect();
        let domain = Domain::new([64.0, 64.0], [true, false]);
        lattices(&domain, &mut needed, cell_size).iter().map(|grid| grid.counts()[1]).collect()
    }

    #[test]
    fn particles_of_one_size_have_one_lattice() {
        assert_eq!(counts(&[(900, 2.0)], None), [32]);
        assert_eq!(counts(&[(900, 2.0), (20, 30.0)], None), [32], "a few large ones do not matter");
        assert_eq!(counts(&[], None).len(), 1);
    }

    #[test]
    fn crowds_of_different_sizes_have_lattices_of_their_own() {
        assert_eq!(counts(&[(2000, 1.0), (60, 16.0)], None), [64, 4]);
        assert_eq!(counts(&[(2000, 1.0), (400, 4.0), (80, 16.0)], None), [64, 16, 4]);
        // In cells of the size of the largest there is no more than one of the small.
        assert_eq!(counts(&[(12, 1.0), (20, 16.0)], None), [4]);
        assert_eq!(
            counts(&[(2000, 1.0), (60, 16.0)], Some(3.0)),
            [16, 4],
            "no finer than asked for"
        );
        assert_eq!(counts(&[(2000, 1.0), (60, 16.0)], Some(20.0)), [3]);
    }
}
