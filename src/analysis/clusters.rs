//! Cluster sizes over time.

use std::collections::{BTreeMap, HashMap};

use super::error::ReadError;
use super::reading::Reading;
use super::table::{Table, number};

/// The clusters of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct SizesAt {
    /// The step of the frame.
    pub step: i64,
    /// \[µs\]
    pub time: f64,
    /// How many clusters there are of each size. A body alone is a cluster of one; bodies that
    /// have coalesced are counted one by one.
    pub clusters: BTreeMap<u64, u64>,
}

impl SizesAt {
    /// How many clusters there are.
    pub fn count(&self) -> u64 {
        self.clusters.values().sum()
    }

    /// How many bodies there are, those that have coalesced counted one by one.
    pub fn bodies(&self) -> u64 {
        self.clusters.iter().map(|(size, count)| size * count).sum()
    }

    /// The size of the largest cluster.
    pub fn largest(&self) -> u64 {
        self.clusters.last_key_value().map_or(0, |(&size, _)| size)
    }

    /// Bodies per cluster.
    pub fn mean(&self) -> f64 {
        self.bodies() as f64 / self.count() as f64
    }

    /// The mean size of the cluster that a body is in.
    pub fn mean_by_body(&self) -> f64 {
        let squares = self.clusters.iter().map(|(size, count)| size * size * count);
        squares.sum::<u64>() as f64 / self.bodies() as f64
    }
}

/// Cluster sizes over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterSizes {
    /// One entry per frame.
    pub frames: Vec<SizesAt>,
}

impl ClusterSizes {
    /// One row per frame.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&[
            "time (µs)",
            "bodies",
            "clusters",
            "alone",
            "mean size",
            "mean size seen by a body",
            "largest",
        ]);
        for at in &self.frames {
            table.push(vec![
                number(at.time),
                at.bodies().to_string(),
                at.count().to_string(),
                at.clusters.get(&1).unwrap_or(&0).to_string(),
                format!("{:.3}", at.mean()),
                format!("{:.3}", at.mean_by_body()),
                at.largest().to_string(),
            ]);
        }
        table
    }

    /// One row per frame and size.
    pub fn to_histogram(&self) -> Table {
        let mut table = Table::new(&["time (µs)", "size", "clusters"]);
        for at in &self.frames {
            for (size, count) in &at.clusters {
                table.push(vec![number(at.time), size.to_string(), count.to_string()]);
            }
        }
        table
    }
}

/// Measures the sizes of the clusters in every frame, one frame in memory at a time.
///
/// # Errors
/// If the file cannot be read.
pub fn cluster_sizes(reading: &Reading) -> Result<ClusterSizes, ReadError> {
    let (steps, times) = (reading.steps()?, reading.times()?);
    let mut frames = Vec::with_capacity(steps.len());
    for (k, (step, time)) in steps.into_iter().zip(times).enumerate() {
        let data = reading.frame_data(k..k + 1, 0..reading.slots())?;
        let mut size_of: HashMap<i64, u64> = HashMap::new();
        let slots = data.id.iter().zip(&data.cluster).zip(&data.coalesced);
        for ((_, cluster), coalesced) in slots.filter(|((id, _), _)| **id >= 0) {
            *size_of.entry(*cluster).or_default() += (*coalesced).max(1) as u64;
        }
        let mut clusters = BTreeMap::new();
        for size in size_of.into_values() {
            *clusters.entry(size).or_default() += 1;
        }
        frames.push(SizesAt { step, time, clusters });
    }
    Ok(ClusterSizes { frames })
}
