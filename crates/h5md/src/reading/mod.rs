//! Opens a file and reads parts of it: a file of ours, or the frames of any other H5MD file.

mod boxes;
mod complete;
mod datasets;
mod error;
mod foreign;
mod frames;
mod kinds;
mod layout;
mod listing;
mod molecules;
mod outlines;
mod parameters;
mod potentials;
mod series;
mod sites;
mod start;
mod warnings;

pub use boxes::{BoxVectors, Boxes};
pub use complete::{lost, may_be_written};
pub use datasets::Column;
pub use error::ReadError;
pub use kinds::{named_species_in, species_change, species_in};
pub use molecules::{Molecules, SiteBond};
pub use outlines::{LoggedForce, WallPlace};
pub use parameters::SpeciesData;
pub use potentials::{are_tethered, potentials, virial};
pub use series::{AT_A_TIME, CountRows};
pub use sites::SiteData;
pub(crate) use start::last_frame;
pub use warnings::warnings;

use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use hdf5::{File, OpenMode};
use ndarray::{Array2, Array3};

use crate::contained::{self, Refused};
use crate::locks::open_with;
use crate::record::is_being_written;
use crate::record::schema::{BlockRow, RunRow};
use crate::texts::texts;
use jostle_core::species::MOST_SPECIES;
use jostle_files::is_endless;
use jostle_files::positions::file_and_group;

use complete::Complete;
use kinds::Kinds;
use layout::{Element, Layout, Unfit};

/// Steps that a file may have, the last one not. \[µs\]
const TIMESTEPS: Range<f64> = 1e-30..1e30;
/// How much of a list of frames may be missing in the file. \[bytes\]
const UNWRITTEN_FRAMES: u64 = 1 << 16;

/// How often metadata that make no sense are read again: a run may be writing them at that moment. HDF5
/// waits 1 ns after the first attempt and then twice as long each time, 4 ms in all. With its own
/// number of attempts, 100, it would never return from a file whose end is missing.
const ATTEMPTS: u32 = 22;

/// The first bytes of an HDF5 file.
const SIGNATURE: [u8; 8] = *b"\x89HDF\r\n\x1a\n";

/// An open file. Shows what was in it when it was opened; of a file that is being written, open
/// it again to see more. Times are in µs and lengths in nm.
pub struct Reading {
    path: PathBuf,
    file: File,
    /// Whether a run was writing it; none if there are no locks that would tell.
    claimed: Option<bool>,
    is_ours: bool,
    layout: Layout,
    dimension: usize,
    boxes: Boxes,
    species: Vec<String>,
    kinds: Kinds,
    /// Whether species have names, and not only numbers.
    named: bool,
    /// The identity that slots without a particle have in another program's file, if it says.
    nobody: Option<i64>,
    /// \[µs\]
    timestep: f64,
    creator: String,
    complete: Complete,
}

/// What a frame says of a range of slots. Entries of slots that are empty (`id` -1) mean nothing.
#[derive(Clone, Debug)]
pub struct FrameData {
    /// The identity of the particle in each slot, or -1. \[frame\]\[slot\]
    pub id: Array2<i64>,
    /// The cluster it belongs to. \[frame\]\[slot\]
    pub cluster: Array2<i64>,
    /// How many particles have coalesced into it; 0 for one that is whole from the start.
    /// \[frame\]\[slot\]
    pub coalesced: Array2<i32>,
}

