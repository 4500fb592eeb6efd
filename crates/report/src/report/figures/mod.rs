//! The figures that go with the analyses, one file per family. Theory is a dashed line, errors are
//! standard errors or 95 % intervals as the analysis says, and a figure shows at most seven series.

mod answers;
mod contacts;
mod counts;
mod displacement;
mod forces;
mod kinetics;
mod mill;
mod polymers;
mod sizes;
mod space;

pub use answers::{of_answer, of_log};
pub use contacts::{
    contact_intervals, contact_map, contact_profile, contact_rates, meetings, rebinding_times,
};
pub use counts::counts;
pub use displacement::{
    diffusion_by_size, displacement_by_axis, displacement_by_size, mean_squared_displacement,
};
pub use forces::{coordination, force_distribution, stress, stress_profile};
pub use kinetics::{
    first_passage, lifetimes, mean_life_by_size, rates, survival, transition_map, transitions,
};
pub use mill::{energy, impact_spectrum};
pub use polymers::{polymers, potential_energy, pressure};
pub use sizes::{cluster_sizes, size_distribution};
pub use space::{density, density_map, jumps, radial_distribution};

use super::time_unit::TimeUnit;

/// A figure shows at most so many series.
const MOST_SERIES: usize = 7;

/// The places of the largest values, in their order, as many as a figure has room for.
fn largest(values: impl Iterator<Item = f64>, room: usize) -> Vec<usize> {
    let values: Vec<f64> = values.collect();
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    places.truncate(room);
    places.sort_unstable();
    places
}

/// A unit as it is printed: `nm²/µs` for `nm^2/us`.
pub(super) fn typeset(unit: &str) -> String {
    [("^2", "²"), ("^3", "³"), ("us", "µs"), ("um", "µm")]
        .into_iter()
        .fold(unit.to_owned(), |unit, (from, to)| unit.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_keep_their_order() {
        assert_eq!(largest([1.0, 9.0, 3.0, 4.0].into_iter(), 2), [1, 3]);
        assert_eq!(largest([2.0].into_iter(), 7), [0]);
    }
}
