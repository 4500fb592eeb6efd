//! The pressure of granular runs.

use jostle::analysis;
use jostle::theory::{finite_size, fluid_pressure};

use super::worlds::{BOUND, everything, made};
use crate::program::jostle;

/// Elastic disks that fill 0.3 of a periodic box.
const DISKS: &str = r#"
[space]
dimension = 2
edges = "25.89 mm"
boundary = "periodic"
[run]
engine = "granular"
until = "2 s"
seed = 5
[collisions]
restitution = "elastic"
[[species]]
name = "disk"
radius = "0.5 mm"
density = "2500 kg/m^3"
speed = "1 m/s"
placement = { random = 256 }
[output]
frames = 100
log = "all"
"#;

/// 256 disks, about 1000 collisions of each; the equation of state is known to 1e-3 here, and numbers
/// of order 1/N to half of themselves.
#[test]
fn elastic_disks_have_the_pressure_of_the_virial_series() {
    let (dir, path) = made(DISKS, &[]);
    let reading = analysis::open(&path).unwrap();
    let found = analysis::pressure(&reading, &everything()).unwrap();
    let phi = 256.0 * std::f64::consts::PI * 0.25 / (25.89 * 25.89);
    let share = 1.0 - finite_size::<2>(phi, 256.0);
    let expected = 1.0 + share * (fluid_pressure::<2>(phi) - 1.0);
    let bias = 0.5 * (fluid_pressure::<2>(phi) - 1.0) / 256.0 + 1e-3;
    let (z, error) = (found.factor.mean, found.factor.error);
    assert!(error < 0.02 * z, "{z} +- {error}");
    assert!((z - expected).abs() < BOUND * error + bias, "{z} +- {error}, {expected}");
    // P V = N T + ...: 256 disks of 2500 kg/m³ and their density in J/m², with a mean square speed that
    // collisions keep.
    let (ideal, temperature) = (found.ideal.mean, found.temperature.unwrap().mean);
    let area = 25.89e-3f64.powi(2);
    assert!((ideal * area / (256.0 * temperature) - 1.0).abs() < 1e-9, "{ideal} {temperature}");
    assert!((found.total.mean - ideal - found.excess.mean).abs() < 1e-9 * ideal);
    assert_eq!(found.unit, "N/m");
    let told = jostle(dir.path(), &["analyse", "run.h5md", "pressure"]).succeeds().out;
    assert!(told.contains("granular temperature") && told.contains("N/m"), "{told}");
}

#[test]
fn a_granular_run_without_a_log_or_with_walls_says_why_it_has_no_pressure() {
    let (dir, _) = made(DISKS, &[("output.log", "none"), ("run.until", "20 ms")]);
    let said = jostle(dir.path(), &["analyse", "run.h5md", "pressure"]).fails().to_owned();
    assert!(said.contains("the run kept no impacts"), "{said}");
    let (dir, _) = made(DISKS, &[("space.boundary", "reflecting"), ("run.until", "20 ms")]);
    let said = jostle(dir.path(), &["analyse", "run.h5md", "pressure"]).fails().to_owned();
    assert!(said.contains("periodic along all axes"), "{said}");
}
