//! The case: A + B -> C + B among hard spheres of one size, from a placement in equilibrium to the
//! survival of A.

use std::f64::consts::PI;

use jostle::brownian::{Brownian, Scheduler, Seed, Setup, Tally};
use jostle::observe::{Change, Contact, NoObserver, Observer, ObserverError, Partner, View};
use jostle::random::{Purpose, Random};
use jostle::rules::rates::ReactingPair;
use jostle::rules::{Action, Chance, ContactRule, RuleSet};
use jostle::search::{Kind, Settings};
use jostle::space::{Domain, Vector};
use jostle::species::Species;

/// \[nm\]
pub(crate) const RADIUS: f64 = 0.5;
/// Of every particle. \[nm²/µs\]
pub(crate) const DIFFUSION: f64 = 10.0;
/// The intrinsic rate constant. \[nm³/µs\]
pub(crate) const K_A: f64 = 85.0;
/// Of B, in the whole volume of the box. \[1/nm³\]
pub(crate) const C_B: f64 = 0.008;

/// Between two looks at which survives. \[µs\]
pub(crate) const SAMPLE: f64 = 0.01;
/// How long placements are mixed before the clock starts, and with what time step: 10 times what a
/// particle takes to diffuse its own diameter, σ²/D. Bounces with masses 1/D keep the equilibrium
/// of hard spheres at any time step, so that a long one serves. \[µs\]
pub(crate) const MIXING: f64 = 1.0;
const MIXING_STEP: f64 = 2e-3;

const A: u16 = 0;
const B: u16 = 1;
const C: u16 = 2;

/// The share of the volume that A and B fill, in equal numbers, without any other particle.
pub(crate) const DILUTE: f64 = 2.0 * C_B * PI / 6.0;

/// One point of the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Case {
    /// The share of the volume that spheres fill, B among them. All others begin as A: A and C
    /// differ in name only, so that the original's 100 A among thousands of C have the same
    /// survival.
    pub(crate) phi: f64,
    /// \[µs\]
    pub(crate) timestep: f64,
    /// Of the periodic cube. \[nm³\]
    pub(crate) volume: f64,
    /// How long A is watched. \[µs\]
    pub(crate) duration: f64,
    /// Whether only A and B keep each other out, as in the theory of a single pair.
    pub(crate) ghosts: bool,
}

/// What one placement gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    /// The share of A that has not reacted, at 0, 1, 2, ... times [`SAMPLE`].
    pub(crate) counted: Vec<f64>,
    /// The share that could be expected not to have reacted, given all contacts: the mean of
    /// (1 - p)^(contacts with B) over all that began as A.
    pub(crate) expected: Vec<f64>,
    pub(crate) tally: Tally,
}

impl Case {
    pub(crate) fn edge(&self) -> f64 {
        self.volume.cbrt()
    }

    pub(crate) fn count_b(&self) -> usize {
        (C_B * self.volume).round() as usize
    }

    /// B and all others.
    pub(crate) fn particles(&self) -> usize {
        (self.phi * self.volume / (4.0 / 3.0 * PI * RADIUS.powi(3))).round() as usize
    }

    pub(crate) fn count_a(&self) -> usize {
        self.particles() - self.count_b()
    }

    /// The probability of reacting at one contact.
    pub(crate) fn probability(&self) -> f64 {
        let pair = ReactingPair::new(3, 2.0 * RADIUS, 2.0 * DIFFUSION).expect("positive numbers");
        pair.probability(K_A, self.timestep).expect("a time step short enough")
    }

    /// Steps of a placement, those that mix it included.
    #[cfg(feature = "long")]
    pub(crate) fn steps(&self) -> f64 {
        (MIXING / MIXING_STEP).round() + (self.duration / self.timestep).round()
    }

    fn engine(
        &self,
        timestep: f64,
        rules: RuleSet,
        seed: u64,
        particles: &[Seed<3>],
    ) -> Brownian<3> {
        let species = ["A", "B", "C"].map(|name| Species::sphere(name, RADIUS, DIFFUSION));
        let setup = Setup {
            rules,
            search: Settings { kind: Kind::Cubic, ..Settings::default() }.build(),
            scheduler: Scheduler::Queue,
            seed,
            ..Setup::new(Domain::new([self.edge(); 3], [true; 3]), timestep, species.to_vec())
        };
        Brownian::new(setup, particles).expect("a start without overlap")
    }

