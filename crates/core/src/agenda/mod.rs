//! What is due next. Entries are void as soon as one of their parties gets a new path; ties go by
//! what the events are, never by the order in which they were planned.

mod timetable;

pub use timetable::{Due, Timetable};

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// In [`Agenda::plan`]: the place of a party that does not exist.
pub const NONE: u32 = u32::MAX;

/// An event and its time.
#[derive(Clone, Copy, Debug)]
pub struct Planned<E> {
    /// When it is due.
    pub time: f64,
    /// What happens then.
    pub event: E,
    parties: [u32; 2],
    stamps: [u32; 2],
}

impl<E: Ord> PartialEq for Planned<E> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<E: Ord> Eq for Planned<E> {}

impl<E: Ord> PartialOrd for Planned<E> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E: Ord> Ord for Planned<E> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then_with(|| self.event.cmp(&other.event))
    }
}

/// A queue of planned events, the earliest first.
///
/// ```
/// use jostle_core::agenda::{Agenda, NONE};
///
/// let mut agenda = Agenda::default();
/// agenda.cover(3);
/// agenda.plan(0.2, "particle 0 meets 1", [0, 1]);
/// agenda.plan(0.5, "particle 2 meets a wall", [2, NONE]);
/// // Particle 1 is pushed onto another path: it will not meet 0.
/// agenda.forget(1);
/// assert_eq!(agenda.take_next().unwrap().event, "particle 2 meets a wall");
/// assert!(agenda.take_next().is_none());
/// ```
#[derive(Debug)]
pub struct Agenda<E> {
    heap: BinaryHeap<Reverse<Planned<E>>>,
    /// How often each slot has changed its path. \[slot\]
    stamp: Vec<u32>,
}

impl<E: Ord + Copy> Default for Agenda<E> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), stamp: Vec::new() }
    }
}

/// Lengthens `array` by zeros, so that there is one entry for each of `count` slots. The first time
/// these are of the kind that the system hands out when they are touched: slots that are never used
/// take no memory.
pub fn cover_with_zeros<T: Copy + Default>(array: &mut Vec<T>, count: usize) {
    if array.is_empty() {
        *array = vec![T::default(); count];
    } else if array.len() < count {
        array.resize(count, T::default());
    }
}

impl<E: Ord + Copy> Agenda<E> {
    /// Makes room for slots `0..count`.
    pub fn cover(&mut self, count: usize) {
        cover_with_zeros(&mut self.stamp, count);
    }

    /// An entry for [`Agenda::fill`]; void once either party has a new path.
    pub fn entry(&self, time: f64, event: E, parties: [u32; 2]) -> Planned<E> {
        let stamps = parties.map(|slot| if slot == NONE { 0 } else { self.stamp[slot as usize] });
        Planned { time, event, parties, stamps }
    }

    /// Forgets everything and takes up `entries`, in linear time.
    pub fn fill(&mut self, entries: impl IntoIterator<Item = Planned<E>>) {
        let mut storage = std::mem::take(&mut self.heap).into_vec();
        storage.clear();
        storage.extend(entries.into_iter().map(Reverse));
        self.heap = BinaryHeap::from(storage);
    }

    /// Plans one event.
    pub fn plan(&mut self, time: f64, event: E, parties: [u32; 2]) {
        let entry = self.entry(time, event, parties);
        self.heap.push(Reverse(entry));
    }

    /// Voids all that was planned with the particle in `slot`.
    pub fn forget(&mut self, slot: u32) {
        self.stamp[slot as usize] = self.stamp[slot as usize].wrapping_add(1);
    }

    /// The earliest event that is not void, without taking it.
    pub fn peek(&mut self) -> Option<Planned<E>> {
        while let Some(Reverse(first)) = self.heap.peek() {
            let current = |k: usize| {
                let slot = first.parties[k];
                slot == NONE || self.stamp[slot as usize] == first.stamps[k]
            };
            if current(0) && current(1) {
                return Some(*first);
            }
            self.heap.pop();
        }
        None
    }

    /// Takes the earliest event that is not void.
    pub fn take_next(&mut self) -> Option<Planned<E>> {
        let first = self.peek();
        self.heap.pop();
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_in_order_of_time_then_content_whatever_the_order_of_planning() {
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let mut agenda = Agenda::default();
            agenda.cover(4);
            let events = [(0.5, 7u64), (0.25, 9), (0.5, 3), (0.75, 1)];
            for k in order {
                agenda.plan(events[k].0, events[k].1, [k as u32, NONE]);
            }
            let taken: Vec<_> =
                std::iter::from_fn(|| agenda.take_next()).map(|p| p.event).collect();
            assert_eq!(taken, [9, 3, 7, 1]);
        }
    }

    #[test]
    fn a_new_path_voids_what_was_planned_with_either_party() {
        let mut agenda = Agenda::default();
        agenda.cover(3);
        agenda.plan(0.1, 1u64, [0, 1]);
        agenda.plan(0.2, 2, [1, 2]);
        agenda.plan(0.3, 3, [2, NONE]);
        agenda.forget(1);
        agenda.plan(0.25, 4, [1, 2]);
        let taken: Vec<_> = std::iter::from_fn(|| agenda.take_next()).map(|p| p.event).collect();
        assert_eq!(taken, [4, 3]);
    }
}
