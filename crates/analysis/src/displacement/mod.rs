//! The mean squared displacement, by species and by cluster size, and the diffusion coefficient.

mod drift;
mod fit;
mod said;
mod tally;
mod units;

use std::collections::HashMap;

use super::lags::{Lags, since};
use super::scope::Scope;
use super::surfaces::surfaces;
use super::tables::{Cell, Table};
use drift::Travelled;
pub use fit::{DiffusionFit, LongFit};
use jostle_core::words::{counted, time_text};
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use tally::{Sums, Tally};

/// The group of particles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Walker {
    /// Particles of a species, each of them, wherever it is.
    Species(String),
    /// The centres of units of so many particles, those inside coalesced ones counted one by one.
    Size(u64),
}

impl std::fmt::Display for Walker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Species(name) => f.write_str(name),
            Self::Size(1) => f.write_str("alone"),
            Self::Size(size) => write!(f, "cluster of {size}"),
        }
    }
}

/// How far particles get along an axis in a lag, with standard errors as those of the mean square.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanAlong {
    /// The mean square. \[nm²\]
    pub square: f64,
    /// Its standard error. \[nm²\]
    pub square_error: f64,
    /// The mean. \[nm\]
    pub mean: f64,
    /// Its standard error. \[nm\]
    pub mean_error: f64,
}

/// A mean squared displacement over one lag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanSquare {
    /// The time between two looks. \[µs\]
    pub lag: f64,
    /// The mean over particles and origins of time. \[nm²\]
    pub value: f64,
    /// Its standard error, by jackknife over up to 64 groups of particles. \[nm²\] NaN for fewer
    /// than four.
    pub error: f64,
    /// Along each axis of the box; zero along those that it does not have.
    pub along: [MeanAlong; 3],
    /// The slope of log MSD against log t from the lag before to the one after: 1 for free diffusion, 2 for
    /// steady drift, less than 1 in a crowd. NaN with a single lag.
    pub exponent: f64,
    /// Its standard error, as that of the mean.
    pub exponent_error: f64,
    /// How many displacements were averaged.
    pub samples: u64,
}

/// How far some walkers get in a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Displacement {
    /// The group of particles.
    pub of: Walker,
    /// In how many dimensions they move: one less on a surface.
    pub dimension: usize,
    /// How many axes the box has.
    pub axes: usize,
    /// In the order of the lags.
    pub points: Vec<MeanSquare>,
    /// The diffusion coefficient and the exponent, if they can be told.
    pub fit: Option<DiffusionFit>,
    /// The model's D. \[nm²/µs\] Holds for particles that move freely and alone.
    pub free: Option<f64>,
    /// Along each axis, the velocity of a steady drift, if there is one, and its standard error. \[nm/µs\]
    /// It is recognised if it is 5 standard errors, both between particles and between stretches of time. The
    /// fits are to what the drift leaves of the mean square; the points have all of it.
    pub drift: [Option<[f64; 2]>; 3],
    /// Along each axis, at what mean square the displacements level off, if they do, and what it is at the
    /// shortest lag. \[nm²\]
    pub levels: [Option<[f64; 2]>; 3],
}

/// Over which lags displacements are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LagOptions {
    /// Up to this one. \[µs\]
    pub longest: Option<f64>,
    /// So many in each factor of ten; 1, 2, 5, 10, ... frames, if that is not said.
    pub per_decade: Option<usize>,
    /// The lags of the fit to long times; by default, from 1/40 to 1/4 of the longest. \[µs\]
    pub fit: Option<[f64; 2]>,
}

/// Mean squared displacements over lags of 1, 2, 5, 10, 20, ... frames, or as the options say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Displacements {
    /// In the order of the species.
    pub by_species: Vec<Displacement>,
    /// By the size of the unit: the particles that bonds hold together, or one particle. Its centre
    /// counts (of friction: members weighted with 1/D), so that turning does not; it counts for as
    /// long as cluster, size and number of members stay the same in every frame. Empty if all are
    /// alone.
    pub by_size: Vec<Displacement>,
}

impl Displacements {
    /// One row per species and lag.
    pub fn to_table(&self) -> Table {
        self.rows("species", &self.by_species)
    }

