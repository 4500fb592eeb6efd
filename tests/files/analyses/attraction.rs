//! The energy of potentials, neighbours in their shells, and the size of chains.

use hdf5::File;
use jostle::analysis::{self, PolymerShape, Reading, Scope};
use jostle::h5md::record::schema::ContactRow;
use jostle::observe::Outcome;
use jostle::theory::contact_value_virial;
use serde_json::json;

use super::worlds::{CHAINS, checked_by_python, everything, made};
use crate::program;

/// Particles with wells and barriers, of which some bind to rigid clusters, and others without.
const WELLS: &str = r#"
[space]
dimension = 2
edges = ["60 nm", "45 nm"]
boundary = ["periodic", "reflecting"]
[run]
timestep = "20 ns"
steps = 400
seed = 8
[[species]]
name = "A"
radius = "2 nm"
diffusion = "20 um^2/s"
count = 30
[[species]]
name = "B"
radius = "1 nm"
diffusion = "40 um^2/s"
count = 20
[[species]]
name = "C"
radius = "1 nm"
diffusion = "40 um^2/s"
count = 5
[[rule]]
name = "bind"
do = "bind"
merge = "bond"
on = ["A", "A"]
probability = 0.2
[[potential]]
name = "well"
between = ["A", "A"]
steps = [{ to = "5 nm", energy = "-1 kT" }, { to = "7 nm", energy = "0.25 kT" }]
[[potential]]
name = "tail"
between = ["A", "A"]
steps = [{ to = "9 nm", energy = "0.125 kT" }]
[[potential]]
name = "mixed"
between = ["A", "B"]
yukawa = { strength = "2 kT", length = "1 nm" }
cutoff = "8 nm"
shells = 5
[output]
frame_every = 20
precision = "double"
"#;

/// What all pairs of a frame have, one by one: pairs in each shell of A with A, and of A with B.
fn one_by_one(reading: &Reading, frame: usize, ends: [&[f64]; 2]) -> [Vec<u64>; 2] {
    let slots = 0..reading.slots();
    let data = reading.frame_data(frame..frame + 1, slots.clone()).unwrap();
    let at = reading.positions(frame..frame + 1, slots.clone()).unwrap();
    let species = reading.slot_species().unwrap();
    let periodic = reading.periodic().unwrap();
    let mut found = ends.map(|ends| vec![0; ends.len()]);
    for i in slots.clone() {
        for j in i + 1..slots.end {
            let bound = data.cluster[[0, i]] == data.cluster[[0, j]];
            let kind = match [species[i].min(species[j]), species[i].max(species[j])] {
                [0, 0] => 0,
                [0, 1] => 1,
                _ => continue,
            };
            let [x, y] = [0, 1].map(|k| {
                let apart = (at[[0, i, k]] - at[[0, j, k]]).abs();
                if periodic[k] { apart.min(60.0 - apart) } else { apart }
            });
            let distance = x.hypot(y);
            let shell = ends[kind].iter().position(|&end| distance < end);
            if let Some(shell) = shell.filter(|_| !bound) {
                found[kind][shell] += 1;
            }
        }
    }
    found
}

