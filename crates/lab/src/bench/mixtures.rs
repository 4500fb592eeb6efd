//! One size of particles against mixtures: cells, levels and sorted boxes (Schinner 1999, sections
//! 1.1 and 3.3: sorted boxes are as fast for every distribution of sizes).

use super::study::{anatomy, digits, percent, pivot};
use super::{
    BenchError, Contestant, Entry, Plan, Progress, Section, Study, contest, mixture, rested,
};
use jostle_core::search::{Kind, least_cell_size};
use jostle_model::{Model, measure};
use jostle_report::report::{Axis, Plot, Series, Style};

/// How many sizes, and how many times larger the largest is than the smallest.
const MIXTURES: [[usize; 2]; 5] = [[1, 1], [2, 3], [2, 10], [2, 30], [6, 30]];

/// Of two sizes, which the picture shows.
const RATIOS: std::ops::Range<usize> = 0..4;

/// The fraction of the box that is filled.
const PACKING: f64 = 0.25;

/// How far particles move in a step (rms along each axis, in radii of the smallest), and by what
/// the time step is multiplied for that. Brownian steps are long; those of discrete elements are
/// short.
const STEPS: [(&str, f64); 2] = [("0.1", 1.0), ("0.003", 1e-3)];

/// The cells that Schinner (1999) describes: about as wide as the largest particle.
const MESH: &str = "mesh of Schinner";

fn contestants(model: &Model) -> Vec<Contestant> {
    let radii = model.species.iter().filter_map(|species| species.radius);
    let mut mesh = Contestant::plain(Kind::Cubic).named(MESH);
    let size = least_cell_size(radii.fold(0.0, f64::max), measure::longest_step(model));
    mesh.search.cell_size = Some(size);
    vec![
        mesh,
        Contestant::plain(Kind::Cubic),
        Contestant::plain(Kind::Levels),
        Contestant::plain(Kind::Endpoints),
    ]
}

pub(super) fn study(plan: &Plan, progress: Progress<'_>) -> Result<Study, BenchError> {
    let mut entries = Vec::new();
    for sizes in MIXTURES {
        progress(&format!("mixtures: {} disks, {}", plan.particles, name(sizes)));
        entries.extend(of_mixture::<2>(plan, sizes)?);
    }
    // Among as many spheres there would be none that is much larger.
    for sizes in &MIXTURES[..3] {
        progress(&format!("mixtures: {} spheres, {}", plan.particles, name(*sizes)));
        entries.extend(of_mixture::<3>(plan, *sizes)?);
    }
    let which = |e: &Entry| e.contestant.name.clone();
    let scene = |e: &Entry| e.scene.clone();
    let to_equal = |e: &Entry| alike(&entries, e).map_or("-".into(), |time| digits(e.least / time));
    let mut sections = vec![
        Section::new(
            "Least time per step [ms]",
            pivot("what moves", &entries, scene, which, |e| digits(1e3 * e.least)),
        ),
        Section::new(
            "Of that, the search (links or order renewed, pairs found) [ms]",
            pivot("what moves", &entries, scene, which, |e| {
                digits(1e3 * (e.phases[1] + e.phases[2]))
            }),
        ),
        Section::new(
            "Time of a step, in units of that with one size (1: sizes do not matter)",
            pivot("what moves", &entries, scene, which, to_equal),
        ),
    ];
    let named = entries.iter().map(|e| (format!("{}: {}", e.scene, e.contestant.name), e));
    sections.extend(anatomy(&format!("{} particles", plan.particles), named));
    Ok(Study {
        name: "mixtures",
        title: format!(
            "Mixtures of sizes, each filling an equal share of {} in all. Cells as wide as the largest particle \
             (the mesh that Schinner (1999) argues against), cubes (whose few largest particles are on a short \
             list), levels, and boxes sorted along each axis",
            percent(PACKING)
        ),
        sections,
        pictures: vec![("mixtures", picture(&entries))],
        entries,
    })
}

fn name([sizes, ratio]: [usize; 2]) -> String {
    if sizes == 1 { "one size".to_owned() } else { format!("{sizes} sizes 1 : {ratio}") }
}

/// How an entry is called: what moves how far.
fn scene(dimension: usize, sizes: [usize; 2], step: &str) -> String {
    format!("{dimension}D, {}, steps of {step}", name(sizes))
}

fn of_mixture<const D: usize>(plan: &Plan, sizes: [usize; 2]) -> Result<Vec<Entry>, BenchError> {
    let mut model = rested::<D>(mixture(D, plan.particles, sizes, PACKING)?)?;
    let timestep = model.run.timestep;
    let mut entries = Vec::new();
    for (step, factor) in STEPS {
        model.run.timestep = factor * timestep;
        model.title = scene(D, sizes, step);
        entries.extend(contest::<D>(&model, &contestants(&model), plan.effort(plan.particles))?);
    }
    Ok(entries)
}

/// The time of the same contestant with one size, in as many dimensions and with steps as long.
/// \[s\]
fn alike(entries: &[Entry], entry: &Entry) -> Option<f64> {
    let one = name(MIXTURES[0]);
    let scene = MIXTURES
        .iter()
        .fold(entry.scene.clone(), |scene, &sizes| scene.replace(&name(sizes), &one));
    let same =
        |other: &&Entry| other.scene == scene && other.contestant.name == entry.contestant.name;
    entries.iter().find(same).map(|other| other.least)
}

/// Disks of one and of two sizes, with short steps.
fn picture(entries: &[Entry]) -> Plot {
    let kinds = [MESH, Kind::Cubic.name(), Kind::Levels.name(), Kind::Endpoints.name()];
    let series = kinds.map(|kind| {
        let point = |sizes: &[usize; 2]| {
            let what = scene(2, *sizes, STEPS[1].0);
            let entry = entries.iter().find(|e| e.scene == what && e.contestant.name == kind)?;
            Some([sizes[1] as f64, 1e3 * entry.least])
        };
        Series::new(kind, MIXTURES[RATIOS].iter().filter_map(point).collect(), Style::LinePoints)
    });
    Plot {
        title: "Disks of two sizes, short steps".into(),
        x: Axis::log("radius of the large / radius of the small"),
        y: Axis::log("time per step [ms]"),
        series: series.into(),
    }
}
