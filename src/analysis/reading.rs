//! Opens a file and reads parts of it.

use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use hdf5::types::VarLenUnicode;
use hdf5::{Dataset, File, H5Type, OpenMode};
use ndarray::{Array, Array2, Array3, Dimension};

use super::error::ReadError;
use crate::record::is_being_written;

/// The first bytes of an HDF5 file.
const SIGNATURE: [u8; 8] = *b"\x89HDF\r\n\x1a\n";
/// Where the frames are.
const FRAMES: &str = "particles/trajectory";

/// An open file. Shows what was in it when it was opened; of a file that is being written, open
/// it again to see more. Times are in µs and lengths in nm.
pub struct Reading {
    path: PathBuf,
    file: File,
    written_now: bool,
    frames: usize,
    slots: usize,
    dimension: usize,
    edges: [f64; 3],
    species: Vec<String>,
    timestep: f64,
}

/// What a frame says of a range of slots. Entries of slots that are empty (`id` -1) mean nothing.
#[derive(Clone, Debug)]
pub struct FrameData {
    /// The identity of the body in each slot, or -1. \[frame\]\[slot\]
    pub id: Array2<i64>,
    /// The cluster it belongs to. \[frame\]\[slot\]
    pub cluster: Array2<i64>,
    /// How many bodies have coalesced into it; 0 for one that is whole from the start.
    /// \[frame\]\[slot\]
    pub coalesced: Array2<i32>,
}

/// Opens a file that a [`crate::record::Recorder`] wrote or is writing.
///
/// # Errors
/// If the file cannot be opened, is damaged, or is of another kind.
pub fn open(path: &Path) -> Result<Reading, ReadError> {
    let path = path.to_owned();
    // An ordinary reader is refused while the file is being written, and after a killed run. One
    // that reads along is not, but would not notice that a file is cut short.
    let marked = is_marked(&path)?;
    // The HDF5 library lays claim to it in its turn, so this is the time to ask.
    let written_now = marked && is_being_written(&path);
    let mode = if marked { OpenMode::ReadSWMR } else { OpenMode::Read };
    let file = File::open_as(&path, mode).map_err(|error| cannot_open(&path, &error.to_string()))?;
    let mut reading = Reading {
        path,
        file,
        written_now,
        frames: 0,
        slots: 0,
        dimension: 0,
        edges: [0.0; 3],
        species: Vec::new(),
        timestep: 0.0,
    };
    reading.look()?;
    Ok(reading)
}

/// Whether the file is marked as open for writing (HDF5 File Format Specification 3.0, section
/// II.A: byte 11 of the superblock).
fn is_marked(path: &Path) -> Result<bool, ReadError> {
    let refused =
        |error: std::io::Error| ReadError::Open { path: path.to_owned(), reason: error.to_string() };
    let file = std::fs::File::open(path).map_err(refused)?;
    let mut start = Vec::new();
    file.take(12).read_to_end(&mut start).map_err(refused)?;
    if start.get(..8) != Some(&SIGNATURE) {
        return Err(ReadError::NotHdf5 { path: path.to_owned() });
    }
    Ok(start.get(11).is_some_and(|&marks| marks != 0))
}

/// Why HDF5 does not open a file, in words a user can act on.
fn cannot_open(path: &Path, said: &str) -> ReadError {
    let path = path.to_owned();
    if said.contains("truncated file") {
        return ReadError::CutShort { path };
    }
    ReadError::Damaged { path, what: "the file as a whole".into(), reason: said.to_owned() }
}

