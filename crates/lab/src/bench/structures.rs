//! Cubes and slices, pruned and not, levels, and cubes listed by touch or relinked by move, by
//! density and number of particles.

use super::study::{anatomy, digits, percent, pivot};
use super::{
    BenchError, Contestant, Entry, Plan, Progress, Section, Study, contest, crowd, rested,
};
use jostle_analysis::Table;
use jostle_core::search::{Kind, Listing, Relink};
use jostle_report::report::{Axis, Plot, Series, Style};

const CUBES: [&str; 2] = ["cubes", "cubes, pruned"];
const SLICES: [&str; 2] = ["slices", "slices, pruned"];

fn contestants() -> Vec<Contestant> {
    let cubes = || Contestant::plain(Kind::Cubic);
    let slices = || Contestant::plain(Kind::Slices);
    let mut touch = cubes().named("cubes by touch");
    touch.search.listing = Listing::Touch;
    let mut moved = cubes().named("cubes relinked by move");
    moved.search.relink = Relink::Move;
    vec![
        cubes().named(CUBES[0]),
        cubes().pruning().named(CUBES[1]),
        slices().named(SLICES[0]),
        slices().pruning().named(SLICES[1]),
        Contestant::plain(Kind::Levels),
        Contestant::plain(Kind::Endpoints),
        touch,
        moved,
    ]
}

pub(super) fn study(plan: &Plan, progress: Progress<'_>) -> Result<Study, BenchError> {
    let mut entries = Vec::new();
    for &packing in &plan.packings {
        let mut found = Vec::new();
        for &particles in &plan.few_sizes {
            progress(&format!("structures: {particles} particles at {}", percent(packing)));
            let model = rested::<3>(crowd(3, particles, packing)?)?;
            let which = plan.in_time(contestants(), &found, particles);
            found.extend(contest::<3>(&model, &which, plan.effort(particles))?);
        }
        entries.extend(found);
    }
    let row = |e: &Entry| format!("{}, {}", percent(e.packing), e.particles);
    let name = |e: &Entry| e.contestant.name.clone();
    let times = pivot("packing, bodies", &entries, row, name, |e| digits(1e3 * e.least));
    let by_size = |cell: &dyn Fn(&Entry) -> String| {
        let plain = entries.iter().filter(|e| e.contestant.name == SLICES[0]);
        pivot(
            "packing \\ particles",
            plain,
            |e| percent(e.packing),
            |e| e.particles.to_string(),
            cell,
        )
    };
    let mut sections = vec![
        Section::new("Least time per step [ms] (-: too long to be measured)", times),
        Section::new(
            "Slices against cubes, the faster of pruned and not: time ratio (above 1, slices lose)",
            by_size(&|e| against(&entries, e).map_or("-".into(), digits)),
        ),
        Section::new(
            "Does pruning pay? Pruned against not, ratios (below 1, it saves)",
            pruning(&entries),
        ),
    ];
    let middle = plan.few_sizes.get(plan.few_sizes.len() / 2).copied().unwrap_or_default();
    let chosen = entries.iter().filter(|entry| entry.particles == middle);
    let named = chosen.map(|e| (format!("{}, {}", percent(e.packing), e.contestant.name), e));
    sections.extend(anatomy(&format!("{middle} particles"), named));
    Ok(Study {
        name: "structures",
        title: "Search structures by density and number of particles, all with the event queue"
            .into(),
        sections,
        pictures: vec![
            ("slices", slices_picture(plan, &entries)),
            ("pruning", pruning_picture(plan, &entries)),
        ],
        entries,
    })
}

/// The entry of the contest that `entry` was in with the given name.
fn rival<'a>(entries: &'a [Entry], entry: &Entry, name: &str) -> Option<&'a Entry> {
    let same = |e: &&Entry| e.particles == entry.particles && e.packing == entry.packing;
    entries.iter().filter(same).find(|e| e.contestant.name == name)
}

/// The time of slices in units of that of cubes, in the contest that `entry` was in.
fn against(entries: &[Entry], entry: &Entry) -> Option<f64> {
    let best = |names: [&str; 2]| {
        let times = names.iter().filter_map(|name| rival(entries, entry, name));
        times.map(|e| e.least).reduce(f64::min)
    };
    Some(best(SLICES)? / best(CUBES)?)
}

fn pruning(entries: &[Entry]) -> Table {
    let mut table =
        Table::new(&["packing, bodies, structure", "time", "phase search", "cells visited"]);
    table.columns.push("pairs considered".into());
    for [plain, pruned] in [CUBES, SLICES] {
        for entry in entries.iter().filter(|e| e.contestant.name == plain) {
            let Some(other) = rival(entries, entry, pruned) else { continue };
            let work = |k: usize| digits(other.work[k].1 / entry.work[k].1);
            table.push_texts(vec![
                format!("{}, {}, {plain}", percent(entry.packing), entry.particles),
                digits(other.least / entry.least),
                digits(other.phases[2] / entry.phases[2]),
                work(0),
                work(1),
            ]);
        }
    }
    table
}

/// A line at 1 from the first to the last packing fraction.
fn even(plan: &Plan) -> Series {
    let ends = [plan.packings.first(), plan.packings.last()];
    let points = ends.into_iter().flatten().map(|packing| [100.0 * packing, 1.0]);
    Series::new("equal", points.collect(), Style::Dashed)
}

fn slices_picture(plan: &Plan, entries: &[Entry]) -> Plot {
    let of_size = |&particles: &usize| {
        let plain =
            entries.iter().filter(|e| e.contestant.name == SLICES[0] && e.particles == particles);
        let points = plain.filter_map(|e| Some([100.0 * e.packing, against(entries, e)?]));
        Series::new(&format!("{particles} particles"), points.collect(), Style::LinePoints)
    };
    Plot {
        title: "Slices against cubes: above the line, slices lose".into(),
        x: Axis::log("packing [%]"),
        y: Axis::log("time with slices / time with cubes"),
        series: plan.few_sizes.iter().map(of_size).chain([even(plan)]).collect(),
    }
}

fn pruning_picture(plan: &Plan, entries: &[Entry]) -> Plot {
    let mut series = Vec::new();
    for [plain, pruned] in [CUBES, SLICES] {
        for &particles in &plan.few_sizes {
            let of_size =
                entries.iter().filter(|e| e.contestant.name == plain && e.particles == particles);
            let points = of_size.filter_map(|e| {
                Some([100.0 * e.packing, rival(entries, e, pruned)?.least / e.least])
            });
            series.push(Series::new(
                &format!("{plain}, {particles}"),
                points.collect(),
                Style::LinePoints,
            ));
        }
    }
    series.push(even(plan));
    Plot {
        title: "Pruning: below the line, it pays".into(),
        x: Axis::log("packing [%]"),
        y: Axis::linear("time pruned / time not pruned"),
        series,
    }
}
