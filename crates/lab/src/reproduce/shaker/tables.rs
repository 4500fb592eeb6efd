//! The findings as tables.

use super::ShakerFindings;
use super::mill::{AMPLITUDE, DURATION, FREQUENCY, Milled, strength};
use super::printed::SPEED;
use super::run::Counts;
use super::study::Results;
use super::verdict::{Comparison, Quantity};
use crate::reproduce::report::digits;
use crate::reproduce::structures::name_in_the_text;
use crate::reproduce::{PrintedVerdict, ReportSection, Sample};
use jostle_analysis::{Cell, Table};
use jostle_events::kinetic::KineticKind;

pub(super) fn sections(findings: &ShakerFindings) -> Vec<ReportSection> {
    let results = &findings.results;
    let mut all = vec![summary(findings)];
    let captions = [
        ("tables_1_3_5", "Tables 1, 3 and 5: collisions and predict-trajectory events", true),
        ("tables_2_4", "Tables 2 and 4: topological events and collision checks", false),
    ];
    for (name, caption, events) in captions {
        all.push(comparisons(name, caption, findings, events));
    }
    all.extend([starts(results), accounting(results), rankings(results), times(results)]);
    if !findings.milled.is_empty() {
        all.push(mill(&findings.milled));
    }
    all.push(runs(results));
    all
}

/// How many numbers are reproduced.
fn summary(findings: &ShakerFindings) -> ReportSection {
    let mut table =
        Table::new(&["quantity", "printed numbers", "reproduced", "differ", "not reproducible"]);
    let comparisons = findings.comparisons();
    let quantities = [
        Quantity::Collisions,
        Quantity::Predicted,
        Quantity::Topological,
        Quantity::Checks,
        Quantity::RatioOfChecks,
    ];
    for quantity in quantities {
        let of_it: Vec<&Comparison> =
            comparisons.iter().filter(|c| c.quantity == quantity).collect();
        let count = |verdict| of_it.iter().filter(|c| c.verdict == verdict).count();
        let verdicts =
            [PrintedVerdict::Reproduced, PrintedVerdict::Differs, PrintedVerdict::NotReproducible]
                .map(count);
        table.push([of_it.len()].into_iter().chain(verdicts).fold(
            vec![quantity.name().into()],
            |mut row: Vec<Cell>, count| {
                row.push(count.into());
                row
            },
        ));
    }
    let runs: usize = findings.results.iter().map(|r| r.trials.len() * r.kinds.len()).sum();
    ReportSection::new("summary", "What became of the printed numbers", table).remarks(vec![
        format!(
            "In {runs} runs all structures gave the same collisions and the same last state, bit for bit, for \
             each start."
        ),
        "Reproduced means: collisions within 25 % (in Table 5, or within three standard deviations of a run), \
         predict-trajectory events within 0.1 %, checks without a structure within 1 %, crossings and checks of \
         cells within 20 %, exchanges and checks of segments and of the triangulation within 25 %, ratios of \
         checks within 30 %."
            .to_owned(),
    ])
}

fn comparisons(
    name: &'static str,
    caption: &str,
    findings: &ShakerFindings,
    events: bool,
) -> ReportSection {
    let columns = [
        "column",
        "structure",
        "quantity",
        "printed",
        "ours",
        "sd",
        "ours/printed",
        "verdict",
        "reason",
    ];
    let mut table = Table::new(&columns);
    for c in findings.comparisons() {
        if events == matches!(c.quantity, Quantity::Collisions | Quantity::Predicted) {
            table.push_texts(vec![
                c.column.clone(),
                structure(c.structure),
                c.quantity.name().to_owned(),
                round(c.printed),
                round(c.ours.mean),
                digits(c.ours.deviation),
                format!("{:.3}", c.ours.mean / c.printed).replace("NaN", "-").replace("inf", "-"),
                c.verdict.name().to_owned(),
                c.reason,
            ]);
        }
    }
    ReportSection::new(name, caption, table)
}

fn structure(name: &str) -> String {
    let kind = KineticKind::parse(name);
    kind.and_then(name_in_the_text).unwrap_or(name).to_owned()
}

fn round(value: f64) -> String {
    if value.abs() < 1e3 { digits(value) } else { format!("{value:.0}") }
}

