//! Triangle meshes, from an STL file (binary or ASCII) or a Wavefront OBJ file.

mod lines;
mod obj;
mod seams;
mod stl;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{named_bytes_of, plain_line, shortened};
use jostle_core::space::Vector;

pub use seams::Seams;

/// A longer file is none: five million triangles. \[bytes\]
const LONGEST_FILE: u64 = 1 << 28;
/// The most characters of a message from a reader, who may quote the file.
const MOST_SHOWN: usize = 160;

/// Vertices and, for each triangle, the numbers of its corners.
pub type Triangles = (Vec<Vector<3>>, Vec<[u32; 3]>);

/// Why a mesh could not be read.
#[derive(Debug, Error)]
#[error("{}: {message}", place(path, *line))]
pub struct MeshFileError {
    /// The file.
    pub path: PathBuf,
    /// The line of a text file, counted from 1, if it is known.
    pub line: Option<u64>,
    /// What was found and what would do.
    pub message: String,
}

fn place(path: &Path, line: Option<u64>) -> String {
    line.map_or_else(|| path.display().to_string(), |line| format!("{}:{line}", path.display()))
}

/// What is wrong, and in which line.
struct Fault {
    line: Option<u64>,
    message: String,
}

impl Fault {
    fn whole(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }

    fn at(line: u64, message: impl AsRef<str>) -> Self {
        let message = shortened(&plain_line(message.as_ref()), MOST_SHOWN).into_owned();
        Self { line: Some(line), message }
    }
}

/// Reads the triangles of a file that ends in `.stl` or `.obj`. Their coordinates, which have no
/// unit in the file, are multiplied by `scale`, axis by axis. Vertices with the same coordinates
/// become one, and so do those at open edges that differ by rounding only; triangles two of whose
/// corners are one are left out. Polygons of an OBJ file are cut into
/// triangles; its normals, textures, groups and materials mean nothing. Several solids of an ASCII
/// STL file are read as one mesh.
///
/// Whether the triangles bound a solid is asked by [`Mesh::new`](jostle_core::space::Mesh::new).
///
/// # Errors
/// If the file cannot be read, is no such file, or has a face that cannot be cut into triangles. It
/// names the line of a text file.
pub fn read_mesh(path: &Path, scale: [f64; 3]) -> Result<(Triangles, Seams), MeshFileError> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let read = || -> Result<Welded, Fault> {
        let read = match extension.as_deref() {
            Some("stl") => stl::read,
            Some("obj") => obj::read,
            _ => {
                return Err(Fault::whole("the name of a mesh file must end in `.stl` or `.obj`"));
            }
        };
        let bytes = named_bytes_of(path, LONGEST_FILE);
        read(bytes.map_err(|error| Fault::whole(format!("cannot be read: {error}")))?)
    };
    match read() {
        Ok(mut welded) => {
            let seams = seams::join(&mut welded);
            let scaled = |at: Vector<3>| Vector([0, 1, 2].map(|k| at[k] * scale[k]));
            let vertices = welded.vertices.into_iter().map(scaled).collect();
            Ok(((vertices, welded.triangles), seams))
        }
        Err(Fault { line, message }) => Err(MeshFileError { path: path.to_owned(), line, message }),
    }
}

/// Triangles whose corners are one vertex where they have the same coordinates.
#[derive(Default)]
struct Welded {
    vertices: Vec<Vector<3>>,
    triangles: Vec<[u32; 3]>,
    numbers: HashMap<[u64; 3], u32>,
}

impl Welded {
    fn add(&mut self, corners: [[f64; 3]; 3]) {
        let [a, b, c] = corners.map(|corner| self.number(corner));
        if a != b && b != c && c != a {
            self.triangles.push([a, b, c]);
        }
    }

    fn number(&mut self, corner: [f64; 3]) -> u32 {
        // Zero has two signs, and is one place.
        let bits = corner.map(|x| (x + 0.0).to_bits());
        *self.numbers.entry(bits).or_insert_with(|| {
            self.vertices.push(Vector(corner));
            self.vertices.len() as u32 - 1
        })
    }
}
