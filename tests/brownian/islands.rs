//! Contacts settled island by island have the bits of the one queue: states, contacts in their
//! order, and the number of each, in crowds thin and dense, with short steps and long, with walls,
//! sizes that differ, and rules that ask for more than a bounce, now and then or all the time.

use jostle::brownian::{Scheduler, Tally};
use jostle::random::{Purpose, Random};
use jostle::rules::{Action, Chance, ContactRule, Division, Scheduled, ScheduledAction, TimedRule};
use jostle::search::Kind;
use jostle::space::Domain;
use jostle_lab::validate::world::{World, on_lattice};

use crate::kinetics::samples;
use crate::trace::Trace;

/// What the rules ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rules {
    /// Bounces.
    Bounces,
    /// Some pairs join, and part again.
    Joins,
    /// Some pairs pass through each other.
    Passes,
    /// Some are bonded to others, turn as one, and become another species.
    Bonds,
    /// Many reactions: particles join, part, become others, two or none, and come to be.
    Reactions,
}

/// A crowd: its packing fraction, rms steps in radii, and what else makes it hard.
#[derive(Clone, Copy, Debug)]
struct Crowd<const D: usize> {
    count: usize,
    packing: f64,
    step: f64,
    periodic: [bool; D],
    small: f64,
    rules: Rules,
    steps: usize,
}

impl<const D: usize> Crowd<D> {
    /// The crowd of a number, at random.
    fn number(case: u64) -> Self {
        let draw = |k: u64| Random::new(case).uniform(Purpose::Placement, [k, 0, 0, D as u64]);
        let pick = |k: u64, from: &[f64]| from[(draw(k) * from.len() as f64) as usize];
        Self {
            count: [60, 700, 1500][case as usize % 3],
            packing: pick(0, &[0.02, 0.1, 0.2, 0.3, 0.4]),
            step: pick(1, &[0.02, 0.1, 0.3, 0.6]),
            periodic: std::array::from_fn(|k| draw(2 + k as u64) < 0.6),
            small: pick(7, &[1.0, 0.6]),
            rules: [
                Rules::Bounces,
                Rules::Joins,
                Rules::Passes,
                Rules::Bonds,
                Rules::Reactions,
                Rules::Reactions,
            ][(draw(8) * 6.0) as usize],
            steps: 15,
        }
    }

    fn world(&self) -> World<D> {
        let volume = [2.0, std::f64::consts::PI, 4.0 / 3.0 * std::f64::consts::PI][D - 1];
        let edge = (self.count as f64 * volume / self.packing).powf(1.0 / D as f64);
        let d = 0.5 * self.step * self.step;
        let mut world =
            World::periodic(edge).species(1.0, d).species(self.small, 3.0 * d).species(1.2, d);
        world.domain = Domain::new([edge; D], self.periodic);
        match self.rules {
            Rules::Bounces => {}
            Rules::Joins => {
                let join = ContactRule::coalesce("join", [0, 0], 2, Chance::Probability(0.01));
                world.rules.contact.push(join);
                world.rules.timed.push(TimedRule::unbind("part", 0, 0.05));
            }
            Rules::Passes => {
                world.rules.contact.push(ContactRule::plain("pass", [0, 1], Action::Pass))
            }
            Rules::Bonds => {
                world.rules.contact.push(ContactRule::bond(
                    "bind",
                    [0, 0],
                    Chance::Probability(0.3),
                ));
                world.rules.contact.push(ContactRule::bond(
                    "bind",
                    [0, 1],
                    Chance::Probability(0.3),
                ));
                world.rules.timed.push(TimedRule::unbind("part", 0, 0.05));
                // Some become another species where they are, on the paths that they are on.
                world.rules.timed.push(TimedRule::convert("turn", 0, &[1], 0.05));
            }
            Rules::Reactions => {
                let chance = |probability| Chance::Probability(probability);
                world.rules.contact = vec![
                    ContactRule::coalesce("join", [0, 0], 2, chance(0.5)),
                    ContactRule::bond("bind", [0, 2], chance(0.5)),
                    ContactRule::convert("annihilate", [1, 1], &[], chance(0.2)),
                    ContactRule::convert("infect", [0, 1], &[1, 1], chance(0.3)),
                ];
                world.rules.timed = vec![
                    TimedRule::unbind("part", 0, 0.1),
                    TimedRule::unbind("let go", 1, 0.2),
                    TimedRule::convert("divide", 1, &[0, 1], 0.05),
                    TimedRule::convert("decay", 2, &[], 0.05),
                    TimedRule::create("make", 0, 0.01 * self.packing / volume),
                ];
                let schedule = |name: &str, at, every, action| Scheduled {
                    name: name.into(),
                    at,
                    every,
                    action,
                };
                let add = ScheduledAction::Add { species: 1, sites: 0, count: 5, region: None };
                let halve = ScheduledAction::Divide(Division::Keep(0.5));
                world.rules.schedule =
                    vec![schedule("add", 1.3, Some(0.7), add), schedule("halve", 7.1, None, halve)];
            }
        }
        world
    }

