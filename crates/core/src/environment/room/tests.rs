//! Rooms whose volumes are known.

use std::f64::consts::PI;
use std::sync::Arc;

use super::*;
use crate::narrow::{Ends, Rod};
use crate::space::mesh::samples::{icosphere, mesh, placed, polygon, prism, together, turned};

const EDGES: [f64; 3] = [40.0, 20.0, 20.0];

fn ball(x: f64, radius: f64) -> Form {
    Form::Ball { centre: [x, 10.0, 10.0], radius }
}

fn plane(axis: usize, at: f64) -> Form {
    Form::Plane { axis, at }
}

fn tube(ends: Ends) -> Form {
    let half = if ends == Ends::Round { 3.0 } else { 5.0 };
    Form::Rod { centre: [20.0, 10.0, 10.0], rod: Rod { axis: 0, half, radius: 2.0, ends } }
}

/// The volume of a ball.
fn whole(r: f64) -> f64 {
    4.0 / 3.0 * PI * r * r * r
}

/// The volume of what a plane cuts off a ball.
fn cap(r: f64, height: f64) -> f64 {
    PI * height * height * (r - height / 3.0)
}

/// The area of what a line cuts off a disk.
fn segment(r: f64, height: f64) -> f64 {
    let off = r - height;
    r * r * libm::acos(off / r) - off * (r * r - off * off).sqrt()
}

/// Holds a room to be as large as expected, within 1e-4.
fn holds(sides: &[(&Form, bool)], dimension: usize, edges: [f64; 3], expected: f64) {
    let found = room(sides, dimension, &edges);
    assert!(
        (found - expected).abs() <= 1e-4 * expected,
        "{found} instead of {expected}, off by {:.1e}: {sides:?}",
        found / expected - 1.0
    );
}

#[test]
fn a_plane_cuts_a_ball() {
    let whole_ball = ball(10.0, 5.0);
    for height in [0.01, 0.5, 3.0, 5.0, 6.7, 9.9] {
        for axis in 0..3 {
            let at = [5.0, 5.0, 5.0][axis] + height;
            let cut = plane(axis, at);
            holds(&[(&whole_ball, true), (&cut, false)], 3, EDGES, cap(5.0, height));
            holds(&[(&cut, true), (&whole_ball, true)], 3, EDGES, whole(5.0) - cap(5.0, height));
            let below = EDGES.iter().product::<f64>() / EDGES[axis] * at;
            holds(&[(&cut, false), (&whole_ball, false)], 3, EDGES, below - cap(5.0, height));
        }
    }
    let (floor, bead) = (plane(2, 1.0), Form::Ball { centre: [1.0; 3], radius: 0.8 });
    holds(&[(&floor, false), (&bead, false)], 3, [2.0; 3], 4.0 - 0.5 * whole(0.8));
    // A corner of three planes.
    let corner = [plane(0, 10.0), plane(1, 10.0), plane(2, 10.0)];
    let mut sides: Vec<_> = corner.iter().map(|plane| (plane, true)).collect();
    sides.push((&whole_ball, true));
    holds(&sides, 3, EDGES, whole(5.0) / 8.0);
}

