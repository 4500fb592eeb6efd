//! How much room a bin has for a species: its volume, or the part of a surface that lies in it.

use std::f64::consts::{PI, TAU};

use super::Bins;
use crate::Surfaces;
use jostle_core::environment::Form;
use jostle_core::narrow::Rod;
use jostle_core::space::mesh::Mesh;

/// Points along each axis of a plane, at least; their number is a multiple of that of the bins.
const ALONG: usize = 512;
/// Points on a sphere or a circle.
const AROUND: usize = 1 << 20;

/// Where a species is.
pub(super) struct SpeciesArea {
    /// The dimension of its room.
    pub(super) dimension: usize,
    /// Of each bin. \[nm^d\]
    extents: Vec<f64>,
    /// The axis that its plane is normal to, and where it is: centres that lie there but for
    /// rounding.
    plane: Option<(usize, f64)>,
}

impl SpeciesArea {
    /// That of a species: the box, or the surface that it lives on.
    pub(super) fn of(around: &Surfaces, species: u16, bins: &Bins) -> Self {
        let anchor = around.surroundings.anchor(species);
        let form = anchor.map(|anchor| &around.surroundings.surfaces[anchor.surface as usize].form);
        let all = bins.len();
        let (points, plane) = match form {
            Some(&Form::Plane { axis, at }) => (on_plane(bins, axis, at), Some((axis, at))),
            Some(&Form::Ball { centre, radius }) => (on_ball(bins.dimension, centre, radius), None),
            Some(&Form::Rod { centre, rod }) => (on_rod(bins, centre, rod), None),
            Some(Form::Solid(mesh)) => (on_mesh(mesh), None),
            Some(Form::Outline(mesh)) => (on_mesh(mesh), None),
            None => {
                let extents = (0..all).map(|n| bins.volume(n)).collect();
                return Self { dimension: bins.dimension, extents, plane: None };
            }
        };
        let whole = form.map_or(f64::NAN, |form| form.extent(bins.dimension, &bins.edges));
        let each = whole / points.len() as f64;
        let mut extents = vec![0.0; all];
        for bin in points.into_iter().filter_map(|point| bins.of(point)) {
            extents[bin] += each;
        }
        Self { dimension: bins.dimension - 1, extents, plane }
    }

    /// How much room there is in a bin \[nm^d\]; NaN if there is none.
    pub(super) fn extent(&self, bin: usize) -> f64 {
        if self.extents[bin] > 0.0 { self.extents[bin] } else { f64::NAN }
    }

    /// How much room there is in all bins. \[nm^d\]
    pub(super) fn whole(&self) -> f64 {
        self.extents.iter().sum()
    }

    /// The place of a particle, without the rounding that might bring it off its plane into the
    /// next bin.
    pub(super) fn put(&self, mut point: [f64; 3]) -> [f64; 3] {
        if let Some((axis, at)) = self.plane {
            point[axis] = at;
        }
        point
    }
}

/// A grid of points on a plane, which fits into bins along the axes.
fn on_plane(bins: &Bins, axis: usize, at: f64) -> Vec<[f64; 3]> {
    let along = bins.count * ALONG.div_ceil(bins.count);
    let steps = |k: usize| if k == axis || k >= bins.dimension { 1 } else { along };
    let [x, y, z] = [0, 1, 2].map(|k| {
        let middle = move |n: usize| (n as f64 + 0.5) / steps(k) as f64 * bins.edges[k];
        (0..steps(k)).map(move |n| if k == axis { at } else { middle(n) }).collect::<Vec<f64>>()
    });
    let rows = x.iter().flat_map(|&x| y.iter().map(move |&y| [x, y]));
    rows.flat_map(|[x, y]| z.iter().map(move |&z| [x, y, z])).collect()
}

/// Points on a sphere, each for as much area: a spiral that turns by the golden angle. In a plane,
/// on a circle.
fn on_ball(dimension: usize, centre: [f64; 3], radius: f64) -> Vec<[f64; 3]> {
    let golden = PI * (3.0 - 5.0_f64.sqrt());
    let point = |n: usize| {
        let share = (n as f64 + 0.5) / AROUND as f64;
        let up = if dimension == 3 { 1.0 - 2.0 * share } else { 0.0 };
        let angle = if dimension == 3 { golden * n as f64 } else { TAU * share };
        let flat = (1.0 - up * up).sqrt();
        let out = [flat * libm::cos(angle), flat * libm::sin(angle), up];
        [0, 1, 2].map(|k| centre[k] + radius * out[k])
    };
    (0..AROUND).map(point).collect()
}

/// Points on a mesh, each for as much area.
fn on_mesh<const D: usize>(mesh: &Mesh<D>) -> Vec<[f64; 3]> {
    let golden = 0.5 * (3.0 - 5.0_f64.sqrt());
    let place = |n: usize| {
        let place = mesh.place([(n as f64 + 0.5) / AROUND as f64, (golden * n as f64).fract()]);
        std::array::from_fn(|k| if k < D { place[k] } else { 0.0 })
    };
    (0..AROUND).map(place).collect()
}

