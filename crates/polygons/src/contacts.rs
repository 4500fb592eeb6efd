//! The list of pairs whose padded boxes overlap, in the order of (lower, higher), and what each
//! remembers from step to step.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::law::Spring;
use jostle_core::narrow::polygons::Tracked;
use jostle_core::space::Vector;

/// What a pair remembers.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Contact {
    /// Rows, the lower one first; walls come after bodies.
    pub(super) pair: [u32; 2],
    /// The closest features at the last look.
    pub(super) tracked: Tracked,
    pub(super) spring: Spring,
    /// The same for what resists rolling.
    pub(super) rolling: Spring,
    /// Until the two have together moved by so much, they cannot meet. \[nm\]
    pub(super) asleep: f64,
    /// Whether the two overlapped at the last look.
    pub(super) touching: bool,
}

/// The force of a contact, as it was found last.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Load {
    /// On the first. \[kg nm/µs²\]
    pub(super) force: Vector<2>,
    /// On the first and the second, about their centroids. \[kg nm²/µs²\]
    pub(super) torque: [f64; 2],
    /// Where it acts, from the first's centroid. \[nm\]
    pub(super) arm: Vector<2>,
    /// Out of the first.
    pub(super) normal: Vector<2>,
    /// \[nm²\]
    pub(super) overlap: f64,
    /// Stored by the normal force. \[kg nm²/µs²\]
    pub(super) energy: f64,
    /// Whether friction is at its limit.
    pub(super) sliding: bool,
}

impl Contact {
    /// Whether what it remembers are numbers.
    pub(super) fn is_finite(&self) -> bool {
        let springs = [self.spring, self.rolling].map(|spring| spring.stretch + spring.velocity);
        springs.iter().all(|x| x.is_finite()) && self.asleep.is_finite()
    }
}

impl Load {
    /// Whether all of it is numbers.
    pub(super) fn is_finite(&self) -> bool {
        let vectors = [self.force, self.arm, self.normal, Vector(self.torque)];
        vectors.iter().all(|v| v.is_finite()) && self.overlap.is_finite() && self.energy.is_finite()
    }
}

/// All pairs, and which particles have which.
#[derive(Debug, Default)]
pub(super) struct Contacts {
    /// In the order of the pairs.
    pub(super) list: Vec<Contact>,
    /// \[contact\]; means nothing where the contact does not touch.
    pub(super) loads: Vec<Load>,
    /// Where the contacts begin in which a row is the lower one. \[row\], and the end
    as_lower: Vec<u32>,
    /// The same for `higher`. \[row\], and the end
    as_higher: Vec<u32>,
    /// Contacts in the order of their higher row.
    higher: Vec<u32>,
}

impl Contacts {
    /// With what the pairs remember, in their order, and the loads of those that touch. Nothing if
    /// there are not as many.
    pub(super) fn resume(list: Vec<Contact>, touching: Vec<Load>, rows: usize) -> Option<Self> {
        let mut contacts = Self { list, ..Self::default() };
        contacts.index(rows);
        let mut touching = touching.into_iter();
        for (contact, load) in contacts.list.iter().zip(&mut contacts.loads) {
            if contact.touching {
                *load = touching.next()?;
            }
        }
        touching.next().is_none().then_some(contacts)
    }

    /// Takes up and drops pairs; both lists are sorted. `rows` is how many bodies and walls there
    /// are.
    pub(super) fn change(&mut self, gained: &[[u32; 2]], lost: &[[u32; 2]], rows: usize) {
        self.remove(lost);
        self.insert(gained);
        self.index(rows);
    }

    /// Drops all pairs of a row; what their normal forces stored is returned. \[kg nm²/µs²\]
    pub(super) fn drop_row(&mut self, row: u32, rows: usize) -> f64 {
        let its = |contact: &Contact| contact.pair.contains(&row);
        let stored =
            self.touching().filter(|(contact, _)| its(contact)).map(|(_, load)| load.energy).sum();
        self.list.retain(|contact| !its(contact));
        self.index(rows);
        stored
    }

    fn remove(&mut self, lost: &[[u32; 2]]) {
        let mut next = lost.iter().peekable();
        self.list.retain(|contact| {
            while next.next_if(|pair| **pair < contact.pair).is_some() {}
            next.peek() != Some(&&contact.pair)
        });
    }

