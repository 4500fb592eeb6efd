//! Attraction and repulsion: the equilibrium is that of the potential at any time step, energy is
//! kept within a step, and steps can be gone back.

mod chains;
mod mechanics;
mod pairs;
mod pressure;
mod switched;

use jostle::brownian::{Brownian, Scheduler, Seed, Setup};
use jostle::potentials::{Potentials, StepPotential};
use jostle::rules::RuleSet;
use jostle::search::{Kind, Settings};
use jostle::space::Domain;
use jostle::species::Species;

use crate::reactions::world::world;

/// An engine of spheres with potentials, in islands on neighbour lists.
fn engine<const D: usize>(
    domain: Domain<D>,
    timestep: f64,
    species: Vec<Species>,
    potentials: &[([u16; 2], &StepPotential)],
    seeds: &[Seed<D>],
    seed: u64,
) -> Brownian<D> {
    let radii: Vec<_> = species.iter().map(|species| species.radius).collect();
    let potentials = Potentials::new(&radii, potentials.iter().copied());
    let setup = Setup {
        potentials,
        search: Settings { kind: Kind::Verlet, ..Settings::default() }.build(),
        scheduler: Scheduler::Islands,
        seed,
        ..world(domain, timestep, species, RuleSet::default())
    };
    Brownian::new(setup, seeds).expect("a start without overlap")
}
