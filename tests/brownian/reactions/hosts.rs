//! A particle that takes in another, stays where it is and changes its state: `A + B{free} <->
//! B{bound}`. The equilibrium is that of k_a/k_d.

use std::f64::consts::PI;

use jostle::brownian::{Brownian, Seed};
use jostle::rules::rates::ReactingPair;
use jostle::rules::{Case, Chance, ContactRule, RuleSet, TimedRule};
use jostle::space::Vector;
use jostle::species::Species;

use super::world::count;
use crate::kinetics::*;

/// A, B{free} and B{bound} that is as large and diffuses with `bound`.
fn species(radii: [f64; 2], diffusion: [f64; 2], bound: f64) -> Vec<Species> {
    vec![
        particle("A", radii[0], diffusion[0]),
        particle("B{free}", radii[1], diffusion[1]),
        particle("B{bound}", radii[1], bound),
    ]
}

/// One A and one B in a periodic box, as in the tests of binding: bound for 0.2 of the free time,
/// for p = 1, 0.5 and 0.05 at time steps up to a hundred times apart, in 1, 2 and 3 dimensions; the
/// bound state lasts exponential times. 8000 cycles each: relative standard errors 1.3 to 2 %. 9
/// times 2 tests, false alarms 1e-4. 3·10^6 particle steps.
#[test]
fn a_host_and_its_guest_have_the_equilibrium_of_their_rate_constants() {
    fn lone_pair<const D: usize>(p: f64, s: f64) {
        let timestep = 0.5 * s * s;
        let pair = ReactingPair::new(D, 1.0, 1.0).expect("positive numbers");
        let k_a = pair.intrinsic_rate(p, timestep).expect("a probability");
        let edge: f64 = if D == 1 { 5.0 } else { 2.2 };
        let volume = edge.powi(D as i32) - [2.0, PI, 4.0 * PI / 3.0][D - 1];
        let k_d = k_a / (0.2 * volume);
        let rules = binding(Bind::Into(2), Chance::Intrinsic(k_a), k_d);
        let places = [Vector::ZERO, Vector([edge / 2.0; D])];
        let particles = [0, 1].map(|n| Seed { species: n as u16, position: places[n] });
        let seed = 100 * D as u64 + (10.0 * s) as u64;
        let mut engine =
            periodic(edge, timestep, species([0.4, 0.6], [0.3, 0.7], 0.2), rules, seed, &particles);
        let mut ledger = Ledger::default();
        while engine.tally().unbound <= samples(8000) as u64 {
            engine.step(&mut ledger).expect("a step");
        }
        assert_eq!(engine.particles().id.iter().max(), Some(&1), "the host keeps its identity");
        let rows = ledger.cycles();
        let what = format!("{D}D p {p} s {s}");
        let (found, error) = ratio(&rows);
        hold(&what, found, error, 0.2, 0.0);
        let rate = k_d * p * pair.contact_volume(timestep) / k_a;
        let distance =
            kolmogorov(rows.iter().map(|(bound, _)| -(-rate * bound).exp_m1()).collect());
        assert!(distance < KOLMOGOROV, "{what}: waiting times are not exponential: {distance}");
    }
    timed("lone host", || {
        lone_pair::<1>(0.5, 0.3);
        for (p, s) in [(1.0, 1.0), (1.0, 0.1), (0.5, 0.3), (0.05, 1.0)] {
            lone_pair::<2>(p, s);
            lone_pair::<3>(p, s);
        }
    });
}

/// The host is bonded to a third particle for good, and the dimer diffuses more slowly while the
/// guest is in: K = k_a/k_d over the room outside the dimer, at two time steps. 20 000 cycles each:
/// standard errors 1.1 %; false alarms 1.4e-5. 2·10^6 particle steps.
#[test]
fn a_host_in_a_unit_has_the_equilibrium_of_its_rate_constants() {
    let (edge, k_a) = (3.0_f64, 10.0);
    let volume = edge.powi(3) - (8.0 * PI / 3.0 - 5.0 * PI / 12.0);
    for timestep in [0.05, 0.25] {
        timed(&format!("bonded host, step {timestep}"), || {
            let mut kinds = species([0.5, 0.5], [0.6, 0.9], 0.05);
            kinds.push(particle("L", 0.5, 0.9));
            let absorb = ContactRule::coalesce("absorb", [0, 1], 2, Chance::Intrinsic(k_a));
            let mut bond = ContactRule::bond("bond", [1, 3], Chance::Probability(1.0));
            bond.cases.push(Case::new([2, 3], &[]));
            let rules = RuleSet {
                contact: vec![absorb, bond],
                timed: vec![TimedRule::unbind("release", 0, k_a / (0.5 * volume))],
                ..RuleSet::default()
            };
            let particles = [(0, 0.5, 0.5), (1, 1.5, 1.5), (3, 1.5, 2.6)]
                .map(|(species, x, y)| Seed { species, position: Vector([x, y, 1.5]) });
            let mut engine = periodic(edge, timestep, kinds, rules, 5, &particles);
            while engine.clusters().bonds().count() == 0 {
                engine.step(&mut Ledger::default()).expect("a step");
            }
            let mut ledger = Ledger::default();
            while engine.tally().unbound <= samples(20_000) as u64 {
                engine.step(&mut ledger).expect("a step");
            }
            let (found, error) = ratio(&ledger.cycles());
            hold(&format!("step {timestep}"), found, error, 0.5, 0.0);
            assert_eq!(engine.tally().short_of_rate, 0);
        });
    }
}

