//! Meshes for tests.

use std::collections::HashMap;

use super::Mesh;
use crate::space::Vector;

/// Vertices and facets.
pub(crate) type Parts<const D: usize> = (Vec<Vector<D>>, Vec<[u32; D]>);

/// The closed mesh of these parts.
pub(crate) fn mesh<const D: usize>((vertices, facets): Parts<D>) -> Mesh<D> {
    Mesh::new(vertices, facets).unwrap_or_else(|error| panic!("{error}"))
}

/// The same parts elsewhere, and larger.
pub(crate) fn placed<const D: usize>(
    (vertices, facets): Parts<D>,
    size: f64,
    at: [f64; D],
) -> Parts<D> {
    (vertices.into_iter().map(|vertex| vertex * size + Vector(at)).collect(), facets)
}

/// The same parts, turned so that nothing is along an axis.
pub(crate) fn turned((vertices, facets): Parts<3>) -> Parts<3> {
    let turn = |v: Vector<3>| {
        let (x, y) = (0.6 * v[0] - 0.8 * v[1], 0.8 * v[0] + 0.6 * v[1]);
        let (x, z) = (0.28 * x - 0.96 * v[2], 0.96 * x + 0.28 * v[2]);
        Vector([x, y, z])
    };
    (vertices.into_iter().map(turn).collect(), facets)
}

pub(crate) fn together<const D: usize>(
    (mut vertices, mut facets): Parts<D>,
    other: Parts<D>,
) -> Parts<D> {
    let first = vertices.len() as u32;
    vertices.extend(other.0);
    facets.extend(other.1.iter().map(|facet| facet.map(|vertex| vertex + first)));
    (vertices, facets)
}

/// The polygon with these corners, counter-clockwise.
pub(crate) fn polygon(corners: &[[f64; 2]]) -> Parts<2> {
    let count = corners.len() as u32;
    (
        corners.iter().map(|&corner| Vector(corner)).collect(),
        (0..count).map(|k| [k, (k + 1) % count]).collect(),
    )
}

/// The corners of an L; the first sees all others.
pub(crate) const L: [[f64; 2]; 6] =
    [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
/// The corners of a square.
pub(crate) const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

/// A star with five points about the origin.
pub(crate) fn star() -> Parts<2> {
    let corner = |k: i32| {
        let (sine, cosine) = libm::sincos(std::f64::consts::PI * 0.2 * f64::from(k));
        let radius = if k % 2 == 0 { 1.0 } else { 0.4 };
        [radius * cosine, radius * sine]
    };
    polygon(&(0..10).map(corner).collect::<Vec<_>>())
}

/// The prism of height 1 over a polygon, counter-clockwise, whose first corner sees all others.
pub(crate) fn prism(corners: &[[f64; 2]]) -> Parts<3> {
    let n = corners.len() as u32;
    let level = |z: f64| corners.iter().map(move |&[x, y]| Vector([x, y, z]));
    let mut facets = Vec::new();
    for k in 1..n - 1 {
        facets.extend([[0, k + 1, k], [n, n + k, n + k + 1]]);
    }
    for k in 0..n {
        let next = (k + 1) % n;
        facets.extend([[k, next, n + next], [k, n + next, n + k]]);
    }
    (level(0.0).chain(level(1.0)).collect(), facets)
}

/// The sphere of radius 1 about the origin: an icosahedron, each triangle cut in four `levels`
/// times.
pub(crate) fn icosphere(levels: usize) -> Parts<3> {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let mut vertices = Vec::new();
    for k in 0..3 {
        for (a, b) in [(-1.0, -golden), (1.0, -golden), (-1.0, golden), (1.0, golden)] {
            let mut place = [0.0; 3];
            (place[k], place[(k + 1) % 3]) = (a, b);
            vertices.push(Vector(place) * (1.0 / Vector(place).norm()));
        }
    }
    let near = |a: usize, b: usize| (vertices[a] - vertices[b]).norm() < 1.1;
    let mut facets = Vec::new();
    for (a, b) in (0..12).flat_map(|a| (a + 1..12).map(move |b| (a, b))) {
        for c in (b + 1..12).filter(|&c| near(a, b) && near(b, c) && near(a, c)) {
            let [p, q, r] = [a, b, c].map(|k| vertices[k].0);
            let turn = p[0] * (q[1] * r[2] - q[2] * r[1])
                + p[1] * (q[2] * r[0] - q[0] * r[2])
                + p[2] * (q[0] * r[1] - q[1] * r[0]);
            facets.push(if turn > 0.0 { [a, b, c] } else { [a, c, b] }.map(|k| k as u32));
        }
    }
    for _ in 0..levels {
        let mut halves = HashMap::new();
        let mut half = |a: u32, b: u32| {
            *halves.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let middle = vertices[a as usize] + vertices[b as usize];
                vertices.push(middle * (1.0 / middle.norm()));
                vertices.len() as u32 - 1
            })
        };
        let cut = |[a, b, c]: [u32; 3]| {
            let [ab, bc, ca] = [half(a, b), half(b, c), half(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        facets = facets.into_iter().flat_map(cut).collect();
    }
    (vertices, facets)
}

/// A needle cut lengthwise: a long box whose sides are slivers `thin` high.
pub(crate) fn needle(thin: f64) -> Parts<3> {
    let (vertices, facets) = prism(&SQUARE);
    (vertices.into_iter().map(|v| Vector([v[0] * thin, v[1] * thin, v[2]])).collect(), facets)
}
