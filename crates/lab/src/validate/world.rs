//! Small worlds of spheres, described in few words, and starts for them.

use super::CheckError;
use jostle_brownian::{Brownian, Scheduler, Seed, Setup, StepError};
use jostle_core::clusters::Bond;
use jostle_core::environment::Environment;
use jostle_core::observe::NoObserver;
use jostle_core::potentials::Potentials;
use jostle_core::random::{Purpose, Random};
use jostle_core::rules::{Action, ContactRule, RuleSet};
use jostle_core::search::{Kind, Settings};
use jostle_core::space::{Domain, Vector};
use jostle_core::species::{Drift, MobilityLaw, Species};

/// A world without particles. Lengths and times are in any units that go together.
#[derive(Clone)]
pub struct World<const D: usize> {
    /// The box.
    pub domain: Domain<D>,
    /// The surfaces in it.
    pub environment: Environment<D>,
    /// The length of a step.
    pub timestep: f64,
    /// The species that live in it.
    pub species: Vec<Species>,
    /// What they do to each other.
    pub rules: RuleSet,
    /// How pairs attract or repel each other.
    pub potentials: Potentials,
    /// What bonded clusters diffuse like.
    pub mobility: MobilityLaw,
    /// The search structure: neighbour lists, unless another one is asked for.
    pub search: Settings,
    /// How contacts are put in order: in islands, unless another way is asked for.
    pub scheduler: Scheduler,
    /// Of the random numbers.
    pub seed: u64,
}

impl<const D: usize> World<D> {
    /// A box that closes on itself.
    pub fn periodic(edge: f64) -> Self {
        Self::in_box(Domain::new([edge; D], [true; D]))
    }

    /// A box with reflecting walls all around.
    pub fn closed(edge: f64) -> Self {
        Self::in_box(Domain::new([edge; D], [false; D]))
    }

    fn in_box(domain: Domain<D>) -> Self {
        Self {
            domain,
            environment: Environment::none(),
            timestep: 1.0,
            species: Vec::new(),
            rules: RuleSet::default(),
            potentials: Default::default(),
            mobility: MobilityLaw::Stokes,
            search: Settings { kind: Kind::Verlet, ..Settings::default() },
            scheduler: Scheduler::Islands,
            seed: 1,
        }
    }

    /// The same with steps of this length.
    #[must_use]
    pub fn timestep(self, timestep: f64) -> Self {
        Self { timestep, ..self }
    }

    /// The same with another search structure.
    #[must_use]
    pub fn search(self, kind: Kind) -> Self {
        Self { search: Settings { kind, ..self.search }, ..self }
    }

    /// The same with another way to put contacts in order.
    #[must_use]
    pub fn scheduler(self, scheduler: Scheduler) -> Self {
        Self { scheduler, ..self }
    }

    /// The same with other random numbers.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same and one more species: hard spheres that diffuse.
    #[must_use]
    pub fn species(self, radius: f64, diffusion_coefficient: f64) -> Self {
        self.drifting(radius, diffusion_coefficient, Drift::Still)
    }

    /// The same and one more species, which also drifts.
    #[must_use]
    pub fn drifting(mut self, radius: f64, diffusion_coefficient: f64, drift: Drift) -> Self {
        self.species.push(Species {
            name: format!("S{}", self.species.len()),
            radius: Some(radius),
            diffusion_coefficient: Some(diffusion_coefficient),
            drift,
            sites: Default::default(),
        });
        self
    }

    /// The same and one more species, which only arises by coalescence and has the size of its
    /// parts.
    #[must_use]
    pub fn product(mut self) -> Self {
        let name = format!("S{}", self.species.len());
        let species = Species {
            name,
            radius: None,
            diffusion_coefficient: None,
            drift: Drift::Still,
            sites: Default::default(),
        };
        self.species.push(species);
        self
    }

    /// The same with these rules.
    #[must_use]
    pub fn rules(self, rules: RuleSet) -> Self {
        Self { rules, ..self }
    }

