//! An observer of one's own: how long does a ligand stay away before it touches the same receptor
//! again? Most return at once, some hardly ever: the signature of diffusion.
//!
//! cargo run --example own_observer

use std::collections::HashMap;

use jostle::brownian::{Brownian, Scheduler, Seed, Setup};
use jostle::observe::{Contact, Observer, ObserverError, Partner};
use jostle::rules::RuleSet;
use jostle::search::Settings;
use jostle::space::{Domain, Vector};
use jostle::species::{Drift, MobilityLaw, Species};

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
    let species = |name: &str, radius, diffusion| Species {
        name: name.into(),
        radius: Some(radius),
        diffusion_coefficient: Some(diffusion),
        drift: Drift::Still,
        sites: Default::default(),
    };
    let setup = Setup {
        environment: Default::default(),
        domain: Domain::new([60.0, 60.0], [true, true]), // nm
        timestep: 0.05,                                  // µs
        species: vec![species("receptor", 2.5, 0.0), species("ligand", 1.0, 1.0)],
        rules: RuleSet::default(),
        potentials: Default::default(),
        mobility: MobilityLaw::Stokes,
        search: Settings::default().build(), // measures, then picks
        scheduler: Scheduler::Queue,
        seed: 7,
    };
    let receptors =
        (0..4).map(|n| (0, [18.0 + 30.0 * (n % 2) as f64, 18.0 + 30.0 * (n / 2) as f64]));
    let ligands = (0..36).map(|n| (1, [3.0 + 10.0 * (n % 6) as f64, 3.0 + 10.0 * (n / 6) as f64]));
    let particles: Vec<_> = receptors
        .chain(ligands)
        .map(|(species, x)| Seed { species, position: Vector(x) })
        .collect();

    let mut engine = Brownian::<2>::new(setup, &particles)?;
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
