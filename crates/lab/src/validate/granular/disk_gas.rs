//! The disk gas that looks for overlaps after each move.

use std::f64::consts::PI;

use super::super::statistics::{exact, mean_and_error, mean_of_blocks};
use super::super::{CheckError, Context, Findings, Picture};
use super::world::{GranularWorld, Hear, edge_of, heat, scattered};
use jostle_core::observe::{Contact, NoObserver, Partner};
use jostle_core::space::{Domain, Vector};
use jostle_core::theory::contact_value_2d;
use jostle_events::gas::{Arrangement, Disk, Gas, GasSetup};

/// Disks of diameter 1 at temperature 1 in a closed box.
fn gas(edge: f64, radii: &[f64], timestep: f64, seed: u64) -> Result<Gas, CheckError> {
    let world = GranularWorld::closed([edge; 2]);
    let mut grains = scattered(&world, radii, seed);
    heat(&mut grains, 1.0, seed);
    let disk = |grain: &jostle_events::granular::Grain<2>| Disk {
        position: grain.position,
        velocity: grain.velocity,
        radius: grain.radius,
        mass: grain.mass,
        species: 0,
    };
    let disks: Vec<Disk> = grains.iter().map(disk).collect();
    let setup = GasSetup {
        domain: Domain::new([edge; 2], [false; 2]),
        timestep,
        gravity: Vector::ZERO,
        arrangement: Arrangement::Strips { axis: 0, width: 2.0 * radii[0] },
    };
    Ok(Gas::new(setup, &disks)?)
}

/// Kinetic energy and momentum now.
fn balance(gas: &Gas) -> (f64, Vector<2>) {
    let (p, timestep) = (gas.particles(), gas.clock().timestep);
    let (mut kinetic, mut momentum) = (0.0, Vector::ZERO);
    for (v, mass) in p.velocity.iter().zip(gas.masses()) {
        let v = *v * (1.0 / timestep);
        kinetic += 0.5 * mass * v.norm_squared();
        momentum += v * *mass;
    }
    (kinetic, momentum)
}

/// Energy and momentum, and how many collisions there are.
pub(super) fn disk_gas(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let radii: Vec<f64> = (0..150).map(|n| if n < 75 { 0.8 } else { 0.5 }).collect();
    let mut dense = gas(30.0, &radii, 0.1, context.seed(1))?;
    let (energy, before) = balance(&dense);
    let masses = dense.masses().to_vec();
    let mut given = Vector::<2>::ZERO;
    for _ in 0..context.either(2000, 20_000) {
        dense.step(&mut Hear(|contact: &Contact<2>| {
            if let Partner::Wall(_) = contact.partner {
                given -=
                    contact.normal * (2.0 * masses[contact.id as usize] * contact.approach / 0.1);
            }
        }))?;
    }
    let (after, momentum) = balance(&dense);
    let name = format!("{} collisions", dense.tally().collisions);
    findings.add(exact(
        &format!("{name}: relative drift of the energy"),
        after / energy - 1.0,
        0.0,
        1e-11,
    ));
    let off = (momentum - before - given).norm();
    findings.add(exact(&format!("{name}: momentum not from walls"), off, 0.0, 1e-9));
    rates(context, &mut findings)?;
    Ok(findings)
}

const BLOCKS: usize = 40;
const SIDE: usize = 8;
const PHI: f64 = 0.01;

/// Collisions per particle and time of a dilute gas for several steps: those that are seen of
/// Enskog's.
fn rates(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    let edge = edge_of::<2>(SIDE, PHI);
    let n = (SIDE * SIDE) as f64;
    // Centres are within this edge; near the walls contacts can only be on one side. Directions
    // averaged.
    let within = edge - 1.0;
    let inside = 1.0 - 4.0 / (PI * within) + 1.0 / (PI * within * within);
    // Energy is fixed in 2 N directions, less the two of the momentum that it starts without: of
    // all it is 2 N.
    let temperature = (n - 1.0) / n;
    let rate = 2.0 * (n - 1.0) / (within * within)
        * (PI * temperature).sqrt()
        * inside
        * contact_value_2d(PHI);
    let rate = rate * (1.0 + 0.25 / (2.0 * n));
    let (mut points, mut errors) = (Vec::new(), Vec::new());
    for (k, timestep) in (0..).zip([0.2, 0.1, 0.05]) {
        let mut engine = gas(edge, &vec![0.5; SIDE * SIDE], timestep, context.seed(100 + k))?;
        let steps = (context.either(30.0, 300.0) / (rate * timestep)) as usize;
        (0..steps).try_for_each(|_| engine.step(&mut NoObserver))?;
        let mut blocks = Vec::new();
        for _ in 0..BLOCKS {
            let begin = engine.tally().collisions;
            (0..steps).try_for_each(|_| engine.step(&mut NoObserver))?;
            let count = (engine.tally().collisions - begin) as f64;
            blocks.push(2.0 * count / (n * steps as f64 * timestep));
        }
        let expected = rate * seen(timestep * temperature.sqrt());
        let what = format!("collisions per particle and time, v dt = {timestep} diameters");
        // What walls and third particles do to so dilute a gas: of second order in 0.01 and in 1/70
        // of the edge.
        findings.add(mean_of_blocks(&what, &blocks, expected).with_bias(3e-3 * expected));
        let (mean, error) = mean_and_error(&blocks);
        points.push([timestep, mean / rate]);
        errors.push(error / rate);
    }
    let line = (1..=25).map(|k| 0.02 * f64::from(k)).map(|s| [s, seen(s)]).collect();
    findings.show(
        Picture::new(
            "Overlaps noticed after the move",
            "thermal speed times step over diameter",
            "collisions seen",
        )
        .theory("chance to be within the near half of the chord at the end of a step", line)
        .measured("disks", points, errors),
    );
    Ok(())
}

/// What part of the collisions is seen in steps of this length, for thermal speed 1 and diameter 1.
/// Two that pass through each other approach on a half chord sqrt(1 - b²) long, b being how far
/// aside they pass; at relative speed v a step ends there with probability sqrt(1 - b²)/(v dt), or
/// for sure. Averaged over b, and over v with the flux v² exp(-v²/4).
fn seen(timestep: f64) -> f64 {
    let chance = |s: f64| {
        // The integral over b of min(1, sqrt(1 - b²)/s).
        if s >= 1.0 {
            return 0.25 * PI / s;
        }
        let sure = (1.0 - s * s).sqrt();
        sure + (0.25 * PI - 0.5 * (libm::asin(sure) + sure * s)) / s
    };
    let (mut above, mut below) = (0.0, 0.0);
    for k in 0..2000 {
        let v = 0.005 * (f64::from(k) + 0.5);
        let weight = v * v * libm::exp(-0.25 * v * v);
        above += weight * chance(v * timestep);
        below += weight;
    }
    above / below
}

#[cfg(test)]
mod tests {
    use super::seen;

    /// Half chords shorter than v dt are seen with probability (half chord)/(v dt), which leaves
    /// out (v dt)²/6 of all; the mean of v² over collisions is 6.
    #[test]
    fn short_steps_miss_a_share_of_the_square_of_the_step() {
        for step in [0.01, 0.03, 0.1] {
            let missed = (1.0 - seen(step)) / (step * step);
            assert!((missed - 1.0).abs() < 0.03, "{step}: {missed}");
        }
        assert!(seen(10.0) < 0.1);
    }
}
