//! Fields: the equilibrium of particles beside surfaces at any time step, and the same bits with every
//! search structure.

use super::super::{Brownian, Scheduler, Seed, Setup};
use super::*;
use jostle_core::clusters::Bond;
use jostle_core::environment::{Environment, Shape};
use jostle_core::observe::NoObserver;
use jostle_core::potentials::{Climb, EnergyShape, FORMS};
use jostle_core::rules::{Chance, ContactRule, RuleSet};
use jostle_core::search::{Kind, Settings};
use jostle_core::space::Domain;
use jostle_core::species::{MobilityLaw, Species};
use jostle_core::state_hash::state_hash;

/// The edge of the box.
const EDGE: f64 = 10.0;

/// Runs that are compared with each other.
const RUNS: u64 = 32;

fn climb(name: &str, given: &[f64], radius: f64, cutoff: f64) -> Climb {
    let form = FORMS.iter().find(|form| form.name == name).unwrap();
    let given = given.iter().copied().map(Some).collect();
    Climb::new(EnergyShape::Form(form, given).from_contact(radius), radius, cutoff)
}

/// Particles of this radius with one field for all of them.
fn setup<const D: usize>(
    (radius, step): (f64, f64),
    periodic: bool,
    shape: &Shape<D>,
    climb: &Climb,
) -> Setup<D> {
    let species = ["A", "B"].map(|name| Species::sphere(name, radius, 1.0));
    let climbs = vec![Some(climb.clone()); species.len()];
    Setup {
        environment: Environment::none()
            .with_fields(vec![SurfaceField { shape: shape.clone(), climbs }]),
        mobility: MobilityLaw::Rouse,
        search: Settings::lists().build(),
        ..Setup::new(Domain::new([EDGE; D], [periodic; D]), 0.5 * step * step, species.to_vec())
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

/// z of the shares of time that small particles are at some distances from a surface, at steps from short
/// ones up to a third of the box, against a sum over all places.
fn shares<const D: usize>(
    periodic: bool,
    shape: &Shape<D>,
    climb: &Climb,
    ends: &[f64],
) -> Vec<f64> {
    const RADIUS: f64 = 1e-3;
    const COUNT: u16 = 12;
    const PARTS: usize = 200;
    let domain = Domain::new([EDGE; D], [periodic; D]);
    let mut weights = vec![0.0; ends.len() + 1];
    let bin = |place| ends.partition_point(|end| *end < shape.distance(&domain, place));
    for n in 0..PARTS.pow(D as u32) {
        let place = Vector::from_fn(|k| {
            EDGE * ((n / PARTS.pow(k as u32) % PARTS) as f64 + 0.5) / PARTS as f64
        });
        weights[bin(place)] += (-climb.energy(shape.distance(&domain, place))).exp();
    }
    let sum: f64 = weights.iter().sum();
    let mut all = Vec::new();
    for (step, steps) in [(0.3, 700), (1.0, 250), (3.0, 120)] {
        let mut shares = vec![Vec::new(); weights.len()];
        for run in 0..RUNS {
            let setup = setup((RADIUS, step), periodic, shape, climb);
            let place =
                |n: u16| Vector::from_fn(|k| 0.5 + f64::from((n + 5 * k as u16) % 12) * 0.8);
            let starts = (0..COUNT).map(|n| Seed { species: n % 2, position: place(n) });
            let mut engine =
                Brownian::new(Setup { seed: run, ..setup }, starts.collect::<Vec<_>>()).unwrap();
            (0..steps / 3).for_each(|_| engine.step(&mut NoObserver).unwrap());
            let mut counts = vec![0.0; weights.len()];
            for _ in 0..steps {
                engine.step(&mut NoObserver).unwrap();
                for place in &engine.particles().position {
                    counts[bin(*place)] += 1.0 / f64::from(steps * i32::from(COUNT));
                }
            }
            shares.iter_mut().zip(counts).for_each(|(shares, count)| shares.push(count));
        }
        all.extend(shares.iter().zip(&weights).map(|(shares, weight)| z(shares, weight / sum)));
    }
    all
}

fn plane<const D: usize>(at: f64) -> Shape<D> {
    Shape::Plane { axis: D - 1, at }
}

/// 45 values of Student's t with 31 degrees of freedom, of which none is beyond 4.5: by chance, one is
/// once in 250 times.
#[test]
fn particles_are_where_boltzmann_says_at_any_time_step() {
    let ball = |radius| Shape::Ball { centre: Vector([5.0; 2]), radius };
    let weight = climb("linear", &[2.0], 1e-3, 20.0);
    let membrane = climb("morse", &[1.5, 0.5, 1.0], 1e-3, 3.0);
    let rim = climb("gaussian", &[-1.2, 0.6, 0.3], 1e-3, 1.5);
    let trap = climb("harmonic", &[3.0, 0.0], 1e-3, 4.9);
    let all = [
        shares::<1>(false, &plane(0.0), &weight, &[0.7, 2.0, 4.0]),
        shares::<3>(true, &plane(4.0), &membrane, &[0.6, 1.2, 2.9]),
        shares::<2>(true, &ball(2.5), &rim, &[0.5, 1.4]),
        shares::<2>(true, &ball(0.0), &trap, &[1.0, 2.0, 4.8]),
    ]
    .concat();
    assert!(all.iter().all(|z| z.abs() < 4.5), "{all:?}");
    let mean_square = all.iter().map(|z| z * z).sum::<f64>() / all.len() as f64;
    assert!((0.4..2.0).contains(&mean_square), "{mean_square} {all:?}");
}

/// A rigid dimer above a floor, one half of it weighing on it: how high it is, and how it stands, against a sum
/// over all places and directions. It bounces as a whole, and turns. Four values of Student's t with 31 degrees
/// of freedom: beyond 4.5 once in 3000 times.
#[test]
fn a_rigid_dimer_in_a_field_moves_as_a_whole() {
    const RADIUS: f64 = 0.5;
    let weight = climb("linear", &[0.4], RADIUS, 20.0);
    let (mut sum, mut height, mut upright) = (0.0, 0.0, 0.0);
    let n = 1000;
    for i in 0..n {
        for j in 0..n {
            let [share, turn] = [i, j].map(|n| (f64::from(n) + 0.5) / 1000.0);
            let (y, up) = (EDGE * share, RADIUS * (std::f64::consts::TAU * turn).sin());
            // The walls keep both halves in.
            if y - up.abs() > RADIUS && y + up.abs() < EDGE - RADIUS {
                let boltzmann = (-weight.energy(y - up)).exp();
                sum += boltzmann;
                height += boltzmann * y;
                upright += boltzmann * f64::from(u8::from(up > 0.0));
            }
        }
    }
    let mut all = Vec::new();
    for (step, steps) in [(0.3, 1500), (1.2, 500)] {
        let mut found = [Vec::new(), Vec::new()];
        for run in 0..RUNS {
            let mut setup = setup((RADIUS, step), false, &plane(0.0), &weight);
            let fields = setup.environment.fields().to_vec();
            let climbs = vec![fields[0].climbs[0].clone(), None];
            let fields = vec![SurfaceField { climbs, ..fields[0].clone() }];
            setup.environment = Environment::none().with_fields(fields);
            let contact = vec![ContactRule::bond("bond", [0, 1], Chance::Probability(1.0))];
            let rules = RuleSet { contact, ..RuleSet::default() };
            let starts = [[5.0, 2.0], [6.0, 2.0]];
            let start = |n: usize| Seed { species: n as u16, position: Vector(starts[n]) };
            let setup = Setup { seed: 90 + run, rules, ..setup };
            let bonds = [Bond::new([0, 1], 0)];
            let mut engine = Brownian::bonded(setup, [0, 1].map(start), &bonds).unwrap();
            (0..steps / 5).for_each(|_| engine.step(&mut NoObserver).unwrap());
            let mut means = [0.0; 2];
            for _ in 0..steps {
                engine.step(&mut NoObserver).unwrap();
                let p = engine.particles();
                let y = |id| p.position[p.id.iter().position(|x| *x == id).unwrap()][1];
                means[0] += 0.5 * (y(0) + y(1)) / f64::from(steps);
                means[1] += f64::from(u8::from(y(1) > y(0))) / f64::from(steps);
            }
            found.iter_mut().zip(means).for_each(|(found, mean)| found.push(mean));
        }
        all.extend([z(&found[0], height / sum), z(&found[1], upright / sum)]);
    }
    assert!(all.iter().all(|z| z.abs() < 4.5), "{all:?}");
}

#[test]
fn fields_are_the_same_to_the_bit_with_every_search_structure() {
    let rim = climb("gaussian", &[-2.0, 0.6, 0.8], 0.3, 2.0);
    let ball = Shape::Ball { centre: Vector([5.0; 2]), radius: 2.5 };
    let run = |kind: Kind, scheduler, step: f64| {
        let search = Settings { kind, ..Settings::default() }.build();
        let setup = Setup { search, scheduler, ..setup((0.3, step), true, &ball, &rim) };
        let place = |n: u16| Vector([n % 8, n / 8].map(|n| 0.5 + 1.2 * f64::from(n)));
        let starts = (0..64).map(|n| Seed { species: n % 2, position: place(n) });
        let mut engine = Brownian::new(setup, starts.collect::<Vec<_>>()).unwrap();
        (0..8).for_each(|_| engine.step(&mut NoObserver).unwrap());
        assert_eq!(engine.tally().late, 0);
        (state_hash(engine.particles(), engine.clusters()), engine.tally().contacts)
    };
    for step in [0.1, 0.5, 2.0] {
        let reference = run(Kind::ALL[0], Scheduler::Queue, step);
        for kind in Kind::ALL {
            assert_eq!(run(kind, Scheduler::Queue, step), reference, "{kind:?} {step}");
        }
        assert_eq!(run(Kind::ALL[0], Scheduler::Rescan, step), reference, "{step}");
        assert_eq!(run(Settings::lists().kind, Scheduler::Islands, step), reference, "{step}");
    }
}
