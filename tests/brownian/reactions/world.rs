//! What these tests are made of: engines of many particles, and a log of what happened.

use jostle::brownian::{Brownian, Scheduler, Seed, Setup};
use jostle::observe::{Change, ChangeKind, Observer, ObserverError, Party};
use jostle::rules::{Action, ContactRule, RuleSet};
use jostle::search::{Kind, Settings};
use jostle::space::{Domain, Vector};
use jostle::species::{MobilityLaw, Species};

use crate::kinetics::{Dice, always};

/// An engine's setup: cells, free draining, seed 1.
pub(crate) fn world<const D: usize>(
    domain: Domain<D>,
    timestep: f64,
    species: Vec<Species>,
    rules: RuleSet,
) -> Setup<D> {
    Setup {
        rules,
        mobility: MobilityLaw::Rouse,
        search: Settings { kind: Kind::Cubic, ..Settings::default() }.build(),
        scheduler: Scheduler::Queue,
        ..Setup::new(domain, timestep, species)
    }
}

/// The engine of a setup.
pub(crate) fn start<const D: usize>(setup: Setup<D>, particles: &[Seed<D>]) -> Brownian<D> {
    Brownian::new(setup, particles).expect("a start without overlap")
}

/// Rules by which species `0..count` ignore each other.
pub(crate) fn strangers(count: u16) -> Vec<ContactRule> {
    let pairs = (0..count).flat_map(|a| (0..=a).map(move |b| [b, a]));
    pairs.map(|pair| always(pair, Action::Ignore)).collect()
}

/// `count` particles of one species on a lattice that fills a cube of this edge, each a little off
/// its place, by at most `play` along each axis.
pub(crate) fn lattice<const D: usize>(
    count: usize,
    species: u16,
    edge: f64,
    play: f64,
    dice: &mut Dice,
) -> Vec<Seed<D>> {
    let m = (1..).find(|m: &usize| m.pow(D as u32) >= count).unwrap_or(1);
    let spacing = edge / m as f64;
    let places = m.pow(D as u32);
    let seed = |n: usize| {
        // Spread over the whole lattice if it has more places than needed.
        let n = n * places / count;
        let position = Vector::from_fn(|k| {
            let cell = n / m.pow(k as u32) % m;
            (cell as f64 + 0.5) * spacing + play * (2.0 * dice.uniform() - 1.0)
        });
        Seed { species, position }
    };
    (0..count).map(seed).collect()
}

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) struct Event<const D: usize> {
    /// In steps.
    pub(crate) time: f64,
    pub(crate) kind: ChangeKind,
    pub(crate) rule: u16,
    pub(crate) products: Vec<Party>,
    pub(crate) broken: Vec<[u64; 2]>,
}

/// Keeps all that happened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log<const D: usize>(pub(crate) Vec<Event<D>>);

impl<const D: usize> Observer<D> for Log<D> {
    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        self.0.push(Event {
            time: change.step as f64 + change.time,
            kind: change.kind,
            rule: change.rule,
            products: change.products.to_vec(),
            broken: change.bonds_broken.iter().map(|bond| bond.ids).collect(),
        });
        Ok(())
    }
}

impl<const D: usize> Log<D> {
    /// When things of this kind happened. \[steps\]
    pub(crate) fn times(&self, kind: ChangeKind) -> Vec<f64> {
        self.0.iter().filter(|event| event.kind == kind).map(|event| event.time).collect()
    }
}

/// How many particles of a species there are.
pub(crate) fn count<const D: usize>(engine: &Brownian<D>, species: u16) -> usize {
    let p = engine.particles();
    (0..p.len()).filter(|&slot| p.alive[slot] && p.species[slot] == species).count()
}

/// The ranks of exponential waiting times of rate 1.
pub(crate) fn ranks(times: impl IntoIterator<Item = f64>) -> Vec<f64> {
    times.into_iter().map(|time| -(-time).exp_m1()).collect()
}
