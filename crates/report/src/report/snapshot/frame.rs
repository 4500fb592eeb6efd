//! A snapshot from a frame of a file.

use std::collections::HashMap;

use super::sites::SiteClasses;
use super::{GrainContainer, Outlines, Palette, Snapshot, patches, tethers};
use jostle_analysis::{ReadError, Reading};
use jostle_core::clusters::{size_class, size_class_name};
use jostle_core::words::digits;
use jostle_h5md::reading::{SiteData, species_in};

/// What the colour of a particle tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColourBy {
    /// The species.
    Species,
    /// The size of the cluster that it belongs to, in classes that double.
    ClusterSize,
    /// How fast it is, in classes of half the root mean square of the whole file.
    Speed,
    /// The state: that of the only site, or of the species if there are no sites.
    State,
    /// The state of the site of this name, or whether it is bound if it has no states.
    Site(String),
}

impl ColourBy {
    /// The size of clusters where particles form bonds in any frame, else the species.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn what_matters(reading: &Reading) -> Result<Self, ReadError> {
        let bonds = reading.has("connectivity/bonds/value") && reading.has_bonds()?;
        Ok(if bonds { Self::ClusterSize } else { Self::Species })
    }

    /// The colours that suit it.
    pub fn palette(&self) -> Palette {
        match self {
            Self::Species | Self::State | Self::Site(_) => Palette::Distinct,
            Self::ClusterSize | Self::Speed => Palette::Ordered,
        }
    }
}

impl Snapshot {
    /// The particles of a frame, counted from 0.
    ///
    /// # Errors
    /// If there is no such frame, or the file cannot be read.
    pub fn of_frame(reading: &Reading, frame: usize, by: ColourBy) -> Result<Self, ReadError> {
        if frame >= reading.frames() {
            return Err(ReadError::TooLittle {
                path: reading.path().to_owned(),
                reason: format!(
                    "there is no frame {frame}; there are {}, counted from 0",
                    reading.frames()
                ),
            });
        }
        let edges = match reading.boxes().get(frame).map(|vectors| vectors.edges()) {
            None => [0.0; 3],
            Some(Some(edges)) => edges,
            Some(None) => {
                let reason =
                    "its box is sheared, but pictures are of boxes with edges along the axes";
                return Err(reading.too_little(reason.into()));
            }
        };
        let places = reading.positions(frame..frame + 1, 0..reading.slots())?;
        let id = reading.identities(frame..frame + 1, 0..reading.slots())?;
        let radii = reading.slot_radii()?;
        let (classes, names) = match by {
            ColourBy::Species => by_species(reading, frame)?,
            ColourBy::ClusterSize => by_size(reading, frame)?,
            ColourBy::Speed => by_speed(reading, frame)?,
            ColourBy::State => by_state(reading, frame)?,
            ColourBy::Site(site) => by_site(reading, frame, &site)?,
        };
        let time = reading.times().unwrap_or_default().get(frame).copied().unwrap_or(0.0);
        let living: Vec<usize> =
            (0..reading.slots().min(radii.len())).filter(|&k| id[[0, k]] >= 0).collect();
        Ok(Self {
            dimension: reading.dimension(),
            edges,
            positions: living.iter().map(|&k| [0, 1, 2].map(|axis| places[[0, k, axis]])).collect(),
            radii: living.iter().map(|&k| radii[k]).collect(),
            classes: living.iter().map(|&k| classes[k]).collect(),
            names,
            outlines: Outlines::of_frame(reading, frame, &living)?,
            directions: patches::directions(reading, frame, &living)?,
            tethers: tethers::of_frame(reading, frame)?,
            forces: Vec::new(),
            surfaces: Vec::new(),
            container: GrainContainer::of(reading)?
                .map_or_else(Default::default, |container| container.now(time, reading.edges())),
        })
    }
}

/// The class of each slot, and the names of the classes.
type Classes = (Vec<usize>, Vec<String>);

