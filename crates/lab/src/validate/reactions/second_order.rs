//! Reactions of all pairs: their rate counts each pair once, also of particles of one species.

use std::f64::consts::PI;

use super::super::statistics::{mean_of_blocks, waiting};
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use super::dice::Dice;
use super::ledger::step_until;
use jostle_brownian::Seed;
use jostle_core::observe::{Change, NoObserver, Observer, ObserverError};
use jostle_core::rules::{Chance, ContactRule, RuleSet};
use jostle_core::search::Kind;
use jostle_core::theory::{contact_value_3d, encounters};

/// How many of species 0 and 1 there are, how often they have reacted, and how often they should
/// have for a rate constant of 1: the time integral of the pairs, each with the pair distribution
/// at contact.
struct PairCounts {
    timestep: f64,
    volume: f64,
    numbers: [f64; 2],
    since: f64,
    reactions: usize,
    expected: f64,
    alike: bool,
}

impl Observer<3> for PairCounts {
    fn change(&mut self, change: &Change<'_, 3>) -> Result<(), ObserverError> {
        let now = (change.step as f64 + change.time) * self.timestep;
        let [a, b] = self.numbers;
        let pairs = if self.alike { 0.5 * a * (a - 1.0) } else { a * b };
        let g = contact_value_3d((a + b) * PI / 6.0 / self.volume);
        self.expected += pairs * g * (now - self.since) / self.volume;
        self.since = now;
        self.reactions += 1;
        change.reactants.iter().for_each(|party| self.numbers[party.species as usize] -= 1.0);
        change.products.iter().for_each(|party| self.numbers[party.species as usize] += 1.0);
        Ok(())
    }
}

/// A network of one reaction.
#[derive(Clone, Copy)]
struct Reaction {
    name: &'static str,
    /// How many of A and of B there are at the start.
    start: [usize; 2],
    /// What the two become.
    products: &'static [u16],
    /// How many A are left when it is enough.
    left: f64,
}

const REACTIONS: [Reaction; 3] = [
    Reaction { name: "A + B -> 0", start: [30, 30], products: &[], left: 6.0 },
    Reaction { name: "A + A -> 0", start: [60, 0], products: &[], left: 10.0 },
    Reaction { name: "A + B -> B + B", start: [54, 6], products: &[1, 1], left: 6.0 },
];

impl Reaction {
    fn alike(&self) -> bool {
        self.start[1] == 0
    }

    fn rules(&self, chance: Chance) -> RuleSet {
        let partners = if self.alike() { [0, 0] } else { [0, 1] };
        let react = ContactRule::convert("react", partners, self.products, chance);
        RuleSet { contact: vec![react], ..RuleSet::default() }
    }
}

/// The periodic box.
const EDGE: f64 = 20.0;
/// 1.6 % of the speed that diffusion would allow.
const SLOW: f64 = 0.2;

/// So slow that all pairs are alike. A reaction takes place after exponential times in units of the
/// time integral of its rate: the error is that of a sum of so many.
pub(super) fn all_pairs(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    for (n, reaction) in REACTIONS.into_iter().enumerate() {
        for s in [1.5, 4.0] {
            let timestep = 0.5 * s * s;
            let (mut reactions, mut expected) = (0, 0.0);
            for run in 0..context.either(40, 800) {
                let seed = context.seed(10_000 * n as u64 + 5000 * u64::from(s > 2.0) + run);
                let places = Dice::new(seed).places::<3>(EDGE, 60, 1.0).into_iter().enumerate();
                let species = |n: usize| u16::from(n >= reaction.start[0]);
                let particles: Vec<_> =
                    places.map(|(n, position)| Seed { species: species(n), position }).collect();
                let world =
                    World::<3>::periodic(EDGE).timestep(timestep).seed(seed).search(Kind::Cubic);
                let world = world.species(0.5, 0.5).species(0.5, 0.5);
                let mut engine =
                    world.rules(reaction.rules(Chance::Macroscopic(SLOW))).with(&particles)?;
                let mut pairs = PairCounts {
                    timestep,
                    volume: EDGE.powi(3),
                    numbers: reaction.start.map(|n| n as f64),
                    since: 0.0,
                    reactions: 0,
                    expected: 0.0,
                    alike: reaction.alike(),
                };
                while pairs.numbers[0] > reaction.left {
                    engine.step(&mut pairs)?;
                }
                reactions += pairs.reactions;
                expected += SLOW * pairs.expected;
            }
            let what = format!("{}, s = {s} R: k times all pairs, per reaction", reaction.name);
            let finding = waiting(&what, expected, reactions, 0.005);
            // 1.6 % of the rate is diffusion's, of which some 20 % is due at the start and as much
            // is lost by pairs that were near each other and have reacted.
            findings.add(finding);
        }
    }
    Ok(findings)
}