    fn run(
        &self,
        search: Kind,
        scheduler: Scheduler,
        threads: usize,
        listens: bool,
    ) -> (Trace, Tally) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let world = self.world().search(search).scheduler(scheduler);
            let start = on_lattice(world.domain.edges()[0], self.count, 2);
            let mut engine = world.with(&start[..self.count]).unwrap();
            let mut trace = Trace { listens, ..Trace::default() };
            for _ in 0..self.steps {
                engine.step(&mut trace).unwrap_or_else(|error| panic!("{self:?}: {error}"));
            }
            (trace, engine.tally())
        })
    }

    /// Holds lists and islands, on one thread and on several, to cells and the queue.
    fn hold(&self) -> usize {
        let (expected, tally) = self.run(Kind::Cubic, Scheduler::Queue, 1, true);
        let others = [(Scheduler::Queue, 1), (Scheduler::Islands, 1), (Scheduler::Islands, 3)];
        for (scheduler, threads) in others {
            let listens = threads == 1;
            let (found, theirs) = self.run(Kind::Verlet, scheduler, threads, listens);
            assert_eq!(found.hashes, expected.hashes, "{self:?}, {scheduler:?}, {threads} threads");
            assert_eq!(found.virial, expected.virial, "{self:?}, {scheduler:?}, {threads} threads");
            assert!(!listens || found.contacts == expected.contacts, "{self:?}, {scheduler:?}");
            assert_eq!(found.changes, expected.changes, "{self:?}, {scheduler:?}");
            let contacts =
                |tally: &Tally| [tally.contacts, tally.wall_contacts, tally.bound, tally.late];
            assert_eq!(contacts(&theirs), contacts(&tally), "{self:?}, {scheduler:?}");
        }
        expected.contacts.len()
    }
}

/// Some crowds, which together have enough contacts to prove something.
fn hold_all<const D: usize>(cases: std::ops::Range<u64>, least: usize) {
    let contacts: usize = cases.clone().map(|case| Crowd::<D>::number(case).hold()).sum();
    println!("{contacts} contacts of {cases:?} in {D}D are the same");
    assert!(contacts > least, "{contacts}");
}

#[test]
fn islands_have_the_bits_of_the_queue_on_a_line() {
    hold_all::<1>(0..12, 2_000);
}

#[test]
fn islands_have_the_bits_of_the_queue_in_a_plane() {
    hold_all::<2>(0..24, 20_000);
}

#[test]
fn islands_have_the_bits_of_the_queue_in_space() {
    hold_all::<3>(0..samples(24) as u64, samples(40_000));
}

/// So dense, and steps so long, that particles hang together all through the box.
#[test]
fn a_step_is_cut_into_stretches_where_all_touch_all() {
    let dense = Crowd {
        count: 700,
        packing: 0.45,
        step: 0.5,
        periodic: [true, false, true],
        small: 1.0,
        rules: Rules::Bounces,
        steps: samples(15),
    };
    assert!(dense.hold() > samples(7000));
}