#[test]
fn energies_and_neighbours_are_those_of_all_pairs_one_by_one() {
    let (_dir, path) = made(WELLS, &[]);
    let reading = analysis::open(&path).unwrap();
    let found = analysis::potential_energy(&reading, &everything()).unwrap();
    let [same, mixed] = &found.pairs[..] else { panic!("{:?}", found.pairs) };
    assert_eq!([same.species.join("+"), mixed.species.join("+")], ["A+A", "A+B"]);
    let energies: Vec<f64> = same.shells.iter().map(|shell| shell.energy).collect();
    assert_eq!(energies, [-0.875, 0.375, 0.125]);
    let ranges: Vec<[f64; 2]> = mixed.shells.iter().map(|shell| shell.range).collect();
    assert_eq!(ranges.first(), Some(&[3.0, 4.0]));
    assert_eq!((ranges.len(), ranges.last()), (5, Some(&[7.0, 8.0])));
    assert_eq!((found.times.len(), found.particles[0]), (21, 50));
    let ends = [&[5.0, 7.0, 9.0][..], &[4.0, 5.0, 6.0, 7.0, 8.0]];
    let mut sums = [vec![0; 3], vec![0; 5]];
    for frame in 0..21 {
        let counts = one_by_one(&reading, frame, ends);
        let energy = |n: usize| {
            let shells = found.pairs[n].shells.iter().zip(&counts[n]);
            shells.map(|(shell, &pairs)| shell.energy * pairs as f64).sum::<f64>()
        };
        let all = energy(0) + energy(1);
        assert!((found.total_in(frame) - all).abs() < 1e-9, "{frame}: {all}");
        assert!((found.per_particle_in(frame) - all / 50.0).abs() < 1e-9);
        for (sum, count) in sums.iter_mut().flatten().zip(counts.iter().flatten()) {
            *sum += count;
        }
    }
    for (pair, (sums, each)) in found.pairs.iter().zip(sums.iter().zip([2.0, 1.0])) {
        assert!(sums.iter().sum::<u64>() > 100, "{sums:?}");
        for (shell, &sum) in pair.shells.iter().zip(sums) {
            let mean = sum as f64 / 21.0;
            assert!((shell.pairs.mean - mean).abs() < 1e-9 && shell.pairs.error > 0.0);
            assert!((shell.neighbours.mean - each * mean / 30.0).abs() < 1e-9);
        }
    }
    let parts = same.energy.mean + mixed.energy.mean;
    assert!((found.total.mean - parts).abs() < 1e-9 && found.total.error > 0.0);
    assert!((found.per_particle.mean - parts / 50.0).abs() < 1e-9);
    // Some are bound, and their pairs do not count.
    let bonds = reading.bonds(20).unwrap();
    assert!(bonds.len() > 3, "{bonds:?}");
    // What the file says is what the engine goes by.
    let file = File::open(&path).unwrap();
    let numbers = |name: &str| file.dataset(&format!("parameters/potentials/{name}")).unwrap();
    assert_eq!(numbers("species").read_raw::<i32>().unwrap(), [0, 0, 0, 1]);
    assert_eq!(numbers("first").read_raw::<i32>().unwrap(), [0, 3, 8]);
    assert_eq!(numbers("to").read_raw::<f64>().unwrap()[..3], [5.0, 7.0, 9.0]);
    assert_eq!(numbers("energy").read_raw::<f64>().unwrap()[..3], energies);
}

/// Two particles in a well: the share of time in it is that of its volume, weighted with exp(-U).
/// Of 4000 frames, each is as good as independent of the one before.
#[test]
fn a_pair_is_in_a_well_as_often_as_its_energy_says() {
    let text = "[space]\ndimension = 3\nedges = '20 nm'\n[run]\ntimestep = '100 ns'\nsteps = 80000\nseed = 4\n\
        [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '20 um^2/s'\ncount = 2\n\
        [[potential]]\nname = 'well'\nbetween = ['A', 'A']\nsteps = [{ to = '8 nm', energy = '-2 kT' }]\n\
        [output]\nframe_every = 20\n";
    let (_dir, path) = made(text, &[]);
    let reading = analysis::open(&path).unwrap();
    let found = analysis::potential_energy(&reading, &everything()).unwrap();
    let shell = &found.pairs[0].shells[0];
    let ball = |radius: f64| 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let inside = (ball(8.0) - ball(4.0)) * 2.0f64.exp();
    let expected = inside / (inside + 8000.0 - ball(8.0));
    let off = (shell.pairs.mean - expected) / shell.pairs.error;
    assert!(off.abs() < 4.0, "{shell:?}, {expected} expected");
    assert!(shell.pairs.error < 0.02, "{shell:?}");
    assert!((shell.neighbours.mean - shell.pairs.mean).abs() < 1e-12);
    assert!((found.per_particle.mean + shell.pairs.mean).abs() < 1e-12);
}

