//! The law of bounces: the equilibrium of a few particles, and the same bits with every search structure.

use super::super::{Scheduler, Seed, Setup};
use super::*;
use jostle_core::clusters::Bond;
use jostle_core::observe::NoObserver;
use jostle_core::potentials::{Climb, EnergyShape, FORMS, PairPotential};
use jostle_core::rules::{Chance, ContactRule, RuleSet};
use jostle_core::search::{Kind, Settings};
use jostle_core::space::{Domain, ball_volume};
use jostle_core::species::{MobilityLaw, Species};
use jostle_core::state_hash::state_hash;

const CONTACT: f64 = 1.0;

fn climb(name: &str, given: &[f64], cutoff: f64) -> Climb {
    let form = FORMS.iter().find(|form| form.name == name).unwrap();
    let mut given = given.iter().copied().map(Some).collect::<Vec<_>>();
    given.resize(form.parameters.len(), None);
    Climb::new(EnergyShape::Form(form, given).from_contact(CONTACT), CONTACT, cutoff)
}

/// Particles of as many species as there are diffusion coefficients, all with these potentials.
fn setup<const D: usize>(edge: f64, step: f64, diffusion: &[f64], climbs: &[Climb]) -> Setup<D> {
    let species = |d: &f64| Species::sphere(format!("{d}"), 0.5 * CONTACT, *d);
    let count = diffusion.len() as u16;
    let pairs = (0..count).flat_map(|a| (a..count).map(move |b| [a, b]));
    let all = pairs.flat_map(|pair| {
        climbs.iter().map(move |climb| (0, pair, PairPotential::Bounces(climb.clone())))
    });
    Setup {
        potentials: Potentials::numbered(&vec![Some(0.5 * CONTACT); diffusion.len()], all),
        mobility: MobilityLaw::Rouse,
        search: Settings::lists().build(),
        ..Setup::new(
            Domain::new([edge; D], [true; D]),
            0.5 * step * step,
            diffusion.iter().map(species).collect(),
        )
    }
}

/// z of means over independent runs.
fn z(means: &[f64], exact: f64) -> f64 {
    let n = means.len() as f64;
    let mean = means.iter().sum::<f64>() / n;
    let variance = means.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n * (n - 1.0));
    println!("{mean:.4} ± {:.4}, exact {exact:.4}", variance.sqrt());
    (mean - exact) / variance.sqrt()
}

/// z of the shares of time that two particles are at some distances, and of their virial, at steps up to the
/// size of the box. The pressure of two in a volume V is kT ∂ ln Q/∂V with Q = V (V + ∫ (exp(−U) − 1)).
fn pairs<const D: usize>(climbs: &[Climb]) -> Vec<f64> {
    const EDGE: f64 = 7.0;
    const ENDS: [f64; 4] = [1.3, 1.7, 2.4, 3.2];
    let energy = |r: f64| climbs.iter().map(|climb| climb.energy(r)).sum::<f64>();
    let mut weights = vec![0.0; ENDS.len() + 1];
    let volume = EDGE.powi(D as i32);
    let mut free = volume - ball_volume(D, CONTACT);
    let n = 20_000;
    let width = (ENDS[3] - CONTACT) / f64::from(n);
    for k in 0..n {
        let r = CONTACT + width * (f64::from(k) + 0.5);
        let shell = ball_volume(D, r + 0.5 * width) - ball_volume(D, r - 0.5 * width);
        weights[ENDS.partition_point(|end| *end < r)] += shell * (-energy(r)).exp();
        free += shell * (-energy(r)).exp_m1();
    }
    weights[ENDS.len()] = volume - ball_volume(D, ENDS[3]);
    let sum: f64 = weights.iter().sum();
    let mut all = Vec::new();
    // Relative to each other: 0.28, 0.78 and 2.2, of distances of 1 to 3.5.
    for (step, steps) in [(0.25, 2500), (0.7, 1000), (2.0, 500)] {
        let mut shares = vec![Vec::new(); weights.len()];
        let mut virials = Vec::new();
        for run in 0..32 {
            let apart = 1.1 + 2.3 * f64::from(run) / 32.0;
            let place = |x: f64| Vector::from_fn(|k| if k == 0 { x } else { 3.0 });
            let starts = [0.4, 0.4 + apart].map(place);
            let starts = [0, 1].map(|n| Seed { species: n as u16, position: starts[n] });
            let setup = Setup { seed: run as u64, ..setup::<D>(EDGE, step, &[0.25, 1.0], climbs) };
            let domain = setup.domain.clone();
            let mut engine = Brownian::new(setup, starts).unwrap();
            let mut counts = vec![0.0; weights.len()];
            (0..steps / 5).for_each(|_| engine.step(&mut NoObserver).unwrap());
            let before = engine.view().virial.unwrap();
            for _ in 0..steps {
                engine.step(&mut NoObserver).unwrap();
                let p = engine.particles();
                let apart = domain.nearest_image(p.position[1] - p.position[0]).norm();
                counts[ENDS.partition_point(|end| *end < apart)] += 1.0 / f64::from(steps);
            }
            virials.push((engine.view().virial.unwrap() - before) / f64::from(steps));
            shares.iter_mut().zip(counts).for_each(|(shares, count)| shares.push(count));
        }
        all.extend(shares.iter().zip(&weights).map(|(shares, weight)| z(shares, weight / sum)));
        all.push(z(&virials, D as f64 * (volume / free - 1.0)));
    }
    all
}

