//! Writes what checks found: text, JSON, a page.

mod page;
mod text;

pub use page::page;
pub use text::listed;

use serde_json::{Value, json};

use super::{Effort, Finding, Outcome, Statistic, Suite};
use crate::bench::Machine;

/// What checks found, and when and where.
#[derive(Clone, Debug)]
pub struct ValidationReport {
    /// When and where.
    pub machine: Machine,
    /// What was found.
    pub suite: Suite,
    /// Whether the text shows every finding, or only those that fail.
    pub details: bool,
}

impl ValidationReport {
    /// Everything, for programs.
    pub fn to_json(&self) -> Value {
        let Self { machine, suite, .. } = self;
        json!({
            "machine": machine,
            "effort": effort_name(suite.effort),
            "seed": suite.seed,
            "seconds": suite.seconds,
            "holds": suite.holds(),
            "findings_by_chance": suite.by_chance(),
            "false_alarm_rate": suite.false_alarm_rate(),
            "checks": suite.outcomes.iter().map(outcome_json).collect::<Vec<_>>(),
        })
    }
}

fn outcome_json(outcome: &Outcome) -> Value {
    let Outcome { check, findings, error, seconds } = outcome;
    json!({
        "name": check.name,
        "group": check.group.name(),
        "title": check.title,
        "theory": check.theory,
        "source": check.source,
        "verdict": outcome.verdict().name().to_lowercase(),
        "error": error,
        "seconds": seconds,
        "largest_z": outcome.largest_z(),
        "findings": findings.findings.iter().map(finding_json).collect::<Vec<_>>(),
        "remarks": findings.remarks,
    })
}

fn finding_json(finding: &Finding) -> Value {
    let Finding { what, measured, expected, error, bias, samples, statistic, z } = finding;
    let by_chance = !finding.is_exact();
    let false_alarm_rate = if by_chance { super::FALSE_ALARM_RATE } else { 0.0 };
    json!({
        "what": what,
        "measured": measured,
        "expected": expected,
        "standard_error": by_chance.then_some(error),
        "bias": bias,
        "samples": by_chance.then_some(samples),
        "statistic": statistic.name(),
        "tolerance": match statistic { Statistic::Exact { tolerance } => Some(tolerance), _ => None },
        "false_alarm_rate": false_alarm_rate,
        "z": by_chance.then_some(z),
        "holds": finding.holds(),
    })
}

fn effort_name(effort: Effort) -> &'static str {
    match effort {
        Effort::Quick => "quick",
        Effort::Full => "full",
    }
}

/// A number with as many digits as its error makes worth reading.
fn number(value: f64, error: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".into() } else { "not a number".into() };
    }
    let size = libm::log10(value.abs()).floor();
    let last = if error > 0.0 { libm::log10(error).floor() - 1.0 } else { size - 5.0 };
    let digits = (size - last).clamp(1.0, 9.0) as usize;
    if (-3.0..6.0).contains(&size) {
        let decimals = (-last).clamp(0.0, 12.0) as usize;
        return format!("{value:.decimals$}");
    }
    format!("{value:.digits$e}")
}

/// z with its sign, or how much of what is allowed is used up where chance has no part.
fn z_text(finding: &Finding) -> String {
    match finding.statistic {
        Statistic::Exact { .. } => "-".into(),
        _ if finding.z.abs() >= 37.0 => {
            format!("{}37 or more", if finding.z < 0.0 { "-" } else { "+" })
        }
        _ => format!("{:+.2}", finding.z),
    }
}

/// How many samples there are, where chance has a part.
fn samples(finding: &Finding) -> String {
    if finding.is_exact() { "-".into() } else { finding.samples.to_string() }
}

/// The largest z of a check, as a word.
fn largest_z(outcome: &Outcome) -> String {
    match outcome.largest_z() {
        _ if outcome.findings.findings.iter().all(Finding::is_exact) => "-".into(),
        z if z >= 37.0 => "37 or more".into(),
        z => format!("{z:.2}"),
    }
}

/// How many findings there are, and how sure one can be of them all.
fn confidence(suite: &Suite) -> String {
    let all = suite.outcomes.iter().map(|outcome| outcome.findings.findings.len()).sum::<usize>();
    let exact = all - suite.by_chance();
    let without = format!("Chance has no part in {exact} of {all} findings");
    match suite.by_chance() {
        0 => without,
        chance => format!(
            "{without}. Each of the other {chance} fails by chance with one of a million seeds: with at most {:.1e} of \
             all seeds any of them does",
            suite.false_alarm_rate()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_two_digits_beyond_their_error() {
        let found = [
            number(0.501_234_5, 1.2e-3),
            number(-8.0, 0.25),
            number(12_345.6, 7.0),
            number(3.2e-9, 0.0),
        ];
        assert_eq!(found, ["0.5012", "-8.00", "12345.6", "3.20000e-9"]);
        assert_eq!([number(0.0, 1.0), number(f64::NAN, 1.0)], ["0", "not a number"]);
    }
}
