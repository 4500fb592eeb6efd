//! Conversions at contact: the rate constants that were asked for, at any time step.

use std::f64::consts::PI;

use jostle::brownian::{Seed, Setup};
use jostle::observe::{Change, ChangeKind, Observer, ObserverError};
use jostle::rules::{Action, Chance, ContactRule, RuleSet, TimedRule};
use jostle::space::{Domain, Vector};
use jostle::theory::contact_value_3d;

use crate::support::*;
use crate::world::*;

/// How many bodies wait for conversion in one engine, each in a world of its own.
const SWARM: usize = 100;

/// When so many bodies, which take no notice of each other, were converted by one target at rest,
/// and by which rule. \[µs\]
fn conversions(edge: f64, rules: &[ContactRule], timestep: f64, bodies: usize) -> Vec<(f64, u16)> {
    let mut dice = Dice::new(1);
    let target = Vector([edge / 2.0; 3]);
    let species = || vec![body("A", 0.5, 1.0), body("B", 0.5, 0.0), body("C", 0.5, 0.5), body("D", 0.5, 1.0)];
    // What has become of them passes the target, and takes no notice of others.
    let ignored = [[0, 0], [0, 2], [0, 3], [1, 2], [1, 3], [2, 2], [2, 3], [3, 3]];
    let ignore = ignored.map(|pair| always(pair, Action::Ignore));
    // It fades at once, so that it need not be moved.
    let timed = vec![TimedRule::convert("C", 2, &[], 1e3), TimedRule::convert("D", 3, &[], 1e3)];
    let rules = RuleSet { contact: [rules, &ignore].concat(), timed, ..RuleSet::default() };
    let mut found = Vec::with_capacity(bodies);
    for swarm in 0..bodies / SWARM {
        let mut bodies = vec![Seed { species: 1, position: target }];
        while bodies.len() <= SWARM {
            let position = dice.place(edge);
            if (position - target).norm() >= 1.0 {
                bodies.push(Seed { species: 0, position });
            }
        }
        let domain = Domain::new([edge; 3], [true; 3]);
        let setup = world(domain, timestep, species(), rules.clone());
        let mut engine = start(Setup { seed: timestep.to_bits() + swarm as u64, ..setup }, &bodies);
        let mut log = Log::default();
        while count(&engine, 0) > 0 {
            engine.step(&mut log).expect("a step");
        }
        let converted = log.0.into_iter().filter(|event| event.rule < 2);
        found.extend(converted.map(|event| (event.time * timestep, event.rule)));
    }
    found
}

/// A + B -> C + B, A + B -> B, and A + B -> C + B or D + B that compete, at time steps a hundred times
/// apart: the mean time to conversion is that of k_a = 4 pi D R, also if that is given as k_on or in
/// two parts, and these share as 1 to 3. 10 000 conversions each: standard error 1 %; the calibration
/// may be off by 0.6 %. 4 tests, false alarms 3e-5. 2·10^7 body-steps.
#[test]
fn conversions_have_their_rate_constants_at_any_time_step() {
    let k_a = 4.0 * PI;
    let convert = |name, products: &[u16], chance| ContactRule::convert(name, [0, 1], products, chance);
    let mark = convert("mark", &[2, 1], Chance::Intrinsic(k_a));
    let swallow = convert("swallow", &[1], Chance::Macroscopic(0.5 * k_a));
    let parts = [
        convert("quarter", &[2, 1], Chance::Intrinsic(0.25 * k_a)),
        convert("rest", &[1, 3], Chance::Intrinsic(0.75 * k_a)),
    ];
    for (s, edge, rules) in
        [(0.1, 4.0, vec![swallow]), (0.1_f64.sqrt(), 5.0, vec![mark]), (1.0, 8.0, parts.to_vec())]
    {
        timed(&format!("conversion, s = {s:.2}"), || {
            let found = conversions(edge, &rules, 0.5 * s * s, 10_000 * MORE);
            let times: Vec<f64> = found.iter().map(|(time, _)| *time).collect();
            let expected = mean_capture_time::<3>(edge, k_a);
            let (mean, error) = mean(&times);
            let reaction = (edge.powi(3) - 4.0 * PI / 3.0) / k_a;
            let bias = 0.011 * reaction / expected;
            hold(&format!("s = {s:.2}"), mean / expected, error / expected, 1.0, bias);
            if rules.len() == 2 {
                let n = found.len() as f64;
                let first = found.iter().filter(|(_, rule)| *rule == 0).count() as f64;
                hold("share of the first", first / n, (0.25 * 0.75 / n).sqrt(), 0.25, 0.0);
            }
        });
    }
}

