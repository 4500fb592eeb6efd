//! Free particles in closed and in periodic boxes. Reflecting a straight step at a wall is exact
//! for any time step.

use std::f64::consts::PI;

use super::super::statistics::{
    add_waves, mean_of_blocks, means_of_blocks, uniform_counts, variance,
};
use super::super::world::{World, advance, on_lattice, thrown_rods, unwrapped};
use super::super::{CheckError, Context, Findings, Picture};
use super::SPECK;
use jostle_brownian::{Brownian, Seed};
use jostle_core::observe::{Contact, Observer, ObserverError, Partner};
use jostle_core::random::{Purpose, Random};
use jostle_core::space::Vector;

/// Particles thrown anywhere into a closed box; lengths are in units of what is accessible to their
/// centres.
fn between_walls(seed: u64, particles: usize, step: f64) -> Result<Brownian<3>, CheckError> {
    let random = Random::new(seed);
    let place =
        |n: usize, k: usize| SPECK + random.uniform(Purpose::Placement, [n as u64, k as u64, 0, 0]);
    let seeds: Vec<_> = (0..particles)
        .map(|n| Seed { species: 0, position: Vector::from_fn(|k| place(n, k)) })
        .collect();
    Ok(closed(step).seed(seed).with(&seeds)?)
}

fn closed(step: f64) -> World<3> {
    World::closed(1.0 + 2.0 * SPECK).species(SPECK, step * step / 2.0).ghosts()
}

/// Density between walls, bins at the walls included, and in a periodic box.
pub(super) fn density_is_uniform(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let times = context.either(1, 10);
    // Samples are taken when all but 0.7 % of the longest density wave has decayed: exp(-pi^2 D t /
    // l^2).
    for (number, (step, every, samples)) in
        (0..).zip([(1.0, 1, 700 * times), (0.05, 400, 60 * times)])
    {
        let mut engine = between_walls(context.seed(number), 500, step)?;
        let mut counts = [[0; 50]; 3];
        for _ in 0..samples {
            advance(&mut engine, every)?;
            count(&engine, SPECK, 1.0, &mut counts);
        }
        for (counts, axis) in counts.iter().zip(["x", "y", "z"]) {
            findings.add(uniform_counts(
                &format!("between walls, s = {step} l: density along {axis}"),
                counts,
            ));
        }
    }
    // In a periodic box the longest wave is half as long, and dies four times as fast.
    let world =
        World::<3>::periodic(1.0).species(SPECK, 0.5 * 0.3 * 0.3).ghosts().seed(context.seed(2));
    let mut engine = world.with(&on_lattice(1.0, 500, 1))?;
    advance(&mut engine, 20)?;
    let mut counts = [[0; 50]; 3];
    for _ in 0..350 * times {
        advance(&mut engine, 3)?;
        count(&engine, 0.0, 1.0, &mut counts);
    }
    for (counts, axis) in counts.iter().zip(["x", "y", "z"]) {
        findings.add(uniform_counts(&format!("periodic, s = 0.3 L: density along {axis}"), counts));
    }
    Ok(findings)
}

fn count(engine: &Brownian<3>, from: f64, length: f64, counts: &mut [[u64; 50]; 3]) {
    for x in &engine.particles().position {
        for (k, counts) in counts.iter_mut().enumerate() {
            counts[((x[k] - from) / length * 50.0).clamp(0.0, 49.0) as usize] += 1;
        }
    }
}

/// The mean squared displacement along one axis between walls at a distance of 1, from a uniform
/// start, at D t = `spread`.
fn confined(spread: f64) -> f64 {
    let term = |n: i32| libm::exp(-f64::from(n * n) * PI * PI * spread) / f64::from(n).powi(4);
    1.0 / 6.0 - 16.0 / PI.powi(4) * (1..100).step_by(2).map(term).sum::<f64>()
}

