//! The whole curve, written to data/crowding.csv and data/crowding_survival.csv as it grows.

use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

use jostle::theory::contacts_per_particle_and_step;

use super::case::{Case, Course, DIFFUSION, DILUTE, MIXING, RADIUS, SAMPLE};
use super::curve::{Curve, Measured, courses};

/// After so many placements the files are brought up to date.
const BATCH: usize = 4;

/// phi, the volume of the box \[nm³\], the time step \[µs\], how long A is watched \[µs\] and how
/// many placements. The box of the original is 12 500 nm³; the other boxes at 0.20 show what that
/// matters. Steps of 2, 0.5 and 0.125 ns are 0.4, 0.2 and 0.1 of a radius (rms per axis).
const POINTS: [(f64, f64, f64, f64, usize); 18] = [
    (0.20, 12_500.0, 2e-3, 3.4, 20),
    (0.25, 12_500.0, 2e-3, 3.4, 20),
    (0.15, 12_500.0, 2e-3, 3.6, 20),
    (0.10, 12_500.0, 2e-3, 3.8, 20),
    (0.05, 12_500.0, 2e-3, 4.1, 20),
    (DILUTE, 125_000.0, 2e-3, 4.7, 20),
    (0.20, 12_500.0, 5e-4, 3.4, 20),
    (0.25, 12_500.0, 5e-4, 3.4, 20),
    (0.15, 12_500.0, 5e-4, 3.6, 20),
    (0.10, 12_500.0, 5e-4, 3.8, 20),
    (0.05, 12_500.0, 5e-4, 4.1, 20),
    (DILUTE, 125_000.0, 5e-4, 4.7, 20),
    (0.20, 12_500.0, 1.25e-4, 1.0, 20),
    (0.25, 12_500.0, 1.25e-4, 1.0, 20),
    (0.20, 3125.0, 2e-3, 3.4, 24),
    (0.20, 3125.0, 5e-4, 3.4, 24),
    (0.20, 3125.0, 1.25e-4, 3.4, 24),
    (0.20, 100_000.0, 2e-3, 3.4, 8),
];

const HEADER: &str = "\
# A + B -> C + B among hard spheres, the crowding case: see docs/crowding.md. One row for each point;
# written by `make crowding`. Lengths in nm, times in us, rate constants in nm^3/us; *_err are standard
# errors (jackknife over placements). counted_*: from the reactions; all else from the survival that
# contacts let expect.
phi,timestep,volume,particles,b,placements,mixing,duration,p,body_steps,reactions,contacts_over_theory,\
k_half,k_half_err,k_late,k_late_err,counted_k_half,counted_k_half_err,counted_k_late,counted_k_late_err,\
t90,t90_err,t75,t75_err,t50,t50_err,t25,t25_err,t10,t10_err";

const SURVIVAL_HEADER: &str = "\
# The survival of A in the crowding case: see docs/crowding.md. expected: from all contacts; counted: from
# the reactions; k: the rate constant in the mean from 0.8 to 1.25 times that time (expected). Units as in
# crowding.csv.
phi,timestep,volume,time,expected,expected_err,counted,counted_err,k,k_err";

/// The rows of the survival: every 0.01 µs at first, every 0.05, every 0.1, then every 0.2.
fn looks(last: usize) -> impl Iterator<Item = usize> {
    (0..10).chain((10..50).step_by(5)).chain((50..100).step_by(10)).chain((100..last).step_by(20))
}

/// What is asked for in a variable of the environment, separated by blanks; everything, if it is
/// not set.
fn chosen(variable: &str, value: f64) -> bool {
    let Ok(list) = env::var(variable) else { return true };
    let mut words = list.split_whitespace();
    words.any(|word| word.parse::<f64>().is_ok_and(|number| (number - value).abs() < 1e-2 * value))
}

/// What a measured number looks like in a file.
fn cells(of: Measured) -> String {
    format!("{:.5},{:.5}", of.value, of.error)
}

fn key(case: &Case) -> String {
    format!("{:.4},{},{}", case.phi, case.timestep, case.volume)
}

