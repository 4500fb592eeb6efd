//! Exact mechanics: what collisions keep and what they leave, and the way back.

use super::super::statistics::{exact, worse};
use super::super::{CheckError, Context, Findings};
use super::world::{
    GranularWorld, as_now, ball, between, energy, gas, last, listen_for, overlap, run, run_for,
};
use jostle_core::observe::Contact;
use jostle_core::space::{Domain, Vector};
use jostle_events::granular::Grain;
use jostle_events::granular::container::{Container, Shaken, Shaking};
use jostle_events::granular::units::JOULE;
use jostle_events::kinetic::KineticKind;

/// Energy and momentum over many collisions, and the return of a gas to its start.
pub(super) fn conservation(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let (disks, edge) = gas::<2>(16, 0.5, context.seed(1));
    keeps(
        context,
        &mut findings,
        &GranularWorld::periodic([edge; 2]).kind(KineticKind::Levels),
        &disks,
    )?;
    let (spheres, edge) = gas::<3>(6, 0.3, context.seed(2));
    keeps(
        context,
        &mut findings,
        &GranularWorld::periodic([edge; 3]).kind(KineticKind::Segments),
        &spheres,
    )?;
    let high = GranularWorld::closed([edge, edge, 1.5 * edge]).falling(0.3);
    keeps(context, &mut findings, &high.kind(KineticKind::Cubic), &spheres)?;
    let (few, edge) = gas::<2>(10, 0.3, context.seed(3));
    returns(&mut findings, &GranularWorld::periodic([edge; 2]).kind(KineticKind::Cubic), &few)?;
    let fall = GranularWorld::closed([edge; 2]).falling(0.2);
    returns(&mut findings, &fall.kind(KineticKind::Laguerre), &few)?;
    let (few, edge) = gas::<3>(5, 0.3, context.seed(4));
    returns(&mut findings, &GranularWorld::periodic([edge; 3]).kind(KineticKind::Tree), &few)?;
    Ok(findings)
}

fn name_of<const D: usize>(world: &GranularWorld<D>) -> String {
    let walls =
        if world.container.walls().next().is_some() { "closed, gravity" } else { "periodic" };
    format!("{D}D, {walls}, {}", world.kind.name())
}

fn keeps<const D: usize>(
    context: &Context,
    findings: &mut Findings,
    world: &GranularWorld<D>,
    grains: &[Grain<D>],
) -> Result<(), CheckError> {
    let mut engine = world.start(grains)?;
    let begin = energy(&engine);
    let (mut drift, mut momentum) = (0.0f64, 0.0f64);
    while engine.tally().collisions < context.either(50_000, 1_000_000) {
        run_for(&mut engine, 5.0)?;
        drift = worse(drift, (energy(&engine) / begin - 1.0).abs());
        momentum =
            engine.balance().momentum.into_iter().fold(momentum, |most, p| worse(most, p.abs()));
    }
    let name = format!("{}, {} collisions", name_of(world), engine.tally().collisions);
    findings.add(exact(&format!("{name}: relative drift of the energy"), drift, 0.0, 1e-11));
    if world.container.walls().next().is_none() {
        findings.add(exact(&format!("{name}: momentum in all"), momentum, 0.0, 1e-9));
    }
    findings.add(exact(&format!("{name}: overlap"), overlap(world, &engine), 0.0, 1e-10));
    findings.add(exact(
        &format!("{name}: contacts found too late"),
        engine.tally().late as f64,
        0.0,
        0.5,
    ));
    Ok(())
}

/// Three collisions per particle there and as many back. A tiny error grows some five times per
/// collision, so that rounding comes to 1e-12 or so; what is allowed leaves room for unlucky
/// starts.
fn returns<const D: usize>(
    findings: &mut Findings,
    world: &GranularWorld<D>,
    grains: &[Grain<D>],
) -> Result<(), CheckError> {
    let mut there = world.start(grains)?;
    while 2 * there.tally().collisions < 3 * grains.len() as u64 {
        run_for(&mut there, 0.05)?;
    }
    let mut turned = as_now(&there, grains);
    turned.iter_mut().for_each(|grain| grain.velocity = -grain.velocity);
    let mut back = world.start(&turned)?;
    run(&mut back, there.now())?;
    let flights = back.flights();
    let miss = |(i, grain): (u32, &Grain<D>)| {
        flights.domain.nearest_image(flights.at(i, back.now()) - grain.position).norm()
    };
    let most = (0..).zip(grains).map(miss).fold(0.0, worse);
    let name = name_of(world);
    findings.add(exact(&format!("{name}: miss of the start after reversal"), most, 0.0, 1e-6));
    let collisions = back.tally().collisions as f64 - there.tally().collisions as f64;
    findings.add(exact(&format!("{name}: collisions more on the way back"), collisions, 0.0, 0.5));
    Ok(())
}

/// How far single collisions are from what they should leave; the worst of many.
#[derive(Default)]
struct Worst {
    rebound: f64,
    momentum: f64,
    slip: f64,
    heat: f64,
    missed: f64,
}

/// Two grains of any masses and sizes, or one and a wall that moves.
pub(super) fn pair_response(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let cases = context.either(300, 3000);
    pairs::<2>(context, &mut findings, cases)?;
    pairs::<3>(context, &mut findings, cases)?;
    let mut worst = Worst::default();
    for case in 0..cases {
        wall(context.seed(10_000 + case), &mut worst)?;
    }
    tell(&mut findings, "moving wall", &worst, false);
    Ok(findings)
}

