//! Rigid units: made, taken apart, found.

use super::{Bond, Clusters, Unit};
use crate::particles::{ALONE, Particles};

impl Unit {
    /// The slot of the member with identity `id`.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn member<const D: usize>(&self, particles: &Particles<D>, id: u64) -> u32 {
        let found = self.members.binary_search_by_key(&id, |&slot| particles.id[slot as usize]);
        self.members[found.expect("a bond joins members of its unit")]
    }

    /// The two pieces that are left when bond number `broken` breaks: members and bonds of each, the
    /// piece with the first body of the bond first. A unit's bonds form a tree, so there are two.
    pub fn without<const D: usize>(
        &self,
        broken: usize,
        particles: &Particles<D>,
    ) -> [(Vec<u32>, Vec<Bond>); 2] {
        let mut reached = vec![self.bonds[broken].ids[0]];
        let mut next = 0;
        while next < reached.len() {
            let id = reached[next];
            next += 1;
            for (n, bond) in self.bonds.iter().enumerate() {
                let [a, b] = bond.ids;
                if n != broken && (a == id || b == id) {
                    let other = if a == id { b } else { a };
                    if !reached.contains(&other) {
                        reached.push(other);
                    }
                }
            }
        }
        let mut pieces = [(Vec::new(), Vec::new()), (Vec::new(), Vec::new())];
        for &slot in &self.members {
            let first = reached.contains(&particles.id[slot as usize]);
            pieces[usize::from(!first)].0.push(slot);
        }
        for (_, bond) in self.bonds.iter().enumerate().filter(|(n, _)| *n != broken) {
            pieces[usize::from(!reached.contains(&bond.ids[0]))].1.push(*bond);
        }
        pieces
    }
}

impl Clusters {
    /// The unit of that number.
    ///
    /// # Panics
    /// If there is none.
    pub fn unit(&self, number: u32) -> &Unit {
        self.units[number as usize].as_ref().expect("the unit of a member exists")
    }

    /// Takes up a unit; its members then move with its diffusion coefficient. Returns its number.
    pub fn add_unit<const D: usize>(&mut self, unit: Unit, particles: &mut Particles<D>) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.units.push(None);
            (self.units.len() - 1) as u32
        });
        for &slot in &unit.members {
            particles.unit[slot as usize] = number;
            particles.diffusion_coefficient[slot as usize] = unit.diffusion_coefficient;
        }
        self.units[number as usize] = Some(unit);
        number
    }

    /// Dissolves a unit. Its members still point to it until they get another, or are set free.
    ///
    /// # Panics
    /// If there is none of that number.
    pub fn remove_unit(&mut self, number: u32) -> Unit {
        self.free.push(number);
        self.units[number as usize].take().expect("the unit of a member exists")
    }

    /// Follows a renumbering of the slots.
    pub fn renumber(&mut self, new_slot: &[u32]) {
        for unit in self.units.iter_mut().flatten() {
            unit.members.iter_mut().for_each(|slot| *slot = new_slot[*slot as usize]);
        }
    }

    /// Panics unless units and particles agree on who belongs to whom; for tests.
    pub fn assert_well_formed<const D: usize>(&self, particles: &Particles<D>) {
        for (number, unit) in self.units.iter().enumerate() {
            let Some(unit) = unit else { continue };
            assert_eq!(unit.bonds.len() + 1, unit.members.len(), "bonds form a tree: {unit:?}");
            assert!(unit.members.is_sorted_by_key(|&slot| particles.id[slot as usize]));
            for &slot in &unit.members {
                assert_eq!(particles.unit[slot as usize], number as u32, "{unit:?}");
            }
        }
        let inside = particles.unit.iter().filter(|&&unit| unit != ALONE).count();
        assert_eq!(inside, self.units.iter().flatten().map(|unit| unit.members.len()).sum::<usize>());
    }
}