    /// One row per cluster size and lag.
    pub fn sizes_to_table(&self) -> Table {
        self.rows("size", &self.by_size)
    }

    fn rows(&self, head: &str, all: &[Displacement]) -> Table {
        let columns = [
            head,
            "lag (µs)",
            "MSD (nm²)",
            "std. error (nm²)",
            "2dDt (nm²)",
            "MSD/2dDt",
            "MSD/2dDt error",
            "exponent",
            "exponent error",
            "samples",
        ];
        let mut table = Table::new(&columns);
        for one in all {
            for point in &one.points {
                let free = one.free.map(|d| 2.0 * one.dimension as f64 * d * point.lag);
                let free = free.filter(|&free| free > 0.0);
                table.push(vec![
                    Cell::from(one.of.to_string()),
                    point.lag.into(),
                    point.value.into(),
                    point.error.into(),
                    free.into(),
                    free.map(|free| point.value / free).into(),
                    free.map(|free| point.error / free).into(),
                    point.exponent.into(),
                    point.exponent_error.into(),
                    point.samples.into(),
                ]);
            }
        }
        table
    }

    /// One row per species, axis and lag.
    pub fn axes_to_table(&self) -> Table {
        let columns = [
            "species",
            "axis",
            "lag (µs)",
            "MSD (nm²)",
            "std. error (nm²)",
            "mean displacement (nm)",
            "its std. error (nm)",
            "samples",
        ];
        let mut table = Table::new(&columns);
        for one in &self.by_species {
            for axis in 0..one.axes {
                for point in &one.points {
                    let along = &point.along[axis];
                    table.push(vec![
                        Cell::from(one.of.to_string()),
                        ["x", "y", "z"][axis].into(),
                        point.lag.into(),
                        along.square.into(),
                        along.square_error.into(),
                        along.mean.into(),
                        along.mean_error.into(),
                        point.samples.into(),
                    ]);
                }
            }
        }
        table
    }

    /// One row per species, then per cluster size, with two lags or more in the range: the slope there.
    pub fn long_to_table(&self) -> Table {
        let mut table = Table::new(&[
            "whose",
            "D (µm²/s)",
            "D error (µm²/s)",
            "from (µs)",
            "to (µs)",
            "exponent",
            "exponent error",
            "groups",
        ]);
        for one in self.by_species.iter().chain(&self.by_size) {
            if let Some((fit, long)) = one.fit.and_then(|fit| Some((fit, fit.long?))) {
                table.push(vec![
                    Cell::from(one.of.to_string()),
                    long.diffusion.into(),
                    long.diffusion_error.into(),
                    long.between[0].into(),
                    long.between[1].into(),
                    long.exponent.into(),
                    long.exponent_error.into(),
                    fit.groups.into(),
                ]);
            }
        }
        table
    }

    /// One row per species, then per cluster size: the fitted diffusion coefficient and exponent.
    pub fn fits_to_table(&self) -> Table {
        let mut table = Table::new(&[
            "whose",
            "D (µm²/s)",
            "D error (µm²/s)",
            "model D (µm²/s)",
            "up to (µs)",
            "exponent",
            "exponent error",
            "groups",
        ]);
        for one in self.by_species.iter().chain(&self.by_size) {
            if let Some(fit) = &one.fit {
                table.push(vec![
                    Cell::from(one.of.to_string()),
                    // 1 nm²/µs is 1 µm²/s.
                    fit.diffusion.into(),
                    fit.diffusion_error.into(),
                    one.free.into(),
                    fit.up_to.into(),
                    fit.exponent.into(),
                    fit.exponent_error.into(),
                    fit.groups.into(),
                ]);
            }
        }
        table
    }
}

