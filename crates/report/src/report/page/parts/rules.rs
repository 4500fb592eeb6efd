//! How often the rules applied, over time.

use std::collections::HashSet;

use super::super::super::plot::{Axis, Plot, Series};
use super::super::html::{Piece, figure, paragraph, table};
use super::{Subject, foremost};
use jostle_analysis::{Applied, ReadError, rules_applied};
use jostle_core::words::abridged;

/// Into how many equal stretches the run is divided.
const STRETCHES: usize = 200;

pub(super) fn html(subject: &Subject<'_>, _: &mut Vec<String>) -> Result<Vec<Piece>, ReadError> {
    let steps = subject.steps().max(1);
    let applied = rules_applied(subject.reading, steps, STRETCHES)?;
    let names = subject.reading.rules()?;
    let known: HashSet<&str> = applied.iter().map(|a| a.rule.as_str()).collect();
    let never: Vec<String> =
        names.iter().filter(|name| !known.contains(name.as_str())).cloned().collect();
    if applied.is_empty() {
        return Ok(vec![paragraph(match names.is_empty() {
            true => "The model has no rules: particles move and bounce.",
            false => "No rule has applied.",
        })]);
    }
    let row = |a: &Applied| vec![a.rule.clone(), a.kind.name().to_owned(), a.total().to_string()];
    let rows: Vec<_> = applied.iter().map(row).collect();
    let table = table(&["rule", "what happened", "times"], rows);
    let mut pieces = vec![cumulated(subject, applied), table];
    if !never.is_empty() {
        pieces.push(paragraph(&format!(
            "Without a change in the log: {}.",
            abridged(never, "rules").join(", ")
        )));
    }
    Ok(pieces)
}

fn cumulated(subject: &Subject<'_>, applied: Vec<Applied>) -> Piece {
    let unit = subject.time_unit();
    let width = unit.of(subject.span()) / STRETCHES as f64;
    let (shown, said) = foremost(applied, |a| a.total() as f64, "rules and outcomes");
    let series = shown.iter().map(|a| {
        let mut sum = 0;
        let mut points = vec![[0.0, 0.0]];
        for (k, count) in a.counts.iter().enumerate() {
            sum += count;
            points.push([(k + 1) as f64 * width, sum as f64]);
        }
        Series::line(&format!("{} ({})", a.rule, a.kind.name()), points)
    });
    let plot = Plot {
        title: String::new(),
        x: Axis::linear(&unit.label("time")),
        y: Axis::linear("times, since the start"),
        series: series.collect(),
    };
    let caption = format!(
        "How often each rule had applied by then, in brackets what it did. The slope is the rate of its \
         reaction in the whole box, per {}.{said}",
        unit.name
    );
    figure("rules", "Reactions", &caption, plot)
}
