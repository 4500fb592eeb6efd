//! The closest features of two convex polygons, tracked from call to call (Schinner, section 4).

use super::crossings::EdgeCrossing;
use super::rings::{CornerRing, First, Second};
#[cfg(test)]
use super::tracked::{Feature, feature};
use super::tracked::{FeatureCounters, Tracked};
use crate::space::{Vector, cross};

/// Polygons nearer than this part of their radii touch, as far as rounding lets one see.
const TOUCHING: f64 = 1e-14;

/// How many pairs of features of a walk may be no nearer than one before.
const IDLE: u32 = 8;

/// How far directions of unit length are off by rounding.
const STRAIGHT: f64 = 4e-15;

/// How two polygons stand to each other, in the frame of the first.
pub(super) enum RelativePose {
    /// Closest points and how far they are apart.
    Apart([Vector<2>; 2], f64),
    /// Two edges cross.
    Crossing(EdgeCrossing),
    /// The second lies inside the first.
    Holds,
    /// The first lies inside the second.
    Held,
}

/// The closest features, from those of the last call on.
///
/// Each step of the walk lowers the distance of the two features, or keeps it and goes from an
/// edge to its end (Lin 1993): no pair of features comes twice. Should rounding undo this, the
/// walk ends after a few steps that have brought it no nearer, or at its bound.
///
/// What the walk does not settle is left to the full search: one inside the other, and polygons
/// that touch to rounding, for which it decides without rounding whether they overlap.
#[inline]
pub(super) fn track(
    a: &First<'_>,
    b: &Second<'_>,
    tracked: &mut Tracked,
    counters: &mut FeatureCounters,
) -> RelativePose {
    counters.calls += 1;
    let ring = [2 * a.len(), 2 * b.len()];
    let before = tracked.places;
    let known = (0..2).all(|s| before[s] > 0 && before[s] as usize <= ring[s]);
    let mut at = if known { before.map(|place| place as usize - 1) } else { facing(a, b) };
    let touching = TOUCHING * (a.polygon().circumradius() + b.polygon().circumradius());
    let standing = match walk(a, b, &mut at, counters) {
        Some(RelativePose::Apart(points, distance)) if distance > touching => {
            RelativePose::Apart(points, distance)
        }
        Some(RelativePose::Crossing(crossing)) => RelativePose::Crossing(crossing),
        _ => {
            counters.full_searches += 1;
            super::full::search(a, b, &mut at)
        }
    };
    tracked.places = at.map(|place| place as u32 + 1);
    counters.changes += u64::from(known && tracked.places != before);
    standing
}

/// How far `point` lies from a polygon, by the closest feature from that of the last call on.
/// Nothing if the walk ends inside the polygon.
pub(super) fn track_point(
    ring: &First<'_>,
    point: Vector<2>,
    tracked: &mut Tracked,
    counters: &mut FeatureCounters,
) -> Option<f64> {
    counters.calls += 1;
    let before = tracked.places[0];
    let known = before > 0 && before as usize <= 2 * ring.len();
    let mut at = if known { before as usize - 1 } else { 2 * farthest(ring, point) };
    let mut distance = None;
    for _ in 0..2 * ring.len() {
        counters.steps += 1;
        let look = Look::from(ring, at, point);
        let way = point - look.point();
        let (edge, lean) = look.edge(ring, way);
        match look.end(ring).or((lean > 0.0).then_some(edge)) {
            Some(better) => at = better,
            None => {
                distance = (look.height <= 0.0).then(|| way.norm());
                break;
            }
        }
    }
    counters.full_searches += u64::from(distance.is_none());
    tracked.places = [at as u32 + 1, 1];
    counters.changes += u64::from(known && tracked.places[0] != before);
    distance
}

/// How far `point`, outside a polygon, lies from it: from all edges.
pub(super) fn to_point(ring: &First<'_>, point: Vector<2>) -> f64 {
    (0..ring.len()).map(|k| (point - foot(ring, k, point)).norm()).fold(f64::INFINITY, f64::min)
}

/// The vertices that reach farthest towards the other's centroid: where a pair begins.
#[cold]
fn facing(a: &First<'_>, b: &Second<'_>) -> [usize; 2] {
    let towards = b.centre();
    [2 * farthest(a, towards), 2 * farthest(b, -towards)]
}

