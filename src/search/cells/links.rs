//! The dual representation (Johnson & Whalley 2002, section 3.1): each cell lists the bodies in it,
//! each body knows its cells, and each is the other's inverse.

use smallvec::SmallVec;

use crate::search::{GONE, Listing};

/// In place of a cell: none.
const NOWHERE: u32 = u32::MAX;

/// Links between cells and bodies, in both directions.
#[derive(Clone, Debug)]
pub struct Links {
    lists: Vec<SmallVec<[u32; 4]>>,
    homes: Homes,
}

/// Where bodies are listed. The place of a body in the list of its cell is kept, so that it leaves
/// the list in constant time.
#[derive(Clone, Debug)]
enum Homes {
    /// At most one cell a body: 8 bytes each.
    One { cell: Vec<u32>, place: Vec<u32> },
    /// Any number of cells a body.
    Many(Vec<Home>),
}

#[derive(Clone, Debug, Default)]
struct Home {
    cells: SmallVec<[u32; 4]>,
    places: SmallVec<[u32; 4]>,
}

impl Links {
    /// No links yet between `cells` cells and `slots` bodies.
    pub fn new(cells: usize, slots: usize, listing: Listing) -> Self {
        Self {
            lists: vec![SmallVec::new(); cells],
            homes: match listing {
                Listing::Centre => Homes::One { cell: vec![NOWHERE; slots], place: vec![0; slots] },
                Listing::Touch => Homes::Many(vec![Home::default(); slots]),
            },
        }
    }

    /// The bodies in a cell.
    #[inline]
    pub fn bodies_in(&self, cell: u32) -> &[u32] {
        &self.lists[cell as usize]
    }

    /// The cells of a body: none if it is dead or not yet known.
    #[inline]
    pub fn cells_of(&self, body: u32) -> &[u32] {
        let i = body as usize;
        match &self.homes {
            Homes::One { cell, .. } => match cell.get(i) {
                None | Some(&NOWHERE) => &[],
                Some(cell) => std::slice::from_ref(cell),
            },
            Homes::Many(homes) => homes.get(i).map_or(&[], |home| &home.cells),
        }
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.lists.len()
    }

    /// The number of slots.
    pub fn slots(&self) -> usize {
        match &self.homes {
            Homes::One { cell, .. } => cell.len(),
            Homes::Many(homes) => homes.len(),
        }
    }

    /// Makes room for `slots` bodies; those beyond are forgotten.
    pub fn resize(&mut self, slots: usize) {
        for body in slots..self.slots() {
            self.unlink(body as u32);
        }
        match &mut self.homes {
            Homes::One { cell, place } => {
                cell.resize(slots, NOWHERE);
                place.resize(slots, 0);
            }
            Homes::Many(homes) => homes.resize(slots, Home::default()),
        }
    }

    /// Lists a body in `cells`, which it is not in yet; with [`Listing::Centre`] that is one cell.
    pub fn link(&mut self, body: u32, cells: impl Iterator<Item = u32>) {
        let i = body as usize;
        for c in cells {
            let list = &mut self.lists[c as usize];
            let last = list.len() as u32;
            list.push(body);
            match &mut self.homes {
                Homes::One { cell, place } => {
                    debug_assert_eq!(cell[i], NOWHERE, "body {body} is in a cell already");
                    (cell[i], place[i]) = (c, last);
                }
                Homes::Many(homes) => {
                    homes[i].cells.push(c);
                    homes[i].places.push(last);
                }
            }
        }
    }

    /// Takes a body off the lists of all its cells.
    pub fn unlink(&mut self, body: u32) {
        let i = body as usize;
        match &mut self.homes {
            Homes::One { cell, place } => {
                if i < cell.len() && cell[i] != NOWHERE {
                    if let Some(moved) = drop_from(&mut self.lists[cell[i] as usize], place[i]) {
                        place[moved as usize] = place[i];
                    }
                    cell[i] = NOWHERE;
                }
            }
            Homes::Many(homes) => {
                let Some(home) = homes.get_mut(i).map(std::mem::take) else {
                    return;
                };
                for (&c, &place) in home.cells.iter().zip(&home.places) {
                    if let Some(moved) = drop_from(&mut self.lists[c as usize], place) {
                        let other = &mut homes[moved as usize];
                        let n = other.cells.iter().position(|&cell| cell == c);
                        n.into_iter().for_each(|n| other.places[n] = place);
                    }
                }
            }
        }
    }

