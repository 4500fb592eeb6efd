//! Clusters: how many, how large, and how their sizes are distributed.

use std::collections::BTreeMap;

use super::super::super::figures;
use super::super::super::plot::{Axis, Plot, Series, Style};
use super::super::super::time_unit::TimeUnit;
use super::super::html::{Piece, figure, paragraph};
use super::Subject;
use jostle_analysis::{ClusterSizes, ReadError, Scope, SizesAt, cluster_sizes};
use jostle_core::words::{abridged, time_text};

pub(super) fn html(subject: &Subject<'_>, _: &mut Vec<String>) -> Result<Vec<Piece>, ReadError> {
    if !subject.species.is_empty() {
        let sizes = cluster_sizes(subject.reading, &subject.scope())?;
        let names = subject.species.join(", ");
        let said = format!("Clusters are as large as the number of their particles of {names}.");
        let mut pieces = of_sizes(subject, &sizes);
        pieces.insert(0, paragraph(&said));
        return Ok(pieces);
    }
    let all = cluster_sizes(subject.reading, &Scope::default())?;
    let names = subject.reading.species().iter();
    let joining: Vec<String> = names.filter(|name| !all.single.contains(name)).cloned().collect();
    // Obstacles and the like would outnumber the clusters.
    let sizes = match all.single.is_empty() || all.frames.iter().all(|at| at.largest() <= 1) {
        true => all.clone(),
        false => {
            let scope = Scope { species: joining, ..Scope::default() };
            cluster_sizes(subject.reading, &scope)?
        }
    };
    let mut pieces = of_sizes(subject, &sizes);
    if !all.single.is_empty() && pieces.len() > 1 {
        let names = abridged(all.single, "species").join(", ");
        pieces.insert(0, paragraph(&format!("Without particles that are always alone: {names}.")));
    }
    Ok(pieces)
}

/// The figures of some sizes.
fn of_sizes(subject: &Subject<'_>, sizes: &ClusterSizes) -> Vec<Piece> {
    let frames: Vec<&SizesAt> = sizes.frames.iter().filter(|at| at.count() > 0).collect();
    if frames.iter().all(|at| at.largest() <= 1) {
        return vec![paragraph("Every particle is alone, in every frame.")];
    }
    vec![number(&frames, subject.time_unit()), extent(sizes, subject), distribution(&frames)]
}

fn over_time(
    frames: &[&SizesAt],
    unit: TimeUnit,
    value: impl Fn(&SizesAt) -> f64,
) -> Vec<[f64; 2]> {
    frames.iter().map(|at| [unit.of(at.time), value(at)]).collect()
}

fn number(frames: &[&SizesAt], unit: TimeUnit) -> Piece {
    let alone = |at: &SizesAt| at.clusters.get(&1).copied().unwrap_or(0);
    let plot = Plot {
        title: String::new(),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear("number"),
        series: vec![
            Series::line(
                "clusters of two or more",
                over_time(frames, unit, |at| (at.count() - alone(at)) as f64),
            ),
            Series::line("particles alone", over_time(frames, unit, |at| alone(at) as f64)),
        ],
    };
    figure(
        "clusters",
        "Number of clusters",
        "Clusters of two or more particles, and particles that are alone, in every frame.",
        plot,
    )
}

fn extent(sizes: &ClusterSizes, subject: &Subject<'_>) -> Piece {
    let caption = "The largest cluster of each frame, the mean size of the cluster that a particle is in, and \
                   the mean over clusters. A particle alone is a cluster of one.";
    figure(
        "cluster_sizes",
        "Cluster sizes",
        caption,
        subject.adapted(figures::cluster_sizes(sizes)),
    )
}

/// Of the beginning, the middle and the end, a tenth of the frames each.
fn distribution(frames: &[&SizesAt]) -> Piece {
    let count = frames.len();
    let tenth = count.div_ceil(10);
    let mut stretches =
        vec![0..tenth, (count - tenth) / 2..(count + tenth) / 2, count - tenth..count];
    stretches.dedup();
    let series = stretches.into_iter().filter(|stretch| !stretch.is_empty()).map(|stretch| {
        let part = &frames[stretch];
        let mut sum: BTreeMap<u64, u64> = BTreeMap::new();
        for (size, clusters) in part.iter().flat_map(|at| &at.clusters) {
            *sum.entry(*size).or_default() += clusters;
        }
        let points = sum.iter().map(|(size, n)| [*size as f64, *n as f64 / part.len() as f64]);
        let span = [part[0], part[part.len() - 1]].map(|at| time_text(at.time));
        Series::new(&format!("{} – {}", span[0], span[1]), points.collect(), Style::LinePoints)
    });
    let plot = Plot {
        title: String::new(),
        x: Axis::log("particles in a cluster"),
        y: Axis::log("clusters per frame"),
        series: series.collect(),
    };
    let caption = "Mean number of clusters of each size in the first tenth of the frames, the middle tenth and \
                   the last. Sizes that do not occur have no point.";
    figure("size_distribution", "Distribution of sizes", caption, plot)
}
