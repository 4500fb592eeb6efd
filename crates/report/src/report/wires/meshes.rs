//! Meshes of triangles as lines: their edges; of many facets the sharp ones, and the lines of equal
//! height.

use std::collections::BTreeMap;

use super::Line;
use jostle_core::space::mesh::Mesh;
use jostle_core::space::{Vector, vector_product};

/// More facets would be a grey blot.
const MOST_FACETS: usize = 400;
/// Edges between facets that are turned by less, as cosine, are not seen at all: 1 degree.
const FLAT: f64 = 0.999_848;
/// Edges between facets that are turned by more, as cosine, are sharp: 25 degrees.
const SHARP: f64 = 0.906_308;
/// How many heights there are along each axis.
const HEIGHTS: usize = 7;
/// The most pieces that are drawn; of more, every second or third, which look like dashes.
const MOST_PIECES: usize = 24_000;

/// A mesh as lines.
pub(super) fn lines(mesh: &Mesh<3>) -> Vec<Line> {
    let few = mesh.facets().len() <= MOST_FACETS;
    let mut lines = edges(mesh, if few { FLAT } else { SHARP });
    if !few {
        (0..3).for_each(|axis| contours(mesh, axis, &mut lines));
    }
    let every = lines.len().div_ceil(MOST_PIECES).max(1);
    lines.into_iter().step_by(every).collect()
}

/// The edges between facets whose normals have a smaller cosine.
fn edges(mesh: &Mesh<3>, cosine: f64) -> Vec<Line> {
    let corner = |n: u32| mesh.vertices()[n as usize];
    let mut normals: BTreeMap<[u32; 2], Vec<Vector<3>>> = BTreeMap::new();
    for facet in mesh.facets() {
        let [a, b, c] = facet.map(corner);
        let normal = vector_product(b - a, c - a);
        let normal = normal * (1.0 / normal.norm().max(f64::MIN_POSITIVE));
        for [from, to] in [[0, 1], [1, 2], [2, 0]].map(|ends| ends.map(|n: usize| facet[n])) {
            normals.entry([from.min(to), from.max(to)]).or_default().push(normal);
        }
    }
    let turned = |normals: &[Vector<3>]| match normals {
        [a, b] => a.dot(*b) < cosine,
        _ => true,
    };
    let shown = normals.into_iter().filter(|(_, normals)| turned(normals));
    shown.map(|(ends, _)| ends.map(|n| corner(n).0).to_vec()).collect()
}

/// Where planes across an axis cut the facets.
fn contours(mesh: &Mesh<3>, axis: usize, lines: &mut Vec<Line>) {
    let [low, high] = mesh.bounds().map(|corner| corner[axis]);
    let step = (high - low) / (HEIGHTS + 1) as f64;
    for facet in mesh.facets() {
        let corners = facet.map(|n| mesh.vertices()[n as usize]);
        for height in (1..=HEIGHTS).map(|n| low + step * n as f64) {
            let cut = [[0, 1], [1, 2], [2, 0]].into_iter().filter_map(|[a, b]| {
                let (a, b) = (corners[a], corners[b]);
                let [above, below] = [a[axis] - height, b[axis] - height];
                // A corner at the height counts as above it, so that two sides are cut, or none.
                ((above >= 0.0) != (below >= 0.0))
                    .then(|| (a + (b - a) * (above / (above - below))).0)
            });
            let cut: Line = cut.collect();
            lines.extend((cut.len() == 2).then_some(cut));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A brick whose sides have so many squares, each of two triangles, along an edge.
    fn brick(squares: u32) -> Mesh<3> {
        let mut numbers = BTreeMap::new();
        let (mut vertices, mut facets) = (Vec::new(), Vec::new());
        for (axis, upper) in (0..3).flat_map(|axis| [(axis, false), (axis, true)]) {
            let mut corner = |u: u32, v: u32| {
                let mut place = [0; 3];
                place[axis] = if upper { squares } else { 0 };
                (place[(axis + 1) % 3], place[(axis + 2) % 3]) = (u, v);
                *numbers.entry(place).or_insert_with(|| {
                    vertices.push(Vector(place.map(f64::from)));
                    vertices.len() as u32 - 1
                })
            };
            for (u, v) in (0..squares).flat_map(|u| (0..squares).map(move |v| (u, v))) {
                let [a, b, c, d] =
                    [corner(u, v), corner(u + 1, v), corner(u + 1, v + 1), corner(u, v + 1)];
                facets.extend(if upper { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
            }
        }
        Mesh::new(vertices, facets).unwrap()
    }

    fn length(lines: &[Line]) -> f64 {
        lines.iter().map(|line| (Vector(line[1]) - Vector(line[0])).norm()).sum()
    }

    #[test]
    fn a_brick_has_twelve_edges_however_it_is_cut_up_and_rings_if_it_is_cut_up_much() {
        for squares in [1, 3] {
            let lines = lines(&brick(squares));
            assert_eq!(lines.len(), 12 * squares as usize);
        }
        // 10 facets to a side along each edge: 1200 facets.
        let found = lines(&brick(10));
        let rings = 3.0 * HEIGHTS as f64 * 40.0;
        assert!((length(&found) - (120.0 + rings)).abs() < 1e-9, "{}", length(&found));
    }
}
