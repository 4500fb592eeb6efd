//! Whether the particles are those that were there at the start and that changes have left since.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::SelfCheckFault;
use super::places::CHUNK;
use jostle_core::observe::{Change, ChangeKind, View};
use jostle_core::particles::Particles;

/// Which should be there.
#[derive(Clone, Debug, Default)]
pub(super) struct Census {
    /// Particles of the start that nothing has happened to, and all others, by identity: their
    /// species.
    first: Vec<Option<u16>>,
    others: BTreeMap<u64, u16>,
    /// How many they are, and the sum of their marks.
    count: u64,
    marks: u64,
}

/// A number that belongs to a particle of a species: two sets of particles whose marks have equal
/// sums are equal, but for one case in 10^19.
fn mark(id: u64, species: u16) -> u64 {
    // The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
    let mut z = (id ^ (u64::from(species) << 48)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Census {
    /// Takes down which particles are there.
    pub(super) fn begin<const D: usize>(&mut self, particles: &Particles<D>) {
        for slot in particles.slots_by_id() {
            self.add(particles.id[slot as usize], particles.species[slot as usize]);
        }
    }

    fn add(&mut self, id: u64, species: u16) -> Option<u16> {
        self.count += 1;
        self.marks = self.marks.wrapping_add(mark(id, species));
        // Identities at the start are 0, 1, 2, ...
        if id == self.first.len() as u64 && self.others.is_empty() {
            self.first.push(Some(species));
            return None;
        }
        match self.first.get_mut(id as usize) {
            Some(place) => place.replace(species),
            None => self.others.insert(id, species),
        }
    }

    fn remove(&mut self, id: u64) -> Option<u16> {
        let gone = match self.first.get_mut(id as usize) {
            Some(place) => place.take(),
            None => self.others.remove(&id),
        };
        if let Some(species) = gone {
            self.count -= 1;
            self.marks = self.marks.wrapping_sub(mark(id, species));
        }
        gone
    }

    fn species_of(&self, id: u64) -> Option<u16> {
        self.first.get(id as usize).copied().unwrap_or_else(|| self.others.get(&id).copied())
    }

    /// Follows a change.
    pub(super) fn change<const D: usize>(
        &mut self,
        change: &Change<'_, D>,
    ) -> Result<(), SelfCheckFault> {
        if change.kind == ChangeKind::Refused {
            return Ok(());
        }
        let fault = |what: String| {
            Err(SelfCheckFault::Unaccounted {
                step: change.step,
                what: format!("{what} (a particle that {})", change.kind.name()),
            })
        };
        for reactant in change.reactants {
            if self.remove(reactant.id) != Some(reactant.species) {
                return fault(format!(
                    "particle {} changes although it does not exist",
                    reactant.id
                ));
            }
        }
        for product in change.products {
            if self.add(product.id, product.species).is_some() {
                return fault(format!(
                    "particle {} is created although it already exists",
                    product.id
                ));
            }
        }
        Ok(())
    }

    /// Holds the particles that are there to those that should be.
    pub(super) fn check<const D: usize>(&self, view: &View<'_, D>) -> Result<(), SelfCheckFault> {
        let p = view.particles;
        let all = (0..p.len()).into_par_iter().with_min_len(CHUNK).filter(|&i| p.alive[i]);
        let found = all.map(|i| (1, mark(p.id[i], p.species[i])));
        let sum = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1.wrapping_add(b.1));
        if found.reduce(|| (0, 0), sum) == (self.count, self.marks) {
            return Ok(());
        }
        Err(SelfCheckFault::Unaccounted { step: view.clock.step, what: self.difference(p) })
    }

    /// What is wrong with a population that is not the one that it should be.
    fn difference<const D: usize>(&self, p: &Particles<D>) -> String {
        let slots = p.slots_by_id();
        let ids: Vec<u64> = slots.iter().map(|&slot| p.id[slot as usize]).collect();
        if let Some(twice) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            return format!("there are two particles {}", twice[0]);
        }
        for &slot in &slots {
            let (id, species) = (p.id[slot as usize], p.species[slot as usize]);
            match self.species_of(id) {
                None => {
                    return format!("there is a particle {id}, but no change created it");
                }
                Some(was) if was != species => {
                    return format!(
                        "particle {id} is of species {species} (counted from 0), but was of {was}"
                    );
                }
                Some(_) => (),
            }
        }
        let living = (0..self.first.len() as u64).filter(|&id| self.first[id as usize].is_some());
        let missing =
            living.chain(self.others.keys().copied()).find(|id| ids.binary_search(id).is_err());
        match missing {
            Some(id) => format!("particle {id} is gone, but no change removed it"),
            None => "the particles do not match the log of changes".to_owned(),
        }
    }
}