#[test]
fn energies_are_refused_where_there_are_none() {
    let (_dir, path) = made(CHAINS, &[("run.steps", "80")]);
    let ask = |path: &std::path::Path| {
        let reading = analysis::open(path).unwrap();
        analysis::potential_energy(&reading, &everything()).unwrap_err().to_string()
    };
    assert!(ask(&path).contains("only if its model has a [[potential]]"), "{}", ask(&path));
    let (dir, path) = made(WELLS, &[("run.steps", "40")]);
    let jostle = |what: &str| program::jostle(dir.path(), &["analyse", "run.h5md", what]);
    let said = jostle("energy").succeeds().out;
    assert!(said.contains("per particle (kT)") && said.contains("neighbours"), "{said}");
    assert_eq!(jostle("potential-energy").succeeds().out, said, "its other name");
    let late = Scope { from: Some(1e9), ..Scope::default() };
    let reading = analysis::open(&path).unwrap();
    assert!(analysis::potential_energy(&reading, &late).is_err());
    drop(reading);
    // Damaged, and as an earlier version wrote it.
    let file = File::open_rw(&path).unwrap();
    let first = file.dataset("parameters/potentials/first").unwrap();
    first.write(&[0i32, 3, 9]).unwrap();
    drop((first, file));
    assert!(ask(&path).contains("its tables contradict each other"), "{}", ask(&path));
    File::open_rw(&path).unwrap().unlink("parameters/potentials").unwrap();
    assert!(ask(&path).contains("run the model again"), "{}", ask(&path));
}

/// Rigid rods and triangles, and particles that bind to chains, rings and stars.
const RODS: &str = r#"
[space]
dimension = 3
edges = "40 nm"
boundary = "periodic"
[run]
timestep = "20 ns"
steps = 200
seed = 8
[[species]]
name = "A"
radius = "1 nm"
diffusion = "100 um^2/s"
[[species]]
name = "B"
radius = "1.5 nm"
diffusion = "60 um^2/s"
[[molecule]]
name = "Rod"
count = 12
spheres = [
  { species = "A", at = [0, 0, 0] },
  { species = "A", at = [2, 0, 0] },
  { species = "B", at = [4.5, 0, 0] },
  { species = "A", at = [7, 0, 0] },
]
[[molecule]]
name = "Dimer"
count = 6
spheres = [{ species = "B", at = [0, 0, 0] }, { species = "B", at = [3, 0, 0] }]
[output]
frame_every = 20
"#;

#[test]
fn rigid_rods_are_chains_as_long_as_they_are() {
    let (dir, path) = made(RODS, &[]);
    let reading = analysis::open(&path).unwrap();
    let found = analysis::polymers(&reading, &everything()).unwrap();
    let kinds: Vec<_> = found.kinds.iter().map(|k| (k.shape, k.beads, k.number.mean)).collect();
    assert_eq!(kinds, [(PolymerShape::Chain, 2, 6.0), (PolymerShape::Chain, 4, 12.0)]);
    let rod = &found.kinds[1];
    let close = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-5;
    assert!(close(rod.end_to_end.unwrap().mean, 49.0), "{rod:?}");
    assert!(close(rod.gyration.mean, 73.25 / 4.0 - 3.375 * 3.375), "{rod:?}");
    assert!(close(rod.bond.mean, 7.0 / 3.0) && close(rod.cosine.unwrap().mean, 1.0), "{rod:?}");
    assert_eq!((rod.persistence, found.others, found.times.len()), (None, 0.0, 11));
    // Without the particle in the middle, two of the rod are left.
    let only = Scope { species: vec!["A".into()], ..Scope::default() };
    let found = analysis::polymers(&reading, &only).unwrap();
    let [pair] = &found.kinds[..] else { panic!("{:?}", found.kinds) };
    assert!(pair.beads == 2 && close(pair.end_to_end.unwrap().mean, 4.0), "{pair:?}");
    let jostle = |arguments: &[&str]| program::jostle(dir.path(), arguments);
    let line = ["analyse", "run.h5md", "polymers", "--csv", "tables", "--plot", "rods.svg"];
    let said = jostle(&line).succeeds().out;
    assert!(said.contains("rms end to end (nm)") && !said.contains("NaN"), "{said}");
    let table = |name: &str| std::fs::read_to_string(dir.path().join("tables").join(name)).unwrap();
    assert_eq!(table("polymers_over_time.csv").lines().count(), 1 + 2 * 11);
    assert!(table("polymer_bonds.csv").contains("persistence"));
}

