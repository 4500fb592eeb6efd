//! Particles that become tethered to each other: the equilibrium constant is k_a/k_d at any time step, for
//! a lone pair and in a crowd.

use std::f64::consts::PI;

use super::super::statistics::ratio_of_blocks;
use super::super::world::{World, lattice};
use super::super::{CheckError, Context, Finding, Findings, Picture};
use super::ledger::{Ledger, blocks};
use jostle_brownian::Seed;
use jostle_core::clusters::Bond;
use jostle_core::observe::NoObserver;
use jostle_core::random::{Purpose, Random};
use jostle_core::rules::{Case, ContactRule, RuleSet, TimedRule};
use jostle_core::search::Kind;
use jostle_core::space::{Vector, ball_volume};

/// The time tethered over the time free.
const SHARE: f64 = 0.25;
/// Of the box; the contact distance is 1.
const EDGE: f64 = 3.6;
/// Of the tethers.
const LENGTH: f64 = 1.7;

pub(super) fn equilibrium(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let axes = ["rms step over contact distance", "K over k_a/k_d"];
    let mut picture =
        Picture::new("Equilibrium of particles that become tethered", axes[0], axes[1]);
    picture = picture.log(true, false).theory("1", vec![[0.1, 1.0], [1.0, 1.0]]);
    let steps = [0.1, 0.3, 1.0].into_iter().enumerate();
    let mut curves: [Vec<(f64, Finding)>; 3] = Default::default();
    for (m, s) in steps {
        let key = 10 * m as u64;
        curves[0].push((s, pair::<2>(context, s, key)?));
        curves[1].push((s, pair::<3>(context, s, key + 1)?));
        curves[2].push((s, crowd(context, s, key + 2)?));
    }
    for (m, s) in [0.2, 1.0].into_iter().enumerate() {
        findings.add(scaffold(context, s, 100 + m as u64)?);
    }
    let kinds = [("2D", SHARE), ("3D", SHARE), ("3D, in a crowd of 20 %", NEAR)];
    for ((name, expected), curve) in kinds.into_iter().zip(curves) {
        let points = curve.iter().map(|(s, found)| [*s, found.measured / expected]).collect();
        let errors = curve.iter().map(|(_, found)| found.error / expected).collect();
        picture = picture.measured(name, points, errors);
        curve.into_iter().for_each(|(_, found)| findings.add(found));
    }
    findings.show(picture);
    Ok(findings)
}

/// Tethers between species 0 and 1 that form at `k_a` and break at `k_d`, one for each particle.
fn rules(k_a: f64, k_d: f64) -> RuleSet {
    let mut link = ContactRule::tether("link", [0, 1], LENGTH, k_a);
    link.conditions.iter_mut().for_each(|condition| condition.valence = Some(1));
    RuleSet {
        contact: vec![link],
        timed: vec![TimedRule::unbind("unlink", 0, k_d)],
        ..RuleSet::default()
    }
}

/// One A and one B: the time tethered over the time free.
fn pair<const D: usize>(context: &Context, s: f64, key: u64) -> Result<Finding, CheckError> {
    let k_a = 0.8 * PI;
    let room = EDGE.powi(D as i32) - ball_volume(D, 1.0);
    let mut world = World::<D>::periodic(EDGE)
        .timestep(0.5 * s * s)
        .seed(context.seed(key))
        .search(Kind::Naive);
    world = world.species(0.4, 0.3).species(0.6, 0.7).rules(rules(k_a, k_a / (SHARE * room)));
    let places = [Vector::ZERO, Vector::from_fn(|_| EDGE / 2.0)];
    let mut engine =
        world.with(&[0, 1].map(|n| Seed { species: n as u16, position: places[n] }))?;
    let mut ledger = Ledger::default();
    let cycles = context.either(1000, 30_000);
    while engine.tally().unbound <= cycles {
        engine.step(&mut ledger)?;
    }
    let name = format!("{D}D, s = {s} R: time tethered over time free");
    Ok(ratio_of_blocks(&name, &blocks(&ledger.cycles(), cycles as usize / 50), SHARE))
}