/// Points on a rod, each for as much area, as on a sphere.
fn on_rod(bins: &Bins, centre: [f64; 3], rod: Rod) -> Vec<[f64; 3]> {
    let golden = 0.5 * (3.0 - 5.0_f64.sqrt());
    let edge = bins.edges[rod.axis];
    let place = |n: usize| {
        let numbers = [(n as f64 + 0.5) / AROUND as f64, (golden * n as f64).fract()];
        let from_centre = match bins.dimension {
            2 => {
                let [x, y] = rod.place::<2>(edge, numbers).0;
                [x, y, 0.0]
            }
            _ => rod.place::<3>(edge, numbers).0,
        };
        let mut place = [0, 1, 2].map(|k| centre[k] + from_centre[k]);
        // One without ends goes through the periodic face.
        place[rod.axis] = place[rod.axis].rem_euclid(edge);
        place
    };
    (0..AROUND).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Along;
    use super::*;
    use std::sync::Arc;

    use jostle_core::narrow::Ends;
    use jostle_core::space::Vector;

    fn shares(form: &Form, along: Along, dimension: usize) -> Vec<f64> {
        let bins = Bins { along, count: 10, dimension, edges: [100.0; 3] };
        let points = match *form {
            Form::Plane { axis, at } => on_plane(&bins, axis, at),
            Form::Ball { centre, radius } => on_ball(dimension, centre, radius),
            Form::Rod { centre, rod } => on_rod(&bins, centre, rod),
            Form::Solid(ref mesh) => on_mesh(mesh),
            Form::Outline(ref mesh) => on_mesh(mesh),
        };
        let mut shares = vec![0.0; bins.len()];
        for bin in points.iter().filter_map(|&point| bins.of(point)) {
            shares[bin] += 1.0 / points.len() as f64;
        }
        shares
    }

    #[test]
    fn each_bin_has_its_part_of_a_surface() {
        let close = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-4, "{found} {expected}")
        };
        // A plane fills the bins along it evenly, and one bin across it.
        let plane = Form::Plane { axis: 2, at: 50.0 };
        shares(&plane, Along::Axis(0), 3).into_iter().for_each(|share| close(share, 0.1));
        shares(&plane, Along::Map, 3).into_iter().for_each(|share| close(share, 0.01));
        let across = shares(&plane, Along::Axis(2), 3);
        across
            .into_iter()
            .enumerate()
            .for_each(|(n, share)| close(share, if n == 5 { 1.0 } else { 0.0 }));
        // Slices of a sphere of the same thickness have the same area (Archimedes).
        let ball = Form::Ball { centre: [50.0; 3], radius: 40.0 };
        for axis in 0..3 {
            let found = shares(&ball, Along::Axis(axis), 3);
            let expected = |n: usize| if n == 0 || n == 9 { 0.0 } else { 0.125 };
            found.into_iter().enumerate().for_each(|(n, share)| close(share, expected(n)));
        }
        // Of a circle of radius 50 the first tenth of the width holds two arcs of arccos(0.8) / pi
        // together.
        let circle = Form::Ball { centre: [50.0; 3], radius: 50.0 };
        close(shares(&circle, Along::Axis(1), 2)[0], libm::acos(0.8) / PI);
        // Slices of a rod with round ends are as large as well, across the axis as on a sphere and a cylinder.
        let rod = |ends| Rod { axis: 0, half: 25.0, radius: 25.0, ends };
        let rod = |ends| Form::Rod { centre: [50.0; 3], rod: rod(ends) };
        let along = shares(&rod(Ends::Round), Along::Axis(0), 3);
        along.into_iter().for_each(|share| close(share, 0.1));
        let tube = shares(&rod(Ends::Open), Along::Axis(0), 3);
        tube.into_iter().for_each(|share| close(share, 0.1));
        // A tetrahedron with three facets of area 1/2 and one of √3/2, in units of its edges squared: of each of the three
        // on planes of the axes, or beside one, a slice has what a triangle has there.
        let corners = [[10.0; 3], [60.0, 10.0, 10.0], [10.0, 60.0, 10.0], [10.0, 10.0, 60.0]];
        let facets = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mesh = Mesh::new(corners.map(Vector).to_vec(), facets).unwrap();
        let pyramid = shares(&Form::Solid(Arc::new(mesh)), Along::Axis(0), 3);
        let root = 3.0_f64.sqrt();
        let slanted = |n: usize| {
            let far = |x: f64| (1.0 - x).powi(2);
            let [from, to] = [n, n + 1].map(|n| (n as f64 - 1.0) / 5.0);
            (2.0 + root) / (3.0 + root) * (far(from) - far(to))
        };
        close(pyramid[1], slanted(1) + 1.0 / (3.0 + root));
        (2..6).for_each(|n| close(pyramid[n], slanted(n)));
        // 2 · 50 + 2 π 25 around it in the plane; the slices in the middle have two straight sides.
        let middle = shares(&rod(Ends::Round), Along::Axis(0), 2)[5];
        close(middle, 20.0 / (100.0 + 50.0 * PI));
    }
}