#[test]
fn two_balls_overlap() {
    let (a, b) = (ball(10.0, 5.0), ball(15.0, 5.0));
    let lens = 2.0 * cap(5.0, 2.5);
    holds(&[(&a, true), (&b, true)], 3, EDGES, lens);
    holds(&[(&a, true), (&b, false)], 3, EDGES, whole(5.0) - lens);
    holds(&[(&a, false), (&b, false)], 3, EDGES, 16000.0 - 2.0 * whole(5.0) + lens);
    // Not along an axis, and of two sizes: the heights of the caps follow from the distance.
    let (a, b) = ([9.0, 10.5, 11.0], [12.0, 8.0, 9.3]);
    let apart = (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>().sqrt();
    let (r, s) = (4.0, 3.0);
    let off = (apart * apart + r * r - s * s) / (2.0 * apart);
    let lens = cap(r, r - off) + cap(s, s - (apart - off));
    let (a, b) = (Form::Ball { centre: a, radius: r }, Form::Ball { centre: b, radius: s });
    holds(&[(&a, true), (&b, true)], 3, EDGES, lens);
    holds(&[(&b, true), (&a, false)], 3, EDGES, whole(s) - lens);
}

#[test]
fn planes_cut_rods() {
    for ends in [Ends::Round, Ends::Flat] {
        let rod = tube(ends);
        // From the tip, or the flat end, to the cut at x = 16.
        let end = match ends {
            Ends::Round => cap(2.0, 1.0),
            _ => 4.0 * PI,
        };
        holds(&[(&rod, true), (&plane(0, 16.0), false)], 3, EDGES, end);
        let long = if ends == Ends::Round { 6.0 } else { 10.0 };
        let mut low = segment(2.0, 1.0) * long;
        if ends == Ends::Round {
            low += cap(2.0, 1.0);
        }
        holds(&[(&rod, true), (&plane(2, 9.0), false)], 3, EDGES, low);
        holds(&[(&plane(2, 9.0), false), (&rod, false)], 3, EDGES, 7200.0 - low);
    }
    let low = segment(2.0, 1.0) * 40.0;
    let open = tube(Ends::Open);
    holds(&[(&open, true), (&plane(2, 9.0), false)], 3, EDGES, low);
    // Two crossing rods of one radius share Steinmetz' solid, 16/3 r³.
    let across = Rod { axis: 1, half: 6.0, radius: 2.0, ends: Ends::Flat };
    let across = Form::Rod { centre: [20.0, 10.0, 10.0], rod: across };
    holds(&[(&tube(Ends::Flat), true), (&across, true)], 3, EDGES, 16.0 / 3.0 * 8.0);
}

#[test]
fn in_the_plane_they_are_areas_and_on_a_line_lengths() {
    let disk = Form::Ball { centre: [2.0, 2.0, 0.0], radius: 1.0 };
    holds(&[(&disk, true), (&plane(0, 1.2), false)], 2, [4.0; 3], segment(1.0, 0.2));
    holds(&[(&disk, true), (&plane(1, 1.2), true)], 2, [4.0; 3], PI - segment(1.0, 0.2));
    let other = Form::Ball { centre: [3.0, 2.0, 0.0], radius: 1.0 };
    let lens = 2.0 * segment(1.0, 0.5);
    holds(&[(&disk, false), (&other, false)], 2, [4.0; 3], 16.0 - 2.0 * PI + lens);
    let l =
        mesh(polygon(&[[1.0, 1.0], [3.0, 1.0], [3.0, 2.0], [2.0, 2.0], [2.0, 3.0], [1.0, 3.0]]));
    let l = Form::Outline(Arc::new(l));
    // Of the disk, a quarter is in no arm of the L.
    holds(&[(&disk, true), (&l, true)], 2, [4.0; 3], 0.75 * PI);
    holds(&[(&l, true), (&plane(1, 1.5), false)], 2, [4.0; 3], 1.0);
    let stretch = Form::Ball { centre: [5.0, 0.0, 0.0], radius: 2.0 };
    holds(&[(&stretch, true), (&plane(0, 4.0), false)], 1, [10.0; 3], 1.0);
    holds(&[(&stretch, false), (&plane(0, 4.0), false)], 1, [10.0; 3], 3.0);
}

#[test]
fn a_plane_cuts_a_mesh() {
    let cube =
        mesh(placed(prism(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), 4.0, [8.0; 3]));
    let cube = Form::Solid(Arc::new(cube));
    for axis in 0..3 {
        holds(&[(&cube, true), (&plane(axis, 9.0), false)], 3, EDGES, 16.0);
    }
    let inner = Form::Ball { centre: [8.0; 3], radius: 2.0 };
    holds(&[(&cube, true), (&inner, true)], 3, EDGES, whole(2.0) / 8.0);
    let other = mesh(placed(
        prism(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
        4.0,
        [9.3, 8.7, 10.1],
    ));
    let other = Form::Solid(Arc::new(other));
    holds(&[(&cube, true), (&other, true)], 3, EDGES, 2.7 * 3.3 * 1.9);
    holds(&[(&cube, false), (&other, false)], 3, EDGES, 16000.0 - 128.0 + 2.7 * 3.3 * 1.9);
    // Half of a body that is its own mirror image.
    let body = mesh(placed(icosphere(4), 5.0, [10.0; 3]));
    let half = 0.5 * body.volume();
    let body = Form::Solid(Arc::new(body));
    holds(&[(&body, true), (&plane(2, 10.0), false)], 3, EDGES, half);
    let bead = Form::Ball { centre: [10.0, 13.0, 10.0], radius: 4.5 };
    // Nearly as two balls.
    let off = (9.0 + 25.0 - 4.5 * 4.5) / 6.0;
    let lens = cap(5.0, 5.0 - off) + cap(4.5, 4.5 - (3.0 - off));
    let [both, one] =
        [true, false].map(|inside| room(&[(&body, true), (&bead, inside)], 3, &EDGES));
    assert!((both + one - 2.0 * half).abs() < 1e-4 * half, "{both} + {one} for {}", 2.0 * half);
    assert!((both / lens - 1.0).abs() < 5e-3, "{both} for {lens}");
    holds(&[(&plane(0, 10.0), false), (&body, false)], 3, EDGES, 4000.0 - half);
    let ball = Form::Ball { centre: [10.0; 3], radius: 2.0 };
    // One side of the solid goes through the middle of the ball, the others are clear of it.
    let solid =
        placed(prism(&[[0.0, -0.5], [1.0, -0.5], [1.0, 0.5], [0.0, 0.5]]), 8.0, [0.0, 0.0, -4.0]);
    let solid = mesh(placed(turned(solid), 1.0, [10.0; 3]));
    let solid = Form::Solid(Arc::new(solid));
    holds(&[(&solid, true), (&ball, true)], 3, EDGES, 0.5 * whole(2.0));
    holds(&[(&solid, false), (&ball, true)], 3, EDGES, 0.5 * whole(2.0));
    holds(&[(&solid, true), (&ball, false)], 3, EDGES, 512.0 - 0.5 * whole(2.0));
}

#[test]
fn what_is_not_cut_is_exact() {
    let (cell, nucleus, far) = (ball(12.0, 6.0), ball(12.5, 5.0), ball(30.0, 3.0));
    let exact = |sides: &[(&Form, bool)], expected: f64| {
        let found = room(sides, 3, &EDGES);
        assert!((found - expected).abs() < 1e-12 * 16000.0, "{found} instead of {expected}");
    };
    exact(&[(&cell, true), (&nucleus, false)], whole(6.0) - whole(5.0));
    exact(&[(&cell, true), (&nucleus, true)], whole(5.0));
    exact(&[(&cell, false), (&far, false)], 16000.0 - whole(6.0) - whole(3.0));
    exact(&[(&cell, true), (&plane(0, 20.0), false)], whole(6.0));
    exact(&[(&cell, true), (&far, false)], whole(6.0));
    exact(&[(&cell, true), (&far, true)], 0.0);
    exact(&[(&cell, true), (&plane(0, 20.0), true)], 0.0);
    exact(&[(&nucleus, true), (&cell, false)], 0.0);
    let body = turned(icosphere(3));
    let two = mesh(together(placed(body.clone(), 2.0, [9.0; 3]), placed(body, 1.0, [14.0; 3])));
    let volume = two.volume();
    let two = Form::Solid(Arc::new(two));
    exact(&[(&two, true), (&ball(11.0, 9.0), true)], volume);
    exact(&[(&two, false), (&plane(2, 18.0), false)], 14400.0 - volume);
}
