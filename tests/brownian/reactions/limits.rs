//! Conditions hold at every step, and what is to happen by the clock does so to the moment.

use jostle::brownian::{Brownian, Seed, Setup};
use jostle::observe::{ChangeKind, Observer, ObserverError, View};
use jostle::rules::{
    Chance, Condition, ContactRule, Division, RuleSet, Scheduled, ScheduledAction, TimedRule,
};
use jostle::space::{Domain, Vector};

use super::world::*;
use crate::kinetics::*;

/// The largest cluster, and the most bonds of one particle, of all steps.
#[derive(Default)]
struct Most {
    size: usize,
    bonds: usize,
}

impl Observer<2> for Most {
    fn step(&mut self, view: &View<'_, 2>) -> Result<(), ObserverError> {
        for unit in view.clusters.units.iter().flatten() {
            self.size = self.size.max(unit.members.len());
            for &slot in &unit.members {
                let id = view.particles.id[slot as usize];
                let bonds = unit.bonds.iter().filter(|bond| bond.ids.contains(&id)).count();
                self.bonds = self.bonds.max(bonds);
            }
        }
        Ok(())
    }
}

/// Clusters of up to four that take up clusters of up to three, of particles with at most two
/// bonds, in a dense layer where they bind and unbind: none ever has more than seven particles or
/// two bonds at one particle, but some have as many. 10^5 particle steps.
#[test]
fn sizes_and_valences_stay_within_their_limits() {
    let mut bond = ContactRule::bond("bind", [0, 0], Chance::Probability(0.5));
    bond.conditions =
        [Condition { size: 1..=4, valence: Some(2) }, Condition { size: 1..=3, valence: Some(2) }];
    let rules = RuleSet {
        contact: vec![bond],
        timed: vec![TimedRule::unbind("unbind", 0, 0.02)],
        ..RuleSet::default()
    };
    let domain = Domain::new([12.0, 12.0], [true, false]);
    let particles = lattice(64, 0, 12.0, 0.2, &mut Dice::new(2));
    let mut engine = start(world(domain, 0.2, vec![particle("A", 0.5, 0.5)], rules), &particles);
    let mut most = Most::default();
    for _ in 0..2000 {
        engine.step(&mut most).expect("a step");
    }
    let tally = engine.tally();
    println!("{tally:?}");
    assert!(tally.bound > 200 && tally.unbound > 200, "{tally:?}");
    assert_eq!((most.size, most.bonds), (7, 2));
}

/// 20 000 particles that may turn into others at 2 per µs, within the windows.
fn ageing(windows: Vec<[f64; 2]>, schedule: Vec<Scheduled>, timestep: f64) -> Brownian<1> {
    let mut age = TimedRule::convert("age", 0, &[1], 2.0);
    age.windows = windows;
    let rules = RuleSet { contact: strangers(2), timed: vec![age], schedule, ..RuleSet::default() };
    let species = vec![particle("A", 0.5, 1e-6), particle("B", 0.5, 1e-6)];
    let place = |n: u32| Seed { species: 0, position: Vector([0.005 * (f64::from(n) + 0.5)]) };
    let particles: Vec<_> = (0..20_000).map(place).collect();
    let seed = timestep.to_bits() + rules.schedule.len() as u64;
    start(
        Setup { seed, ..world(Domain::new([100.0], [true]), timestep, species, rules) },
        &particles,
    )
}

fn event(name: &str, at: f64, every: Option<f64>, action: ScheduledAction) -> Scheduled {
    Scheduled { name: name.into(), at, every, action }
}

/// Holds the times of ageing up to `end` to a hazard that is given by its integral.
fn hold_hazard(what: &str, mut engine: Brownian<1>, end: f64, integral: impl Fn(f64) -> f64) {
    let mut log = Log::default();
    let timestep = engine.clock().timestep;
    while engine.clock().time() < end - 1e-9 {
        engine.step(&mut log).expect("a step");
    }
    let times: Vec<f64> =
        log.times(ChangeKind::Converted).iter().map(|time| time * timestep).collect();
    let all = -(-integral(end)).exp_m1();
    let error = (all * (1.0 - all) / 2e4).sqrt();
    hold(&format!("{what}: share"), times.len() as f64 / 2e4, error, all, 0.0);
    let distance =
        kolmogorov(times.iter().map(|&time| -(-integral(time)).exp_m1() / all).collect());
    println!("  {what}: KS {distance:.2}");
    assert!(distance < KOLMOGOROV, "{what}: {distance}");
    let idle = times.iter().filter(|&&time| {
        let rate = integral(time + 1e-9) - integral(time - 1e-9);
        rate < 1e-12
    });
    assert_eq!(idle.count(), 0, "{what}: something happened out of force");
}

