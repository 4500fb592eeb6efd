//! Reads frames as the player needs them.

use std::collections::HashMap;

use super::super::super::snapshot::GrainContainer;
use super::grid::Grid;
use super::outlines::FilmOutlines;
use super::pack::{Occupant, Still};
use super::sites::FilmSites;
use jostle_analysis::{FrameData, ReadError, Reading};
use jostle_h5md::reading::species_change;

/// Where the frames of a film come from.
pub(super) struct Stills<'a> {
    reading: &'a Reading,
    pub(super) grid: Grid,
    /// \[slot\], \[nm\]
    pub(super) radii: Vec<f64>,
    pub(super) identities: bool,
    pub(super) bonds: bool,
    pub(super) outlines: Option<FilmOutlines>,
    pub(super) sites: Option<FilmSites<'a>>,
    /// What the file lacks, in words.
    pub(super) missing: Vec<String>,
}

impl<'a> Stills<'a> {
    pub(super) fn of(reading: &'a Reading) -> Result<Self, ReadError> {
        let mut missing = Vec::new();
        let periodic = periodic(reading, &mut missing)?;
        let ranges = ranges(reading, periodic)?;
        let radii = radii(reading, &ranges, &mut missing)?;
        let first = 0..reading.frames().min(1);
        let identities = has(
            reading.frame_data(first, 0..reading.slots()),
            "identities and clusters",
            &mut missing,
        )?;
        if reading.boxes().change() || reading.boxes().are_sheared() {
            missing.push("Its box is sheared or changes in time, and is not drawn.".to_owned());
        }
        if species_change(reading) {
            missing.push(
                "The species of its particles change in time, and are not told apart in the player."
                    .to_owned(),
            );
        }
        let bonds = has(reading.has_bonds(), "bonds", &mut missing)?.unwrap_or(false);
        let smallest = radii.iter().copied().filter(|r| *r > 0.0).fold(f64::INFINITY, f64::min);
        let grid = Grid::new(reading.dimension(), ranges, periodic, smallest);
        let outlines = FilmOutlines::of(reading)?;
        let sites = FilmSites::of(reading).unwrap_or_else(|why| {
            missing.push(format!("The sites of particles are not shown: {why}."));
            None
        });
        Ok(Self {
            reading,
            grid,
            radii,
            identities: identities.is_some(),
            bonds,
            outlines,
            sites,
            missing,
        })
    }

    /// A frame. Empty slots keep the places that they had in the frame before.
    pub(super) fn read(&self, frame: usize, before: Option<&Still>) -> Result<Still, ReadError> {
        let (reading, slots) = (self.reading, self.reading.slots());
        let positions = reading.positions(frame..frame + 1, 0..slots)?;
        let which = if self.identities {
            members(&reading.frame_data(frame..frame + 1, 0..slots)?)
        } else {
            let any = |slot: usize| Occupant { id: slot as i64, cluster: slot as i64, size: 1 };
            (0..slots).map(any).collect()
        };
        let mut places = Vec::with_capacity(self.grid.axes * slots);
        for axis in 0..self.grid.axes {
            for (slot, which) in which.iter().enumerate() {
                let former =
                    before.and_then(|still| still.places.get(axis * slots + slot)).copied();
                places.push(match which.id {
                    -1 => former.unwrap_or(0),
                    _ => self.grid.quantise(positions[[0, slot, axis]], axis),
                });
            }
        }
        let mut still = Still { which, places, bonds: self.bonds_of(frame)?, ..Still::default() };
        if let Some(sites) = &self.sites {
            still.turns = sites.turns(frame, &still.which)?;
            still.sites = sites.count();
            still.states = sites.states(frame, &still.which)?;
        }
        if let Some(outlines) = &self.outlines {
            let ids: Vec<i64> = still.which.iter().map(|which| which.id).collect();
            still.angles = FilmOutlines::angles(reading, frame)?;
            still.rest = outlines.rest(reading, frame, &ids)?;
        }
        Ok(still)
    }

