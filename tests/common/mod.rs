//! What the physics proofs share: worlds described in few words, and the rule by which a measured
//! number passes or fails.
//!
//! A proof states its sample size and its standard error, which comes from theory or from blocks that
//! are independent of each other, and fails at 4.5 standard errors (once in 150 000 times by chance).
//! Seeds are fixed. A formula that is only approximate states its bias, which is then added.

// Each proof is a program of its own and needs only some of this.
#![allow(dead_code)]

pub(crate) mod fluid;

use std::time::Instant;

use jostle::brownian::{Brownian, Scheduler, Seed, Setup};
use jostle::observe::Nobody;
use jostle::random::{Purpose, Random};
use jostle::rules::{Action, ContactRule, RuleSet};
use jostle::search::{Kind, Settings};
use jostle::space::{Domain, Vector};
use jostle::species::{Drift, MobilityLaw, Species};

/// How many standard errors a measured value may be off.
pub(crate) const BOUND: f64 = 4.5;

/// A measured number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) value: f64,
    /// Its standard error.
    pub(crate) error: f64,
    /// From how many samples.
    pub(crate) samples: usize,
}

impl Measured {
    /// A value whose standard error theory gives.
    pub(crate) fn new(value: f64, error: f64, samples: usize) -> Self {
        Self { value, error, samples }
    }

    /// The mean of independent `blocks`; the error is that of their scatter.
    pub(crate) fn of_blocks(blocks: &[f64]) -> Self {
        let n = blocks.len() as f64;
        assert!(n >= 30.0, "an error from {n} blocks is worth nothing");
        let mean = blocks.iter().sum::<f64>() / n;
        let variance = blocks.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Self { value: mean, error: (variance / n).sqrt(), samples: blocks.len() }
    }

    /// Fails unless the value is the `expected` one.
    pub(crate) fn agrees(self, what: &str, expected: f64) {
        self.agrees_within(what, expected, 0.0);
    }

    /// Fails unless the value is the `expected` one, which itself may be off by `bias`.
    pub(crate) fn agrees_within(self, what: &str, expected: f64, bias: f64) {
        let Self { value, error, samples } = self;
        let z = (value - expected) / error;
        let line = format!(
            "{what}: {value:.6} +- {error:.1e} ({:.2} %, n = {samples}), expected {expected:.6} (bias {bias:.1e}), z = {z:+.2}",
            100.0 * error / expected.abs()
        );
        println!("  {line}");
        assert!((value - expected).abs() < BOUND * error + bias, "{line}");
    }
}

/// The mean of `samples` independent values with standard deviation `sd` each.
pub(crate) fn mean_of(values: &[f64], sd: f64) -> Measured {
    let n = values.len();
    Measured::new(values.iter().sum::<f64>() / n as f64, sd / (n as f64).sqrt(), n)
}

/// Fails if `counts` are not those of equally likely bins (chi squared, made normal by Wilson and
/// Hilferty's cube root).
pub(crate) fn is_uniform(what: &str, counts: &[u64]) {
    let total: u64 = counts.iter().sum();
    let mean = total as f64 / counts.len() as f64;
    let chi_squared: f64 = counts.iter().map(|&n| (n as f64 - mean).powi(2) / mean).sum();
    let freedom = counts.len() as f64 - 1.0;
    let width = 2.0 / (9.0 * freedom);
    Measured::new((chi_squared / freedom).cbrt(), width.sqrt(), total as usize)
        .agrees(&format!("{what}, cube root of chi squared per degree of freedom"), 1.0 - width);
}

/// Fails if `values` do not follow the distribution function (Kolmogorov and Smirnov; the bound is the
/// one that chance exceeds as rarely as it does 4.5 standard errors).
pub(crate) fn follows(what: &str, mut values: Vec<f64>, distribution: impl Fn(f64) -> f64) {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len() as f64;
    let apart = values.iter().enumerate().map(|(k, &x)| {
        let f = distribution(x);
        (f - k as f64 / n).max((k + 1) as f64 / n - f)
    });
    let distance = apart.fold(0.0, f64::max) * n.sqrt();
    println!("  {what}: Kolmogorov-Smirnov distance {distance:.3} / sqrt(n), n = {n}");
    assert!(distance < 2.51, "{what}: {distance}");
}

/// The distribution function of a standard normal.
pub(crate) fn normal_distribution(x: f64) -> f64 {
    0.5 * libm::erfc(-x / 2f64.sqrt())
}

/// Carries out a proof on one thread (the systems are small, and proofs run side by side) and says how
/// long it took.
pub(crate) fn prove(what: &str, proof: impl FnOnce() + Send) {
    let begun = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one more thread is possible");
    pool.install(proof);
    println!("{what}: {:.1} s", begun.elapsed().as_secs_f64());
}

