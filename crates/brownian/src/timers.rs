//! When something happens to clusters: exponential waiting times, kept from step to step.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// A moment: whole steps, and the bits of the time within the step (which order like the time).
type Moment = (u64, u64);

/// What falls due in time, by the identity of the cluster it happens to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Timers {
    queue: BTreeSet<(Moment, u64)>,
    due: BTreeMap<u64, Moment>,
    /// Where the cluster is kept: the slot of a particle, or the number of a unit.
    place: BTreeMap<u64, Subject>,
}

/// Where the owner of a timer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Subject {
    /// A particle that moves alone, in this slot.
    Slot(u32),
    /// A rigid unit, of this number.
    Unit(u32),
    /// A rule that creates particles, of this number.
    Rule(u16),
}

/// Waiting times beyond this are never reached. \[steps\]
const NEVER: f64 = 1e15;

impl Timers {
    /// Sets (or resets) the timer of `owner` to `wait` steps after `time` in `step`. Returns the
    /// time within the same step if it falls due there.
    pub(super) fn set(
        &mut self,
        owner: u64,
        place: Subject,
        step: u64,
        time: f64,
        wait: f64,
    ) -> Option<f64> {
        self.cancel(owner);
        self.place.insert(owner, place);
        let end = time + wait;
        // Infinity and NaN (a rate of zero) fail the comparison too.
        if end.is_nan() || end >= NEVER {
            return None;
        }
        let (due, within) = (step + end.floor() as u64, end - end.floor());
        self.queue.insert(((due, within.to_bits()), owner));
        self.due.insert(owner, (due, within.to_bits()));
        (due == step).then_some(within)
    }

    /// Forgets `owner`.
    pub(super) fn cancel(&mut self, owner: u64) {
        self.place.remove(&owner);
        if let Some(moment) = self.due.remove(&owner) {
            self.queue.remove(&(moment, owner));
        }
    }

    /// What falls due in `step`: the time within it, and the owner.
    pub(super) fn due_in(&self, step: u64) -> impl Iterator<Item = (f64, u64)> {
        let range = ((step, 0), 0)..((step + 1, 0), 0);
        self.queue.range(range).map(|((_, bits), owner)| (f64::from_bits(*bits), *owner))
    }

    /// Whether `owner` is still due at that moment.
    pub(super) fn stands(&self, owner: u64, step: u64, time: f64) -> bool {
        self.due.get(&owner) == Some(&(step, time.to_bits()))
    }

    /// Where `owner` is kept.
    pub(super) fn place(&self, owner: u64) -> Option<Subject> {
        self.place.get(&owner).copied()
    }

    /// All owners, and where they are kept.
    pub(super) fn owners(&self) -> impl Iterator<Item = (u64, Subject)> + '_ {
        self.place.iter().map(|(&owner, &place)| (owner, place))
    }

    /// Follows a renumbering of slots and units.
    pub(super) fn renumber(&mut self, new_slot: &[u32], new_unit: &[u32]) {
        for place in self.place.values_mut() {
            match place {
                Subject::Slot(slot) => *slot = new_slot[*slot as usize],
                Subject::Unit(number) => *number = new_unit[*number as usize],
                Subject::Rule(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_fall_due_once_and_resetting_voids_the_earlier() {
        let mut timers = Timers::default();
        assert_eq!(timers.set(7, Subject::Unit(0), 3, 0.5, 0.25), Some(0.75));
        assert_eq!(timers.set(8, Subject::Slot(2), 3, 0.5, 1.25), None);
        assert_eq!(timers.set(9, Subject::Slot(3), 3, 0.5, f64::INFINITY), None);
        assert_eq!(timers.due_in(3).collect::<Vec<_>>(), [(0.75, 7)]);
        assert_eq!(timers.due_in(4).collect::<Vec<_>>(), [(0.75, 8)]);
        timers.set(7, Subject::Unit(0), 3, 0.6, 2.0);
        assert!(!timers.stands(7, 3, 0.75));
        timers.renumber(&[0, 1, 0, 2], &[5]);
        assert_eq!(
            [7, 8].map(|id| timers.place(id)),
            [Subject::Unit(5), Subject::Slot(0)].map(Some)
        );
        timers.cancel(8);
        assert_eq!(timers.due_in(4).count(), 0);
    }
}