/// Measures how far particles get in a time, as far as the frames go or the options say. A
/// particle counts while it exists and is of its species: two looks are compared if both, and every
/// frame between them, show the same identity in the same slot. Particles that are in one cluster in the
/// first frame count as one for the errors, since they do not move independently.
///
/// # Errors
/// If there are fewer than two frames, no two lags in the range of the fit, or the file cannot be read.
pub fn mean_squared_displacement(
    reading: &Reading,
    scope: &Scope,
    options: &LagOptions,
) -> Result<Displacements, ReadError> {
    let lags = Lags::of(reading, scope, options.longest, options.per_decade)?;
    if let Some([low, high]) = options.fit {
        let times = lags.times();
        let within = |lag: &&f64| **lag >= low * (1.0 - 1e-9) && **lag <= high * (1.0 + 1e-9);
        if times.iter().filter(within).count() < 2 {
            let [first, last] = [times.first(), times.last()]
                .map(|lag| lag.map_or_else(String::new, |&lag| time_text(lag)));
            let reason = format!(
                "fewer than two lags are within the range of the fit; there are {} from {first} to {last}",
                counted(times.len() as u64, "lag")
            );
            return Err(reading.too_little(reason));
        }
    }
    let diffusion = reading.diffusion_coefficients().unwrap_or_default();
    let dimension = reading.dimension();
    let around = surfaces(reading)?.surroundings;
    let lives = |species: usize| around.anchor(species as u16).is_some();
    let tallies = by_species(reading, scope, &lags)?;
    let of_species = tallies.into_iter().enumerate().filter(|(_, tally)| !tally.is_empty());
    let of_species = of_species.map(|(species, tally)| {
        let of = Walker::Species(reading.species_name(species as i64));
        let moves_in = (dimension - usize::from(lives(species))).max(1);
        let free = diffusion.get(species).copied().flatten();
        tally.finish(of, [moves_in, dimension], free, options.fit)
    });
    let of_species = of_species.collect();
    let sizes = match units::by_size(reading, scope, &lags) {
        // A file that knows no clusters has particles all the same.
        Err(ReadError::Foreign { .. }) => Default::default(),
        sizes => sizes?,
    };
    let of_size = sizes.into_iter().filter(|(_, tally)| !tally.is_empty());
    let of_size: Vec<_> = of_size
        .map(|(size, tally)| tally.finish(Walker::Size(size), [dimension; 2], None, options.fit))
        .collect();
    let all_alone = of_size.iter().all(|one| one.of == Walker::Size(1));
    Ok(Displacements {
        by_species: of_species,
        by_size: if all_alone { Vec::new() } else { of_size },
    })
}

fn by_species(reading: &Reading, scope: &Scope, lags: &Lags) -> Result<Vec<Tally>, ReadError> {
    let wanted = scope.species(reading)?;
    let species = reading.named_species()?;
    let mut tallies = vec![Tally::new(lags); wanted.len()];
    // Particles of a species are dealt out to the groups one by one, wherever their slots are, but those of one
    // cluster to the same group.
    let mut dealt = vec![0; wanted.len()];
    let mut groups: HashMap<(usize, i64), usize> = HashMap::new();
    for slots in reading.blocks_of_slots(lags.frames.len()) {
        let (id, position) = reading.unwrapped(lags.frames.clone(), slots.clone())?;
        let first = lags.frames.start;
        let clusters = reading.frame_data(first..first + 1, slots.clone())?.cluster;
        for (k, slot) in slots.enumerate() {
            let Some(of) = species[slot].filter(|&of| wanted[of]) else {
                continue;
            };
            // Where no particle is yet, there is no cluster.
            let cluster = Some(clusters[[0, k]]).filter(|&cluster| cluster >= 0);
            let group = cluster.and_then(|cluster| groups.get(&(of, cluster)).copied());
            let group = group.unwrap_or_else(|| {
                dealt[of] += 1;
                dealt[of] - 1
            });
            if let Some(cluster) = cluster {
                groups.insert((of, cluster), group);
            }
            let since = since(&id, k);
            let moved = |[origin, later]: [usize; 2]| {
                let stays = since[later].is_some_and(|first| first <= origin);
                let along = |axis| position[[later, k, axis]] - position[[origin, k, axis]];
                stays.then(|| [0, 1, 2].map(along))
            };
            for lag in 0..lags.len() {
                let mut sums = Sums::default();
                lags.pairs(lag).filter_map(moved).for_each(|displacement| sums.add(displacement));
                tallies[of].add(lag, group, &sums);
            }
            let stretches = Travelled::stretches(lags.frames.len());
            for ends in stretches.filter(|[first, last]| lags.fits(*first, *last)) {
                if let Some(displacement) = moved(ends) {
                    tallies[of].travelled.add(group, ends, lags.frames.len(), displacement);
                }
            }
        }
    }
    Ok(tallies)
}
