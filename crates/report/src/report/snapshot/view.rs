//! From places in the box to places in the picture.

use super::SPAN;

/// An edge of the box: its two ends.
pub(super) type Edge = [[f64; 3]; 2];

/// A part of the plane, y upwards, seen from above.
pub(super) struct View {
    low: [f64; 2],
    high: [f64; 2],
    pub(super) scale: f64,
}

impl View {
    pub(super) fn new(low: [f64; 2], high: [f64; 2]) -> Self {
        let longest = f64::max(high[0] - low[0], high[1] - low[1]);
        Self { low, high, scale: SPAN / longest }
    }

    pub(super) fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.scale * (x - self.low[0]), self.scale * (self.high[1] - y)]
    }
}

/// A box seen from in front, from the right and from above, without perspective.
pub(super) struct Projection {
    edges: [f64; 3],
    pub(super) scale: f64,
    low: [f64; 2],
    pub(super) size: [f64; 2],
}

/// Unit vectors of the picture: to the right, down, and away from the eye, for an eye that looks
/// along the box turned by 28 degrees and 18 degrees from above.
const RIGHT: [f64; 3] = [0.882_948, 0.469_472, 0.0];
const DOWN: [f64; 3] = [0.145_075, -0.272_846, -0.951_057];
const AWAY: [f64; 3] = [-0.446_494, 0.839_733, -0.309_017];

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Projection {
    /// A box with some room on all of its sides.
    pub(super) fn of(edges: [f64; 3], room: [f64; 3]) -> Self {
        let all = [0, 1, 2].map(|k| edges[k] + 2.0 * room[k]);
        let corners = corners(all).map(|c| [0, 1, 2].map(|k| c[k] - room[k]));
        let flat: Vec<[f64; 2]> = corners.map(|c| [dot(RIGHT, c), dot(DOWN, c)]).collect();
        let least = |k: usize| flat.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
        let most = |k: usize| flat.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
        let low = [least(0), least(1)];
        let span = [most(0) - low[0], most(1) - low[1]];
        let scale = SPAN / span[0].max(span[1]);
        Self { edges, scale, low, size: span.map(|s| scale * s) }
    }

    pub(super) fn place(&self, p: [f64; 3]) -> [f64; 2] {
        [self.scale * (dot(RIGHT, p) - self.low[0]), self.scale * (dot(DOWN, p) - self.low[1])]
    }

    /// How far a direction points to the right, down, and away from the eye.
    pub(super) fn seen(&self, direction: [f64; 3]) -> [f64; 3] {
        [RIGHT, DOWN, AWAY].map(|axis| dot(axis, direction))
    }

    /// 0 at the corner nearest to the eye, 1 at the farthest.
    pub(super) fn depth(&self, p: [f64; 3]) -> f64 {
        let far = |c| dot(AWAY, c);
        let least = corners(self.edges).map(far).fold(f64::INFINITY, f64::min);
        let most = corners(self.edges).map(far).fold(f64::NEG_INFINITY, f64::max);
        (far(p) - least) / (most - least)
    }

    /// The edges of the box: the three that meet at the farthest corner, and the others.
    pub(super) fn box_edges(&self) -> (Vec<Edge>, Vec<Edge>) {
        let all: Vec<[f64; 3]> = corners(self.edges).collect();
        let pairs = (0..8usize).flat_map(|a| (0..3).map(move |k| (a, a | 1 << k)));
        let edges = pairs.filter(|(a, b)| a != b).map(|(a, b)| [all[a], all[b]]);
        edges.partition(|edge| edge.iter().any(|c| self.depth(*c) == 1.0))
    }
}

/// The corners of a box; bit k of a corner's number tells its side along axis k.
fn corners(edges: [f64; 3]) -> impl Iterator<Item = [f64; 3]> {
    (0..8).map(move |n| [0, 1, 2].map(|k| if n >> k & 1 == 1 { edges[k] } else { 0.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_seen_from_above_and_not_distorted() {
        // From above: what is higher is nearer and stands higher in the picture; what is farther on
        // the ground stands higher as well.
        let higher = [0.0, 0.0, 1.0];
        let behind = [AWAY[0], AWAY[1], 0.0];
        assert!(dot(AWAY, higher) < 0.0 && dot(DOWN, higher) < 0.0 && dot(DOWN, behind) < 0.0);
        for (a, b, product) in [
            (RIGHT, RIGHT, 1.0),
            (DOWN, DOWN, 1.0),
            (AWAY, AWAY, 1.0),
            (RIGHT, DOWN, 0.0),
            (RIGHT, AWAY, 0.0),
            (DOWN, AWAY, 0.0),
        ] {
            assert!((dot(a, b) - product).abs() < 1e-5, "{a:?} {b:?}");
        }
    }

    #[test]
    fn three_edges_meet_behind() {
        let (behind, in_front) = Projection::of([10.0, 20.0, 30.0], [0.0; 3]).box_edges();
        assert_eq!((behind.len(), in_front.len()), (3, 9));
    }
}
