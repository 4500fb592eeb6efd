//! How long between contacts, and where they are.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::super::histogram::{FineBins, Histogram, LogBins};
use super::super::tables::{Cell, Table};
use super::query::Query;
use jostle_h5md::reading::ReadError;

/// Between which contacts time is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// Those of the same two particles.
    Pair,
    /// Those of the same particle.
    Particle,
    /// All that are asked for.
    Any,
}

/// Times between a contact and the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervals {
    /// In logarithmic bins. \[µs\]
    pub histogram: Histogram,
    /// How many times were zero, to the precision of the log; they are in no bin.
    pub zero: u64,
    /// The mean of all. \[µs\] NaN if there is none
    pub mean: f64,
}

/// Measures the times between contacts.
///
/// # Errors
/// If the file cannot be read.
pub fn intervals(query: &Query<'_>, apart: Apart, bins: LogBins) -> Result<Intervals, ReadError> {
    let mut last: HashMap<[u32; 2], f64> = HashMap::new();
    let mut fine = FineBins::new();
    let (mut sum, mut count, mut zero) = (0.0, 0.0, 0);
    query.visit(false, |met| {
        let mut take = |key: [u32; 2]| {
            if let Some(before) = last.insert(key, met.time) {
                match met.time - before {
                    interval if interval > 0.0 => {
                        fine.add(interval);
                    }
                    _ => zero += 1,
                }
                sum += met.time - before;
                count += 1.0;
            }
        };
        match apart {
            Apart::Pair => take([met.row.a, met.row.b]),
            Apart::Particle => met.particles().for_each(|id| take([id; 2])),
            Apart::Any => take([0; 2]),
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(Intervals { histogram: fine.logarithmic("interval", "µs", bins), zero, mean: sum / count })
}

/// How many contacts there are in each cell of a grid over the box.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceMap {
    /// The axes of the grid, one or two of 0, 1, 2 for x, y, z.
    pub axes: Vec<usize>,
    /// From where to where along each of them. \[nm\]
    pub spans: Vec<[f64; 2]>,
    /// How many cells along each of them.
    pub cells: Vec<usize>,
    /// How many contacts in each cell, those along the first axis next to each other.
    pub counts: Vec<u64>,
}

/// Counts contacts by place, on a grid of `cells` cells along each of the axes.
///
/// # Errors
/// If the file cannot be read.
pub fn places(query: &Query<'_>, axes: &[usize], cells: usize) -> Result<PlaceMap, ReadError> {
    let edges = query.reading.edges();
    let spans: Vec<[f64; 2]> = axes.iter().map(|&axis| [0.0, edges[axis]]).collect();
    let cells = vec![cells.max(1); axes.len()];
    let mut counts = vec![0; cells.iter().product()];
    query.visit(false, |met| {
        let along = |k: usize| {
            let share = f64::from(met.row.place[axes[k]]) / edges[axes[k]];
            ((share * cells[k] as f64).max(0.0) as usize).min(cells[k] - 1)
        };
        let row = if axes.len() > 1 { along(1) } else { 0 };
        counts[row * cells[0] + along(0)] += 1;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(PlaceMap { axes: axes.to_vec(), spans, cells, counts })
}

impl PlaceMap {
    /// How many contacts there are.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many there would be in each cell if they were spread evenly.
    pub fn even(&self) -> f64 {
        self.total() as f64 / self.counts.len() as f64
    }

    /// The edges of the cells along axis `k` of the map. \[nm\]
    pub fn edges(&self, k: usize) -> Vec<f64> {
        let [low, high] = self.spans[k];
        (0..=self.cells[k]).map(|n| low + (high - low) * n as f64 / self.cells[k] as f64).collect()
    }

    /// One row for each cell: where it is, how many contacts, and how many times as many as if they
    /// were spread evenly, with the standard error of independent events.
    pub fn to_table(&self) -> Table {
        let even = self.even();
        let mut columns = Vec::new();
        for &axis in &self.axes {
            let name = ["x", "y", "z"][axis];
            columns.extend([format!("{name} from (nm)"), format!("{name} to (nm)")]);
        }
        columns.extend(["contacts", "against even", "std. error"].map(str::to_owned));
        let mut table = Table { columns, rows: Vec::with_capacity(self.counts.len()) };
        let edges: Vec<Vec<f64>> = (0..self.axes.len()).map(|k| self.edges(k)).collect();
        for (n, &count) in self.counts.iter().enumerate() {
            let mut row: Vec<Cell> = Vec::new();
            let place = [n % self.cells[0], n / self.cells[0]];
            for (edges, place) in edges.iter().zip(place) {
                row.extend([edges[place].into(), edges[place + 1].into()]);
            }
            let share = |count: f64| count / even;
            row.extend([
                count.into(),
                share(count as f64).into(),
                share((count as f64).sqrt()).into(),
            ]);
            table.push(row);
        }
        table
    }
}
