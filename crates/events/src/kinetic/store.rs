//! Where the particles of each cell are listed: an array over all cells, or a tree of the occupied
//! ones.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::lattice::Cell;

/// Lists of particles, by cell.
pub trait Store<const D: usize>: Send {
    /// Empty lists for a lattice of so many cells along each axis.
    fn new(counts: [i32; D]) -> Self;

    /// Appends the particles listed in a run of cells along the last axis: `count` of them from
    /// `first` on.
    fn gather(&self, first: Cell<D>, count: i32, out: &mut Vec<u32>);

    /// Lists a particle.
    fn insert(&mut self, cell: Cell<D>, particle: u32);

    /// Takes a particle off the list of its cell.
    fn remove(&mut self, cell: Cell<D>, particle: u32);

    /// How many cells take up memory.
    fn cells(&self) -> usize;

    /// \[bytes\]
    fn bytes(&self) -> usize;
}

/// Takes `particle` out of what is listed from place `from` on, once.
#[inline]
pub(super) fn leave_out(particle: u32, from: usize, list: &mut Vec<u32>) {
    if let Some(place) = list[from..].iter().position(|&other| other == particle) {
        list.swap_remove(from + place);
    }
}

/// So many particles are listed in their cell itself.
const FEW: usize = 3;

/// How many particles a cell holds, and the first few of them: all places are copied whether or not
/// they are taken, since how many are cannot be guessed, and a wrong guess costs more.
#[derive(Clone, Copy, Debug, Default)]
struct Few {
    first: [u32; FEW],
    count: u32,
}

/// A list for every cell there is: direct access, memory in proportion to the box.
#[derive(Clone, Debug)]
pub struct Dense<const D: usize> {
    strides: [u32; D],
    cells: Vec<Few>,
    /// What cells hold beyond their first few. \[cell\]
    more: BTreeMap<usize, Vec<u32>>,
}

impl<const D: usize> Dense<D> {
    #[inline]
    fn index(&self, cell: Cell<D>) -> usize {
        (0..D).map(|k| (cell[k] as u32 * self.strides[k]) as usize).sum()
    }
}

impl<const D: usize> Store<D> for Dense<D> {
    fn new(counts: [i32; D]) -> Self {
        let mut strides = [1; D];
        for k in (0..D.saturating_sub(1)).rev() {
            strides[k] = strides[k + 1] * counts[k + 1] as u32;
        }
        let cells = counts.iter().map(|&n| n as usize).product();
        Self { strides, cells: vec![Few::default(); cells], more: BTreeMap::new() }
    }

    #[inline]
    fn gather(&self, first: Cell<D>, count: i32, out: &mut Vec<u32>) {
        // The last axis has stride 1.
        let begin = self.index(first);
        for (cell, few) in (begin..).zip(&self.cells[begin..begin + count as usize]) {
            let (held, known) = (few.count as usize, out.len());
            out.extend_from_slice(&few.first);
            out.truncate(known + held.min(FEW));
            if held > FEW {
                out.extend(self.more.get(&cell).into_iter().flatten());
            }
        }
    }

    fn insert(&mut self, cell: Cell<D>, particle: u32) {
        let at = self.index(cell);
        let few = &mut self.cells[at];
        match few.first.get_mut(few.count as usize) {
            Some(place) => *place = particle,
            None => self.more.entry(at).or_default().push(particle),
        }
        few.count += 1;
    }

    fn remove(&mut self, cell: Cell<D>, particle: u32) {
        let at = self.index(cell);
        let few = &mut self.cells[at];
        // The last one takes the place of the one that leaves.
        let last = match few.count as usize {
            0 => return,
            n @ 1..=FEW => few.first[n - 1],
            _ => {
                let Some(more) = self.more.get_mut(&at) else { return };
                if let Some(place) = more.iter().position(|&other| other == particle) {
                    let end = more.len() - 1;
                    more.swap(place, end);
                }
                let Some(last) = more.pop() else { return };
                if more.is_empty() {
                    self.more.remove(&at);
                }
                last
            }
        };
        few.count -= 1;
        if let Some(place) = few.first.iter_mut().find(|other| **other == particle) {
            *place = last;
        }
    }

