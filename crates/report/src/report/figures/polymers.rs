//! Attraction, pressure and chains.

use super::{MOST_SERIES, TimeUnit, largest};
use crate::report::{Axis, Plot, Series};
use jostle_analysis::{ChainStatistics, PolymerShape, Polymers, PotentialEnergy, Pressure};

/// The energy of the potentials per particle, over time.
pub fn potential_energy(found: &PotentialEnergy) -> Plot {
    let unit = TimeUnit::for_all(found.times.iter().copied());
    let points = found.times.iter().enumerate();
    let points = points.map(|(frame, &time)| [unit.of(time), found.per_particle_in(frame)]);
    Plot {
        title: "Potential energy".into(),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear("energy per particle [kT]"),
        series: vec![Series::line("all pairs", points.collect())],
    }
}

/// The compressibility factor over time.
pub fn pressure(found: &Pressure) -> Plot {
    let unit = TimeUnit::for_all(found.times.iter().copied());
    let points = found.times.iter().zip(&found.series);
    let points = points.map(|(&time, [_, _, factor])| [unit.of(time), *factor]);
    Plot {
        title: "Pressure over that without interactions".into(),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear("compressibility factor"),
        series: vec![Series::line("between frames", points.collect())],
    }
}

/// The root mean square distance of the ends and radius of gyration over time, of the most numerous
/// kinds of chains and rings.
pub fn polymers(found: &Polymers) -> Plot {
    let unit = TimeUnit::for_all(found.times.iter().copied());
    let numbers = found.kinds.iter().map(|kind| kind.number.mean);
    let line = |kind: &ChainStatistics, square: usize, what: &str| {
        let there = found.times.iter().zip(&kind.series).filter(|(_, (number, _))| *number > 0);
        let points = there.map(|(&time, (_, squares))| [unit.of(time), squares[square].sqrt()]);
        let shape = match kind.shape {
            PolymerShape::Chain => "chains",
            PolymerShape::Ring => "rings",
        };
        Series::line(&format!("{shape} of {}: {what}", kind.beads), points.collect())
    };
    let lines = |n: usize| {
        let kind = &found.kinds[n];
        let ends = kind.end_to_end.map(|_| line(kind, 0, "end to end"));
        ends.into_iter().chain([line(kind, 1, "radius of gyration")])
    };
    Plot {
        title: "Chains and rings, root mean squares".into(),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear("[nm]"),
        series: largest(numbers, MOST_SERIES / 2).into_iter().flat_map(lines).collect(),
    }
}
