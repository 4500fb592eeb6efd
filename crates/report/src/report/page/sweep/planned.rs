//! What was planned, how far it is, and what failed.

use jostle_analysis::ask::Given;
use jostle_core::words::counted;
use jostle_sweep::{Keep, MeasureTable, Member, Noise, Plan, State, Tolerance};

use super::super::html::{Piece, table};
use super::links::Links;

/// Points that are listed.
const MOST_POINTS: usize = 200;
/// Failures that are told one by one.
const MOST_FAILURES: usize = 10;
/// Files that are linked to.
const MOST_LINKS: usize = 200;
/// Values of a key that are told one by one.
const MOST_VALUES: usize = 12;

/// What matters most, at the head of the page.
pub(super) fn glance(plan: &Plan, state: &State) -> Piece {
    let total = state.total();
    let mut pairs = vec![
        ("points", plan.points().len().to_string()),
        ("replicas of each", replicas(plan)),
        ("runs", plan.member_count().to_string()),
        ("done", (total.done + total.failed).to_string()),
    ];
    pairs.extend((total.failed > 0).then(|| ("failed", total.failed.to_string())));
    pairs.extend((total.missing > 0).then(|| ("not done yet", total.missing.to_string())));
    as_facts(pairs)
}

fn as_facts(pairs: Vec<(&str, String)>) -> Piece {
    Piece::Facts(pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// How many replicas points have.
fn replicas(plan: &Plan) -> String {
    let counts = || (0..plan.points().len()).map(|point| plan.replicas_of(point));
    match (counts().min().unwrap_or(0), counts().max().unwrap_or(0)) {
        (least, most) if least == most => most.to_string(),
        (least, most) => format!("{least} to {most}"),
    }
}

/// All that was planned.
pub(super) fn facts(plan: &Plan, model: &str) -> Piece {
    let keys: Vec<(String, String)> = (plan.keys().into_iter())
        .map(|key| (format!("values of {key}"), values(plan, key)))
        .collect();
    let mut pairs = vec![("model", model.to_owned())];
    pairs.extend(keys.iter().map(|(name, values)| (name.as_str(), values.clone())));
    pairs.push((
        "replicas",
        match plan.rounds() {
            0 => format!("{} of each point", plan.replicas()),
            rounds => format!(
                "{} of each point at first, {} in the end, added in {}",
                plan.replicas(),
                replicas(plan),
                counted(rounds as u64, "round")
            ),
        },
    ));
    pairs.push(("seeds", match plan.noise() {
        Noise::Independent => format!("independent, all from seed {}", plan.seed()),
        Noise::Common => format!(
            "common, all from seed {}: replicas with the same number share their noise at all points",
            plan.seed()
        ),
    }));
    let measures: Vec<String> = plan.measures.iter().map(measure).collect();
    pairs.push((
        "measured",
        if measures.is_empty() { "nothing".into() } else { measures.join("; ") },
    ));
    pairs.extend(plan.precision.as_ref().map(|precision| {
        let error = match precision.error {
            Tolerance::Relative(share) => format!("{share} of the mean"),
            Tolerance::Absolute(error) => format!("{error}"),
        };
        let text = format!(
            "standard error of {} in {} at most {error}, with at most {} replicas",
            precision.column, precision.table, precision.most
        );
        ("precision asked for", text)
    }));
    pairs.push((
        "output files kept",
        match plan.keep {
            Keep::None => "none",
            Keep::First => "that of the first replica of each point",
            Keep::Failed => "those of runs that failed",
            Keep::All => "all",
        }
        .into(),
    ));
    pairs.push(("threads of each run", plan.threads.max(1).to_string()));
    pairs.push(("planned by", format!("jostle {}", plan.program)));
    as_facts(pairs)
}

/// The different values of a key.
fn values(plan: &Plan, key: &str) -> String {
    let mut values: Vec<&str> = Vec::new();
    for value in plan.points().iter().filter_map(|point| point.value(key)) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    match values.len() {
        0..=MOST_VALUES => values.join(", "),
        count => format!("{}, .., {} ({count} values)", values[0], values[count - 1]),
    }
}

/// What is measured, with its options.
fn measure(measure: &MeasureTable) -> String {
    let option = |(key, given): &(String, Given)| match given {
        Given::Flag(yes) => format!("{key} = {yes}"),
        Given::Text(text) => format!("{key} = {text}"),
        Given::List(list) => format!("{key} = {}", list.join(" ")),
    };
    let mut options: Vec<String> = measure.options.iter().map(option).collect();
    options.extend(measure.name.as_ref().map(|name| format!("name = {name}")));
    match options.is_empty() {
        true => measure.what.clone(),
        false => format!("{} ({})", measure.what, options.join(", ")),
    }
}

/// The table of points, and the output files that are there.
pub(super) fn points(plan: &Plan, state: &State, links: &Links<'_>) -> Vec<Piece> {
    let keys = plan.keys();
    let mut heads = vec!["point"];
    heads.extend(&keys);
    heads.extend(["replicas", "done", "failed"]);
    let count = plan.points().len();
    let row = |n: usize| {
        let (point, at) = (&plan.points()[n], &state.points[n]);
        let mut row = vec![n.to_string()];
        row.extend(keys.iter().map(|key| point.value(key).unwrap_or("–").to_owned()));
        let done = at.done + at.failed;
        row.extend([plan.replicas_of(n).to_string(), done.to_string(), at.failed.to_string()]);
        row
    };
    let rows: Vec<Vec<String>> = (0..count.min(MOST_POINTS)).map(row).collect();
    let mut pieces = vec![table(&heads, rows)];
    if count > MOST_POINTS {
        pieces.push(Piece::Paragraph(format!("The first {MOST_POINTS} of {count} points.")));
    }
    pieces.extend(kept(plan, links));
    pieces
}

/// Links to the output files that were kept, if there are any.
fn kept(plan: &Plan, links: &Links<'_>) -> Vec<Piece> {
    let path = |member: Member| plan.kept_path(links.folder, member);
    let members = (0..plan.points().len()).flat_map(|point| plan.members_at(point));
    let there = members.map(|n| plan.member(n)).filter(|&member| path(member).exists());
    let mut there: Vec<Member> = match plan.keep {
        Keep::None => vec![],
        _ => there.take(MOST_LINKS + 1).collect(),
    };
    if there.is_empty() {
        return vec![];
    }
    let has_more = there.len() > MOST_LINKS;
    there.truncate(MOST_LINKS);
    let link = |&member: &Member| (member.file_name(), links.to(&path(member)));
    let mut pieces = vec![
        Piece::Heading("Output files".into()),
        Piece::Paragraph(
            "p stands for the point, r for the replica; jostle report makes a page of each.".into(),
        ),
        Piece::Links(there.iter().map(link).collect()),
    ];
    if has_more {
        pieces.push(Piece::Paragraph(format!("The first {MOST_LINKS}; the folder has more.")));
    }
    pieces
}

/// Why runs failed, and how each of them is run alone.
pub(super) fn failures(plan: &Plan, state: &State) -> Vec<Piece> {
    let row = |(member, why): &(Member, String)| {
        vec![
            member.point.to_string(),
            member.replica.to_string(),
            plan.points()[member.point].as_options(),
            member.seed.to_string(),
            why.trim().to_owned(),
        ]
    };
    let rows = state.failures.iter().take(MOST_FAILURES).map(row).collect();
    let mut pieces = vec![
        Piece::Paragraph(
            "jostle run of the model with these options and --seed repeats one of them.".into(),
        ),
        table(&["point", "replica", "options", "seed", "why"], rows),
    ];
    if state.failures.len() > MOST_FAILURES {
        let text = format!("The first {MOST_FAILURES} of {}.", state.failures.len());
        pieces.push(Piece::Paragraph(text));
    }
    pieces
}
