//! How far apart two convex figures are, and how they overlap: closest features tracked from
//! step to step (Schinner, section 4), and the overlap's area with its gradient.

mod crossings;
mod disks;
mod features;
mod full;
mod overlap;
mod rings;
mod side;
#[cfg(test)]
mod tests;
mod tracked;

pub use overlap::Overlap;
pub use tracked::{Feature, FeatureCounters, Tracked};

use crate::space::{Outline, Polygon, Pose, Vector};
use crossings::Crossings;
use features::RelativePose;
use rings::{First, Second};

/// The closest features of two polygons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// The feature of each; of two that overlap, edges that cross, or if one lies inside the
    /// other, any.
    pub features: [Feature; 2],
    /// The closest point of each, in the world; of two that overlap, any point of both. \[length\]
    pub points: [Vector<2>; 2],
    /// How far apart they are; 0 if they overlap or touch. \[length\]
    pub distance: f64,
}

/// How two outlines stand to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meeting {
    /// Not overlapping, so far apart; 0 if they touch. Of an ellipse its polygon counts. \[length\]
    Apart(f64),
    /// Overlapping.
    Overlapping(Overlap),
}

/// The closest features and points of two polygons, found from those of the last call
/// (Schinner, section 4.2): in constant time for any number of corners if they have moved little.
#[inline]
pub fn closest(
    a: (&Polygon, &Pose),
    b: (&Polygon, &Pose),
    tracked: &mut Tracked,
    counters: &mut FeatureCounters,
) -> Closest {
    let (first, second) = (First(a.0), Second { polygon: b.0, pose: a.1.sees(b.1) });
    let (points, distance) = match features::track(&first, &second, tracked, counters) {
        RelativePose::Apart(points, distance) => (points, distance),
        RelativePose::Crossing(crossing) => {
            ([overlap::place(&first, &second, crossing.edges); 2], 0.0)
        }
        RelativePose::Holds => ([second.pose.position; 2], 0.0),
        RelativePose::Held => ([Vector::ZERO; 2], 0.0),
    };
    Closest { features: tracked.held(), points: points.map(|point| a.1.place(point)), distance }
}

/// How two outlines overlap, or how far apart they are.
///
/// An overlap is the same to the last bit whatever `tracked` holds, which only saves time: it is
/// measured from its crossings in a fixed order, and which edges cross is decided without
/// rounding. (A distance may differ by rounding where two pairs of features are equally close.)
/// Its cost grows with the corners inside the overlap; a disk's on a polygon, with all corners.
pub fn meet(
    a: (&Outline, &Pose),
    b: (&Outline, &Pose),
    tracked: &mut Tracked,
    counters: &mut FeatureCounters,
) -> Meeting {
    let (meeting, frame) = match (shape(a.0), shape(b.0)) {
        (Ok(p), Ok(q)) => {
            let pose = a.1.sees(b.1);
            (polygons(&First(p), &Second { polygon: q, pose }, tracked, counters), a.1)
        }
        (Ok(p), Err(radius)) => {
            (disks::polygon(p, radius, a.1.local(b.1.position), tracked, counters), a.1)
        }
        (Err(radius), Ok(q)) => {
            let centre = b.1.local(a.1.position);
            (disks::swapped(disks::polygon(q, radius, centre, tracked, counters), centre), b.1)
        }
        (Err(r), Err(s)) => return disks::two(r, s, b.1.position - a.1.position),
    };
    match meeting {
        Meeting::Overlapping(overlap) => Meeting::Overlapping(overlap.turned(frame)),
        apart => apart,
    }
}

/// The polygon through which an outline meets others, or else a disk's radius.
#[inline]
fn shape(outline: &Outline) -> Result<&Polygon, f64> {
    match outline {
        Outline::Polygon(polygon) => Ok(polygon),
        Outline::Ellipse(ellipse) => Ok(ellipse.polygon()),
        Outline::Disk(radius) => Err(*radius),
    }
}

/// Two polygons, in the frame of the first.
fn polygons(
    a: &First<'_>,
    b: &Second<'_>,
    tracked: &mut Tracked,
    counters: &mut FeatureCounters,
) -> Meeting {
    let standing = features::track(a, b, tracked, counters);
    let overlap = match standing {
        RelativePose::Apart(_, distance) => return Meeting::Apart(distance),
        RelativePose::Holds => Overlap::contained(b.polygon.area(), b.pose.position),
        RelativePose::Held => Overlap::contained(a.0.area(), Vector::ZERO),
        RelativePose::Crossing(crossing) => {
            let mut list = Crossings::new();
            if crossings::all(a, b, crossing, &mut list).is_none() {
                // only if rounding has bent a polygon, in an overlap no larger than that
                return Meeting::Apart(0.0);
            }
            overlap::measure(a, b, &list)
        }
    };
    if overlap.area > 0.0 { Meeting::Overlapping(overlap) } else { Meeting::Apart(0.0) }
}
