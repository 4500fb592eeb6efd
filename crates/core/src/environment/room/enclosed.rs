//! A part of the box that surfaces bound, measured by lengths along lines.

use std::sync::Arc;

use super::super::{Form, Shape};
use super::ends::ends;
use super::facets;
use super::integral::integral;
use crate::space::mesh::Mesh;
use crate::space::{Domain, Vector};

/// How far off an integral may be at first, and in the end. \[largest possible room, room\]
const TOLERANCE: [f64; 2] = [1e-2, 3e-5];
/// Between so many corners, lengths are integrated from bend to bend; with more of them, a mesh is
/// fine, and its facets are summed over.
const FEW: usize = 64;

/// Whether a mesh has so many facets that these are small.
pub(super) fn is_fine<const D: usize>(mesh: &Mesh<D>) -> bool {
    mesh.vertices().len() > FEW
}

/// A part of the box, bounded by surfaces.
pub(super) struct Enclosed<const D: usize> {
    /// Each closed surface with whether the part is inside of it.
    pub(super) closed: Vec<(Shape<D>, bool)>,
    /// A fine mesh whose inside it is in, if there is one.
    mesh: Option<Arc<Mesh<D>>>,
    /// A box around the part, between its planes. \[nm\]
    pub(super) bounds: [[f64; 2]; D],
    /// For the signs of surfaces: since these lie within the box, none of its faces has to be
    /// periodic.
    domain: Domain<D>,
}

impl<const D: usize> Enclosed<D> {
    /// The part on these sides of surfaces, each with whether it is the inner one, as it is of all
    /// fine meshes.
    pub(super) fn of(sides: &[(&Form, bool)], edges: &[f64; 3]) -> Self {
        let edges = std::array::from_fn(|k| edges[k]);
        let (mut closed, mut mesh) = (Vec::new(), None);
        let mut bounds = edges.map(|edge| [0.0, edge]);
        for (form, inside) in sides {
            let shape = form.shape();
            for (k, [low, high]) in bounds.iter_mut().enumerate() {
                let around = match (&shape, *inside) {
                    (Shape::Plane { axis, at }, true) if *axis == k => Some([*at, *high]),
                    (Shape::Plane { axis, at }, false) if *axis == k => Some([*low, *at]),
                    (closed, true) => closed.bounds(k),
                    (_, false) => None,
                };
                let [from, to] = around.unwrap_or([*low, *high]);
                (*low, *high) = (low.max(from), high.min(to));
            }
            match shape {
                Shape::Plane { .. } => {}
                Shape::Mesh(fine) if *inside && mesh.is_none() && is_fine(&fine) => {
                    mesh = Some(fine)
                }
                shape => closed.push((shape, *inside)),
            }
        }
        Self { closed, mesh, bounds, domain: Domain::new(edges, [false; D]) }
    }

    /// How much of it there is. \[nm^D\]
    pub(super) fn room(&self) -> f64 {
        let around = self.bounds.iter().map(|[low, high]| (high - low).max(0.0)).product();
        if self.closed.is_empty() && self.mesh.is_none() {
            return around;
        }
        // The longest axis last: where a plane cuts a thin slice off a solid, lengths along the
        // slice change smoothly from one line to the next.
        let mut axes = std::array::from_fn(|k| k);
        axes.sort_by(|&a, &b| {
            let length = |k: usize| self.bounds[k][1] - self.bounds[k][0];
            length(a).total_cmp(&length(b))
        });
        let mut found = around;
        for tolerance in TOLERANCE {
            if found.is_nan() || found <= 0.0 {
                return 0.0;
            }
            found = match &self.mesh {
                Some(mesh) => facets::within(mesh, self, tolerance * found),
                None => self.measured(&axes, 0, Vector::ZERO, tolerance * found),
            };
        }
        found
    }

    /// What of it has the coordinates of `place` along the first `fixed` of the axes: a volume, an
    /// area or a length.
    fn measured(&self, axes: &[usize; D], fixed: usize, place: Vector<D>, tolerance: f64) -> f64 {
        let axis = axes[fixed];
        if fixed + 1 == D {
            return self.length(axis, place, f64::INFINITY);
        }
        let [low, high] = self.bounds[axis];
        // An integral is no better than what is integrated, whose errors have to be smaller.
        let within = 0.1 * tolerance / (high - low);
        let stops = self.stops(axis, &axes[..fixed], place);
        let pieces = stops.windows(2).map(|piece| {
            integral([piece[0], piece[1]], tolerance, &mut |x| {
                self.measured(axes, fixed + 1, moved(place, axis, x), within)
            })
        });
        pieces.sum()
    }

    /// How much of it is on the line through `place` along `axis`, up to the coordinate `end`. \[nm\]
    pub(super) fn length(&self, axis: usize, place: Vector<D>, end: f64) -> f64 {
        let others: [usize; D] = std::array::from_fn(|n| (axis + 1 + n) % D);
        let stops = self.stops(axis, &others[..D - 1], place);
        let pieces = stops.windows(2).map(|piece| {
            let (from, to) = (piece[0], piece[1].min(end));
            let middle = moved(place, axis, 0.5 * (piece[0] + piece[1]));
            if from < to && self.holds(middle) { to - from } else { 0.0 }
        });
        pieces.sum()
    }

    /// The ends of surfaces between its bounds along `axis`, of what has the coordinates of `place`
    /// along the axes `fixed`; in order, with the bounds.
    fn stops(&self, axis: usize, fixed: &[usize], place: Vector<D>) -> Vec<f64> {
        let [low, high] = self.bounds[axis];
        let mut stops = vec![low, high];
        for (shape, _) in &self.closed {
            ends(shape, axis, fixed, place, &mut stops);
        }
        stops.retain(|&stop| low <= stop && stop <= high);
        stops.sort_by(f64::total_cmp);
        stops.dedup();
        stops
    }

    fn holds(&self, place: Vector<D>) -> bool {
        self.closed.iter().all(|(shape, inside)| shape.is_inside(&self.domain, place) == *inside)
    }
}

fn moved<const D: usize>(mut place: Vector<D>, axis: usize, to: f64) -> Vector<D> {
    place[axis] = to;
    place
}
