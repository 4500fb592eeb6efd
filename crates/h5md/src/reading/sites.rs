//! Sites of molecules: what species have them, and in what states they are.

use std::ops::Range;

use ndarray::Array2;

use super::Reading;
use super::error::ReadError;
use jostle_core::sites::{Site, Sites};

/// The sites of the species of a file, and how their states are stored.
pub struct SiteData<'r> {
    pub(super) reading: &'r Reading,
    /// \[species\]
    pub sites: Vec<Sites>,
}

impl<'r> SiteData<'r> {
    /// Whether a file says anything of sites.
    pub fn is_in(reading: &Reading) -> bool {
        reading.has("parameters/sites/name") && reading.has(&reading.in_frames("sites/value"))
    }

    /// What a file says of sites: that there are none, if it says nothing.
    ///
    /// # Errors
    /// If it cannot be read, or the sites cannot be packed as the file says.
    pub fn of(reading: &'r Reading) -> Result<Self, ReadError> {
        let mut lists: Vec<Vec<Site>> = vec![Vec::new(); reading.species.len()];
        if !Self::is_in(reading) {
            return Ok(Self { reading, sites: vec![Sites::default(); lists.len()] });
        }
        let at = |name: &str| format!("parameters/sites/{name}");
        let (names, states) = (reading.texts(&at("name"))?, reading.texts(&at("states"))?);
        let rows = 0..names.len().min(states.len());
        let species: Vec<i32> = reading.column(&at("species"), rows.clone())?;
        let bound: Vec<i32> = reading.column(&at("bound_bit"), rows.clone())?;
        for n in rows {
            let list = usize::try_from(species[n]).ok().and_then(|s| lists.get_mut(s));
            let Some(list) = list else {
                return Err(reading.damaged(&at("species"), "there is no such species"));
            };
            let words = states[n].split('~').filter(|word| !word.is_empty());
            let states = words.map(str::to_owned).collect();
            list.push(Site { name: names[n].clone(), states });
        }
        let packed =
            |list| Sites::new(list).map_err(|why| reading.damaged("sites", &why.to_string()));
        let sites: Vec<Sites> = lists.into_iter().map(packed).collect::<Result<_, _>>()?;
        // The bits are as this version packs them; another one might do so differently.
        let bits = sites.iter().flat_map(|sites| {
            (0..sites.list().len() as u8).map(|n| sites.bound(n).trailing_zeros() as i32)
        });
        if !bits.eq(bound) {
            let why = "the bits are not where they are expected";
            return Err(reading.damaged(&at("bound_bit"), why));
        }
        Ok(Self { reading, sites })
    }

    /// The site codes of some frames and slots; those of empty slots mean nothing.
    /// \[frame\]\[slot\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn codes(
        &self,
        frames: Range<usize>,
        slots: Range<usize>,
    ) -> Result<Array2<u64>, ReadError> {
        match Self::is_in(self.reading) {
            true => self.reading.slice(&self.reading.in_frames("sites/value"), (frames, slots)),
            false => Ok(Array2::zeros((frames.len(), slots.len()))),
        }
    }
}