/// A and B on tethers to one scaffold, which become tethered to each other at a shorter range: the time as a
/// ring over the time open is k_a/k_d times the density of B at A (the J factor), which is sampled directly.
fn scaffold(context: &Context, s: f64, key: u64) -> Result<Finding, CheckError> {
    const ARM: f64 = 2.2;
    const RING: f64 = 1.3;
    let random = Random::new(context.seed(key + 50));
    let on_arm = |case: u64, which: u64| {
        let draws = (0..).map(|n| {
            Vector::<3>::from_fn(|k| {
                ARM * (2.0 * random.uniform(Purpose::Placement, [case, which, n, k as u64]) - 1.0)
            })
        });
        let fits = |place: &Vector<3>| (1.0..=ARM).contains(&place.norm());
        draws.into_iter().find(fits).unwrap_or(Vector::ZERO)
    };
    let samples = context.either(40_000, 400_000);
    let apart = (0..samples as u64).map(|case| (on_arm(case, 0) - on_arm(case, 1)).norm());
    let apart: Vec<f64> = apart.filter(|distance| *distance >= 1.0).collect();
    let near = apart.iter().filter(|distance| **distance <= RING).count() as f64;
    let share = near / apart.len() as f64;
    let k_a = 3.0;
    let k_d = k_a * share / (ball_volume(3, RING) - ball_volume(3, 1.0));
    let mut world =
        World::<3>::periodic(8.0).timestep(0.5 * s * s).seed(context.seed(key)).search(Kind::Naive);
    world = world.species(0.5, 0.2).species(0.5, 0.4).species(0.5, 0.6);
    let arms = [0, 1, 2].map(|species| [0.0, 1.5, -1.5][species]);
    let seeds =
        [0, 1, 2].map(|n| Seed { species: n as u16, position: Vector([4.0 + arms[n], 4.0, 4.0]) });
    let mut arm = ContactRule::tether("arm", [0, 1], ARM, 0.0);
    arm.cases.push(Case::new([0, 2], &[]));
    let ring = ContactRule::tether("ring", [1, 2], RING, k_a);
    world = world.rules(RuleSet {
        contact: vec![arm, ring],
        timed: vec![TimedRule::unbind("open", 1, k_d)],
        ..RuleSet::default()
    });
    let mut engine = world.bonded(&seeds, &[Bond::new([0, 1], 0), Bond::new([0, 2], 0)])?;
    let mut ledger = Ledger::default();
    let cycles = context.either(1000, 20_000);
    while engine.tally().unbound <= cycles {
        engine.step(&mut ledger)?;
    }
    let name =
        format!("two on a scaffold, s = {s} R: time as a ring over time open, over k_a J/k_d");
    let finding = ratio_of_blocks(&name, &blocks(&ledger.cycles(), cycles as usize / 50), 1.0);
    Ok(finding.beside_measured(((1.0 - share) / near).sqrt()))
}

/// In a crowd: tethered pairs over free pairs that are as near each other.
const NEAR: f64 = 1.5;

/// As many A as B among inert spheres, at 20 %. Whatever the crowd does to how often two are near each
/// other, the ratio is that of the rates at which pairs that are near become tethered and come apart.
fn crowd(context: &Context, s: f64, key: u64) -> Result<Finding, CheckError> {
    const COUNT: usize = 125;
    let edge = libm::cbrt(PI / 6.0 * COUNT as f64 / 0.2);
    let k_a = 10.0;
    let shell = ball_volume(3, LENGTH) - ball_volume(3, 1.0);
    let k_d = k_a / (shell * NEAR);
    let mut world = World::<3>::periodic(edge).timestep(0.5 * s * s).seed(context.seed(key));
    world = world.species(0.5, 0.5).species(0.5, 0.5).species(0.5, 0.5).rules(rules(k_a, k_d));
    let places = lattice(edge, COUNT).into_iter().enumerate();
    let seeds: Vec<Seed<3>> =
        places.map(|(n, position)| Seed { species: [0, 1, 2, 2][n % 4], position }).collect();
    let mut engine = world.with(&seeds)?;
    // Long enough apart to be nearly independent: both rates together are (1 + NEAR) k_d.
    let apart = (2.0 / (k_d * (1.0 + NEAR)) / world.timestep).ceil().max(1.0) as u64;
    let mut rows = Vec::new();
    let samples = context.either(100, 3_000);
    for sample in 0..samples + 10 {
        for _ in 0..apart {
            engine.step(&mut NoObserver)?;
        }
        if sample < 10 {
            continue;
        }
        let (p, clusters) = (engine.particles(), engine.clusters());
        let is_free = |slot: usize| clusters.unit_of(p, slot as u32).is_none();
        let of = |species: u16| {
            (0..p.len()).filter(move |&slot| p.species[slot] == species && is_free(slot))
        };
        let near = |a: usize, b: usize| {
            let way = engine.view().domain.nearest_image(p.position[b] - p.position[a]);
            way.norm_squared() <= LENGTH * LENGTH
        };
        let pairs = of(0).map(|a| of(1).filter(|&b| near(a, b)).count()).sum::<usize>();
        rows.push([clusters.bonds().count() as f64, pairs as f64]);
    }
    let name =
        format!("a crowd of 20 %, s = {s} R: tethered pairs over free pairs as near each other");
    Ok(ratio_of_blocks(&name, &blocks(&rows, samples / 25), NEAR))
}