/// The corner that lies farthest along `direction`.
fn farthest<R: CornerRing>(ring: &R, direction: Vector<2>) -> usize {
    let reach = |k: usize| ring.corner(k).dot(direction);
    (1..ring.len()).fold(0, |best, k| if reach(k) > reach(best) { k } else { best })
}

/// Walks to the closest features. Nothing if the walk ends inside a polygon, or does not end.
#[inline]
fn walk(
    a: &First<'_>,
    b: &Second<'_>,
    at: &mut [usize; 2],
    counters: &mut FeatureCounters,
) -> Option<RelativePose> {
    let (mut least, mut idle) = (f64::INFINITY, 0);
    for _ in 0..4 * (a.len() + b.len()) {
        counters.steps += 1;
        match judge(a, b, *at) {
            Verdict::Stand(standing) => return Some(standing),
            Verdict::Rather(better, reached) => {
                *at = better;
                idle += u32::from(reached.is_some_and(|gap| gap >= least));
                least = least.min(reached.unwrap_or(least));
            }
            Verdict::Inside => return None,
        }
        if idle == IDLE {
            return None;
        }
    }
    None
}

/// What two features are to each other.
enum Verdict {
    /// They are the closest, or cross.
    Stand(RelativePose),
    /// These are closer, or as close and smaller. With how far those asked about are apart, unless
    /// one lies inside the other or it was not looked for.
    Rather([usize; 2], Option<f64>),
    /// One has its nearest point on the inner side of the other: the walk is stuck.
    Inside,
}

/// Finds the nearest points of two features and whether each lies in the Voronoi region of the
/// other's feature (Schinner, section 4.2, steps 1 to 7).
#[inline]
fn judge(a: &First<'_>, b: &Second<'_>, at: [usize; 2]) -> Verdict {
    if at[0] & at[1] & 1 == 1 {
        return edges(a, b, at.map(|place| place / 2));
    }
    let (by_a, by_b) =
        (Look::from(a, at[0], b.corner(at[1] / 2)), Look::from(b, at[1], a.corner(at[0] / 2)));
    let points = [by_a.point(), by_b.point()];
    let way = points[1] - points[0];
    // the way to or from an edge goes along its normal, however short it is
    let edges = by_a.is_edge + by_b.is_edge;
    let direction = way * (1.0 - edges) + by_a.normal() - by_b.normal();
    let slack =
        [STRAIGHT * (a.polygon().circumradius() + b.polygon().circumradius()), STRAIGHT * edges];
    // one branch for all that is asked: a branch mispredicted costs as much as the rest
    if by_a.accepts(direction, slack) & by_b.accepts(-direction, slack) {
        return Verdict::Stand(RelativePose::Apart(points, way.norm()));
    }
    // an edge's nearest point first: only then is it known where the way to it leads
    if let Some(end) = by_a.end(a) {
        return Verdict::Rather([end, at[1]], None);
    }
    if let Some(end) = by_b.end(b) {
        return Verdict::Rather([at[0], end], None);
    }
    // from the inner side of an edge the way leads back through it
    let inside = by_a.height > 0.0 || by_b.height > 0.0;
    let direction = if inside { -direction } else { direction };
    let reached = (!inside).then(|| way.norm());
    let ((first, lean), (second, other)) = (by_a.edge(a, direction), by_b.edge(b, -direction));
    if lean.max(other) <= slack[1] {
        Verdict::Inside
    } else if lean >= other {
        Verdict::Rather([first, at[1]], reached)
    } else {
        Verdict::Rather([at[0], second], reached)
    }
}

/// Two edges cross, or one end of them is nearest to the other edge.
fn edges(a: &First<'_>, b: &Second<'_>, [i, j]: [usize; 2]) -> Verdict {
    if let Some(crossing) = EdgeCrossing::of(a, b, [i, j]) {
        return Verdict::Stand(RelativePose::Crossing(crossing));
    }
    let (k, l) = (a.after(i), b.after(j));
    let gap = |p: Vector<2>, q: Vector<2>| (p - q).norm_squared();
    let ends = [
        ([2 * i, 2 * j + 1], gap(a.corner(i), foot(b, j, a.corner(i)))),
        ([2 * k, 2 * j + 1], gap(a.corner(k), foot(b, j, a.corner(k)))),
        ([2 * i + 1, 2 * j], gap(foot(a, i, b.corner(j)), b.corner(j))),
        ([2 * i + 1, 2 * l], gap(foot(a, i, b.corner(l)), b.corner(l))),
    ];
    Verdict::Rather(
        ends.into_iter().fold(ends[0], |best, end| if end.1 < best.1 { end } else { best }).0,
        None,
    )
}

