//! Rigid clusters: how fast they move, and how they turn.

use super::super::statistics::{exact, mean_of_blocks, variance};
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use jostle_brownian::{Brownian, Seed};
use jostle_core::observe::NoObserver;
use jostle_core::rules::{Chance, ContactRule, RuleSet};
use jostle_core::search::Kind;
use jostle_core::space::Vector;
use jostle_core::species::MobilityLaw;

/// `count` particles of radius 0.5 and D = 1 in a row, in a periodic box, joined by bonds or into
/// one particle.
fn joined<const D: usize>(
    count: usize,
    timestep: f64,
    mobility: MobilityLaw,
    bonded: bool,
    seed: u64,
) -> Result<Brownian<D>, CheckError> {
    let always = Chance::Probability(1.0);
    let contact = match bonded {
        true => vec![ContactRule::bond("bond", [0, 0], always)],
        false => vec![
            ContactRule::coalesce("join", [0, 0], 1, always),
            ContactRule::coalesce("join on", [0, 1], 1, always),
        ],
    };
    let world =
        World::<D>::periodic(4.0 + count as f64).timestep(timestep).seed(seed).search(Kind::Naive);
    let mut world =
        world.species(0.5, 1.0).product().rules(RuleSet { contact, ..RuleSet::default() });
    world.mobility = mobility;
    let place = |n: usize| Vector::from_fn(|k| if k == 0 { 0.1 + 1.001 * n as f64 } else { 2.0 });
    let particles: Vec<_> = (0..count).map(|n| Seed { species: 0, position: place(n) }).collect();
    let mut engine = world.with(&particles)?;
    while engine.tally().bound + 1 < count as u64 {
        engine.step(&mut NoObserver)?;
    }
    Ok(engine)
}

/// From the first particle to the others, the first included, by identity.
fn layout<const D: usize>(engine: &Brownian<D>) -> Vec<Vector<D>> {
    let view = engine.view();
    let p = view.particles;
    let slots = p.slots_by_id();
    let first = p.position[slots[0] as usize];
    slots.iter().map(|&slot| view.domain.nearest_image(p.position[slot as usize] - first)).collect()
}

/// The mean square displacement of three particles that move as one, by each law.
pub(super) fn mobility(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    spread::<3>(context, &mut findings, "rouse", &MobilityLaw::Rouse, 1.0 / 3.0)?;
    spread::<3>(context, &mut findings, "stokes", &MobilityLaw::Stokes, 3.0_f64.cbrt().recip())?;
    spread::<2>(context, &mut findings, "stokes", &MobilityLaw::Stokes, 3.0_f64.sqrt().recip())?;
    spread::<3>(context, &mut findings, "table", &MobilityLaw::Table(vec![1.0, 0.7, 0.4]), 0.4)?;
    // ln(2/size) - 0.5772 of radii 0.5 sqrt(3) and 0.5 over the length, and the next terms below
    // 1e-3.
    let log = |radius: f64| libm::log(2.0 * 1000.0 / radius) - 0.577_215_7;
    let ratio = log(0.5 * 3.0_f64.sqrt()) / log(0.5);
    spread::<2>(
        context,
        &mut findings,
        "membrane",
        &MobilityLaw::SaffmanDelbruck { length: 1000.0 },
        ratio,
    )?;
    immobile(context, &mut findings)?;
    Ok(findings)
}

/// Steps of the centre from one moment to the next.
fn steps_of_centre<const D: usize>(
    engine: &mut Brownian<D>,
    steps: usize,
) -> Result<Vec<Vector<D>>, CheckError> {
    let centre = |engine: &Brownian<D>| {
        let p = engine.particles();
        let layout = layout(engine);
        let sum = layout.iter().fold(Vector::ZERO, |sum, offset| sum + *offset);
        p.position[p.slots_by_id()[0] as usize] + sum * (1.0 / layout.len() as f64)
    };
    let mut moves = Vec::with_capacity(steps);
    let mut before = centre(engine);
    for _ in 0..steps {
        engine.step(&mut NoObserver)?;
        let now = centre(engine);
        moves.push(engine.view().domain.nearest_image(now - before));
        before = now;
    }
    Ok(moves)
}

