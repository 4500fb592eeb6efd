//! The mean squared displacement, by species and by cluster size, and the diffusion coefficient.

mod fit;
mod tally;
mod units;

use ndarray::Array3;

use super::lags::{Lags, since};
use super::scope::Scope;
use super::surfaces::surfaces;
use super::tables::{Cell, Table};
pub use fit::DiffusionFit;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use tally::Tally;

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
    /// In the order of the lags.
    pub points: Vec<MeanSquare>,
    /// The diffusion coefficient and the exponent, if they can be told.
    pub fit: Option<DiffusionFit>,
    /// The model's D. \[nm²/µs\] Holds for particles that move freely and alone.
    pub free: Option<f64>,
}

/// Mean squared displacements over lags of 1, 2, 5, 10, 20, ... frames.
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
                    point.exponent.into(),
                    point.exponent_error.into(),
                    point.samples.into(),
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

/// Measures how far particles get in a time, up to `longest` \[µs\] or as far as the frames go. A
/// particle counts while it exists and is of its species: two looks are compared if both, and every
/// frame between them, show the same identity in the same slot. Particles that are bonded to each
/// other are not independent; the errors by species are then too small, those by size are not.
///
/// # Errors
/// If there are fewer than two frames, or the file cannot be read.
pub fn mean_squared_displacement(
    reading: &Reading,
    scope: &Scope,
    longest: Option<f64>,
) -> Result<Displacements, ReadError> {
    let lags = Lags::of(reading, scope, longest)?;
    let diffusion = reading.diffusion_coefficients().unwrap_or_default();
    let dimension = reading.dimension();
    let around = surfaces(reading)?.surroundings;
    let lives = |species: usize| around.anchor(species as u16).is_some();
    let tallies = by_species(reading, scope, &lags)?;
    let of_species = tallies.into_iter().enumerate().filter(|(_, tally)| !tally.is_empty());
    let of_species = of_species.map(|(species, tally)| {
        let of = Walker::Species(reading.species_name(species as i64));
        let moves_in = (dimension - usize::from(lives(species))).max(1);
        tally.finish(of, &lags, moves_in, diffusion.get(species).copied().flatten())
    });
    let of_species = of_species.collect();
    let sizes = match units::by_size(reading, scope, &lags) {
        // A file that knows no clusters has particles all the same.
        Err(ReadError::Foreign { .. }) => Default::default(),
        sizes => sizes?,
    };
    let of_size = sizes.into_iter().filter(|(_, tally)| !tally.is_empty());
    let of_size: Vec<_> = of_size
        .map(|(size, tally)| tally.finish(Walker::Size(size), &lags, dimension, None))
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
    let mut tallies = vec![Tally::new(lags.len()); wanted.len()];
    // Particles of a species are dealt out to the groups one by one, wherever their slots are.
    let mut dealt = vec![0; wanted.len()];
    for slots in reading.blocks_of_slots(lags.frames.len()) {
        let (id, position) = reading.unwrapped(lags.frames.clone(), slots.clone())?;
        for (k, slot) in slots.enumerate() {
            let Some(of) = species[slot].filter(|&of| wanted[of]) else {
                continue;
            };
            let since = since(&id, k);
            for lag in 0..lags.len() {
                let (sum, count) = particle(lags, &since, &position, k, lag);
                tallies[of].add(lag, dealt[of], sum, count);
            }
            dealt[of] += 1;
        }
    }
    Ok(tallies)
}

/// The sum of the squared displacements of the particles in slot `k` over a lag, and their number.
fn particle(
    lags: &Lags,
    since: &[Option<usize>],
    position: &Array3<f64>,
    k: usize,
    lag: usize,
) -> (f64, f64) {
    let (mut sum, mut count) = (0.0, 0.0);
    for [origin, later] in lags.pairs(lag) {
        if since[later].is_some_and(|first| first <= origin) {
            for axis in 0..3 {
                let x = position[[later, k, axis]] - position[[origin, k, axis]];
                sum += x * x;
            }
            count += 1.0;
        }
    }
    (sum, count)
}
