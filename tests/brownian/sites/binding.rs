//! Bonds between sites have the equilibrium constant K = k_a/k_d, one for each pair of sites that
//! may bind, whatever the time step.

use std::f64::consts::PI;

use super::{bind, bind_case, free, molecule, state};
use jostle::brownian::Seed;
use jostle::observe::NoObserver;
use jostle::rules::{Action, Case, Cut, RuleSet, SiteCase, TimedAction, TimedRule};
use jostle::sites::{SiteChange, SitePattern};
use jostle::space::Vector;
use jostle::species::Species;

use crate::kinetics::{always, hold, mean, periodic, samples};

const BLOCKS: usize = 40;

/// How often there were so many bonds: in each of [`BLOCKS`] stretches of a run, after a first one
/// that does not count. Of the time in µs, [`samples`] says how much is taken. \[block\]\[bonds\]
pub(super) fn bonds_over_time(
    species: &[Species],
    rules: &RuleSet,
    seeds: &[Seed<3>],
    edge: f64,
    (timestep, time): (f64, f64),
) -> Vec<Vec<f64>> {
    let mut engine = periodic(edge, timestep, species.to_vec(), rules.clone(), 7, seeds);
    let each = samples((time / timestep).round() as usize) / BLOCKS;
    let mut block = || {
        let mut found = vec![0.0; seeds.len()];
        for _ in 0..each {
            engine.step(&mut NoObserver).expect("a step");
            found[engine.clusters().bonds().count()] += 1.0 / each as f64;
        }
        found
    };
    block();
    (0..BLOCKS).map(|_| block()).collect()
}

/// Compares the mean over blocks of each number of bonds with `weights`, which need not add up to
/// 1: within 5 standard errors, 40 blocks each, which happens by chance less than once in 50 000
/// times.
pub(super) fn compare(what: &str, blocks: &[Vec<f64>], weights: &[f64]) {
    let all: f64 = weights.iter().sum();
    for (n, weight) in weights.iter().enumerate() {
        let shares: Vec<f64> = blocks.iter().map(|block| block[n]).collect();
        let (found, error) = mean(&shares);
        hold(&format!("{what}: {n} bonds"), found, error, weight / all, 0.0);
    }
}

pub(super) fn seed(species: u16, position: [f64; 3]) -> Seed<3> {
    Seed { species, position: Vector(position) }
}

/// The room that a particle has in a cube beside another one that it touches at `distance`.
pub(super) fn room(edge: f64, distance: f64) -> f64 {
    edge.powi(3) - 4.0 / 3.0 * PI * distance.powi(3)
}

/// One receptor with three sites that are alike, and four ligands that pass through each other:
/// n are bound with the weight C(3, n) 4!/(4 - n)! (K/V)^n, V being the room beside the receptor.
#[test]
fn ligands_bind_three_sites_that_are_alike() {
    let receptor = molecule("R", 1.0, 4.0, &[("l", [].as_slice()); 3]);
    let species = vec![receptor, molecule("L", 0.5, 8.0, &[("r", &[])])];
    let cases = (0..3).map(|site| bind_case(&species, [0, 1], [site, 0])).collect();
    let (edge, k_a, constant) = (4.0, 20.0, 10.0);
    let rules = RuleSet {
        contact: vec![bind("bind", cases, k_a), always([1, 1], Action::Pass)],
        timed: vec![TimedRule::unbind("unbind", 0, k_a / constant)],
        ..RuleSet::default()
    };
    let seeds = [
        seed(0, [2.0; 3]),
        seed(1, [0.5; 3]),
        seed(1, [3.5, 0.5, 0.5]),
        seed(1, [0.5, 3.5, 0.5]),
        seed(1, [0.5, 0.5, 3.5]),
    ];
    let x = constant / room(edge, 1.5);
    let weights = [1.0, 3.0 * 4.0 * x, 3.0 * 12.0 * x.powi(2), 24.0 * x.powi(3)];
    for timestep in [0.005, 0.05] {
        let blocks = bonds_over_time(&species, &rules, &seeds, edge, (timestep, 4000.0));
        compare(&format!("dt = {timestep} us"), &blocks, &weights);
    }
}

