//! The disk gas, particles that fly in straight lines under gravity: all structures by number of
//! disks.

use super::study::{anatomy, digits, pivot};
use super::{BenchError, Contestant, Entry, Plan, Progress, Section, Study, contest};
use jostle_core::search::Kind;
use jostle_model::{Model, parse};
use jostle_report::report::{Axis, Plot, Series, Style};

/// The page's atmosphere, whose box is as wide as so many disks need.
const MODEL: &str = include_str!("../../models/disk_gas.toml");

fn atmosphere(disks: usize) -> Result<Model, BenchError> {
    // 3000 disks are in a box 600 mm wide.
    let width = 0.2 * disks as f64;
    let set = [
        ("run.contact", "exact".to_owned()),
        ("space.edges", format!("[\"{width:?} mm\", \"6000 mm\"]")),
        ("species.puck.count", disks.to_string()),
    ];
    Ok(parse(MODEL, "disk_gas", &set.map(|(key, value)| (key.to_owned(), value)))?)
}

fn contestants() -> Vec<Contestant> {
    let slices = |axis: usize, name: &str| {
        let mut one = Contestant::plain(Kind::Slices).named(name);
        one.search.axis = axis;
        one
    };
    let plain = [Kind::Cubic, Kind::Levels, Kind::Endpoints, Kind::Auto].map(Contestant::plain);
    let mut all = vec![
        Contestant::plain(Kind::Naive),
        slices(0, "vertical slices"),
        slices(1, "horizontal slices"),
    ];
    all.extend(plain);
    all
}

pub(super) fn study(plan: &Plan, progress: Progress<'_>) -> Result<Study, BenchError> {
    let mut entries: Vec<Entry> = Vec::new();
    for &disks in &plan.disks {
        progress(&format!("gas: {disks} disks"));
        let which = plan.in_time(contestants(), &entries, disks);
        entries.extend(contest::<2>(&atmosphere(disks)?, &which, plan.effort(disks))?);
    }
    let particles = |e: &Entry| e.particles.to_string();
    let name = |e: &Entry| e.contestant.name.clone();
    let times = pivot("disks", &entries, particles, name, |e| digits(1e3 * e.least));
    let mut sections =
        vec![Section::new("Least time per step [ms] (-: too long to be measured)", times)];
    let most = plan.disks.last().copied().unwrap_or_default();
    let largest = entries.iter().filter(|entry| entry.particles == most);
    sections.extend(anatomy(&format!("{most} disks"), largest.map(|entry| (name(entry), entry))));
    let series = |one: &Contestant| {
        let own = entries.iter().filter(|entry| entry.contestant == *one);
        let points = own.map(|entry| [entry.particles as f64, 1e3 * entry.least]);
        Series::new(&one.name, points.collect(), Style::LinePoints)
    };
    let picture = Plot {
        title: "The disk gas".into(),
        x: Axis::log("disks"),
        y: Axis::log("time per step [ms]"),
        series: contestants().iter().map(series).collect(),
    };
    Ok(Study {
        name: "gas",
        title: "An atmosphere of disks that keep their velocities (models/disk_gas.toml, contacts exact), a \
                twentieth of a diameter per step, by search structure"
            .into(),
        sections,
        pictures: vec![("gas", picture)],
        entries,
    })
}
