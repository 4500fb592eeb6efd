//! Numbers of particles over time.

use super::{MOST_SERIES, TimeUnit, largest};
use crate::report::{Axis, Plot, Series};
use jostle_analysis::Counts;

/// The number of particles of each species over time; of many species, the most numerous.
pub fn counts(counts: &Counts) -> Plot {
    let unit = TimeUnit::for_all(counts.times.iter().copied());
    let most =
        counts.species.iter().map(|one| one.counts.iter().max().copied().unwrap_or(0) as f64);
    let line = |n: usize| {
        let one = &counts.species[n];
        let points =
            counts.times.iter().zip(&one.counts).map(|(&t, &count)| [unit.of(t), count as f64]);
        Series::line(&one.species, points.collect())
    };
    Plot {
        title: "Particles of each species".into(),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear("particles"),
        series: largest(most, MOST_SERIES).into_iter().map(line).collect(),
    }
}