/// While the schedule has a potential switched off, it costs nothing.
#[test]
fn energies_are_those_of_the_potentials_that_are_on() {
    let schedule = "[[schedule]]\nat = '3 us'\nswitch_off = 'tail'\n[[schedule]]\nat = '5.01 us'\n\
                    every = '1 us'\nswitch_on = 'tail'\n";
    let (_dir, path) = made(&format!("{WELLS}{schedule}"), &[]);
    let reading = analysis::open(&path).unwrap();
    let found = analysis::potential_energy(&reading, &everything()).unwrap();
    let ends = [&[5.0, 7.0, 9.0][..], &[4.0, 5.0, 6.0, 7.0, 8.0]];
    let mixed: Vec<f64> = found.pairs[1].shells.iter().map(|shell| shell.energy).collect();
    for (frame, time) in found.times.iter().enumerate() {
        let tail = if (3.0..5.01).contains(time) { 0.0 } else { 0.125 };
        let same = [tail - 1.0, tail + 0.25, tail];
        let [counts, others] = one_by_one(&reading, frame, ends);
        let sum = |energies: &[f64], counts: &[u64]| {
            energies.iter().zip(counts).map(|(energy, &pairs)| energy * pairs as f64).sum::<f64>()
        };
        let all = sum(&same, &counts) + sum(&mixed, &others);
        assert!(
            (found.total_in(frame) - all).abs() < 1e-9,
            "{frame}: {} {all}",
            found.total_in(frame)
        );
    }
}

/// Pairs that are in a well at the end were in it at first, or have entered it more often than they left it.
#[test]
fn the_log_has_all_that_enter_and_leave_a_well() {
    let wells = WELLS.replace("[\"periodic\", \"reflecting\"]", "\"periodic\"");
    let wells = wells.replace("edges = [\"60 nm\", \"45 nm\"]", "edges = \"60 nm\"");
    let end = wells.find("[[rule]]").unwrap();
    let well = "[[potential]]\nname = 'well'\nbetween = ['A', 'A']\n\
                steps = [{ to = '7 nm', energy = '-1 kT' }]\n[output]\nframe_every = 20\n\
                precision = 'double'\nlog = 'all'\n";
    let text = format!("{}{well}", &wells[..end]);
    let runs = [("islands", "2"), ("queue", "1")].map(|(scheduler, threads)| {
        let set = [("run.scheduler", scheduler), ("run.threads", threads)];
        let (dir, path) = made(&text, &[&set[..], &[("output.log_shells", "true")]].concat());
        (dir, analysis::open(&path).unwrap())
    });
    let rows = runs.each_ref().map(|(_, reading)| {
        let mut rows = Vec::new();
        analysis::visit_contacts(reading, 0..400, |step, row| rows.push((step, *row))).unwrap();
        rows
    });
    assert_eq!(rows[0], rows[1]);
    let reading = &runs[0].1;
    let inside = |frame| one_by_one(reading, frame, [&[7.0], &[0.0]])[0][0] as i64;
    let count = |outcome: Outcome, last: u64| {
        let rows =
            rows[0].iter().filter(|(step, row)| *step < last && row.outcome == outcome as u8);
        rows.count() as i64
    };
    for (frame, last) in [(7, 140), (20, 400)] {
        let more = count(Outcome::Entered, last) - count(Outcome::Left, last);
        assert_eq!(inside(frame), inside(0) + more, "{frame}");
    }
    assert!(count(Outcome::Reflected, 400) > 100 && count(Outcome::Left, 400) > 100);
    let apart = rows[0].iter().filter(|(_, row)| row.outcome == Outcome::Left as u8);
    assert!(apart.clone().all(|(_, row)| row.approach < 0.0));
    // Without edges, the log has the same contacts.
    let (_dir, path) = made(&text, &[]);
    let mut contacts = Vec::new();
    let plain = analysis::open(&path).unwrap();
    analysis::visit_contacts(&plain, 0..400, |step, row| contacts.push((step, *row))).unwrap();
    let outcome = |row: &ContactRow| Outcome::ALL[usize::from(row.outcome)];
    rows[0]
        .iter()
        .for_each(|(_, row)| assert!(outcome(row).is_at_distance() == row.is_at_distance()));
    let kept = rows[0].iter().filter(|(_, row)| !row.is_at_distance()).copied();
    assert_eq!(kept.collect::<Vec<_>>(), contacts);
}

