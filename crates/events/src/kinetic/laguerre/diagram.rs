//! The triangulation and the power diagram of disks at rest, for drawing (Gavrilova and Rokne 2002,
//! Figure 1).

use super::build::triangulate;
use super::mesh::Mesh;
use jostle_core::space::Vector;

/// The triangulation and its dual.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagram {
    /// Pairs of neighbours, by their numbers.
    pub edges: Vec<[u32; 2]>,
    /// Borders between the cells, cut off at the box. \[length\]
    pub borders: Vec<[Vector<2>; 2]>,
    /// How many disks have a cell without end.
    pub hull: usize,
}

/// The triangulation and the power diagram of `disks` (centre, radius) that do not overlap; borders
/// are cut off at the box from `low` to `high`. \[length\]
pub fn diagram(disks: &[(Vector<2>, f64)], low: Vector<2>, high: Vector<2>) -> Diagram {
    let mut diagram = Diagram::default();
    if disks.len() < 2 {
        diagram.hull = disks.len();
        return diagram;
    }
    let mesh = triangulate(disks);
    let mut outer: Vec<u32> =
        mesh.ring(disks.len() as u32).map(|half| mesh.origin(half ^ 1)).collect();
    outer.sort_unstable();
    outer.dedup();
    diagram.hull = outer.len();
    for edge in 0..mesh.edges() {
        let [a, b, ..] = mesh.around(2 * edge);
        if mesh.is_ghost(a) || mesh.is_ghost(b) {
            continue;
        }
        diagram.edges.push([a, b]);
        diagram.borders.extend(border(&mesh, disks, edge, low, high));
    }
    diagram
}

/// The border between the two cells of an edge, within the box.
fn border(
    mesh: &Mesh,
    disks: &[(Vector<2>, f64)],
    edge: u32,
    low: Vector<2>,
    high: Vector<2>,
) -> Option<[Vector<2>; 2]> {
    let [a, b, left, right] = mesh.around(2 * edge);
    let disk = |i: u32| disks[i as usize];
    // Along the border, the left corner's side ahead.
    let along = disk(b).0 - disk(a).0;
    let ahead = Vector([-along[1], along[0]]);
    let foot = radical_foot(disk(a), disk(b));
    let place = |corner: u32, none: f64| match mesh.is_ghost(corner) {
        true => none,
        false => reach(disk(a), disk(corner), foot, ahead).unwrap_or(none),
    };
    let ends = [place(right, f64::NEG_INFINITY), place(left, f64::INFINITY)];
    let [from, to] = clipped(foot, ahead, ends, low, high)?;
    Some([foot + ahead * from, foot + ahead * to])
}

/// Where the line of equal power crosses the line of centres.
fn radical_foot(a: (Vector<2>, f64), b: (Vector<2>, f64)) -> Vector<2> {
    let along = b.0 - a.0;
    // Difference of squares as a product, which loses no digits where radii are nearly equal.
    let part = 0.5 + 0.5 * (a.1 - b.1) * (a.1 + b.1) / along.norm_squared();
    a.0 + along * part
}

/// How many times `ahead` one goes from `foot` until the power of `c` is that of `a`.
fn reach(
    a: (Vector<2>, f64),
    c: (Vector<2>, f64),
    foot: Vector<2>,
    ahead: Vector<2>,
) -> Option<f64> {
    let along = c.0 - a.0;
    let steep = along.dot(ahead);
    let gap = along.dot(radical_foot(a, c) - foot);
    (steep != 0.0).then(|| gap / steep)
}

/// What is inside the box of the part of a line between two multiples of its direction.
fn clipped(
    foot: Vector<2>,
    ahead: Vector<2>,
    [mut from, mut to]: [f64; 2],
    low: Vector<2>,
    high: Vector<2>,
) -> Option<[f64; 2]> {
    for k in 0..2 {
        let [x, y] = [(low[k] - foot[k]) / ahead[k], (high[k] - foot[k]) / ahead[k]];
        if ahead[k] == 0.0 {
            if foot[k] < low[k] || foot[k] > high[k] {
                return None;
            }
            continue;
        }
        from = from.max(x.min(y));
        to = to.min(x.max(y));
    }
    (from < to).then_some([from, to])
}
