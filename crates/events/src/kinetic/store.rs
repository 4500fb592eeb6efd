//! Where the particles of each cell are listed: an array over all cells, or a tree of the occupied
//! ones.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::lattice::Cell;

/// The particles of one cell.
type List = SmallVec<[u32; 4]>;

/// Lists of particles, by cell.
pub trait Store<const D: usize>: Send {
    /// Empty lists for a lattice of so many cells along each axis.
    fn new(counts: [i32; D]) -> Self;

    /// Visits the particles listed in a run of cells along the last axis: `count` of them from
    /// `first` on.
    fn run(&self, first: Cell<D>, count: i32, visit: impl FnMut(&[u32]));

    /// The particles listed in a cell.
    fn list(&self, cell: Cell<D>) -> &[u32];

    /// Lists a particle.
    fn insert(&mut self, cell: Cell<D>, particle: u32);

    /// Takes a particle off the list of its cell.
    fn remove(&mut self, cell: Cell<D>, particle: u32);

    /// How many cells take up memory.
    fn cells(&self) -> usize;

    /// \[bytes\]
    fn bytes(&self) -> usize;
}

/// A list for every cell there is: direct access, memory in proportion to the box.
#[derive(Clone, Debug)]
pub struct Dense<const D: usize> {
    strides: [u32; D],
    lists: Vec<List>,
}

impl<const D: usize> Dense<D> {
    #[inline]
    fn index(&self, cell: Cell<D>) -> usize {
        (0..D).map(|k| (cell[k] as u32 * self.strides[k]) as usize).sum()
    }
}

/// Of lists that hold more than fit beside each other.
fn spilled<'a>(lists: impl Iterator<Item = &'a List>) -> usize {
    lists.filter(|list| list.spilled()).map(|list| list.capacity() * size_of::<u32>()).sum()
}

fn take_off(list: &mut List, particle: u32) {
    if let Some(place) = list.iter().position(|&other| other == particle) {
        list.swap_remove(place);
    }
}

impl<const D: usize> Store<D> for Dense<D> {
    fn new(counts: [i32; D]) -> Self {
        let mut strides = [1; D];
        for k in (0..D.saturating_sub(1)).rev() {
            strides[k] = strides[k + 1] * counts[k + 1] as u32;
        }
        let cells = counts.iter().map(|&n| n as usize).product();
        Self { strides, lists: vec![List::new(); cells] }
    }

    #[inline]
    fn run(&self, first: Cell<D>, count: i32, visit: impl FnMut(&[u32])) {
        // The last axis has stride 1.
        let begin = self.index(first);
        self.lists[begin..begin + count as usize].iter().map(List::as_slice).for_each(visit);
    }

    #[inline]
    fn list(&self, cell: Cell<D>) -> &[u32] {
        &self.lists[self.index(cell)]
    }

    fn insert(&mut self, cell: Cell<D>, particle: u32) {
        let at = self.index(cell);
        self.lists[at].push(particle);
    }

    fn remove(&mut self, cell: Cell<D>, particle: u32) {
        let at = self.index(cell);
        take_off(&mut self.lists[at], particle);
    }

    fn cells(&self) -> usize {
        self.lists.len()
    }

    fn bytes(&self) -> usize {
        self.lists.capacity() * size_of::<List>() + spilled(self.lists.iter())
    }
}

/// Occupied cells only, in a balanced tree ordered lexicographically by their coordinates: memory
/// in proportion to the particles whatever the box, for a logarithmic access (Gavrilova and Rokne
/// 2002, section 3.3).
#[derive(Clone, Debug)]
pub struct Tree<const D: usize> {
    lists: BTreeMap<Cell<D>, List>,
}

impl<const D: usize> Store<D> for Tree<D> {
    fn new(_: [i32; D]) -> Self {
        Self { lists: BTreeMap::new() }
    }

    #[inline]
    fn run(&self, first: Cell<D>, count: i32, visit: impl FnMut(&[u32])) {
        // In this order a run is one stretch of the tree.
        let mut last = first;
        last[D - 1] += count - 1;
        self.lists.range(first..=last).map(|(_, list)| list.as_slice()).for_each(visit);
    }

    #[inline]
    fn list(&self, cell: Cell<D>) -> &[u32] {
        self.lists.get(&cell).map_or(&[], |list| list)
    }

    fn insert(&mut self, cell: Cell<D>, particle: u32) {
        self.lists.entry(cell).or_default().push(particle);
    }

    fn remove(&mut self, cell: Cell<D>, particle: u32) {
        if let Some(list) = self.lists.get_mut(&cell) {
            take_off(list, particle);
            if list.is_empty() {
                self.lists.remove(&cell);
            }
        }
    }

    fn cells(&self) -> usize {
        self.lists.len()
    }

    fn bytes(&self) -> usize {
        // Nodes of the standard library's tree are filled to two thirds on average.
        let entry = size_of::<Cell<D>>() + size_of::<List>();
        self.lists.len() * entry * 3 / 2 + spilled(self.lists.values())
    }
}
