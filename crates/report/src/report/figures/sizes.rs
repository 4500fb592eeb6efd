//! Cluster sizes.

use super::TimeUnit;
use crate::report::{Axis, Plot, Series, Style};
use jostle_analysis::{ClusterSizes, Estimate, SizeDistribution, SizeShare, SizesAt};

/// The mean size of the clusters, the mean size that a particle sees, and the largest, over time.
pub fn cluster_sizes(sizes: &ClusterSizes) -> Plot {
    let unit = TimeUnit::for_all(sizes.frames.iter().map(|at| at.time));
    let line = |name: &str, of: &dyn Fn(&SizesAt) -> f64| {
        Series::line(name, sizes.frames.iter().map(|at| [unit.of(at.time), of(at)]).collect())
    };
    Plot {
        title: "Cluster sizes".into(),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear("particles in the cluster"),
        series: vec![
            line("largest", &|at| at.largest() as f64),
            line("mean seen by a particle", &SizesAt::mean_by_particle),
            line("mean", &SizesAt::mean),
        ],
    }
}

/// The share of all clusters, and of all particles, by the size of the cluster; with standard
/// errors.
pub fn size_distribution(sizes: &SizeDistribution) -> Plot {
    let series = |name: &str, of: &dyn Fn(&SizeShare) -> Estimate| {
        let points = sizes.sizes.iter().map(|share| [share.size as f64, of(share).mean]).collect();
        let errors = sizes.sizes.iter().map(|share| of(share).error).collect();
        Series::new(name, points, Style::LinePoints).errors(errors)
    };
    let wide = sizes.sizes.last().is_some_and(|share| share.size > 30);
    let label = "particles in the cluster";
    Plot {
        title: "Distribution of cluster sizes".into(),
        x: if wide { Axis::log(label) } else { Axis::linear(label) },
        y: Axis::log("share, average over time"),
        series: vec![
            series("of clusters", &|s| s.of_clusters),
            series("of particles", &|s| s.of_bodies),
        ],
    }
}
