//! The dual representation (Johnson & Whalley 2002, section 3.1): each cell lists the particles in
//! it, each particle knows its cells, and each is the other's inverse.
//!
//! The lists of all cells are one array in the order of the cells, sorted anew whenever all
//! particles are linked; so the particles of consecutive cells of a row are one stretch of memory.
//! Particles linked after that wait for the next sort in a separate list, the latecomers.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Grid;
use super::entries::{Entries, NONE};
use crate::search::GONE;
use crate::space::Vector;

/// In place of a cell: none.
pub(super) const NOWHERE: [u32; 2] = [u32::MAX; 2];

/// Links between cells and particles, in both directions.
#[derive(Clone, Debug)]
pub(in crate::search) struct Links<const D: usize> {
    /// The first and the last cell of each particle, [`NOWHERE`] if it is dead or not yet known.
    /// \[slot\]
    pub(super) homes: Vec<[u32; 2]>,
    /// Where the entries of each cell start, and where those of the last one end. \[cell\]
    pub(super) start: Vec<u32>,
    pub(super) entries: Entries<D>,
    /// Cell and slot of the particles that have been linked since the last sort.
    // Ordered by cell, so that a row of cells is one range, and by slot within it, so that queries
    // do not depend on the order in which particles were linked.
    late: BTreeSet<(u32, u32)>,
}

impl<const D: usize> Links<D> {
    /// No links yet between `cells` cells and `slots` particles.
    pub(super) fn new(cells: usize, slots: usize) -> Self {
        Self {
            homes: vec![NOWHERE; slots],
            start: vec![0; cells + 1],
            entries: Entries::default(),
            late: BTreeSet::new(),
        }
    }

    /// The first and the last cell of a particle: none if it is dead or not yet known.
    #[inline]
    pub(in crate::search) fn home(&self, particle: u32) -> Option<[u32; 2]> {
        self.homes.get(particle as usize).copied().filter(|home| *home != NOWHERE)
    }

    /// The number of slots.
    pub(in crate::search) fn slots(&self) -> usize {
        self.homes.len()
    }

    /// The entries of the cells from `first` to `last`.
    #[inline]
    pub(super) fn stretch(&self, first: u32, last: u32) -> Range<usize> {
        self.start[first as usize] as usize..self.start[last as usize + 1] as usize
    }

    /// Whether any particle is linked but in no entry.
    #[inline]
    pub(super) fn any_late(&self) -> bool {
        !self.late.is_empty()
    }

    /// Cell and slot of particles in the cells `first` to `last` that are linked but in no entry.
    pub(super) fn late(&self, first: u32, last: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.late.range((first, 0)..=(last, u32::MAX)).copied()
    }