fn by_species(reading: &Reading, frame: usize) -> Result<Classes, ReadError> {
    let number = |species: &i32| usize::try_from(*species).unwrap_or(0);
    Ok((species_in(reading, frame)?.iter().map(number).collect(), reading.species().to_vec()))
}

/// Species without sites have their states in their names.
fn by_state(reading: &Reading, frame: usize) -> Result<Classes, ReadError> {
    let mut known = SiteClasses::known(&SiteData::of(reading)?);
    known.sort_unstable();
    match &known[..] {
        [] => by_species(reading, frame),
        [site] => by_site(reading, frame, site),
        several => Err(ReadError::TooLittle {
            path: reading.path().to_owned(),
            reason: format!(
                "its molecules have several sites, so say which: state:{}",
                several.join(", state:")
            ),
        }),
    }
}

fn by_site(reading: &Reading, frame: usize, name: &str) -> Result<Classes, ReadError> {
    let data = SiteData::of(reading)?;
    let Some(site) = SiteClasses::of(&data, name) else {
        let mut known = SiteClasses::known(&data);
        known.sort_unstable();
        return Err(reading.no_such("site", name, known.into_iter()));
    };
    let codes = data.codes(frame..frame + 1, 0..reading.slots())?;
    let slots = reading.slot_species()?.into_iter().zip(&codes);
    let classes = slots.map(|(species, &code)| site.class(&data, species, code)).collect();
    Ok((classes, site.names))
}

/// The classes are those of the whole file, so that all its frames have the same colours.
fn by_speed(reading: &Reading, frame: usize) -> Result<Classes, ReadError> {
    const CLASSES: usize = 7;
    let (mut squares, mut count) = (0.0, 0.0_f64);
    for frame in 0..reading.frames() {
        for speed in speeds(reading, frame)?.into_iter().filter(|speed| speed.is_finite()) {
            squares += speed * speed;
            count += 1.0;
        }
    }
    let width = 0.5 * (squares / count.max(1.0)).sqrt();
    let class =
        |speed: f64| if width > 0.0 { ((speed / width) as usize).min(CLASSES - 1) } else { 0 };
    let name = |n: usize| {
        let at = |n: usize| digits(n as f64 * width, 2);
        if n + 1 < CLASSES {
            format!("{} to {} m/s", at(n), at(n + 1))
        } else {
            format!("above {} m/s", at(n))
        }
    };
    Ok((speeds(reading, frame)?.into_iter().map(class).collect(), (0..CLASSES).map(name).collect()))
}

/// How fast the particle in each slot is. \[slot\], \[m/s\]; NaN in empty slots
fn speeds(reading: &Reading, frame: usize) -> Result<Vec<f64>, ReadError> {
    let velocities = reading.velocities(frame)?.ok_or_else(|| reading.lacks("velocity"))?;
    let rows = velocities.rows().into_iter();
    Ok(rows.map(|row| row.iter().map(|x| x * x).sum::<f64>().sqrt()).collect())
}

/// The classes are those that occur in the whole file, so that all its frames have the same
/// colours.
fn by_size(reading: &Reading, frame: usize) -> Result<Classes, ReadError> {
    let data = reading.frame_data(frame..frame + 1, 0..reading.slots())?;
    let mut size_of: HashMap<i64, u64> = HashMap::new();
    for ((id, cluster), coalesced) in data.id.iter().zip(&data.cluster).zip(&data.coalesced) {
        if *id >= 0 {
            *size_of.entry(*cluster).or_default() += (*coalesced).max(1) as u64;
        }
    }
    let class = |cluster: &i64| size_of.get(cluster).map_or(0, |&size| size_class(size));
    let largest = reading.largest_clusters()?.into_iter().max().unwrap_or(1).max(1);
    let names = (0..=size_class(largest as u64)).map(|class| match class {
        0 => "alone".to_owned(),
        n => format!("cluster of {}", size_class_name(n)),
    });
    Ok((data.cluster.iter().map(class).collect(), names.collect()))
}
