//! Numbers of bodies over time.

use super::error::ReadError;
use super::reading::Reading;
use super::scope::Scope;
use super::statistics::{Estimate, blocked};
use super::tables::{Cell, Table};

/// The bodies of one species over time.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeciesCounts {
    /// The species.
    pub species: String,
    /// \[frame\]
    pub counts: Vec<i64>,
    /// The average over the frames, with the error by blocking. It means little while the number still
    /// drifts.
    pub mean: Estimate,
}

/// Numbers of bodies over time, by species.
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
        let columns = ["species", "mean", "std. error", "first", "last", "least", "most"];
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

/// Counts the bodies of each species in every frame of the scope.
///
/// # Errors
/// If there is no frame within the scope, or the file cannot be read.
pub fn counts(reading: &Reading, scope: &Scope) -> Result<Counts, ReadError> {
    let frames = scope.frames(reading, 1)?;
    let wanted = scope.species(reading)?;
    let rows = reading.counts(frames.clone())?;
    let times = reading.times()?[frames].iter().take(rows.nrows()).copied().collect();
    let of = |species: usize| {
        let counts: Vec<i64> = rows.column(species).to_vec();
        let series: Vec<f64> = counts.iter().map(|&n| n as f64).collect();
        let mean = blocked(&series);
        SpeciesCounts { species: reading.species_name(species as i64), counts, mean }
    };
    Ok(Counts { times, species: (0..wanted.len()).filter(|&s| wanted[s]).map(of).collect() })
}
