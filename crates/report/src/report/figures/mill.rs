//! Figures of granular runs.

use super::{MOST_SERIES, TimeUnit, largest};
use crate::report::{Axis, Plot, Series, Style};
use jostle_analysis::{EnergySeries, ImpactKind, Impacts};

/// The energy spectrum: how many impacts in a second lose how much, per factor of ten in energy,
/// for the kinds that lose most.
pub fn impact_spectrum(impacts: &Impacts) -> Plot {
    let lossy = || impacts.kinds.iter().filter(|kind| !kind.spectrum.is_empty());
    let chosen = largest(lossy().map(|kind| kind.energy[0]), MOST_SERIES);
    let line = |kind: &ImpactKind| {
        let decades = |edges: [f64; 2]| libm::log10(edges[1] / edges[0]);
        let density = |n: f64, edges| n / (impacts.lasted * decades(edges));
        let filled = || kind.spectrum.iter().filter(|bin| bin.impacts > 0);
        let middle = |edges: [f64; 2]| (edges[0] * edges[1]).sqrt();
        let point = |bin: &jostle_analysis::ImpactBin| {
            [middle(bin.edges), density(bin.impacts as f64, bin.edges)]
        };
        let error =
            |bin: &jostle_analysis::ImpactBin| density((bin.impacts as f64).sqrt(), bin.edges);
        let name = format!("{} – {}", kind.species, kind.partner);
        Series::new(&name, filled().map(point).collect(), Style::LinePoints)
            .errors(filled().map(error).collect())
    };
    let all: Vec<_> = lossy().collect();
    Plot {
        title: "Impact energy spectrum".into(),
        x: Axis::log("energy lost in an impact [J]"),
        y: Axis::log("impacts per time and decade of energy [/s]"),
        series: chosen.into_iter().map(|n| line(all[n])).collect(),
    }
}

/// The energy balance over time.
pub fn energy(series: &EnergySeries) -> Plot {
    let unit = TimeUnit::for_all(series.times.iter().copied());
    let line = |(name, values): (&str, &[f64])| {
        let points = series.times.iter().zip(values).map(|(&t, &value)| [unit.of(t), value]);
        Series::line(name, points.collect())
    };
    let reported =
        series.named().into_iter().filter(|(_, values)| values.iter().any(|value| *value != 0.0));
    Plot {
        title: "Where the energy is, was lost and came from".into(),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear("energy [J]"),
        series: reported.map(line).collect(),
    }
}