    /// The same, but no particle interacts with another.
    #[must_use]
    pub fn ghosts(mut self) -> Self {
        let kinds = self.species.len() as u16;
        let pairs = (0..kinds).flat_map(|a| (a..kinds).map(move |b| [a, b]));
        self.rules.contact = pairs
            .map(|species| ContactRule::plain(&format!("{species:?}"), species, Action::Ignore))
            .collect();
        self
    }

    /// An engine in this world, with these particles.
    pub fn with(&self, particles: &[Seed<D>]) -> Result<Brownian<D>, CheckError> {
        self.bonded(particles, &[])
    }

    /// The same with these bonds among them.
    pub fn bonded(&self, particles: &[Seed<D>], bonds: &[Bond]) -> Result<Brownian<D>, CheckError> {
        let setup = Setup {
            environment: self.environment.clone(),
            domain: self.domain.clone(),
            timestep: self.timestep,
            species: self.species.clone(),
            rules: self.rules.clone(),
            potentials: self.potentials.clone(),
            mobility: self.mobility.clone(),
            search: self.search.build(),
            scheduler: self.scheduler,
            seed: self.seed,
        };
        Ok(Brownian::bonded(setup, particles, bonds)?)
    }
}

/// Takes `steps` steps, unwatched.
pub fn advance<const D: usize>(engine: &mut Brownian<D>, steps: usize) -> Result<(), StepError> {
    (0..steps).try_for_each(|_| engine.step(&mut NoObserver))
}

/// At least `count` sites of a regular lattice that fills a cube of this edge, half a spacing from
/// its faces.
pub fn lattice<const D: usize>(edge: f64, count: usize) -> Vec<Vector<D>> {
    let along =
        (1..).find(|k: &usize| k.pow(D as u32) >= count).expect("some number is large enough");
    let spacing = edge / along as f64;
    (0..along.pow(D as u32))
        .map(|n| {
            Vector::from_fn(|k| {
                spacing * ((n / along.pow(k as u32)) % along) as f64 + spacing / 2.0
            })
        })
        .collect()
}

/// `count` particles on a lattice, of each of `kinds` species in turn, dealt out at random.
pub fn on_lattice<const D: usize>(edge: f64, count: usize, kinds: usize) -> Vec<Seed<D>> {
    let mut sites = lattice(edge, count);
    let deal = |site: &Vector<D>| {
        Random::new(0)
            .uniform(Purpose::Placement, [site[0], site[D - 1], site[D / 2], 0.0].map(f64::to_bits))
    };
    sites.sort_by(|a, b| deal(a).total_cmp(&deal(b)));
    let sites = sites.into_iter().take(count).enumerate();
    sites.map(|(n, position)| Seed { species: (n % kinds) as u16, position }).collect()
}

/// `n` rods of length 1 in equilibrium, on a ring or between walls with the free length `free`:
/// points thrown onto that, then pushed apart by one rod each. Which rod is which means nothing.
pub fn thrown_rods<const D: usize>(seed: u64, n: usize, free: f64) -> Vec<Seed<D>> {
    let random = Random::new(seed);
    let thrown = |k: usize| free * random.uniform(Purpose::Placement, [k as u64, 1, 0, 0]);
    let mut points: Vec<f64> = (0..n).map(thrown).collect();
    points.sort_unstable_by(f64::total_cmp);
    let rod = |(k, point): (usize, f64)| Vector::from_fn(|_| point + k as f64 + 0.5);
    points.into_iter().enumerate().map(rod).map(|position| Seed { species: 0, position }).collect()
}

/// Where every particle would be without periodic wrap, in the order of identity.
pub fn unwrapped<const D: usize>(engine: &Brownian<D>) -> Vec<Vector<D>> {
    let view = engine.view();
    view.particles.slots_by_id().into_iter().map(|slot| view.unwrapped(slot as usize)).collect()
}
