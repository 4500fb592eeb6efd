//! What a test for contact needs of particles, in the order of their cells.

use super::lanes::{LANES, Lanes};
use crate::space::Vector;

/// Stands for the particle of an entry if it has left.
pub(super) const NONE: u32 = u32::MAX;

/// A particle in the list of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// [`NONE`] if it has left since.
    pub(super) particle: u32,
    pub(super) cell: u32,
}

/// Entries in the lists of cells, and [`LANES`] of padding.
#[derive(Clone, Debug)]
pub(super) struct Entries<const D: usize> {
    pub(super) which: Vec<Entry>,
    /// Where the path starts, at the image next to the cell; infinitely far away for particles that
    /// no query is to find. \[axis\]\[entry\], \[length\]
    place: [Vec<f32>; D],
    /// How far the particle gets from there, and what single precision may be wrong by. \[length\]
    reach: Vec<f32>,
}

/// Some entries that follow each other, to be filled.
pub(super) struct EntryRange<'a, const D: usize> {
    pub(super) which: &'a mut [Entry],
    place: [&'a mut [f32]; D],
    reach: &'a mut [f32],
}

impl<const D: usize> Default for Entries<D> {
    fn default() -> Self {
        let none = || vec![f32::INFINITY; LANES];
        Self { which: Vec::new(), place: std::array::from_fn(|_| none()), reach: none() }
    }
}

impl<const D: usize> Entries<D> {
    /// What it holds of each. \[bytes\]
    pub(super) const EACH: usize = size_of::<Entry>() + size_of::<[f32; D]>() + size_of::<f32>();

    /// Makes room for so many.
    pub(super) fn resize(&mut self, count: usize) {
        // After shrinking, the padding holds old places instead of infinities. No query sees them,
        // since all mask off what is beyond the end of a stretch.
        self.which.resize(count, Entry { particle: NONE, cell: 0 });
        self.place.iter_mut().for_each(|x| x.resize(count + LANES, f32::INFINITY));
        self.reach.resize(count + LANES, 0.0);
    }

    /// All of them, to be filled.
    pub(super) fn part(&mut self) -> EntryRange<'_, D> {
        EntryRange {
            which: &mut self.which,
            place: self.place.each_mut().map(|x| &mut x[..]),
            reach: &mut self.reach,
        }
    }

    /// All of them, to be tested in a box with these periods.
    #[inline(always)]
    pub(super) fn lanes(&self, periods: [f32; D]) -> Lanes<'_, D> {
        // Of one length, so that one check of bounds does for all.
        let len = self.reach.len();
        Lanes {
            place: self.place.each_ref().map(|x| &x[..len]),
            reach: &self.reach[..len],
            periods,
        }
    }

    pub(super) fn place(&mut self, index: usize, place: Vector<D>, reach: f32) {
        for k in 0..D {
            self.place[k][index] = place[k] as f32;
        }
        self.reach[index] = reach;
    }

    /// Lets no query meet the entry.
    pub(super) fn hide(&mut self, index: usize) {
        // A place at infinity needs no test of its own in the inner loop, unlike a flag.
        self.place.iter_mut().for_each(|x| x[index] = f32::INFINITY);
    }

    /// The particle of the entry has left.
    pub(super) fn vacate(&mut self, index: usize) {
        self.hide(index);
        self.which[index].particle = NONE;
    }

    pub(super) fn renumber(&mut self, new_slot: &[u32]) {
        for entry in self.which.iter_mut().filter(|entry| entry.particle != NONE) {
            entry.particle = new_slot[entry.particle as usize];
        }
    }
}

impl<'a, const D: usize> EntryRange<'a, D> {
    /// The first `count` of them, and the rest.
    pub(super) fn split(self, count: usize) -> (Self, Self) {
        let (which, other_which) = self.which.split_at_mut(count);
        let (reach, other_reach) = self.reach.split_at_mut(count);
        let mut rest: [&'a mut [f32]; D] = std::array::from_fn(|_| Default::default());
        let mut n = 0;
        let place = self.place.map(|x| {
            let (first, other) = x.split_at_mut(count);
            rest[n] = other;
            n += 1;
            first
        });
        let other = Self { which: other_which, place: rest, reach: other_reach };
        (Self { which, place, reach }, other)
    }

    /// Fills in places and reaches, once particles and cells are known.
    pub(super) fn fill_in(&mut self, of: impl Fn(usize) -> (Vector<D>, f32)) {
        let Self { which, place, reach } = self;
        let place = place.each_mut().map(|x| &mut x[..which.len()]);
        for (index, (entry, reach)) in which.iter().zip(reach.iter_mut()).enumerate() {
            let start;
            (start, *reach) = of(entry.particle as usize);
            for k in 0..D {
                place[k][index] = start[k] as f32;
            }
        }
    }
}
