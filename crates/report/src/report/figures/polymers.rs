//! Attraction, pressure and chains.

use super::{MOST_SERIES, TimeUnit, largest};
use crate::report::{Axis, Plot, Series};
use jostle_analysis::{ChainStatistics, PolymerShape, Polymers, PotentialEnergy, Pressure};

/// The energy of the potentials per particle, over time; where there are both, also that of pairs and that beside
/// surfaces.
pub fn potential_energy(found: &PotentialEnergy) -> Plot {
    let unit = TimeUnit::for_all(found.times.iter().copied());
    let line = |name: &str, energy: &dyn Fn(usize) -> f64| {
        let each = |frame: usize| energy(frame) / found.particles[frame].max(1) as f64;
        let points = found.times.iter().enumerate();
        Series::line(name, points.map(|(n, &time)| [unit.of(time), each(n)]).collect())
    };
    let pairs = line("all pairs", &|frame| found.energy[frame][0]);
    let fields = line("beside surfaces", &|frame| found.energy[frame][1]);
    let series = match [found.pairs.is_empty(), found.fields.is_empty()] {
        [false, false] => vec![line("all", &|frame| found.total_in(frame)), pairs, fields],
        [true, _] => vec![fields],
        [false, true] => vec![pairs],
    };
    Plot {
        title: "Potential energy".into(),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear("energy per particle [kT]"),
        series,
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
