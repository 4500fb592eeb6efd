//! Walkers that ignore each other around one target: each in a world of its own.

use super::super::CheckError;
use super::super::world::World;
use super::dice::Dice;
use jostle_brownian::Seed;
use jostle_core::observe::{Change, Observer, ObserverError};
use jostle_core::rules::rates::ReactingPair;
use jostle_core::rules::{Action, Chance, ContactRule, RuleSet};
use jostle_core::search::Kind;
use jostle_core::space::Vector;

/// How many walkers share an engine.
pub(super) const SWARM: usize = 100;

/// Walkers with D = 1 that start anywhere outside contact distance 1 of one target at rest in a
/// periodic cube. It swallows what it captures, and stays what it was.
pub(super) struct Swarms {
    pub(super) edge: f64,
    pub(super) timestep: f64,
    pub(super) chance: Chance,
    pub(super) seed: u64,
}

/// When each capture happened. \[steps\]
#[derive(Default)]
pub(super) struct Captures(pub(super) Vec<f64>);

impl<const D: usize> Observer<D> for Captures {
    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        self.0.push(change.step as f64 + change.time);
        Ok(())
    }
}

/// Walkers, which are of the first species, pass each other; the target, of the second, swallows
/// them.
pub(super) fn capture(chance: Chance) -> RuleSet {
    RuleSet {
        contact: vec![
            ContactRule::coalesce("capture", [0, 1], 1, chance),
            ContactRule::plain("pass", [0, 0], Action::Ignore),
        ],
        ..RuleSet::default()
    }
}

impl Swarms {
    /// The rms step is s contact distances.
    pub(super) fn new(edge: f64, s: f64, chance: Chance, seed: u64) -> Self {
        Self { edge, timestep: 0.5 * s * s, chance, seed }
    }

    /// The intrinsic rate constant that the probability of one contact stands for.
    pub(super) fn intrinsic<const D: usize>(&self) -> Result<f64, CheckError> {
        let pair = ReactingPair::new(D, 1.0, 1.0)?;
        Ok(match self.chance {
            Chance::Intrinsic(k_a) => k_a,
            Chance::Macroscopic(k_on) => pair.intrinsic_from_macroscopic(k_on)?,
            Chance::Probability(p) => pair.intrinsic_rate(p, self.timestep)?,
        })
    }

    /// When those of each swarm were captured, up to the time `until`.
    pub(super) fn captures<const D: usize>(
        &self,
        swarms: usize,
        until: f64,
    ) -> Result<Vec<Vec<f64>>, CheckError> {
        let mut dice = Dice::new(self.seed);
        let world = World::<D>::periodic(self.edge).timestep(self.timestep).search(Kind::Naive);
        let world = world.species(0.5, 1.0).species(0.5, 0.0).rules(capture(self.chance));
        (0..swarms as u64).map(|swarm| self.follow(&world, &mut dice, swarm, until)).collect()
    }

    fn follow<const D: usize>(
        &self,
        world: &World<D>,
        dice: &mut Dice,
        swarm: u64,
        until: f64,
    ) -> Result<Vec<f64>, CheckError> {
        let target = Vector([self.edge / 2.0; D]);
        let mut particles = vec![Seed { species: 1, position: target }];
        while particles.len() <= SWARM {
            let position = dice.place(self.edge);
            if (position - target).norm() >= 1.0 {
                particles.push(Seed { species: 0, position });
            }
        }
        let mut engine = world.clone().seed(self.seed.wrapping_add(swarm)).with(&particles)?;
        let mut captures = Captures::default();
        while captures.0.len() < SWARM && engine.clock().time() < until {
            engine.step(&mut captures)?;
        }
        let times = captures.0.into_iter().map(|steps| steps * self.timestep);
        Ok(times.filter(|&time| time <= until).collect())
    }
}
