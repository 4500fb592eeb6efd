//! Boxes wider than half of a periodic axis: compared with all that move, by their places.

use super::{Changes, Neighbours, Sides, ordered};

/// The wide ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Wide {
    list: Vec<u32>,
    /// \[body\]
    is_wide: Vec<bool>,
}

impl Wide {
    /// Those of all bodies.
    pub(super) fn among(sides: &[Sides], periods: [Option<f64>; 2]) -> Self {
        let is_wide: Vec<bool> = sides.iter().map(|&sides| is_wide(sides, periods)).collect();
        let list = (0..sides.len() as u32).filter(|&body| is_wide[body as usize]).collect();
        Self { list, is_wide }
    }

    /// All of them.
    pub(super) fn list(&self) -> &[u32] {
        &self.list
    }

    /// Whether a body is one of them.
    #[inline]
    pub(super) fn has(&self, body: u32) -> bool {
        self.is_wide[body as usize]
    }

    /// Whether each body that has moved is wide if it was wide.
    pub(super) fn are_as_before(
        &self,
        moved: &[u32],
        sides: &[Sides],
        periods: [Option<f64>; 2],
    ) -> bool {
        moved.iter().all(|&body| is_wide(sides[body as usize], periods) == self.has(body))
    }

    /// Pairs of a wide body and another, of which one has moved: those that overlap and are not in
    /// the list, and those that do not and are. A pair may come twice.
    pub(super) fn judge(
        &self,
        moved: &[u32],
        sides: &[Sides],
        periods: [Option<f64>; 2],
        neighbours: &Neighbours,
    ) -> Changes {
        let mut changes = Changes::default();
        if self.list.is_empty() {
            return changes;
        }
        let mut look = |wide: u32, other: u32| {
            let overlap = overlap(sides[wide as usize], sides[other as usize], periods);
            if wide != other && overlap != neighbours.has([wide, other]) {
                changes[usize::from(!overlap)].push(ordered([wide, other]));
            }
        };
        for &body in moved {
            match self.has(body) {
                true => (0..sides.len() as u32).for_each(|other| look(body, other)),
                false => self.list.iter().for_each(|&wide| look(wide, body)),
            }
        }
        changes
    }
}

/// Whether a box is wider than half of a periodic axis.
fn is_wide(sides: Sides, periods: [Option<f64>; 2]) -> bool {
    sides
        .iter()
        .zip(periods)
        .any(|(side, period)| period.is_some_and(|p| side[1] - side[0] > 0.5 * p))
}

/// Whether two boxes overlap, images included.
pub(super) fn overlap(a: Sides, b: Sides, periods: [Option<f64>; 2]) -> bool {
    (0..2).all(|k| overlap_along(a[k], b[k], periods[k]))
}

fn overlap_along(a: [f64; 2], b: [f64; 2], period: Option<f64>) -> bool {
    let Some(period) = period else { return a[0] <= b[1] && b[0] <= a[1] };
    // How far the one begins behind the other, going round: within it, or so far that the other
    // begins within the one.
    let behind = (b[0] - a[0]).rem_euclid(period);
    behind <= a[1] - a[0] || period - behind <= b[1] - b[0]
}
