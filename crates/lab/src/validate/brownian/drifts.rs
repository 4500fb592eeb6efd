//! Particles that something else moves too: a constant drift, a shear flow, a harmonic well.

use super::super::statistics::{known_error, mean_known, mean_of_blocks, variance};
use super::super::world::{World, advance, unwrapped};
use super::super::{CheckError, Context, Findings};
use super::SPECK;
use jostle_brownian::{Brownian, Seed};
use jostle_core::space::Vector;
use jostle_core::species::Drift;

/// Drift, shear and well.
pub(super) fn drift_adds_to_diffusion(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    constant(context, &mut findings)?;
    shear(context, &mut findings)?;
    for (number, timestep) in (2..).zip([0.5, 2.5, 20.0]) {
        well(context.seed(number), context.either(400, 4000), timestep, &mut findings)?;
    }
    Ok(findings)
}

/// Many particles at one place, which ignore each other.
fn swarm<const D: usize>(
    world: World<D>,
    place: [f64; D],
    particles: usize,
    diffusion: f64,
    drift: Drift,
) -> Result<Brownian<D>, CheckError> {
    let seed = Seed { species: 0, position: Vector(place) };
    Ok(world.drifting(SPECK, diffusion, drift).ghosts().with(&vec![seed; particles])?)
}

/// Where every particle has come from the common start.
fn moved<const D: usize>(engine: &Brownian<D>, start: [f64; D]) -> Vec<Vector<D>> {
    unwrapped(engine).into_iter().map(|place| place - Vector(start)).collect()
}

fn sum_of_squares(x: impl Iterator<Item = f64>) -> f64 {
    x.map(|x| x * x).sum()
}

fn constant(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    let (particles, steps, timestep, diffusion) = (context.either(5000, 50_000), 100, 0.1, 0.7);
    let (velocity, start) = ([3.0, -1.0, 0.25], [250.0; 3]);
    let world = World::<3>::periodic(500.0).timestep(timestep).seed(context.seed(0));
    let mut engine = swarm(world, start, particles, diffusion, Drift::Constant(velocity))?;
    advance(&mut engine, steps)?;
    let moved = moved(&engine, start);
    let time = steps as f64 * timestep;
    let spread = 2.0 * diffusion * time;
    for k in 0..3 {
        let along: Vec<f64> = moved.iter().map(|x| x[k] / time).collect();
        let what = format!("drift along {}", ["x", "y", "z"][k]);
        findings.add(mean_known(&what, &along, velocity[k], spread.sqrt() / time));
    }
    let around = (0..3).flat_map(|k| moved.iter().map(move |x| x[k] - velocity[k] * time));
    let what = "mean square displacement around the drift, 2 D t";
    findings.add(variance(what, sum_of_squares(around), 3 * particles, spread));
    Ok(())
}

/// The flow that a step follows is that at its start, so that step m before the last adds m rate dt
/// times its own displacement across the flow. As dt -> 0, <x^2> = 2 D t (1 + (rate t)^2 / 3).
fn shear(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    let (particles, steps, timestep, diffusion, rate) =
        (context.either(2000, 20_000), 200, 0.01, 1.0, 3.0);
    let start = [500.0; 2];
    let world = World::<2>::periodic(1000.0).timestep(timestep).seed(context.seed(1));
    let flow = Drift::Shear { rate, along: 0, across: 1 };
    let mut engine = swarm(world, start, particles, diffusion, flow)?;
    advance(&mut engine, steps)?;
    let moved = moved(&engine, start);
    let s2 = 2.0 * diffusion * timestep;
    let weights = (0..steps).map(|m| (rate * timestep * m as f64).powi(2));
    let along = s2 * (steps as f64 + weights.sum::<f64>());
    let across = s2 * steps as f64;
    let joint: f64 = s2 * rate * timestep * (0..steps).sum::<usize>() as f64;
    let squares = |k: usize| sum_of_squares(moved.iter().map(|x| x[k]));
    findings.add(variance("shear: <x^2> along the flow", squares(0), particles, along));
    findings.add(variance("shear: <y^2> across the flow", squares(1), particles, across));
    // Given all y, the regression of x on y has this error exactly.
    let slope = moved.iter().map(|x| x[0] * x[1]).sum::<f64>() / squares(1);
    let error = ((along - joint * joint / across) / squares(1)).sqrt();
    findings.add(known_error("shear: <x y> / <y^2>", slope, joint / across, error, particles));
    Ok(())
}

/// In a well with time steps short and long beside its relaxation: exact at each.
fn well(seed: u64, steps: usize, timestep: f64, findings: &mut Findings) -> Result<(), CheckError> {
    let (particles, diffusion, relaxation) = (300, 2.0, 5.0);
    let start = [90.0, 110.0];
    let world = World::<2>::periodic(200.0).timestep(timestep).seed(seed);
    let well = Drift::Well { centre: [90.0, 110.0, 0.0], relaxation };
    let mut engine = swarm(world, start, particles, diffusion, well)?;
    advance(&mut engine, (10.0 * relaxation / timestep) as usize + 5)?;
    let (width, memory) = (diffusion * relaxation, libm::exp(-timestep / relaxation));
    let kick = width * (1.0 - memory * memory);
    let (mut squares, mut kicks, mut products) = (vec![0.0; particles], 0.0, Vec::new());
    let mut last = moved(&engine, start);
    for _ in 0..steps {
        advance(&mut engine, 1)?;
        let now = moved(&engine, start);
        for (i, (then, now)) in last.iter().zip(&now).enumerate() {
            squares[i] += now.norm_squared() / (2 * steps) as f64;
            // What a step adds to what is remembered of the last place.
            let added = *now - *then * memory;
            kicks += added.norm_squared();
            products.extend((0..2).map(|k| added[k] * then[k]));
        }
        last = now;
    }
    let name = format!("well, dt = {} relaxation times:", timestep / relaxation);
    // Particles are independent of each other: each is a block.
    findings.add(mean_of_blocks(&format!("{name} <x^2> = D tau"), &squares, width));
    let what = format!("{name} spread added by a step, D tau (1 - exp(-2 dt/tau))");
    findings.add(variance(&what, kicks, 2 * particles * steps, kick));
    let what = format!("{name} correlation of place and added step");
    findings.add(mean_known(&what, &products, 0.0, (kick * width).sqrt()));
    Ok(())
}