/// Opens an H5MD file: one that a [`crate::record::Recorder`] wrote or is writing, or that of
/// another program, of which the frames can be read. Of several groups of particles, `FILE:GROUP`
/// means one.
///
/// # Errors
/// If the file cannot be opened, is damaged, or holds no frames of H5MD that can be read.
pub fn open(path: &Path) -> Result<Reading, ReadError> {
    let (path, group) = file_and_group(path);
    if is_endless(&path) {
        return Err(ReadError::Open { path, reason: "this is not a regular file".into() });
    }
    // An ordinary reader is refused while the file is being written, and after a killed run. One
    // that reads along is not, but would not notice that a file is cut short.
    let marked = is_marked(&path)?;
    // The HDF5 library lays claim to it in its turn, so this is the time to ask.
    let claimed = if marked { is_being_written(&path) } else { Some(false) };
    let mut modes = [OpenMode::Read, OpenMode::ReadSWMR];
    if marked {
        modes.reverse();
    }
    // Within a process, HDF5 wants a file opened as it is open already: perhaps by a thread that
    // opened it before the run that wrote it ended.
    let file = match open_as(&path, modes[0]) {
        Err(error) if error.to_string().contains("access flag not the same") => {
            open_as(&path, modes[1])
        }
        opened => opened,
    };
    let file = file.map_err(|error| cannot_open(&path, &error.to_string()))?;
    if let Err(Refused { what, reason, is_damaged }) = contained::check(&file) {
        return Err(match is_damaged {
            true => ReadError::Damaged { path, what, reason },
            false => ReadError::Refused { path, what, reason },
        });
    }
    let layout = match layout::find(&file, group.as_deref()) {
        Ok(layout) => layout,
        Err(Unfit::NotH5md(missing)) => return Err(ReadError::NotH5md { path, missing }),
        Err(Unfit::Refused(what, reason)) => {
            return Err(ReadError::Refused { path, what, reason });
        }
        Err(Unfit::Damaged(what, reason)) => {
            return Err(ReadError::Damaged { path, what, reason });
        }
    };
    let mut reading = Reading {
        path,
        creator: creator(&file),
        dimension: layout.shape[2],
        is_ours: file.link_exists("parameters") && file.link_exists("parameters/resolved"),
        file,
        claimed,
        layout,
        boxes: Boxes::Absent,
        species: Vec::new(),
        kinds: Kinds::Ours,
        named: true,
        nobody: None,
        timestep: 0.0,
        complete: Complete::default(),
    };
    if reading.is_ours {
        reading.look()?
    } else {
        reading.look_at_foreign()?
    }
    Ok(reading)
}

fn open_as(path: &Path, mode: OpenMode) -> hdf5::Result<File> {
    open_with(path, |locks| {
        let mut builder = File::with_options();
        builder.with_fapl(|access| access.metadata_read_attempts(ATTEMPTS).file_locking(locks));
        builder.open_as(path, mode)
    })
}