/// A rule that is in force in two windows, both shorter than a step; and one whose rate is set, and
/// which is switched off and on again, at moments between the steps: at time steps of 1 and of 0.25
/// µs, every particle's time follows the hazard to the moment (Kolmogorov-Smirnov), and nothing
/// happens out of force. 20 000 particles each; 8 tests, false alarms 5e-5. 10^6 particle steps.
#[test]
fn windows_and_schedule_are_kept_to_the_moment() {
    let ramp = |t: f64, from: f64, to: f64| t.clamp(from, to) - from;
    for timestep in [1.0, 0.25] {
        let engine = ageing(vec![[0.37, 0.61], [2.5, 2.75]], vec![], timestep);
        hold_hazard(&format!("windows, step {timestep}"), engine, 4.0, |t| {
            2.0 * (ramp(t, 0.37, 0.61) + ramp(t, 2.5, 2.75))
        });
        let rule = 3;
        let schedule = vec![
            event("slower", 0.3, None, ScheduledAction::SetRate { rule, rate: 0.5 }),
            event("off", 1.1, None, ScheduledAction::Switch { rule, on: false }),
            event("on", 1.6, None, ScheduledAction::Switch { rule, on: true }),
            event("faster", 1.7, None, ScheduledAction::SetRate { rule, rate: 4.0 }),
        ];
        let engine = ageing(vec![], schedule, timestep);
        hold_hazard(&format!("schedule, step {timestep}"), engine, 2.0, |t| {
            2.0 * ramp(t, 0.0, 0.3)
                + 0.5 * (ramp(t, 0.3, 1.1) + ramp(t, 1.6, 1.7))
                + 4.0 * ramp(t, 1.7, 9.0)
        });
    }
}

/// Contacts lead to something within the rule's window only.
#[test]
fn a_contact_rule_is_in_force_within_its_window_only() {
    let mut rule = ContactRule::convert("annihilate", [0, 0], &[], Chance::Probability(0.5));
    rule.windows = vec![[3.3, 5.7]];
    let rules = RuleSet { contact: vec![rule], ..RuleSet::default() };
    let particles = lattice(900, 0, 40.0, 0.1, &mut Dice::new(3));
    let domain = Domain::new([40.0, 40.0], [true, true]);
    let mut engine = start(world(domain, 1.0, vec![particle("A", 0.5, 0.3)], rules), &particles);
    let mut log = Log::default();
    for _ in 0..10 {
        engine.step(&mut log).expect("a step");
    }
    let times = log.times(ChangeKind::Vanished);
    println!("{} between {:?} and {:?}", times.len(), times.first(), times.last());
    assert!(times.len() > 100 && engine.tally().contacts > 1000);
    assert!(times.iter().all(|time| (3.3..5.7).contains(time)));
    assert!(times[0] < 3.4 && times[times.len() - 1] > 5.5);
}

/// Particles are added at 1.37 µs and every 0.4 µs from then on, several times in a step of one µs.
/// The cell is divided twice: each of 20 000 stays with probability 0.3; then those in the first
/// quarter of the box stay. Standard errors of binomial numbers. 10^5 particle steps.
#[test]
fn particles_are_added_and_cells_divide_to_the_moment() {
    let add = ScheduledAction::Add { species: 1, sites: 0, count: 3, region: None };
    let mut engine = ageing(vec![[1e9, 2e9]], vec![event("add", 1.37, Some(0.4), add)], 1.0);
    let mut log = Log::default();
    for _ in 0..6 {
        engine.step(&mut log).expect("a step");
    }
    let times = log.times(ChangeKind::Created);
    assert_eq!(times.len(), 3 * 12, "{times:?}");
    for (n, time) in times.iter().enumerate() {
        assert!((time - 1.37 - 0.4 * (n / 3) as f64).abs() < 1e-9, "{times:?}");
    }
    let schedule = vec![
        event("half", 0.62, None, ScheduledAction::Divide(Division::Keep(0.3))),
        event(
            "slab",
            1.37,
            None,
            ScheduledAction::Divide(Division::Volume { fraction: 0.25, axis: 0 }),
        ),
    ];
    let mut engine = ageing(vec![[1e9, 2e9]], schedule, 1.0);
    for (time, share, n) in [(0.62, 0.3, 20_000.0_f64), (1.37, 0.25, 6000.0)] {
        let before = count(&engine, 0) as f64;
        let mut log = Log::default();
        engine.step(&mut log).expect("a step");
        let after = count(&engine, 0) as f64;
        let error = (share * (1.0 - share) / n).sqrt();
        hold(&format!("division at {time}"), after / before, error, share, 0.0);
        assert_eq!(log.0.len() as f64, before - after);
        assert!(
            log.0.iter().all(|e| e.kind == ChangeKind::Divided && (e.time - time).abs() < 1e-12)
        );
    }
    let p = engine.particles();
    let place = |slot: u32| p.position[slot as usize][0];
    assert!(p.slots_by_id().into_iter().all(|slot| place(slot) < 25.1 || place(slot) > 99.9));
}
