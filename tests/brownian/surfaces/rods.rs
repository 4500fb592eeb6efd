//! Particles that are confined to cylinders, with round ends or without ends.

use jostle::brownian::Brownian;
use jostle::environment::{Manner, Shape};
use jostle::narrow::{Ends, Rod};
use jostle::observe::NoObserver;
use jostle::rules::{Chance, ContactRule, RuleSet, TimedRule};
use jostle::space::{Domain, Vector};
use jostle::species::{Drift, Species};

use super::worlds::{Counter, anchor, kolmogorov, setup, species, start, strangers};
use crate::kinetics::samples;

const MIDDLE: Vector<3> = Vector([30.0; 3]);
const PI: f64 = std::f64::consts::PI;
const RADIUS: f64 = 10.0;
/// Of the straight part.
const HALF: f64 = 12.0;

fn rod(ends: Ends) -> Rod {
    let half = if ends == Ends::Open { f64::INFINITY } else { HALF };
    Rod { axis: 2, half, radius: RADIUS, ends }
}

fn box_3d() -> Domain<3> {
    Domain::new([60.0; 3], [true; 3])
}

/// Particles of one species that pass through each other on a rod.
fn walkers(ends: Ends, step: f64, places: &[Vector<3>], seed: u64) -> Brownian<3> {
    let shape = Shape::Rod { centre: MIDDLE, rod: rod(ends) };
    let environment = anchor(shape, &[Manner::Ignore], &[Some(2.0)]);
    let kinds = vec![species("A", 2.0, 1.0)];
    let setup = setup(box_3d(), environment, kinds, strangers(1), 0.5 * step * step, seed);
    let particles: Vec<_> = places.iter().map(|&place| (0, place)).collect();
    start(setup, &particles)
}

/// A low-discrepancy sequence of places on the rod.
fn spread(ends: Ends, count: usize) -> Vec<Vector<3>> {
    let place = |n: usize| {
        let numbers = [(n as f64 + 0.5) / count as f64, (0.618_034 * n as f64).fract()];
        box_3d().wrap(MIDDLE + rod(ends).place(60.0, numbers)).0
    };
    (0..count).map(place).collect()
}

/// How far along the axis places are, and how far round it, from 0 to 1. On round ends as on the straight part, slices
/// of the same thickness have the same area (Archimedes).
fn shares(engine: &Brownian<3>) -> [Vec<f64>; 2] {
    let places = engine.particles().position.iter().map(|&place| place - MIDDLE);
    let along = |x: Vector<3>| (x[2] + HALF + RADIUS) / (2.0 * (HALF + RADIUS));
    let around = |x: Vector<3>| 0.5 + libm::atan2(x[1], x[0]) / (2.0 * PI);
    places.map(|x| (along(x), around(x))).unzip().into()
}

/// At steps of a tenth of the radius, of the radius and of three radii. 3000 particles, at 40 times that are far apart
/// for long steps, and 20 000 that began uniform for short ones; what chance exceeds once in 10^6.
#[test]
fn a_rod_is_covered_evenly_at_any_step() {
    let tip = MIDDLE + Vector([0.0, 0.0, HALF + RADIUS]);
    for (step, pause) in [(RADIUS, 12), (3.0 * RADIUS, 4)] {
        let mut engine = walkers(Ends::Round, step, &vec![tip; samples(3000)], 3);
        let mut all = [Vec::new(), Vec::new()];
        for n in 1..=41 * pause {
            engine.step(&mut NoObserver).unwrap();
            if n > pause && n % pause == 0 {
                all.iter_mut().zip(shares(&engine)).for_each(|(all, one)| all.extend(one));
            }
        }
        let [along, around] = all.map(kolmogorov);
        println!("step {step}: {along:.3} along, {around:.3} around");
        assert!(along < 2.7 && around < 2.7, "step {step}: {along} {around}");
    }
    let mut engine = walkers(Ends::Round, 0.1 * RADIUS, &spread(Ends::Round, samples(20_000)), 4);
    for _ in 0..150 {
        engine.step(&mut NoObserver).unwrap();
    }
    for place in &engine.particles().position {
        assert!(rod(Ends::Round).distance(*place - MIDDLE).0.abs() < 1e-11);
    }
    let [along, around] = shares(&engine).map(kolmogorov);
    println!("short steps: {along:.3} along, {around:.3} around");
    assert!(along < 2.7 && around < 2.7, "{along} {around}");
}

