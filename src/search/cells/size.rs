//! How wide the cells are to be.

use crate::space::{Paths, Window};

/// The least edge of a cell that lets links be renewed once per step without any body on the short
/// list, for bodies of up to `largest_radius` that travel up to `travel` in a step: twice the half
/// width d of Result 1, d - r >= travel (Johnson & Whalley 2002, section 4.3). \[length\]
pub fn least_cell_size(largest_radius: f64, travel: f64) -> f64 {
    2.0 * (travel + largest_radius)
}

/// How many of `bodies` may be too fast or too large for the cells: so many can be tested against
/// each other in linear time.
pub(super) fn spared(bodies: usize) -> usize {
    bodies.isqrt()
}

/// The least edge of a cell that suits all but [`spared`] of the given bodies, wherever they are in
/// their cells: what [`least_cell_size`] says of the body that has the largest extent (radius and
/// travel along an axis that is divided) when the spared ones are left out. \[length\]
///
/// The few that exceed it while near a face of their cell go to the short list, so that no draw
/// needs to be truncated and some large bodies do not widen the cells of all.
pub(super) fn suitable<const D: usize>(
    paths: &Paths<'_, D>,
    bodies: impl Iterator<Item = usize>,
    divided: [bool; D],
    window: Window,
) -> f64 {
    let mut widths: Vec<f64> = bodies
        .map(|i| {
            let lasting = window.end - paths.since[i].max(window.start);
            let axes = (0..D).filter(|&k| divided[k]);
            let travel = axes.map(|k| (paths.velocity[i][k] * lasting).abs());
            let travel = travel.fold(0.0, f64::max);
            least_cell_size(paths.radius[i], travel + 2.0 * paths.domain.rounding())
        })
        .collect();
    let n = widths.len();
    if n == 0 {
        return 0.0;
    }
    let typical = n - 1 - spared(n).min(n - 1);
    *widths.select_nth_unstable_by(typical, f64::total_cmp).1
}