/// 54 values of Student's t with 31 degrees of freedom, of which none is beyond 4.5: by chance, one is
/// once in 200 times.
#[test]
fn pairs_are_as_far_apart_as_boltzmann_says_at_any_time_step() {
    let attracts = [climb("lennard_jones", &[1.2, 1.3], 3.2)];
    let repels = [climb("yukawa", &[2.0, 0.7], 3.0)];
    let both = [climb("morse", &[1.5, 0.3], 3.2), climb("gaussian", &[-0.7, 1.2, 0.0], 2.4)];
    let all = [pairs::<1>(&both), pairs::<2>(&repels), pairs::<3>(&attracts)].concat();
    assert!(all.iter().all(|z| z.abs() < 4.5), "{all:?}");
    let mean_square = all.iter().map(|z| z * z).sum::<f64>() / all.len() as f64;
    assert!((0.4..2.0).contains(&mean_square), "{mean_square} {all:?}");
}

/// The mean energy of three rods on a ring, with a barrier between them, against a sum over all places. Each
/// is the neighbour of both others, so their paths change many times in a long step. Three values of
/// Student's t with 31 degrees of freedom: beyond 4.5 once in 5000 times.
fn rods() -> Vec<f64> {
    const EDGE: f64 = 6.0;
    let potential = climb("gaussian", &[2.0, 0.9, 0.0], 2.9);
    let distance = |gap: f64| gap.min(EDGE - gap);
    let (mut weights, mut energies) = (0.0, 0.0);
    let n = 2000;
    for i in 0..n {
        for j in 0..n {
            let [one, other] = [i, j].map(|n| EDGE * (f64::from(n) + 0.5) / 2000.0);
            let gaps = [one, other, EDGE - one - other];
            if gaps.iter().all(|gap| *gap > CONTACT) {
                let energy: f64 = gaps.iter().map(|gap| potential.energy(distance(*gap))).sum();
                weights += (-energy).exp();
                energies += energy * (-energy).exp();
            }
        }
    }
    let all = [(0.15, 4000), (0.6, 1500), (2.0, 800)].map(|(step, steps)| {
        let means: Vec<f64> = (0..32)
            .map(|run| {
                let climbs = [potential.clone()];
                let setup = setup::<1>(EDGE, step, &[0.25, 1.0, 3.0], &climbs);
                let setup = Setup { seed: 100 + run, ..setup };
                let domain = setup.domain.clone();
                let start =
                    |n: u16| Seed { species: n, position: Vector([0.3 + 2.0 * f64::from(n)]) };
                let mut engine = Brownian::new(setup, [0, 1, 2].map(start)).unwrap();
                (0..steps / 5).for_each(|_| engine.step(&mut NoObserver).unwrap());
                let mut sum = 0.0;
                for _ in 0..steps {
                    engine.step(&mut NoObserver).unwrap();
                    let p = &engine.particles().position;
                    for [a, b] in [[0, 1], [1, 2], [0, 2]] {
                        sum += potential.energy(domain.nearest_image(p[b] - p[a]).norm());
                    }
                }
                sum / f64::from(steps)
            })
            .collect();
        z(&means, energies / weights)
    });
    all.to_vec()
}

