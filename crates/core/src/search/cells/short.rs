//! The short list (Johnson & Whalley 2002, section 5): particles too fast or too large for the
//! cells.

use super::links::renumbered;
use crate::search::GONE;

/// Stands for the place of a particle that is not on the list.
const ABSENT: u32 = u32::MAX;

/// A set of particles that is usually small: 4 bytes a slot.
#[derive(Clone, Debug, Default)]
pub(super) struct ShortList {
    members: Vec<u32>,
    place: Vec<u32>,
}

impl ShortList {
    /// The members, in no order.
    pub(super) fn members(&self) -> &[u32] {
        &self.members
    }

    /// Whether `particle` is a member.
    #[inline]
    pub(super) fn contains(&self, particle: u32) -> bool {
        self.place[particle as usize] != ABSENT
    }

    /// Empties the list and makes room for `slots` particles.
    pub(super) fn reset(&mut self, slots: usize) {
        for particle in self.members.drain(..) {
            self.place[particle as usize] = ABSENT;
        }
        self.place.resize(slots, ABSENT);
    }

    /// Makes room for more particles.
    pub(super) fn grow(&mut self, slots: usize) {
        if slots > self.place.len() {
            self.place.resize(slots, ABSENT);
        }
    }

    /// Puts `particle` on the list, or takes it off. Whether it is newly on it.
    pub(super) fn set(&mut self, particle: u32, member: bool) -> bool {
        let place = self.place[particle as usize];
        if member == (place != ABSENT) {
            return false;
        }
        if member {
            self.place[particle as usize] = self.members.len() as u32;
            self.members.push(particle);
        } else {
            self.members.swap_remove(place as usize);
            if let Some(&moved) = self.members.get(place as usize) {
                self.place[moved as usize] = place;
            }
            self.place[particle as usize] = ABSENT;
        }
        member
    }

    /// The particle of slot `i` is now in `new_slot[i]`, or gone.
    pub(super) fn renumber(&mut self, new_slot: &[u32]) {
        // First of all, since GONE is not a slot that the members could be renamed to.
        for (old, _) in new_slot.iter().enumerate().filter(|(_, new)| **new == GONE) {
            self.set(old as u32, false);
        }
        for particle in &mut self.members {
            *particle = new_slot[*particle as usize];
        }
        self.place = renumbered(&self.place, new_slot, ABSENT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_and_go() {
        let mut list = ShortList::default();
        list.reset(5);
        assert!(list.set(3, true) && list.set(1, true) && list.set(4, true));
        assert!(!list.set(3, true), "it was there before");
        assert!(!list.set(3, false));
        assert_eq!(list.members(), [4, 1]);
        list.renumber(&[0, 3, 1, 2, GONE]);
        assert_eq!(list.members(), [3]);
        assert!(list.contains(3) && !list.contains(2));
        list.reset(9);
        assert!((0..9).all(|particle| !list.contains(particle)));
    }
}
