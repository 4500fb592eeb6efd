//! Where surfaces begin and end along an axis: there, lengths and areas of what they bound change
//! in another way.

use super::super::Shape;
use crate::narrow::{Ends, Rod};
use crate::space::Vector;
use crate::space::mesh::Mesh;

/// Adds where what is inside of `shape` begins and ends along `axis`, of all that has the coordinates
/// of `place` along the axes `fixed`. If that is all axes but this one, it is where a line meets the
/// surface. \[nm\]
pub(super) fn ends<const D: usize>(
    shape: &Shape<D>,
    axis: usize,
    fixed: &[usize],
    place: Vector<D>,
    out: &mut Vec<f64>,
) {
    match shape {
        Shape::Plane { axis: across, at } if *across == axis => out.push(*at),
        Shape::Plane { .. } => {}
        Shape::Ball { centre, radius } => {
            let aside: f64 = fixed.iter().map(|&k| square(place[k] - centre[k])).sum();
            let half = (radius * radius - aside).max(0.0).sqrt();
            out.extend([centre[axis] - half, centre[axis] + half]);
        }
        Shape::Rod { centre, rod } => {
            let offsets = fixed.iter().map(|&k| (k, place[k] - centre[k]));
            let halves = reach(rod, axis, offsets);
            out.extend(
                halves.into_iter().flat_map(|half| [centre[axis] - half, centre[axis] + half]),
            );
        }
        Shape::Mesh(mesh) if fixed.len() + 1 == D => out.extend(mesh.cuts_along(axis, place)),
        Shape::Mesh(mesh) => match fixed {
            [across] => cut_edges(mesh, axis, *across, place[*across], out),
            _ => out.extend(mesh.vertices().iter().map(|corner| corner[axis])),
        },
    }
}

/// Adds where along `axis` the edges of a mesh go through the plane at `at` across another. \[nm\]
fn cut_edges<const D: usize>(
    mesh: &Mesh<D>,
    axis: usize,
    across: usize,
    at: f64,
    out: &mut Vec<f64>,
) {
    for facet in mesh.facets() {
        for n in 0..D {
            let [from, to] = [n, (n + 1) % D].map(|n| mesh.vertices()[facet[n] as usize]);
            // Every edge has two facets: from one of them it is seen this way round.
            if from[across] < at && at <= to[across] {
                let part = (at - from[across]) / (to[across] - from[across]);
                out.push(from[axis] + (to[axis] - from[axis]) * part);
            }
        }
    }
}

/// How far a rod goes from its centre along `axis`, at these offsets along other axes; of one with
/// round ends along its own axis, also how far its straight part does. \[nm\]
fn reach(rod: &Rod, axis: usize, offsets: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
    let (mut along, mut aside) = (0.0_f64, 0.0);
    for (k, offset) in offsets {
        match k == rod.axis {
            true => along = offset.abs(),
            false => aside += square(offset),
        }
    }
    let beyond = (along - rod.half).max(0.0);
    // The square of the half width across the rod that is left.
    let left = rod.radius * rod.radius - aside;
    match (axis == rod.axis, rod.ends) {
        (_, Ends::Open | Ends::Flat | Ends::Round) if left < 0.0 => Vec::new(),
        (true, Ends::Open) => Vec::new(),
        (true, Ends::Flat) => vec![rod.half],
        (true, Ends::Round) => vec![rod.half, rod.half + left.sqrt()],
        (false, Ends::Flat) if beyond > 0.0 => Vec::new(),
        (false, Ends::Round) => vec![(left - square(beyond)).max(0.0).sqrt()],
        (false, Ends::Flat | Ends::Open) => vec![left.sqrt()],
    }
}

fn square(x: f64) -> f64 {
    x * x
}
