//! States of the Brownian engine: kept, damaged, resumed.

use super::*;
use crate::{Scheduler, Seed};
use jostle_core::formula::{Formula, Operation};
use jostle_core::observe::NoObserver;
use jostle_core::rules::{
    Chance, ContactRule, Factor, Observable, RuleSet, Scheduled, ScheduledAction, TimedRule,
};
use jostle_core::search::{Kind, Settings};
use jostle_core::sites::SitePattern;
use jostle_core::space::Domain;
use jostle_core::species::Species;
use jostle_core::state_hash::state_hash;

/// Particles that bond, coalesce and part, and a schedule that changes a rate.
fn setup(kind: Kind) -> Setup<2> {
    let species = |name: &str, radius| Species::sphere(name, radius, 0.2);
    let entry =
        |name: &str, at, action| Scheduled { name: name.into(), at, every: Some(20.0), action };
    let of_all = Observable {
        ways: vec![(0, SitePattern::default()), (1, SitePattern::default())],
        ..Observable::default()
    };
    let share = vec![Formula::Number(20.0), Formula::Count(0)];
    let formula = Formula::Call(Operation::Over, share);
    let follow = ScheduledAction::Scale {
        rule: 2,
        rate: 0.05,
        factor: Factor { text: "20/all".into(), formula },
    };
    let rules = RuleSet {
        contact: vec![
            ContactRule::coalesce("join", [0, 0], 1, Chance::Probability(0.3)),
            ContactRule::bond("bond", [0, 1], Chance::Probability(0.5)),
        ],
        timed: vec![TimedRule::unbind("part", 0, 0.05), TimedRule::unbind("let go", 1, 0.03)],
        schedule: vec![
            entry("more", 11.2, ScheduledAction::SetRate { rule: 0, rate: 0.6 }),
            entry("off", 17.7, ScheduledAction::Switch { rule: 1, on: false }),
            entry("on", 25.1, ScheduledAction::Switch { rule: 1, on: true }),
            entry("follow", 3.3, follow),
        ],
        observables: vec![of_all],
    };
    Setup {
        rules,
        search: Settings { kind, ..Settings::default() }.build(),
        scheduler: Scheduler::Queue,
        seed: 5,
        ..Setup::new(
            Domain::new([30.0, 30.0], [true, false]),
            0.5,
            vec![species("A", 0.5), species("AA", 0.7)],
        )
    }
}

fn start() -> Brownian<2> {
    let place = |n: u32| Vector([1.0 + 2.0 * f64::from(n % 15), 1.0 + 2.0 * f64::from(n / 15)]);
    let starts: Vec<_> = (0..225).map(|n| Seed { species: 0, position: place(n) }).collect();
    Brownian::new(setup(Kind::ALL[1]), starts).unwrap()
}

fn hashes(engine: &mut Brownian<2>, steps: usize) -> Vec<u64> {
    let mut step = |_| {
        engine.step(&mut NoObserver).unwrap();
        state_hash(engine.particles(), engine.clusters())
    };
    (0..steps).map(&mut step).collect()
}

#[test]
fn a_run_continues_from_its_state_as_if_nothing_had_happened() {
    let mut whole = start();
    let all = hashes(&mut whole, 160);
    assert!(whole.tally().unbound > 20 && whole.tally().bound > 40, "{:?}", whole.tally());
    for (kind, cut) in Kind::ALL.into_iter().zip([0, 23, 41, 60, 77, 95, 121, 150]) {
        let mut first = start();
        hashes(&mut first, cut);
        let bytes = postcard::to_stdvec(&first.state()).unwrap();
        let state: State<'_, 2> = postcard::from_bytes(&bytes).unwrap();
        let mut second = Brownian::resume(setup(kind), state).unwrap();
        assert_eq!(hashes(&mut second, 160 - cut), all[cut..], "cut at {cut}");
        let [a, b] =
            [whole.tally(), second.tally()].map(|t| (t.contacts, t.bound, t.unbound, t.refused));
        assert_eq!(a, b);
    }
}

/// Every byte of a state in turn is another; none leads to a panic.
#[test]
fn a_damaged_state_is_refused_or_harmless() {
    let mut engine = start();
    hashes(&mut engine, 40);
    let bytes = postcard::to_stdvec(&engine.state()).unwrap();
    let mut refused = 0;
    for at in (0..bytes.len()).step_by(29) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let Ok(state) = postcard::from_bytes::<State<'_, 2>>(&damaged) else {
            refused += 1;
            continue;
        };
        match Brownian::resume(setup(Kind::ALL[1]), state) {
            Ok(mut engine) => {
                // Until those that have died are closed up at least once.
                let _ = (0..40).try_for_each(|_| engine.step(&mut NoObserver));
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 25, "{refused} of {}", bytes.len() / 29);
}

/// A timer that is another's, or of one that has died, would be left behind when slots are closed
/// up.
#[test]
fn a_timer_has_an_owner_that_lives() {
    let mut engine = start();
    hashes(&mut engine, 40);
    let (owner, slot) = engine
        .plans
        .timers
        .owners()
        .find_map(|(owner, place)| match place {
            Subject::Slot(slot) => Some((owner, slot as usize)),
            _ => None,
        })
        .expect("a particle will part");
    let refused = |harm: &dyn Fn(&mut State<'_, 2>)| {
        let mut state = engine.state();
        harm(&mut state);
        Brownian::resume(setup(Kind::ALL[1]), state).err().map(|error| error.to_string())
    };
    assert_eq!(refused(&|_| {}), None);
    let dead =
        refused(&|state| state.particles.to_mut().alive[slot] = false).expect("it is refused");
    assert!(dead.contains("a timer is no particle's"), "{dead}");
    let twice = refused(&|state| {
        let other = usize::from(slot == 0);
        state.particles.to_mut().id[other] = owner;
    });
    assert!(twice.expect("it is refused").contains("two particles have one identity"));
}

/// A particle that is far away, huge or very fast might meet others in more images of the box than
/// can be gone through.
#[test]
fn a_particle_that_could_be_nowhere_near_is_refused() {
    type Harm = fn(&mut Particles<2>);
    let harms: [Harm; 5] = [
        |p| p.position[7][0] = 1e12,
        |p| p.position[7][0] = -0.1,
        |p| p.radius[7] = 1e200,
        |p| p.velocity[7][0] = 1e200,
        |p| p.diffusion_coefficient[7] = 1e9,
    ];
    let engine = start();
    for harm in harms {
        let mut state = engine.state();
        harm(state.particles.to_mut());
        let refused =
            Brownian::resume(setup(Kind::ALL[1]), state).err().expect("it is refused").to_string();
        assert!(refused.contains("too far away, too large or too fast"), "{refused}");
    }
}
