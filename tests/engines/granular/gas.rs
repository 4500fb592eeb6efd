//! Rods on a ring.

use jostle::observe::Contact;
use jostle_lab::validate::statistics::mean_of_blocks;

use super::worlds::{GranularWorld, Hear, Start, heat, lattice, run, temperature};

/// Rods only exchange velocities: Z = 1/(1 - phi) (Tonks), whatever the velocities. 60 blocks of 4
/// collisions per particle.
#[test]
fn rods_obey_tonks() {
    let (n, phi) = (500, 0.4);
    let edge = n as f64 / phi;
    let mut grains = lattice([n], [edge]);
    heat(&mut grains, 1.0, 7);
    let mut sorted: Vec<f64> = grains.iter().map(|g| g.velocity[0]).collect();
    let mut engine = GranularWorld::periodic([edge]).engine(&grains);
    run(&mut engine, 50.0);
    let time = 4.0 * (1.0 - phi) / (2.0 * phi) * std::f64::consts::PI.sqrt();
    let mut z = Vec::new();
    for _ in 0..60 {
        let mut virial = 0.0;
        let end = engine.now() + time;
        // Diameter, mass and output interval are 1.
        engine.advance(end, &mut Hear(|contact: &Contact<1>| virial += contact.approach)).unwrap();
        z.push(1.0 + virial / (n as f64 * temperature(&engine) * time));
    }
    let finding = mean_of_blocks("Z", &z, 1.0 / (1.0 - phi));
    assert!(finding.holds(), "{finding:?}");
    let mut now: Vec<f64> = engine.flights().all.iter().map(|f| f.velocity[0]).collect();
    sorted.sort_by(f64::total_cmp);
    now.sort_by(f64::total_cmp);
    for (a, b) in sorted.iter().zip(&now) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
}