/// How displacements between walls and density waves continue in time, and how many small periodic
/// boxes are crossed.
pub(super) fn displacements_in_boxes(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    walls_confine(context, &mut findings)?;
    waves_decay(context, &mut findings)?;
    across_the_box::<1>(context, &mut findings)?;
    across_the_box::<2>(context, &mut findings)?;
    across_the_box::<3>(context, &mut findings)?;
    Ok(findings)
}

fn walls_confine(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    let picture =
        Picture::new("Displacement between walls at a distance l", "D t / l^2", "<x^2> / l^2")
            .log(true, true)
            .theory(
                "series",
                (0..=60)
                    .map(|k| 10f64.powf(-3.0 + f64::from(k) * 0.06))
                    .map(|t| [t, confined(t)])
                    .collect(),
            );
    let (particles, step, steps) = (400, 0.1, context.either(1000, 5000));
    let mut engine = between_walls(context.seed(0), particles, step)?;
    let mut path = vec![unwrapped(&engine)];
    for _ in 0..steps {
        advance(&mut engine, 1)?;
        path.push(unwrapped(&engine));
    }
    let mut points = Vec::new();
    let mut errors = Vec::new();
    for interval in [1, 5, 20, 60, 200] {
        let of_particle = |i: usize| {
            let squared =
                (interval..=steps).map(|k| (path[k][i] - path[k - interval][i]).norm_squared());
            squared.sum::<f64>() / (3 * (steps + 1 - interval)) as f64
        };
        // Particles are independent of each other: each is a block.
        let blocks: Vec<f64> = (0..particles).map(of_particle).collect();
        let spread = step * step / 2.0 * interval as f64;
        let what = format!("between walls, s = 0.1 l: <x^2> over {interval} steps");
        let finding = mean_of_blocks(&what, &blocks, confined(spread));
        points.push([spread, finding.measured]);
        errors.push(finding.error);
        findings.add(finding);
    }
    findings.show(picture.measured("walls along 3 axes", points, errors));
    Ok(())
}

/// From one place, <cos(n pi x/l)> falls as exp(-n^2 pi^2 D t/l^2), whatever the time step.
fn waves_decay(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    let (particles, place) = (context.either(3000, 30_000), 0.2);
    for (number, (step, steps)) in (1..).zip([(0.3, 1), (0.05, 36)]) {
        let start = Seed { species: 0, position: Vector([place + SPECK; 3]) };
        let mut engine = closed(step).seed(context.seed(number)).with(&vec![start; particles])?;
        advance(&mut engine, steps)?;
        let spread = 0.5 * step * step * steps as f64;
        let wave = |n: usize, x: f64| libm::cos(n as f64 * PI * x);
        let decay = |n: usize| libm::exp(-(n as f64 * PI).powi(2) * spread);
        let expected: Vec<f64> = (1..=5).map(|n| wave(n, place) * decay(n)).collect();
        let along = |x: f64| (1..=5).map(|n| wave(n, x - SPECK)).collect();
        let rows: Vec<Vec<f64>> =
            engine.particles().position.iter().flat_map(|x| x.0).map(along).collect();
        let what = format!("density waves between walls after {steps} steps of s = {step} l");
        findings.add(means_of_blocks(&what, &rows, &expected));
    }
    Ok(())
}

/// Particles cross a small periodic box again and again; periods must be counted without a slip.
fn across_the_box<const D: usize>(
    context: &Context,
    findings: &mut Findings,
) -> Result<(), CheckError> {
    let (particles, interval, intervals) = (100, 100, context.either(60, 600));
    let step = 0.3;
    let world = World::<D>::periodic(1.0)
        .species(SPECK, step * step / 2.0)
        .seed(context.seed(10 + D as u64));
    let mut engine = world.ghosts().with(&on_lattice(1.0, particles, 1))?;
    let mut last = unwrapped(&engine);
    let mut squares = 0.0;
    for _ in 0..intervals {
        advance(&mut engine, interval)?;
        let now = unwrapped(&engine);
        squares +=
            now.iter().zip(&last).map(|(now, last)| (*now - *last).norm_squared()).sum::<f64>();
        last = now;
    }
    let what = format!("{D}D, periodic, s = 0.3 L: <x^2>/L^2 over {interval} steps");
    findings.add(variance(
        &what,
        squares,
        D * particles * intervals,
        step * step * interval as f64,
    ));
    Ok(())
}