    /// B first, then A, on sites of a fine lattice that are drawn at random, then mixed.
    fn placement(&self, seed: u64) -> Vec<Seed<3>> {
        let along = (self.edge() / (2.1 * RADIUS)) as usize;
        let spacing = self.edge() / along as f64;
        let mut sites: Vec<usize> = (0..along.pow(3)).collect();
        sites.sort_by_cached_key(|&site| {
            Random::new(seed).uniform(Purpose::Placement, [site as u64, 0, 0, 0]).to_bits()
        });
        let place =
            |site: usize, k: u32| (site / along.pow(k) % along) as f64 * spacing + spacing / 2.0;
        let particles = sites.iter().take(self.particles()).enumerate().map(|(n, &site)| Seed {
            species: if n < self.count_b() { B } else { A },
            position: Vector([0, 1, 2].map(|k| place(site, k))),
        });
        let particles: Vec<_> = particles.collect();
        let mut engine = self.engine(MIXING_STEP, RuleSet::default(), seed, &particles);
        for _ in 0..(MIXING / MIXING_STEP).round() as usize {
            engine.step(&mut NoObserver).expect("a step");
        }
        let p = engine.particles();
        let seed = |slot: u32| Seed {
            species: p.species[slot as usize],
            position: p.position[slot as usize],
        };
        p.slots_by_id().into_iter().map(seed).collect()
    }

    /// One placement, and what became of its A.
    pub(crate) fn run(&self, seed: u64) -> Course {
        let react = ContactRule::convert("react", [A, B], &[C, B], Chance::Intrinsic(K_A));
        let mut rules = RuleSet { contact: vec![react], ..RuleSet::default() };
        if self.ghosts {
            let blind = [[A, A], [A, C], [C, C], [B, B]];
            let ignore =
                |pair: [u16; 2]| ContactRule::plain(&format!("{pair:?}"), pair, Action::Ignore);
            rules.contact.extend(blind.map(ignore));
        }
        // Another seed, so that no displacement of the mixing comes again.
        let mut engine = self.engine(self.timestep, rules, !seed, &self.placement(seed));
        let mut watch = Watch::new(self);
        for _ in 0..(self.duration / self.timestep).round() as usize {
            engine.step(&mut watch).expect("a step");
        }
        Course { tally: engine.tally(), ..watch.course }
    }
}

/// Counts the A that are left, and knows how likely each was to survive.
struct Watch {
    /// The probability of surviving a contact.
    spared: f64,
    /// By identity; those of B, the first ones, stay as they are.
    likelihood: Vec<f64>,
    count_b: usize,
    alive: usize,
    every: u64,
    course: Course,
}

impl Watch {
    fn new(case: &Case) -> Self {
        let mut watch = Self {
            spared: 1.0 - case.probability(),
            likelihood: vec![1.0; case.particles()],
            count_b: case.count_b(),
            alive: case.count_a(),
            every: (SAMPLE / case.timestep).round() as u64,
            course: Course::default(),
        };
        watch.look();
        watch
    }

    fn look(&mut self) {
        let others = &self.likelihood[self.count_b..];
        let count = others.len() as f64;
        self.course.counted.push(self.alive as f64 / count);
        self.course.expected.push(others.iter().sum::<f64>() / count);
    }
}

impl Observer<3> for Watch {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<3>) -> Result<(), ObserverError> {
        let Partner::Particle { id, species } = contact.partner else { return Ok(()) };
        match (contact.species == B, species == B) {
            (false, true) => self.likelihood[contact.id as usize] *= self.spared,
            (true, false) => self.likelihood[id as usize] *= self.spared,
            _ => {}
        }
        Ok(())
    }

    fn change(&mut self, _: &Change<'_, 3>) -> Result<(), ObserverError> {
        self.alive -= 1;
        Ok(())
    }

    fn step(&mut self, view: &View<'_, 3>) -> Result<(), ObserverError> {
        if view.clock.step.is_multiple_of(self.every) {
            self.look();
        }
        Ok(())
    }
}