/// Two molecules that bind by the same site have one way to do so; head to tail, they have two.
#[test]
fn head_to_tail_there_are_twice_as_many_bonds() {
    let (edge, k_a, constant) = (4.0, 30.0, 20.0);
    for (ways, joins) in [(1.0, [0, 0]), (2.0, [0, 1])] {
        let species = vec![molecule("A", 0.8, 5.0, &[("head", &[]), ("tail", &[])])];
        let rules = RuleSet {
            contact: vec![bind("bind", vec![bind_case(&species, [0, 0], joins)], k_a)],
            timed: vec![TimedRule::unbind("unbind", 0, k_a / constant)],
            ..RuleSet::default()
        };
        let seeds = [seed(0, [1.0; 3]), seed(0, [3.0; 3])];
        let blocks = bonds_over_time(&species, &rules, &seeds, edge, (0.02, 4000.0));
        compare(&format!("{ways} ways"), &blocks, &[1.0, ways * constant / room(edge, 1.6)]);
    }
}

/// Two patterns at once.
fn both(a: SitePattern, b: SitePattern) -> SitePattern {
    SitePattern { mask: a.mask | b.mask, value: a.value | b.value, attached: Vec::new() }
}

/// A with a site and B with a site and a state: A(b) + B(a,s~from) becomes A.B with s~to, and back.
fn marking(species: &[Species], [from, to]: [usize; 2]) -> [Case<2>; 2] {
    let sites = &species[1].sites;
    let set = |to| SiteChange { mask: sites.state_mask(1), value: sites.in_state(1, to) };
    let case = |free: [SitePattern; 2], from: usize, to: usize| {
        let patterns = [free[0].clone(), both(free[1].clone(), state(&species[1], 1, from))];
        let changes = vec![SiteChange::default(), set(to)];
        Case::new([0, 1], &[]).with_sites(SiteCase {
            joins: Some([0, 0]),
            changes,
            ..SiteCase::new(patterns)
        })
    };
    let unbound = [free(&species[0], 0), free(&species[1], 0)];
    [case(unbound, from, to), case(Default::default(), to, from)]
}

/// A binds B(u) and lets it go again, binds B(p), which becomes B(u) with it and B(p) again without,
/// and binds B(p) that stays so. Free and bound are in equilibrium by the three constants, at any step,
/// although many of those that are let go in one way are bound again at once in another. One of each:
/// A.B(u) has the weight 1, A.B(p) K3/K2, and the free ones V/K1 + V/K2.
#[test]
fn bonds_that_come_with_a_state_have_their_equilibrium_constants() {
    let species = vec![
        molecule("A", 1.0, 4.0, &[("b", &[])]),
        molecule("B", 0.5, 8.0, &[("a", &[]), ("s", &["u", "p"])]),
    ];
    let (edge, k_a, constants) = (4.0, [100.0, 300.0, 200.0], [30.0, 60.0, 90.0]);
    let rules = [[0, 0], [1, 0], [1, 1]].map(|states| marking(&species, states));
    let contact =
        rules.iter().zip(k_a).map(|([forth, _], k_a)| bind("bind", vec![forth.clone()], k_a));
    let timed = rules.iter().zip(k_a).zip(constants).map(|(([_, back], k_a), constant)| {
        let ends = vec![back.clone()];
        let unbind = TimedAction::Unbind { of: vec![0, 1, 2], cut: Cut::Any, ends };
        TimedRule::new("unbind", unbind, k_a / constant)
    });
    let rules =
        RuleSet { contact: contact.collect(), timed: timed.collect(), ..RuleSet::default() };
    let seeds = [seed(0, [1.0; 3]), seed(1, [3.0; 3])];
    let volume = room(edge, 1.5);
    let [first, second, third] = constants;
    let weights = [volume / first + volume / second, 1.0 + third / second];
    for timestep in [0.002, 0.02] {
        let blocks = bonds_over_time(&species, &rules, &seeds, edge, (timestep, 2000.0));
        compare(&format!("dt = {timestep} us"), &blocks, &weights);
    }
}
