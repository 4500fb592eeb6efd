//! A fluid of hard spheres, and the one number that its contact log must obey.
//!
//! 1000 spheres at 20 % packing; every contact is counted and compared with the exact law 4
//! sqrt(pi) n sigma^2 g sqrt(2 D dt) per particle and step (g from Carnahan and Starling).
//!
//! cargo run --example hard_spheres

use jostle::brownian::{Seed, SphereWorld};
use jostle::observe::NoObserver;
use jostle::space::Vector;
use jostle::theory::contacts_per_particle_and_step;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (count, packing, radius): (usize, f64, f64) = (1000, 0.2, 2.5); // nm
    let (diffusion, timestep) = (10.0, 0.003125); // nm²/µs = µm²/s, µs
    let volume = count as f64 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3) / packing;
    let edge = volume.cbrt();

    // Nothing but bounces.
    let world = SphereWorld::<3>::periodic(edge).timestep(timestep).species(radius, diffusion);
    let lattice = |n: usize| [n % 10, n / 10 % 10, n / 100].map(|k| (k as f64 + 0.5) * edge / 10.0);
    let particles: Vec<_> =
        (0..count).map(|n| Seed { species: 0, position: Vector(lattice(n)) }).collect();

    let mut engine = world.with(&particles)?;
    for _ in 0..200 {
        engine.step(&mut NoObserver)?; // forget the lattice
    }
    let before = engine.tally().contacts;
    let steps = 400;
    for _ in 0..steps {
        engine.step(&mut NoObserver)?;
    }
    let contacts = (engine.tally().contacts - before) as f64;
    let found = 2.0 * contacts / (count * steps) as f64;
    let width = (2.0 * diffusion * timestep).sqrt();
    let expected = contacts_per_particle_and_step::<3>(count as f64 / volume, 2.0 * radius, width);
    println!(
        "contacts per particle and step: {found:.5}, theory {expected:.5}, ratio {:.4}",
        found / expected
    );
    Ok(())
}
