//! Distances from and between segments (Ericson 2005, Real-Time Collision Detection, sections 5.1.2
//! and 5.1.9).

use crate::space::Vector;

/// The vector to `point` from the nearest point of the segment; up to `rim` beyond its ends, from
/// the line. \[length\]
#[inline]
pub(super) fn segment_offset<const D: usize>(
    point: Vector<D>,
    [start, end]: [Vector<D>; 2],
    rim: f64,
) -> Vector<D> {
    let (along, from) = (end - start, point - start);
    let (reach, whole) = (from.dot(along), along.norm_squared());
    if is_well_below(reach, rim, whole) {
        from
    } else if is_well_below(whole - reach, rim, whole) {
        point - end
    } else {
        // Twice, so that it is perpendicular to the last digit, even if it is a millionth of the
        // segment long.
        let across = from - along * (reach / whole);
        across - along * (across.dot(along) / whole)
    }
}

/// Whether `x / length` is below zero by more than `rim`, given the square of the length.
#[inline]
pub(super) fn is_well_below(x: f64, rim: f64, length_squared: f64) -> bool {
    x < 0.0 && x * x > rim * rim * length_squared
}

/// How far apart two segments of positive length are. \[length\]
///
/// The nearest points are an end of one and a point of the other, or lie inside both, where their
/// connection is perpendicular to both; parallel segments have an end among their nearest points.
pub(super) fn segment_distance<const D: usize>(p: [Vector<D>; 2], q: [Vector<D>; 2]) -> f64 {
    let ends = |a: Vector<D>, b: [Vector<D>; 2]| segment_offset(a, b, 0.0).norm_squared();
    let mut least = ends(p[0], q).min(ends(p[1], q)).min(ends(q[0], p)).min(ends(q[1], p));
    let (u, v, w) = (p[1] - p[0], q[1] - q[0], p[0] - q[0]);
    let (uu, uv, vv) = (u.norm_squared(), u.dot(v), v.norm_squared());
    let parallel = uu * vv - uv * uv;
    let s = (uv * v.dot(w) - vv * u.dot(w)) / parallel;
    if parallel > 0.0 && (0.0..=1.0).contains(&s) {
        least = least.min(segment_offset(p[0] + u * s, q, 0.0).norm_squared());
    }
    least.sqrt()
}
