//! Bonds of chains break, and clusters are cut, at their rates.

use jostle::brownian::{Brownian, Seed};
use jostle::observe::ChangeKind;
use jostle::rules::{Chance, ContactRule, Cut, Fragmentation, RuleSet, TimedAction, TimedRule};
use jostle::space::{Domain, Vector};

use super::world::*;
use crate::kinetics::*;

/// Particles in a chain.
const LINKS: u16 = 6;
/// When the chain is complete, and begins to break. \[µs\]
const COMPLETE: f64 = 3.0;
const TIMESTEP: f64 = 0.05;

/// Six particles in a line between walls that all join up to [`COMPLETE`]; then `timed` is in
/// force.
fn line(mut join: Vec<ContactRule>, mut timed: TimedRule, seed: u64) -> Brownian<1> {
    join.iter_mut().for_each(|rule| rule.windows = vec![[0.0, COMPLETE]]);
    timed.windows = vec![[COMPLETE, f64::INFINITY]];
    let rules = RuleSet { contact: join, timed: vec![timed], ..RuleSet::default() };
    let species = vec![particle("link", 0.5, 1.0), product("chain")];
    let domain = Domain::new([f64::from(LINKS) + 0.5], [false]);
    let place = |n: u16| Seed { species: 0, position: Vector([0.52 + 1.05 * f64::from(n)]) };
    let particles: Vec<_> = (0..LINKS).map(place).collect();
    let mut engine = start(
        jostle::brownian::Setup { seed, ..world(domain, TIMESTEP, species, rules) },
        &particles,
    );
    while engine.clock().time() < COMPLETE - 0.5 * TIMESTEP {
        engine.step(&mut Log::default()).expect("a step");
    }
    assert_eq!(engine.tally().bound, u64::from(LINKS) - 1, "all have joined");
    engine
}

/// What happens to 500 chains of bonds until all are broken: when (from [`COMPLETE`] on), and the
/// bonds that broke, each by the lower of its two particles, which stand in a row.
fn broken(timed: &TimedRule, seed: u64) -> Vec<Vec<(f64, Vec<u64>)>> {
    let chain = |seed| {
        let join = vec![ContactRule::bond("join", [0, 0], Chance::Probability(1.0))];
        let mut engine = line(join, timed.clone(), seed);
        let mut log = Log::default();
        while engine.clusters().bonds().count() > 0 {
            engine.step(&mut log).expect("a step");
        }
        log.0
            .iter()
            .map(|event| {
                assert!(
                    matches!(event.kind, ChangeKind::Unbonded | ChangeKind::Fragmented),
                    "{event:?}"
                );
                assert!(event.broken.iter().all(|ids| ids[1] == ids[0] + 1), "{event:?}");
                (event.time * TIMESTEP - COMPLETE, event.broken.iter().map(|ids| ids[0]).collect())
            })
            .collect()
    };
    (500 * seed..500 * (seed + 1)).map(chain).collect()
}

fn hold_exponential(what: &str, times: Vec<f64>) {
    let (n, distance) = (times.len(), kolmogorov(ranks(times)));
    println!("  {what}: {n} times, KS {distance:.2}");
    assert!(distance < KOLMOGOROV, "{what}: {distance}");
}

