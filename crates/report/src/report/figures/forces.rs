//! Figures of contact forces and of the stress that they are.

use super::TimeUnit;
use crate::report::{Axis, Plot, Series, Style};
use jostle_analysis::{ForceNetwork, NetworkAt, Stress, StressProfile, principal};
use jostle_core::words::length_in_unit;

/// How normal forces are spread about their mean.
pub fn force_distribution(found: &ForceNetwork) -> Plot {
    let bins = || found.density.iter().enumerate().filter(|(_, density)| density.mean > 0.0);
    let middle = |n: usize| 0.5 * (found.edges[n] + found.edges[n + 1]);
    let points = bins().map(|(n, density)| [middle(n), density.mean]).collect();
    let errors = bins().map(|(_, density)| density.error).collect();
    let far = bins().map(|(n, _)| middle(n)).fold(1.0, f64::max);
    // What independent, exponentially distributed forces would have.
    let guide = (0..=40).map(|n| f64::from(n) * far / 40.0).map(|x| [x, libm::exp(-x)]).collect();
    Plot {
        title: "Normal forces".into(),
        x: Axis::linear("normal force over its mean"),
        y: Axis::log("probability density"),
        series: vec![
            Series::new("measured", points, Style::LinePoints).errors(errors),
            Series::new("exponential", guide, Style::Dashed),
        ],
    }
}

/// How many contacts a body has, and how many contacts slide, over time.
pub fn coordination(found: &ForceNetwork) -> Plot {
    let unit = TimeUnit::for_all(found.times.iter().copied());
    let line = |name: &str, of: fn(&NetworkAt) -> f64| {
        let points = found.times.iter().zip(&found.frames);
        Series::line(name, points.map(|(&time, at)| [unit.of(time), of(at)]).collect())
    };
    Plot {
        title: "Contacts".into(),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear("number or share"),
        series: vec![
            line("contacts of a particle", |at| at.coordination),
            line("share of particles without contacts", |at| at.free),
            line("share of contacts that slide", |at| at.sliding),
            line("friction in use", |at| at.mobilisation),
        ],
    }
}

/// The components of the stress over time.
pub fn stress(found: &Stress) -> Plot {
    let unit = TimeUnit::for_all(found.times.iter().copied());
    let line = |name: &str, of: fn([f64; 4]) -> f64| {
        let points = found.times.iter().zip(&found.frames);
        Series::line(name, points.map(|(&time, &stress)| [unit.of(time), of(stress)]).collect())
    };
    Plot {
        title: "Stress".into(),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear("stress, compression positive [N/m]"),
        series: vec![
            line("xx", |s| s[0]),
            line("yy", |s| s[3]),
            line("xy", |s| 0.5 * (s[1] + s[2])),
            line("pressure", |s| principal(s).mean),
            line("deviator", |s| principal(s).deviator),
        ],
    }
}

/// The components of the stress along an axis, each in a band of standard errors.
pub fn stress_profile(found: &StressProfile) -> Plot {
    let far = found.bins.iter().map(|bin| bin.at).fold(0.0, f64::max);
    let (_, unit) = length_in_unit(far, far);
    let band = |name: &str, k: usize| {
        let points =
            found.bins.iter().map(|bin| [length_in_unit(bin.at, far).0, bin.stress[k].mean]);
        let errors = found.bins.iter().map(|bin| bin.stress[k].error);
        Series::new(name, points.collect(), Style::Band).errors(errors.collect())
    };
    Plot {
        title: format!("Stress along {}", ["x", "y"][found.axis]),
        x: Axis::linear(&format!("{} [{unit}]", ["x", "y"][found.axis])),
        y: Axis::linear("stress, compression positive [N/m]"),
        series: vec![band("xx", 0), band("yy", 3), band("xy", 1)],
    }
}
