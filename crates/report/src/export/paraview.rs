//! VTK's XML PolyData, with the numbers as raw bytes behind the XML
//! (<https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html>).

use std::io::{self, Write};
use std::path::Path;

use super::folder::FreshFolder;
use super::scene::{Moment, Particle, Scene};
use super::{ExportError, Exported, Options, Sink, exported, pour};
use jostle_analysis::WallPlace;
use jostle_files::{Inputs, fresh, markup};
use jostle_h5md::reading::BoxVectors;
use jostle_h5md::record::{Shape, ShapeKind};

/// Whether a name asks for a file that holds one frame, and not for a collection.
pub(super) fn is_single(out: &Path) -> bool {
    out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("vtp"))
}

/// Writes a folder of frames, and a collection that names them.
pub(super) fn collection(
    scene: &Scene<'_>,
    out: &Path,
    options: &Options<'_>,
    inputs: &Inputs,
) -> Result<Exported, ExportError> {
    let place = out.with_extension("frames");
    let folder = FreshFolder::beside(&place, "vtp", options.force, inputs)?;
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let poured = fresh(out, |list| {
        let series = FrameSeries { list, folder: folder.path(), name, scene };
        let particles = pour(scene, series, options.stop)?;
        folder.keep()?;
        Ok(particles)
    });
    let particles = poured.map_err(|why: ExportError| why.at(out))?;
    Ok(exported(scene, out, Some(place), particles))
}

pub(super) struct Single<'a, W> {
    out: W,
    scene: &'a Scene<'a>,
}

impl<'a, W: Write> Single<'a, W> {
    /// Refuses more than one frame.
    pub(super) fn new(out: W, scene: &'a Scene<'a>, path: &Path) -> Result<Self, ExportError> {
        match scene.frames().len() {
            1 => Ok(Self { out, scene }),
            frames => Err(ExportError::one_frame(format!(
                "{} can hold one frame, but {frames} are requested: choose one, or write a collection, {}",
                path.display(),
                path.with_extension("pvd").display()
            ))),
        }
    }
}

impl<W: Write> Sink for Single<'_, W> {
    fn frame(&mut self, moment: &Moment) -> io::Result<()> {
        write_frame(&mut self.out, self.scene, moment)
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A file for each frame, and the list of them.
struct FrameSeries<'a, W> {
    list: W,
    folder: &'a Path,
    /// What the folder will be called.
    name: String,
    scene: &'a Scene<'a>,
}

impl<W: Write> Sink for FrameSeries<'_, W> {
    fn begin(&mut self) -> io::Result<()> {
        writeln!(self.list, "<?xml version=\"1.0\"?>")?;
        writeln!(
            self.list,
            "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">"
        )?;
        writeln!(self.list, "  <Collection>")
    }

    fn frame(&mut self, moment: &Moment) -> io::Result<()> {
        let file = format!("frame_{:06}.vtp", moment.frame);
        let path = self.folder.join(&file);
        let mut out = io::BufWriter::new(std::fs::File::create(path)?);
        write_frame(&mut out, self.scene, moment)?;
        out.flush()?;
        // Without times, frames are counted.
        let time = moment.time.unwrap_or(moment.frame as f64);
        let folder = markup(&self.name);
        writeln!(
            self.list,
            "    <DataSet timestep=\"{time}\" part=\"0\" file=\"{folder}/{file}\"/>"
        )
    }

    fn end(&mut self) -> io::Result<()> {
        writeln!(self.list, "  </Collection>\n</VTKFile>")?;
        self.list.flush()
    }
}

/// The bytes of arrays, each behind its length.
#[derive(Default)]
struct Arrays {
    bytes: Vec<u8>,
}

impl Arrays {
    /// Takes in an array; returns what the XML says of it. `shape` is the attribute that tells its
    /// shape.
    fn add<const N: usize>(
        &mut self,
        kind: &str,
        name: &str,
        shape: &str,
        numbers: impl Iterator<Item = [u8; N]>,
    ) -> String {
        let offset = self.bytes.len();
        self.bytes.extend([0; 8]);
        self.bytes.extend(numbers.flatten());
        let length = (self.bytes.len() - offset - 8) as u64;
        self.bytes[offset..offset + 8].copy_from_slice(&length.to_le_bytes());
        let element = if kind == "String" { "Array" } else { "DataArray" };
        format!(
            "<{element} type=\"{kind}\" Name=\"{name}\" {shape} format=\"appended\" offset=\"{offset}\"/>\n"
        )
    }