/// Unbinding and fragmentation, of any bond, of those at the ends and of all, at 1 per µs: 500
/// chains of five bonds each.
///
/// - Any: each bond breaks after an exponential time of its own, whatever the others do.
/// - End: while there are two ends, one breaks off after exponential times of rate 2; the last bond
///   has rate 1. Both ends as often.
/// - All: at once, after an exponential time: of rate 1 if one unbinds, of rate 5, that of each
///   bond, if one fragments.
///
/// 10 tests, false alarms below 1e-4. 10^6 particle steps.
#[test]
fn bonds_break_at_their_rates() {
    timed("chains of bonds", || {
        let unbind = |cut| TimedRule::new("unbind", TimedAction::unbind(&[0], cut), 1.0);
        let how = |cut| Fragmentation { cut, ..Fragmentation::default() };
        let fragment = |cut| {
            TimedRule::new(
                "fragment",
                TimedAction::Fragment { species: vec![0], how: how(cut) },
                1.0,
            )
        };
        for (seed, what, any, end, all, together) in [
            (0, "unbind", unbind(Cut::Any), unbind(Cut::End), unbind(Cut::All), 1.0),
            (3, "fragment", fragment(Cut::Any), fragment(Cut::End), fragment(Cut::All), 5.0),
        ] {
            let chains = broken(&any, seed);
            assert!(chains.iter().flatten().all(|(_, bonds)| bonds.len() == 1));
            hold_exponential(
                &format!("{what} any"),
                chains.iter().flatten().map(|(t, _)| *t).collect(),
            );
            hold_ends(&format!("{what} end"), &broken(&end, seed + 1));
            let chains = broken(&all, seed + 2);
            assert!(chains.iter().all(|chain| chain.len() == 1 && chain[0].1.len() == 5));
            hold_exponential(
                &format!("{what} all"),
                chains.iter().map(|chain| together * chain[0].0).collect(),
            );
        }
    });
}

fn hold_ends(what: &str, chains: &[Vec<(f64, Vec<u64>)>]) {
    let (mut intervals, mut left) = (Vec::new(), 0);
    for chain in chains {
        let (mut first, mut last, mut since) = (0, u64::from(LINKS) - 2, 0.0);
        for (time, bonds) in chain {
            let rate = if first < last { 2.0 } else { 1.0 };
            intervals.push(rate * (time - since));
            since = *time;
            assert!(
                bonds == &[first] || bonds == &[last],
                "{bonds:?} is not an end of {first} to {last}"
            );
            if first < last {
                left += u64::from(bonds == &[first]);
            }
            if bonds == &[first] { first += 1 } else { last -= 1 }
        }
    }
    hold_exponential(what, intervals);
    let n = 4.0 * chains.len() as f64;
    hold(&format!("{what}: at the first end"), left as f64 / n, 0.5 / n.sqrt(), 0.5, 0.0);
}

/// A particle that six have coalesced into breaks at each of its five bonds alike; pieces of less
/// than three fall apart into single particles. 3000 of them: the first time is exponential with
/// rate 5; 3+3 in one of five, 4+1+1 and 5+1 in two of five each (chi²). 10^6 particle steps.
#[test]
fn coalesced_particles_are_cut_between_any_two_of_their_row() {
    timed("rows", || {
        let (mut times, mut counts) = (Vec::new(), [0.0; 3]);
        for seed in 0..3000 {
            let join = |name, pair| ContactRule::coalesce(name, pair, 1, Chance::Probability(1.0));
            let join = vec![join("seed", [0, 0]), join("grow", [0, 1]), join("merge", [1, 1])];
            let how = Fragmentation { cut: Cut::Any, minimum: 3, dissolved: Some(0) };
            let cut = TimedRule::new("cut", TimedAction::Fragment { species: vec![1], how }, 1.0);
            let mut engine = line(join, cut, seed);
            let mut log = Log::default();
            while log.0.is_empty() {
                engine.step(&mut log).expect("a step");
            }
            let event = &log.0[0];
            assert_eq!(event.kind, ChangeKind::Fragmented);
            times.push(5.0 * (event.time * TIMESTEP - COMPLETE));
            let mut sizes: Vec<u64> =
                event.products.iter().map(|party| (2.0 * party.radius).round() as u64).collect();
            sizes.sort_unstable();
            let single =
                |party: &jostle::observe::Party| (party.species == 0) == (party.radius < 0.75);
            assert!(event.products.iter().all(single), "{event:?}");
            match sizes[..] {
                [3, 3] => counts[0] += 1.0,
                [1, 1, 4] => counts[1] += 1.0,
                [1, 5] => counts[2] += 1.0,
                _ => panic!("{sizes:?}"),
            }
        }
        hold_exponential("first cut", times);
        let deviation = chi_squared(&counts, &[600.0, 1200.0, 1200.0]);
        println!("  where: {deviation:.2}");
        assert!(deviation < Z, "{counts:?}");
    });
}