    fn cells(&self) -> usize {
        self.cells.len()
    }

    fn bytes(&self) -> usize {
        let more = self.more.values().map(|list| list.capacity() * size_of::<u32>());
        self.cells.capacity() * size_of::<Few>() + more.sum::<usize>()
    }
}

/// Occupied cells only, in a balanced tree ordered lexicographically by their coordinates: memory
/// in proportion to the particles whatever the box, for a logarithmic access (Gavrilova and Rokne
/// 2002, section 3.3).
#[derive(Clone, Debug)]
pub struct Tree<const D: usize> {
    lists: BTreeMap<Cell<D>, SmallVec<[u32; 4]>>,
}

impl<const D: usize> Store<D> for Tree<D> {
    fn new(_: [i32; D]) -> Self {
        Self { lists: BTreeMap::new() }
    }

    #[inline]
    fn gather(&self, first: Cell<D>, count: i32, out: &mut Vec<u32>) {
        // In this order a run is one stretch of the tree.
        let mut last = first;
        last[D - 1] += count - 1;
        self.lists.range(first..=last).for_each(|(_, list)| out.extend_from_slice(list));
    }

    fn insert(&mut self, cell: Cell<D>, particle: u32) {
        self.lists.entry(cell).or_default().push(particle);
    }

    fn remove(&mut self, cell: Cell<D>, particle: u32) {
        if let Some(list) = self.lists.get_mut(&cell) {
            if let Some(place) = list.iter().position(|&other| other == particle) {
                list.swap_remove(place);
            }
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
        let entry = size_of::<Cell<D>>() + size_of::<SmallVec<[u32; 4]>>();
        let spilled = self.lists.values().filter(|list| list.spilled());
        let more: usize = spilled.map(|list| list.capacity() * size_of::<u32>()).sum();
        self.lists.len() * entry * 3 / 2 + more
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::random::{Purpose, Random};

    /// 4000 particles come and go in twelve cells, of which some hold far more than a few.
    fn lists_what_is_in_each_cell<S: Store<2>>() {
        let random = Random::new(8);
        let mut store = S::new([3, 4]);
        let mut cells = vec![Vec::new(); 12];
        for n in 0..4000 {
            let draw = |k: u64| random.uniform(Purpose::Placement, [n, k, 0, 0]);
            let at = (12.0 * draw(0) * draw(1)) as usize;
            let place = |at: usize| [at as i32 / 4, at as i32 % 4];
            // Each cell grows and shrinks in turn.
            let grows = draw(2) < if n / 500 % 2 == 0 { 0.7 } else { 0.3 };
            if grows || cells[at].is_empty() {
                store.insert(place(at), n as u32);
                cells[at].push(n as u32);
            } else {
                let which = (draw(3) * cells[at].len() as f64) as usize;
                let leaver = cells[at].swap_remove(which);
                store.remove(place(at), leaver);
            }
            for row in 0..3 {
                let (first, count) = ((4.0 * draw(4)) as usize, 1 + (4.0 * draw(5)) as usize);
                let count = count.min(4 - first);
                let mut found = vec![7];
                store.gather([row, first as i32], count as i32, &mut found);
                let begin = 4 * row as usize + first;
                let mut expected = cells[begin..begin + count].concat();
                found[1..].sort_unstable();
                expected.sort_unstable();
                assert_eq!((found[0], &found[1..]), (7, &expected[..]));
            }
        }
        assert!(cells.iter().map(Vec::len).max() > Some(20), "{cells:?}");
    }

    #[test]
    fn a_list_for_every_cell() {
        lists_what_is_in_each_cell::<Dense<2>>();
    }

    #[test]
    fn a_list_for_every_occupied_cell() {
        lists_what_is_in_each_cell::<Tree<2>>();
    }
}
