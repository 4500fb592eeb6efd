//! Potentials that the schedule switches.

use jostle::brownian::{Brownian, Scheduler, Seed, Setup};
use jostle::observe::NoObserver;
use jostle::potentials::{Potentials, StepPotential};
use jostle::rules::{RuleSet, Scheduled, ScheduledAction};
use jostle::search::{Kind, Settings};
use jostle::space::{Domain, Vector};

use crate::kinetics::particle;
use crate::reactions::world::world;
use crate::trace::Trace;

const EDGE: f64 = 24.0;

/// Discs that attract each other, and entries that switch that.
fn setup(schedule: &[(f64, bool)], scheduler: Scheduler) -> Setup<2> {
    let species = vec![particle("A", 1.0, 1.0)];
    let well = StepPotential::new(vec![3.0], vec![-2.0]);
    let entry = |&(at, on): &(f64, bool)| Scheduled {
        name: format!("{at}"),
        at,
        every: None,
        action: ScheduledAction::SwitchPotential { potential: 0, on },
    };
    let rules = RuleSet { schedule: schedule.iter().map(entry).collect(), ..RuleSet::default() };
    Setup {
        potentials: Potentials::new(&[Some(1.0)], [([0, 0], &well)]),
        search: Settings { kind: Kind::Verlet, ..Settings::default() }.build(),
        scheduler,
        seed: 5,
        ..world(Domain::new([EDGE; 2], [true; 2]), 0.02, species, rules)
    }
}

fn seeds() -> Vec<Seed<2>> {
    let place = |n: u32| Vector([f64::from(n % 9), f64::from(n / 9)].map(|x| 1.3 + 2.6 * x));
    (0..81).map(|n| Seed { species: 0, position: place(n) }).collect()
}

fn run(engine: &mut Brownian<2>, steps: usize) -> Trace {
    let mut trace = Trace { listens: true, ..Trace::default() };
    (0..steps).for_each(|_| engine.step(&mut trace).unwrap());
    trace
}

#[test]
fn a_potential_that_is_off_makes_no_difference() {
    let with = setup(&[(0.0, false)], Scheduler::Islands);
    let mut with = Brownian::new(with, seeds()).unwrap();
    let without = setup(&[], Scheduler::Islands);
    let without = Setup { potentials: Potentials::default(), ..without };
    let mut without = Brownian::new(without, seeds()).unwrap();
    for step in 0..15 {
        with.step(&mut NoObserver).unwrap();
        without.step(&mut NoObserver).unwrap();
        for (a, b) in with.particles().position.iter().zip(&without.particles().position) {
            let apart = with.view().domain.nearest_image(*a - *b).norm();
            assert!(apart < 1e-7, "{step}: {a:?} {b:?}");
        }
    }
    let counts = (without.tally().contacts, with.tally().edges);
    assert!(counts.0 > 50 && counts.1 > 200, "{counts:?}");
}

/// At dates within a step, with each scheduler, and with a restart while it is off.
#[test]
fn switching_gives_the_same_bits_however_it_is_computed_and_after_a_restart() {
    let dates = [(0.209, false), (0.613, true), (0.617, false), (0.955, true)];
    let mut traces = [Scheduler::Queue, Scheduler::Islands, Scheduler::Rescan]
        .map(|scheduler| run(&mut Brownian::new(setup(&dates, scheduler), seeds()).unwrap(), 60));
    let [queue, islands, rescan] = traces.each_mut();
    assert_eq!((&queue.hashes, &queue.virial), (&islands.hashes, &islands.virial));
    assert_eq!((&queue.hashes, &queue.contacts), (&rescan.hashes, &rescan.contacts));
    assert_eq!(queue.contacts, islands.contacts);
    let mut first = Brownian::new(setup(&dates, Scheduler::Islands), seeds()).unwrap();
    run(&mut first, 20);
    let mut second = Brownian::resume(setup(&dates, Scheduler::Queue), first.state()).unwrap();
    let rest = run(&mut second, 40);
    assert_eq!(rest.hashes, queue.hashes[20..]);
    let mut always = Brownian::new(setup(&[], Scheduler::Islands), seeds()).unwrap();
    let always = run(&mut always, 60).hashes;
    assert_eq!(always[..10], queue.hashes[..10]);
    assert_ne!(always[10], queue.hashes[10]);
}
