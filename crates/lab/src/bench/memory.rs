//! How much memory particles take.

use super::BenchError;
use super::speed::to_remember;
use super::warm::warm_up;
use jostle_core::search::{Kind, Settings};
use jostle_run::{engine, in_pool};

/// Steps that are done at least.
const STEPS: u64 = 8;

/// What a process that does nothing else needs for its particles.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Memory {
    /// How many particles.
    #[serde(rename = "bodies")]
    pub particles: usize,
    /// In memory before there were any. \[bytes\]
    pub before: u64,
    /// In memory after some steps. \[bytes\]
    pub resident: u64,
    /// The most there ever was, placing the particles included. \[bytes\]
    pub peak: u64,
}

impl Memory {
    /// In memory after some steps, per particle. \[bytes\]
    pub fn per_particle(&self) -> f64 {
        self.resident.saturating_sub(self.before) as f64 / self.particles as f64
    }

    /// The most there ever was, per particle. \[bytes\]
    pub fn peak_per_particle(&self) -> f64 {
        self.peak.saturating_sub(self.before) as f64 / self.particles as f64
    }
}

/// Places `particles` spheres that fill the fraction `packing`, or points that ignore each other,
/// does some steps on one thread with the search structure `kind` (until it has chosen, if it has
/// to), and looks at what this process needs. Only in a fresh process is that what they need.
///
/// # Errors
/// If they do not fit, a step fails, or the system does not tell.
pub fn memory(particles: usize, packing: Option<f64>, kind: Kind) -> Result<Memory, BenchError> {
    let before = figure("VmRSS:")?;
    let resident = in_pool(1, || -> Result<u64, BenchError> {
        let model =
            to_remember(particles, packing)?.searched(Settings { kind, ..Settings::default() });
        let mut engine = engine::<3>(&model)?;
        warm_up(&mut engine, STEPS)?;
        figure("VmRSS:")
    })??;
    Ok(Memory { particles, before, resident, peak: figure("VmHWM:")? })
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
