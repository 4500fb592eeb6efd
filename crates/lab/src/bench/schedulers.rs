//! The event queue against the rescan, by density; with the rescan, cubes against slices as
//! printed.

use super::study::{anatomy, digits, percent, pivot};
use super::{
    BenchError, Contestant, Entry, Plan, Progress, Section, Study, contest, crowd, rested,
};
use jostle_core::search::{Kind, Relink};
use jostle_report::report::{Axis, Plot, Series, Style};

fn contestants() -> Vec<Contestant> {
    let mut a = Contestant::plain(Kind::Cubic).rescan().pruning().named("A (cubes), rescan");
    a.search.relink = Relink::Move;
    vec![
        Contestant::plain(Kind::Naive).rescan().named("naive, rescan"),
        a,
        Contestant::plain(Kind::Cubic).rescan().pruning().named("B (cubes), rescan"),
        Contestant::plain(Kind::Slices).rescan().pruning().named("C (slices), rescan"),
        Contestant::plain(Kind::Naive).named("naive, queue"),
        Contestant::plain(Kind::Cubic).named("cubes, queue"),
        Contestant::plain(Kind::Slices).named("slices, queue"),
    ]
}

pub(super) fn study(plan: &Plan, progress: Progress<'_>) -> Result<Study, BenchError> {
    let particles = plan.particles_for_rescan;
    let mut entries = Vec::new();
    for &packing in &plan.packings {
        progress(&format!("schedulers: {particles} particles at {}", percent(packing)));
        let model = rested::<3>(crowd(3, particles, packing)?)?;
        entries.extend(contest::<3>(&model, &contestants(), plan.effort(10 * particles))?);
    }
    let name = |e: &Entry| e.contestant.name.clone();
    let column = |e: &Entry| percent(e.packing);
    let times =
        pivot("least time per step [ms]", &entries, name, column, |e| digits(1e3 * e.least));
    let contacts =
        pivot("", &entries, |_| "contacts per step".into(), column, |e| digits(e.contacts));
    let mut sections = vec![
        Section::new(&format!("{particles} particles, by packing"), times),
        Section::new("What there was to settle", contacts),
    ];
    let named =
        entries.iter().map(|e| (format!("{}, {}", percent(e.packing), e.contestant.name), e));
    sections.extend(anatomy(&format!("{particles} particles"), named));
    Ok(Study {
        name: "schedulers",
        title: "The event queue against the rescan of all candidates at every contact (section 4.1 of the \
                source, with its distance bound), by density"
            .into(),
        sections,
        pictures: vec![("schedulers", picture(particles, &entries))],
        entries,
    })
}

fn picture(particles: usize, entries: &[Entry]) -> Plot {
    let series = contestants().into_iter().map(|one| {
        let of_one = entries.iter().filter(|entry| entry.contestant == one);
        let points = of_one.map(|entry| [100.0 * entry.packing, 1e3 * entry.least]);
        Series::new(&one.name, points.collect(), Style::LinePoints)
    });
    Plot {
        title: format!("Queue against rescan, {particles} particles"),
        x: Axis::log("packing [%]"),
        y: Axis::log("time per step [ms]"),
        series: series.collect(),
    }
}