    fn bonds_of(&self, frame: usize) -> Result<Vec<[u32; 2]>, ReadError> {
        if !self.bonds {
            return Ok(Vec::new());
        }
        let within =
            |slot: i32| u32::try_from(slot).ok().filter(|&n| (n as usize) < self.reading.slots());
        let pairs = self.reading.bonds(frame)?.into_iter();
        let mut bonds: Vec<[u32; 2]> =
            pairs.filter_map(|[a, b]| Some([within(a)?, within(b)?])).collect();
        bonds.sort_unstable();
        Ok(bonds)
    }
}

/// The particle in each slot, with the size of its cluster. Particles that have coalesced are
/// counted one by one.
fn members(data: &FrameData) -> Vec<Occupant> {
    let mut size_of: HashMap<i64, u64> = HashMap::new();
    let slots = || data.id.iter().zip(&data.cluster);
    for ((&id, &cluster), &coalesced) in slots().zip(&data.coalesced) {
        if id >= 0 {
            *size_of.entry(cluster).or_default() += coalesced.max(1) as u64;
        }
    }
    let which = |(&id, &cluster): (&i64, &i64)| match id {
        0.. => Occupant { id, cluster, size: size_of.get(&cluster).copied().unwrap_or(1) },
        _ => Occupant::default(),
    };
    slots().map(which).collect()
}

/// What another program's file does not have is noted, and is no reason to stop.
fn has<T>(
    read: Result<T, ReadError>,
    what: &str,
    missing: &mut Vec<String>,
) -> Result<Option<T>, ReadError> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(ReadError::Foreign { missing: name, .. }) => {
            missing.push(format!("The file has no {what} ({name}): the player goes without."));
            Ok(None)
        }
        Err(other) => Err(other),
    }
}

fn periodic(reading: &Reading, missing: &mut Vec<String>) -> Result<[bool; 3], ReadError> {
    let words = has(reading.boundary(), "boundary conditions", missing)?.unwrap_or_default();
    let closed = |axis: usize| {
        words.get(axis).is_some_and(|word| word == "periodic") && has_edge(reading, axis)
    };
    Ok(std::array::from_fn(closed))
}

/// Whether the file says how long the box is along an axis.
fn has_edge(reading: &Reading, axis: usize) -> bool {
    let edge = reading.edges()[axis];
    edge.is_finite() && edge > 0.0
}

/// Along each axis the box, wherever it gets that is shaken, or more if particles are outside of it.
fn ranges(reading: &Reading, periodic: [bool; 3]) -> Result<[[f64; 2]; 3], ReadError> {
    let none = [f64::INFINITY, f64::NEG_INFINITY];
    let room = GrainContainer::of(reading)?.map_or([0.0; 3], |container| container.room());
    let edge = |axis: usize| match has_edge(reading, axis) {
        true => [-room[axis], reading.edges()[axis] + room[axis]],
        false => none,
    };
    let mut ranges = std::array::from_fn(edge);
    let open: Vec<usize> = (0..reading.dimension()).filter(|&axis| !periodic[axis]).collect();
    let frames = if open.is_empty() { 0 } else { reading.frames() };
    for frame in 0..frames {
        let positions = reading.positions(frame..frame + 1, 0..reading.slots())?;
        for place in positions.rows() {
            for &axis in open.iter().filter(|&&axis| place[axis].is_finite()) {
                ranges[axis] = [ranges[axis][0].min(place[axis]), ranges[axis][1].max(place[axis])];
            }
        }
    }
    Ok(ranges.map(|[low, high]| if low <= high { [low, high] } else { [0.0, 1.0] }))
}

/// The radii; of a file that has none, a hundredth of the box.
fn radii(
    reading: &Reading,
    ranges: &[[f64; 2]; 3],
    missing: &mut Vec<String>,
) -> Result<Vec<f64>, ReadError> {
    if let Some(radii) = has(reading.slot_radii(), "radii", missing)? {
        return Ok(radii);
    }
    let widths = ranges[..reading.dimension()].iter().map(|[low, high]| high - low);
    let radius = 0.01 * widths.fold(0.0, f64::max);
    missing.push("Particles are drawn as dots of one size, which means nothing.".to_owned());
    Ok(vec![radius; reading.slots()])
}
