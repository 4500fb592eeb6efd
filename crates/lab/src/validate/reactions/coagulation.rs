//! Clusters that join at the same rate whatever their size.

use std::f64::consts::PI;

use super::super::statistics::{known_error, squared_length, variance};
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use super::dice::Dice;
use super::ledger::step_until;
use jostle_brownian::{Brownian, Seed};
use jostle_core::observe::NoObserver;
use jostle_core::rules::{Chance, ContactRule, RuleSet};
use jostle_core::search::Kind;
use jostle_core::theory::{coagulated, coagulated_total, collins_kimball};

/// Share of the box that is filled at the start.
const PHI: f64 = 0.003;
/// The rate constant: 0.05 of the speed that diffusion would allow.
const KERNEL: f64 = 0.05 * 4.0 * PI;
/// The rms relative step, in contact distances.
const STEP: f64 = 2.0;
/// The sizes that are counted.
const SIZES: usize = 5;
/// When, in reduced time.
const TIMES: [f64; 4] = [0.5, 1.0, 2.0, 4.0];

/// How many clusters there are in all, and of each size.
fn sizes(engine: &Brownian<3>) -> [f64; SIZES + 1] {
    let p = engine.particles();
    let mut sizes = [0.0; SIZES + 1];
    for slot in p.slots_by_id() {
        let size = engine.clusters().size_of(p, slot) as usize;
        sizes[0] += 1.0;
        if size <= SIZES {
            sizes[size] += 1.0;
        }
    }
    sizes
}

/// What they become stays as large and as fast as they are, so that the kernel is constant.
pub(super) fn constant_kernel(context: &Context) -> Result<Findings, CheckError> {
    let monomers = context.either(10_000, 100_000);
    let edge = (monomers as f64 * PI / 6.0 / PHI).cbrt();
    let density = monomers as f64 / edge.powi(3);
    let timestep = 0.5 * STEP * STEP;
    // Particles start on a lattice; it melts before they join.
    let begin = 200.0;
    let mut join = ContactRule::coalesce("join", [0, 0], 0, Chance::Macroscopic(KERNEL));
    join.windows = vec![[begin, f64::INFINITY]];
    let rules = RuleSet { contact: vec![join], ..RuleSet::default() };
    let world =
        World::<3>::periodic(edge).timestep(timestep).seed(context.seed(0)).search(Kind::Cubic);
    let mut engine =
        world.species(0.5, 0.5).rules(rules).with(&start(edge, monomers, context.seed(1)))?;
    step_until(&mut engine, begin, &mut NoObserver)?;
    let mut findings = Findings::default();
    let mut found = Vec::new();
    let mut reduced = 0.0;
    let k_a = 1.0 / (1.0 / KERNEL - 1.0 / (4.0 * PI));
    for until in TIMES {
        while reduced < until {
            // The rate before the steady state is a little higher, and so is that of particles that
            // exclude each other from some of the room.
            let k = collins_kimball(k_a, 1.0, 1.0, engine.clock().time() + 0.5 * timestep - begin);
            let g = 1.0 + 2.5 * PHI / (1.0 + reduced);
            reduced += 0.5 * k * g * density * timestep;
            engine.step(&mut NoObserver)?;
        }
        let counts = sizes(&engine);
        judge(&mut findings, &counts, monomers as f64, reduced);
        found.push((reduced, counts.map(|count| count / monomers as f64)));
    }
    findings.show(picture(&found));
    Ok(findings)
}

/// Particles near the places of a lattice.
fn start(edge: f64, count: usize, seed: u64) -> Vec<Seed<3>> {
    let mut dice = Dice::new(seed);
    let mut particles = super::super::world::on_lattice::<3>(edge, count, 1);
    let play = 0.5 * (edge / (count as f64).cbrt().ceil() - 1.0);
    for particle in &mut particles {
        for k in 0..3 {
            particle.position[k] += 0.9 * play * (2.0 * dice.uniform() - 1.0);
        }
    }
    particles
}

/// The total, and the sizes given that total.
///
/// The total is a chain of pure death: with x = 1/(1+T) its variance is N0 (x - x⁴)/3 (system-size
/// expansion). Given M clusters of N0 monomers all compositions are equally likely (Kingman 1982),
/// so that numbers of sizes have a covariance like those of M geometric numbers whose sum is given.
fn judge(findings: &mut Findings, counts: &[f64; SIZES + 1], monomers: f64, reduced: f64) {
    let x = coagulated_total(reduced);
    let error = (monomers * (x - x.powi(4)) / 3.0).sqrt();
    let what = format!("clusters, T = {reduced:.2}");
    let finding = known_error(&what, counts[0], x * monomers, error, counts[0] as usize);
    findings.add(finding.with_bias(0.005 * x * monomers));
    let share = counts[0] / monomers;
    let q = |k: usize| share * (1.0 - share).powi(k as i32 - 1);
    let mean = 1.0 / share;
    let spread = (1.0 - share) * mean * mean;
    let covariance = |i: usize, j: usize| {
        let alone = if i == j { q(i) } else { 0.0 };
        let given = (i as f64 - mean) * (j as f64 - mean) / spread;
        counts[0] * (alone - q(i) * q(j) * (1.0 + given))
    };
    let apart = (1..=SIZES).map(|i| counts[i] - counts[0] * q(i)).collect();
    let squares = squared_length(apart, |i, j| covariance(i + 1, j + 1));
    let what = format!(
        "sizes 1 to {SIZES} given the total, T = {reduced:.2}: chi squared per degree of freedom"
    );
    findings.add(variance(&what, squares, SIZES, 1.0));
}

fn picture(found: &[(f64, [f64; SIZES + 1])]) -> Picture {
    let mut picture = Picture::new(
        "Coagulation with a constant kernel",
        "reduced time T",
        "clusters per monomer",
    );
    picture = picture.log(true, true);
    let times: Vec<f64> = (0..=30).map(|k| 0.3 * libm::pow(20.0, f64::from(k) / 30.0)).collect();
    let line = |law: &dyn Fn(f64) -> f64| -> Vec<[f64; 2]> {
        times.iter().map(|&t| [t, law(t)]).collect()
    };
    for size in 0..=SIZES {
        let name = if size == 0 { "all".to_owned() } else { format!("size {size}") };
        let theory = match size {
            0 => line(&coagulated_total),
            size => line(&|t| coagulated(size as u32, t)),
        };
        let points = found.iter().map(|(t, shares)| [*t, shares[size]]).collect();
        picture = picture.theory(&name, theory).measured(&name, points, Vec::new());
    }
    picture
}
