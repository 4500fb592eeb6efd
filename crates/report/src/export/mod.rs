//! Writes what a file holds in the formats of other programs: extended XYZ (OVITO), Simularium,
//! CSV, VTK's PolyData (ParaView), and topologies (GRO, PDB) with which MDAnalysis and VMD read the
//! file itself.
//!
//! One frame is in memory at a time, so that files of any length can be exported, also while a run
//! still writes them. What is written lies beside its place under another name until it is whole.

mod asked;
mod csv;
mod error;
mod folder;
mod graph;
mod names;
mod paraview;
mod scene;
mod simularium;
mod topology;
mod xyz;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

pub use asked::ExportAsked;
pub use error::ExportError;
use jostle_analysis::Reading;
use jostle_analysis::ask::QuestionError;
use jostle_files::{Inputs, check_place, fresh};
use scene::{Moment, Scene};
use topology::{Kind, Topology};

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Extended XYZ: text, a block of lines for each frame. OVITO reads every column of it.
    Xyz,
    /// Simularium's JSON, version 3.
    Simularium,
    /// Simularium's binary form, version 2.
    SimulariumBinary,
    /// Comma-separated values, a row for each particle and frame.
    Csv,
    /// VTK PolyData: a file for each frame, and a collection (.pvd) that names them with their
    /// times; or a single frame (.vtp).
    Vtp,
    /// A topology in GROMACS's format: one frame, with an atom for each slot of the file.
    Gro,
    /// The same in the format of the Protein Data Bank.
    Pdb,
    /// GraphML: one frame, its particles joined by their bonds.
    Graphml,
}

impl Format {
    /// The format that a file name asks for by its ending, if there is one.
    pub fn of_name(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "xyz" | "extxyz" => Some(Self::Xyz),
            "simularium" => Some(Self::Simularium),
            "csv" => Some(Self::Csv),
            "vtp" | "pvd" => Some(Self::Vtp),
            "gro" => Some(Self::Gro),
            "pdb" | "ent" => Some(Self::Pdb),
            "graphml" => Some(Self::Graphml),
            _ => None,
        }
    }

    /// Whether it holds one frame, to be read together with the file itself.
    pub fn is_topology(self) -> bool {
        matches!(self, Self::Gro | Self::Pdb)
    }

    /// The ending of a file of this format, without its dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Xyz => "xyz",
            Self::Simularium | Self::SimulariumBinary => "simularium",
            Self::Csv => "csv",
            Self::Vtp => "pvd",
            Self::Gro => "gro",
            Self::Pdb => "pdb",
            Self::Graphml => "graphml",
        }
    }
}

/// Why a topology has all particles.
const WHOLE: &str = "a topology has an atom for each particle of the file, since the file is the trajectory that \
                     goes with it; choose there (select_atoms in MDAnalysis)";

/// The unit of lengths in extended XYZ, whose readers agree on none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthUnit {
    /// As in the file.
    #[default]
    Nanometre,
    /// As MDAnalysis and VMD take them to be.
    Angstrom,
}

/// What is exported, and how.
pub struct Options<'a> {
    /// Which frames, counted from 0; those that the file does not have are left out.
    pub frames: Range<usize>,
    /// Of these, the first and every so-many-th after it. At least 1.
    pub every: usize,
    /// Names of species: `EGFR` is all its states, `EGFR{bound}` that one. Empty: all particles.
    pub species: Vec<String>,
    /// Whether positions continue beyond periodic faces instead of coming back in on the other
    /// side.
    pub unwrap: bool,
    /// Of extended XYZ; the other formats have units of their own.
    pub length_unit: LengthUnit,
    /// Whether an existing file may be replaced.
    pub force: bool,
    /// Set by somebody who wants it to end; nothing is then left behind.
    pub stop: &'a AtomicBool,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub path: PathBuf,
    /// The folder with its frames, if they are in files of their own.
    pub folder: Option<PathBuf>,
    /// How many frames there are in it.
    pub frames: usize,
    /// How many particles, over all frames.
    pub particles: u64,
    /// What the file does not have and is left out: radii, clusters.
    pub missing: Vec<&'static str>,
    /// The species that a topology calls otherwise: their names, and what its atoms are called.
    pub renamed: Vec<[String; 2]>,
}