    fn floats(&mut self, name: &str, shape: &str, numbers: impl Iterator<Item = f64>) -> String {
        self.add("Float64", name, shape, numbers.map(f64::to_le_bytes))
    }

    fn integers(&mut self, name: &str, numbers: impl Iterator<Item = i64>) -> String {
        self.add("Int64", name, "NumberOfComponents=\"1\"", numbers.map(i64::to_le_bytes))
    }

    /// Cells that join `size` points each.
    fn cells(&mut self, points: &[usize], size: usize) -> String {
        let ends = (1..=points.len() / size).map(|n| (n * size) as i64);
        let joined = self.integers("connectivity", points.iter().map(|&point| point as i64));
        format!("{joined}{}", self.integers("offsets", ends))
    }
}

/// Writes a frame: particles are points, bonds are lines. A bond through a periodic face has no
/// line, since that would cross the whole box.
fn write_frame(out: &mut impl Write, scene: &Scene<'_>, moment: &Moment) -> io::Result<()> {
    if let Some(shapes) = scene.shapes() {
        return write_outlines(out, scene, moment, shapes);
    }
    let particles = &moment.particles;
    let bonds: Vec<usize> = moment
        .bonds
        .iter()
        .filter(|[a, b]| {
            let there = scene.between(&particles[*a], &particles[*b]);
            there == scene.across(moment, [*a, *b])
        })
        .flatten()
        .copied()
        .collect();
    let mut arrays = Arrays::default();
    let field = field_data(&mut arrays, scene, moment);
    let data = point_data(&mut arrays, scene, moment);
    let places = particles.iter().flat_map(|particle| particle.position);
    let points = arrays.floats("Points", "NumberOfComponents=\"3\"", places);
    let verts = arrays.cells(&Vec::from_iter(0..particles.len()), 1);
    let lines = arrays.cells(&bonds, 2);
    write!(
        out,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <PolyData>\n\
         <FieldData>\n{field}</FieldData>\n\
         <Piece NumberOfPoints=\"{0}\" NumberOfVerts=\"{0}\" NumberOfLines=\"{1}\" NumberOfStrips=\"0\" \
         NumberOfPolys=\"0\">\n\
         <PointData Scalars=\"species\">\n{2}</PointData>\n\
         <Points>\n{points}</Points>\n<Verts>\n{verts}</Verts>\n<Lines>\n{lines}</Lines>\n\
         </Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_",
        particles.len(),
        bonds.len() / 2,
        data,
    )?;
    out.write_all(&arrays.bytes)?;
    writeln!(out, "\n</AppendedData>\n</VTKFile>")
}

/// The corners of what is round.
const ROUND: usize = 48;

/// A polygon of a frame: a particle, or a wall.
struct Cell {
    corners: Vec<[f64; 2]>,
    /// Identity and species; of walls -1 less their number, and -1.
    which: [i64; 2],
    shape: usize,
    angle: f64,
}

impl Cell {
    fn new(shapes: &[Shape], shape: usize, angle: f64, at: [f64; 2], which: [i64; 2]) -> Self {
        let turn = |n: usize| std::f64::consts::TAU * n as f64 / ROUND as f64;
        let Shape { kind, corners, semi_axes: [a, b] } = &shapes[shape];
        let corners = match kind {
            ShapeKind::Polygon => corners.clone(),
            _ => (0..ROUND).map(|n| [a * libm::cos(turn(n)), b * libm::sin(turn(n))]).collect(),
        };
        let (s, c) = (libm::sin(angle), libm::cos(angle));
        let placed = |&[x, y]: &[f64; 2]| [at[0] + c * x - s * y, at[1] + s * x + c * y];
        Self { corners: corners.iter().map(placed).collect(), which, shape, angle }
    }
}