/// The mean square along the axis is 2 D t, and the mean cosine of the angle gone round exp(-D t/R²), at any step. 20 000
/// particles, five standard errors, 24 numbers (10^-5 in all).
#[test]
fn diffusion_along_a_tube_and_around_it_is_that_of_its_laws() {
    let from = MIDDLE + Vector([0.6 * RADIUS, 0.8 * RADIUS, 0.0]);
    let count = samples(20_000);
    for (step, seed) in [(2.0, 1), (8.0, 2), (25.0, 3)] {
        let mut engine = walkers(Ends::Open, step, &vec![from; count], seed);
        for n in 1..=4 {
            engine.step(&mut NoObserver).unwrap();
            let time = 0.5 * step * step * f64::from(n);
            let p = engine.particles();
            let gone = |i: usize| {
                p.position[i] + Vector([0.0, 0.0, 60.0 * f64::from(p.image[i][2])]) - from
            };
            let along = (0..count).map(|i| gone(i)[2].powi(2)).collect();
            let cosine = |x: Vector<3>| (x[0] * 0.6 + x[1] * 0.8) / RADIUS;
            let around = p.position.iter().map(|&x| cosine(x - MIDDLE)).collect();
            agrees(&format!("step {step}: along"), along, 2.0 * time);
            agrees(&format!("step {step}: around"), around, (-time / (RADIUS * RADIUS)).exp());
        }
    }
}

/// Cargo on an axon: a drift along a tube adds to the way along it, and leaves all else as it is. 20 000 particles, five
/// standard errors (2 10^-6 in all).
#[test]
fn a_drift_along_a_tube_adds_to_diffusion() {
    let shape = Shape::Rod { centre: MIDDLE, rod: rod(Ends::Open) };
    let environment = anchor(shape, &[Manner::Ignore], &[Some(2.0)]);
    let (count, timestep, velocity) = (samples(20_000), 2.0, 1.5);
    let drift = Drift::Constant([0.0, 0.0, velocity]);
    let kinds = vec![Species { drift, ..species("A", 2.0, 1.0) }];
    let from = MIDDLE + Vector([RADIUS, 0.0, 0.0]);
    let setup = setup(box_3d(), environment, kinds, strangers(1), timestep, 6);
    let mut engine = start(setup, &vec![(0, from); count]);
    (0..5).for_each(|_| engine.step(&mut NoObserver).unwrap());
    let (p, time) = (engine.particles(), 5.0 * timestep);
    let gone = |i: usize| p.position[i][2] + 60.0 * f64::from(p.image[i][2]) - from[2];
    let all = || (0..count).map(gone);
    agrees("mean along", all().collect(), velocity * time);
    agrees("square along", all().map(|z| (z - velocity * time).powi(2)).collect(), 2.0 * time);
    let cosine = |x: &Vector<3>| (*x - MIDDLE)[0] / RADIUS;
    let around = p.position.iter().map(cosine).collect();
    agrees("around", around, (-time / (RADIUS * RADIUS)).exp());
}

/// That the mean of independent values is what it should be, within five standard errors.
fn agrees(what: &str, values: Vec<f64>, law: f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
    let z = (mean - law) / (spread / count).sqrt();
    println!("{what}: {mean:.5} for {law:.5}, z {z:.2}");
    assert!(z.abs() < 5.0, "{what}: {mean} for {law}, z {z}");
}

/// 30 A and 30 B on a tube, which pass through their own kind: so many pairs are bound as mass action for so few
/// says, n of them with a weight of N!²/((N-n)!² n!) (K/area)^n, less the area that each B takes from each A. 40 blocks,
/// five standard errors, which are about 0.15 pairs (by day 0.2).
#[test]
fn two_that_bind_on_a_tube_have_the_constant_of_a_plane() {
    let shape = Shape::Rod { centre: MIDDLE, rod: rod(Ends::Open) };
    let (count, k_a, k_d, size) = (30_usize, 20.0, 0.6, 0.5);
    let area = 2.0 * PI * RADIUS * 60.0;
    for (timestep, steps) in [(0.03, 24_000), (0.1, 16_000)] {
        let environment = anchor(shape.clone(), &[Manner::Ignore; 3], &[Some(size); 3]);
        let kinds = vec![species("A", size, 1.0), species("B", size, 1.0), species("C", size, 0.5)];
        let strangers = strangers(3);
        let mut contact = vec![ContactRule::coalesce("bind", [0, 1], 2, Chance::Intrinsic(k_a))];
        contact.extend(strangers.contact.into_iter().filter(|rule| {
            let mut pairs = rule.cases.iter().map(|case| case.species);
            !pairs.any(|pair| pair == [0, 1])
        }));
        let timed = vec![TimedRule::unbind("part", 0, k_d)];
        let rules = RuleSet { contact, timed, ..RuleSet::default() };
        let places = spread(Ends::Open, 2 * count);
        let particles: Vec<_> =
            places.into_iter().enumerate().map(|(n, x)| ((n % 2) as u16, x)).collect();
        let mut engine =
            start(setup(box_3d(), environment, kinds, rules, timestep, 11), &particles);
        let mut blocks = [0.0; 40];
        let steps = samples(steps);
        (0..steps / 10).for_each(|_| engine.step(&mut NoObserver).unwrap());
        for block in &mut blocks {
            for _ in 0..steps / 40 {
                engine.step(&mut NoObserver).unwrap();
                let p = engine.particles();
                let bound = (0..p.len()).filter(|&i| p.alive[i] && p.species[i] == 2).count();
                *block += bound as f64 / (steps / 40) as f64;
            }
        }
        let taken = PI * (2.0 * size) * (2.0 * size) / area;
        let weight = |n: usize| {
            let ways: f64 = (0..n).map(|k| ((count - k) as f64).powi(2) / (k + 1) as f64).product();
            let free = (count - n) as f64;
            ways * (k_a / k_d / area).powi(n as i32) * (-taken * free * free).exp()
        };
        let all: f64 = (0..=count).map(weight).sum();
        let law = (0..=count).map(|n| n as f64 * weight(n)).sum::<f64>() / all;
        let mean = blocks.iter().sum::<f64>() / 40.0;
        let spread = blocks.iter().map(|b| (b - mean).powi(2)).sum::<f64>() / 39.0;
        let error = (spread / 40.0).sqrt();
        let z = (mean - law) / error;
        println!("{timestep}: {mean:.3} +- {error:.3} pairs for {law:.3}, z {z:.2}");
        assert!(z.abs() < 5.0 && error < 0.35, "{timestep}: {mean} +- {error} for {law}");
    }
}

