//! Gases to test with, in units of their own: masses about 1, speeds about 1.

use jostle::brownian::{self, Brownian, Launch, Scheduler};
use jostle::gas::{Arrangement, Disk, Gas, GasSetup};
use jostle::granular::container::Container;
use jostle::granular::forces::Forces;
use jostle::granular::{self, Collisions, Grain, Granular};
use jostle::kinetic::{KineticKind, KineticSettings};
use jostle::observe::{Contact, Observer, ObserverError};
use jostle::particles::Particles;
use jostle::random::{Purpose, Random};
use jostle::search::{Kind, Settings};
use jostle::space::{Domain, Vector};
use jostle::species::{MobilityLaw, Species};

/// A gas at the start, for whichever engine.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) edges: [f64; 2],
    pub(crate) periodic: bool,
    pub(crate) gravity: Vector<2>,
    pub(crate) timestep: f64,
    /// By species: radius and mass.
    pub(crate) kinds: Vec<[f64; 2]>,
    /// Species, place and velocity.
    pub(crate) disks: Vec<(u16, Vector<2>, Vector<2>)>,
}

impl World {
    /// Disks of the kinds in turns at random places, at temperature 1.
    pub(crate) fn scattered(count: usize, edges: [f64; 2], kinds: &[[f64; 2]], seed: u64) -> Self {
        let random = Random::new(seed);
        let mut disks: Vec<(u16, Vector<2>, Vector<2>)> = Vec::new();
        for n in 0..count as u64 {
            let species = n as usize % kinds.len();
            let [radius, mass] = kinds[species];
            let drawn = |attempt: u64| {
                let inside = |k: usize| {
                    let u = random.uniform(Purpose::Placement, [n, attempt, k as u64, 0]);
                    radius + (edges[k] - 2.0 * radius) * u
                };
                Vector::from_fn(inside)
            };
            let clear = |place: &Vector<2>| {
                let far = |other: &(u16, Vector<2>, Vector<2>)| {
                    (other.1 - *place).norm() > radius + kinds[other.0 as usize][0]
                };
                disks.iter().all(far)
            };
            let place = (0..100_000).map(drawn).find(clear).expect("no room");
            let velocity = random.normal(0, n) * (1.0 / mass.sqrt());
            disks.push((species as u16, place, velocity));
        }
        Self {
            edges,
            periodic: false,
            gravity: Vector::ZERO,
            timestep: 0.1,
            kinds: kinds.to_vec(),
            disks,
        }
    }

    pub(crate) fn domain(&self) -> Domain<2> {
        Domain::new(self.edges, [self.periodic; 2])
    }

    pub(crate) fn exact(&self, search: &Settings, scheduler: Scheduler) -> Brownian<2> {
        let species = |[radius, _]: &[f64; 2]| Species::sphere(format!("r{radius}"), *radius, 0.0);
        let setup = brownian::Setup {
            mobility: MobilityLaw::Rouse,
            search: search.build(),
            scheduler,
            ..brownian::Setup::new(
                self.domain(),
                self.timestep,
                self.kinds.iter().map(species).collect(),
            )
        };
        let masses: Vec<f64> = self.kinds.iter().map(|kind| kind[1]).collect();
        let launch = |&(species, position, velocity): &(u16, Vector<2>, Vector<2>)| Launch {
            species,
            position,
            velocity,
        };
        let disks: Vec<_> = self.disks.iter().map(launch).collect();
        Brownian::ballistic(setup, &masses, self.gravity, &disks).unwrap()
    }

    pub(crate) fn cubic(&self) -> Brownian<2> {
        self.exact(&Settings { kind: Kind::Cubic, ..Settings::default() }, Scheduler::Queue)
    }

    pub(crate) fn after_move(&self, arrangement: Arrangement) -> Gas {
        let disk = |&(species, position, velocity): &(u16, Vector<2>, Vector<2>)| {
            let [radius, mass] = self.kinds[species as usize];
            Disk { position, velocity, radius, mass, species }
        };
        let disks: Vec<_> = self.disks.iter().map(disk).collect();
        let (domain, timestep, gravity) = (self.domain(), self.timestep, self.gravity);
        Gas::new(GasSetup { domain, timestep, gravity, arrangement }, &disks).unwrap()
    }

    pub(crate) fn events(&self) -> Granular<2> {
        let grain = |&(species, position, velocity): &(u16, Vector<2>, Vector<2>)| {
            let [radius, mass] = self.kinds[species as usize];
            Grain { position, velocity, radius, mass, species }
        };
        let grains: Vec<_> = self.disks.iter().map(grain).collect();
        let setup = granular::Setup {
            container: Container::new_box(self.domain(), None).unwrap(),
            forces: Forces { gravity: self.gravity, ..Forces::default() },
            trajectory: None,
            collisions: Collisions::elastic(),
            search: KineticSettings { kind: KineticKind::Direct, cell_size: None }.build().unwrap(),
            output_interval: self.timestep,
        };
        Granular::new(setup, &grains).unwrap()
    }

    /// Kinetic energy, energy in all, and momentum.
    pub(crate) fn balance(&self, particles: &Particles<2>) -> (f64, f64, Vector<2>) {
        let (mut kinetic, mut potential, mut momentum) = (0.0, 0.0, Vector::ZERO);
        for slot in particles.slots_by_id() {
            let i = slot as usize;
            let mass = self.kinds[particles.species[i] as usize][1];
            let velocity = particles.velocity[i] * (1.0 / self.timestep);
            kinetic += 0.5 * mass * velocity.norm_squared();
            potential -= mass * self.gravity.dot(particles.position[i]);
            momentum += velocity * mass;
        }
        (kinetic, kinetic + potential, momentum)
    }
}

/// Hears of every contact.
pub(crate) struct Hear<F>(pub(crate) F);

impl<F: FnMut(&Contact<2>)> Observer<2> for Hear<F> {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<2>) -> Result<(), ObserverError> {
        (self.0)(contact);
        Ok(())
    }
}
