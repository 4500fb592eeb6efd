//! Disks at rest: the triangulation as built.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::super::build::triangulate;
use super::super::exact::{Circle, inside, turn};
use super::super::mesh::Mesh;
use super::super::{Diagram, diagram};
use super::scenes::{crowd, hexagonal_lattice, line, square_lattice};
use jostle_core::space::Vector;

const LOW: Vector<2> = Vector([0.0; 2]);
const HIGH: Vector<2> = Vector([1.0; 2]);

/// The triangles without the ghost, each once.
fn triangles(mesh: &Mesh) -> Vec<[u32; 3]> {
    (0..2 * mesh.edges())
        .filter(|&half| mesh.triangle(half).into_iter().all(|other| other >= half))
        .map(|half| mesh.triangle(half).map(|half| mesh.origin(half)))
        .filter(|corners| !corners.iter().any(|&corner| mesh.is_ghost(corner)))
        .collect()
}

/// Every triangle turns left and no disk at all comes into its circle; the hull is convex; disks
/// that touch are neighbours. By exact arithmetic.
fn assert_right(disks: &[Circle]) {
    let mesh = triangulate(disks);
    mesh.assert_closed();
    for corners in triangles(&mesh) {
        let [a, b, c] = corners.map(|i| disks[i as usize]);
        assert_eq!(turn(a.0, b.0, c.0), Ordering::Greater, "{corners:?} turns left");
        for (i, disk) in disks.iter().enumerate().filter(|(i, _)| !corners.contains(&(*i as u32))) {
            assert_ne!(
                inside([a, b, c], *disk),
                Ordering::Greater,
                "{i} is in the circle of {corners:?}"
            );
        }
    }
    let ghost = disks.len() as u32;
    for half in mesh.ring(ghost) {
        let side = mesh.next(half);
        let [b, a] = [side, side ^ 1].map(|half| disks[mesh.origin(half) as usize].0);
        assert!(
            disks.iter().all(|disk| turn(a, b, disk.0) != Ordering::Less),
            "all are left of a hull edge"
        );
    }
    let joined: HashSet<[u32; 2]> =
        (0..2 * mesh.edges()).map(|half| [half, half ^ 1].map(|half| mesh.origin(half))).collect();
    for (i, a) in disks.iter().enumerate() {
        for (j, b) in disks.iter().enumerate().filter(|(j, _)| *j != i) {
            let touch = (a.0 - b.0).norm() <= (a.1 + b.1) * (1.0 + 1e-12);
            assert!(!touch || joined.contains(&[i as u32, j as u32]), "{i} and {j} touch");
        }
    }
}

#[test]
fn no_disk_comes_into_the_circle_of_a_triangle() {
    for (seed, count) in (0..40).map(|k| (k, 3 + 5 * k as usize)) {
        assert_right(&crowd(seed, count, 3e-4));
    }
}

#[test]
fn lattices_are_triangulated_at_any_angle_and_place() {
    for side in 2..=12 {
        for radius in [0.0, 0.3, 0.5] {
            for disks in [square_lattice(side, radius), hexagonal_lattice(side, radius)] {
                assert_right(&disks);
                // Turned and moved, by rounding no lattices any more.
                let turned = |(x, r): &Circle| {
                    (
                        Vector([0.6 * x[0] - 0.8 * x[1] + 1e3, 0.8 * x[0] + 0.6 * x[1]]),
                        r * (1.0 - 1e-9),
                    )
                };
                assert_right(&disks.iter().map(turned).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn disks_on_a_line_make_a_chain() {
    for count in 2..30 {
        for direction in [[1.0, 0.0], [0.0, 1.0], [0.5, 0.25]] {
            let disks = line(count, direction);
            assert_right(&disks);
            let Diagram { edges, borders, hull } = diagram(&disks, LOW, HIGH);
            // The last direction is not exact in every place, so that a few flat triangles come in.
            if direction[0] != 0.5 {
                assert_eq!((edges.len(), borders.len(), hull), (count - 1, count - 1, count));
            }
            assert!(edges.len() >= count - 1);
        }
    }
}

#[test]
fn a_chain_with_one_disk_beside_it_is_a_fan() {
    for count in 3..20 {
        let mut disks = line(count, [1.0, 0.0]);
        disks.push((Vector([0.5, 0.9]), 0.01));
        assert_right(&disks);
        let drawn = diagram(&disks, LOW, HIGH);
        assert_eq!((drawn.edges.len(), drawn.hull), (2 * count - 1, count + 1));
    }
}

#[test]
fn few_disks_have_few_edges() {
    let disks = [([0.2, 0.2], 0.1), ([0.7, 0.3], 0.2), ([0.4, 0.8], 0.05), ([0.45, 0.45], 0.1)];
    let disks = disks.map(|(x, r)| (Vector(x), r));
    for (count, expected) in [(0, (0, 0)), (1, (0, 1)), (2, (1, 2)), (3, (3, 3)), (4, (6, 3))] {
        let drawn = diagram(&disks[..count], LOW, HIGH);
        assert_eq!((drawn.edges.len(), drawn.hull), expected);
    }
}

/// 1000 disks: 3 n - 3 - h edges, and in the middle of each border both disks are at the same
/// Laguerre distance, and no other is nearer.
#[test]
fn borders_of_the_power_diagram_are_where_two_are_nearest() {
    let disks = crowd(77, 1000, 3e-4);
    let Diagram { edges, borders, hull } = diagram(&disks, LOW, HIGH);
    assert_eq!(edges.len(), 3 * disks.len() - 3 - hull);
    let degree = 2.0 * edges.len() as f64 / disks.len() as f64;
    assert!((5.9..5.98).contains(&degree), "{degree}");
    // Those of the long thin triangles at the hull may lie outside the box, but not far outside.
    let wide = diagram(&disks, LOW - Vector([1e9; 2]), HIGH + Vector([1e9; 2]));
    assert_eq!(wide.borders.len(), edges.len());
    assert!(borders.len() <= edges.len());
    let mut met = HashSet::new();
    for [from, to] in &borders {
        let middle = (*from + *to) * 0.5;
        assert!((0..2).all(|k| (-1e-12..=1.0 + 1e-12).contains(&middle[k])));
        let power = |i: usize| (disks[i].0 - middle).norm_squared() - disks[i].1 * disks[i].1;
        let mut order: Vec<usize> = (0..disks.len()).collect();
        order.sort_by(|&i, &j| power(i).total_cmp(&power(j)));
        assert!((power(order[0]) - power(order[1])).abs() < 1e-12);
        met.insert([order[0].min(order[1]) as u32, order[0].max(order[1]) as u32]);
    }
    let edges: HashSet<[u32; 2]> = edges.iter().map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
    let missing = met.iter().filter(|pair| !edges.contains(*pair)).count();
    assert_eq!(missing, 0, "which shares a border is joined");
    assert_eq!(met.len(), borders.len());
}
