//! Frames of a file as arrays.

use std::path::{Path, PathBuf};

use jostle::analysis::{self, ReadError, Reading, species_in};

use numpy::ndarray::{Array2, Axis};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::results::ask_file;

/// The times of the frames of a file in µs (none if it has no times), and their steps.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "a tuple for Python, which names its parts")]
pub(crate) fn moments<'py>(
    py: Python<'py>,
    path: PathBuf,
) -> PyResult<(Option<Bound<'py, PyArray1<f64>>>, Bound<'py, PyArray1<i64>>)> {
    let (times, steps) = ask_file::<_, ReadError>(py, &path, |reading| {
        let times = match reading.times() {
            Err(ReadError::Foreign { .. }) => None,
            times => Some(times?),
        };
        Ok((times, reading.steps()?))
    })?;
    Ok((times.map(|times| times.into_pyarray(py)), steps.into_pyarray(py)))
}

/// The species of each slot of a file, by name.
#[pyfunction]
pub(crate) fn slot_species(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    ask_file::<_, ReadError>(py, &path, |reading| {
        let species = reading.slot_species()?;
        Ok(species.iter().map(|&number| reading.species_name(number.into())).collect())
    })
}

/// A frame of a file. What is asked of it is read from the file, which must not have become another
/// one in the meantime.
#[pyclass(frozen, module = "jostle._jostle")]
pub(crate) struct Frame {
    path: PathBuf,
    /// Counted from 0.
    number: usize,
    step: i64,
    /// \[µs\]
    time: Option<f64>,
    /// The slots that hold particles; none if all do.
    slots: Option<Vec<usize>>,
    /// Of the particles.
    ids: Vec<i64>,
}

#[pymethods]
impl Frame {
    /// The frame of this number, counted from 0.
    #[new]
    fn new(py: Python<'_>, path: PathBuf, number: usize) -> PyResult<Self> {
        let found = ask_file::<_, ReadError>(py, &path, |reading| {
            let frames = reading.frames();
            if number >= frames {
                return Ok(Err(frames));
            }
            let all = reading.identities(number..number + 1, 0..reading.slots())?;
            let all = all.into_raw_vec_and_offset().0;
            let empty = all.iter().any(|&id| id < 0);
            let slots = empty.then(|| (0..all.len()).filter(|&slot| all[slot] >= 0).collect());
            let ids = only(slots.as_deref(), all);
            let times = reading.times().unwrap_or_default();
            Ok(Ok((reading.steps()?[number], times.get(number).copied(), slots, ids)))
        })?;
        let (step, time, slots, ids) = found.map_err(|frames| {
            PyIndexError::new_err(format!("frame {number}: the file has {frames} frames"))
        })?;
        Ok(Self { path, number, step, time, slots, ids })
    }

    #[getter]
    fn number(&self) -> usize {
        self.number
    }

    #[getter]
    fn step(&self) -> i64 {
        self.step
    }

    #[getter]
    fn time_us(&self) -> Option<f64> {
        self.time
    }

    fn __len__(&self) -> usize {
        self.ids.len()
    }