    /// Merges from the back, in place.
    fn insert(&mut self, gained: &[[u32; 2]]) {
        let mut old = self.list.len();
        let mut place = old + gained.len();
        self.list.resize(place, Contact::default());
        for &pair in gained.iter().rev() {
            while old > 0 && self.list[old - 1].pair > pair {
                place -= 1;
                old -= 1;
                self.list[place] = self.list[old];
            }
            place -= 1;
            self.list[place] = Contact { pair, ..Contact::default() };
        }
    }

    /// Finds again which contacts each row has.
    fn index(&mut self, rows: usize) {
        self.loads.resize(self.list.len(), Load::default());
        for (ends, side) in [(&mut self.as_lower, 0), (&mut self.as_higher, 1)] {
            ends.clear();
            ends.resize(rows + 1, 0);
            for contact in &self.list {
                ends[contact.pair[side] as usize + 1] += 1;
            }
            for row in 0..rows {
                ends[row + 1] += ends[row];
            }
        }
        // Counting sort; `as_higher` serves as the places to fill next, and is shifted by one then.
        self.higher.resize(self.list.len(), 0);
        for (c, contact) in (0..).zip(&self.list) {
            let place = &mut self.as_higher[contact.pair[1] as usize];
            self.higher[*place as usize] = c;
            *place += 1;
        }
        self.as_higher.copy_within(..rows, 1);
        self.as_higher[0] = 0;
    }

    /// The force on a row, and the torque about its centroid: summed in the order of the partners'
    /// identities, walls last. \[kg nm/µs²\], \[kg nm²/µs²\]
    #[inline]
    pub(super) fn sum(&self, row: usize) -> (Vector<2>, f64) {
        let (mut force, mut torque) = (Vector::ZERO, 0.0);
        for &c in &self.higher[self.range(&self.as_higher, row)] {
            if self.list[c as usize].touching {
                let load = &self.loads[c as usize];
                force -= load.force;
                torque += load.torque[1];
            }
        }
        for c in self.range(&self.as_lower, row) {
            if self.list[c].touching {
                force += self.loads[c].force;
                torque += self.loads[c].torque[0];
            }
        }
        (force, torque)
    }

    fn range(&self, ends: &[u32], row: usize) -> Range<usize> {
        ends[row] as usize..ends[row + 1] as usize
    }

    /// Those that touch, with their forces.
    pub(super) fn touching(&self) -> impl Iterator<Item = (&Contact, &Load)> {
        self.list.iter().zip(&self.loads).filter(|(contact, _)| contact.touching)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(contacts: &Contacts) -> Vec<[u32; 2]> {
        contacts.list.iter().map(|contact| contact.pair).collect()
    }

    #[test]
    fn pairs_stay_in_order_and_keep_what_they_remember() {
        let mut contacts = Contacts::default();
        contacts.change(&[[0, 3], [1, 2], [1, 4]], &[], 5);
        contacts.list[1].spring.stretch = 7.0;
        contacts.change(&[[0, 1], [1, 3], [2, 3]], &[[0, 3], [0, 4], [1, 4]], 5);
        assert_eq!(pairs(&contacts), [[0, 1], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(contacts.list[1].spring.stretch, 7.0);
        contacts.change(&[], &[[0, 1], [1, 2], [1, 3], [2, 3]], 5);
        assert!(contacts.list.is_empty() && contacts.loads.is_empty());
    }

    #[test]
    fn a_row_sums_its_contacts_in_the_order_of_partners() {
        let mut contacts = Contacts::default();
        contacts.change(&[[0, 2], [1, 2], [2, 3], [2, 4], [3, 4]], &[], 5);
        for (c, (contact, load)) in contacts.list.iter_mut().zip(&mut contacts.loads).enumerate() {
            contact.touching = c != 3;
            load.force = Vector([10f64.powi(c as i32), 0.0]);
            load.torque = [1.0, 1000.0];
        }
        let (force, torque) = contacts.sum(2);
        assert_eq!((force[0], torque), (100.0 - 10.0 - 1.0, 2001.0));
        assert_eq!(contacts.sum(4).0[0], -10000.0);
        assert_eq!(contacts.sum(0).0[0], 1.0);
    }
}
