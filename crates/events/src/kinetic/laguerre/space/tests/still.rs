//! Balls at rest: the triangulation as built.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::super::super::tests::scenes::crowd;
use super::super::build::triangulate;
use super::super::frame::Frame;
use super::super::grid::{Sphere, on_grid, orientation, power};
use super::super::mesh::{NONE, TetrahedronMesh};
use super::places::{face_centred, rows};
use jostle_core::space::{Domain, Flight, Flights, Vector};

/// The balls, and the frame of the unit box round them.
fn framed(balls: &[Sphere]) -> Vec<Sphere> {
    let flight = |(position, radius): &Sphere| Flight {
        position: *position,
        velocity: Vector::ZERO,
        since: 0.0,
        radius: *radius,
    };
    let all: Vec<_> = balls.iter().map(flight).collect();
    let domain = Domain::new([1.0; 3], [false; 3]);
    let flights = Flights { domain: &domain, acceleration: Vector::ZERO, all: &all };
    let frame = Frame::around(&flights, 0.0);
    let corners = (0..4).map(|k| (frame.corner(k).position, 0.0));
    balls.iter().copied().chain(corners).collect()
}

fn names(all: &[Sphere]) -> Vec<u32> {
    (0..all.len() as u32).collect()
}

/// The pairs that are joined, without the frame.
fn pairs(mesh: &TetrahedronMesh) -> HashSet<[u32; 2]> {
    let mut pairs = HashSet::new();
    for t in mesh.all() {
        let corners = mesh.corners(t);
        for (k, &a) in corners.iter().enumerate() {
            for &b in &corners[k + 1..] {
                if a.max(b) < mesh.sites() - 4 {
                    pairs.insert([a.min(b), a.max(b)]);
                }
            }
        }
    }
    pairs
}

/// Every tetrahedron is positively oriented and no ball at all comes into its sphere; balls that
/// touch are neighbours; the numbers are those of a ball. By exact arithmetic.
fn assert_right(balls: &[Sphere]) -> HashSet<[u32; 2]> {
    let all = framed(balls);
    let mesh = triangulate(&on_grid(&all), &names(&all));
    mesh.assert_closed(4);
    let spots = on_grid(&all);
    for t in mesh.all() {
        let corners = mesh.corners(t);
        let four = corners.map(|i| &spots[i as usize]);
        assert_eq!(orientation(four), Ordering::Greater, "{corners:?} is no tetrahedron");
        for (i, spot) in (0..).zip(&spots).filter(|(i, _)| !corners.contains(i)) {
            assert_ne!(power(four, spot), Ordering::Less, "{i} is in the sphere of {corners:?}");
        }
    }
    assert!((0..all.len() as u32).all(|i| mesh.at(i) != NONE), "all are there");
    let pairs = pairs(&mesh);
    for (i, a) in (0..).zip(balls) {
        for (j, b) in (0..).zip(balls).take_while(|(j, _)| *j < i) {
            let touch = (a.0 - b.0).norm() <= (a.1 + b.1) * (1.0 + 1e-12);
            assert!(!touch || pairs.contains(&[j, i]), "{i} and {j} touch");
        }
    }
    pairs
}

#[test]
fn no_ball_comes_into_the_sphere_of_a_tetrahedron() {
    for (seed, count) in (0..12).map(|k| (k, 1 + 7 * k as usize)) {
        assert_right(&crowd(seed, count, 1e-3));
    }
}

#[test]
fn lattices_are_triangulated_at_any_angle_and_place() {
    for sides in [[2; 3], [3; 3], [5; 3], [4, 4, 1], [5, 1, 1], [1, 2, 1], [2, 5, 2]] {
        for radius in [0.0, 0.5] {
            let balls = rows(sides, radius);
            assert_right(&balls);
            // Turned and moved, by rounding no lattice any more.
            let turned = |(x, r): &Sphere| {
                let [a, b, c] = x.0;
                (Vector([0.6 * a - 0.8 * b, 0.8 * a + 0.6 * b, c + 0.3]), r * (1.0 - 1e-9))
            };
            assert_right(&balls.iter().map(turned).collect::<Vec<_>>());
        }
    }
    assert_right(&face_centred(3));
}

/// In one plane the pairs are those of a triangulation of the plane, 3 n - 3 - h; on a line, of a
/// chain.
#[test]
fn balls_in_a_plane_or_on_a_line_need_no_third_dimension() {
    let flat: Vec<Sphere> = crowd::<2>(5, 30, 1e-3)
        .iter()
        .map(|(at, radius)| (Vector([at[0], at[1], 0.5]), *radius))
        .collect();
    let pairs = assert_right(&flat).len();
    // The frame has some of the long edges at the hull.
    assert!((3 * 30 - 3 - 30..=3 * 30 - 6).contains(&pairs), "{pairs}");
    for count in 1..12 {
        assert_eq!(assert_right(&rows([count, 1, 1], 0.4)).len(), count - 1);
    }
}

#[test]
fn what_is_covered_is_left_out() {
    let balls = [
        (Vector([0.5; 3]), 0.3),
        (Vector([0.5; 3]), 0.1),
        (Vector([0.5; 3]), 0.3),
        (Vector([0.1; 3]), 0.05),
    ];
    let all = framed(&balls);
    let mesh = triangulate(&on_grid(&all), &names(&all));
    mesh.assert_closed(4);
    let there: Vec<bool> = (0..4).map(|i| mesh.at(i) != NONE).collect();
    assert!(!there[1] && there[3] && there[0] != there[2], "{there:?}");
}
