//! Conversions at contact: the rate constants that were asked for, at any time step. (That
//! templating and annihilation count each pair once is a check of `jostle validate`.)

use std::f64::consts::PI;

use jostle::brownian::{Seed, Setup};
use jostle::rules::{Action, Chance, ContactRule, RuleSet, TimedRule};
use jostle::space::{Domain, Vector};
use jostle::theory::mean_capture_time;

use super::world::*;
use crate::kinetics::*;

/// How many particles wait for conversion in one engine, each in a world of its own.
const SWARM: usize = 100;

/// When so many particles, which ignore each other, were converted by one target at rest, and by
/// which rule. \[µs\]
fn conversions(
    edge: f64,
    rules: &[ContactRule],
    timestep: f64,
    particles: usize,
) -> Vec<(f64, u16)> {
    let mut dice = Dice::new(1);
    let target = Vector([edge / 2.0; 3]);
    let species = || {
        vec![
            particle("A", 0.5, 1.0),
            particle("B", 0.5, 0.0),
            particle("C", 0.5, 0.5),
            particle("D", 0.5, 1.0),
        ]
    };
    // What has become of them passes the target, and ignores others.
    let ignored = [[0, 0], [0, 2], [0, 3], [1, 2], [1, 3], [2, 2], [2, 3], [3, 3]];
    let ignore = ignored.map(|pair| always(pair, Action::Ignore));
    // It fades at once, so that it need not be moved.
    let timed = vec![TimedRule::convert("C", 2, &[], 1e3), TimedRule::convert("D", 3, &[], 1e3)];
    let rules = RuleSet { contact: [rules, &ignore].concat(), timed, ..RuleSet::default() };
    let mut found = Vec::with_capacity(particles);
    for swarm in 0..particles / SWARM {
        let mut particles = vec![Seed { species: 1, position: target }];
        while particles.len() <= SWARM {
            let position = dice.place(edge);
            if (position - target).norm() >= 1.0 {
                particles.push(Seed { species: 0, position });
            }
        }
        let domain = Domain::new([edge; 3], [true; 3]);
        let setup = world(domain, timestep, species(), rules.clone());
        let mut engine =
            start(Setup { seed: timestep.to_bits() + swarm as u64, ..setup }, &particles);
        let mut log = Log::default();
        while count(&engine, 0) > 0 {
            engine.step(&mut log).expect("a step");
        }
        let converted = log.0.into_iter().filter(|event| event.rule < 2);
        found.extend(converted.map(|event| (event.time * timestep, event.rule)));
    }
    found
}

/// A + B -> C + B, A + B -> B, and A + B -> C + B or D + B that compete, at time steps a hundred
/// times apart: the mean time to conversion is that of k_a = 4 pi D R, also if that is given as
/// k_on or in two parts, and these share as 1 to 3. 10 000 conversions each: standard error 1 %;
/// the calibration may be off by 0.6 %. 4 tests, false alarms 3e-5. 2·10^7 particle steps.
#[test]
fn conversions_have_their_rate_constants_at_any_time_step() {
    let k_a = 4.0 * PI;
    let convert =
        |name, products: &[u16], chance| ContactRule::convert(name, [0, 1], products, chance);
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
            let found = conversions(edge, &rules, 0.5 * s * s, samples(10_000));
            let times: Vec<f64> = found.iter().map(|(time, _)| *time).collect();
            let expected = mean_capture_time::<3>(edge, k_a, 1.0, 1.0);
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