#[test]
fn three_rods_have_the_energy_that_boltzmann_says() {
    let all = rods();
    assert!(all.iter().all(|z| z.abs() < 4.5), "{all:?}");
}

/// A fluid of discs in a small box, where flights go round it: its bits at the end, and how many bounced.
fn fluid(search: Settings, scheduler: Scheduler, step: f64) -> (u64, u64) {
    let climbs = [climb("lennard_jones", &[1.0, 1.2], 2.9), climb("yukawa", &[0.5, 0.5], 2.0)];
    let setup =
        Setup { search: search.build(), scheduler, ..setup::<2>(8.0, step, &[0.3, 1.5], &climbs) };
    let place = |n: u16| Vector([n % 5, n / 5].map(|n| 0.7 + 1.5 * f64::from(n)));
    let starts: Vec<_> = (0..25).map(|n| Seed { species: n % 2, position: place(n) }).collect();
    let mut engine = Brownian::new(setup, starts).unwrap();
    (0..40).for_each(|_| engine.step(&mut NoObserver).unwrap());
    let tally = engine.tally();
    assert_eq!(tally.late, 0);
    (state_hash(engine.particles(), engine.clusters()), tally.edges)
}

#[test]
fn bounces_are_the_same_to_the_bit_with_every_search_structure() {
    for step in [0.1, 0.5, 2.0] {
        let by = |kind: Kind| Settings { kind, ..Settings::default() };
        let reference = fluid(by(Kind::ALL[0]), Scheduler::Queue, step);
        assert!(reference.1 > 100, "{reference:?}");
        for kind in Kind::ALL {
            assert_eq!(fluid(by(kind), Scheduler::Queue, step), reference, "{kind:?} {step}");
        }
        assert_eq!(fluid(by(Kind::ALL[0]), Scheduler::Rescan, step), reference, "{step}");
        assert_eq!(fluid(Settings::lists(), Scheduler::Islands, step), reference, "{step}");
    }
}

/// A fluid of so many rows of as many discs, with a potential in many shells: the same bits by the queue, and in
/// islands, of which few particles are one.
#[test]
fn shells_are_the_same_to_the_bit_in_one_island_and_in_many() {
    let form = FORMS.iter().find(|form| form.name == "lennard_jones").unwrap();
    let form = EnergyShape::Form(form, vec![Some(1.5), Some(1.1)]).from_contact(CONTACT);
    let run = |rows: u16, step: f64, kind: Kind, scheduler| {
        let edge = 1.5 * f64::from(rows);
        let setup = setup::<2>(edge, step, &[0.3, 1.5], &[]);
        let shells = StepPotential::of_form(&form, CONTACT, 2.5, 24, 2);
        let pairs = [[0, 0], [0, 1], [1, 1]].map(|pair| (pair, &shells));
        let potentials = Potentials::new(&[Some(0.5 * CONTACT); 2], pairs);
        let search = Settings { kind, ..Settings::default() }.build();
        let place = |n: u16| Vector([n % rows, n / rows].map(|n| 0.7 + 1.5 * f64::from(n)));
        let starts = (0..rows * rows).map(|n| Seed { species: n % 2, position: place(n) });
        let starts: Vec<_> = starts.collect();
        let mut engine =
            Brownian::new(Setup { search, scheduler, potentials, ..setup }, starts).unwrap();
        (0..6).for_each(|_| engine.step(&mut NoObserver).unwrap());
        let tally = engine.tally();
        assert_eq!(tally.late, 0);
        (state_hash(engine.particles(), engine.clusters()), tally.edges, tally.virial)
    };
    for (rows, steps) in [(6, vec![0.05, 0.3, 1.0]), (34, vec![0.05, 0.2])] {
        for step in steps {
            let reference = run(rows, step, Kind::ALL[0], Scheduler::Queue);
            assert!(reference.1 > 100, "{reference:?}");
            let kinds = if rows > 6 { &Kind::ALL[Kind::ALL.len() - 1..] } else { &Kind::ALL[..] };
            for &kind in kinds {
                let islands = run(rows, step, kind, Scheduler::Islands);
                assert_eq!(islands, reference, "{kind:?} {rows} {step}");
            }
        }
    }
}

