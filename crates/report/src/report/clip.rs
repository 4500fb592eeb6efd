//! Polygons and lines, cut at the edges of a rectangle.

/// The lower and the upper corner.
type Rectangle = [[f64; 2]; 2];

/// The part of a convex polygon that is in a rectangle, without corners if there is none (Sutherland
/// and Hodgman 1974, Commun. ACM 17). A corner that is not finite leaves nothing.
pub(super) fn polygon(points: &[[f64; 2]], [low, high]: Rectangle) -> Vec<[f64; 2]> {
    if !points.as_flattened().iter().all(|x| x.is_finite()) {
        return Vec::new();
    }
    let mut points = points.to_vec();
    for (axis, limit, sign) in
        [(0, low[0], 1.0), (0, high[0], -1.0), (1, low[1], 1.0), (1, high[1], -1.0)]
    {
        let within = |point: &[f64; 2]| sign * (point[axis] - limit);
        let before = std::mem::take(&mut points);
        for (n, here) in before.iter().enumerate() {
            let last = &before[(n + before.len() - 1) % before.len()];
            let [from, to] = [within(last), within(here)];
            if (from < 0.0) != (to < 0.0) {
                let share = from / (from - to);
                let mut at = [0, 1].map(|k| last[k] + share * (here[k] - last[k]));
                at[axis] = limit;
                points.push(at);
            }
            if to >= 0.0 {
                points.push(*here);
            }
        }
    }
    points
}

/// The part of a line that is in a rectangle (Liang and Barsky 1984, ACM Trans. Graph. 3).
pub(super) fn segment([from, to]: [[f64; 2]; 2], [low, high]: Rectangle) -> Option<[[f64; 2]; 2]> {
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for k in 0..2 {
        let along = to[k] - from[k];
        let limits = [low[k] - from[k], high[k] - from[k]];
        if along == 0.0 && (limits[0] > 0.0 || limits[1] < 0.0) {
            return None;
        }
        if along != 0.0 {
            let [a, b] = limits.map(|limit| limit / along);
            enters = enters.max(a.min(b));
            leaves = leaves.min(a.max(b));
        }
    }
    let at = |share: f64| [0, 1].map(|k| from[k] + share * (to[k] - from[k]));
    let ends = [at(enters), at(leaves)];
    let is_there = enters <= leaves && ends.as_flattened().iter().all(|x| x.is_finite());
    is_there.then_some(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: Rectangle = [[0.0, 0.0], [10.0, 10.0]];

    #[test]
    fn a_triangle_loses_its_corners() {
        let cut = polygon(&[[-5.0, 5.0], [15.0, 5.0], [5.0, 15.0]], SQUARE);
        let expected = [[0.0, 5.0], [10.0, 5.0], [10.0, 10.0], [0.0, 10.0]];
        let mut found = cut.clone();
        found.dedup();
        assert_eq!(found.len(), 4, "{cut:?}");
        assert!(expected.iter().all(|corner| found.contains(corner)), "{found:?}");
        assert!(polygon(&[[-5.0, 5.0], [-1.0, 5.0], [-5.0, 15.0]], SQUARE).is_empty());
        assert!(polygon(&[[f64::INFINITY, 5.0], [-1.0, 5.0], [-5.0, 15.0]], SQUARE).is_empty());
        assert!(polygon(&[], SQUARE).is_empty());
    }

    #[test]
    fn a_line_ends_at_the_edges() {
        let cut = |from, to| segment([from, to], SQUARE);
        assert_eq!(cut([-10.0, 5.0], [30.0, 5.0]), Some([[0.0, 5.0], [10.0, 5.0]]));
        assert_eq!(cut([5.0, 30.0], [5.0, 4.0]), Some([[5.0, 10.0], [5.0, 4.0]]));
        assert_eq!(cut([2.0, 3.0], [4.0, 5.0]), Some([[2.0, 3.0], [4.0, 5.0]]));
        assert_eq!(cut([-10.0, 11.0], [30.0, 11.0]), None);
        assert_eq!(cut([-10.0, 0.0], [5.0, 30.0]), None);
        for none in [f64::NAN, f64::INFINITY] {
            assert_eq!(cut([none, 5.0], [5.0, 5.0]), None);
        }
    }
}
