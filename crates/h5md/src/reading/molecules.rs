//! The molecules of a frame: in what states their sites are, and what is bound to them.

use std::collections::HashMap;

use ndarray::Array3;

use super::error::ReadError;
use super::{Reading, SiteData};
use jostle_core::sites::Complex;

/// The species of a slot that holds no particle, or one of a species that the file does not name.
const NO_SPECIES: u16 = u16::MAX;

/// A bond of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteBond {
    /// The slots of the two particles.
    pub slots: [usize; 2],
    /// The site of each at which it ends; none if it is at no site in particular.
    pub sites: [Option<u8>; 2],
}

/// The particles of one frame as molecules with sites.
pub struct Molecules<'a> {
    data: &'a SiteData<'a>,
    /// [`NO_SPECIES`] where there is no particle. \[slot\]
    species: Vec<u16>,
    /// \[slot\]
    codes: Vec<u64>,
    /// \[slot\]
    ids: Vec<i64>,
    /// \[slot\]
    clusters: Vec<i64>,
    bonds: Vec<SiteBond>,
    /// What is at the other end of a bond, by slot and site.
    partners: HashMap<(u32, u8), (u32, u8)>,
}

impl Complex for Molecules<'_> {
    fn species(&self, slot: u32) -> u16 {
        self.species[slot as usize]
    }

    fn code(&self, slot: u32) -> u64 {
        self.codes[slot as usize]
    }

    fn bound_to(&self, slot: u32, site: u8) -> Option<(u32, u8)> {
        self.partners.get(&(slot, site)).copied()
    }
}

impl<'a> Molecules<'a> {
    /// The molecules of a frame.
    ///
    /// # Errors
    /// If they cannot be read, or a bond ends where there is no particle or site.
    pub fn of(data: &'a SiteData<'a>, frame: usize) -> Result<Self, ReadError> {
        let reading = data.reading;
        let slots = reading.slots();
        let row = reading.frame_data(frame..frame + 1, 0..slots)?;
        let ids = row.id.into_raw_vec_and_offset().0;
        let known = |number: i32| {
            u16::try_from(number).ok().filter(|&number| usize::from(number) < data.sites.len())
        };
        let species = reading.slot_species()?;
        let species = ids
            .iter()
            .zip(species)
            .map(|(&id, number)| known(number).filter(|_| id >= 0).unwrap_or(NO_SPECIES));
        let mut found = Self {
            data,
            species: species.collect(),
            codes: data.codes(frame..frame + 1, 0..slots)?.into_raw_vec_and_offset().0,
            ids,
            clusters: row.cluster.into_raw_vec_and_offset().0,
            bonds: bonds(reading, frame)?,
            partners: HashMap::new(),
        };
        found.join()?;
        Ok(found)
    }

    /// Finds the partners of all sites.
    fn join(&mut self) -> Result<(), ReadError> {
        for bond in &self.bonds {
            let SiteBond { slots: [a, b], sites } = *bond;
            let there = |slot: usize| self.species.get(slot).is_some_and(|&s| s != NO_SPECIES);
            if !(there(a) && there(b)) {
                let why = "a bond holds an empty slot";
                return Err(self.data.reading.damaged("connectivity/bonds", why));
            }
            let has = |slot: usize, site: u8| {
                let sites = &self.data.sites[usize::from(self.species[slot])];
                usize::from(site) < sites.list().len()
            };
            let [Some(s), Some(t)] = sites else { continue };
            if !(has(a, s) && has(b, t)) {
                let why = "a bond ends at a site that the species does not have";
                return Err(self.data.reading.damaged("connectivity/bond_sites", why));
            }
            let ends = [(a as u32, s), (b as u32, t)];
            self.partners.extend([(ends[0], ends[1]), (ends[1], ends[0])]);
        }
        Ok(())
    }

    /// All bonds, also those at no site in particular.
    pub fn bonds(&self) -> &[SiteBond] {
        &self.bonds
    }

    /// The slots that hold particles of a species.
    pub fn of_species(&self, species: u16) -> impl Iterator<Item = u32> {
        let numbered = (0u32..).zip(&self.species);
        numbered.filter(move |(_, of)| **of == species).map(|(slot, _)| slot)
    }

    /// The name of a site of the particle in a slot.
    pub fn site_name(&self, slot: usize, site: u8) -> Option<&str> {
        let sites = self.data.sites.get(usize::from(*self.species.get(slot)?))?;
        Some(&sites.list().get(usize::from(site))?.name)
    }

    /// Every particle whose species has sites in BioNetGen's notation, `EGFR(l!1,Y1068~p)`. The
    /// bonds of a complex are numbered from 1, in the order in which they appear if its molecules
    /// are read in the order of their identities. \[slot\]
    pub fn texts(&self) -> Vec<Option<String>> {
        let numbers = self.bond_numbers();
        let text = |slot: u32| {
            let species = usize::from(self.species(slot));
            let sites = self.data.sites.get(species).filter(|sites| !sites.is_empty())?;
            let bond = |site: u8| {
                numbers.get(&(slot, site)).map_or_else(|| "+".to_owned(), u32::to_string)
            };
            let name = self.data.reading.species().get(species)?;
            Some(sites.in_bngl(name, self.code(slot), bond))
        };
        (0..self.species.len() as u32).map(text).collect()
    }

    /// The number of the bond at each end, within its complex.
    fn bond_numbers(&self) -> HashMap<(u32, u8), u32> {
        let mut numbers = HashMap::new();
        let mut last: HashMap<i64, u32> = HashMap::new();
        let mut ends: Vec<(u32, u8)> = self.partners.keys().copied().collect();
        ends.sort_unstable_by_key(|&(slot, site)| (self.ids[slot as usize], site));
        for end in ends {
            if numbers.contains_key(&end) {
                continue;
            }
            let number = last.entry(self.clusters[end.0 as usize]).or_default();
            *number += 1;
            numbers.insert(end, *number);
            numbers.insert(self.partners[&end], *number);
        }
        numbers
    }
}

/// The bonds of a frame with their sites.
fn bonds(reading: &Reading, frame: usize) -> Result<Vec<SiteBond>, ReadError> {
    if !reading.has("connectivity/bonds/value") {
        return Ok(Vec::new());
    }
    let pairs = reading.bonds(frame)?;
    let name = "connectivity/bond_sites/value";
    let ends: Array3<i32> = match reading.has(name) {
        true => reading.slice(name, (frame..frame + 1, 0..pairs.len(), 0..2))?,
        false => Array3::from_elem((1, pairs.len(), 2), -1),
    };
    let bond = |(n, pair): (usize, [i32; 2])| SiteBond {
        // What is below 0 is no slot, and is found out later.
        slots: pair.map(|slot| usize::try_from(slot).unwrap_or(usize::MAX)),
        sites: [0, 1].map(|end| u8::try_from(ends[[0, n, end]]).ok()),
    };
    Ok(pairs.into_iter().enumerate().map(bond).collect())
}
