//! Cubic cells: the box divided along every axis; Algorithms A (relinked with every move) and B
//! (relinked once per step) of Johnson & Whalley 2002, sections 3 and 4.

use super::cells::Cells;
use super::{Kind, Settings};

/// Cells along every axis, as `settings` say.
pub fn cubic<const D: usize>(settings: &Settings) -> Cells<D> {
    Cells::new(Kind::Cubic.name(), [true; D], settings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Broad, Listing, Search};
    use crate::space::{Domain, Groups, Paths, Vector, Window};

    const N: usize = 4096;

    /// Spheres of radius 0.5 on a lattice of 16 x 16 x 16 with spacing 2, moving by up to 0.1 along
    /// each axis; the first `large` of them have a radius of 8.
    fn with_spheres<T>(large: usize, shift: f64, f: impl FnOnce(&Paths<'_, 3>) -> T) -> T {
        let domain = Domain::new([32.0; 3], [true; 3]);
        let place = |n: usize, k: usize| 2.0 * (n >> (4 * k) & 15) as f64 + 1.0 + shift;
        let position: Vec<_> = (0..N).map(|n| Vector::from_fn(|k| place(n, k))).collect();
        let wrapped: Vec<_> = position.iter().map(|x| domain.wrap(*x).0).collect();
        let speed = |n: usize, k: usize| 0.1 * ((n * 7 + k * 5) % 21) as f64 / 10.0 - 0.1;
        let radius: Vec<_> = (0..N).map(|n| if n < large { 8.0 } else { 0.5 }).collect();
        f(&Paths {
            domain: &domain,
            position: &wrapped,
            velocity: &(0..N).map(|n| Vector::from_fn(|k| speed(n, k))).collect::<Vec<_>>(),
            since: &vec![0.0; N],
            radius: &radius,
            group: &vec![0; N],
            groups: &Groups::all(),
            alive: &vec![true; N],
        })
    }

    #[test]
    fn a_few_large_particles_do_not_widen_the_cells_of_all() {
        let mut work = Vec::new();
        for large in [0, 5] {
            with_spheres(large, 0.0, |paths| {
                let mut cells = cubic(&Settings::default());
                cells.refit(paths, Window::STEP);
                assert_eq!(cells.short_list().len(), large);
                let before = cells.counters();
                cells.pairs(paths, &mut Vec::new());
                work.push(cells.counters().since(before).pairs_considered);
            });
        }
        // Each large one is tested against at most all others.
        assert!(work[0] < 14 * N as u64, "{work:?}");
        assert!(work[1] < work[0] + 5 * N as u64, "{work:?}");
    }

    #[test]
    fn cells_are_kept_from_step_to_step_and_only_those_that_moved_are_relinked() {
        let mut cells = cubic(&Settings::default());
        let refit = |cells: &mut Cells<3>, shift: f64| {
            with_spheres(0, shift, |paths| cells.refit(paths, Window::STEP));
            (cells.grid().cloned(), cells.counters().relinks)
        };
        let (grid, first) = refit(&mut cells, 0.0);
        let (same, second) = refit(&mut cells, 0.0);
        let (moved, third) = refit(&mut cells, 0.3);
        assert_eq!((first, second), (N as u64, N as u64));
        // Of the four places along an axis relative to the cells, one is within 0.3 of a face.
        assert_eq!(third - second, (N - N * 27 / 64) as u64);
        assert!(grid == same && same == moved);
        cells.assert_well_formed();
    }

    #[test]
    fn a_particle_listed_by_touch_is_in_all_cells_that_it_overlaps() {
        let listing = Listing::Touch;
        let mut cells =
            cubic::<3>(&Settings { listing, cell_size: Some(1.6), ..Settings::default() });
        with_spheres(3, 0.31, |paths| {
            cells.refit(paths, Window::STEP);
            let Some(grid) = cells.grid() else {
                panic!("there has been a refit");
            };
            for particle in [0, 7, 1234] {
                let reaches = |cell: u32| {
                    let (c, w) = (grid.coordinates(cell), grid.widths());
                    let middle = Vector::from_fn(|k| (f64::from(c[k]) + 0.5) * w[k]);
                    let apart = paths.domain.nearest_image(paths.position[particle] - middle);
                    (0..3).all(|k| apart[k].abs() < paths.radius[particle] + 0.5 * w[k])
                };
                let mut expected: Vec<u32> = (0..grid.len() as u32).collect();
                expected.retain(|&cell| reaches(cell));
                let mut listed = cells.cells_of(particle as u32).to_vec();
                listed.sort_unstable();
                assert_eq!(listed, expected, "particle {particle}");
            }
        });
    }
}