impl Reading {
    /// Reads what the file is about.
    fn look(&mut self) -> Result<(), ReadError> {
        self.dimension = self.scalar::<i32>("parameters/dimension")? as usize;
        self.timestep = self.numbers("parameters/timestep")?.first().map_or(0.0, |ns| ns * 1e-3);
        self.species = self.texts("parameters/species/name")?;
        let sound = (1..=3).contains(&self.dimension) && self.timestep > 0.0;
        if !sound {
            return Err(self.damaged("parameters", "the dimension or the time step makes no sense"));
        }
        // Of a file that is being written, some datasets may be a frame ahead of others.
        let mut frames = usize::MAX;
        let mut slots = usize::MAX;
        for name in ["position", "image", "id", "cluster", "coalesced"] {
            let shape = self.dataset(&format!("{FRAMES}/{name}/value"))?.shape();
            let [rows, width, ..] = shape[..] else {
                return Err(self.damaged(name, "its shape is not that of frames and slots"));
            };
            frames = frames.min(rows);
            slots = slots.min(width);
        }
        for name in ["position/step", "position/time", "box/edges/value"] {
            frames = frames.min(self.length(&format!("{FRAMES}/{name}"))?);
        }
        self.frames = frames;
        self.slots = slots.min(self.length(&format!("{FRAMES}/species"))?);
        if frames > 0 {
            let edges: Array2<f64> = self.slice(&format!("{FRAMES}/box/edges/value"), (0..1, 0..3))?;
            self.edges = std::array::from_fn(|k| edges[[0, k]]);
        }
        Ok(())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a run was writing the file when it was opened.
    pub fn is_written(&self) -> bool {
        self.written_now
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// How many slots a frame has, empty ones included.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// 1, 2 or 3.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The edges of the box in the first frame \[nm\]; only the first [`Reading::dimension`] are
    /// the model's. Zero if there is no frame.
    pub fn edges(&self) -> [f64; 3] {
        self.edges
    }

    /// \[µs\]
    pub fn timestep(&self) -> f64 {
        self.timestep
    }

    /// The names of the species.
    pub fn species(&self) -> &[String] {
        &self.species
    }

    /// The name of a species, by its number in a table.
    pub fn species_name(&self, number: i64) -> String {
        let name = usize::try_from(number).ok().and_then(|n| self.species.get(n));
        name.cloned().unwrap_or_else(|| format!("species {number}"))
    }

    /// The names of the rules, by their numbers.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn rules(&self) -> Result<Vec<String>, ReadError> {
        self.texts("parameters/rules")
    }

    /// The steps of the frames.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn steps(&self) -> Result<Vec<i64>, ReadError> {
        self.column(&format!("{FRAMES}/position/step"), 0..self.frames)
    }

