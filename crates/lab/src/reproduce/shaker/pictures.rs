//! Figures 1 to 3: elapsed time against packing and against the number of balls.

use super::study::Results;
use crate::reproduce::structures::contestants;
use jostle_report::report::{Axis, Plot, Series, Sheet, Style};

pub(super) fn drawings(results: &[Results]) -> Vec<(&'static str, Sheet)> {
    let figures = [
        (1, "figure1", "Figure 1: time, balls of one size", "packing (%)"),
        (3, "figure2", "Figure 2: time, balls of many sizes", "packing (%)"),
        (5, "figure3", "Figure 3: time, 5 to 10 mm", "number of balls"),
    ];
    let drawn =
        figures.map(|(table, name, title, x)| (name, plot(results, table, title, x).draw()));
    drawn.into_iter().collect()
}

fn plot(results: &[Results], table: u8, title: &str, x: &str) -> Plot {
    let of_table = || results.iter().filter(|r| r.column.table == table);
    let across = |r: &Results| match table {
        5 => r.column.balls as f64,
        _ => 100.0 * r.column.packing,
    };
    let series = contestants(2).into_iter().map(|kind| {
        let points = of_table().map(|r| [across(r), 1e3 * r.seconds(kind)]).collect();
        Series::new(kind.name(), points, Style::LinePoints)
    });
    Plot {
        title: title.to_owned(),
        x: Axis::linear(x),
        y: Axis::log("elapsed time (ms)"),
        series: series.collect(),
    }
}
