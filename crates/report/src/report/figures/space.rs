//! Where particles are: around each other and in the box.

use std::collections::BTreeSet;

use super::{MOST_SERIES, largest};
use crate::report::{Axis, HeatMap, Panels, Plot, Series, Style};
use jostle_analysis::{Along, Density, Jumps, RadialDistribution, SpeciesDensity};
use jostle_core::words::time_text;

/// So many clouds of points can be distinguished.
const MOST_CLOUDS: usize = 4;

/// g(r) of each pair of species, with standard errors; dashed, that of an ideal gas.
pub fn radial_distribution(found: &RadialDistribution) -> Plot {
    let counted =
        found.pairs.iter().map(|pair| pair.points.iter().map(|p| p.pairs).sum::<u64>() as f64);
    let of_pair = |n: usize| {
        let pair = &found.pairs[n];
        let name = format!("{} – {}", pair.species[0], pair.species[1]);
        let points = pair.points.iter().map(|p| [p.distance, p.g]).collect();
        let errors = pair.points.iter().map(|p| p.error).collect();
        Series::new(&name, points, Style::Band).errors(errors)
    };
    let mut series: Vec<Series> =
        largest(counted, MOST_SERIES - 1).into_iter().map(of_pair).collect();
    let farthest =
        found.pairs.iter().flat_map(|pair| &pair.points).map(|p| p.distance).fold(0.0, f64::max);
    series.push(Series::new("ideal gas", vec![[0.0, 1.0], [farthest, 1.0]], Style::Dashed));
    Plot {
        title: "Radial distribution function".into(),
        x: Axis::linear("distance of the centres [nm]"),
        y: Axis::linear("g(r)"),
        series,
    }
}

/// The density of each species along an axis or from the middle of the box, in a band of standard
/// errors; a panel for those in the box, and one for those on surfaces.
pub fn density(found: &Density) -> Panels {
    let dimensions: BTreeSet<usize> = found.species.iter().map(|one| one.dimension).collect();
    let title = "Density".to_owned();
    Panels { title, plots: dimensions.into_iter().rev().map(|d| density_in(found, d)).collect() }
}

/// The density of the species whose room has so many dimensions.
fn density_in(found: &Density, dimension: usize) -> Plot {
    let species: Vec<&SpeciesDensity> =
        found.species.iter().filter(|one| one.dimension == dimension).collect();
    let unit = species.first().map_or("", |one| one.unit().1);
    let mut series = Vec::new();
    for n in largest(species.iter().map(|one| one.particles), MOST_SERIES) {
        let (one, (factor, _)) = (species[n], species[n].unit());
        let points = one.bins.iter().map(|bin| [bin.at[0], bin.density.mean * factor]);
        let errors = one.bins.iter().map(|bin| bin.density.error * factor);
        // One bin is no line: that of a plane, across it.
        let bins = one.bins.iter().filter(|bin| !bin.density.mean.is_nan()).count();
        let style = if bins > 1 { Style::Band } else { Style::Points };
        let line = Series::new(&one.species, points.collect(), style);
        series.push(line.errors(errors.collect()));
    }
    let x = match found.along {
        Along::Axis(axis) => format!("{} [nm]", ["x", "y", "z"][axis.min(2)]),
        Along::Radius => "distance from the middle of the box [nm]".into(),
        Along::Map => "x, for each y [nm]".into(),
    };
    let where_to = if dimension < found.dimension { "Density on surfaces" } else { "Density" };
    Plot {
        title: where_to.into(),
        x: Axis::linear(&x),
        y: Axis::linear(&format!("density [{unit}]")),
        series,
    }
}

/// A map of the density of the species of which there is most.
pub fn density_map(found: &Density, edges: [f64; 2]) -> HeatMap {
    let most = found.species.iter().max_by(|a, b| a.particles.total_cmp(&b.particles));
    let (factor, unit) = most.map_or((1.0, ""), SpeciesDensity::unit);
    let bins: Vec<f64> =
        most.iter().flat_map(|one| &one.bins).map(|bin| bin.density.mean * factor).collect();
    let along = (bins.len() as f64).sqrt().round().max(1.0) as usize;
    HeatMap {
        title: most.map_or_else(String::new, |one| format!("Density of {}", one.species)),
        x: Axis::linear("x [nm]"),
        y: Axis::linear("y [nm]"),
        value: Axis::linear(&format!("density [{unit}]")),
        from_zero: true,
        span: edges.map(|edge| [0.0, edge]),
        marks: [vec![], vec![]],
        rows: bins.chunks(along).map(<[f64]>::to_vec).collect(),
    }
}

/// The distribution of displacements along an axis, in units of what free diffusion gives (or of
/// the root mean square, where the model gives no D), with standard errors; dashed, the Gaussian.
pub fn jumps(found: &Jumps) -> Plot {
    let mut series = Vec::new();
    let samples = found.entries.iter().map(|one| one.samples as f64);
    for n in largest(samples, MOST_CLOUDS) {
        let one = &found.entries[n];
        let width = one.free.unwrap_or(one.variance).sqrt();
        let points = one.bins.iter().map(|bin| [bin.displacement / width, bin.density * width]);
        let errors = one.bins.iter().map(|bin| bin.error * width);
        let name = format!("{}, {}", one.species, time_text(one.lag));
        series.push(Series::points(&name, points.collect()).errors(errors.collect()));
    }
    let gaussian = |x: f64| [x, libm::exp(-0.5 * x * x) / (2.0 * std::f64::consts::PI).sqrt()];
    let curve = (-45..=45).map(|n| gaussian(0.1 * f64::from(n))).collect();
    series.push(Series::new("Gaussian", curve, Style::Dashed));
    Plot {
        title: "Displacements along an axis".into(),
        x: Axis::linear("displacement / (2Dt)^½"),
        y: Axis::log("probability density"),
        series,
    }
}
