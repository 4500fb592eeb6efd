//! What checks found, for eyes.

use std::fmt;

use super::super::{Check, Outcome, Verdict};
use super::{Document, confidence, effort_name, largest_z, number, samples, z_text};
use crate::analysis::{Cell, Table};

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, suite, details } = self;
        writeln!(f, "jostle validate, {} form, seed {}", effort_name(suite.effort), suite.seed)?;
        writeln!(f, "{machine}; {:.1} s\n", suite.seconds)?;
        write!(f, "{}", overview(&suite.outcomes))?;
        for outcome in &suite.outcomes {
            let verdict = outcome.verdict();
            if *details || verdict != Verdict::Holds {
                write!(f, "\n{}", told(outcome, *details))?;
            }
        }
        writeln!(f, "\n{}.", confidence(suite))?;
        let failed = suite.outcomes.iter().filter(|outcome| outcome.verdict() != Verdict::Holds);
        let failed: Vec<_> = failed.map(|outcome| outcome.check.name).collect();
        match (failed.len(), suite.outcomes.len()) {
            (0, 1) => writeln!(f, "The check holds."),
            (0, all) => writeln!(f, "All {all} checks hold."),
            (bad, all) => writeln!(f, "{bad} of {all} checks fail: {}.", failed.join(", ")),
        }
    }
}

/// A row for each check.
fn overview(outcomes: &[Outcome]) -> Table {
    let mut table =
        Table::new(&["check", "engine", "what is tested", "findings", "largest |z|", "verdict", "s"]);
    for outcome in outcomes {
        let Outcome { check, findings, seconds, .. } = outcome;
        table.push(vec![
            Cell::Text(check.name.into()),
            Cell::Text(check.group.name().into()),
            Cell::Text(check.title.into()),
            Cell::Integer(findings.findings.len() as i64),
            Cell::Text(largest_z(outcome)),
            Cell::Text(outcome.verdict().name().into()),
            Cell::Text(format!("{seconds:.1}")),
        ]);
    }
    table
}

/// A check with its law, and its findings: all, or those that fail.
fn told(outcome: &Outcome, all: bool) -> String {
    let Outcome { check, findings, error, .. } = outcome;
    let mut text =
        format!("{}: {}\n  {}\n  Source: {}\n", check.name, check.title, check.theory, check.source);
    if let Some(error) = error {
        text += &format!("  It could not be carried out: {error}\n");
    }
    let mut table =
        Table::new(&["what", "measured", "standard error", "theory", "z", "samples", "statistic", ""]);
    for finding in findings.findings.iter().filter(|finding| all || !finding.holds()) {
        table.push_texts(vec![
            finding.what.clone(),
            number(finding.measured, finding.error),
            if finding.is_exact() { "-".into() } else { format!("{:.1e}", finding.error) },
            number(finding.expected, finding.error),
            z_text(finding),
            samples(finding),
            finding.statistic.name(),
            if finding.holds() { String::new() } else { "FAILS".into() },
        ]);
    }
    if !table.rows.is_empty() {
        text += &table.to_string().lines().map(|line| format!("    {line}\n")).collect::<String>();
    }
    text + &findings.remarks.iter().map(|remark| format!("    {remark}\n")).collect::<String>()
}

/// What checks there are, with their laws and sources.
pub fn listed(checks: &[Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let form = if check.quick { "" } else { " (only with --full, or by name)" };
        text += &format!("{}, {}{form}: {}\n", check.name, check.group.name(), check.title);
        text += &format!("    {}\n    Source: {}\n", check.theory, check.source);
    }
    text
}