/// The program that wrote a file, with its version.
fn creator(file: &File) -> String {
    let words = |name: &str| {
        let at = file.group("h5md/creator").ok()?;
        texts(&*at.attr(name).ok()?)?.into_iter().next()
    };
    [words("name"), words("version")].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Whether the file is marked as open for writing (HDF5 File Format Specification 3.0, section
/// II.A: byte 11 of the superblock).
fn is_marked(path: &Path) -> Result<bool, ReadError> {
    let refused = |error: std::io::Error| ReadError::Open {
        path: path.to_owned(),
        reason: error.to_string(),
    };
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
    if said.contains("unable to lock file") {
        let reason = "it is in use: a program has it open to write it";
        return ReadError::Open { path, reason: reason.into() };
    }
    ReadError::Damaged { path, what: "the file as a whole".into(), reason: said.to_owned() }
}

impl Reading {
    /// Reads what one of our files is about.
    fn look(&mut self) -> Result<(), ReadError> {
        self.complete = Complete::of(self)?;
        self.dimension = self.scalar::<i32>("parameters/dimension")? as usize;
        self.timestep = self.numbers("parameters/timestep")?.first().map_or(0.0, |ns| ns * 1e-3);
        self.species = self.texts("parameters/species/name")?;
        if self.species.len() > MOST_SPECIES {
            let reason = format!(
                "there are {} of them, but at most {MOST_SPECIES} are read",
                self.species.len()
            );
            return Err(self.damaged("species", &reason));
        }
        let sound = (1..=3).contains(&self.dimension) && TIMESTEPS.contains(&self.timestep);
        if !sound {
            return Err(self.damaged("parameters", "the dimension or the time step makes no sense"));
        }
        // Of a file that is being written, some datasets may be a frame ahead of others.
        let [mut frames, mut slots, _] = self.layout.shape;
        for name in ["image", "id", "cluster", "coalesced"] {
            let shape = self.dataset(&self.in_frames(&format!("{name}/value")))?.shape();
            let [rows, width, ..] = shape[..] else {
                return Err(self.damaged(name, "its shape does not match frames and slots"));
            };
            frames = frames.min(rows);
            slots = slots.min(width);
        }
        for name in ["position/step", "position/time", "box/edges/value"] {
            frames = frames.min(self.length_of_at_most(&self.in_frames(name), UNWRITTEN_FRAMES)?);
        }
        for name in ["species", "radius"] {
            slots = slots.min(self.length(&self.in_frames(name))?);
        }
        let frames = self.complete.frames(frames.min(self.frames_of_outlines()?));
        [self.layout.shape[0], self.layout.shape[1]] = [frames, slots];
        if self.frames() > 0 {
            self.boxes = boxes::of_ours(self);
        }
        Ok(())
    }

    fn in_frames(&self, name: &str) -> String {
        format!("{}/{name}", self.layout.group)
    }

    /// Whether jostle wrote it.
    pub fn is_ours(&self) -> bool {
        self.is_ours
    }

    /// Whether it is the file of a granular run.
    pub fn is_granular(&self) -> bool {
        self.has("parameters/engine")
            && self.text("parameters/engine").is_ok_and(|word| word == "granular")
    }

    /// Whether it is the file of a disk gas.
    pub fn is_gas(&self) -> bool {
        self.has("parameters/engine")
            && self.text("parameters/engine").is_ok_and(|word| word == "gas")
    }

    /// The program that wrote it, with its version; empty if the file does not say.
    pub fn creator(&self) -> &str {
        &self.creator
    }

    /// Whether the file states its units; if not, lengths are taken for nm and times for ns.
    pub fn has_units(&self) -> bool {
        self.layout.units_given
    }

    /// Whether the file says which particles belong together.
    pub fn has_clusters(&self) -> bool {
        self.layout.cluster == Element::Changing
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a run was writing the file when it was opened.
    pub fn is_written(&self) -> bool {
        self.claimed == Some(true)
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.layout.shape[0]
    }

    /// How many slots a frame has, empty ones included.
    pub fn slots(&self) -> usize {
        self.layout.shape[1]
    }

    /// 1, 2 or 3.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// \[µs\]; of another program's file, the time between the first two frames over that in steps,
    /// or 0 if it has no times.
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

    /// The last step that the file knows of: that of the last frame, the last contact or the end of
    /// the last run.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn last_step(&self) -> Result<u64, ReadError> {
        let mut last = self.steps()?.last().copied().unwrap_or(0);
        if self.has("events/contacts_index") {
            let blocks = self.length("events/contacts_index")?;
            let block: Vec<BlockRow> =
                self.column("events/contacts_index", blocks.saturating_sub(1)..blocks)?;
            last = last.max(block.first().map_or(0, |block| block.step.saturating_add(1)));
        }
        if self.has("runs/log") {
            let runs: Vec<RunRow> = self.column("runs/log", 0..self.length("runs/log")?)?;
            last = runs.iter().fold(last, |last, run| last.max(run.step));
        }
        Ok(last.max(0) as u64)
    }

    /// The hash of the state in every frame (see [`jostle_core::state_hash`]).
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn state_hashes(&self) -> Result<Vec<u64>, ReadError> {
        let name = "observables/state_hash/value";
        self.column(name, 0..self.frames().min(self.length(name)?))
    }

    /// The number of particles in the largest cluster of each frame. \[frame\]
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn largest_clusters(&self) -> Result<Vec<i64>, ReadError> {
        let name = "observables/largest_cluster/value";
        self.column(name, 0..self.frames().min(self.length(name)?))
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
        let name = &self.in_frames("box");
        let group = self.file.group(name).map_err(|_| self.lacks(name))?;
        let attribute = group.attr("boundary").ok();
        let words = attribute.as_ref().and_then(|attribute| texts(attribute));
        let words = words.ok_or_else(|| self.lacks(&format!("{name}, attribute boundary")))?;
        Ok(match &words[..] {
            // One word for all axes.
            [word] => vec![word.clone(); 3],
            _ => words,
        })
    }
}