/// A world without bodies.
#[derive(Clone)]
pub(crate) struct World<const D: usize> {
    pub(crate) domain: Domain<D>,
    pub(crate) timestep: f64,
    pub(crate) species: Vec<Species>,
    pub(crate) rules: RuleSet,
    pub(crate) search: Kind,
    pub(crate) scheduler: Scheduler,
    pub(crate) seed: u64,
}

impl<const D: usize> World<D> {
    /// A box that closes on itself.
    pub(crate) fn periodic(edge: f64) -> Self {
        Self::in_box(Domain::new([edge; D], [true; D]))
    }

    /// A box with reflecting walls all around.
    pub(crate) fn closed(edge: f64) -> Self {
        Self::in_box(Domain::new([edge; D], [false; D]))
    }

    fn in_box(domain: Domain<D>) -> Self {
        Self {
            domain,
            timestep: 1.0,
            species: Vec::new(),
            rules: RuleSet::default(),
            search: Kind::Cubic,
            scheduler: Scheduler::Queue,
            seed: 1,
        }
    }

    pub(crate) fn timestep(self, timestep: f64) -> Self {
        Self { timestep, ..self }
    }

    pub(crate) fn search(self, search: Kind) -> Self {
        Self { search, ..self }
    }

    pub(crate) fn scheduler(self, scheduler: Scheduler) -> Self {
        Self { scheduler, ..self }
    }

    pub(crate) fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// One more species: hard spheres that diffuse.
    pub(crate) fn species(self, radius: f64, diffusion_coefficient: f64) -> Self {
        self.drifting(radius, diffusion_coefficient, Drift::Still)
    }

    /// One more species, which also drifts.
    pub(crate) fn drifting(mut self, radius: f64, diffusion_coefficient: f64, drift: Drift) -> Self {
        self.species.push(Species {
            name: format!("S{}", self.species.len()),
            radius: Some(radius),
            diffusion_coefficient: Some(diffusion_coefficient),
            drift,
        });
        self
    }

    /// All bodies take no notice of each other.
    pub(crate) fn ghosts(mut self) -> Self {
        let kinds = self.species.len() as u16;
        let pairs = (0..kinds).flat_map(|a| (a..kinds).map(move |b| [a, b]));
        self.rules.contact = pairs
            .map(|species| ContactRule::plain(&format!("{species:?}"), species, Action::Ignore))
            .collect();
        self
    }

    pub(crate) fn with(&self, bodies: &[Seed<D>]) -> Brownian<D> {
        let setup = Setup {
            domain: self.domain.clone(),
            timestep: self.timestep,
            species: self.species.clone(),
            rules: self.rules.clone(),
            mobility: MobilityLaw::Stokes,
            search: Settings { kind: self.search, ..Settings::default() }.build(),
            scheduler: self.scheduler,
            seed: self.seed,
        };
        Brownian::new(setup, bodies).expect("the start is a valid one")
    }
}

/// Takes `steps` steps, unwatched.
pub(crate) fn advance<const D: usize>(engine: &mut Brownian<D>, steps: usize) {
    for _ in 0..steps {
        engine.step(&mut Nobody).expect("the step succeeds");
    }
}

/// At least `count` sites of a regular lattice that fills a cube of this edge, half a spacing from
/// its faces.
pub(crate) fn lattice<const D: usize>(edge: f64, count: usize) -> Vec<Vector<D>> {
    let along = (1..).find(|k: &usize| k.pow(D as u32) >= count).expect("some number is large enough");
    let spacing = edge / along as f64;
    (0..along.pow(D as u32))
        .map(|n| Vector::from_fn(|k| spacing * ((n / along.pow(k as u32)) % along) as f64 + spacing / 2.0))
        .collect()
}

/// `count` bodies on a lattice, of each of `kinds` species in turn, dealt out at random.
pub(crate) fn on_lattice<const D: usize>(edge: f64, count: usize, kinds: usize) -> Vec<Seed<D>> {
    let mut sites = lattice(edge, count);
    let deal = |site: &Vector<D>| {
        Random::new(0).uniform(Purpose::Placement, [site[0], site[D - 1], site[D / 2], 0.0].map(f64::to_bits))
    };
    sites.sort_by(|a, b| deal(a).total_cmp(&deal(b)));
    let sites = sites.into_iter().take(count).enumerate();
    sites.map(|(n, position)| Seed { species: (n % kinds) as u16, position }).collect()
}

/// Where everybody would be without periodic wrap, in the order of identity.
pub(crate) fn unwrapped<const D: usize>(engine: &Brownian<D>) -> Vec<Vector<D>> {
    let (p, edges) = (engine.particles(), engine.view().domain.edges());
    let place = |slot: u32| {
        let i = slot as usize;
        Vector::from_fn(|k| p.position[i][k] + f64::from(p.image[i][k]) * edges[k])
    };
    p.slots_by_id().into_iter().map(place).collect()
}