/// A corner of the other polygon as a feature sees it.
struct Look {
    /// The feature's place in its ring.
    at: usize,
    /// 1 for an edge, 0 for a vertex.
    is_edge: f64,
    /// The vertex, or where the edge begins.
    start: Vector<2>,
    /// Along the edge that begins there, and the one that ends there.
    along: [Vector<2>; 2],
    /// How long the first of them is.
    length: f64,
    /// Of an edge: how far along it the other's corner lies, and how far to the left of it
    /// (inside, if positive). Of a vertex: nothing.
    part: f64,
    height: f64,
}

impl Look {
    #[inline]
    fn from<R: CornerRing>(ring: &R, at: usize, other: Vector<2>) -> Self {
        let (k, is_edge) = (at / 2, (at % 2) as f64);
        let (start, along) = (ring.corner(k), ring.along(k));
        let from = (other - start) * is_edge;
        Self {
            at,
            is_edge,
            start,
            along: [along, ring.along(ring.before(k))],
            length: ring.polygon().edges()[k].length,
            part: from.dot(along),
            height: cross(along, from),
        }
    }

    /// The feature's nearest point, if it lies on it at all.
    #[inline]
    fn point(&self) -> Vector<2> {
        self.start + self.along[0] * self.part
    }

    /// An edge's outward normal; of a vertex, nothing.
    #[inline]
    fn normal(&self) -> Vector<2> {
        Vector([self.along[0][1], -self.along[0][0]]) * self.is_edge
    }

    /// How much `way` leans from a vertex towards the edge that begins and the one that ends there.
    #[inline]
    fn leans(&self, way: Vector<2>) -> [f64; 2] {
        [way.dot(self.along[0]), -way.dot(self.along[1])].map(|lean| lean * (1.0 - self.is_edge))
    }

    /// Whether `way`, from the nearest point to the other's, stays in the feature's Voronoi
    /// region, give or take `slack`: a length along an edge, and a part of `way` to its sides.
    #[inline]
    fn accepts(&self, way: Vector<2>, slack: [f64; 2]) -> bool {
        let [forth, back] = self.leans(way);
        (self.part >= -slack[0])
            & (self.part <= self.length + slack[0])
            & (self.height <= 0.0)
            & (forth <= slack[1])
            & (back <= slack[1])
    }

    /// The end of an edge that lies nearer to the other than any other point of it, if one does.
    fn end<R: CornerRing>(&self, ring: &R) -> Option<usize> {
        if self.part < 0.0 {
            Some(self.at - 1)
        } else {
            (self.part > self.length).then(|| 2 * ring.after(self.at / 2))
        }
    }

    /// The edge at a vertex towards which `way` leans more, and how much.
    fn edge<R: CornerRing>(&self, ring: &R, way: Vector<2>) -> (usize, f64) {
        let [forth, back] = self.leans(way);
        if forth >= back { (self.at | 1, forth) } else { (2 * ring.before(self.at / 2) + 1, back) }
    }
}

/// The point of edge `k` nearest to `point`.
#[inline]
pub(super) fn foot<R: CornerRing>(ring: &R, k: usize, point: Vector<2>) -> Vector<2> {
    let edge = &ring.polygon().edges()[k];
    let (start, along) = (ring.corner(k), ring.along(k));
    let part = (point - start).dot(along);
    if part <= 0.0 {
        start
    } else if part >= edge.length {
        ring.corner(ring.after(k))
    } else {
        start + along * part
    }
}

/// The pairs of features that the walk from `start` tries, in order.
#[cfg(test)]
pub(super) fn path(a: &First<'_>, b: &Second<'_>, start: [Feature; 2]) -> Vec<[Feature; 2]> {
    let mut at = Tracked::new(start).places.map(|place| place as usize - 1);
    let mut tried = vec![start];
    while let Verdict::Rather(next, _) = judge(a, b, at) {
        tried.push(next.map(|place| feature(place as u32)));
        at = next;
    }
    tried
}
