//! Tests of closest features and overlaps, against searches that share no code with them.

mod degenerate;
mod disks;
mod distance;
mod motion;
mod overlap;
mod side;

use super::{FeatureCounters, Meeting, Overlap, Tracked, closest, meet};
use crate::space::{Outline, Polygon, Pose, Vector, cross};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(super) fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A convex polygon with `n` corners near a circle, squeezed along a direction by `squeeze`.
pub(super) fn jittered(rng: &mut impl Rng, n: usize, squeeze: f64) -> Polygon {
    let step = std::f64::consts::TAU / n as f64;
    let phase = rng.random_range(0.0..step);
    let corners: Vec<_> = (0..n)
        .map(|k| {
            let angle = phase + step * (k as f64 + rng.random_range(-0.35..0.35));
            Vector([angle.cos(), squeeze * angle.sin()])
        })
        .collect();
    Polygon::new(&corners).expect("corners on an ellipse are convex")
}

/// Any shape: few or many corners, slivers, regular ones, rectangles.
pub(super) fn any_polygon(rng: &mut impl Rng) -> Polygon {
    let n = [3, 4, 5, 6, 8, 13, 32, 128][rng.random_range(0..8)];
    match rng.random_range(0..6) {
        0 => Polygon::regular(n, 1.0),
        1 => Polygon::rectangle(rng.random_range(0.01..2.0), rng.random_range(0.01..2.0)),
        2 => jittered(rng, n, 0.01),
        _ => {
            let squeeze = rng.random_range(0.2..1.0);
            jittered(rng, n, squeeze)
        }
    }
}

/// The same polygon, larger or smaller.
pub(super) fn scaled(polygon: &Polygon, factor: f64) -> Polygon {
    let corners: Vec<_> = polygon.corners().iter().map(|&corner| corner * factor).collect();
    Polygon::new(&corners).expect("still convex")
}

/// The corners in the world.
pub(super) fn placed(polygon: &Polygon, pose: &Pose) -> Vec<Vector<2>> {
    polygon.corners().iter().map(|&corner| pose.place(corner)).collect()
}

/// Sutherland and Hodgman's clipper: the part of `subject` inside the convex `clip`.
pub(super) fn clipped(subject: &[Vector<2>], clip: &[Vector<2>]) -> Vec<Vector<2>> {
    let mut out = subject.to_vec();
    for k in 0..clip.len() {
        let (p, q) = (clip[k], clip[(k + 1) % clip.len()]);
        let height = |r: Vector<2>| cross(q - p, r - p);
        let input = std::mem::take(&mut out);
        for l in 0..input.len() {
            let (from, to) = (input[l], input[(l + 1) % input.len()]);
            let (before, after) = (height(from), height(to));
            if (before >= 0.0) != (after >= 0.0) {
                out.push(from + (to - from) * (before / (before - after)));
            }
            if after >= 0.0 {
                out.push(to);
            }
        }
    }
    out
}

/// Area and area times centroid of a polygon.
pub(super) fn moments(corners: &[Vector<2>]) -> (f64, Vector<2>) {
    let (mut area, mut sum) = (0.0, Vector::ZERO);
    let Some(&origin) = corners.first() else { return (0.0, Vector::ZERO) };
    for k in 0..corners.len() {
        let (p, q) = (corners[k] - origin, corners[(k + 1) % corners.len()] - origin);
        area += cross(p, q) / 2.0;
        sum += (p + q) * (cross(p, q) / 6.0);
    }
    (area, sum + origin * area)
}

/// Where `from` to `to` comes nearest to `point`.
fn to_segment(point: Vector<2>, from: Vector<2>, to: Vector<2>) -> f64 {
    let chord = to - from;
    let part = ((point - from).dot(chord) / chord.norm_squared()).clamp(0.0, 1.0);
    (point - (from + chord * part)).norm()
}

/// The distance of two polygons from all their features; 0 if the clipper finds an overlap.
pub(super) fn brute_distance(a: &[Vector<2>], b: &[Vector<2>]) -> f64 {
    if moments(&clipped(a, b)).0 > 0.0 {
        return 0.0;
    }
    let one_way = |a: &[Vector<2>], b: &[Vector<2>]| {
        let mut best = f64::INFINITY;
        for &corner in a {
            for k in 0..b.len() {
                best = best.min(to_segment(corner, b[k], b[(k + 1) % b.len()]));
            }
        }
        best
    };
    one_way(a, b).min(one_way(b, a))
}

/// A place on a disk of this radius about the origin, and any angle.
pub(super) fn any_pose(rng: &mut impl Rng, reach: f64) -> Pose {
    let (x, y) = (rng.random_range(-reach..reach), rng.random_range(-reach..reach));
    Pose::new(Vector([x, y]), rng.random_range(-4.0..4.0))
}

/// The overlap, if there is one, of a pair never seen before.
pub(super) fn overlap(a: (&Outline, &Pose), b: (&Outline, &Pose)) -> Option<Overlap> {
    match meet(a, b, &mut Tracked::default(), &mut FeatureCounters::default()) {
        Meeting::Overlapping(overlap) => Some(overlap),
        Meeting::Apart(_) => None,
    }
}
