//! Whether a list of corners is a convex polygon, and if not, what is wrong with it.

use super::{Vector, cross};

/// Corners nearer to each other, or to the line through their neighbours, than this part of the
/// polygon's size are taken for one corner or a straight line: far above rounding, far below use.
const NEGLIGIBLE: f64 = 1e-10;

/// Why a list of corners is no convex polygon. Corners and edges are counted from 1; edge `k`
/// goes from corner `k` to the next.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PolygonFault {
    /// Fewer than three corners.
    #[error("a polygon has at least 3 corners, this one has {corners}")]
    TooFew {
        /// How many there are.
        corners: usize,
    },
    /// A coordinate that is not a finite number.
    #[error("corner {corner} is not finite: both coordinates must be numbers")]
    NotFinite {
        /// Which corner.
        corner: usize,
    },
    /// The corners go round the wrong way.
    #[error(
        "the corners go round clockwise; list them counter-clockwise (the same list from last to first)"
    )]
    Clockwise,
    /// The boundary turns inward.
    #[error(
        "the polygon is concave at corner {corner}, where its boundary turns to the right; \
         a convex one turns left at every corner: leave corner {corner} out, or build the shape from convex parts"
    )]
    Concave {
        /// Which corner.
        corner: usize,
    },
    /// The boundary crosses itself.
    #[error("edges {} and {} cross; list the corners in the order in which the boundary passes them", .edges[0], .edges[1])]
    SelfCrossing {
        /// Which edges, lower first.
        edges: [usize; 2],
    },
    /// All corners lie on one line.
    #[error("the polygon has no area: its corners lie on one line; move at least one off it")]
    NoArea,
    /// Two corners that follow each other lie at one place.
    #[error("corner {corner} lies where corner {next} does; list it once")]
    Doubled {
        /// Which corner.
        corner: usize,
        /// The one after it.
        next: usize,
    },
    /// A corner on the line between its neighbours.
    #[error("corner {corner} lies on the straight line between its neighbours; leave it out")]
    Straight {
        /// Which corner.
        corner: usize,
    },
}

/// Whether these corners make a convex polygon, counter-clockwise.
pub(super) fn check(corners: &[Vector<2>]) -> Result<(), PolygonFault> {
    let n = corners.len();
    if n < 3 {
        return Err(PolygonFault::TooFew { corners: n });
    }
    if let Some(k) = corners.iter().position(|corner| !corner.is_finite()) {
        return Err(PolygonFault::NotFinite { corner: k + 1 });
    }
    let size = corners.iter().map(|&corner| (corner - corners[0]).norm()).fold(0.0, f64::max);
    let edge = |k: usize| corners[(k + 1) % n] - corners[k % n];
    if size == 0.0 {
        return Err(PolygonFault::NoArea);
    }
    if let Some(k) = (0..n).find(|&k| edge(k).norm() <= NEGLIGIBLE * size) {
        return Err(PolygonFault::Doubled { corner: k + 1, next: (k + 1) % n + 1 });
    }
    // how far corner k lies to the right of the line from the one before it to the one after it
    let height = |k: usize| {
        let (before, after) = (edge(k + n - 1), edge(k));
        let base = (before + after).norm();
        if base > 0.0 { cross(before, after) / base } else { 0.0 }
    };
    if (0..n).all(|k| height(k).abs() <= NEGLIGIBLE * size) {
        return Err(PolygonFault::NoArea);
    }
    if let Some(edges) = self_crossing(corners) {
        return Err(PolygonFault::SelfCrossing { edges });
    }
    let twice: f64 =
        (1..n - 1).map(|k| cross(corners[k] - corners[0], corners[k + 1] - corners[0])).sum();
    if twice < 0.0 {
        return Err(PolygonFault::Clockwise);
    }
    for k in 0..n {
        if height(k).abs() <= NEGLIGIBLE * size {
            return Err(PolygonFault::Straight { corner: k + 1 });
        }
        if height(k) < 0.0 {
            return Err(PolygonFault::Concave { corner: k + 1 });
        }
    }
    // always to the left, but more than once round: it crosses or retraces itself
    let upward = |k: usize| edge(k)[1] > 0.0 || edge(k)[1] == 0.0 && edge(k)[0] > 0.0;
    match (0..n).filter(|&k| !upward(k) && upward(k + 1)).nth(1) {
        Some(k) => Err(PolygonFault::SelfCrossing { edges: [1, (k + 1) % n + 1] }),
        None => Ok(()),
    }
}

/// The first two edges that cross, counted from 1.
fn self_crossing(corners: &[Vector<2>]) -> Option<[usize; 2]> {
    let n = corners.len();
    let parted = |k: usize, l: usize| {
        let (p, q) = (corners[k], corners[(k + 1) % n]);
        let side = |r: Vector<2>| cross(q - p, r - p);
        side(corners[l]) * side(corners[(l + 1) % n]) < 0.0
    };
    (0..n).find_map(|k| (k + 1..n).find(|&l| parted(k, l) && parted(l, k)).map(|l| [k + 1, l + 1]))
}
