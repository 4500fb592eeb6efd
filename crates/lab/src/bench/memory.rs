//! How much memory bodies take.

use super::BenchError;
use super::speed::to_remember;
use super::warm::warm_up;
use jostle_core::search::{Kind, Settings};
use jostle_run::{engine, in_pool};

/// Steps that are done at least.
const STEPS: u64 = 8;

/// What a process that does nothing else needs for its bodies.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Memory {
    /// How many bodies.
    pub bodies: usize,
    /// In memory before there were any. \[bytes\]
    pub before: u64,
    /// In memory after some steps. \[bytes\]
    pub resident: u64,
    /// The most there ever was, placing the bodies included. \[bytes\]
    pub peak: u64,
}

impl Memory {
    /// In memory after some steps, per body. \[bytes\]
    pub fn per_body(&self) -> f64 {
        self.resident.saturating_sub(self.before) as f64 / self.bodies as f64
    }

    /// The most there ever was, per body. \[bytes\]
    pub fn peak_per_body(&self) -> f64 {
        self.peak.saturating_sub(self.before) as f64 / self.bodies as f64
    }
}

/// Places `bodies` spheres that fill the fraction `packing`, or points that take no notice of each
/// other, does some steps on one thread with the search structure `kind` (until it has chosen, if
/// it has to), and looks at what this process needs. Only in a fresh process is that what they
/// need.
///
/// # Errors
/// If they do not fit, a step fails, or the system does not tell.
pub fn memory(bodies: usize, packing: Option<f64>, kind: Kind) -> Result<Memory, BenchError> {
    let before = figure("VmRSS:")?;
    let resident = in_pool(1, || -> Result<u64, BenchError> {
        let model =
            to_remember(bodies, packing)?.searched(Settings { kind, ..Settings::default() });
        let mut engine = engine::<3>(&model)?;
        warm_up(&mut engine, STEPS)?;
        figure("VmRSS:")
    })??;
    Ok(Memory { bodies, before, resident, peak: figure("VmHWM:")? })
}

/// The most memory that this process ever had. \[bytes\]
///
/// # Errors
/// If the system does not tell.
pub(super) fn peak() -> Result<u64, BenchError> {
    figure("VmHWM:")
}

/// A line of /proc/self/status, which is in kB. \[bytes\]
fn figure(name: &str) -> Result<u64, BenchError> {
    let status =
        std::fs::read_to_string("/proc/self/status").map_err(|_| BenchError::NoMemoryFigures)?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let figure = line
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|word| word.parse::<u64>().ok());
    figure.map(|kilobytes| 1024 * kilobytes).ok_or(BenchError::NoMemoryFigures)
}
