//! Rules in time: exponential waiting times at any time step, and what follows from them.

use jostle::brownian::{Seed, Setup};
use jostle::observe::ChangeKind;
use jostle::rules::{RuleSet, TimedRule};
use jostle::space::{Domain, Vector};
use jostle::theory::mean_and_variance;

use crate::support::*;
use crate::world::*;

/// A turns into B, into C or vanishes, at 0.2, 0.5 and 0.3 per µs, at time steps from 0.05 to 30 µs.
/// 20 000 bodies at each of three steps: all waiting times, and those of each channel alone, are
/// exponential with the total rate (Kolmogorov-Smirnov), and the channels share as their rates
/// (chi²). 15 tests, false alarms below 1e-4. 10^7 body-steps.
#[test]
fn waiting_times_are_exponential_and_channels_share_as_their_rates() {
    let rates = [0.2, 0.5, 0.3];
    timed("three channels", || {
        for timestep in [0.05, 1.0, 30.0_f64] {
            let convert = |name, to: &[u16], rate| TimedRule::convert(name, 0, to, rate);
            let rules = RuleSet {
                contact: strangers(3),
                timed: vec![
                    convert("to B", &[1], rates[0]),
                    convert("to C", &[2], rates[1]),
                    convert("away", &[], rates[2]),
                ],
                ..RuleSet::default()
            };
            let first = rules.first_timed();
            let species = vec![body("A", 0.5, 0.1), body("B", 0.5, 0.1), body("C", 0.5, 0.1)];
            let domain = Domain::new([100.0], [true]);
            let bodies: Vec<_> =
                (0..20_000).map(|n| Seed { species: 0, position: Vector([0.005 * f64::from(n)]) }).collect();
            let seed = timestep.to_bits();
            let setup = Setup { seed, ..world(domain, timestep, species, rules) };
            let mut engine = start(setup, &bodies);
            let mut log = Log::default();
            while log.0.len() < bodies.len() {
                engine.step(&mut log).expect("a step");
            }
            let all = kolmogorov(ranks(log.0.iter().map(|event| event.time * timestep)));
            assert!(all < KOLMOGOROV, "step {timestep}: {all}");
            let mut counts = [0.0; 3];
            for n in 0..3_u16 {
                let mine = log.0.iter().filter(|event| event.rule == first + n);
                let times: Vec<f64> = mine.map(|event| event.time * timestep).collect();
                counts[usize::from(n)] = times.len() as f64;
                let distance = kolmogorov(ranks(times));
                assert!(distance < KOLMOGOROV, "step {timestep}, channel {n}: {distance}");
            }
            let deviation = chi_squared(&counts, &rates.map(|rate| rate * bodies.len() as f64));
            println!("  step {timestep}: KS {all:.2}, channels {deviation:.2}");
            assert!(deviation < Z, "step {timestep}: {counts:?}");
        }
    });
}

/// Twenty bodies that are A or B, at time steps of 0.5 and of 8 relaxation times: how many are B is
/// binomial. Chi² of 5000 samples each, five relaxation times or more apart. 10^6
/// body-steps.
#[test]
fn isomers_are_binomial() {
    let (to_b, to_a) = (0.3, 0.7);
    timed("isomers", || {
        for (timestep, apart) in [(0.5, 10), (8.0, 1)] {
            let timed =
                vec![TimedRule::convert("there", 0, &[1], to_b), TimedRule::convert("back", 1, &[0], to_a)];
            let rules = RuleSet { contact: strangers(2), timed, ..RuleSet::default() };
            let species = vec![body("A", 0.5, 0.1), body("B", 0.4, 0.2)];
            let domain = Domain::new([100.0], [true]);
            let bodies: Vec<_> =
                (0..20).map(|n| Seed { species: 0, position: Vector([f64::from(n)]) }).collect();
            let mut engine = start(world(domain, timestep, species, rules), &bodies);
            let mut samples = vec![0.0; 21];
            for _ in 0..5000 {
                for _ in 0..apart {
                    engine.step(&mut Log::default()).expect("a step");
                }
                samples[count(&engine, 1)] += 1.0;
            }
            let mut choose = 1.0;
            let expected: Vec<f64> = (0..=20)
                .map(|n| {
                    let p = choose * to_b.powi(n) * to_a.powi(20 - n);
                    choose *= f64::from(20 - n) / f64::from(n + 1);
                    5e3 * p
                })
                .collect();
            let deviation = chi_squared(&samples, &expected);
            println!("  step {timestep}: {deviation:.2}");
            assert!(deviation < Z, "{samples:?} instead of {expected:?}");
        }
    });
}

