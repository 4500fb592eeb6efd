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

/// From where a box is seen, without perspective. \[degrees\]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eye {
    /// Around the vertical axis, counter-clockwise from in front (where x is to the right and z up).
    pub azimuth: f64,
    /// From above; at 90 z points to the eye.
    pub elevation: f64,
}

/// From in front, somewhat from the right and from above.
impl Default for Eye {
    fn default() -> Self {
        Self { azimuth: 28.0, elevation: 18.0 }
    }
}

impl Eye {
    /// Unit vectors of the picture: to the right, down, and away from the eye.
    fn axes(self) -> [[f64; 3]; 3] {
        let (across, along) = self.azimuth.to_radians().sin_cos();
        let (up, level) = self.elevation.to_radians().sin_cos();
        [
            [along, across, 0.0],
            [across * up, -along * up, -level],
            [-across * level, along * level, -up],
        ]
    }
}

/// A box as an eye sees it.
pub(super) struct Projection {
    axes: [[f64; 3]; 3],
    edges: [f64; 3],
    pub(super) scale: f64,
    low: [f64; 2],
    pub(super) size: [f64; 2],
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Projection {
    /// A box with some room on all of its sides.
    pub(super) fn of(edges: [f64; 3], room: [f64; 3], eye: Eye) -> Self {
        let axes = eye.axes();
        let [right, down, _] = axes;
        let all = [0, 1, 2].map(|k| edges[k] + 2.0 * room[k]);
        let corners = corners(all).map(|c| [0, 1, 2].map(|k| c[k] - room[k]));
        let flat: Vec<[f64; 2]> = corners.map(|c| [dot(right, c), dot(down, c)]).collect();
        let least = |k: usize| flat.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
        let most = |k: usize| flat.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
        let low = [least(0), least(1)];
        let span = [most(0) - low[0], most(1) - low[1]];
        let scale = SPAN / span[0].max(span[1]);
        Self { axes, edges, scale, low, size: span.map(|s| scale * s) }
    }

    /// The same, magnified about its middle, on a picture of the same size.
    pub(super) fn zoomed(self, zoom: f64) -> Self {
        let low = [0, 1].map(|k| {
            let span = self.size[k] / self.scale;
            self.low[k] + 0.5 * span * (1.0 - 1.0 / zoom)
        });
        Self { low, scale: self.scale * zoom, ..self }
    }

    pub(super) fn place(&self, p: [f64; 3]) -> [f64; 2] {
        let [right, down, _] = self.axes;
        [self.scale * (dot(right, p) - self.low[0]), self.scale * (dot(down, p) - self.low[1])]
    }

    /// How far a direction points to the right, down, and away from the eye.
    pub(super) fn seen(&self, direction: [f64; 3]) -> [f64; 3] {
        self.axes.map(|axis| dot(axis, direction))
    }

    /// 0 at the corner nearest to the eye, 1 at the farthest.
    pub(super) fn depth(&self, p: [f64; 3]) -> f64 {
        let far = |c| dot(self.axes[2], c);
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
        let [_, down, away] = Eye::default().axes();
        let behind = [away[0], away[1], 0.0];
        assert!(dot(away, higher) < 0.0 && dot(down, higher) < 0.0 && dot(down, behind) < 0.0);
        for (azimuth, elevation) in [(28.0, 18.0), (-200.0, 90.0), (77.0, -30.0)] {
            let axes = Eye { azimuth, elevation }.axes();
            for (n, a) in axes.into_iter().enumerate() {
                for (m, b) in axes.into_iter().enumerate() {
                    let product = f64::from(u8::from(n == m));
                    assert!((dot(a, b) - product).abs() < 1e-12, "{a:?} {b:?}");
                }
            }
        }
    }

    /// From in front x is to the right, from the right y is, and from above y is up.
    #[test]
    fn an_eye_goes_around_the_box_and_above_it() {
        let seen = |azimuth, elevation, direction| {
            let projection = Projection::of([1.0; 3], [0.0; 3], Eye { azimuth, elevation });
            projection.seen(direction).map(|part: f64| part.round() as i32)
        };
        assert_eq!(seen(0.0, 0.0, [1.0, 0.0, 0.0]), [1, 0, 0]);
        assert_eq!(seen(0.0, 0.0, [0.0, 1.0, 0.0]), [0, 0, 1]);
        assert_eq!(seen(90.0, 0.0, [0.0, 1.0, 0.0]), [1, 0, 0]);
        assert_eq!(seen(0.0, 90.0, [0.0, 1.0, 0.0]), [0, -1, 0]);
        assert_eq!(seen(0.0, 90.0, [0.0, 0.0, 1.0]), [0, 0, -1]);
    }

    #[test]
    fn three_edges_meet_behind() {
        let (behind, in_front) =
            Projection::of([10.0, 20.0, 30.0], [0.0; 3], Eye::default()).box_edges();
        assert_eq!((behind.len(), in_front.len()), (3, 9));
    }
}
