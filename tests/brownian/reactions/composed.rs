//! Particles that no two have coalesced into in the run: at the start, added, converted. They fall apart
//! as those do that have formed.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;

use jostle::brownian::Seed;
use jostle::observe::{Change, ChangeKind, Observer, ObserverError};
use jostle::rules::rates::ReactingPair;
use jostle::rules::{Chance, ContactRule, RuleSet, Scheduled, ScheduledAction, TimedRule};
use jostle::space::{Domain, Vector};

use super::world::*;
use crate::kinetics::*;

/// When each particle fell apart, by its identity, and what came out of it: a particle that forms again is another
/// one.
#[derive(Default)]
struct FirstTimes(BTreeMap<u64, (f64, [(u64, u16); 2])>);

impl<const D: usize> Observer<D> for FirstTimes {
    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        if let (ChangeKind::Split, [whole], [a, b]) =
            (change.kind, change.reactants, change.products)
        {
            let parts = [(a.id, a.species), (b.id, b.species)];
            self.0.insert(whole.id, (change.step as f64 + change.time, parts));
        }
        Ok(())
    }
}

/// 1000 C that are there at the start and 1000 that are added then, A + B <-> C with p = 0.4, for one and a
/// half mean lifetimes: how many have fallen apart, and when they did, beside the law of those that form,
/// k_d p k_c/k_a. In `make test` as many. 4 tests, false alarms 2e-5. 10^6 particle steps.
#[test]
fn first_times_are_exponential() {
    const EACH: usize = 1000;
    const STEPS: usize = 150;
    let timestep = 0.1;
    let pair = ReactingPair::new(3, 1.0, 1.0).expect("positive numbers");
    let (p, observed) = (0.4, 1.5 / STEPS as f64);
    let k_a = pair.intrinsic_rate(p, timestep).expect("a probability");
    let k_d = observed * k_a / (p * pair.contact_volume(timestep));
    let mut contact = strangers(3);
    contact.retain(|rule| rule.cases[0].species != [0, 1]);
    contact.push(ContactRule::coalesce("bind", [0, 1], 2, Chance::Intrinsic(k_a)));
    let of = contact.len() as u16 - 1;
    let add = ScheduledAction::Add { species: 2, sites: 0, count: EACH as u32, region: None };
    let rules = RuleSet {
        contact,
        timed: vec![TimedRule::unbind("unbind", of, k_d)],
        schedule: vec![Scheduled { name: "add".into(), at: 0.0, every: None, action: add }],
        ..RuleSet::default()
    };
    let species = vec![particle("A", 0.4, 0.3), particle("B", 0.6, 0.7), particle("C", 0.7, 0.2)];
    let particles = lattice::<3>(EACH, 2, 200.0, 1.0, &mut Dice::new(5));
    let setup = world(Domain::new([200.0; 3], [true; 3]), timestep, species, rules);
    timed("first times", || {
        let mut engine = start(setup, &particles);
        let mut log = FirstTimes::default();
        for _ in 0..STEPS {
            engine.step(&mut log).expect("a step");
        }
        let share = -(-1.5_f64).exp_m1();
        let start = EACH as u64;
        // The parts of those at the start come after these, and then what is added, each followed by its parts.
        let is_first = |id: u64| id < start;
        let is_added =
            |id: u64| (3 * start..6 * start).contains(&id) && (id - 3 * start).is_multiple_of(3);
        let known = || log.0.iter().filter(|(id, _)| is_first(**id) || is_added(**id));
        let parts: Vec<_> = known().flat_map(|(_, (_, parts))| parts).collect();
        let ids: BTreeSet<u64> = parts.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids.len(), parts.len(), "each part is a particle of its own");
        assert!(parts.chunks(2).all(|two| [two[0].1, two[1].1] == [0, 1]));
        let times = |of: &dyn Fn(u64) -> bool| -> Vec<f64> {
            known().filter(|(id, _)| of(**id)).map(|(_, (time, _))| *time).collect()
        };
        let groups = [times(&is_first), times(&is_added)];
        for (what, times) in ["at the start", "added"].into_iter().zip(groups) {
            let error = (share * (1.0 - share) / EACH as f64).sqrt();
            hold(what, times.len() as f64 / EACH as f64, error, share, 0.0);
            let ranks = ranks(times.into_iter().map(|time| time * observed));
            let distance = kolmogorov(ranks.into_iter().map(|rank| rank / share).collect());
            assert!(distance < KOLMOGOROV, "{what}: {distance}");
        }
    });
}