/// Bodies come to be in a part of the box and decay, twelve at a time on average, at time steps of
/// 0.05 and 5 lifetimes.
///
/// - How many there are is distributed as Poisson says (chi² of 1000 and 4000 samples, five lifetimes
///   apart), with variance equal to the mean.
/// - The autocorrelation after half a lifetime is exp(-0.5) (blocks of 100 samples).
/// - Creations come at exponential intervals, anywhere within the step, evenly over the region.
///
/// 13 tests, false alarms below 1e-4. 2·10^6 body-steps.
#[test]
fn creation_and_decay_make_a_poisson_process_in_the_region() {
    let (mean_number, lifetime) = (12.0, 2.0);
    let (from, to) = ([5.0, 4.0, 0.0], [15.0, 10.0, 0.0]);
    timed("creation and decay", || {
        for (timestep, apart, number) in [(0.05 * lifetime, 10, 10_000), (5.0 * lifetime, 1, 4000)] {
            let mut create = TimedRule::create("make", 0, mean_number / lifetime / 60.0);
            create.action = jostle::rules::TimedAction::Create {
                species: 0,
                region: Some(jostle::rules::Region { from, to }),
            };
            let rules = RuleSet {
                contact: strangers(1),
                timed: vec![create, TimedRule::convert("decay", 0, &[], 1.0 / lifetime)],
                ..RuleSet::default()
            };
            let domain = Domain::new([30.0, 20.0], [true, true]);
            let mut engine = start(world(domain, timestep, vec![body("A", 0.5, 0.01)], rules), &[]);
            let mut log = Log::<2>::default();
            let mut samples = Vec::with_capacity(number);
            for sample in 0..number + 10 {
                for _ in 0..apart {
                    engine.step(&mut log).expect("a step");
                }
                if sample >= 10 {
                    samples.push(count(&engine, 0));
                }
            }
            let what = format!("step {timestep}");
            hold_poisson(&what, &samples, mean_number, if apart == 1 { 1 } else { 10 });
            if apart > 1 {
                let deviations: Vec<f64> = samples.iter().map(|&n| n as f64 - mean_number).collect();
                let rows: Vec<_> = deviations
                    .chunks_exact(100)
                    .map(|block| {
                        let pairs: f64 = block.windows(2).map(|pair| pair[0] * pair[1]).sum();
                        (pairs / 99.0, block.iter().map(|x| x * x).sum::<f64>() / 100.0)
                    })
                    .collect();
                let (found, error) = ratio(&rows);
                hold("autocorrelation", found, error, (-0.5_f64).exp(), 0.0);
            }
            hold_creations(&log, timestep * mean_number / lifetime, from, to);
        }
    });
}

/// Holds numbers to Poisson's law: those `apart` by chi², and their mean and variance.
fn hold_poisson(what: &str, samples: &[usize], mean_number: f64, apart: usize) {
    let chosen: Vec<usize> = samples.iter().step_by(apart).copied().collect();
    let most = 4 * mean_number as usize;
    let mut p = (-mean_number).exp();
    let likelihood: Vec<f64> = (0..=most)
        .map(|n| {
            let now = p;
            p *= mean_number / (n + 1) as f64;
            now
        })
        .collect();
    let mut counts = vec![0.0; most + 1];
    chosen.iter().for_each(|&n| counts[n.min(most)] += 1.0);
    let expected: Vec<f64> = likelihood.iter().map(|p| p * chosen.len() as f64).collect();
    let deviation = chi_squared(&counts, &expected);
    println!("  {what}: {deviation:.2}");
    assert!(deviation < Z, "{what}: {counts:?}");
    assert!((mean_and_variance(&likelihood).1 - mean_number).abs() < 1e-6);
    let numbers: Vec<f64> = chosen.iter().map(|&n| n as f64).collect();
    let (found, error) = mean(&numbers);
    hold(&format!("{what}: mean number"), found, error, mean_number, 0.0);
    let squares: Vec<f64> = numbers.iter().map(|n| (n - mean_number).powi(2)).collect();
    let (found, error) = mean(&squares);
    hold(&format!("{what}: variance"), found, error, mean_number, 0.0);
}

/// Holds creations to a Poisson process of `rate` per step between two corners.
fn hold_creations(log: &Log<2>, rate: f64, from: [f64; 3], to: [f64; 3]) {
    let created = || log.0.iter().filter(|event| event.kind == ChangeKind::Created);
    let times = log.times(ChangeKind::Created);
    let even = |k: usize| created().map(|event| (event.place[k] - from[k]) / (to[k] - from[k])).collect();
    for (what, values) in [
        ("intervals", ranks(times.windows(2).map(|pair| rate * (pair[1] - pair[0])))),
        ("within the step", times.iter().map(|time| time.fract()).collect()),
        ("along x", even(0)),
        ("along y", even(1)),
    ] {
        let distance = kolmogorov(values);
        println!("  {} creations, {what}: {distance:.2}", times.len());
        assert!(distance < KOLMOGOROV, "{what}: {distance}");
    }
}