/// What starts were drawn, and what the printed collisions say of the speeds.
fn starts(results: &[Results]) -> ReportSection {
    let mut table = Table::new(&[
        "column",
        "packing printed (%)",
        "ours (%)",
        "sd",
        "cells along an edge",
        "speed implied (mm/s)",
        "implied if sizes start alike (mm/s)",
    ]);
    for r in results {
        let packing = Sample::of(r.trials.iter().map(|trial| 100.0 * trial.packing));
        let speed = |found: f64| SPEED * r.column.collisions / found;
        let alike =
            r.trials.iter().filter_map(|trial| trial.alike.map(|counts| counts.collisions()));
        table.push(vec![
            r.column.title().into(),
            (100.0 * r.column.packing).into(),
            format!("{:.1}", packing.mean).into(),
            format!("{:.1}", packing.deviation).into(),
            format!("{:.1}", r.sample(r.first_kind(), |counts| counts.cells).mean).into(),
            digits(speed(r.sample(r.first_kind(), Counts::collisions).mean)).into(),
            digits(speed(Sample::of(alike).mean)).into(),
        ]);
    }
    ReportSection::new("starts", "Starts, and the mean speeds that the printed collisions imply", table).remarks(vec![
        format!(
            "All runs have Maxwell velocities of mean speed {SPEED} mm/s. Collisions are proportional to \
             speed, so the printed number of collisions says which speed would give it."
        ),
        "Where sizes differ, speeds at the start are those of one temperature (small balls are faster); the last \
         column is for speeds that are alike for all sizes instead."
            .to_owned(),
    ])
}

/// How trajectory events are counted.
fn accounting(results: &[Results]) -> ReportSection {
    let mut table = Table::new(&[
        "column",
        "printed",
        "by the rule",
        "printed - rule",
        "on the grid",
        "Gavrilova & Rokne",
        "expected of that",
    ]);
    for r in results {
        let first = r.first_kind();
        let rule = r.predicted_by_rule().mean;
        let grid = r.sample(first, |counts| counts.tally.trajectory_events as f64).mean;
        let reset = |figure: fn(&Counts) -> f64| {
            Sample::of(r.trials.iter().map(|trial| figure(&trial.printed_algorithm))).mean
        };
        let expected = (r.column.balls as u64 * (r.column.steps() + 1)) as f64;
        table.push_texts(vec![
            r.column.title(),
            round(r.column.predicted),
            round(rule),
            format!("{:+.0}", r.column.predicted - rule),
            round(grid),
            round(reset(|counts| counts.tally.trajectory_events as f64)),
            round(
                expected + 0.5 * reset(|counts| counts.ball_collisions() - counts.balls_hit as f64),
            ),
        ]);
    }
    ReportSection::new("accounting", "Predict-trajectory events by three rules", table).remarks(vec![
        "By the rule: one for each ball and time step, less those in which the ball collided (as many of \
         them as the printed collisions would make); all balls keep a common clock. The printed numbers follow it."
            .to_owned(),
        "On the grid: the same clock, and no particle's event is left out. As printed in Gavrilova & Rokne 2002: a \
         collision is followed by a trajectory event at once, which sets the ball's clock anew; that gives more \
         events the more collisions there are, where the printed numbers are fewer. Each collision sets the \
         clock back by half an interval on average and adds an event, and a ball that collides at all loses \
         half an event at the end: N (T/dt + 1) + (b - h)/2, with b ball-collisions and h balls that are hit."
            .to_owned(),
    ])
}

/// The structures in the order of their checks and of their times.
fn rankings(results: &[Results]) -> ReportSection {
    let mut table = Table::new(&["column", "in order of", "printed", "ours"]);
    for r in results.iter().filter(|r| !r.column.rows.is_empty()) {
        let known: Vec<KineticKind> =
            r.kinds.iter().copied().filter(|kind| r.column.row(kind.name()).is_some()).collect();
        let printed = |figure: fn(&super::printed::PrintedRow) -> f64| {
            order(&known, |kind| r.column.row(kind.name()).map_or(f64::NAN, figure))
        };
        let checks = order(&known, |kind| r.sample(kind, |counts| counts.checks(kind.name())).mean);
        let times = order(&known, |kind| r.seconds(kind));
        for (what, printed, ours) in [
            ("checks", printed(|row| row.checks), checks),
            ("time", printed(|row| row.time), times),
        ] {
            table.push_texts(vec![r.column.title(), what.to_owned(), printed, ours]);
        }
    }
    ReportSection::new("rankings", "The structures from the least to the most", table)
}

