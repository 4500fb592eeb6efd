//! Particles that ignore each other: no structure is built for them, whichever was asked for.

use jostle::brownian::{Brownian, Seed, Setup};
use jostle::observe::NoObserver;
use jostle::rules::{Division, RuleSet, Scheduled, ScheduledAction, TimedRule};
use jostle::search::{Counters, Kind, Settings};
use jostle::space::{Domain, Vector};
use jostle::state_hash::state_hash;

use super::world::{start, strangers, world};
use crate::kinetics::particle;

/// They are made, added, taken away, changed into others and turned back by walls, in every step.
fn crowd(kind: Kind) -> Brownian<2> {
    let rules = RuleSet {
        contact: strangers(2),
        timed: vec![
            TimedRule::convert("age", 0, &[1], 0.3),
            TimedRule::convert("divide", 1, &[1, 0], 0.1),
            TimedRule::convert("decay", 1, &[], 0.2),
            TimedRule::create("make", 0, 0.02),
        ],
        schedule: vec![
            Scheduled {
                name: "add".into(),
                at: 1.3,
                every: Some(0.7),
                action: ScheduledAction::Add { species: 1, sites: 0, count: 5, region: None },
            },
            Scheduled {
                name: "half".into(),
                at: 7.1,
                every: None,
                action: ScheduledAction::Divide(Division::Keep(0.5)),
            },
        ],
        ..RuleSet::default()
    };
    let species = vec![particle("A", 0.5, 1.0), particle("B", 0.3, 2.0)];
    let place = |n: u32| Seed { species: 0, position: Vector([1.0 + 0.09 * f64::from(n), 6.0]) };
    let domain = Domain::new([20.0, 12.0], [false, true]);
    let search = Settings { kind, ..Settings::default() }.build();
    start(
        Setup { search, ..world(domain, 1.0, species, rules) },
        &(0..200).map(place).collect::<Vec<_>>(),
    )
}

#[test]
fn particles_that_ignore_each_other_are_born_die_and_turn_back_at_walls_without_a_structure() {
    let run = |kind| {
        let mut engine = crowd(kind);
        for _ in 0..30 {
            engine.step(&mut NoObserver).expect("a step");
        }
        let tally = engine.tally();
        assert!(tally.late == 0 && engine.particles().len() > 20, "{kind:?}");
        assert_eq!(engine.search().counters(), Counters::default(), "{kind:?}");
        state_hash(engine.particles(), engine.clusters())
    };
    let expected = run(Kind::Naive);
    for kind in Kind::ALL {
        assert_eq!(run(kind), expected, "{kind:?}");
    }
}
