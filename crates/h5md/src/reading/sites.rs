//! Sites of molecules: what species have them, and in what states they are.

use std::ops::Range;

use ndarray::{Array2, Array3};

use super::Reading;
use super::error::ReadError;
use jostle_core::docking::SiteDirection;
use jostle_core::sites::{Site, Sites};
use jostle_core::space::Vector;

/// The sites of the species of a file, and how their states are stored.
pub struct SiteData<'r> {
    pub(super) reading: &'r Reading,
    /// \[species\]
    pub sites: Vec<Sites>,
}

/// Where the sites of a file point. \[row\]
fn directions(reading: &Reading, rows: usize) -> Result<Vec<Option<SiteDirection>>, ReadError> {
    let at = |name: &str| format!("parameters/sites/{name}");
    if !reading.has(&at("opening")) {
        return Ok(vec![None; rows]);
    }
    let openings: Vec<f64> = reading.column(&at("opening"), 0..rows)?;
    let vectors = |name: &str| reading.slice::<f64, _, ndarray::Ix2>(&at(name), (0..rows, 0..3));
    let [axes, normals] = [vectors("direction")?, vectors("normal")?];
    let row = |of: &Array2<f64>, n: usize| Vector::from_fn(|k| of[[n, k]]);
    let direction = |(n, opening): (usize, f64)| {
        let (axis, normal) = (row(&axes, n), row(&normals, n));
        opening.is_finite().then_some(SiteDirection { axis, normal, opening })
    };
    Ok(openings.into_iter().enumerate().map(direction).collect())
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
        let directions = directions(reading, rows.len())?;
        for n in rows {
            let list = usize::try_from(species[n]).ok().and_then(|s| lists.get_mut(s));
            let Some(list) = list else {
                return Err(reading.damaged(&at("species"), "there is no such species"));
            };
            let words = states[n].split('~').filter(|word| !word.is_empty());
            let states = words.map(str::to_owned).collect();
            list.push(Site { name: names[n].clone(), states, direction: directions[n] });
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

    /// How the particles are turned in some frames and slots, as quaternions (w, x, y, z); those of
    /// empty slots mean nothing. None, if no site points anywhere. \[frame\]\[slot\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn orientations(
        &self,
        frames: Range<usize>,
        slots: Range<usize>,
    ) -> Result<Option<Array2<[f32; 4]>>, ReadError> {
        let name = self.reading.in_frames("orientation/value");
        if !self.reading.has(&name) {
            return Ok(None);
        }
        let shape = (frames.len(), slots.len());
        let values: Array3<f32> = self.reading.slice(&name, (frames, slots, 0..4))?;
        let row = |(n, k)| std::array::from_fn(|c| values[[n, k, c]]);
        Ok(Some(Array2::from_shape_fn(shape, row)))
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
