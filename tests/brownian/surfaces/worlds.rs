//! Small worlds with surfaces in them.

use jostle::brownian::{Brownian, Scheduler, Seed, Setup};
use jostle::environment::{AnchorSurface, Confinement, Environment, Manner, Shape, Surface};
use jostle::observe::{Contact, Observer, ObserverError, Outcome, Partner};
use jostle::rules::Action;
use jostle::rules::{ContactRule, RuleSet};
use jostle::space::{Domain, Vector};
use jostle::species::{MobilityLaw, Species};

pub(crate) fn species(name: &str, radius: f64, diffusion: f64) -> Species {
    Species::sphere(name, radius, diffusion)
}

/// No particles interact.
pub(crate) fn strangers(count: u16) -> RuleSet {
    let pairs = (0..count).flat_map(|a| (a..count).map(move |b| [a, b]));
    let contact = pairs.map(|pair| ContactRule::plain("strangers", pair, Action::Ignore)).collect();
    RuleSet { contact, ..RuleSet::default() }
}

/// One surface that the species meet in these manners.
pub(crate) fn surface<const D: usize>(shape: Shape<D>, manners: &[Manner]) -> Environment<D> {
    let surfaces = vec![Surface { name: "wall".into(), shape }];
    Environment::new(
        surfaces,
        manners.iter().map(|&m| vec![m]).collect(),
        vec![None; manners.len()],
    )
}

/// One surface on which the species live for which `lives` says so; the others meet it in their
/// manners.
pub(crate) fn anchor<const D: usize>(
    shape: Shape<D>,
    manners: &[Manner],
    lives: &[Option<f64>],
) -> Environment<D> {
    let anchor_of = |least: &Option<f64>| {
        let shape = AnchorSurface::on(&shape, (*least)?)?;
        // Those on round surfaces face outside.
        let faces = shape.is_round().then_some(false);
        Some(Confinement { surface: 0, shape, faces })
    };
    let anchors = lives.iter().map(anchor_of).collect();
    let surfaces = vec![Surface { name: "home".into(), shape: shape.clone() }];
    Environment::new(surfaces, manners.iter().map(|&m| vec![m]).collect(), anchors)
}

pub(crate) fn setup<const D: usize>(
    domain: Domain<D>,
    environment: Environment<D>,
    species: Vec<Species>,
    rules: RuleSet,
    timestep: f64,
    seed: u64,
) -> Setup<D> {
    Setup {
        environment,
        rules,
        mobility: MobilityLaw::Rouse,
        scheduler: Scheduler::Queue,
        seed,
        ..Setup::new(domain, timestep, species)
    }
}

pub(crate) fn start<const D: usize>(
    setup: Setup<D>,
    particles: &[(u16, Vector<D>)],
) -> Brownian<D> {
    let seeds: Vec<_> =
        particles.iter().map(|&(species, position)| Seed { species, position }).collect();
    Brownian::new(setup, seeds).expect("a good start")
}

/// Counts contacts with surfaces.
#[derive(Default)]
pub(crate) struct Counter {
    pub(crate) bounced: u64,
    pub(crate) passed: u64,
    pub(crate) ended: u64,
}

impl<const D: usize> Observer<D> for Counter {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        if let Partner::Surface(_) = contact.partner {
            assert!(contact.approach >= 0.0 && contact.place.is_finite());
            assert!((contact.normal.norm() - 1.0).abs() < 1e-9);
            match contact.outcome {
                Outcome::Bounced => self.bounced += 1,
                Outcome::Passed => self.passed += 1,
                _ => self.ended += 1,
            }
        }
        Ok(())
    }
}

/// The largest distance of the empirical distribution of numbers in 0..1 from the uniform one,
/// times the root of how many there are. Beyond 2.7 comes by chance once in 10^6 (Kolmogorov).
pub(crate) fn kolmogorov(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let count = numbers.len() as f64;
    let apart = |(n, u): (usize, &f64)| {
        (u - n as f64 / count).abs().max((u - (n + 1) as f64 / count).abs())
    };
    numbers.iter().enumerate().map(apart).fold(0.0, f64::max) * count.sqrt()
}
