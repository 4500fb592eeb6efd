//! How much memory a run takes: figures measured of whole processes (their peaks), for the forecasts.

use crate::model::Model;

/// The program with a file that it writes, without bodies. \[bytes\]
pub(super) const PROGRAM: f64 = 21e6;

/// The HDF5 library keeps at most so much of each dataset in memory. \[bytes\]
const CACHE: f64 = 8.0 * 1024.0 * 1024.0;

/// What stays in memory of a file's datasets, of so many bytes each. \[bytes\]
pub(super) fn cached(datasets: impl IntoIterator<Item = f64>) -> f64 {
    datasets.into_iter().map(|bytes| bytes.min(CACHE)).sum()
}

/// What stays in memory of the frames of so many bodies in flight. \[bytes\]
pub(super) fn flown(model: &Model, bodies: f64) -> f64 {
    let frames = (model.steps / model.output.frame_every + 1) as f64;
    let coordinate = if model.output.single_precision { 4.0 } else { 8.0 };
    // Places, velocities, identities, clusters, images.
    let columns = [3.0 * coordinate, 3.0 * coordinate, 8.0, 8.0, 12.0];
    cached(columns.map(|bytes| bytes * bodies * frames))
}

/// Bodies in Brownian motion, with what the engine, its search structure and the frame to be written hold of
/// each. \[bytes\]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Crowd {
    /// Nobody takes notice of anybody.
    Free,
    /// Cells, slices, sorted endpoints.
    Cells,
    /// Swept boxes: a body stands in the lists of all that it might pass.
    Swept(f64),
    /// Neighbour lists, which are the longer, the denser the crowd: it fills this share.
    Lists(f64),
}

impl Crowd {
    /// Of each body, in so many dimensions. \[bytes\]
    pub(super) fn per_body(self, dimension: usize) -> f64 {
        let spared = 3.0 - dimension as f64;
        match self {
            Self::Free => 340.0 - 35.0 * spared,
            Self::Cells => 330.0 - 35.0 * spared,
            Self::Swept(packing) => 700.0 + 9000.0 * packing,
            Self::Lists(packing) if dimension == 3 => 420.0 + 580.0 * packing,
            Self::Lists(packing) => 435.0 - 40.0 * spared + 100.0 * packing,
        }
    }
}

/// Of a body in flight, beside what its engine says it takes: the snapshot and the frame to be written. \[bytes\]
pub(super) const PER_FLIGHT: f64 = 200.0;
