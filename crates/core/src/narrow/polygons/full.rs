//! The full search: all edges and vertices, where the walk from feature to feature ends inside.

use super::crossings::{EdgeCrossing, inside};
use super::features::{RelativePose, foot};
use super::rings::{CornerRing, First, Second};

/// How two polygons stand to each other, from all their features; `at` gets the two concerned.
#[cold]
pub(super) fn search(a: &First<'_>, b: &Second<'_>, at: &mut [usize; 2]) -> RelativePose {
    if let Some(crossing) = crossing(a, b) {
        *at = crossing.edges.map(|k| 2 * k + 1);
        return RelativePose::Crossing(crossing);
    }
    if inside(a, b.corner(0), &mut 0) {
        return RelativePose::Holds;
    }
    if inside(b, a.corner(0), &mut 0) {
        return RelativePose::Held;
    }
    apart(a, b, at)
}

/// The first crossing there is.
fn crossing(a: &First<'_>, b: &Second<'_>) -> Option<EdgeCrossing> {
    for i in 0..a.len() {
        let line = a.ends(i);
        let mut left = a.left(line, b.corner(0));
        for j in 0..b.len() {
            let next = a.left(line, b.corner(b.after(j)));
            if left != next
                && let Some(crossing) = EdgeCrossing::of(a, b, [i, j])
            {
                return Some(crossing);
            }
            left = next;
        }
    }
    None
}

/// The shortest way from a vertex of one to an edge of the other.
fn apart(a: &First<'_>, b: &Second<'_>, at: &mut [usize; 2]) -> RelativePose {
    let mut best = ([a.corner(0), b.corner(0)], f64::INFINITY);
    let mut look = |points: [crate::space::Vector<2>; 2], places: [usize; 2]| {
        let squared = (points[0] - points[1]).norm_squared();
        if squared < best.1 {
            best = (points, squared);
            *at = places;
        }
    };
    for i in 0..a.len() {
        for j in 0..b.len() {
            let (corner, other) = (a.corner(i), b.corner(j));
            look([corner, foot(b, j, corner)], [2 * i, 2 * j + 1]);
            look([foot(a, i, other), other], [2 * i + 1, 2 * j]);
        }
    }
    RelativePose::Apart(best.0, best.1.sqrt())
}
