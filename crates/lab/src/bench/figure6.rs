//! Figure 6 of Johnson & Whalley 2002: time per whole step against the number of particles.

use super::study::{anatomy, digits, pivot};
use super::{
    BenchError, Contestant, Entry, Plan, Progress, Section, Study, contest, crowd, rested,
};
use jostle_core::search::{Kind, Listing, Relink};
use jostle_report::report::{Axis, Plot, Series, Style};

/// Johnson & Whalley do not say how dense their particles were.
const PACKING: f64 = 0.01;

/// What the others are compared with.
const NAIVE: &str = "naive";
const DEFAULT: &str = "cubes, queue";

/// The algorithms of Johnson & Whalley (2002), with their scheduler, then ours.
fn contestants() -> Vec<Contestant> {
    let mut section_3 = Contestant::plain(Kind::Cubic).rescan().named("section 3");
    (section_3.search.relink, section_3.search.listing) = (Relink::Move, Listing::Touch);
    let mut a = Contestant::plain(Kind::Cubic).rescan().pruning().named("A (cubes)");
    a.search.relink = Relink::Move;
    vec![
        Contestant::plain(Kind::Naive).rescan().named(NAIVE),
        section_3,
        a,
        Contestant::plain(Kind::Cubic).rescan().pruning().named("B (cubes)"),
        Contestant::plain(Kind::Slices).rescan().pruning().named("C (slices)"),
        Contestant::plain(Kind::Cubic).named(DEFAULT),
        Contestant::plain(Kind::Auto).named("auto, queue"),
    ]
}

pub(super) fn study(plan: &Plan, progress: Progress<'_>) -> Result<Study, BenchError> {
    let mut entries: Vec<Entry> = Vec::new();
    for &particles in &plan.sizes {
        let which = plan.in_time(contestants(), &entries, particles);
        progress(&format!("Figure 6: {particles} particles"));
        let model = rested::<3>(crowd(3, particles, PACKING)?)?;
        entries.extend(contest::<3>(&model, &which, plan.effort(particles))?);
    }
    Ok(Study {
        name: "figure6",
        title: "Figure 6 of Johnson & Whalley 2002: time per whole step against the number of particles. \
                Spheres that fill 1 % of the space and move 0.1 of their radius per step (rms along each \
                axis). Naive, section 3 (cells listed by touch, relinked with every move, not pruned), A, B \
                and C as printed, with the rescan at every contact; cubes (relinked once per step, listed by \
                centre, not pruned) and auto with our event queue. auto does 24 steps first, in which it chooses"
            .into(),
        sections: sections(&entries),
        pictures: vec![("figure6", picture(&entries))],
        entries,
    })
}

fn sections(entries: &[Entry]) -> Vec<Section> {
    let name = |entry: &Entry| entry.contestant.name.clone();
    let particles = |entry: &Entry| entry.particles.to_string();
    let of = |entry: &Entry, which: &str| {
        let same =
            |other: &&Entry| other.particles == entry.particles && other.contestant.name == which;
        entries.iter().find(same).map(|other| other.least)
    };
    let ratio = |entry: &Entry, which: &str| {
        of(entry, which).map_or("-".into(), |time| digits(entry.least / time))
    };
    let milliseconds = |seconds: f64| digits(1e3 * seconds);
    let time = pivot("bodies", entries, particles, name, |e| milliseconds(e.least));
    let median = pivot("bodies", entries, particles, name, |e| milliseconds(e.median));
    let to_default = pivot("bodies", entries, particles, name, |e| ratio(e, DEFAULT));
    let to_naive = pivot("bodies", entries, particles, name, |e| ratio(e, NAIVE));
    let mut sections = vec![
        Section::new("Least time per step [ms]", time),
        Section::new("Median time per step [ms]", median),
        Section::new("Least time, in units of that of naive", to_naive),
        Section::new("Least time, in units of that of cubes with the queue", to_default),
    ];
    // The largest size that all could do.
    let all = contestants().len();
    let complete =
        |size: &&Entry| entries.iter().filter(|e| e.particles == size.particles).count() == all;
    if let Some(size) = entries.iter().rev().find(complete).map(|entry| entry.particles) {
        let chosen = entries.iter().filter(|entry| entry.particles == size);
        let head = format!("{size} particles");
        sections.extend(anatomy(&head, chosen.map(|entry| (entry.contestant.name.clone(), entry))));
    }
    sections
}

fn picture(entries: &[Entry]) -> Plot {
    let series = contestants().into_iter().map(|one| {
        let of_one = entries.iter().filter(|entry| entry.contestant == one);
        let points = of_one.map(|entry| [entry.particles as f64, 1e3 * entry.least]);
        Series::new(&one.name, points.collect(), Style::LinePoints)
    });
    Plot {
        title: "Time per step: spheres that fill 1 % of the space".into(),
        x: Axis::log("number of particles"),
        y: Axis::log("time per step [ms]"),
        series: series.collect(),
    }
}
