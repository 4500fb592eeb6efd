//! How much memory a run takes: what engines, search structures and the recorder hold of each
//! particle, and what was measured of whole processes (their peaks), for the forecasts; and whether
//! there is so much.

use std::fs::read_to_string;

use super::error::RunError;
use jostle_brownian::Brownian;
use jostle_core::particles::Particles;
use jostle_core::search::{Cells, EndpointSearch, Kind, LongStep, Verlet};
use jostle_events::gas::Gas;
use jostle_h5md::record::Recorder;
use jostle_model::{EngineModel, Model, Placement, measure};

/// The program with a file that it writes, without particles. Builds for development have more code,
/// since most of it is not optimised. \[bytes\]
pub(super) const PROGRAM: f64 = if cfg!(debug_assertions) { 40e6 } else { 24e6 };

/// The most memory that this process has had until now; 0 where the system does not tell. \[bytes\]
pub(super) fn peak() -> f64 {
    let status = read_to_string("/proc/self/status").unwrap_or_default();
    line(&status, "VmHWM:").unwrap_or(0.0)
}

/// The HDF5 library keeps at most so much of each table of a log in memory. \[bytes\]
const CACHE: f64 = 8.0 * 1024.0 * 1024.0;

/// What stays in memory of a log of so many bytes. \[bytes\]
pub(super) fn cached(log: f64) -> f64 {
    log.min(CACHE)
}

/// What a frame of so many bytes takes while another thread writes it, which may be when the next
/// one is gathered. \[bytes\]
pub(super) fn under_way(frame: f64) -> f64 {
    if frame < Recorder::<3>::TOO_MUCH as f64 { frame } else { 0.0 }
}

/// The same, of so many particles in flight. \[bytes\]
pub(super) fn flown(model: &Model, particles: f64) -> f64 {
    let coordinate = if model.output.single_precision { 4.0 } else { 8.0 };
    // Places, velocities, identities, clusters, images.
    under_way((3.0 * coordinate + 3.0 * coordinate + 8.0 + 8.0 + 12.0) * particles)
}

/// Of a particle in Brownian motion, with what its search structure and the frame to be written hold
/// of it. \[bytes\]
///
/// That is the sum of their arrays, by the types of the entries: the peak of a process comes when a
/// frame is gathered, and all arrays are in use then. Peaks of 1e4 to 4e5 particles in one to three
/// dimensions, as measured, are up to 1.15 times as high.
pub(super) fn per_particle(model: &Model, search: Kind) -> f64 {
    match model.space.dimension {
        1 => moving::<1>(model, search),
        2 => moving::<2>(model, search),
        _ => moving::<3>(model, search),
    }
}

fn moving<const D: usize>(model: &Model, search: Kind) -> f64 {
    let held = (Brownian::<D>::EACH + Recorder::<D>::EACH) as f64;
    if measure::meeting(model).is_none() {
        return held;
    }
    let packing = measure::packing_fraction(model);
    held + match search {
        // Whatever it settles on, it has tried lists.
        Kind::Auto | Kind::Verlet => {
            Verlet::<D>::EACH as f64 + Verlet::<D>::EACH_PAIR as f64 * within_skins(packing, D)
        }
        Kind::Endpoints => EndpointSearch::<D>::EACH as f64 + sorting(packing, D),
        Kind::LongStep => LongStep::<D>::EACH as f64,
        Kind::Naive | Kind::Cubic | Kind::Slices | Kind::Levels => Cells::<D>::EACH as f64,
    }
}

/// How far skins reach, in diameters, where particles are so dense that their pairs count: as
/// measured of packing fractions of 0.2 and 0.4 in two and three dimensions.
const SKIN: f64 = 1.8;

/// Pairs within the skins for each particle, if particles lie as in an ideal gas: half as many as have
/// their centres within `SKIN` diameters of its own.
fn within_skins(packing: f64, dimension: usize) -> f64 {
    0.5 * packing * (2.0 * SKIN).powi(dimension as i32)
}

/// What sorting endpoints needs in addition: the lanes of the first sweep, lists that outgrow their place,
/// and the pieces that these leave behind. As measured of 1e5 to 4e5 particles, which scatter by a
/// quarter, as memory that one thread has freed is not used by another. \[bytes\]
fn sorting(packing: f64, dimension: usize) -> f64 {
    match dimension {
        1 => 0.0,
        2 => 90.0,
        _ => 60.0 + 1000.0 * packing,
    }
}

/// Of a disk that moves in steps and collides after the move. \[bytes\]
pub(super) fn per_disk() -> f64 {
    (Gas::EACH + Recorder::<2>::EACH) as f64
}

/// Of a particle in flight, beside what its engine says it takes: the state that others see, and the
/// frame to be written. \[bytes\]
pub(super) fn per_flight<const D: usize>() -> f64 {
    (Particles::<D>::EACH + Recorder::<D>::EACH) as f64
}

/// Of a polygon, without its corners: somewhat more than measured with 1e5 particles that hardly
/// touch. \[bytes\]
pub(super) const PER_POLYGON: f64 = 950.0;

/// Forecasts are no farther off.
const ERROR: f64 = 1.2;

/// Refuses a model whose particles do not fit into the memory that there is, before any of it is
/// asked for.
pub(super) fn check_room(model: &Model) -> Result<(), RunError> {
    let particles: usize = model.placement.iter().map(Placement::count).sum();
    let each = match &model.engine {
        EngineModel::Brownian(brownian) => per_particle(model, brownian.search.kind),
        // And their engine, which takes as much at least.
        EngineModel::Granular(_) | EngineModel::Gas(_) => 2.0 * per_flight::<2>(),
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
