//! Disks, exactly: two of them, and one with a convex polygon.

use super::overlap::{Area, Overlap};
use super::rings::{CornerRing, First};
use super::{FeatureCounters, Meeting, Tracked, features};
use crate::space::{Polygon, Vector, cross};
use smallvec::SmallVec;
use std::f64::consts::PI;

/// Two disks; `to` goes from the centre of the first to that of the second. \[length\]
pub(super) fn two(r: f64, s: f64, to: Vector<2>) -> Meeting {
    let distance = to.norm();
    if distance >= r + s {
        return Meeting::Apart(distance - (r + s));
    }
    if distance <= (r - s).abs() {
        let inner = if s < r { (s, to) } else { (r, Vector::ZERO) };
        return Meeting::Overlapping(Overlap::contained(PI * inner.0 * inner.0, inner.1));
    }
    // the chord where the circles meet: how far from each centre, and half its length
    let depth = (r + s - distance) / (2.0 * distance);
    let (before, behind) = (r - depth * (s + distance - r), s - depth * (r + distance - s));
    let half = ((r - before) * (r + before)).max(0.0).sqrt();
    let (own, others) = (segment(r, half, before), segment(s, half, behind));
    let area = own + others;
    if area <= 0.0 {
        return Meeting::Apart(0.0);
    }
    let unit = to * (1.0 / distance);
    Meeting::Overlapping(Overlap {
        area,
        // the first moments of the segments about their own centres, 2/3 half³, cancel
        centroid: to * (others / area),
        gradient: unit * (2.0 * half),
        moment: 0.0,
        crossings: 2,
    })
}

/// The area between a chord of half-length `half` and the arc beyond it; the chord lies `before`
/// the centre, which is behind it if negative. \[length²\]
fn segment(radius: f64, half: f64, before: f64) -> f64 {
    let angle = 2.0 * libm::atan2(half, before);
    let difference = if angle < 0.5 {
        // angle - sin(angle), whose leading parts cancel
        let square = angle * angle;
        let series = [210.0, 156.0, 110.0, 72.0, 42.0, 20.0]
            .iter()
            .fold(1.0, |rest, d| 1.0 - square / d * rest);
        angle * square / 6.0 * series
    } else {
        angle - libm::sin(angle)
    };
    radius * radius / 2.0 * difference
}

/// A polygon and a disk at `centre`, in the polygon's frame, the polygon being the first.
///
/// Apart, the closest feature is tracked; overlapping, all edges are looked at.
pub(super) fn polygon(
    polygon: &Polygon,
    radius: f64,
    centre: Vector<2>,
    tracked: &mut Tracked,
    counters: &mut FeatureCounters,
) -> Meeting {
    if let Some(distance) = features::track_point(&First(polygon), centre, tracked, counters)
        && distance >= radius
    {
        return Meeting::Apart(distance - radius);
    }
    let list = crossings(polygon, radius, centre);
    let overlap = if !list.is_empty() {
        measure(polygon, radius, centre, &list)
    } else if (polygon.corners()[0] - centre).norm_squared() < radius * radius {
        Overlap::contained(polygon.area(), Vector::ZERO)
    } else if polygon.edges().iter().all(|edge| cross(edge.along, centre - edge.start) > 0.0) {
        Overlap::contained(PI * radius * radius, centre)
    } else {
        return Meeting::Apart((features::to_point(&First(polygon), centre) - radius).max(0.0));
    };
    if overlap.area > 0.0 { Meeting::Overlapping(overlap) } else { Meeting::Apart(0.0) }
}

/// The same pair with the disk as the first; what has a direction stays in the polygon's frame.
pub(super) fn swapped(meeting: Meeting, centre: Vector<2>) -> Meeting {
    match meeting {
        Meeting::Overlapping(overlap) => Meeting::Overlapping(Overlap {
            centroid: overlap.centroid - centre,
            gradient: -overlap.gradient,
            moment: 0.0,
            ..overlap
        }),
        apart => apart,
    }
}

/// Where a polygon's boundary crosses a circle.
#[derive(Clone, Copy)]
struct CircleCrossing {
    edge: usize,
    at: Vector<2>,
    enters: bool,
}

/// All crossings, in the order of the boundary, from the first where it goes into the disk.
fn crossings(polygon: &Polygon, radius: f64, centre: Vector<2>) -> SmallVec<[CircleCrossing; 4]> {
    let mut list: SmallVec<[CircleCrossing; 4]> = SmallVec::new();
    let within = |corner: Vector<2>| (corner - centre).norm_squared() < radius * radius;
    let mut begins = within(polygon.edges()[0].start);
    for (k, edge) in polygon.edges().iter().enumerate() {
        let ends = within(polygon.corners()[First(polygon).after(k)]);
        let from = centre - edge.start;
        let height = cross(edge.along, from).abs();
        if !(begins && ends) && (begins || ends || height < radius) {
            let (foot, half) =
                (edge.along.dot(from), ((radius - height) * (radius + height)).max(0.0).sqrt());
            let mut push = |part: f64, enters: bool| {
                let at = edge.start + edge.along * part.clamp(0.0, edge.length);
                list.push(CircleCrossing { edge: k, at, enters });
            };
            let grazes = !begins && !ends && half > 0.0 && foot > 0.0 && foot < edge.length;
            if ends || grazes {
                push(foot - half, true);
            }
            if begins || grazes {
                push(foot + half, false);
            }
        }
        begins = ends;
    }
    if list.first().is_some_and(|first| !first.enters) {
        list.rotate_left(1);
    }
    list
}

/// The overlap inside these crossings: the polygon of crossings and corners, and the circle's
/// segments beyond it.
fn measure(polygon: &Polygon, radius: f64, centre: Vector<2>, list: &[CircleCrossing]) -> Overlap {
    let ring = First(polygon);
    let origin = list[0].at;
    let mut straight = Area::from(origin);
    let (mut round, mut first_moment) = (0.0, Vector::ZERO);
    let (mut gradient, mut moment) = (Vector::ZERO, 0.0);
    for (c, arc) in list.chunks_exact(2).enumerate() {
        let (enters, leaves) = (arc[0], arc[1]);
        if c > 0 {
            straight.corner(enters.at);
        }
        let mut k = enters.edge;
        while k != leaves.edge {
            k = ring.after(k);
            straight.corner(ring.corner(k));
        }
        straight.corner(leaves.at);
        let chord = leaves.at - enters.at;
        gradient += Vector([chord[1], -chord[0]]);
        moment -= chord.dot(leaves.at + enters.at) / 2.0;

        let next = list[(2 * c + 2) % list.len()].at;
        let across = next - leaves.at;
        let length = across.norm();
        if length > 0.0 {
            let area = segment(radius, length / 2.0, cross(across, centre - leaves.at) / length);
            let outward = Vector([across[1], -across[0]]) * (1.0 / length);
            round += area;
            first_moment += (centre - origin) * area + outward * (length * length * length / 12.0);
        }
    }
    let area = straight.area() + round;
    let centroid = if area > 1e-13 * straight.reach_squared() {
        origin + (straight.first_moment() + first_moment) * (1.0 / area)
    } else {
        straight.centroid()
    };
    Overlap { area, centroid, gradient, moment, crossings: list.len() as u32 }
}