/// Writes a frame of particles with outlines: particles and walls are polygons, as cells with their
/// data.
fn write_outlines(
    out: &mut impl Write,
    scene: &Scene<'_>,
    moment: &Moment,
    shapes: &[Shape],
) -> io::Result<()> {
    let particle = |particle: &Particle| {
        let at = [particle.position[0], particle.position[1]];
        Cell::new(
            shapes,
            particle.shape,
            particle.angle,
            at,
            [particle.id, particle.species as i64],
        )
    };
    let wall = |&(n, shape, place): &(usize, usize, WallPlace)| {
        Cell::new(shapes, shape, place.angle, place.position, [-1 - n as i64, -1])
    };
    let cells: Vec<Cell> =
        moment.particles.iter().map(particle).chain(moment.walls.iter().map(wall)).collect();
    let mut arrays = Arrays::default();
    let field = field_data(&mut arrays, scene, moment);
    let data = [
        arrays.integers("id", cells.iter().map(|cell| cell.which[0])),
        arrays.integers("species", cells.iter().map(|cell| cell.which[1])),
        arrays.integers("shape", cells.iter().map(|cell| cell.shape as i64)),
        arrays.floats("angle", "NumberOfComponents=\"1\"", cells.iter().map(|cell| cell.angle)),
    ];
    let corners = || cells.iter().flat_map(|cell| &cell.corners);
    let places = corners().flat_map(|&[x, y]| [x, y, 0.0]);
    let points = arrays.floats("Points", "NumberOfComponents=\"3\"", places);
    let count = corners().count();
    let mut end = 0;
    let ends = cells.iter().map(|cell| {
        end += cell.corners.len() as i64;
        end
    });
    let joined = arrays.integers("connectivity", 0..count as i64);
    let ends = arrays.integers("offsets", ends);
    write!(
        out,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <PolyData>\n\
         <FieldData>\n{field}</FieldData>\n\
         <Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" \
         NumberOfPolys=\"{}\">\n\
         <CellData Scalars=\"species\">\n{}</CellData>\n\
         <Points>\n{points}</Points>\n<Polys>\n{joined}{ends}</Polys>\n\
         </Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_",
        cells.len(),
        data.concat(),
    )?;
    out.write_all(&arrays.bytes)?;
    writeln!(out, "\n</AppendedData>\n</VTKFile>")
}

/// What is said of each particle.
fn point_data(arrays: &mut Arrays, scene: &Scene<'_>, moment: &Moment) -> String {
    let particles = &moment.particles;
    let one = "NumberOfComponents=\"1\"";
    let mut data = vec![
        arrays.integers("id", particles.iter().map(|particle| particle.id)),
        arrays.integers("species", particles.iter().map(|particle| particle.species as i64)),
    ];
    if scene.has_radii() {
        data.push(arrays.floats("radius", one, particles.iter().map(|particle| particle.radius)));
    }
    if scene.has_directions() {
        // The real part first, as glyphs take quaternions.
        let quaternions = particles.iter().flat_map(|particle| particle.quaternion.map(f64::from));
        data.push(arrays.floats("orientation", "NumberOfComponents=\"4\"", quaternions));
        for site in scene.directed_sites() {
            let vectors = particles.iter().flat_map(|particle| scene.direction(particle, site));
            let name = format!("direction_{}", markup(site));
            data.push(arrays.floats(&name, "NumberOfComponents=\"3\"", vectors));
        }
    }
    if scene.has_clusters() {
        data.push(arrays.integers("cluster", particles.iter().map(|particle| particle.cluster)));
        data.push(arrays.integers(
            "cluster_size",
            particles.iter().map(|particle| particle.cluster_size as i64),
        ));
    }
    if scene.has_sites() {
        let texts = moment.molecules.iter().flat_map(|text| text.bytes().chain([0]));
        data.push(arrays.add("String", "molecule", one, texts.map(|byte| [byte])));
    }
    data.concat()
}

/// What is said of the frame as a whole: its time \[µs\] and step, the box \[nm\] (its edges, or
/// vectors along them if it is sheared), and the names of
/// the species by their numbers.
fn field_data(arrays: &mut Arrays, scene: &Scene<'_>, moment: &Moment) -> String {
    let one = "NumberOfTuples=\"1\"";
    let names = scene.species.iter().flat_map(|name| name.whole.bytes().chain([0]));
    let count = format!("NumberOfTuples=\"{}\"", scene.species.len());
    let time = moment.time.map(|time| arrays.floats("TimeValue", one, std::iter::once(time)));
    // The box of a file without one has edges of length 0.
    let vectors = moment.vectors.unwrap_or(BoxVectors::upright([0.0; 3]));
    let edges = match vectors.edges() {
        Some(edges) => arrays.floats("box_edges", "NumberOfTuples=\"3\"", edges.into_iter()),
        None => {
            let shape = "NumberOfComponents=\"3\" NumberOfTuples=\"3\"";
            arrays.floats("box_vectors", shape, vectors.0.into_iter().flatten())
        }
    };
    [
        time.unwrap_or_default(),
        arrays.add("Int64", "step", one, std::iter::once(moment.step.to_le_bytes())),
        edges,
        arrays.add("String", "species_names", &count, names.map(|byte| [byte])),
    ]
    .concat()
}
