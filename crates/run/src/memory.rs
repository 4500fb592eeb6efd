//! How much memory a run takes: figures measured of whole processes (their peaks), for the
//! forecasts; and whether there is so much.

use std::fs::read_to_string;

use super::error::RunError;
use jostle_core::search::Kind;
use jostle_model::{EngineModel, Model, Placement, measure};

/// The program with a file that it writes, without particles. Builds for development have more code,
/// since most of it is not optimised. \[bytes\]
pub(super) const PROGRAM: f64 = if cfg!(debug_assertions) { 33e6 } else { 21e6 };

/// The most memory that this process has had until now; 0 where the system does not tell. \[bytes\]
pub(super) fn peak() -> f64 {
    let status = read_to_string("/proc/self/status").unwrap_or_default();
    line(&status, "VmHWM:").unwrap_or(0.0)
}

/// The HDF5 library keeps at most so much of each dataset in memory. \[bytes\]
const CACHE: f64 = 8.0 * 1024.0 * 1024.0;

/// What stays in memory of a file's datasets, of so many bytes each. \[bytes\]
pub(super) fn cached(datasets: impl IntoIterator<Item = f64>) -> f64 {
    datasets.into_iter().map(|bytes| bytes.min(CACHE)).sum()
}

/// What stays in memory of the frames of so many particles in flight. \[bytes\]
pub(super) fn flown(model: &Model, particles: f64) -> f64 {
    let frames = (model.run.steps / model.output.frame_every + 1) as f64;
    let coordinate = if model.output.single_precision { 4.0 } else { 8.0 };
    // Places, velocities, identities, clusters, images.
    let columns = [3.0 * coordinate, 3.0 * coordinate, 8.0, 8.0, 12.0];
    cached(columns.map(|bytes| bytes * particles * frames))
}

/// Particles in Brownian motion, with what the engine, its search structure and the frame to be
/// written hold of each. Structures that keep which are next to which hold the more, the denser the
/// crowd: it fills this share. \[bytes\]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Crowd {
    /// No particles interact.
    Free,
    /// Cells, slices, levels.
    Cells,
    Endpoints(f64),
    /// Swept boxes, sorted.
    LongStep,
    Lists(f64),
}

impl Crowd {
    /// The one that a model places.
    pub(super) fn of(model: &Model, search: Kind) -> Self {
        let is_free = measure::meeting(model).is_none();
        let packing = measure::packing_fraction(model);
        match search {
            _ if is_free => Self::Free,
            // Whatever it settles on, it has tried lists.
            Kind::Auto | Kind::Verlet => Self::Lists(packing),
            Kind::Endpoints => Self::Endpoints(packing),
            Kind::LongStep => Self::LongStep,
            Kind::Naive | Kind::Cubic | Kind::Slices | Kind::Levels => Self::Cells,
        }
    }

    /// Of each particle, in so many dimensions. \[bytes\]
    pub(super) fn per_particle(self, dimension: usize) -> f64 {
        let spared = 3.0 - dimension as f64;
        let cells = 330.0 - 35.0 * spared;
        match (self, dimension) {
            (Self::Free, _) => 340.0 - 35.0 * spared,
            (Self::Cells, _) => cells,
            (Self::Endpoints(packing), 3) => 430.0 + 350.0 * packing,
            // Memory that one thread has freed is not used by another, so these lie between the peaks
            // of runs on one thread and on several.
            (Self::Endpoints(_), 2) => cells + 190.0,
            (Self::Endpoints(_), _) => cells,
            (Self::LongStep, 2) => cells + 80.0,
            (Self::LongStep, _) => cells + 25.0,
            (Self::Lists(packing), 3) => 420.0 + 580.0 * packing,
            (Self::Lists(packing), _) => 435.0 - 40.0 * spared + 100.0 * packing,
        }
    }
}

/// A disk that moves in steps and collides after the move, with its strips. \[bytes\]
pub(super) const PER_DISK: f64 = 245.0;

/// Of a particle in flight, beside what its engine says it takes: the snapshot and the frame to be
/// written. \[bytes\]
pub(super) const PER_FLIGHT: f64 = 200.0;

/// Of a polygon, without its corners: somewhat more than measured with 1e5 particles that hardly
/// touch. \[bytes\]
pub(super) const PER_POLYGON: f64 = 950.0;

/// Forecasts are no farther off.
const ERROR: f64 = 1.2;

/// Refuses a model whose particles do not fit into the memory that there is, before any of it is
/// asked for.
pub(super) fn check_room(model: &Model) -> Result<(), RunError> {
    let particles: usize = model.placement.iter().map(Placement::count).sum();
    // And the engine of those in flight, which takes as much at least.
    let in_flight = 2.0 * PER_FLIGHT;
    let each = match &model.engine {
        EngineModel::Brownian(brownian) => {
            Crowd::of(model, brownian.search.kind).per_particle(model.space.dimension)
        }
        EngineModel::Granular(_) | EngineModel::Gas(_) => in_flight,
        EngineModel::Polygons(_) => PER_POLYGON,
    };
    let needed = each * particles as f64;
    match room() {
        Some(room) if needed > ERROR * room => {
            let most = model.placement.iter().max_by_key(|placement| placement.count());
            let most = most.map(|placement| model.species[placement.species as usize].name.clone());
            Err(RunError::Memory { particles, needed, room, most: most.unwrap_or_default() })
        }
        _ => Ok(()),
    }
}

/// How much memory there is: of the machine, or that this process may have, where the system tells.
/// \[bytes\]
pub(super) fn room() -> Option<f64> {
    let [memory, address_space] = limits();
    Some(memory?.min(address_space.unwrap_or(f64::INFINITY)))
}

/// How much memory there is of the machine, or of this process's control group; and how many addresses
/// it may use, if there is a limit. \[bytes\]
pub(super) fn limits() -> [Option<f64>; 2] {
    let about = read_to_string("/proc/meminfo").unwrap_or_default();
    let machine =
        line(&about, "MemTotal:").map(|memory| memory + line(&about, "SwapTotal:").unwrap_or(0.0));
    // Version 2 of control groups, and version 1.
    let groups = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let group =
        groups.iter().find_map(|path| read_to_string(path).ok()?.trim().parse::<f64>().ok());
    let limits = read_to_string("/proc/self/limits").unwrap_or_default();
    let address_space = line(&limits, "Max address space").map(|blocks| blocks / 1024.0);
    let memory = machine.map(|machine| machine.min(group.unwrap_or(f64::INFINITY)));
    [memory, address_space]
}

/// The number behind a label, which is one of kilobytes. \[bytes\]
pub(super) fn line(text: &str, label: &str) -> Option<f64> {
    let behind = text.lines().find_map(|line| line.strip_prefix(label))?;
    Some(1024.0 * behind.split_whitespace().next()?.parse::<f64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_read() {
        let text = "MemTotal:       24684084 kB\nMemFree:  7 kB\n";
        assert_eq!(line(text, "MemTotal:"), Some(24684084.0 * 1024.0));
        assert_eq!(line(text, "SwapTotal:"), None);
        assert_eq!(line("Max address space         unlimited   bytes", "Max address space"), None);
        assert!(room().is_none_or(|bytes| bytes > 1e7));
    }
}