/// How many of species 0 and 1 there are, how often they have reacted, and how often they should have
/// for a rate constant of 1 per volume: the time integral of the pairs, each with the pair
/// distribution at contact.
struct Pairs {
    timestep: f64,
    volume: f64,
    numbers: [f64; 2],
    since: f64,
    reactions: f64,
    expected: f64,
    alike: bool,
}

impl Observer<3> for Pairs {
    fn change(&mut self, change: &Change<'_, 3>) -> Result<(), ObserverError> {
        let now = (change.step as f64 + change.time) * self.timestep;
        let [a, b] = self.numbers;
        let pairs = if self.alike { 0.5 * a * (a - 1.0) } else { a * b };
        let g = contact_value_3d((a + b) * PI / 6.0 / self.volume);
        self.expected += pairs * g * (now - self.since) / self.volume;
        self.since = now;
        assert!(matches!(change.kind, ChangeKind::Converted | ChangeKind::Vanished), "{change:?}");
        self.reactions += 1.0;
        change.reactants.iter().for_each(|party| self.numbers[party.species as usize] -= 1.0);
        change.products.iter().for_each(|party| self.numbers[party.species as usize] += 1.0);
        Ok(())
    }
}

/// A + P -> P + P from 54 A and 6 P until 6 A are left, and A + A -> 0 from 60 A until 10 are left, 1 to
/// 2 % of the speed that diffusion would allow: all take place k_on N_A N_P/V times per time and k_on
/// N_A (N_A - 1)/2V times, so that dn/dt = -k n², as counted from the time integral of the pairs. At
/// rms steps of 1.5 and 4 contact distances; standard errors 2.3 % (2000 reactions of the first kind,
/// as many of the second), bias below 0.5 %. 4 tests, false alarms 3e-5. 10^7 body-steps.
#[test]
fn templating_and_annihilation_have_the_rate_of_all_pairs() {
    let (edge, k_on) = (20.0, 0.2);
    for s in [1.5, 4.0] {
        for (what, products, alike, left) in
            [("A + P", vec![1, 1], false, 6.0), ("A + A", vec![], true, 10.0)]
        {
            timed(&format!("{what}, s = {s}"), || {
                let timestep = 0.5 * s * s;
                let (mut reactions, mut expected) = (0.0, 0.0);
                let runs = if alike { 80 } else { 40 };
                for run in 0..runs * MORE as u64 {
                    let partners = if alike { [0, 0] } else { [0, 1] };
                    let react = ContactRule::convert("react", partners, &products, Chance::Macroscopic(k_on));
                    let rules = RuleSet { contact: vec![react], ..RuleSet::default() };
                    let species = vec![body("A", 0.5, 0.5), body("P", 0.5, 0.5)];
                    let mut bodies = lattice::<3>(60, 0, edge, 1.0, &mut Dice::new(run));
                    if !alike {
                        bodies.iter_mut().step_by(10).for_each(|seed| seed.species = 1);
                    }
                    let domain = Domain::new([edge; 3], [true; 3]);
                    let setup = world(domain, timestep, species, rules);
                    let mut engine = start(Setup { seed: 1000 * s as u64 + run, ..setup }, &bodies);
                    let volume = edge.powi(3);
                    let numbers = if alike { [60.0, 0.0] } else { [54.0, 6.0] };
                    let mut pairs =
                        Pairs { timestep, volume, numbers, since: 0.0, reactions: 0.0, expected: 0.0, alike };
                    while pairs.numbers[0] > left {
                        engine.step(&mut pairs).expect("a step");
                    }
                    reactions += pairs.reactions;
                    expected += k_on * pairs.expected;
                }
                let error = 1.0 / f64::sqrt(reactions);
                hold(&format!("{what}, {reactions} reactions"), reactions / expected, error, 1.0, 0.005);
            });
        }
    }
}
