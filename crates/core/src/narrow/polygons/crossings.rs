//! Where two boundaries cross: one crossing is enough to find the others, walking round the
//! overlap only.

use super::rings::{CornerRing, First, Second};
use crate::space::{Vector, cross};
use smallvec::SmallVec;

/// Where an edge of the first polygon crosses one of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EdgeCrossing {
    /// The edge of each.
    pub(super) edges: [usize; 2],
    /// Whether the first's boundary goes into the second here (else it comes out).
    pub(super) enters: bool,
}

impl EdgeCrossing {
    /// The crossing of these two edges, if they cross.
    #[inline]
    pub(super) fn of(a: &First<'_>, b: &Second<'_>, edges: [usize; 2]) -> Option<Self> {
        let (p, q) = (a.ends(edges[0]), b.ends(edges[1]));
        let enters = b.left(q, p[1]);
        let crosses =
            b.left(q, p[0]) != enters && a.left(p, q[0]) == enters && a.left(p, q[1]) != enters;
        crosses.then_some(Self { edges, enters })
    }
}

/// Crossings in the order of the overlap's boundary.
pub(super) type Crossings = SmallVec<[EdgeCrossing; 4]>;

/// All crossings on the boundary of the overlap, counter-clockwise from the one where the first
/// enters the second on its lowest edge: the same list wherever the walk began.
///
/// From a crossing, the polygon that goes inside is followed, corner by corner, until an edge
/// leaves the other; from there the other is inside. Nothing if rounding has bent a polygon so
/// that the walk does not come home.
pub(super) fn all(
    a: &First<'_>,
    b: &Second<'_>,
    start: EdgeCrossing,
    list: &mut Crossings,
) -> Option<()> {
    let [i, j] = start.edges;
    let mut last = start;
    for _ in 0..=2 * (a.len() + b.len()) {
        list.push(last);
        let [k, l] = last.edges;
        last = if last.enters {
            let [k, l] = leave(a, b, [k, l], (!start.enters).then_some([i, j]))?;
            EdgeCrossing { edges: [k, l], enters: false }
        } else {
            let [l, k] = leave(b, a, [l, k], start.enters.then_some([j, i]))?;
            EdgeCrossing { edges: [k, l], enters: true }
        };
        if last == start {
            let first =
                (0..list.len()).filter(|&c| list[c].enters).min_by_key(|&c| list[c].edges[0])?;
            list.rotate_left(first);
            return Some(());
        }
    }
    None
}

/// Where `p`, which enters `q` at `entry` (edge of `p`, edge of `q`), leaves it again: along its
/// edge `home[0]` at the latest, if that is known to leave `q` through edge `home[1]`.
#[inline]
fn leave<P: CornerRing, Q: CornerRing>(
    p: &P,
    q: &Q,
    entry: [usize; 2],
    home: Option<[usize; 2]>,
) -> Option<[usize; 2]> {
    let [mut i, mut near] = entry;
    for _ in 0..=p.len() {
        // a straight edge leaves a convex polygon once
        if let Some(home) = home
            && home[0] == i
        {
            return Some(home);
        }
        if !inside(q, p.corner(p.after(i)), &mut near) {
            return Some([i, passage(p, q, i, near)?]);
        }
        i = p.after(i);
    }
    None
}

/// Whether a corner of the other polygon lies inside `ring`: it does if it lies to the left of
/// the edge that stands between it and the centroid. That edge is looked for from edge `near` on
/// and left there; its neighbours are asked too, because rounding may have chosen it.
#[inline]
pub(super) fn inside<R: CornerRing>(ring: &R, corner: Vector<2>, near: &mut usize) -> bool {
    let centre = ring.centre();
    let from = corner - centre;
    let mut k = *near;
    let [mut p, mut q] = ring.ends(k);
    for _ in 0..ring.len() {
        if cross(p - centre, from) < 0.0 {
            k = ring.before(k);
            (p, q) = (ring.corner(k), p);
        } else if cross(q - centre, from) >= 0.0 {
            k = ring.after(k);
            (p, q) = (q, ring.corner(ring.after(k)));
        } else {
            break;
        }
    }
    *near = k;
    ring.left([p, q], corner)
        && ring.left([ring.corner(ring.before(k)), p], corner)
        && ring.left([q, ring.corner(ring.after(ring.after(k)))], corner)
}

/// Through which edge of `q` the line of edge `i` of `p` comes out, looked for from `near` on:
/// the corner where that edge begins lies to the right of the line, the one where it ends to
/// the left.
#[inline]
fn passage<P: CornerRing, Q: CornerRing>(p: &P, q: &Q, i: usize, near: usize) -> Option<usize> {
    let line = p.ends(i);
    let mut k = near;
    let mut begins = p.left(line, q.corner(k));
    for _ in 0..=2 * q.len() {
        if begins {
            k = q.before(k);
            begins = p.left(line, q.corner(k));
            if !begins {
                return Some(k);
            }
        } else {
            begins = p.left(line, q.corner(q.after(k)));
            if begins {
                return Some(k);
            }
            k = q.after(k);
        }
    }
    None
}