/// Hard particles on a rod, a quarter of it covered, a plane across it that half of them bounce off, and balls inside
/// and outside that bump into them: no particle ever overlaps, those confined stay on the rod and on their side.
#[test]
fn a_crowded_rod_holds_its_particles_and_no_particle_overlaps() {
    use jostle::environment::{AnchorSurface, Confinement, Environment, Surface};
    let shape = Shape::Rod { centre: MIDDLE, rod: rod(Ends::Round) };
    let fence = Shape::Plane { axis: 2, at: 37.0 };
    let lives =
        || Confinement { surface: 0, shape: AnchorSurface::on(&shape, 1.0).unwrap(), faces: None };
    let named = |name: &str, shape| Surface { name: name.into(), shape };
    let environment = Environment::new(
        vec![named("home", shape.clone()), named("fence", fence)],
        vec![
            vec![Manner::Ignore, Manner::Reflect],
            vec![Manner::Ignore, Manner::permeable(0.2)],
            vec![Manner::Reflect, Manner::Ignore],
        ],
        vec![Some(lives()), Some(lives()), None],
    );
    let kinds =
        vec![species("fenced", 1.0, 0.5), species("leaky", 1.0, 1.0), species("ball", 0.5, 1.0)];
    let mut particles: Vec<(u16, Vector<3>)> = Vec::new();
    let golden = 0.381_966;
    for n in 0..220_u16 {
        let numbers = [(f64::from(n) + 0.5) / 220.0, (golden * f64::from(n)).fract()];
        let place = MIDDLE + rod(Ends::Round).place(60.0, numbers);
        if (place[2] - 37.0).abs() > 1.1 {
            particles.push((n % 2, place));
        }
    }
    for n in 0..343 {
        let x = Vector([n % 7, n / 7 % 7, n / 49].map(|c| 30.0 + 3.5 * (f64::from(c) - 3.0)));
        if rod(Ends::Round).distance(x - MIDDLE).0.abs() > 1.7 {
            particles.push((2, x));
        }
    }
    let domain = box_3d();
    let setup = setup(domain.clone(), environment, kinds, RuleSet::default(), 0.04, 9);
    let mut engine = start(setup, &particles);
    let sides: Vec<(f64, f64)> = (0..engine.particles().len())
        .map(|i| {
            let place = engine.particles().position[i];
            (place[2] - 37.0, rod(Ends::Round).distance(place - MIDDLE).0)
        })
        .collect();
    let mut counter = Counter::default();
    for step in 0..300 {
        engine.step(&mut counter).unwrap();
        let p = engine.particles();
        for i in 0..p.len() {
            let (before, was_out) = sides[p.id[i] as usize];
            let beyond = p.position[i][2] - 37.0;
            let out = rod(Ends::Round).distance(domain.nearest_image(p.position[i] - MIDDLE)).0;
            if p.species[i] == 2 {
                assert!(out * was_out.signum() > 0.5 - 1e-11, "{out} from the rod");
            } else {
                assert!(out.abs() < 1e-11, "{out} off the rod");
            }
            assert!(p.species[i] != 0 || beyond * before.signum() > 1.0 - 1e-11, "{beyond}");
            // Now and then: an overlap would last.
            for j in (0..i).filter(|_| step % 10 == 9) {
                let apart = domain.nearest_image(p.position[j] - p.position[i]).norm();
                assert!(
                    apart > p.radius[i] + p.radius[j] - 1e-11,
                    "{i} and {j} overlap at {apart}"
                );
            }
        }
    }
    let tally = engine.tally();
    assert!(tally.contacts > 3000 && counter.bounced > 300 && counter.passed > 5, "{tally:?}");
    assert_eq!(tally.late, 0);
}