    /// The body of slot `i` is now in `new_slot[i]`, or gone.
    pub fn renumber(&mut self, new_slot: &[u32]) {
        self.resize(new_slot.len());
        for (old, _) in new_slot.iter().enumerate().filter(|(_, new)| **new == GONE) {
            self.unlink(old as u32);
        }
        for list in &mut self.lists {
            list.iter_mut().for_each(|b| *b = new_slot[*b as usize]);
        }
        match &mut self.homes {
            Homes::One { cell, place } => {
                *cell = renumbered(cell, new_slot, NOWHERE);
                *place = renumbered(place, new_slot, 0);
            }
            Homes::Many(homes) => *homes = renumbered(homes, new_slot, Home::default()),
        }
    }

    /// Holds the two directions to be each other's inverse, without repetition.
    ///
    /// # Panics
    /// If they are not. For tests.
    pub fn assert_well_formed(&self) {
        let mut links = 0;
        for (c, list) in self.lists.iter().enumerate() {
            for (n, &body) in list.iter().enumerate() {
                assert!(!list[..n].contains(&body), "cell {c} lists {body} twice");
                let cells = self.cells_of(body);
                assert!(cells.contains(&(c as u32)), "cell {c} lists {body}, whose cells are {cells:?}");
                links += 1;
            }
        }
        for body in 0..self.slots() as u32 {
            let cells = self.cells_of(body);
            for (n, &c) in cells.iter().enumerate() {
                let list = self.bodies_in(c);
                assert!(!cells[..n].contains(&c), "body {body} knows {c} twice");
                assert!(list.contains(&body), "body {body} knows cell {c}, which lists {list:?}");
                let place = match &self.homes {
                    Homes::One { place, .. } => place[body as usize],
                    Homes::Many(homes) => homes[body as usize].places[n],
                };
                assert_eq!(list[place as usize], body, "its place in cell {c}");
                links -= 1;
            }
        }
        assert_eq!(links, 0, "links in one direction only");
    }
}

/// Takes entry `place` off a list; the entry that fills the gap, if another one does.
fn drop_from(list: &mut SmallVec<[u32; 4]>, place: u32) -> Option<u32> {
    list.swap_remove(place as usize);
    list.get(place as usize).copied()
}

/// `values` by new slot; slots that nobody moves to hold `none`.
pub(in crate::search) fn renumbered<T: Clone>(values: &[T], new_slot: &[u32], none: T) -> Vec<T> {
    let moves = || values.iter().zip(new_slot).filter(|(_, new)| **new != GONE);
    let slots = moves().map(|(_, &new)| new as usize + 1).max().unwrap_or(0);
    let mut arranged = vec![none; slots];
    for (value, &new) in moves() {
        arranged[new as usize] = value.clone();
    }
    arranged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_agree_after_every_change() {
        for listing in [Listing::Centre, Listing::Touch] {
            let most = if listing == Listing::Centre { 1 } else { 3 };
            let mut links = Links::new(7, 20, listing);
            let cells = |seed: u32| (0..1 + seed % most).map(move |n| (seed * 5 + n) % 7);
            for body in 0..20 {
                links.link(body, cells(body));
                links.assert_well_formed();
            }
            for body in [3, 0, 19, 7, 7] {
                links.unlink(body);
                links.assert_well_formed();
                assert!(links.cells_of(body).is_empty());
            }
            links.link(7, cells(1));
            let mut new_slot: Vec<u32> = (0..20).rev().collect();
            new_slot[19] = GONE;
            new_slot[18] = GONE;
            new_slot.iter_mut().take(18).for_each(|s| *s -= 2);
            let of_seven = links.cells_of(7).to_vec();
            links.renumber(&new_slot);
            links.assert_well_formed();
            assert_eq!(links.slots(), 18);
            assert_eq!(links.cells_of(new_slot[7]), of_seven);
            links.resize(5);
            links.assert_well_formed();
            assert!(links.cells_of(6).is_empty());
        }
    }

    #[test]
    #[should_panic(expected = "lists")]
    fn a_broken_link_is_noticed() {
        let mut links = Links::new(2, 2, Listing::Centre);
        links.link(1, [0].into_iter());
        links.lists[0].clear();
        links.lists[1].push(1);
        links.assert_well_formed();
    }
}
