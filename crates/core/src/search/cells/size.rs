//! How wide the cells are to be.

use crate::search::renewal::spared;
use crate::space::{Paths, Window};

/// The least edge of a cell that lets links be renewed once per step without any particle on the
/// short list, for particles of up to `largest_radius` that travel up to `travel` in a step: twice
/// the half width d of Result 1, d - r >= travel (Johnson & Whalley 2002, section 4.3). \[length\]
pub fn least_cell_size(largest_radius: f64, travel: f64) -> f64 {
    2.0 * (travel + largest_radius)
}

/// What [`least_cell_size`] says of particle `i` and its travel along an axis that is divided:
/// cells as wide suit it wherever it is in its own. \[length\]
#[inline]
pub(in crate::search) fn needed<const D: usize>(
    paths: &Paths<'_, D>,
    i: usize,
    divided: [bool; D],
    window: Window,
) -> f64 {
    let lasting = window.end - paths.since[i].max(window.start);
    let axes = (0..D).filter(|&k| divided[k]);
    let travel = axes.map(|k| (paths.velocity[i][k] * lasting).abs()).fold(0.0, f64::max);
    // One rounding is part of the cell condition, the other is for a place that has been rounded
    // into the cell next to its own.
    least_cell_size(paths.radius[i], travel + 2.0 * paths.domain.rounding())
}

/// The least edge of a cell that suits all but [`spared`] of the particles that need cells of the
/// given widths; 0 if there are none. \[length\]
///
/// The few that exceed it while near a face of their cell go to the short list, so that no draw
/// needs to be truncated and some large particles do not widen the cells of all.
pub(in crate::search) fn suitable(needed: &mut [f64]) -> f64 {
    let n = needed.len();
    if n == 0 {
        return 0.0;
    }
    // As a rule all are alike.
    if needed.iter().all(|width| *width == needed[0]) {
        return needed[0];
    }
    // Linear, by selection instead of sorting. About the root of n are spared, so testing all of
    // them against each other takes linear time as well.
    let typical = n - 1 - spared(n).min(n - 1);
    *needed.select_nth_unstable_by(typical, f64::total_cmp).1
}

/// How many times wider the cells of all but [`spared`] of the living particles must be than half
/// of them need, by their sizes alone.
pub(in crate::search) fn spread<const D: usize>(paths: &Paths<'_, D>) -> f64 {
    let living = (0..paths.len()).filter(|&i| paths.alive[i]);
    let mut sizes: Vec<f64> = living.map(|i| paths.radius[i]).collect();
    if sizes.is_empty() {
        return 1.0;
    }
    let middle = sizes.len() / 2;
    let large = suitable(&mut sizes);
    large / *sizes.select_nth_unstable_by(middle, f64::total_cmp).1
}
