//! What of a part is inside of a mesh: the sum over its facets of what is below each, of those that
//! face up less those that face down.

use super::super::Shape;
use super::enclosed::Enclosed;
use crate::narrow::Ends;
use crate::space::Vector;
use crate::space::mesh::Mesh;

/// A facet, or a piece of one.
type Shard<const D: usize> = [Vector<D>; D];

/// How often a piece is halved at most.
const DEEPEST: u32 = 24;
/// Pieces are no longer than this part of what they are in.
const LONGEST: f64 = 1.0 / 24.0;

/// How much of the inside of `mesh` is in the part, within about `tolerance`. \[nm^D\]
pub(super) fn within<const D: usize>(mesh: &Mesh<D>, part: &Enclosed<D>, tolerance: f64) -> f64 {
    let (axis, cuts) = (upright(part), cuts(part));
    let longest = part.bounds.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
    let below = Below { part, axis, longest: LONGEST * longest };
    let corner = |n: u32| mesh.vertices()[n as usize];
    let mut pieces: Vec<Shard<D>> = mesh.facets().iter().map(|facet| facet.map(corner)).collect();
    for (k, at) in cuts {
        for piece in std::mem::take(&mut pieces) {
            split(piece, k, at, &mut pieces);
        }
    }
    pieces.retain(|piece| {
        let middle = mean(piece);
        let mut across = (0..D).filter(|&k| k != axis);
        across.all(|k| part.bounds[k][0] <= middle[k] && middle[k] <= part.bounds[k][1])
    });
    let shadows = || pieces.iter().map(|piece| shadow(piece, axis));
    let tolerance = tolerance / shadows().map(f64::abs).sum::<f64>();
    let lengths =
        pieces.iter().zip(shadows()).filter(|(_, shadow)| *shadow != 0.0).map(|(piece, shadow)| {
            below.halved(piece, below.at_once(piece), tolerance * shadow.abs(), DEEPEST)
        });
    lengths.sum::<f64>().max(0.0)
}

/// The axis along which lengths are measured: not that of a rod with flat ends or none, since there
/// lengths would jump at its side.
fn upright<const D: usize>(part: &Enclosed<D>) -> usize {
    let is_along = |k: usize| {
        part.closed.iter().any(|(shape, _)| {
            matches!(shape, Shape::Rod { rod, .. } if rod.axis == k && rod.ends != Ends::Round)
        })
    };
    (0..D).rev().find(|&k| !is_along(k)).unwrap_or(D - 1)
}

/// The planes on which lengths bend or jump: the axes that they are normal to, and where they are.
fn cuts<const D: usize>(part: &Enclosed<D>) -> Vec<(usize, f64)> {
    let bounds = part.bounds.iter().enumerate().flat_map(|(k, ends)| ends.map(|at| (k, at)));
    let flat = part.closed.iter().filter_map(|(shape, _)| match shape {
        Shape::Rod { centre, rod } if rod.ends == Ends::Flat => {
            Some([-rod.half, rod.half].map(|half| (rod.axis, centre[rod.axis] + half)))
        }
        _ => None,
    });
    bounds.chain(flat.flatten()).collect()
}

/// Adds the pieces into which the plane at `at` across axis `k` cuts a piece.
fn split<const D: usize>(piece: Shard<D>, k: usize, at: f64, out: &mut Vec<Shard<D>>) {
    let sides = (0..D).flat_map(|a| (0..a).map(move |b| [a, b]));
    let cut = |&[a, b]: &[usize; 2]| {
        (piece[a][k] < at && at < piece[b][k]) || (piece[b][k] < at && at < piece[a][k])
    };
    let Some([a, b]) = sides.clone().find(cut) else {
        return out.push(piece);
    };
    let (from, to) = (piece[a], piece[b]);
    let mut met = from + (to - from) * ((at - from[k]) / (to[k] - from[k]));
    met[k] = at;
    for end in [a, b] {
        let mut half = piece;
        half[end] = met;
        split(half, k, at, out);
    }
}

/// How much of the part is below a piece, negative if that faces down.
struct Below<'a, const D: usize> {
    part: &'a Enclosed<D>,
    axis: usize,
    /// Longer pieces are halved in any case, so that none of what the part consists of is missed.
    longest: f64,
}

impl<const D: usize> Below<'_, D> {
    /// Within about `tolerance`, for a piece for which `whole` was found at once.
    fn halved(&self, piece: &Shard<D>, whole: f64, tolerance: f64, deeper: u32) -> f64 {
        let [a, b] = longest(piece);
        let met = (piece[a] + piece[b]) * 0.5;
        let halves = [a, b].map(|end| {
            let mut half = *piece;
            half[end] = met;
            (half, self.at_once(&half))
        });
        let found = halves[0].1 + halves[1].1;
        let is_small = (piece[a] - piece[b]).norm() <= self.longest;
        if deeper == 0 || is_small && (found - whole).abs() <= tolerance {
            return found;
        }
        let parts =
            halves.map(|(half, found)| self.halved(&half, found, 0.5 * tolerance, deeper - 1));
        parts[0] + parts[1]
    }

    /// Exactly for polynomials of degree 2 (the midpoints between the mean and the corners of a
    /// triangle; Gauss' rule on a line).
    fn at_once(&self, piece: &Shard<D>) -> f64 {
        let middle = mean(piece);
        let out = 1.0 / ((D + 1) as f64).sqrt();
        let lengths = piece.iter().map(|&corner| {
            let place = middle + (corner - middle) * out;
            self.part.length(self.axis, place, place[self.axis])
        });
        shadow(piece, self.axis) * lengths.sum::<f64>() / D as f64
    }
}

/// The ends of the longest side.
fn longest<const D: usize>(piece: &Shard<D>) -> [usize; 2] {
    let sides = (0..D).flat_map(|a| (0..a).map(move |b| [a, b]));
    let length = |[a, b]: [usize; 2]| (piece[a] - piece[b]).norm_squared();
    sides.fold([0, D - 1], |best, side| if length(side) > length(best) { side } else { best })
}

fn mean<const D: usize>(piece: &Shard<D>) -> Vector<D> {
    let mut sum = piece[0];
    piece[1..].iter().for_each(|&corner| sum += corner);
    sum * (1.0 / D as f64)
}

/// The area (3D) or length (2D) of what is seen of a piece along an axis, negative if it faces down.
fn shadow<const D: usize>(piece: &Shard<D>, axis: usize) -> f64 {
    let [next, last] = [1, 2].map(|n| (axis + n) % D);
    let along = piece[1] - piece[0];
    if D == 2 {
        // The solid is to the left of the way along a side.
        return if axis == 0 { along[next] } else { -along[next] };
    }
    let other = piece[2] - piece[0];
    0.5 * (along[next] * other[last] - along[last] * other[next])
}
