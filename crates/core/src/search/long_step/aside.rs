//! Boxes that are not where they were sorted in, or were never sorted in: every particle is
//! compared with them.

use super::entries::BoxList;
use super::rows::moved;
use super::spans::SweptBox;
use crate::search::GONE;
use crate::search::cells::renumbered;

/// A list of boxes that slots may be put on and taken off.
#[derive(Debug, Default)]
pub(super) struct Aside<const D: usize> {
    entries: BoxList<D>,
    /// Where on the list the box of each slot is; [`SORTED`] or [`GONE`] if it is not. \[slot\]
    place: Vec<u32>,
    /// How many of them were on the list when all were sorted.
    at_first: usize,
}

/// The box of the slot is where it was sorted in, if it was.
const SORTED: u32 = GONE - 1;

impl<const D: usize> Aside<D> {
    /// No particle is on the list, of so many slots.
    pub(super) fn clear(&mut self, slots: usize) {
        self.entries.resize(0);
        self.place.clear();
        self.place.resize(slots, SORTED);
        self.at_first = 0;
    }

    /// Takes up a box that is too long to be sorted.
    pub(super) fn put_first(&mut self, slot: u32, swept: &SweptBox<D>) {
        self.put(slot, swept);
        self.at_first = self.entries.len();
    }

    /// Takes up the box of a slot, in place of that which it had.
    pub(super) fn put(&mut self, slot: u32, swept: &SweptBox<D>) {
        let i = slot as usize;
        if i >= self.place.len() {
            self.place.resize(i + 1, GONE);
        }
        if self.place[i] >= SORTED {
            self.place[i] = self.entries.len() as u32;
            self.entries.resize(self.entries.len() + 1);
        }
        self.entries.set(self.place[i] as usize, slot, swept);
    }

    /// Forgets the box of a slot, wherever it is.
    pub(super) fn take(&mut self, slot: u32) {
        let Some(place) = self.place.get_mut(slot as usize) else { return };
        let place = std::mem::replace(place, GONE);
        if place >= SORTED {
            return;
        }
        // The last one moves into the gap.
        if let Some((last, swept)) = self.entries.pop().filter(|(last, _)| *last != slot) {
            self.entries.set(place as usize, last, &swept);
            self.place[last as usize] = place;
        }
    }

    /// Whether the box of a slot is where it was sorted in.
    #[inline]
    pub(super) fn is_sorted(&self, slot: u32) -> bool {
        self.place.get(slot as usize) == Some(&SORTED)
    }

    /// How many have come onto the list since all were sorted.
    pub(super) fn late(&self) -> usize {
        self.entries.len().saturating_sub(self.at_first)
    }

    /// Appends to `found` whose boxes on the list overlap `swept`. Returns how many were compared.
    pub(super) fn ask(&self, swept: &SweptBox<D>, found: &mut Vec<u32>) -> u64 {
        let all = 0..self.entries.len();
        if !all.is_empty() {
            self.entries.ask(swept, std::slice::from_ref(&all), found);
        }
        all.len() as u64
    }

    /// Follows a renumbering of the slots.
    pub(super) fn renumber(&mut self, new_slot: &[u32]) {
        self.place = renumbered(&self.place, new_slot, GONE);
        let mut old = std::mem::take(&mut self.entries);
        while let Some((slot, swept)) = old.pop() {
            let slot = moved(slot, new_slot);
            if slot != GONE {
                self.place[slot as usize] = GONE;
                self.put(slot, &swept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::spans::UnitSpan;
    use super::*;

    fn swept(n: u32) -> SweptBox<1> {
        [UnitSpan { from: 10 * n as u16, length: 4 }]
    }

    fn found(aside: &Aside<1>, n: u32) -> Vec<u32> {
        let mut found = Vec::new();
        aside.ask(&swept(n), &mut found);
        found
    }

    #[test]
    fn boxes_are_put_aside_and_taken_back() {
        let mut aside = Aside::default();
        aside.clear(20);
        aside.put_first(3, &swept(3));
        (5..15).for_each(|slot| aside.put(slot, &swept(slot)));
        aside.put(25, &swept(25));
        assert_eq!(aside.late(), 11);
        aside.put(7, &swept(40));
        assert_eq!(
            (found(&aside, 7), found(&aside, 40), found(&aside, 25)),
            (vec![], vec![7], vec![25])
        );
        aside.take(5);
        aside.take(25);
        aside.take(4);
        aside.take(100);
        assert_eq!(
            (found(&aside, 5), found(&aside, 25), found(&aside, 14)),
            (vec![], vec![], vec![14])
        );
        assert_eq!(
            [4, 5, 14, 15, 100].map(|slot| aside.is_sorted(slot)),
            [false, false, false, true, false]
        );
    }

    #[test]
    fn a_renumbering_is_followed() {
        let mut aside = Aside::default();
        aside.clear(4);
        (1..4).for_each(|slot| aside.put(slot, &swept(slot)));
        aside.renumber(&[2, 0, GONE, 1]);
        assert_eq!(
            (found(&aside, 1), found(&aside, 2), found(&aside, 3)),
            (vec![0], vec![], vec![1])
        );
        assert_eq!([0, 1, 2].map(|slot| aside.is_sorted(slot)), [false, false, true]);
        aside.put(1, &swept(9));
        assert_eq!((found(&aside, 3), found(&aside, 9)), (vec![], vec![1]));
    }
}