/// Discs at 30 %: the pressure is that of the virial coefficients (Clisby and McCoy 2006), within 4 standard
/// errors of a mean over 100 intervals (a false alarm in 15 000) and 1 % for so few of them.
#[test]
fn the_pressure_of_discs_is_that_of_theory_and_bound_ones_count_once() {
    let discs = "[space]\ndimension = 2\nedges = '30 nm'\nboundary = 'periodic'\n[run]\n\
                 timestep = '20 ns'\nsteps = 2000\n[[species]]\nname = 'A'\nradius = '1 nm'\n\
                 diffusion = '20 um^2/s'\ncount = 86\n[output]\nframe_every = 20\n";
    let (_dir, path) = made(discs, &[]);
    let reading = analysis::open(&path).unwrap();
    let found = analysis::pressure(&reading, &everything()).unwrap();
    let phi = 86.0 * std::f64::consts::PI / 900.0;
    let expected = 1.0 + 2.0 * phi * contact_value_virial::<2>(phi);
    let factor = found.factor;
    let most = 4.0 * factor.error + 0.01 * expected;
    assert!((factor.mean - expected).abs() < most, "{factor:?}, {expected}");
    assert!(factor.error < 0.02 * expected, "{factor:?}");
    assert!((found.ideal.mean - 86.0 / 900.0).abs() < 1e-12 && found.times.len() == 100);
    let (_dir, path) = made(WELLS, &[("space.boundary", "periodic"), ("space.edges", "60 nm")]);
    let reading = analysis::open(&path).unwrap();
    let found = analysis::pressure(&reading, &everything()).unwrap();
    let bonds = reading.bonds(20).unwrap();
    assert!(bonds.len() > 3 && found.moving.mean < 55.0 - 1.0, "{bonds:?}, {:?}", found.moving);
    let (_dir, path) = made(WELLS, &[]);
    let reading = analysis::open(&path).unwrap();
    let refused = analysis::pressure(&reading, &everything()).unwrap_err().to_string();
    assert!(refused.contains("periodic along all axes"), "{refused}");
}

#[test]
fn chains_and_rings_are_those_of_numpy() {
    // Bonds join particles in a plane to chains and rings of all lengths.
    let (_dir, path) = made(CHAINS, &[("rule.join.rate", "4 um^2/s")]);
    let reading = analysis::open(&path).unwrap();
    let found = analysis::polymers(&reading, &everything()).unwrap();
    let mean = |one: Option<analysis::Estimate>| json!(one.map(|one| one.mean));
    let kinds = found.kinds.iter().map(|kind| {
        json!([
            kind.shape == PolymerShape::Ring,
            kind.beads,
            kind.number.mean,
            mean(kind.end_to_end),
            kind.gyration.mean,
            kind.bond.mean,
            mean(kind.cosine),
            mean(kind.persistence),
        ])
    });
    let kinds: Vec<_> = kinds.collect();
    assert!(kinds.len() > 4, "{kinds:?}");
    checked_by_python("polymers", &path, &json!({ "kinds": kinds, "others": found.others }));
    let (_dir, path) = made(WELLS, &[("rule.bind.probability", "0")]);
    let reading = analysis::open(&path).unwrap();
    let refused = analysis::polymers(&reading, &everything()).unwrap_err().to_string();
    assert!(refused.contains("no particles that are looked at are bonded"), "{refused}");
}
