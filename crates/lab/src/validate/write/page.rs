//! The page: one row per check, and for each its law, its numbers and the picture of theory and
//! measurement.

use askama::Template;

use super::super::{Outcome, Picture, Suite, Verdict};
use super::{ValidationReport, effort_name};
use jostle_report::report::html::{Piece, STYLE, figure};
use jostle_report::report::{Axis, Plot, Series, Style};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How this page looks beyond what all pages have in common.
const OWN_STYLE: &str = include_str!("page.css");

/// What the page is filled with.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    suite: &'a Suite,
    glance: Piece,
}

/// The page, whole: it needs no network.
pub fn page(document: &ValidationReport) -> String {
    Page { suite: &document.suite, glance: glance(document) }.to_string()
}

fn glance(document: &ValidationReport) -> Piece {
    let ValidationReport { machine, suite, .. } = document;
    let fact = |name: &str, value: String| (name.to_owned(), value);
    Piece::Facts(vec![
        fact("form", effort_name(suite.effort).into()),
        fact("seed", suite.seed.to_string()),
        fact("checks", suite.outcomes.len().to_string()),
        fact("took", format!("{:.0} s", suite.seconds)),
        fact("day", machine.date.clone()),
        fact("processor", machine.processor.clone()),
        fact("threads", machine.threads.to_string()),
        fact("program", format!("jostle {} ({})", machine.version, machine.build)),
    ])
}

fn class(holds: bool) -> &'static str {
    if holds { "holds" } else { "fails" }
}

/// The pictures of theory and measurement.
fn figures(outcome: &Outcome) -> Vec<Piece> {
    let pictures = outcome.findings.pictures.iter().enumerate();
    pictures.map(|(n, picture)| drawn(&format!("{}-{n}", outcome.check.name), picture)).collect()
}

fn drawn(name: &str, picture: &Picture) -> Piece {
    let axis =
        |(label, log): &(String, bool)| if *log { Axis::log(label) } else { Axis::linear(label) };
    let series = picture.curves.iter().map(|curve| {
        let style = if curve.theory { Style::Line } else { Style::Points };
        Series::new(&curve.name, curve.points.clone(), style).errors(curve.errors.clone())
    });
    let plot = Plot {
        title: String::new(),
        x: axis(&picture.x),
        y: axis(&picture.y),
        series: series.collect(),
    };
    figure(name, &picture.title, "", plot)
}