/// An enzyme that turns its substrate over while it is bound, E + S <-> ES <-> EP <-> E + P, so that EP comes
/// of ES and falls apart into E and P: each of the four states is as likely as the constants say, and the two
/// are the particles that they were. 120 000 steps in 60 blocks; 4 numbers, 3 of them independent, false alarms
/// 3e-5.
#[test]
fn an_enzyme_that_turns_over_in_its_complex_has_the_equilibrium_of_all_its_constants() {
    let (edge, timestep) = (2.2_f64, 0.05);
    let room = edge.powi(3) - 4.0 * PI / 3.0;
    let pair = ReactingPair::new(3, 1.0, 1.0).expect("positive numbers");
    let k_a = pair.intrinsic_rate(0.3, timestep).expect("a probability");
    // The weights of S, ES, EP and P, in those of S.
    let weights = [1.0, 0.5, 0.75, 1.5];
    let k_d = [k_a / (room * weights[1]), k_a * weights[3] / (room * weights[2])];
    let turn = 0.4 * k_d[0];
    let contact = vec![
        ContactRule::coalesce("bind S", [0, 1], 2, Chance::Intrinsic(k_a)),
        ContactRule::coalesce("bind P", [0, 4], 3, Chance::Intrinsic(k_a)),
    ];
    let rules = RuleSet {
        contact,
        timed: vec![
            TimedRule::unbind("release S", 0, k_d[0]),
            TimedRule::unbind("release P", 1, k_d[1]),
            TimedRule::convert("turn", 2, &[3], turn),
            TimedRule::convert("turn back", 3, &[2], turn * weights[1] / weights[2]),
        ],
        ..RuleSet::default()
    };
    let bound = |name| particle(name, 0.6, 0.25);
    let species = vec![
        particle("E", 0.6, 0.3),
        particle("S", 0.4, 0.7),
        bound("ES"),
        bound("EP"),
        particle("P", 0.4, 0.7),
    ];
    let places = [[0.0; 3], [1.1; 3]];
    let particles = [0, 1].map(|n| Seed { species: n as u16, position: Vector(places[n]) });
    timed("turnover", || {
        let mut engine = periodic(edge, timestep, species, rules, 4, &particles);
        let (blocks, length) = (60, 2 * samples(4000));
        let mut shares = vec![Vec::new(); 4];
        for _ in 0..blocks {
            let mut seen = [0_usize; 4];
            for _ in 0..length {
                engine.step(&mut Ledger::default()).expect("a step");
                let p = engine.particles();
                for slot in (0..p.len()).filter(|&slot| p.alive[slot]) {
                    match p.species[slot] {
                        0 => assert_eq!(p.id[slot], 0, "the enzyme"),
                        1 | 4 => assert_eq!(p.id[slot], 1, "the substrate"),
                        _ => {}
                    }
                }
                let state =
                    [1, 2, 3, 4].into_iter().position(|species| count(&engine, species) > 0);
                seen[state.expect("one of four")] += 1;
            }
            let share = |n: &usize| *n as f64 / length as f64;
            shares.iter_mut().zip(&seen).for_each(|(all, n)| all.push(share(n)));
        }
        let sum: f64 = weights.iter().sum();
        for ((name, weight), shares) in ["S", "ES", "EP", "P"].iter().zip(weights).zip(&shares) {
            let (found, error) = mean(shares);
            hold(name, found, error, weight / sum, 0.0);
        }
    });
}