fn order(kinds: &[KineticKind], figure: impl Fn(KineticKind) -> f64) -> String {
    let mut all: Vec<(KineticKind, f64)> = kinds.iter().map(|&kind| (kind, figure(kind))).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut text = String::new();
    for (n, (kind, value)) in all.iter().enumerate() {
        if n > 0 {
            text.push_str(if *value == all[n - 1].1 { " = " } else { " < " });
        }
        text.push_str(kind.name());
    }
    text
}

/// Times, in units of those without a structure.
fn times(results: &[Results]) -> ReportSection {
    let mut table = Table::new(&[
        "column",
        "structure",
        "ours (ms)",
        "ours/direct",
        "printed (s)",
        "printed/direct",
    ]);
    for r in results {
        let direct = r.seconds(KineticKind::Direct);
        let printed_direct = r.column.row("direct").map(|row| row.time);
        for &kind in &r.kinds {
            let row = r.column.row(kind.name());
            table.push(vec![
                r.column.title().into(),
                name_in_the_text(kind).unwrap_or(kind.name()).into(),
                digits(1e3 * r.seconds(kind)).into(),
                digits(r.seconds(kind) / direct).into(),
                row.map(|row| row.time).into(),
                row.zip(printed_direct).map(|(row, direct)| digits(row.time / direct)).into(),
            ]);
        }
    }
    ReportSection::new("times", "Elapsed times: only ratios can be compared", table).remarks(vec![
        "Ours are the least of all seeds. Beyond Tables 2 and 4 the paper shows times only as curves \
         (Figures 1 to 3). `levels` is not in the paper."
            .to_owned(),
    ])
}

fn mill(milled: &[Milled]) -> ReportSection {
    let mut table = Table::new(&[
        "sizes of",
        "structure",
        "ball-ball",
        "ball-wall",
        "topological",
        "checks",
        "time (ms)",
        "time/direct",
        "from the walls (J)",
        "lost (J)",
        "imbalance",
    ]);
    for m in milled {
        for (kind, c) in m.kinds.iter().zip(&m.counts) {
            table.push(vec![
                m.sizes.clone().into(),
                name_in_the_text(*kind).unwrap_or(kind.name()).into(),
                c.tally.collisions.into(),
                c.tally.wall_collisions.into(),
                c.topology.events.into(),
                format!("{:.0}", c.checks(kind.name())).into(),
                digits(1e3 * c.seconds).into(),
                digits(c.seconds / m.counts[0].seconds).into(),
                digits(1e-6 * c.wall_work).into(),
                digits(1e-6 * c.dissipated).into(),
                format!("{:.1e}", m.imbalance).into(),
            ]);
        }
    }
    ReportSection::new("mill", "The mill that the paper describes, at the sizes of its tables", table).remarks(vec![
        format!(
            "Gravity 9.81 m/s², a square box or an upright cylinder shaken vertically by {AMPLITUDE} mm at {FREQUENCY} Hz (at most {:.1} times \
             gravity), steel balls with viscoelastic restitution (0.93 for balls of 5 mm at 1 m/s), \
             {DURATION} s, one seed. All structures gave the same collisions and the same last state, bit for bit.",
            strength()
        ),
        "Imbalance: energy that the energy balance does not account for, as a share of what the walls gave.".to_owned(),
    ])
}

fn runs(results: &[Results]) -> ReportSection {
    let mut table = Table::new(&[
        "column",
        "seed",
        "structure",
        "packing",
        "ball-ball collisions",
        "ball-wall collisions",
        "busy ball-steps",
        "trajectory events",
        "topological events",
        "pair tests",
        "checks",
        "void",
        "time (ms)",
        "structure (bytes)",
        "results",
    ]);
    for r in results {
        for trial in &r.trials {
            for (kind, c) in r.kinds.iter().zip(&trial.counts) {
                table.push(vec![
                    r.column.title().into(),
                    trial.seed.into(),
                    kind.name().into(),
                    trial.packing.into(),
                    c.tally.collisions.into(),
                    c.tally.wall_collisions.into(),
                    c.busy_steps.into(),
                    c.tally.trajectory_events.into(),
                    c.topology.events.into(),
                    c.tally.pair_tests.into(),
                    c.checks(kind.name()).round().into(),
                    c.tally.void.into(),
                    (1e3 * c.seconds).into(),
                    c.bytes.into(),
                    format!("{:016x}", c.fingerprint).into(),
                ]);
            }
        }
    }
    ReportSection { long: true, ..ReportSection::new("runs", "Every run", table) }
}