    /// The times of the frames. \[µs\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn times(&self) -> Result<Vec<f64>, ReadError> {
        let ns: Vec<f64> = self.column(&format!("{FRAMES}/position/time"), 0..self.frames)?;
        Ok(ns.iter().map(|time| time * 1e-3).collect())
    }

    /// The species of the slots. \[slot\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn slot_species(&self) -> Result<Vec<i32>, ReadError> {
        self.column(&format!("{FRAMES}/species"), 0..self.slots)
    }

    /// The hash of the state in every frame (see [`crate::state_hash`]).
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn state_hashes(&self) -> Result<Vec<u64>, ReadError> {
        let name = "observables/state_hash/value";
        self.column(name, 0..self.frames.min(self.length(name)?))
    }

    /// Who is where and belongs to whom, for some frames and slots.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn frame_data(&self, frames: Range<usize>, slots: Range<usize>) -> Result<FrameData, ReadError> {
        let of = |name: &str| format!("{FRAMES}/{name}/value");
        let region = (frames, slots);
        Ok(FrameData {
            id: self.slice(&of("id"), region.clone())?,
            cluster: self.slice(&of("cluster"), region.clone())?,
            coalesced: self.slice(&of("coalesced"), region)?,
        })
    }

    /// Identities and unwrapped positions, for some frames and slots: positions as if the
    /// periodic axes went on for ever. \[frame\]\[slot\]\[axis\], \[nm\]
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn unwrapped(
        &self,
        frames: Range<usize>,
        slots: Range<usize>,
    ) -> Result<(Array2<i64>, Array3<f64>), ReadError> {
        let region = (frames.clone(), slots.clone(), 0..3);
        let id = self.slice(&format!("{FRAMES}/id/value"), (frames, slots))?;
        let mut position: Array3<f64> = self.slice(&format!("{FRAMES}/position/value"), region.clone())?;
        let image: Array3<i32> = self.slice(&format!("{FRAMES}/image/value"), region)?;
        for (at, x) in position.indexed_iter_mut() {
            *x += image[at] as f64 * self.edges[at.2];
        }
        Ok((id, position))
    }

    /// Positions within the box, for some frames and slots. \[frame\]\[slot\]\[axis\], \[nm\]; NaN in
    /// empty slots
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn positions(&self, frames: Range<usize>, slots: Range<usize>) -> Result<Array3<f64>, ReadError> {
        self.slice(&format!("{FRAMES}/position/value"), (frames, slots, 0..3))
    }

    /// The radii of the slots. \[slot\], \[nm\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn slot_radii(&self) -> Result<Vec<f64>, ReadError> {
        self.column(&format!("{FRAMES}/radius"), 0..self.slots.min(self.length(&format!("{FRAMES}/radius"))?))
    }

    /// The number of bodies in the largest cluster of each frame. \[frame\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn largest_clusters(&self) -> Result<Vec<i64>, ReadError> {
        let name = "observables/largest_cluster/value";
        self.column(name, 0..self.frames.min(self.length(name)?))
    }

    /// Whether any frame has a bond.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn has_bonds(&self) -> Result<bool, ReadError> {
        Ok(self.dataset("connectivity/bonds/value")?.shape().get(1).is_some_and(|&width| width > 0))
    }

    /// The bonds of a frame, as pairs of slots.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn bonds(&self, frame: usize) -> Result<Vec<[i32; 2]>, ReadError> {
        let name = "connectivity/bonds/value";
        let width = self.dataset(name)?.shape().get(1).copied().unwrap_or(0);
        let rows: Array3<i32> = self.slice(name, (frame..frame + 1, 0..width, 0..2))?;
        let pairs = (0..width).map(|k| [rows[[0, k, 0]], rows[[0, k, 1]]]);
        Ok(pairs.filter(|pair| pair[0] >= 0).collect())
    }

    /// How many rows a dataset has.
    pub(super) fn length(&self, name: &str) -> Result<usize, ReadError> {
        Ok(self.dataset(name)?.shape().first().copied().unwrap_or(0))
    }

    /// Some rows of a dataset that has one value per row.
    pub(super) fn column<T: H5Type>(&self, name: &str, rows: Range<usize>) -> Result<Vec<T>, ReadError> {
        let values: ndarray::Array1<T> = self.slice(name, rows)?;
        Ok(values.into_iter().collect())
    }

    /// A part of a dataset.
    pub(super) fn slice<T, S, N>(&self, name: &str, selection: S) -> Result<Array<T, N>, ReadError>
    where
        T: H5Type,
        S: Into<hdf5::Selection>,
        N: Dimension,
    {
        let selection: hdf5::Selection = selection.into();
        let read = self.dataset(name)?.read_slice(selection);
        read.map_err(|error| self.damaged(name, &error.to_string()))
    }

    /// All numbers of a small dataset.
    pub(super) fn numbers(&self, name: &str) -> Result<Vec<f64>, ReadError> {
        let read = self.dataset(name)?.read_raw();
        read.map_err(|error| self.damaged(name, &error.to_string()))
    }

    /// The value of a dataset that has one.
    pub(super) fn scalar<T: H5Type>(&self, name: &str) -> Result<T, ReadError> {
        let read = self.dataset(name)?.read_scalar();
        read.map_err(|error| self.damaged(name, &error.to_string()))
    }

    /// The text of a dataset that has one.
    pub(super) fn text(&self, name: &str) -> Result<String, ReadError> {
        Ok(self.scalar::<VarLenUnicode>(name)?.to_string())
    }

    /// A list of texts.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, ReadError> {
        let read = self.dataset(name)?.read_raw::<VarLenUnicode>();
        let texts = read.map_err(|error| self.damaged(name, &error.to_string()))?;
        Ok(texts.iter().map(ToString::to_string).collect())
    }

    /// The model's text, and what it was understood to mean.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn model(&self) -> Result<(String, String), ReadError> {
        Ok((self.text("parameters/model")?, self.text("parameters/resolved")?))
    }

    /// `periodic` or `none` for each axis of the box.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn boundary(&self) -> Result<Vec<String>, ReadError> {
        let name = "particles/trajectory/box";
        let read = self
            .file
            .group(name)
            .and_then(|group| group.attr("boundary"))
            .and_then(|attribute| attribute.read_raw::<VarLenUnicode>());
        let words = read.map_err(|error| self.damaged(name, &error.to_string()))?;
        Ok(words.iter().map(ToString::to_string).collect())
    }

    fn dataset(&self, name: &str) -> Result<Dataset, ReadError> {
        self.file
            .dataset(name)
            .map_err(|_| ReadError::Foreign { path: self.path.clone(), missing: format!("/{name}") })
    }

    pub(super) fn damaged(&self, what: &str, reason: &str) -> ReadError {
        ReadError::Damaged { path: self.path.clone(), what: what.to_owned(), reason: reason.to_owned() }
    }
}