    /// The identities of the particles.
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(py, &self.ids)
    }

    /// Positions within the box, or as if periodic axes had no end. \[nm\]
    fn positions<'py>(
        &self,
        py: Python<'py>,
        unwrapped: bool,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let positions = self.read(py, |reading| {
            let (frames, slots) = (self.number..self.number + 1, 0..reading.slots());
            let positions = match unwrapped {
                true => reading.unwrapped(frames, slots)?.1,
                false => reading.positions(frames, slots)?,
            };
            Ok(self.rows(positions.remove_axis(Axis(0)), reading.dimension()))
        })?;
        Ok(positions.into_pyarray(py))
    }

    /// Velocities, if the file has them. \[nm/ns\]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let velocities = self.read(py, |reading| {
            let velocities = reading.velocities(self.number)?;
            Ok(velocities.map(|velocities| self.rows(velocities, reading.dimension())))
        })?;
        Ok(velocities.map(|velocities| velocities.into_pyarray(py)))
    }

    /// By how much particles with outlines are turned, if the file says so. \[rad\]
    fn orientations<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let angles = self.read(py, |reading| {
            Ok(match reading.has_outlines() {
                true => Some(only(self.slots(), reading.orientations(self.number)?)),
                false => None,
            })
        })?;
        Ok(angles.map(|angles| angles.into_pyarray(py)))
    }

    /// How particles are turned, as quaternions (w, x, y, z), if any site points somewhere.
    fn quaternions<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let quaternions = self.read(py, |reading| {
            let sites = analysis::SiteData::of(reading)?;
            let frame = self.number..self.number + 1;
            let Some(all) = sites.orientations(frame, 0..self.ids.len())? else { return Ok(None) };
            let rows = only(self.slots(), all.into_raw_vec_and_offset().0);
            Ok(Some(Array2::from_shape_fn((rows.len(), 4), |(n, k)| rows[n][k])))
        })?;
        Ok(quaternions.map(|quaternions| quaternions.into_pyarray(py)))
    }

    /// The numbers of the species of the particles, and the names of all species.
    #[allow(clippy::type_complexity)]
    fn species<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray1<i32>>, Vec<String>)> {
        let (numbers, names) = self.read(py, |reading| {
            Ok((only(self.slots(), species_in(reading, self.number)?), reading.species().to_vec()))
        })?;
        Ok((numbers.into_pyarray(py), names))
    }

    /// Radii. \[nm\]
    fn radii<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let radii = self.read(py, |reading| {
            let mut radii = reading.slot_radii()?;
            radii.resize(reading.slots(), f64::NAN);
            Ok(only(self.slots(), radii))
        })?;
        Ok(radii.into_pyarray(py))
    }

    /// The clusters that the particles belong to, and how many particles have coalesced into each.
    #[allow(clippy::type_complexity)]
    fn clusters<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>)> {
        let (cluster, coalesced) = self.read(py, |reading| {
            let data = reading.frame_data(self.number..self.number + 1, 0..reading.slots())?;
            let cluster = only(self.slots(), data.cluster.into_raw_vec_and_offset().0);
            Ok((cluster, only(self.slots(), data.coalesced.into_raw_vec_and_offset().0)))
        })?;
        Ok((cluster.into_pyarray(py), coalesced.into_pyarray(py)))
    }

    /// The bonds, as pairs of places in the other arrays.
    fn bonds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let bonds = self.read(py, |reading| {
            if !(reading.has("connectivity") && reading.has("connectivity/bonds")) {
                return Ok(Array2::zeros((0, 2)));
            }
            let bonds = reading.bonds(self.number)?;
            let place = |slot: i32| match &self.slots {
                Some(slots) => slots.binary_search(&(slot as usize)).ok(),
                None => Some(slot as usize).filter(|&slot| slot < self.ids.len()),
            };
            let places: Option<Vec<i64>> =
                bonds.iter().flatten().map(|&slot| place(slot).map(|place| place as i64)).collect();
            let lost = || reading.damaged("connectivity/bonds", "a bond holds an empty slot");
            let places = places.ok_or_else(lost)?;
            Ok(Array2::from_shape_vec((bonds.len(), 2), places).expect("two ends each"))
        })?;
        Ok(bonds.into_pyarray(py))
    }

    /// The particles of species with sites as molecules in BioNetGen's notation, the others by the
    /// names of their species.
    fn molecules(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.read(py, |reading| {
            let sites = analysis::SiteData::of(reading)?;
            let mut texts = analysis::Molecules::of(&sites, self.number)?.texts();
            let species = species_in(reading, self.number)?;
            let name = |slot: usize| reading.species_name(species[slot].into());
            let text = |slot: usize| texts[slot].take().unwrap_or_else(|| name(slot));
            let all = 0..self.ids.len();
            Ok(match self.slots() {
                Some(slots) => slots.iter().copied().map(text).collect(),
                None => all.map(text).collect(),
            })
        })
    }

    /// The edges of the box, and which of its axes are periodic. \[nm\]
    #[allow(clippy::type_complexity)]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray1<f64>>, Vec<bool>)> {
        let (edges, periodic) = self.read(py, |reading| {
            let dimension = reading.dimension();
            let periodic = match reading.boundary() {
                Ok(words) => {
                    let periodic = words.iter().map(|word| word == "periodic");
                    periodic.take(dimension).collect()
                }
                Err(_) => vec![false; dimension],
            };
            let edges = match reading.boxes().get(self.number).map(|at| at.edges()) {
                Some(Some(edges)) => edges,
                // Says that it is sheared.
                Some(None) => reading.box_edges()?,
                None => [0.0; 3],
            };
            Ok((edges[..dimension].to_vec(), periodic))
        })?;
        Ok((edges.into_pyarray(py), periodic))
    }
}

impl Frame {
    /// Reads something of the frame, if it is still the same.
    fn read<T: Send>(
        &self,
        py: Python<'_>,
        part: impl FnOnce(&Reading) -> Result<T, ReadError> + Send,
    ) -> PyResult<T> {
        ask_file::<_, ReadError>(py, &self.path, |reading| {
            let same = reading.steps()?.get(self.number) == Some(&self.step)
                && reading.slots() >= self.slots().map_or(self.ids.len(), |slots| slots.len());
            match same {
                true => part(reading),
                false => Err(changed(&self.path)),
            }
        })
    }

    fn slots(&self) -> Option<&[usize]> {
        self.slots.as_deref()
    }

    /// The first `width` columns of the rows of slots that hold particles.
    fn rows(&self, all: Array2<f64>, width: usize) -> Array2<f64> {
        let width = width.min(all.ncols());
        match self.slots() {
            None if width == all.ncols() => all,
            None => all.slice(numpy::ndarray::s![.., ..width]).to_owned(),
            Some(slots) => {
                all.select(Axis(0), slots).slice(numpy::ndarray::s![.., ..width]).to_owned()
            }
        }
    }
}

/// Of values by slot, those of the slots that hold particles.
fn only<T: Copy>(slots: Option<&[usize]>, all: Vec<T>) -> Vec<T> {
    match slots {
        None => all,
        Some(slots) => slots.iter().map(|&slot| all[slot]).collect(),
    }
}

fn changed(path: &Path) -> ReadError {
    ReadError::TooLittle {
        path: path.to_owned(),
        reason: "the file has been replaced since the frame was opened; open the frame again"
            .into(),
    }
}
