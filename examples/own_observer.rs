//! An observer of one's own: how long does a ligand stay away before it touches the same receptor
//! again? Most return at once, some hardly ever: the signature of diffusion.
//!
//! cargo run --example own_observer

use std::collections::HashMap;

use jostle::brownian::{Seed, SphereWorld};
use jostle::observe::{Contact, Observer, ObserverError, Partner};
use jostle::space::Vector;

/// The times between contacts of the same pair, by powers of ten. \[steps\]
#[derive(Default)]
struct Returns {
    last: HashMap<(u64, u64), f64>,
    histogram: [usize; 8],
}

impl Observer<2> for Returns {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<2>) -> Result<(), ObserverError> {
        let Partner::Particle { id, .. } = contact.partner else { return Ok(()) };
        let now = contact.step as f64 + contact.time;
        if let Some(before) = self.last.insert((contact.id, id), now) {
            let decade = ((now - before).log10() + 2.0).floor().clamp(0.0, 7.0);
            self.histogram[decade as usize] += 1;
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // nm and µs: receptors of radius 2.5 at rest, ligands of radius 1 with D = 1.
    let world =
        SphereWorld::periodic(60.0).timestep(0.05).species(2.5, 0.0).species(1.0, 1.0).seed(7);
    let receptors =
        (0..4).map(|n| (0, [18.0 + 30.0 * (n % 2) as f64, 18.0 + 30.0 * (n / 2) as f64]));
    let ligands = (0..36).map(|n| (1, [3.0 + 10.0 * (n % 6) as f64, 3.0 + 10.0 * (n / 6) as f64]));
    let particles: Vec<_> = receptors
        .chain(ligands)
        .map(|(species, x)| Seed { species, position: Vector(x) })
        .collect();

    let mut engine = world.with(&particles)?;
    let mut returns = Returns::default();
    for _ in 0..20_000 {
        engine.step(&mut returns)?;
    }
    println!("time until the same two touch again:");
    for (decade, count) in returns.histogram.iter().enumerate() {
        println!("  from 1e{:+} steps  {count:>7}", decade as i32 - 2);
    }
    Ok(())
}
