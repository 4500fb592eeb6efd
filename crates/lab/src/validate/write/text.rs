//! What checks found, for eyes.

use std::fmt;

use super::super::{Check, Finding, Outcome, Verdict};
use super::{ValidationReport, confidence, effort_name, largest_z, number, samples, z_text};
use jostle_analysis::{Cell, Table};
use jostle_files::paragraph;

impl fmt::Display for ValidationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, suite, details } = self;
        writeln!(f, "jostle validate, {} form, seed {}", effort_name(suite.effort), suite.seed)?;
        writeln!(f, "{}", paragraph("", &format!("{machine}; {:.1} s", suite.seconds)))?;
        write!(f, "{}", overview(&suite.outcomes))?;
        for outcome in &suite.outcomes {
            let verdict = outcome.verdict();
            if *details || verdict != Verdict::Holds {
                write!(f, "\n{}", report(outcome, *details))?;
            }
        }
        write!(f, "\n{}", paragraph("", &format!("{}.", confidence(suite))))?;
        let failed = suite.outcomes.iter().filter(|outcome| outcome.verdict() != Verdict::Holds);
        let failed: Vec<_> = failed.map(|outcome| outcome.check.name).collect();
        match (failed.len(), suite.outcomes.len()) {
            (0, 1) => writeln!(f, "The check holds."),
            (0, all) => writeln!(f, "All {all} checks hold."),
            (bad, all) => writeln!(f, "{bad} of {all} checks fail: {}.", failed.join(", ")),
        }
    }
}

/// So much of a title has room in a row of a screen.
const TITLE: usize = 40;

/// A row for each check.
fn overview(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new(&["check", "what is tested", "findings", "max |z|", "verdict", "s"]);
    for outcome in outcomes {
        let Outcome { check, findings, seconds, .. } = outcome;
        table.push(vec![
            Cell::Text(check.name.into()),
            Cell::Text(shortened(check.title)),
            Cell::Integer(findings.findings.len() as i64),
            Cell::Text(largest_z(outcome)),
            Cell::Text(outcome.verdict().name().into()),
            Cell::Text(format!("{seconds:.1}")),
        ]);
    }
    table
}

/// A title, or as many of its words as there is room for.
fn shortened(title: &str) -> String {
    if title.chars().count() <= TITLE {
        return title.to_owned();
    }
    let mut short = String::new();
    for word in title.split(' ') {
        if short.chars().count() + word.chars().count() + 4 > TITLE {
            break;
        }
        short += word;
        short.push(' ');
    }
    short + "..."
}

/// A check with its law, and its findings: all, or those that fail.
fn report(outcome: &Outcome, all: bool) -> String {
    let Outcome { check, findings, error, .. } = outcome;
    let mut text = described(check, "");
    if let Some(error) = error {
        text += &paragraph("    It could not be carried out: ", error);
    }
    for finding in findings.findings.iter().filter(|finding| all || !finding.holds()) {
        text += &found(finding);
    }
    text + &findings.remarks.iter().map(|remark| paragraph("    ", remark)).collect::<String>()
}

/// A finding: what was measured, and under that the numbers.
fn found(finding: &Finding) -> String {
    let Finding { what, measured, expected, error, bias, .. } = finding;
    let verdict = if finding.holds() { "" } else { "FAILS  " };
    let [mut measured, mut expected] = [measured, expected].map(|value| number(*value, *error));
    if !finding.is_exact() {
        measured += &format!(" ± {error:.1e}");
    }
    if *bias > 0.0 {
        expected += &format!(" (may be off by {bias:.1e})");
    }
    let law = finding.statistic.name();
    let chance = match finding.is_exact() {
        true => law,
        false => format!("z {}, {} samples, {law}", z_text(finding), samples(finding)),
    };
    paragraph("    ", what)
        + &paragraph(
            &format!("        {verdict}"),
            &format!("{measured}; theory {expected}; {chance}"),
        )
}

/// What a check is about, by which law and whose.
fn described(check: &Check, remark: &str) -> String {
    let Check { name, group, title, theory, source, .. } = check;
    paragraph("", &format!("{name}, {}{remark}: {title}", group.name()))
        + &paragraph("    ", theory)
        + &paragraph("    Source: ", source)
}

/// What checks there are, with their laws and sources.
pub fn listed(checks: &[Check]) -> String {
    let form = |check: &Check| if check.quick { "" } else { " (only with --full, or by name)" };
    checks.iter().map(|check| described(check, form(check))).collect()
}
