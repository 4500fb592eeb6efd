//! The energy of particles beside surfaces.

use jostle::analysis::{self, FieldEnergy};

use super::worlds::{everything, made};
use crate::program;

/// Particles that do not meet each other, in traps along one axis and around a point, and with a weight. In units of
/// its rms step, each trap is about one wide.
const IDEAL: &str = r#"
[space]
dimension = 3
edges = "80 nm"
boundary = "reflecting"
[run]
timestep = "100 ns"
steps = 6000
seed = 11
[[surface]]
name = "sheet"
plane = { axis = "x", at = "40 nm" }
meets = "ignore"
[[surface]]
name = "point"
sphere = { radius = "0.001 nm" }
meets = "ignore"
[[species]]
name = "Line"
radius = "0.001 nm"
diffusion = "100 um^2/s"
count = 60
[[species]]
name = "Ball"
radius = "0.001 nm"
diffusion = "100 um^2/s"
count = 30
[[species]]
name = "Heavy"
radius = "0.001 nm"
diffusion = "100 um^2/s"
count = 30
[[species]]
name = "Free"
radius = "0.001 nm"
diffusion = "100 um^2/s"
count = 5
[[rule]]
name = "through"
do = "ignore"
on = ["*", "*"]
[[potential]]
name = "along"
between = ["Line", "sheet"]
harmonic = { width = "4 nm" }
[[potential]]
name = "trap"
between = ["Ball", "point"]
harmonic = { width = "5 nm" }
[[potential]]
name = "weight"
between = ["Heavy", "z-"]
linear = { length = "5 nm" }
[output]
frame_every = 6
"#;

/// By equipartition kT/2 for each coordinate in a harmonic trap, and kT for a weight on a floor. Over the 100 µs that are
/// left out at first, particles fall from anywhere in the box; then there are 834 frames of 120 particles, and the
/// standard errors are below 0.6 %.
#[test]
fn ideal_particles_have_half_a_kt_for_each_coordinate_in_a_trap_and_one_for_their_weight() {
    let (dir, path) = made(IDEAL, &[]);
    let reading = analysis::open(&path).unwrap();
    let late = analysis::Scope { from: Some(100.0), ..everything() };
    let found = analysis::potential_energy(&reading, &late).unwrap();
    assert!(found.pairs.is_empty() && found.particles.iter().all(|&count| count == 120));
    let each = |field: &FieldEnergy, count: f64, expected: f64| {
        let [mean, error] = [field.energy.mean, field.energy.error].map(|x| x / count);
        assert!((mean - expected).abs() < 4.0 * error, "{field:?}: {mean} for {expected}");
        assert!(error < 0.015 * expected, "{field:?}");
        assert!((field.per_particle.mean - mean * count / 120.0).abs() < 1e-9);
        format!("{} {}", field.species, field.surface)
    };
    let [line, ball, heavy] = &found.fields[..] else { panic!("{:?}", found.fields) };
    assert_eq!(each(line, 60.0, 0.5), "Line sheet");
    assert_eq!(each(ball, 30.0, 1.5), "Ball point");
    assert_eq!(each(heavy, 30.0, 1.0), "Heavy z-");
    let sum: f64 = found.fields.iter().map(|field| field.energy.mean).sum();
    assert!((found.total.mean - sum).abs() < 1e-9);
    let analyse = ["analyse", "run.h5md", "energy", "--csv", "tables", "--plot", "energy.svg"];
    let said = program::jostle(dir.path(), &analyse).succeeds().out;
    assert!(said.contains("sheet") && !said.contains("neighbours"), "{said}");
}

