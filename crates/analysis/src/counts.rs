//! Numbers of particles over time.

use ndarray::{Array2, s};

use super::scope::Scope;
use super::statistics::{Estimate, blocked};
use super::surfaces::{Beside, Sides};
use super::tables::{Cell, Table};
use jostle_h5md::reading::{ReadError, Reading, species_in};

/// The particles of one species over time.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeciesCounts {
    /// The species.
    pub species: String,
    /// \[frame\]
    pub counts: Vec<i64>,
    /// The average over the frames, with the error by blocking. It means little while the number
    /// still drifts.
    pub mean: Estimate,
}

/// Numbers of particles over time, by species.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// \[frame\], \[µs\]
    pub times: Vec<f64>,
    /// In the order of the model.
    pub species: Vec<SpeciesCounts>,
}

impl Counts {
    /// One row per species.
    pub fn to_table(&self) -> Table {
        self.to_table_of("species")
    }

    /// The same of other things than species.
    pub fn to_table_of(&self, what: &str) -> Table {
        let columns = [what, "mean", "std. error", "first", "last", "least", "most"];
        let mut table = Table::new(&columns);
        for one in &self.species {
            table.push(vec![
                Cell::from(one.species.as_str()),
                one.mean.mean.into(),
                one.mean.error.into(),
                one.counts.first().copied().into(),
                one.counts.last().copied().into(),
                one.counts.iter().min().copied().into(),
                one.counts.iter().max().copied().into(),
            ]);
        }
        table
    }

    /// The species whose numbers change so slowly that the error of their average may be too small.
    pub fn slow(&self) -> Vec<&str> {
        let slow = self.species.iter().filter(|one| one.mean.is_of_few());
        slow.map(|one| one.species.as_str()).collect()
    }

    /// One row per frame, one column per species.
    pub fn series_to_table(&self) -> Table {
        let names = self.species.iter().map(|one| one.species.as_str());
        let columns: Vec<&str> = std::iter::once("time (µs)").chain(names).collect();
        let mut table = Table::new(&columns);
        for (frame, time) in self.times.iter().enumerate() {
            let counts = self.species.iter().map(|one| Cell::from(one.counts[frame]));
            table.push(std::iter::once(Cell::from(*time)).chain(counts).collect::<Vec<Cell>>());
        }
        table
    }
}

/// Counts the particles of each species in the scope: as often as the run did (`counts_every`),
/// else in every frame.
///
/// # Errors
/// If there is no frame within the scope, or the file cannot be read.
pub fn counts(reading: &Reading, scope: &Scope) -> Result<Counts, ReadError> {
    let wanted = scope.species(reading)?;
    if let Some((times, rows)) = reading.counts_between_frames()? {
        let within = scope.within(&times);
        if !within.is_empty() {
            let rows = rows.slice(s![within.clone(), ..]).to_owned();
            return Ok(of_species(reading, &wanted, times[within].to_vec(), &rows));
        }
    }
    let frames = scope.frames(reading, 1)?;
    let rows = reading.counts(frames.clone())?;
    Ok(of_species(reading, &wanted, reading.times()?[frames].to_vec(), &rows))
}

/// Counts the particles of each species that are on all of some sides of surfaces, in every frame
/// of the scope. A particle that lives on a surface is on neither side of it.
///
/// # Errors
/// If there is no such surface or it has no such side, there is no frame within the scope, or the
/// file cannot be read.
pub fn counts_beside(
    reading: &Reading,
    scope: &Scope,
    asked: &[Beside],
) -> Result<Counts, ReadError> {
    if asked.is_empty() {
        return counts(reading, scope);
    }
    let sides = Sides::of(reading, asked)?;
    let frames = scope.frames(reading, 1)?;
    let wanted = scope.species(reading)?;
    let mut rows = Array2::zeros((frames.len(), wanted.len()));
    for (row, frame) in frames.clone().enumerate() {
        let species_of = species_in(reading, frame)?;
        let places = reading.positions(frame..frame + 1, 0..reading.slots())?;
        let id = reading.frame_data(frame..frame + 1, 0..reading.slots())?.id;
        for (slot, &species) in species_of.iter().enumerate() {
            let Some(species) =
                u16::try_from(species).ok().filter(|&s| (s as usize) < wanted.len())
            else {
                continue;
            };
            let place = [0, 1, 2].map(|k| places[[0, slot, k]]);
            if id[[0, slot]] >= 0 && wanted[species as usize] && sides.have(species, place) {
                rows[[row, species as usize]] += 1;
            }
        }
    }
    Ok(of_species(reading, &wanted, reading.times()?[frames].to_vec(), &rows))
}

/// The numbers of the species that are wanted, from those of all. \[frame\]\[species\]
fn of_species(reading: &Reading, wanted: &[bool], times: Vec<f64>, rows: &Array2<i64>) -> Counts {
    let of = |species: usize| {
        let counts: Vec<i64> = rows.column(species).to_vec();
        let series: Vec<f64> = counts.iter().map(|&n| n as f64).collect();
        let mean = blocked(&series);
        SpeciesCounts { species: reading.species_name(species as i64), counts, mean }
    };
    let times = times.into_iter().take(rows.nrows()).collect();
    Counts { times, species: (0..wanted.len()).filter(|&s| wanted[s]).map(of).collect() }
}