    /// The particles that are linked but in no entry, each once.
    pub(super) fn latecomers(&self) -> impl Iterator<Item = u32> + '_ {
        self.late
            .iter()
            .filter(|(cell, particle)| self.homes[*particle as usize][0] == *cell)
            .map(|(_, particle)| *particle)
    }

    /// Whether a particle is linked but in no entry.
    #[inline]
    pub(super) fn is_late(&self, particle: u32) -> bool {
        !self.late.is_empty() && self.late.contains(&(self.homes[particle as usize][0], particle))
    }

    /// The particles in a cell.
    pub(super) fn particles_in(&self, cell: u32) -> Vec<u32> {
        let entries = &self.entries.which[self.stretch(cell, cell)];
        let sorted =
            entries.iter().map(|entry| entry.particle).filter(|&particle| particle != NONE);
        sorted.chain(self.late(cell, cell).map(|(_, particle)| particle)).collect()
    }

    /// Makes room for `slots` particles; those beyond are forgotten.
    pub(super) fn resize(&mut self, slots: usize, grid: &Grid<D>) {
        for particle in slots..self.slots() {
            self.unlink(particle as u32, grid);
        }
        self.homes.resize(slots, NOWHERE);
    }

    /// Lists a particle, which is in no cell yet, in those of the block between `home`.
    pub(super) fn link(&mut self, particle: u32, home: [u32; 2], grid: &Grid<D>) {
        self.homes[particle as usize] = home;
        self.late
            .extend(grid.cells(grid.span_between(home[0], home[1])).map(|cell| (cell, particle)));
    }

    /// Takes a particle off the lists of all its cells.
    pub(super) fn unlink(&mut self, particle: u32, grid: &Grid<D>) {
        // While the home is still known, since it says where the entries are.
        self.each_entry(particle, grid, Entries::vacate);
        let Some(home) = self.home(particle) else {
            return;
        };
        if !self.late.is_empty() {
            for cell in grid.cells(grid.span_between(home[0], home[1])) {
                self.late.remove(&(cell, particle));
            }
        }
        self.homes[particle as usize] = NOWHERE;
    }

    /// Lets the entries of a particle say where its path starts and how far it gets.
    pub(super) fn place(&mut self, particle: u32, grid: &Grid<D>, place: Vector<D>, reach: f32) {
        self.each_entry(particle, grid, |entries, index| entries.place(index, place, reach));
    }

    /// Lets no query meet the entries of a particle.
    pub(super) fn hide(&mut self, particle: u32, grid: &Grid<D>) {
        self.each_entry(particle, grid, Entries::hide);
    }

    fn each_entry(
        &mut self,
        particle: u32,
        grid: &Grid<D>,
        mut f: impl FnMut(&mut Entries<D>, usize),
    ) {
        let Some(home) = self.home(particle) else {
            return;
        };
        let mut in_cell = |cell: u32| {
            let stretch = self.stretch(cell, cell);
            // Linear in the number of particles in the cell; a latecomer is not found.
            let index = self.entries.which[stretch.clone()]
                .iter()
                .position(|entry| entry.particle == particle);
            if let Some(index) = index {
                f(&mut self.entries, stretch.start + index);
            }
        };
        match home {
            [only, last] if only == last => in_cell(only),
            [first, last] => grid.cells(grid.span_between(first, last)).for_each(in_cell),
        }
    }

    /// Forgets the latecomers, since all are about to be sorted.
    pub(super) fn forget_late(&mut self) {
        self.late.clear();
    }

    /// The particle of slot `i` is now in `new_slot[i]`, or gone.
    pub(super) fn renumber(&mut self, new_slot: &[u32], grid: &Grid<D>) {
        self.resize(new_slot.len(), grid);
        // Particles that are gone leave under their old numbers. Afterwards neither entries nor
        // latecomers name them, and all that remains is renaming.
        for (old, _) in new_slot.iter().enumerate().filter(|(_, new)| **new == GONE) {
            self.unlink(old as u32, grid);
        }
        self.entries.renumber(new_slot);
        self.late =
            self.late.iter().map(|&(cell, particle)| (cell, new_slot[particle as usize])).collect();
        self.homes = renumbered(&self.homes, new_slot, NOWHERE);
    }

    /// Holds the two directions to be each other's inverse, without repetition.
    ///
    /// # Panics
    /// If they are not. For tests.
    pub(in crate::search) fn assert_well_formed(&self, grid: &Grid<D>) {
        let mut links = 0;
        for c in 0..grid.len() as u32 {
            let list = self.particles_in(c);
            for (n, &particle) in list.iter().enumerate() {
                assert!(!list[..n].contains(&particle), "cell {c} lists {particle} twice");
                let cells = self.cells_of(particle, grid);
                assert!(cells.contains(&c), "cell {c} lists {particle}, whose cells are {cells:?}");
                links += 1;
            }
        }
        for particle in 0..self.slots() as u32 {
            for c in self.cells_of(particle, grid) {
                let list = self.particles_in(c);
                assert!(
                    list.contains(&particle),
                    "particle {particle} knows cell {c}, which lists {list:?}"
                );
                links -= 1;
            }
        }
        assert_eq!(links, 0, "links in one direction only");
    }

    /// The cells of a particle: none if it is dead or not yet known.
    pub(super) fn cells_of(&self, particle: u32, grid: &Grid<D>) -> Vec<u32> {
        let span = self.home(particle).map(|[first, last]| grid.span_between(first, last));
        span.into_iter().flat_map(|span| grid.cells(span)).collect()
    }
}

/// `values` by new slot; slots to which no particle moves hold `none`.
pub(in crate::search) fn renumbered<T: Clone>(values: &[T], new_slot: &[u32], none: T) -> Vec<T> {
    let moves = || values.iter().zip(new_slot).filter(|(_, new)| **new != GONE);
    let slots = moves().map(|(_, &new)| new as usize + 1).max().unwrap_or(0);
    let mut arranged = vec![none; slots];
    for (value, &new) in moves() {
        arranged[new as usize] = value.clone();
    }
    arranged
}
