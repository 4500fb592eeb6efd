//! The energy balance over time.

use ndarray::Array2;

use crate::scope::Scope;
use crate::statistics::blocked;
use crate::tables::{Cell, Table};
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// The energy balance of a run, frame by frame. Energies in J; sums are since the start of the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnergySeries {
    /// \[µs\]
    pub times: Vec<f64>,
    /// Of motion.
    pub kinetic: Vec<f64>,
    /// In constant gravity.
    pub potential: Vec<f64>,
    /// Stored in contacts that give way; none where particles are hard.
    pub elastic: Vec<f64>,
    /// Lost in collisions and by friction.
    pub dissipated: Vec<f64>,
    /// Given by moving walls.
    pub wall_work: Vec<f64>,
    /// Given by forces that bend paths.
    pub force_work: Vec<f64>,
    /// Of all balls. \[kg m/s\]
    pub momentum: Vec<[f64; 3]>,
}

/// Reads the energy balance in the frames of the scope.
///
/// # Errors
/// If the file has none, or cannot be read.
pub fn energy(reading: &Reading, scope: &Scope) -> Result<EnergySeries, ReadError> {
    let name = |what: &str| format!("observables/{what}/value");
    if !reading.has(&name("kinetic_energy")) {
        return Err(super::missing(reading, &name("kinetic_energy")));
    }
    let frames = scope.frames(reading, 1)?;
    let column = |what: &str| -> Result<Vec<f64>, ReadError> {
        let name = name(what);
        let rows = reading.length(&name)?;
        reading.column(&name, frames.start.min(rows)..frames.end.min(rows))
    };
    let rows = reading.length(&name("momentum"))?;
    let region = (frames.start.min(rows)..frames.end.min(rows), 0..3);
    let momentum: Array2<f64> = reading.slice(&name("momentum"), region)?;
    let mut found = EnergySeries {
        times: reading.times()?[frames.clone()].to_vec(),
        kinetic: column("kinetic_energy")?,
        potential: column("potential_energy")?,
        elastic: match reading.has(&name("elastic_energy")) {
            true => column("elastic_energy")?,
            false => Vec::new(),
        },
        dissipated: column("dissipated_energy")?,
        wall_work: column("wall_work")?,
        force_work: column("force_work")?,
        momentum: momentum.rows().into_iter().map(|row| [row[0], row[1], row[2]]).collect(),
    };
    found.cut();
    Ok(found)
}

impl EnergySeries {
    /// Cuts all series to the frames that each of them has: of a file that is being written or
    /// damaged, some are behind others.
    fn cut(&mut self) {
        let Self {
            times,
            kinetic,
            potential,
            elastic,
            dissipated,
            wall_work,
            force_work,
            momentum,
        } = self;
        let needed = [&times, &kinetic, &potential, &dissipated, &wall_work, &force_work];
        let mut frames =
            needed.map(|series| series.len()).into_iter().fold(momentum.len(), usize::min);
        if !elastic.is_empty() {
            frames = frames.min(elastic.len());
        }
        for series in [times, kinetic, potential, elastic, dissipated, wall_work, force_work] {
            series.truncate(frames);
        }
        momentum.truncate(frames);
    }

    /// The series by name; what particles store only where they give way.
    pub fn named(&self) -> Vec<(&'static str, &[f64])> {
        let all: [(&'static str, &[f64]); 6] = [
            ("kinetic", &self.kinetic),
            ("potential", &self.potential),
            ("elastic", &self.elastic),
            ("dissipated", &self.dissipated),
            ("wall work", &self.wall_work),
            ("force work", &self.force_work),
        ];
        all.into_iter().filter(|(_, series)| !series.is_empty()).collect()
    }

    /// What the energy balance leaves unexplained in each frame: kinetic, potential and elastic
    /// energy and what was lost, less what was given and what there was in the first frame. Zero
    /// but for rounding, and in runs of time steps for their error. \[J\]
    pub fn imbalance(&self) -> Vec<f64> {
        let given = |n: usize| self.wall_work[n] + self.force_work[n];
        let elastic = |n: usize| self.elastic.get(n).copied().unwrap_or(0.0);
        let kept = |n: usize| self.kinetic[n] + self.potential[n] + elastic(n);
        let sum = |n: usize| kept(n) + self.dissipated[n] - given(n);
        let frames = self.named().iter().map(|(_, series)| series.len()).min().unwrap_or(0);
        (0..frames).map(|n| sum(n) - sum(0)).collect()
    }

    /// One row for each energy: its average with the error by blocking, and how it changed.
    pub fn to_table(&self) -> Table {
        let mut table =
            Table::new(&["energy", "mean (J)", "std. error (J)", "first (J)", "last (J)"]);
        let imbalance = self.imbalance();
        for (name, series) in
            self.named().into_iter().chain([("unexplained", imbalance.as_slice())])
        {
            let mean = blocked(series);
            table.push(vec![
                Cell::from(name),
                mean.mean.into(),
                mean.error.into(),
                series.first().copied().into(),
                series.last().copied().into(),
            ]);
        }
        table
    }

    /// One row per frame.
    pub fn series_to_table(&self) -> Table {
        let mut heads = vec!["time (µs)".to_owned()];
        heads.extend(self.named().iter().map(|(name, _)| format!("{name} (J)")));
        heads.push("unexplained (J)".into());
        heads.extend(["x", "y", "z"].map(|axis| format!("momentum {axis} (kg m/s)")));
        let mut table = Table { columns: heads, rows: Vec::new() };
        let imbalance = self.imbalance();
        for (n, &left) in imbalance.iter().enumerate() {
            let mut row = vec![Cell::from(self.times[n])];
            row.extend(self.named().iter().map(|(_, series)| Cell::from(series[n])));
            row.push(left.into());
            row.extend(self.momentum[n].map(Cell::from));
            table.push(row);
        }
        table
    }
}
