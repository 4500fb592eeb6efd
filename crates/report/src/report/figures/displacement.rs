//! Mean squared displacements and diffusion coefficients.

use super::{MOST_SERIES, TimeUnit, largest};
use crate::report::{Axis, Plot, Series, Style};
use jostle_analysis::{Displacement, Displacements, Walker};
use jostle_core::words::digits;

/// The mean squared displacement of each species against the lag, with standard errors; dashed,
/// 2 d D t for the diffusion coefficients of the model.
pub fn mean_squared_displacement(found: &Displacements) -> Plot {
    let mut plot = against_lag("Mean squared displacement", &found.by_species, MOST_SERIES - 2);
    let unit = unit(&found.by_species);
    let model = found.by_species.iter().filter_map(|one| Some((one.free?, one.dimension)));
    let mut coefficients: Vec<(f64, usize)> = model.filter(|(d, _)| *d > 0.0).collect();
    coefficients.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    coefficients.dedup();
    let lags = found.by_species.iter().flat_map(|one| &one.points).map(|point| point.lag);
    let (low, high) =
        lags.fold((f64::INFINITY, 0.0), |(low, high), lag| (lag.min(low), lag.max(high)));
    for (d, dimension) in
        coefficients.into_iter().take(MOST_SERIES - plot.series.len().min(MOST_SERIES))
    {
        let at = |lag: f64| [unit.of(lag), 2.0 * dimension as f64 * d * lag];
        let name = format!("{}Dt, D = {} µm²/s", 2 * dimension, digits(d, 3));
        plot.series.push(Series::new(&name, vec![at(low), at(high)], Style::Dashed));
    }
    plot
}

/// The mean squared displacement along each axis of each species that drifts or is confined along one.
pub fn displacement_by_axis(found: &Displacements) -> Option<Plot> {
    let is_odd = |one: &&Displacement| {
        one.drift.iter().any(Option::is_some) || one.levels.iter().any(Option::is_some)
    };
    let odd: Vec<&Displacement> = found.by_species.iter().filter(is_odd).collect();
    let unit = unit(&found.by_species);
    let along = |one: &Displacement, axis: usize| {
        let name = format!("{} along {}", one.of, ["x", "y", "z"][axis]);
        let points = one.points.iter().map(|p| [unit.of(p.lag), p.along[axis].square]).collect();
        let errors = one.points.iter().map(|point| point.along[axis].square_error).collect();
        Series::points(&name, points).errors(errors)
    };
    let series = odd.iter().flat_map(|one| (0..one.axes).map(|axis| along(one, axis)));
    (!odd.is_empty()).then(|| Plot {
        title: "Mean squared displacement along each axis".into(),
        x: Axis::log(&unit.label("lag")),
        y: Axis::log("⟨Δx²⟩ [nm²]"),
        series: series.take(MOST_SERIES).collect(),
    })
}

/// The mean squared displacement of the centres of clusters by their size, with standard errors.
pub fn displacement_by_size(found: &Displacements) -> Plot {
    against_lag("Mean squared displacement by cluster size", &found.by_size, MOST_SERIES)
}

/// The fitted diffusion coefficient against the size of the cluster, with standard errors; dashed,
/// D(1)/n of free draining.
pub fn diffusion_by_size(found: &Displacements) -> Plot {
    let fits = || {
        found.by_size.iter().filter_map(|one| match (&one.of, &one.fit) {
            (Walker::Size(size), Some(fit)) => Some((*size as f64, fit)),
            _ => None,
        })
    };
    let points = fits().map(|(size, fit)| [size, fit.diffusion]).collect();
    let errors = fits().map(|(_, fit)| fit.diffusion_error).collect();
    let mut series = vec![Series::points("fitted D", points).errors(errors)];
    if let Some((size, fit)) = fits().next() {
        let line = fits().map(|(n, _)| [n, fit.diffusion * size / n]).collect();
        series.push(Series::new("in proportion to 1/n", line, Style::Dashed));
    }
    Plot {
        title: "Diffusion coefficient by cluster size".into(),
        x: Axis::log("particles in the cluster"),
        y: Axis::log("D [µm²/s]"),
        series,
    }
}

fn unit(all: &[Displacement]) -> TimeUnit {
    TimeUnit::for_all(all.iter().flat_map(|one| &one.points).map(|point| point.lag))
}

fn against_lag(title: &str, all: &[Displacement], room: usize) -> Plot {
    let unit = unit(all);
    // What never moves has no place on logarithmic axes.
    let moves = |one: &&Displacement| one.points.iter().any(|point| point.value > 0.0);
    let all: Vec<&Displacement> = all.iter().filter(moves).collect();
    let samples =
        all.iter().map(|one| one.points.iter().map(|point| point.samples).sum::<u64>() as f64);
    let points = |n: usize| {
        let points = all[n].points.iter().map(|point| [unit.of(point.lag), point.value]);
        let series = Series::points(&all[n].of.to_string(), points.collect());
        series.errors(all[n].points.iter().map(|point| point.error).collect())
    };
    Plot {
        title: title.into(),
        x: Axis::log(&unit.label("lag")),
        y: Axis::log("⟨Δr²⟩ [nm²]"),
        series: largest(samples, room).into_iter().map(points).collect(),
    }
}
