//! What is counted by a name of its own.

use std::collections::BTreeSet;

use crate::formula::Formula;
use crate::sites::{Complex, SitePattern};

/// Something that is counted by its name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observable {
    /// Its name.
    pub name: String,
    /// Whether clusters are counted in which there is any of it, and not the ways in which particles
    /// are like it.
    pub of_clusters: bool,
    /// The patterns as they are written.
    pub patterns: Vec<String>,
    /// What particles can be like to be counted: their species and their sites.
    pub ways: Vec<(u16, SitePattern)>,
}

/// A factor that depends on what there is and on the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// As it is written.
    pub text: String,
    /// What that means, in terms of observables by their numbers.
    pub formula: Formula,
}

impl Observable {
    /// How many there are among these particles; `cluster_of` numbers the clusters that they are in.
    pub fn count(
        &self,
        slots: impl Iterator<Item = u32>,
        complex: &impl Complex,
        cluster_of: impl Fn(u32) -> u64,
    ) -> u64 {
        let ways_of = |slot: u32| {
            let species = complex.species(slot);
            let like =
                |(of, pattern): &&(u16, SitePattern)| *of == species && pattern.fits(complex, slot);
            self.ways.iter().filter(like).count() as u64
        };
        if !self.of_clusters {
            return slots.map(ways_of).sum();
        }
        let hit = slots.filter(|slot| ways_of(*slot) > 0).map(cluster_of);
        hit.collect::<BTreeSet<u64>>().len() as u64
    }

    /// The one species that it counts, whatever its sites, if that is what it counts.
    pub fn of_species(&self) -> Option<u16> {
        match self.ways.as_slice() {
            [(species, pattern)] if pattern.fits_all() && !self.of_clusters => Some(*species),
            _ => None,
        }
    }
}