/// Pairs and fields at once, with a species between two walls that both act on it: frame by frame.
#[test]
fn the_energy_of_a_frame_is_that_of_pairs_and_that_beside_surfaces() {
    let text = r#"
[space]
dimension = 2
edges = "40 nm"
boundary = ["periodic", "reflecting"]
[run]
timestep = "50 ns"
steps = 60
seed = 4
[[surface]]
name = "sheet"
plane = { axis = "x", at = "30 nm" }
meets = "ignore"
[[species]]
name = "A"
radius = "1 nm"
diffusion = "20 um^2/s"
count = 20
[[species]]
name = "B"
radius = "1 nm"
diffusion = "20 um^2/s"
count = 10
[[potential]]
name = "well"
between = ["A", "A"]
square_well = { to = "6 nm", depth = "0.5 kT" }
[[potential]]
name = "lift"
between = ["B", ["y-", "y+"]]
linear = { length = "8 nm" }
cutoff = "30 nm"
[[potential]]
name = "sticky"
between = ["*", "sheet"]
gaussian = { height = "-1 kT", width = "3 nm" }
cutoff = "12 nm"
[[potential]]
name = "ridge"
between = ["A", "sheet"]
table = [{ at = "2 nm", energy = "1 kT" }, { at = "4 nm", energy = "0 kT" }]
[output]
frame_every = 10
precision = "double"
"#;
    let (dir, path) = made(text, &[]);
    let reading = analysis::open(&path).unwrap();
    let found = analysis::potential_energy(&reading, &everything()).unwrap();
    let names = found.fields.iter().map(|field| format!("{} {}", field.species, field.surface));
    assert_eq!(names.collect::<Vec<_>>(), ["B y-", "B y+", "A sheet", "B sheet"]);
    let species = reading.slot_species().unwrap();
    let mut lowest = f64::INFINITY;
    for frame in 0..7 {
        let at = reading.positions(frame..frame + 1, 0..30).unwrap();
        let x = |slot: usize, axis: usize| at[[0, slot, axis]];
        let apart = |x: f64| x.abs().min(40.0 - x.abs());
        let beside = |slot: usize| {
            let from_sheet = apart(x(slot, 0) - 30.0);
            let sticky = match from_sheet < 12.0 {
                // Nearer than contact the energy is that at contact.
                true => -(-0.5 * (from_sheet.max(1.0) / 3.0).powi(2)).exp(),
                false => 0.0,
            };
            match species[slot] {
                0 => sticky + (0.5 * (4.0 - from_sheet.max(2.0))).max(0.0),
                _ => {
                    let y = x(slot, 1);
                    let lift = [y, 40.0 - y].map(|y| if y < 30.0 { y / 8.0 } else { 0.0 });
                    sticky + lift[0] + lift[1]
                }
            }
        };
        let pairs = (0..30).flat_map(|i| (0..i).map(move |j| (i, j)));
        let pairs = pairs.filter(|&(i, j)| {
            let distance = apart(x(i, 0) - x(j, 0)).hypot(x(i, 1) - x(j, 1));
            species[i] == 0 && species[j] == 0 && distance < 6.0
        });
        let expected = [-0.5 * pairs.count() as f64, (0..30).map(beside).sum()];
        for (found, expected) in found.energy[frame].iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{frame}: {found} {expected}");
        }
        let total = expected[0] + expected[1];
        assert!((found.total_in(frame) - total).abs() < 1e-9);
        assert!((found.per_particle_in(frame) - total / 30.0).abs() < 1e-9);
        lowest = lowest.min(expected[0]);
    }
    assert!(lowest < -2.0, "pairs in their wells are needed");
    let parts = found.pairs.iter().map(|pair| pair.energy.mean);
    let parts: f64 = parts.chain(found.fields.iter().map(|field| field.energy.mean)).sum();
    assert!((found.total.mean - parts).abs() < 1e-9);
    let line = ["analyse", "run.h5md", "energy", "--csv", "tables"];
    let said = program::jostle(dir.path(), &line).succeeds().out;
    assert!(said.contains("sheet") && said.contains("neighbours"), "{said}");
    let table = std::fs::read_to_string(dir.path().join("tables/energy_over_time.csv")).unwrap();
    assert!(table.lines().next().unwrap().contains("beside_surfaces"), "{table}");
    assert_eq!(table.lines().count(), 8);
}
