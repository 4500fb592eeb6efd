//! Cells from the least edge on upwards.

use super::scene::RADIUS;
use super::study::{digits, percent};
use super::{
    BenchError, Contestant, Entry, Plan, Progress, Section, Study, contest, crowd, rested,
};
use jostle_analysis::Table;
use jostle_core::search::{Kind, least_cell_size};
use jostle_model::{Model, measure};
use jostle_report::report::{Axis, Plot, Series, Style};

/// The edge that Result 1 of Johnson & Whalley (2002) asks for, the longest travel being the rms
/// step (all axes together): the least that a model may ask for. \[nm\]
fn least(model: &Model) -> f64 {
    least_cell_size(RADIUS, measure::longest_step(model))
}

fn contestants(plan: &Plan, model: &Model) -> Vec<Contestant> {
    let kinds = [(Kind::Cubic, "cubes"), (Kind::Slices, "slices")];
    let with_sizes = kinds.into_iter().flat_map(|(kind, name)| {
        let automatic = Contestant::plain(kind).named(&format!("{name}, automatic"));
        let sized = plan.cell_sizes.iter().map(move |factor| {
            let mut one = Contestant::plain(kind).named(&format!("{name}, {factor}"));
            one.search.cell_size = Some(factor * least(model));
            one
        });
        std::iter::once(automatic).chain(sized)
    });
    with_sizes.collect()
}

pub(super) fn study(plan: &Plan, progress: Progress<'_>) -> Result<Study, BenchError> {
    let mut entries = Vec::new();
    let mut sections = Vec::new();
    let mut series = Vec::new();
    for &packing in plan.packings.iter().filter(|packing| **packing >= 0.01) {
        progress(&format!("cell sizes: {} particles at {}", plan.particles, percent(packing)));
        let model = rested::<3>(crowd(3, plan.particles, packing)?)?;
        let found = contest::<3>(&model, &contestants(plan, &model), plan.effort(plan.particles))?;
        let caption = format!("{} particles at {}", plan.particles, percent(packing));
        sections.push(Section::new(&caption, table(&found)));
        for kind in [Kind::Cubic, Kind::Slices] {
            let of_kind = found.iter().filter(|entry| entry.contestant.search.kind == kind);
            let sized = of_kind.filter_map(|e| Some((e, e.contestant.search.cell_size?)));
            let points = sized.map(|(e, size)| [size / least(&model), 1e3 * e.least]);
            let name = if kind == Kind::Cubic { "cubes" } else { "slices" };
            let name = format!("{name}, {}", percent(packing));
            series.push(Series::new(&name, points.collect(), Style::LinePoints));
        }
        entries.extend(found);
    }
    let picture = Plot {
        title: format!("Cell size, {} particles", plan.particles),
        x: Axis::log("edge of a cell / least edge"),
        y: Axis::log("time per step [ms]"),
        series,
    };
    Ok(Study {
        name: "cell_size",
        title: "Cells from the least edge upwards. The least is 2 (r + rms step, all axes together); who \
                travels farther goes to the short list. Automatic cells suit all but the fastest n^(1/2) \
                particles. There are at most 8 cells for each particle, whatever size is asked for"
            .into(),
        sections,
        pictures: vec![("cell_size", picture)],
        entries,
    })
}

fn table(entries: &[Entry]) -> Table {
    let columns =
        ["edge / least", "time [ms]", "cells visited", "considered", "short-listed", "cells"];
    let mut table = Table::new(&columns);
    for entry in entries {
        let per_particle = |k: usize| digits(entry.work[k].1 / entry.particles as f64);
        let cells = entry.structure.split(", listed").next().unwrap_or_default();
        table.push_texts(vec![
            entry.contestant.name.clone(),
            digits(1e3 * entry.least),
            per_particle(0),
            per_particle(1),
            per_particle(6),
            cells.to_owned(),
        ]);
    }
    table
}
