//! Schinner 1999, section 4: closest features.

use super::PolygonsPlan;
use crate::bench::polygons::distance::{CORNERS, Orbit, orbit};
use crate::reproduce::report::digits;
use crate::reproduce::{PrintedVerdict, ReportSection};
use jostle_analysis::Table;
use jostle_core::narrow::polygons::{Feature, FeatureCounters, Tracked, closest};
use jostle_core::space::{Polygon, Pose, Vector, centroid};

/// The curve of Figure 11 is nearly flat: ours may differ by so much of the time at four corners.
const FLAT: f64 = 0.3;

/// Pairs of features looked at per question, at most.
const FEATURES: f64 = 1.1;

pub(super) fn sections(plan: &PolygonsPlan) -> Vec<ReportSection> {
    let orbits = CORNERS.map(|corners| orbit(corners, 100, 20 * plan.steps[1]));
    vec![figure_10(), figure_11(&orbits)]
}

/// A square and a triangle beside it, on whose closest features the walk of Figure 10 leads: from
/// corner v1 of A and edge e1 of B to e1 of A and v1 of B.
fn walk() -> (Option<[Feature; 2]>, u64) {
    let square = Polygon::rectangle(2.0, 2.0);
    let corners = [Vector([1.5, 0.3]), Vector([2.5, -2.0]), Vector([3.5, 1.0])];
    let Ok(triangle) = Polygon::new(&corners) else { return (None, 0) };
    let [a, b] = [Vector::ZERO, centroid(&corners)].map(|place| Pose::new(place, 0.0));
    let mut tracked = Tracked::new([Feature::Vertex(1), Feature::Edge(0)]);
    let mut counters = FeatureCounters::default();
    let found = closest((&square, &a), (&triangle, &b), &mut tracked, &mut counters);
    (Some(found.features), counters.steps)
}

pub(super) fn figure_10() -> ReportSection {
    let mut table = Table::new(&["what", "printed", "ours", "verdict"]);
    let (features, steps) = walk();
    let ends = features == Some([Feature::Edge(1), Feature::Vertex(0)]);
    let found = if ends { "e1 of A, v1 of B" } else { "others" };
    let row = |what: &str, printed: &str, ours: String, holds: bool| {
        vec![what.to_owned(), printed.to_owned(), ours, PrintedVerdict::of(holds).name().to_owned()]
    };
    table.push_texts(row(
        "closest, from v1 of A and e1 of B",
        "e1 of A, v1 of B",
        found.to_owned(),
        ends,
    ));
    table.push_texts(row("iterations", "3", steps.to_string(), steps == 3));
    ReportSection::new("figure_10", "Figure 10: the walk to the closest features", table).remarks(vec![
        "The coordinates of the figure are not printed: this is a square and a triangle with that path."
            .to_owned(),
    ])
}

fn figure_11(orbits: &[Orbit; 6]) -> ReportSection {
    let mut table = Table::new(&[
        "corners",
        "time per question [ns]",
        "against 4 corners",
        "features",
        "life",
        "verdict",
    ]);
    let first = orbits[0].query;
    for (corners, orbit) in CORNERS.into_iter().zip(orbits) {
        let ratio = orbit.query / first;
        let holds = (ratio - 1.0).abs() < FLAT && orbit.steps < FEATURES;
        table.push_texts(vec![
            corners.to_string(),
            digits(orbit.query),
            digits(ratio),
            format!("{:.4}", orbit.steps),
            digits(orbit.life),
            PrintedVerdict::of(holds).name().to_owned(),
        ]);
    }
    ReportSection::new("figure_11", "Figure 11: the time of a question by the number of corners", table).remarks(vec![
        format!(
            "256 pairs that turn by 1.0 and 1.3 mrad and go round each other by 1 mrad per question. Reproduced: \
             the time is within {:.0} % of that at 4 corners, and fewer than {FEATURES} pairs of features are \
             looked at per question.",
            100.0 * FLAT
        ),
        "Life: how many questions a closest pair outlasts. It is as one over the number of corners, since so much \
         less turning leads to the next; \"up to 100 times\" as many changes, says the paper, whose slight rise \
         comes from them. The paper's times (200 MHz) are printed as a curve only."
            .to_owned(),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_10_takes_three_iterations() {
        assert_eq!(walk(), (Some([Feature::Edge(1), Feature::Vertex(0)]), 3));
    }
}
