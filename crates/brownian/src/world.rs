//! Worlds of spheres, described in few words.

use crate::{Brownian, Scheduler, Seed, Setup, SetupError};
use jostle_core::clusters::Bond;
use jostle_core::environment::Environment;
use jostle_core::potentials::Potentials;
use jostle_core::rules::{Action, ContactRule, RuleSet};
use jostle_core::search::{Kind, Settings};
use jostle_core::space::Domain;
use jostle_core::species::{Drift, MobilityLaw, Species};

/// A box with species and their rules, described step by step; what is not described is as simple
/// as can be. Lengths and times are in any units that go together.
///
/// ```
/// use jostle_brownian::{Seed, SphereWorld};
/// use jostle_core::observe::NoObserver;
/// use jostle_core::space::Vector;
///
/// // Two disks of radius 1 and D = 0.5 in a periodic box.
/// let world = SphereWorld::<2>::periodic(10.0).timestep(0.01).species(1.0, 0.5).seed(7);
/// let disk = |x| Seed { species: 0, position: Vector([x, 5.0]) };
/// let mut engine = world.with(&[disk(2.0), disk(6.0)])?;
/// for _ in 0..1000 {
///     engine.step(&mut NoObserver)?;
/// }
/// let [a, b] = [0, 1].map(|n| engine.view().particles.position[n]);
/// assert!(world.domain.nearest_image(b - a).norm() >= 2.0 - 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SphereWorld<const D: usize> {
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

impl<const D: usize> SphereWorld<D> {
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
            search: Settings::lists(),
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
    ///
    /// ```
    /// use jostle_brownian::{Seed, SphereWorld};
    /// use jostle_core::observe::NoObserver;
    /// use jostle_core::search::Kind;
    /// use jostle_core::space::Vector;
    /// use jostle_core::state_hash::state_hash;
    ///
    /// // No result depends on the search structure, to the last bit.
    /// let place = |n: usize| Vector([2.5 * (n % 4) as f64 + 1.1, 2.5 * (n / 4) as f64 + 1.1]);
    /// let disks: Vec<_> = (0..16).map(|n| Seed { species: 0, position: place(n) }).collect();
    /// let hash = |kind| {
    ///     let world = SphereWorld::<2>::periodic(10.0).timestep(0.1).species(1.0, 0.5).search(kind);
    ///     let mut engine = world.with(&disks).unwrap();
    ///     (0..100).for_each(|_| engine.step(&mut NoObserver).unwrap());
    ///     state_hash(engine.particles(), engine.clusters())
    /// };
    /// for kind in [Kind::Cubic, Kind::Slices, Kind::Levels, Kind::Endpoints, Kind::Verlet] {
    ///     assert_eq!(hash(kind), hash(Kind::Naive), "{kind:?}");
    /// }
    /// ```
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
            drift,
            ..Species::sphere(format!("S{}", self.species.len()), radius, diffusion_coefficient)
        });
        self
    }

    /// The same and one more species, which only arises by coalescence and has the size of its
    /// parts.
    #[must_use]
    pub fn product(mut self) -> Self {
        let name = format!("S{}", self.species.len());
        let species = Species::grown(name);
        self.species.push(species);
        self
    }

    /// The same with these rules.
    ///
    /// ```
    /// use jostle_brownian::{Seed, SphereWorld};
    /// use jostle_core::observe::NoObserver;
    /// use jostle_core::rules::{Chance, ContactRule, RuleSet, Scheduled, ScheduledAction};
    /// use jostle_core::space::Vector;
    ///
    /// // Two disks in a small box bind when they meet, and ten more are added after 5 µs.
    /// let ten = ScheduledAction::Add { species: 0, sites: 0, count: 10, region: None };
    /// let rules = RuleSet {
    ///     contact: vec![ContactRule::bond("bind", [0, 0], Chance::Probability(1.0))],
    ///     schedule: vec![Scheduled { name: "feed".into(), at: 5.0, every: None, action: ten }],
    ///     ..RuleSet::default()
    /// };
    /// let world = SphereWorld::<2>::periodic(20.0).timestep(0.1).species(1.0, 5.0).rules(rules);
    /// let disk = |x| Seed { species: 0, position: Vector([x, 10.0]) };
    /// let mut engine = world.with(&[disk(5.0), disk(9.0)])?;
    /// for _ in 0..1000 {
    ///     engine.step(&mut NoObserver)?;
    /// }
    /// let living = engine.particles().slots_by_id();
    /// assert_eq!((living.len(), engine.tally().created), (12, 10));
    /// // All are one cluster, with a bond less than there are disks.
    /// assert_eq!(engine.clusters().size_of(engine.particles(), living[0]), 12);
    /// assert_eq!(engine.clusters().bonds().count(), 11);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rules(self, rules: RuleSet) -> Self {
        Self { rules, ..self }
    }

    /// The same, but no particle interacts with another.
    #[must_use]
    pub fn ghosts(mut self) -> Self {
        let kinds = self.species.len() as u16;
        let pairs = (0..kinds).flat_map(|a| (a..kinds).map(move |b| [a, b]));
        // By rules that say so: pairs without a rule bounce.
        self.rules.contact = pairs
            .map(|species| ContactRule::plain(&format!("{species:?}"), species, Action::Ignore))
            .collect();
        self
    }

    /// An engine in this world, with these particles.
    ///
    /// # Errors
    /// If they overlap, are outside of the box, or cannot be simulated like this.
    pub fn with(&self, particles: &[Seed<D>]) -> Result<Brownian<D>, SetupError> {
        self.bonded(particles, &[])
    }

    /// The same with these bonds among them.
    ///
    /// ```
    /// use jostle_brownian::{Seed, SphereWorld};
    /// use jostle_core::clusters::Bond;
    /// use jostle_core::observe::NoObserver;
    /// use jostle_core::rules::{Chance, ContactRule, RuleSet};
    /// use jostle_core::space::Vector;
    ///
    /// // A dimer that is there from the start, by the rule that could have made it. It moves and turns as
    /// // one.
    /// let contact = vec![ContactRule::bond("bind", [0, 0], Chance::Intrinsic(1.0))];
    /// let rules = RuleSet { contact, ..RuleSet::default() };
    /// let world = SphereWorld::<3>::periodic(50.0).timestep(0.1).species(1.0, 1.0).rules(rules);
    /// let sphere = |x| Seed { species: 0, position: Vector([x, 20.0, 20.0]) };
    /// let mut engine = world.bonded(&[sphere(20.0), sphere(22.0)], &[Bond::new([0, 1], 0)])?;
    /// for _ in 0..100 {
    ///     engine.step(&mut NoObserver)?;
    /// }
    /// let [a, b] = [0, 1].map(|slot| engine.particles().position[slot]);
    /// let apart = world.domain.nearest_image(b - a);
    /// assert!((apart.norm() - 2.0).abs() < 1e-9 && apart[0] < 1.9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As of [`SphereWorld::with`], and if a bond joins what it cannot.
    pub fn bonded(&self, particles: &[Seed<D>], bonds: &[Bond]) -> Result<Brownian<D>, SetupError> {
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
        Brownian::bonded(setup, particles, bonds)
    }
}