fn tell(findings: &mut Findings, name: &str, worst: &Worst, pair: bool) {
    let mut add = |what: &str, value: f64, tolerance: f64| {
        findings.add(exact(&format!("{name}: {what}"), value, 0.0, tolerance));
    };
    add("collisions that did not happen", worst.missed, 0.5);
    add("relative normal velocity afterwards, off from -e times that before", worst.rebound, 1e-9);
    if pair {
        add("momentum gained", worst.momentum, 1e-12);
    }
    add("change of tangential velocities", worst.slip, 1e-9);
    add("heat told, off from m* v^2 (1 - e^2)/2", worst.heat, 1e-9);
}

fn pairs<const D: usize>(
    context: &Context,
    findings: &mut Findings,
    cases: u64,
) -> Result<(), CheckError> {
    let mut worst = Worst::default();
    for case in 0..cases {
        pair::<D>(context.seed(1000 * D as u64 + case), &mut worst)?;
    }
    tell(findings, &format!("{D}D, two grains"), &worst, true);
    Ok(())
}

/// Any two grains that fly at each other.
fn pair<const D: usize>(seed: u64, worst: &mut Worst) -> Result<(), CheckError> {
    let draw = |k: u64, range: [f64; 2]| between(seed, k, range);
    let direction = |first: u64| {
        let v = Vector::<D>::from_fn(|k| draw(first + k as u64, [-1.0, 1.0]));
        v * (1.0 / v.norm().max(1e-3))
    };
    let (e, radii) = (draw(0, [0.05, 1.0]), [draw(1, [0.3, 1.5]), draw(2, [0.3, 1.5])]);
    let masses = [1.0, libm::pow(10.0, draw(3, [-3.0, 3.0]))];
    let (along, common) = (direction(10), direction(20));
    // Aside by less than the sum of the radii, so that they meet.
    let aside = direction(30);
    let aside = aside - along * aside.dot(along);
    let aside = aside * (draw(4, [0.0, 0.9]) * (radii[0] + radii[1]) / aside.norm().max(1e-3));
    let middle = Vector([50.0; D]);
    let grain = |n: usize, position: Vector<D>, velocity: Vector<D>| Grain {
        position,
        velocity,
        radius: radii[n],
        mass: masses[n],
        species: n as u16,
    };
    let grains = [
        grain(0, middle - along * 5.0, common + along),
        grain(1, middle + along * 5.0 + aside, common - along * draw(5, [0.0, 2.0])),
    ];
    let world = GranularWorld::periodic([100.0; D]).kind(KineticKind::Direct).restitution(e);
    let mut engine = world.start(&grains)?;
    let mut met = None;
    listen_for(&mut engine, 10.0, |contact: &Contact<D>| met = met.or(Some(*contact)))?;
    let (Some(contact), 1) = (met, engine.tally().collisions) else {
        worst.missed += 1.0;
        return Ok(());
    };
    let after = [0, 1].map(|i| engine.flights().all[i].velocity);
    let n = contact.normal;
    let gain = [0, 1].map(|i| after[i] - grains[i].velocity);
    let normal = |v: [Vector<D>; 2]| (v[0] - v[1]).dot(n);
    let before = normal(grains.map(|grain| grain.velocity));
    worst.rebound = worse(worst.rebound, (normal(after) + e * before).abs());
    let momentum = (gain[0] * masses[0] + gain[1] * masses[1]).norm() / (masses[0] + masses[1]);
    worst.momentum = worse(worst.momentum, momentum);
    let slip = gain.map(|v| (v - n * v.dot(n)).norm());
    worst.slip = worse(worse(worst.slip, slip[0]), slip[1]);
    let reduced = masses[0] * masses[1] / (masses[0] + masses[1]);
    heat(&contact, 0.5 * reduced * before * before * (1.0 - e * e), worst);
    Ok(())
}

fn heat<const D: usize>(contact: &Contact<D>, expected: f64, worst: &mut Worst) {
    let reported = contact.impact.map_or(f64::NAN, |impact| impact.energy_lost * JOULE);
    let off = (reported - expected).abs();
    // Not the larger one: that would let NaN pass.
    worst.heat = if off <= worst.heat { worst.heat } else { off };
}

/// A grain that a shaken floor hits: v' = -e v + (1 + e) V.
fn wall(seed: u64, worst: &mut Worst) -> Result<(), CheckError> {
    let e = between(seed, 0, [0.05, 1.0]);
    let shaking = Shaking {
        walls: Shaken::All,
        axis: 1,
        amplitude: between(seed, 1, [0.05, 0.3]),
        frequency: between(seed, 2, [0.2, 1.0]),
        phase: between(seed, 3, [0.0, 6.0]),
    };
    let container = Container::new_box(Domain::new([40.0; 2], [false; 2]), Some(shaking))?;
    let world = GranularWorld::of(container).kind(KineticKind::Direct).restitution(e);
    let grain = ball([20.0, 3.0], [between(seed, 4, [-1.0, 1.0]), between(seed, 5, [-6.0, -3.0])]);
    let mut engine = world.start(&[grain])?;
    let mut met = None;
    // It meets the floor within a time unit, and is not back for another three.
    while met.is_none() && engine.now() < 2.0 {
        listen_for(&mut engine, 0.05, |contact: &Contact<2>| met = met.or(Some(*contact)))?;
    }
    let Some(contact) = met else {
        worst.missed += 1.0;
        return Ok(());
    };
    let moving = shaking.at(contact.step as f64 + contact.time).velocity;
    let after = engine.flights().all[0].velocity;
    let (before, expected) = (grain.velocity[1], -e * grain.velocity[1] + (1.0 + e) * moving);
    worst.rebound = worse(worst.rebound, (after[1] - expected).abs());
    worst.slip = worse(worst.slip, (after - grain.velocity - last(after[1] - before)).norm());
    let speed = before - moving;
    heat(&contact, 0.5 * speed * speed * (1.0 - e * e), worst);
    Ok(())
}