/// What each particle has to do with the six faces.
struct WallLog {
    /// \[particle\]\[face\]
    contacts: Vec<Vec<f64>>,
    /// Of what is uniform if approaches are Rayleigh distributed. \[particle\]\[wave\]
    waves: Vec<Vec<f64>>,
    /// The width of a step per axis.
    step: f64,
}

impl Observer<3> for WallLog {
    fn wants_contacts(&self) -> bool {
        true
    }
    fn contact(&mut self, contact: &Contact<3>) -> Result<(), ObserverError> {
        if let Partner::Wall(face) = contact.partner {
            self.contacts[contact.id as usize][face.index()] += 1.0;
            let slower = -libm::expm1(-0.5 * (contact.approach / self.step).powi(2));
            add_waves(&mut self.waves[contact.id as usize], slower);
        }
        Ok(())
    }
}

/// How often walls are met, and how fast.
pub(super) fn contacts_with_walls(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let (particles, times) = (500, context.either(1, 10));
    for (number, (step, steps)) in (0..).zip([(0.5, 500 * times), (0.02, 4000 * times)]) {
        let mut engine = between_walls(context.seed(number), particles, step)?;
        let mut log = WallLog {
            contacts: vec![vec![0.0; 6]; particles],
            waves: vec![vec![0.0; 6]; particles],
            step,
        };
        for _ in 0..steps {
            engine.step(&mut log)?;
        }
        // Particles are independent of each other: each is a block.
        let all: Vec<f64> = log
            .contacts
            .iter()
            .map(|faces| faces.iter().sum::<f64>() / (6 * steps) as f64)
            .collect();
        let expected = step / (2.0 * PI).sqrt();
        let what =
            format!("s = {step} l: contacts per particle, step and wall, n A s / sqrt(2 pi)");
        findings.add(mean_of_blocks(&what, &all, expected));
        log.contacts.iter_mut().flatten().for_each(|n| *n /= steps as f64);
        let what = format!("s = {step} l: the same for each of the six walls");
        findings.add(means_of_blocks(&what, &by_tens(&log.contacts), &[expected; 6]));
        // Fast particles of a long step meet two walls, with the same speed.
        if step < 0.1 {
            let what = format!("s = {step} l: speeds at the walls beside Rayleigh's distribution");
            findings.add(means_of_blocks(&what, &by_tens(&log.waves), &[0.0; 6]));
        }
    }
    rods_between_walls(context, &mut findings)?;
    Ok(findings)
}

/// The means over ten particles each: few contacts of one particle are far from Gaussian.
fn by_tens(particles: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mean = |ten: &[Vec<f64>]| {
        (0..6)
            .map(|k| ten.iter().map(|particle| particle[k]).sum::<f64>() / ten.len() as f64)
            .collect()
    };
    particles.chunks(10).map(mean).collect()
}

/// Hard rods fill the gaps between each other and the walls like points thrown at random, so that n
/// rods on a line with free length f meet each wall n / f times s / sqrt(2 pi) a step, at any
/// density.
fn rods_between_walls(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    let (n, free, step, steps) = (20, 10.0, 0.2, context.either(200, 2000));
    let mut blocks = Vec::new();
    for number in 0..200 {
        let seed = context.seed(100 + number);
        let world = World::<1>::closed(free + f64::from(n))
            .timestep(step * step / 2.0)
            .species(0.5, 1.0)
            .seed(seed);
        let mut engine = world.with(&thrown_rods(seed, n as usize, free))?;
        advance(&mut engine, steps)?;
        blocks.push(engine.tally().wall_contacts as f64 / (2 * steps) as f64);
    }
    let expected = f64::from(n) / free * step / (2.0 * PI).sqrt();
    findings.add(mean_of_blocks(
        "rods at 67 % between walls: contacts per step and wall",
        &blocks,
        expected,
    ));
    Ok(())
}