const TWENTY: usize = 20;
const EDGE: f64 = 16.0;

/// How likely it is that `c` are bound: (K/V)^c / [(20-c)!² c!], corrected for the volume from
/// which particles, all of diameter 1, exclude each other in pairs.
fn likelihood(constant: f64) -> Vec<f64> {
    let mut weights = vec![1.0];
    for c in 0..TWENTY {
        let free = (TWENTY - c) as f64;
        let particles = (2 * TWENTY - c) as f64;
        let room = (-(particles - 1.0) * 4.0 * PI / 3.0 / EDGE.powi(3)).exp();
        weights.push(weights[c] * constant * free * free / (c + 1) as f64 / room);
    }
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// How hosts and guests begin.
#[derive(Clone, Copy, Debug, PartialEq)]
enum First {
    Touching,
    Free,
    Bound,
}

/// Twenty hosts and twenty guests, k_a = 15 nm³/µs, at rms steps of half a contact distance, from a
/// start with pairs in touch, most of which bind at once, and at 1.5 from a start with all free and
/// from one with all bound: the number bound is distributed as statistical mechanics says, chi² of 800 and
/// 1600 samples, five relaxation times apart, and its mean. 6 tests, false alarms 4e-5. 2·10^7 particle steps.
#[test]
fn twenty_hosts_have_the_distribution_of_equilibrium() {
    let (constant, k_a) = (0.02, 15.0);
    let k_d = k_a / (constant * EDGE.powi(3));
    let cases = [
        (0.5, First::Touching, 280, 800),
        (1.5, First::Free, 40, 1600),
        (1.5, First::Bound, 40, 1600),
    ];
    for (s, first, apart, number) in cases {
        timed(&format!("twenty hosts, s = {s}, {first:?}"), || {
            let place = |n: usize| {
                let cell =
                    |n: usize| Vector([n % 4, n / 4 % 4, n / 16].map(|k| 4.0 * k as f64 + 1.0));
                match first {
                    First::Touching => cell(n / 2) + Vector([(n % 2) as f64, 0.0, 0.0]),
                    First::Free | First::Bound => cell(n),
                }
            };
            let seed = |n: usize| Seed { species: (n % 2) as u16, position: place(n) };
            let particles: Vec<_> = match first {
                First::Bound => (0..TWENTY).map(|n| Seed { species: 2, ..seed(n) }).collect(),
                First::Touching | First::Free => (0..2 * TWENTY).map(seed).collect(),
            };
            let rules = binding(Bind::Into(2), Chance::Intrinsic(k_a), k_d);
            let mut engine: Brownian<3> =
                periodic(EDGE, 0.5 * s * s, species([0.5; 2], [0.5; 2], 0.3), rules, 6, &particles);
            engine.step(&mut Ledger::default()).expect("a step");
            let bound = count(&engine, 2);
            assert!((bound > 3) == (first != First::Free), "{bound} bound at the start");
            let number = samples(number);
            let mut samples = Vec::with_capacity(number);
            for sample in 0..number + 2 {
                for _ in 0..apart {
                    engine.step(&mut Ledger::default()).expect("a step");
                }
                if sample >= 2 {
                    samples.push(count(&engine, 2));
                }
            }
            let likelihood = likelihood(constant);
            let mut counts = vec![0.0; TWENTY + 1];
            samples.iter().for_each(|&c| counts[c] += 1.0);
            let expected: Vec<f64> = likelihood.iter().map(|p| p * number as f64).collect();
            let deviation = chi_squared(&counts, &expected);
            println!("  chi²: {deviation:.2} standard deviations");
            assert!(deviation < Z, "{counts:?} instead of {expected:?}");
            let expected: f64 = likelihood.iter().enumerate().map(|(c, p)| c as f64 * p).sum();
            let (found, error) = mean(&samples.iter().map(|&c| c as f64).collect::<Vec<_>>());
            hold("mean number bound", found, error, expected, 0.0);
        });
    }
}

/// An enzyme and its substrate, which it lets go in another state than it took it in: both are the
/// particles that they were, turn by turn.
#[test]
fn a_substrate_that_is_released_in_another_state_is_the_same_particle() {
    let kinds = vec![
        particle("E", 0.5, 1.0),
        particle("S{u}", 0.5, 1.0),
        particle("S{p}", 0.5, 1.0),
        particle("ES", 0.6, 0.5),
    ];
    let rules = RuleSet {
        contact: vec![ContactRule::coalesce("bind", [0, 1], 3, Chance::Probability(1.0))],
        timed: vec![
            TimedRule::convert("turn over", 3, &[0, 2], 1.0),
            TimedRule::convert("turn back", 2, &[1], 1.0),
        ],
        ..RuleSet::default()
    };
    let places = [[1.0; 3], [2.5; 3]];
    let particles = [0, 1].map(|n| Seed { species: n as u16, position: Vector(places[n]) });
    let mut engine = periodic(4.0, 0.02, kinds, rules, 3, &particles);
    let mut turnovers = 0;
    for _ in 0..5000 {
        engine.step(&mut Ledger::default()).expect("a step");
        let p = engine.particles();
        for slot in (0..p.len()).filter(|&slot| p.alive[slot]) {
            match p.species[slot] {
                0 => assert_eq!(p.id[slot], 0, "the enzyme"),
                1 | 2 => assert_eq!(p.id[slot], 1, "the substrate"),
                _ => {}
            }
            turnovers += usize::from(p.species[slot] == 2);
        }
    }
    assert!(turnovers > 100, "{turnovers}");
}