/// A disc beside a rigid dimer whose parts both attract it: the share of time in which it is near both,
/// and near one of them, against a sum over all places. The dimer turns, and bounces with its own mass. Four
/// values of Student's t with 31 degrees of freedom: beyond 4.5 once in 4000 times.
#[test]
fn a_rigid_dimer_bounces_as_a_whole() {
    const EDGE: f64 = 6.0;
    const NEAR: f64 = 1.6;
    let potential = climb("morse", &[1.5, 0.4], 2.6);
    let mut weights = [0.0; 3];
    let n = 1200;
    for i in 0..n {
        for j in 0..n {
            let [x, y] = [i, j].map(|n| EDGE * ((f64::from(n) + 0.5) / 1200.0 - 0.5));
            let apart = [x - 0.5 * CONTACT, x + 0.5 * CONTACT].map(|x| x.hypot(y));
            if apart.iter().all(|r| *r > CONTACT) {
                let near = apart.iter().filter(|r| **r < NEAR).count();
                weights[near] += (-apart.map(|r| potential.energy(r)).iter().sum::<f64>()).exp();
            }
        }
    }
    let sum: f64 = weights.iter().sum();
    let mut all = Vec::new();
    for (step, steps) in [(0.3, 1500), (1.0, 600)] {
        let mut shares = [Vec::new(), Vec::new(), Vec::new()];
        for run in 0..32 {
            let climbs = [potential.clone()];
            let setup = setup::<2>(EDGE, step, &[1.0, 1.0], &climbs);
            let contact = vec![ContactRule::bond("bond", [0, 0], Chance::Probability(1.0))];
            let rules = RuleSet { contact, ..RuleSet::default() };
            let setup = Setup { seed: 200 + run, rules, ..setup };
            let domain = setup.domain.clone();
            let starts = [[1.0, 1.0], [2.0, 1.0], [3.5, 3.0]];
            let start = |n: usize| Seed { species: n as u16 / 2, position: Vector(starts[n]) };
            let bonds = [Bond::new([0, 1], 0)];
            let mut engine = Brownian::bonded(setup, [0, 1, 2].map(start), &bonds).unwrap();
            (0..steps / 5).for_each(|_| engine.step(&mut NoObserver).unwrap());
            let mut counts = [0.0; 3];
            for _ in 0..steps {
                engine.step(&mut NoObserver).unwrap();
                let p = engine.particles();
                let place = |id: u64| p.position[p.id.iter().position(|x| *x == id).unwrap()];
                let apart = |id| domain.nearest_image(place(2) - place(id)).norm();
                counts[[0, 1].into_iter().filter(|id| apart(*id) < NEAR).count()] += 1.0;
            }
            let share =
                |(shares, count): (&mut Vec<f64>, f64)| shares.push(count / f64::from(steps));
            shares.iter_mut().zip(counts).for_each(share);
        }
        all.extend([1, 2].map(|near| z(&shares[near], weights[near] / sum)));
    }
    assert!(all.iter().all(|z| z.abs() < 4.5), "{all:?}");
}
