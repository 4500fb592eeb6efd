//! One A and one B that bind at contact and attract or repel each other: the equilibrium is that of
//! (k_a/k_d) exp(−U) at contact, at any time step.

use std::f64::consts::PI;

use super::super::statistics::ratio_of_blocks;
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use super::ledger::{Ledger, blocks};
use super::lone_pair::Bind;
use jostle_brownian::Seed;
use jostle_core::potentials::{Potentials, StepPotential};
use jostle_core::rules::Chance;
use jostle_core::search::Kind;
use jostle_core::space::{Vector, ball_volume};
use jostle_core::species::MobilityLaw;

/// The time bound over the time free.
const SHARE: f64 = 0.25;
/// Of the box; the contact distance is 1.
const EDGE: f64 = 3.4;

pub(super) fn binding(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let axes = ["rms step over contact distance", "K over (k_a/k_d) exp(-U)"];
    let mut picture = Picture::new("Equilibrium of a pair that binds in a well", axes[0], axes[1]);
    picture = picture.log(true, false).theory("1", vec![[0.1, 1.0], [1.0, 1.0]]);
    let laws = [
        ("a well of 1.2 kT", StepPotential::new(vec![1.5], vec![-1.2])),
        ("a barrier of 0.8 kT", StepPotential::new(vec![1.3, 1.6], vec![0.0, 0.8])),
    ];
    for (n, (name, law)) in laws.iter().enumerate() {
        let (mut points, mut errors) = (Vec::new(), Vec::new());
        for (m, s) in [0.1, 0.3, 1.0].into_iter().enumerate() {
            let finding = pair(context, (name, law), s, (10 * n + m) as u64)?;
            points.push([s, finding.measured / SHARE]);
            errors.push(finding.error / SHARE);
            findings.add(finding);
        }
        picture = picture.measured(name, points, errors);
    }
    findings.show(picture);
    Ok(findings)
}

fn pair(
    context: &Context,
    (name, law): (&str, &StepPotential),
    s: f64,
    key: u64,
) -> Result<super::super::Finding, CheckError> {
    // The partition function of the free pair, and of contact.
    let mut from = 1.0;
    let mut room = EDGE.powi(3);
    for (shell, &edge) in law.edges().iter().enumerate() {
        let volume = ball_volume(3, edge) - ball_volume(3, from);
        room += volume * libm::expm1(-law.in_shell(shell));
        from = edge;
    }
    room -= ball_volume(3, 1.0);
    let k_a = 0.8 * PI;
    let k_d = k_a * libm::exp(-law.in_shell(0)) / (SHARE * room);
    let mut world = World::<3>::periodic(EDGE)
        .timestep(0.5 * s * s)
        .seed(context.seed(key))
        .search(Kind::Naive);
    world = world.species(0.4, 0.3).species(0.6, 0.7);
    world = world.rules(Bind::Bond.reversibly(Chance::Intrinsic(k_a), k_d));
    world.potentials = Potentials::new(&[Some(0.4), Some(0.6)], [([0, 1], law)]);
    world.mobility = MobilityLaw::Rouse;
    let places = [Vector::ZERO, Vector([EDGE / 2.0; 3])];
    let mut engine =
        world.with(&[0, 1].map(|n| Seed { species: n as u16, position: places[n] }))?;
    let mut ledger = Ledger::default();
    let cycles = context.either(1000, 30_000);
    while engine.tally().unbound <= cycles {
        engine.step(&mut ledger)?;
    }
    let name = format!("{name}, s = {s} R: time bound over time free");
    Ok(ratio_of_blocks(&name, &blocks(&ledger.cycles(), cycles as usize / 50), SHARE))
}
