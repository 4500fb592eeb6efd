//! Wavefront OBJ: a list of vertices, and faces that name their corners.
//!
//! Of all that such a file may say, the reader is shown vertices and the corners of faces. Faces
//! with more than three corners are cut into triangles that share a corner, one from which all of
//! them face the same side: there is one in every convex polygon, and in many that are not.

use std::cell::Cell;
use std::io::BufReader;
use std::path::Path;

use tobj::{LoadError, LoadOptions, load_obj_buf};

use super::lines::Lines;
use super::{Fault, Welded};
use jostle_core::space::Vector;

/// Faces with more corners are not cut: every corner may have to be tried.
const MOST_CORNERS: usize = 256;

pub(super) fn read(bytes: Vec<u8>) -> Result<Welded, Fault> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
        Fault::at(line as u64, "this is not text (UTF-8)")
    })?;
    let Shown { text, faces, vertices } = Shown::of(&text);
    let line = Cell::new(0);
    let no_materials = |_: &Path| Err(LoadError::OpenFileFailed);
    let mut reader = BufReader::new(Lines::of(text.as_bytes(), &line));
    let (models, _) =
        load_obj_buf(&mut reader, &LoadOptions::default(), no_materials).map_err(|error| {
            let at = if error == LoadError::FaceVertexOutOfBounds {
                stray(&text, vertices)
            } else {
                None
            };
            Fault::at(at.unwrap_or(line.get()), said(error, vertices))
        })?;
    let mut welded = Welded::default();
    let mut lines = faces.into_iter();
    for mesh in models.into_iter().map(|model| model.mesh) {
        let place = |&corner: &u32| [0, 1, 2].map(|k| mesh.positions[3 * corner as usize + k]);
        let mut rest = &mesh.indices[..];
        let count =
            if mesh.face_arities.is_empty() { rest.len() / 3 } else { mesh.face_arities.len() };
        for face in 0..count {
            let (corners, others) =
                rest.split_at(mesh.face_arities.get(face).map_or(3, |&n| n as usize));
            rest = others;
            let corners: Vec<_> = corners.iter().map(place).collect();
            let line = lines.next().unwrap_or(0);
            cut(&corners, &mut welded).map_err(|message| Fault::at(line, message))?;
        }
    }
    Ok(welded)
}

/// What a reader is shown of a file, in the same lines.
struct Shown {
    text: String,
    /// The line of each face, counted from 1.
    faces: Vec<u64>,
    /// How many vertices there are.
    vertices: usize,
}

impl Shown {
    fn of(whole: &str) -> Self {
        let (mut text, mut faces, mut vertices) =
            (String::with_capacity(whole.len()), Vec::new(), 0);
        for (line, number) in whole.lines().zip(1..) {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("v") => {
                    // Three coordinates, or four with a weight; more are a colour.
                    let shown = if words.clone().count() == 4 { 4 } else { 3 };
                    push(&mut text, "v", words.take(shown));
                    vertices += 1;
                }
                Some("f") => {
                    push(
                        &mut text,
                        "f",
                        words.map(|corner| corner.split('/').next().unwrap_or(corner)),
                    );
                    faces.push(number);
                }
                _ => {}
            }
            text.push('\n');
        }
        Self { text, faces, vertices }
    }
}

fn push<'a>(text: &mut String, kind: &str, words: impl Iterator<Item = &'a str>) {
    text.push_str(kind);
    for word in words {
        text.push(' ');
        text.push_str(word);
    }
}

/// The first line with a face that names a vertex which is not there.
fn stray(text: &str, vertices: usize) -> Option<u64> {
    let mut so_far = 0;
    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split_whitespace();
        let kind = words.next();
        so_far += i64::from(kind == Some("v"));
        let is_there =
            |corner: i64| (1..=vertices as i64).contains(&corner) || (-so_far..0).contains(&corner);
        if kind == Some("f") && !words.all(|word| word.parse().is_ok_and(is_there)) {
            return Some(number);
        }
    }
    None
}

/// What the reader says, in our words.
fn said(error: LoadError, vertices: usize) -> String {
    match error {
        LoadError::PositionParseError => "a vertex must be `v x y z`, with three numbers".into(),
        LoadError::FaceParseError => {
            "a face must be `f` and the numbers of its vertices, such as `f 1 2 3` or `f 1/1/1 2/2/2 3/3/3`"
                .into()
        }
        LoadError::FaceVertexOutOfBounds => {
            format!("this face refers to a vertex that does not exist; there are {vertices}, counted from 1")
        }
        other => other.to_string(),
    }
}

/// Cuts a face into triangles that share a corner.
fn cut(corners: &[[f64; 3]], welded: &mut Welded) -> Result<(), String> {
    let n = corners.len();
    if n < 3 {
        return Err(format!("this face has {n} corners; three are needed"));
    }
    if n > MOST_CORNERS {
        return Err(format!(
            "this face has {n} corners; at most {MOST_CORNERS} can be cut into triangles"
        ));
    }
    let fan = |from: usize| (1..n - 1).map(move |k| [0, k, k + 1].map(|j| corners[(from + j) % n]));
    let mut whole = Vector::ZERO;
    fan(0).for_each(|triangle| whole += across(triangle));
    let faces_right = |triangle| n == 3 || across(triangle).dot(whole) > 0.0;
    let Some(from) = (0..n).find(|&from| fan(from).all(faces_right)) else {
        return Err(format!(
            "this face with {n} corners is bent or crosses itself, so it is not clear how to divide it into \
             triangles: export triangles from the program that made it"
        ));
    };
    fan(from).for_each(|triangle| welded.add(triangle));
    Ok(())
}

/// The vector product of two edges of a triangle.
fn across([a, b, c]: [[f64; 3]; 3]) -> Vector<3> {
    let (u, v) = (Vector(b) - Vector(a), Vector(c) - Vector(a));
    Vector::from_fn(|k| u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3])
}