/// Puts `rows` in the place of those with the same `key`.
fn replace(path: &Path, header: &str, key: &str, rows: &[String]) {
    let found = fs::read_to_string(path).unwrap_or_default();
    let is_row = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    let mine = |line: &str| line.starts_with(&format!("{key},"));
    let mut all: Vec<String> =
        found.lines().filter(is_row).filter(|line| !mine(line)).map(str::to_owned).collect();
    all.extend(rows.iter().cloned());
    let place = |line: &String| {
        let numbers: Vec<f64> =
            line.split(',').take(3).filter_map(|cell| cell.parse().ok()).collect();
        [numbers[0], -numbers[1], numbers[2]].map(|number| (number * 1e7) as i64)
    };
    all.sort_by_key(place);
    fs::write(path, format!("{header}\n{}\n", all.join("\n"))).expect("the table can be written");
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

/// How many contacts there were for each that theory expects.
fn contacts_over_theory(case: &Case, all: &[Course]) -> f64 {
    let found: f64 = all.iter().map(|course| course.tally.contacts as f64).sum();
    let particles = case.particles() as f64;
    let width = (2.0 * DIFFUSION * case.timestep).sqrt();
    let each =
        contacts_per_particle_and_step::<3>((particles - 1.0) / case.volume, 2.0 * RADIUS, width);
    found / (all.len() as f64 * case.duration / case.timestep * 0.5 * particles * each)
}

/// Writes down what is known so far.
fn publish(case: &Case, all: &[Course]) {
    let expected = Curve::new(all, |course| &course.expected);
    let counted = Curve::new(all, |course| &course.counted);
    let reactions: u64 = all.iter().map(|course| course.tally.converted).sum();
    let mut row = vec![
        key(case),
        format!("{},{}", case.particles(), case.count_b()),
        format!("{},{MIXING},{},{:.6}", all.len(), case.duration, case.probability()),
        format!("{:.4e},{reactions}", case.steps() * (case.particles() * all.len()) as f64),
        format!("{:.5}", contacts_over_theory(case, all)),
    ];
    for curve in [&expected, &counted] {
        row.extend([curve.rate_to_half(), curve.rate_from_half_to_tenth()].map(cells));
    }
    row.extend([0.9, 0.75, 0.5, 0.25, 0.1].map(|share| cells(expected.time(share))));
    replace(&file("crowding.csv"), HEADER, &key(case), &[row.join(",")]);

    let last = expected.looks();
    let rows = looks(last).map(|look| {
        let (from, to) = (look * 4 / 5, (look * 5).div_ceil(4));
        let known = from < to && to < last;
        let rate = if known { cells(expected.rate(from, to)) } else { ",".to_owned() };
        let time = look as f64 * SAMPLE;
        let [expected, counted] = [expected.at(look), counted.at(look)].map(cells);
        format!("{},{time:.2},{expected},{counted},{rate}", key(case))
    });
    let rows: Vec<String> = rows.collect();
    replace(&file("crowding_survival.csv"), SURVIVAL_HEADER, &key(case), &rows);
}

/// Runs a point, batch by batch, and holds it to what has to be true of it.
fn point(case: &Case, placements: usize) {
    let begun = Instant::now();
    let first =
        (case.phi * 1e4).round() as u64 * 1_000_000 + (case.timestep * 1e8).round() as u64 * 100;
    let first = first + u64::from(case.volume == 12_500.0);
    let seeds: Vec<u64> = (0..placements as u64).map(|n| first * 1000 + n).collect();
    let mut all = Vec::new();
    for batch in seeds.chunks(BATCH) {
        all.extend(courses(case, batch));
        publish(case, &all);
    }
    let expected = Curve::new(&all, |course| &course.expected).rate_to_half();
    let counted = Curve::new(&all, |course| &course.counted).rate_to_half();
    println!("{case:?}: k = {expected:?}, {counted:?}, {:.0} s", begun.elapsed().as_secs_f64());
    let z = (expected.value - counted.value) / counted.error;
    assert!(z.abs() < 4.5, "reactions and contacts disagree: z = {z}");
    let ratio = contacts_over_theory(case, &all);
    assert!((ratio - 1.0).abs() < 0.01, "contacts over theory: {ratio}");
    assert!(all.iter().all(|course| course.tally.late == 0 && course.tally.short_of_rate == 0));
}

/// Every point. `PHI`, `TIMESTEP` and `VOLUME` choose; `PLACEMENTS` is how many are enough.
#[test]
fn the_whole_curve() {
    let enough =
        env::var("PLACEMENTS").ok().and_then(|number| number.parse().ok()).unwrap_or(usize::MAX);
    for (phi, volume, timestep, duration, placements) in POINTS {
        if chosen("PHI", phi) && chosen("TIMESTEP", timestep) && chosen("VOLUME", volume) {
            let case = Case { phi, timestep, volume, duration, ghosts: false };
            point(&case, placements.min(enough));
        }
    }
}
