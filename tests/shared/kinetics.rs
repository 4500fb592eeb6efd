//! What the tests of binding and of kinetics share: small engines, ledgers of what happened, and
//! statistics.

use std::time::Instant;

use jostle::brownian::{Brownian, Scheduler, Seed, Setup};
use jostle::observe::{Change, ChangeKind, Observer, ObserverError};
use jostle::rules::{Action, Chance, ContactRule, RuleSet, TimedRule};
use jostle::search::{Finder, Naive};
use jostle::space::{Domain, Vector};
use jostle::species::{MobilityLaw, Species};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::program::nightly;

/// The bound on |z| of every statistical test: false alarms in 7 of a million.
pub(crate) const Z: f64 = 4.5;

/// How many cycles, steps or samples a test takes: so many in `make nightly`, ten times as many with
/// the feature `long`, and a quarter of them in `make test`. The numbers and standard errors that
/// tests state are those of `make nightly`; in `make test` the errors are twice as large.
pub(crate) fn samples(in_nightly: usize) -> usize {
    match (cfg!(feature = "long"), nightly()) {
        (true, _) => 10 * in_nightly,
        (false, true) => in_nightly,
        (false, false) => in_nightly / 4,
    }
}

/// Runs on a rayon pool of one thread and prints the seconds it took. A step of a few particles is
/// a matter of a microsecond; handing it to the global pool would cost ten.
pub(crate) fn timed<T: Send>(name: &str, work: impl FnOnce() -> T + Send) -> T {
    let begun = Instant::now();
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
    let result = pool.install(work);
    println!("{name}: {:.1} s", begun.elapsed().as_secs_f64());
    result
}

/// A species with a size, at rest but for diffusion.
pub(crate) fn particle(name: &str, radius: f64, diffusion_coefficient: f64) -> Species {
    Species::sphere(name, radius, diffusion_coefficient)
}

/// A species that takes its size from what it is made of.
pub(crate) fn product(name: &str) -> Species {
    Species { radius: None, diffusion_coefficient: None, ..particle(name, 1.0, 1.0) }
}

/// How two particles bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bind {
    /// They become one sphere of this species.
    Into(u16),
    /// They are joined by a bond.
    Bond,
}

impl Bind {
    /// The rule by which two species bind.
    pub(crate) fn rule(self, species: [u16; 2], chance: Chance) -> ContactRule {
        match self {
            Self::Into(product) => ContactRule::coalesce("bind", species, product, chance),
            Self::Bond => ContactRule::bond("bind", species, chance),
        }
    }
}

/// Species 0 and 1 bind; what is bound falls apart at `rate` \[1/µs\], if that is not 0.
pub(crate) fn binding(bind: Bind, chance: Chance, rate: f64) -> RuleSet {
    let unbind = TimedRule::unbind("unbind", 0, rate);
    let timed = if rate > 0.0 { vec![unbind] } else { vec![] };
    RuleSet { contact: vec![bind.rule([0, 1], chance)], timed, ..RuleSet::default() }
}

/// A rule that always holds.
pub(crate) fn always(species: [u16; 2], action: Action) -> ContactRule {
    ContactRule::plain(&format!("{species:?}"), species, action)
}

/// An engine in a cube that closes on itself.
pub(crate) fn periodic<const D: usize>(
    edge: f64,
    timestep: f64,
    species: Vec<Species>,
    rules: RuleSet,
    seed: u64,
    particles: &[Seed<D>],
) -> Brownian<D> {
    within(Domain::new([edge; D], [true; D]), timestep, species, rules, seed, particles)
}

/// An engine in any box. Clusters drain freely: their D is quite different from that of their
/// parts.
pub(crate) fn within<const D: usize>(
    domain: Domain<D>,
    timestep: f64,
    species: Vec<Species>,
    rules: RuleSet,
    seed: u64,
    particles: &[Seed<D>],
) -> Brownian<D> {
    let setup = Setup {
        rules,
        mobility: MobilityLaw::Rouse,
        search: Finder::any(Naive::new()),
        scheduler: Scheduler::Queue,
        seed,
        ..Setup::new(domain, timestep, species)
    };
    Brownian::new(setup, particles).expect("a start without overlap")
}

/// Keeps the changes of the population, and when \[steps\] they were.
#[derive(Default)]
pub(crate) struct Ledger {
    pub(crate) changes: Vec<(f64, ChangeKind)>,
}