/// Writes frames one after the other.
trait Sink {
    fn begin(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn frame(&mut self, moment: &Moment) -> io::Result<()>;
    fn end(&mut self) -> io::Result<()>;
}

/// Writes the chosen part of `reading` to `out`, which gets its name only once all is well.
///
/// # Errors
/// If there is nothing to export, `out` exists and may not be replaced, reading or writing fails,
/// the format cannot hold it, or it is told to stop.
pub fn export(
    reading: &Reading,
    out: &Path,
    format: Format,
    options: &Options<'_>,
) -> Result<Exported, ExportError> {
    let mut scene = Scene::of(reading, options)?;
    if format.is_topology() {
        if !options.species.is_empty() {
            return Err(QuestionError::about("species", WHOLE).into());
        }
        scene.keep_first_frame();
        let first = scene.frames().next().and_then(|frame| reading.boxes().get(frame));
        if first.is_some_and(|vectors| !vectors.is_standard()) {
            return Err(ExportError::asked(format!(
                "{}: the first edge of its box is not along the x axis or the second not in the plane of \
                 x and y, as {} needs it; xyz and vtp hold any box",
                reading.path().display(),
                format.ending()
            )));
        }
    }
    if out.exists() && out.extension().is_some_and(|ending| ending == "h5md") {
        let text =
            "contains the results of a run, which an export never replaces; choose another name";
        return Err(ExportError::asked(format!("{} {text}", out.display())));
    }
    if matches!(format, Format::Simularium | Format::SimulariumBinary) {
        scene.needs_times("Simularium")?;
        if scene.is_sheared() {
            return Err(ExportError::asked(format!(
                "{}: its box is sheared, which Simularium does not know; xyz, vtp, gro and pdb do",
                reading.path().display()
            )));
        }
    }
    let inputs = Inputs::of([reading.path()]);
    check_place(out, &inputs).map_err(|why| ExportError::from(why).at(out))?;
    if out.exists() && !options.force {
        return Err(ExportError::Exists(out.to_owned()));
    }
    let (stop, unit) = (options.stop, options.length_unit);
    if format == Format::Vtp && !paraview::is_single(out) {
        return paraview::collection(&scene, out, options, &inputs);
    }
    let poured = fresh(out, |file| match format {
        Format::Xyz => pour(&scene, xyz::Xyz::new(file, &scene, unit), stop),
        Format::Csv => pour(&scene, csv::Rows::new(file, &scene), stop),
        Format::Simularium => pour(&scene, simularium::Json::new(file, &scene), stop),
        Format::SimulariumBinary => pour(&scene, simularium::Binary::new(file, &scene), stop),
        Format::Vtp => pour(&scene, paraview::Single::new(file, &scene, out)?, stop),
        Format::Graphml => pour(&scene, graph::Graph::new(file, &scene, out)?, stop),
        Format::Gro => pour(&scene, Topology::new(file, &scene, Kind::Gro), stop),
        Format::Pdb => pour(&scene, Topology::new(file, &scene, Kind::Pdb), stop),
    });
    let particles = poured.map_err(|why: ExportError| why.at(out))?;
    let renamed = match format {
        Format::Gro => topology::renamed(&scene, Kind::Gro),
        Format::Pdb => topology::renamed(&scene, Kind::Pdb),
        _ => Vec::new(),
    };
    Ok(Exported { renamed, ..exported(&scene, out, None, particles) })
}

fn exported(scene: &Scene<'_>, out: &Path, folder: Option<PathBuf>, particles: u64) -> Exported {
    let parts = [
        (scene.has_radii(), "radii"),
        (scene.has_clusters(), "clusters"),
        (scene.has_times(), "times"),
    ];
    let missing = parts.into_iter().filter(|(there, _)| !there).map(|(_, what)| what).collect();
    Exported {
        path: out.to_owned(),
        folder,
        frames: scene.frames().len(),
        particles,
        missing,
        renamed: Vec::new(),
    }
}

/// Gives all frames of a scene to a sink; tells how many particles they had.
fn pour(scene: &Scene<'_>, mut sink: impl Sink, stop: &AtomicBool) -> Result<u64, ExportError> {
    let mut particles = 0;
    sink.begin()?;
    for frame in scene.frames() {
        if stop.load(Ordering::Relaxed) {
            return Err(ExportError::Interrupted);
        }
        let moment = scene.moment(frame)?;
        particles += moment.particles.len() as u64;
        sink.frame(&moment)?;
    }
    sink.end()?;
    Ok(particles)
}
