//! The page: one row per check, and for each its law, its numbers and the picture of theory and
//! measurement.

use super::super::{Outcome, Picture, Verdict};
use super::{Document, confidence, effort_name, largest_z, number, samples, z_text};
use jostle_report::report::html::{escaped, facts, figure, filled, page_style, paragraph};
use jostle_report::report::{Axis, Plot, Series, Style};

/// The page, whole: it needs no network.
pub fn page(document: &Document) -> String {
    let suite = &document.suite;
    let verdict = match suite.holds() {
        true => "Theory stands in every check.",
        false => "At least one check fails.",
    };
    filled(include_str!("page.html"), |name| match name {
        "version" => env!("CARGO_PKG_VERSION").to_owned(),
        "style" => page_style().to_owned() + include_str!("page.css"),
        "verdict" => verdict.to_owned(),
        "class" => if suite.holds() { "holds" } else { "fails" }.to_owned(),
        "glance" => glance(document),
        "confidence" => escaped(&confidence(suite)),
        "rows" => suite.outcomes.iter().map(row).collect(),
        "checks" => suite.outcomes.iter().map(section).collect(),
        _ => String::new(),
    })
}

fn glance(document: &Document) -> String {
    let Document { machine, suite, .. } = document;
    let fact = |name: &str, value: String| (name.to_owned(), value);
    facts(&[
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

/// The check in the table.
fn row(outcome: &Outcome) -> String {
    let Outcome { check, findings, seconds, .. } = outcome;
    format!(
        "<tr class=\"{}\"><td><a href=\"#{name}\">{name}</a></td><td>{}</td><td>{}</td><td class=\"number\">{}</td>\
         <td class=\"number\">{}</td><td>{}</td><td class=\"number\">{seconds:.1}</td></tr>\n",
        class(outcome.verdict()),
        check.group.name(),
        escaped(check.title),
        findings.findings.len(),
        largest_z(outcome),
        outcome.verdict().name(),
        name = check.name,
    )
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Fails | Verdict::Broken => "fails",
    }
}

/// All that is to be said of a check.
fn section(outcome: &Outcome) -> String {
    let Outcome { check, findings, error, .. } = outcome;
    let error = error.as_ref().map(|error| format!("It could not be carried out: {error}"));
    let remarks = error.iter().chain(&findings.remarks).map(|text| paragraph(text));
    let pictures = findings.pictures.iter().enumerate();
    let pictures = pictures.map(|(n, picture)| drawn(&format!("{}-{n}", check.name), picture));
    format!(
        "<section id=\"{}\"><h2>{}</h2>\n<p class=\"theory\">{}</p>\n<p class=\"note\">Source: {}</p>\n{}{}{}</section>\n",
        check.name,
        escaped(check.title),
        escaped(check.theory),
        escaped(check.source),
        pictures.collect::<String>(),
        numbers(outcome),
        remarks.collect::<String>(),
    )
}

/// The numbers of a check.
fn numbers(outcome: &Outcome) -> String {
    let rows = outcome.findings.findings.iter().map(|finding| {
        let error = if finding.is_exact() { String::new() } else { format!(" ± {:.1e}", finding.error) };
        let bias = if finding.bias > 0.0 { format!(" (may be off by {:.1e})", finding.bias) } else { String::new() };
        format!(
            "<tr class=\"{}\"><td>{}</td><td class=\"number\">{}{error}</td><td class=\"number\">{}{bias}</td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
            if finding.holds() { "holds" } else { "fails" },
            escaped(&finding.what),
            number(finding.measured, finding.error),
            number(finding.expected, finding.error),
            z_text(finding),
            samples(finding),
            escaped(&finding.statistic.name()),
        )
    });
    format!(
        "<div class=\"wide\"><table><thead><tr><th>what</th><th class=\"number\">measured</th>\
         <th class=\"number\">theory</th><th class=\"number\">z</th><th class=\"number\">samples</th>\
         <th>statistic</th></tr></thead><tbody>{}</tbody></table></div>\n",
        rows.collect::<String>()
    )
}

fn drawn(name: &str, picture: &Picture) -> String {
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
