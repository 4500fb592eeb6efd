//! Seams: where corners that should be one differ in their last digits.
//!
//! A mesh that is closed has two triangles at each edge. Some programs compute the corners of each
//! triangle separately, for example those that turn voxels into surfaces. Their coordinates then differ
//! by rounding, and edges seem open that are not.

use std::collections::{BTreeSet, HashMap};

use super::Welded;
use jostle_core::space::Vector;
use jostle_core::unions::Unions;

/// Corners at open edges are one if they are no farther apart, along each axis, than so many times
/// the rounding of single precision at the largest coordinate.
const ROUNDINGS: f64 = 4.0;

/// What was joined.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seams {
    /// How many vertices became one with another.
    pub vertices: usize,
    /// How far apart the farthest of these were, along one axis, in the unit of the file.
    pub farthest: f64,
}

/// Joins vertices of open edges that are next to each other, and leaves all others as they are.
pub(super) fn join(welded: &mut Welded) -> Seams {
    let vertices = &welded.vertices;
    let largest = vertices.iter().flat_map(|at| at.0).fold(0.0, |most, x| f64::max(most, x.abs()));
    let within = ROUNDINGS * f64::from(f32::EPSILON) * largest;
    let open = at_open_edges(&welded.triangles);
    if open.is_empty() || !(within > 0.0 && within.is_finite()) {
        return Seams::default();
    }
    let cell = |at: Vector<3>| at.0.map(|x| (x / within).floor() as i64);
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut sets = Unions::default();
    sets.clear(vertices.len());
    for &vertex in &open {
        let at = vertices[vertex as usize];
        let here = cell(at);
        for n in 0..27 {
            let next = [here[0] + n % 3 - 1, here[1] + n / 3 % 3 - 1, here[2] + n / 9 - 1];
            for &other in cells.get(&next).into_iter().flatten() {
                if apart(at, vertices[other as usize]) <= within {
                    sets.join(vertex, other);
                }
            }
        }
        cells.entry(here).or_default().push(vertex);
    }
    let mut seams = Seams::default();
    for &vertex in &open {
        let root = sets.root(vertex);
        if root != vertex {
            seams.vertices += 1;
            let distance = apart(vertices[vertex as usize], vertices[root as usize]);
            seams.farthest = seams.farthest.max(distance);
        }
    }
    if seams.vertices > 0 {
        for corners in &mut welded.triangles {
            *corners = corners.map(|vertex| sets.root(vertex));
        }
        welded.triangles.retain(|[a, b, c]| a != b && b != c && c != a);
    }
    seams
}

/// How far apart two places are along the axis where they are farthest.
fn apart(a: Vector<3>, b: Vector<3>) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max)
}

/// The ends of edges that an odd number of triangles have.
fn at_open_edges(triangles: &[[u32; 3]]) -> BTreeSet<u32> {
    let mut odd: HashMap<[u32; 2], bool> = HashMap::new();
    for &[a, b, c] in triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            let is_odd = odd.entry([from.min(to), from.max(to)]).or_default();
            *is_odd = !*is_odd;
        }
    }
    odd.into_iter().filter(|(_, is_odd)| *is_odd).flat_map(|(ends, _)| ends).collect()
}