fn spread<const D: usize>(
    context: &Context,
    findings: &mut Findings,
    name: &str,
    law: &MobilityLaw,
    expected: f64,
) -> Result<(), CheckError> {
    const TIMESTEP: f64 = 0.01;
    const LAG: usize = 10;
    for bonded in [true, false] {
        let seed = context.seed(findings.findings.len() as u64);
        let mut engine = joined::<D>(3, TIMESTEP, law.clone(), bonded, seed)?;
        let moves = steps_of_centre(&mut engine, context.either(60_000, 1_000_000))?;
        let whole = moves
            .chunks_exact(LAG)
            .map(|part| part.iter().fold(Vector::ZERO, |sum, step| sum + *step));
        let sum: f64 =
            whole.map(|step| step.norm_squared()).sum::<f64>() / (2.0 * TIMESTEP * LAG as f64);
        let how = if bonded { "joined by bonds" } else { "as one particle" };
        let what = format!("{D}D, {name}, three {how}: D over that of one, over {LAG} steps");
        findings.add(variance(&what, sum, moves.len() / LAG * D, expected));
    }
    Ok(())
}

fn immobile(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    let mut engine = joined::<3>(3, 0.01, MobilityLaw::Immobile, true, context.seed(99))?;
    let furthest =
        steps_of_centre(&mut engine, 1000)?.iter().map(|step| step.norm()).fold(0.0, f64::max);
    findings.add(exact(
        "3D, immobile: the longest step in contact distances",
        furthest,
        0.0,
        1e-12,
    ));
    Ok(())
}

/// The direction of a lone dimer forgets itself.
pub(super) fn rotation(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let title = "Direction of a dimer";
    let mut picture = Picture::new(title, "D_r t", "<u(0) u(t)>").log(false, true);
    let line = |rate: f64| {
        (0..=20).map(|k| 0.05 * f64::from(k)).map(|t| [t, libm::exp(-rate * t)]).collect()
    };
    picture = picture.theory("exp(-2 D_r t)", line(2.0)).theory("exp(-D_r t)", line(1.0));
    // A vector of three Gaussian angles of variance v turns by 1/3 + 2/3 (1 - v) exp(-v/2); D_r = 1
    // and 4/3 for spheres and disks of radius 0.5 and D = 1.
    let v = 0.04;
    let per_step = (1.0 + 2.0 * (1.0 - v) * libm::exp(-0.5 * v)) / 3.0;
    let points = decay::<3>(context, &mut findings, 1.0, 0.5 * v, per_step)?;
    picture = picture.measured("3D", points.0, points.1);
    let points = decay::<2>(context, &mut findings, 4.0 / 3.0, 0.03, libm::exp(-0.04))?;
    findings.show(picture.measured("2D", points.0, points.1));
    Ok(findings)
}

/// After 1, 10 and 25 steps. Gives points and errors over reduced time.
fn decay<const D: usize>(
    context: &Context,
    findings: &mut Findings,
    rate: f64,
    timestep: f64,
    per_step: f64,
) -> Result<(Vec<[f64; 2]>, Vec<f64>), CheckError> {
    const BLOCKS: usize = 50;
    let mut engine = joined::<D>(2, timestep, MobilityLaw::Rouse, true, context.seed(D as u64))?;
    let mut axes = Vec::new();
    for _ in 0..context.either(100_000, 2_000_000) {
        engine.step(&mut NoObserver)?;
        axes.push(layout(&engine)[1]);
    }
    let rigid = axes.iter().map(|axis| (axis.norm() - 1.0).abs()).fold(0.0, f64::max);
    findings.add(exact(&format!("{D}D: bond length less 1, at most"), rigid, 0.0, 1e-9));
    let [proposed, turned] = engine.tally().rotations;
    findings.add(exact(&format!("{D}D: turns refused"), (proposed - turned) as f64, 0.0, 0.5));
    let (mut points, mut errors) = (Vec::new(), Vec::new());
    for lag in [1, 10, 25] {
        let block = |block: &[Vector<D>]| {
            let sum: f64 = block.iter().zip(&block[lag..]).map(|(a, b)| a.dot(*b)).sum();
            sum / (block.len() - lag) as f64
        };
        let blocks: Vec<f64> = axes.chunks_exact(axes.len() / BLOCKS).map(block).collect();
        let time = lag as f64 * timestep;
        let what = format!("{D}D: <u(0) u(t)> after {lag} steps, D_r t = {:.2}", rate * time);
        let finding = mean_of_blocks(&what, &blocks, per_step.powi(lag as i32));
        points.push([rate * time, finding.measured]);
        errors.push(finding.error);
        findings.add(finding);
    }
    Ok((points, errors))
}