impl<const D: usize> Observer<D> for Ledger {
    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        self.changes.push((change.step as f64 + change.time, change.kind));
        Ok(())
    }
}

impl Ledger {
    /// For a single pair: how long it was bound and how long it then was free, time and again,
    /// from the first unbinding on. \[steps\]
    pub(crate) fn cycles(&self) -> Vec<(f64, f64)> {
        let parted = |kind: ChangeKind| matches!(kind, ChangeKind::Split | ChangeKind::Unbonded);
        let moments: Vec<_> =
            self.changes.iter().filter(|(_, kind)| *kind != ChangeKind::Refused).collect();
        let first = moments.iter().position(|(_, kind)| parted(*kind)).unwrap_or(moments.len());
        let cycles = moments[first..].windows(3).step_by(2);
        cycles.map(|m| (m[2].0 - m[1].0, m[1].0 - m[0].0)).collect()
    }
}

/// Uniform numbers in [0, 1) for starts and for Monte Carlo references.
pub(crate) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub(crate) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A place in a cube.
    pub(crate) fn place<const D: usize>(&mut self, edge: f64) -> Vector<D> {
        Vector::from_fn(|_| self.uniform() * edge)
    }
}

/// Mean and standard error of the mean.
pub(crate) fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// The ratio of the sums of two columns of independent rows, and its standard error (delta method).
pub(crate) fn ratio(rows: &[(f64, f64)]) -> (f64, f64) {
    let n = rows.len() as f64;
    let (above, below) = rows.iter().fold((0.0, 0.0), |(a, b), row| (a + row.0, b + row.1));
    let ratio = above / below;
    let spread: f64 = rows.iter().map(|row| (row.0 - ratio * row.1).powi(2)).sum();
    (ratio, (spread * n / (n - 1.0)).sqrt() / below)
}

/// Fails unless `found` is within [`Z`] standard errors, and `bias`, of `expected`.
pub(crate) fn hold(what: &str, found: f64, error: f64, expected: f64, bias: f64) {
    let z = (found - expected) / error;
    println!("  {what}: {found:.4e} ± {error:.1e}, expected {expected:.4e}, z = {z:.2}");
    assert!(
        (found - expected).abs() < Z * error + bias,
        "{what}: {found} ± {error}, not {expected}: z = {z:.2}"
    );
}

/// The Kolmogorov-Smirnov distance sqrt(n) sup |F_n - F| of values in [0, 1] from the uniform law.
pub(crate) fn kolmogorov(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len() as f64;
    let gaps =
        values.iter().enumerate().map(|(i, u)| (u - i as f64 / n).max((i + 1) as f64 / n - u));
    gaps.fold(0.0, f64::max) * n.sqrt()
}

/// The same for two samples: sqrt(n m/(n + m)) sup |F_n - G_m|.
pub(crate) fn kolmogorov_of_two(mut one: Vec<f64>, mut other: Vec<f64>) -> f64 {
    one.sort_unstable_by(f64::total_cmp);
    other.sort_unstable_by(f64::total_cmp);
    let (n, m) = (one.len() as f64, other.len() as f64);
    let gaps = one.iter().enumerate().map(|(i, x)| {
        let below = other.partition_point(|y| y <= x) as f64;
        ((i + 1) as f64 / n - below / m).abs()
    });
    gaps.fold(0.0, f64::max) * (n * m / (n + m)).sqrt()
}

/// The bound on both: false alarms in 5 of a million, 2 exp(-2 x²).
pub(crate) const KOLMOGOROV: f64 = 2.54;

/// How far chi² of `observed` counts is above what `expected` ones make likely, in standard normal
/// deviations (Wilson & Hilferty 1931). Cells that expect fewer than ten are pooled with their
/// neighbours.
pub(crate) fn chi_squared(observed: &[f64], expected: &[f64]) -> f64 {
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut open = (0.0, 0.0);
    for (o, e) in observed.iter().zip(expected) {
        open = (open.0 + o, open.1 + e);
        if open.1 >= 10.0 {
            cells.push(std::mem::take(&mut open));
        }
    }
    if let Some(last) = cells.last_mut() {
        *last = (last.0 + open.0, last.1 + open.1);
    }
    let freedom = cells.len() as f64 - 1.0;
    let chi: f64 = cells.iter().map(|(o, e)| (o - e) * (o - e) / e).sum();
    let spread = 2.0 / (9.0 * freedom);
    ((chi / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}