/// How many of each kind there are at the start of a run.
const MANY: usize = 400;
/// Of each kind, with contact distance 1.
const DENSITY: f64 = 0.002;

/// At a quarter of the speed that diffusion would allow: the numbers follow n0/(1 + n0 Int k dt).
pub(super) fn annihilation(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut picture =
        Picture::new("Annihilation in space", "time", "share that is left").log(true, true);
    let (s, k_a) = (0.7, 4.0 * PI / 3.0);
    for (n, (name, alike)) in [("A + B -> 0", false), ("A + A -> 0", true)].into_iter().enumerate()
    {
        let count = if alike { MANY } else { 2 * MANY };
        let edge = (MANY as f64 / DENSITY).cbrt();
        let reaction = Reaction { name, start: [MANY, count - MANY], products: &[], left: 0.0 };
        let law = |t: f64| 1.0 / (1.0 + DENSITY * encounters::<3>(k_a, 1.0, 1.0, t));
        let moments = [40.0, 160.0, 480.0];
        let mut shares = [(); 3].map(|()| Vec::new());
        for run in 0..context.either(30, 150) {
            let seed = context.seed(1000 * n as u64 + run);
            let places = Dice::new(seed).places::<3>(edge, count, 1.0).into_iter().enumerate();
            let species = |n: usize| u16::from(n >= MANY);
            let particles: Vec<_> =
                places.map(|(n, position)| Seed { species: species(n), position }).collect();
            let world =
                World::<3>::periodic(edge).timestep(0.5 * s * s).seed(seed).search(Kind::Cubic);
            let world = world.species(0.5, 0.5).species(0.5, 0.5);
            let mut engine =
                world.rules(reaction.rules(Chance::Intrinsic(k_a))).with(&particles)?;
            for (moment, shares) in moments.into_iter().zip(&mut shares) {
                step_until(&mut engine, moment, &mut NoObserver)?;
                shares.push(
                    engine.particles().alive.iter().filter(|alive| **alive).count() as f64
                        / count as f64,
                );
            }
        }
        let mut points = Vec::new();
        for (moment, shares) in moments.into_iter().zip(&shares) {
            let finding = mean_of_blocks(
                &format!("{name}: share left at t = {moment} R²/D"),
                shares,
                law(moment),
            );
            points.push(([moment, finding.measured], finding.error));
            // The rate is faster by up to 1.1 % of 3/4 of 1/k (the calibration of p), by 2.5 phi =
            // 0.5 % at the start (particles exclude each other), and pairs compete for their
            // partners, which matters to a part of sqrt(4 pi n a³) = 2 % for a target of radius a =
            // R/4.
            findings.add(finding.with_bias(0.018 * law(moment) * (1.0 - law(moment))));
        }
        let (points, errors) = points.into_iter().unzip();
        if n == 0 {
            let line =
                (0..=40).map(|k| 30.0 * libm::pow(20.0, f64::from(k) / 40.0)).map(|t| [t, law(t)]);
            picture = picture.theory("1/(1 + n0 Int k dt)", line.collect());
        }
        picture = picture.measured(name, points, errors);
    }
    findings.show(picture);
    Ok(findings)
}
