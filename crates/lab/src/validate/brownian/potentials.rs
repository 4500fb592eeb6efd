//! Particles that attract or repel each other: the equilibrium is that of the potential at any time
//! step. Square-well spheres are compared with a Monte Carlo reference of a few lines, a rigid dimer
//! beside a sphere with an integral.

use super::super::statistics::{mean_and_error, mean_of_blocks};
use super::super::world::{World, advance};
use super::super::{CheckError, Context, Findings, Picture};
use jostle_brownian::Seed;
use jostle_core::clusters::Bond;
use jostle_core::potentials::{Potentials, StepPotential};
use jostle_core::random::{Purpose, Random};
use jostle_core::rules::{Chance, ContactRule, RuleSet};
use jostle_core::search::Kind;
use jostle_core::space::{Domain, Vector};

/// Particles of a fluid, of diameter 1: so few that droplets come and go quickly.
const PARTICLES: usize = 32;
/// Where the well ends.
const RANGE: f64 = 1.5;
/// Pairs are counted up to these distances.
const BINS: [f64; 3] = [1.1, RANGE, 1.9];
/// What is compared: pairs in each bin per particle, and the pressure over that of an ideal gas.
type Means = [f64; BINS.len() + 1];
/// The last of [`Means`].
const PRESSURE: usize = BINS.len();

pub(super) fn square_wells(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    for (n, (phi, depth)) in
        [(0.1, 0.5), (0.1, 1.0), (0.3, 0.5), (0.3, 1.0), (0.1, -1.0)].into_iter().enumerate()
    {
        fluid(context, &mut findings, n as u64, phi, depth)?;
    }
    dimer(context, &mut findings)?;
    Ok(findings)
}

/// Pairs per particle up to each distance of [`BINS`], beyond the one before.
fn pairs(domain: &Domain<3>, places: &[Vector<3>]) -> Means {
    let mut counts = Means::default();
    for (n, a) in places.iter().enumerate() {
        for b in &places[..n] {
            let apart = domain.nearest_image(*b - *a).norm();
            if let Some(bin) = BINS.iter().position(|end| apart < *end) {
                counts[bin] += 1.0 / places.len() as f64;
            }
        }
    }
    counts
}

fn fluid(
    context: &Context,
    findings: &mut Findings,
    number: u64,
    phi: f64,
    depth: f64,
) -> Result<(), CheckError> {
    let edge = libm::cbrt(PARTICLES as f64 * std::f64::consts::PI / 6.0 / phi);
    let well = StepPotential::new(vec![RANGE], vec![-depth]);
    let sweeps = context.either(800, 15_000);
    let reference = metropolis(edge, depth, sweeps, context.seed(100 * number));
    let means = [0, 1, 2, PRESSURE]
        .map(|n| mean_and_error(&reference.iter().map(|block| block[n]).collect::<Vec<_>>()));
    let kind = if depth > 0.0 { "wells" } else { "shoulders" };
    for (n, step) in [0.05, 0.2, 0.6].into_iter().enumerate() {
        let mut world = World::<3>::periodic(edge).timestep(0.5 * step * step);
        // Half of them diffuse sixteen times as fast as the others, which the equilibrium must not show.
        world = world.species(0.5, 0.2).species(0.5, 3.2);
        world = world.seed(context.seed(100 * number + 1 + n as u64));
        let all = [[0, 0], [0, 1], [1, 1]].map(|pair| (pair, &well));
        world.potentials = Potentials::new(&[Some(0.5); 2], all);
        let places = face_centred(edge);
        let seeds: [Seed<3>; PARTICLES] =
            std::array::from_fn(|n| Seed { species: (n % 2) as u16, position: places[n] });
        let mut engine = world.with(&seeds)?;
        // In which a particle diffuses by about half its diameter.
        let apart = (0.2 / (step * step)).ceil().max(2.0) as usize;
        advance(&mut engine, 30 * apart)?;
        let frames = context.either(10, 200);
        let mut blocks = Vec::new();
        for _ in 0..24 {
            let mut sum = Means::default();
            let before = engine.view().virial.unwrap_or(f64::NAN);
            for _ in 0..frames {
                advance(&mut engine, apart)?;
                let counts = pairs(&world.domain, &engine.particles().position);
                (0..BINS.len()).for_each(|bin| sum[bin] += counts[bin] / frames as f64);
            }
            let virial = engine.view().virial.unwrap_or(f64::NAN) - before;
            sum[PRESSURE] = 1.0 + virial / (3 * PARTICLES * frames * apart) as f64;
            blocks.push(sum);
        }
        for (n, (mean, error)) in means.into_iter().enumerate() {
            let what = match n {
                PRESSURE => "P V/(N kT)".to_owned(),
                0 => format!("pairs per particle from 1 to {}", BINS[0]),
                _ => format!("pairs per particle from {} to {}", BINS[n - 1], BINS[n]),
            };
            let name = format!(
                "{kind} of {} kT at {:.0} %, steps of {step} diameters: {what}",
                depth.abs(),
                100.0 * phi,
            );
            let column: Vec<f64> = blocks.iter().map(|block| block[n]).collect();
            findings.add(mean_of_blocks(&name, &column, mean).beside_measured(error));
        }
    }
    Ok(())
}

/// All particles on a face-centred cubic lattice of two cells along each axis.
fn face_centred(edge: f64) -> [Vector<3>; PARTICLES] {
    const BASIS: [[f64; 3]; 4] =
        [[0.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]];
    std::array::from_fn(|n| {
        let cell = [n & 1, n >> 1 & 1, n >> 2 & 1];
        Vector::from_fn(|k| 0.5 * edge * (cell[k] as f64 + BASIS[n / 8][k] + 0.25))
    })
}

/// By how much less volume the free energy is found, for the pressure.
const COMPRESSIONS: [f64; 2] = [0.01, 0.02];

/// The Boltzmann factor of what it costs to compress the box by each of [`COMPRESSIONS`].
fn compressed(domain: &Domain<3>, places: &[Vector<3>], depth: f64) -> [f64; 2] {
    let mut weights = [1.0; 2];
    for (n, a) in places.iter().enumerate() {
        for b in &places[..n] {
            let before = domain.nearest_image(*b - *a).norm();
            for (weight, compression) in weights.iter_mut().zip(COMPRESSIONS) {
                let after = before * libm::cbrt(1.0 - compression);
                if after < 1.0 {
                    *weight = 0.0;
                } else if before >= RANGE && after < RANGE {
                    *weight *= libm::exp(depth);
                }
            }
        }
    }
    weights
}

/// [`Means`] in independent blocks of a Monte Carlo run (Metropolis et al. 1953) of the same
/// fluid, which shares nothing with the engine but the definition of the potential. The pressure is that of
/// virtual changes of the volume (Eppenga and Frenkel 1984), extrapolated to small ones.
fn metropolis(edge: f64, depth: f64, sweeps: usize, seed: u64) -> Vec<Means> {
    const BLOCKS: usize = 24;
    let domain = Domain::new([edge; 3], [true; 3]);
    let mut places = face_centred(edge);
    let random = Random::new(seed);
    let mut number = 0;
    let mut draw = || {
        number += 1;
        random.uniform(Purpose::Placement, [number, 0, 0, 0])
    };
    let mut blocks = Vec::new();
    for block in 0..=BLOCKS {
        let mut sum = Means::default();
        let mut weights = [0.0; 2];
        let samples = sweeps.div_ceil(5);
        for _ in 0..samples {
            for _ in 0..5 * PARTICLES {
                let mover = ((draw() * PARTICLES as f64) as usize).min(PARTICLES - 1);
                let shift = Vector::from_fn(|_| 0.6 * (draw() - 0.5));
                let place = domain.wrap(places[mover] + shift).0;
                let energy = |at: Vector<3>| {
                    let mut energy = 0.0;
                    for (n, other) in places.iter().enumerate() {
                        let squared = domain.nearest_image(*other - at).norm_squared();
                        if n != mover && squared < RANGE * RANGE {
                            energy -= if squared < 1.0 { f64::NEG_INFINITY } else { depth };
                        }
                    }
                    energy
                };
                let rise = energy(place) - energy(places[mover]);
                if rise <= 0.0 || draw() < libm::exp(-rise) {
                    places[mover] = place;
                }
            }
            let counts = pairs(&domain, &places);
            (0..BINS.len()).for_each(|bin| sum[bin] += counts[bin] / samples as f64);
            let now = compressed(&domain, &places, depth);
            (0..2).for_each(|n| weights[n] += now[n] / samples as f64);
        }
        // The change of the free energy over that of the volume, N kT ln(V'/V) being that of an ideal gas.
        let pressure = |n: usize| {
            let particles = PARTICLES as f64;
            let change = particles * libm::log1p(-COMPRESSIONS[n]) + libm::log(weights[n]);
            -change / (COMPRESSIONS[n] * particles)
        };
        sum[PRESSURE] = 2.0 * pressure(0) - pressure(1);
        // The first melts the lattice.
        if block > 0 {
            blocks.push(sum);
        }
    }
    blocks
}

/// A rigid dimer and a sphere that attracts both of its parts: how often it is in two wells at once,
/// and in one. Rotations that cost energy are accepted by chance, those of the sphere do not exist.
fn dimer(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    const EDGE: f64 = 5.0;
    let well = StepPotential::new(vec![1.4], vec![-1.5]);
    let contact = vec![ContactRule::bond("bind", [0, 0], Chance::Probability(1.0))];
    let weights = wells_of_dimer(EDGE, 1.4, 1.5);
    let mut picture = Picture::new(
        "A sphere beside a rigid dimer",
        "rms step over diameter",
        "share of time in the wells of both parts",
    );
    picture = picture.log(true, false).theory("exact", vec![[0.1, weights[2]], [1.0, weights[2]]]);
    let (mut points, mut errors) = (Vec::new(), Vec::new());
    for (n, step) in [0.1, 0.3, 1.0].into_iter().enumerate() {
        let mut world = World::<3>::periodic(EDGE).timestep(0.5 * step * step).search(Kind::Naive);
        world = world.species(0.5, 1.0).species(0.5, 1.0).seed(context.seed(900 + n as u64));
        world.rules = RuleSet { contact: contact.clone(), ..RuleSet::default() };
        world.potentials = Potentials::new(&[Some(0.5); 2], [([0, 1], &well)]);
        let places = [[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [3.5, 3.5, 3.5]];
        let seed = |n: usize| Seed { species: (n / 2) as u16, position: Vector(places[n]) };
        let mut engine = world.bonded(&[0, 1, 2].map(seed), &[Bond::new([0, 1], 0)])?;
        let steps = (context.either(1000.0, 20_000.0) * (0.3 / step).max(0.5)) as usize;
        let mut blocks = Vec::new();
        for _ in 0..50 {
            let mut counts = [0.0; 3];
            for _ in 0..steps {
                advance(&mut engine, 1)?;
                let p = engine.particles();
                let place = |id: u64| p.position[p.id.iter().position(|x| *x == id).unwrap_or(0)];
                let near = |id: u64| world.domain.nearest_image(place(2) - place(id)).norm() < 1.4;
                counts[[0, 1].into_iter().filter(|id| near(*id)).count()] += 1.0 / steps as f64;
            }
            blocks.push(counts);
        }
        for wells in [1, 2] {
            let name = format!(
                "dimer and sphere, steps of {step} diameters: share of time in {wells} wells"
            );
            let column: Vec<f64> = blocks.iter().map(|block| block[wells]).collect();
            let finding = mean_of_blocks(&name, &column, weights[wells]);
            if wells == 2 {
                points.push([step, finding.measured]);
                errors.push(finding.error);
            }
            findings.add(finding);
        }
    }
    findings.show(picture.measured("measured", points, errors));
    Ok(())
}

/// The shares of places where a sphere is in so many wells of a dimer, weighted with exp(−U): by the
/// midpoint rule in cylindrical coordinates, and the rest of the box.
fn wells_of_dimer(edge: f64, range: f64, depth: f64) -> [f64; 3] {
    const CELLS: usize = 4000;
    let mut volume = [0.0; 3];
    let mut occupied = 0.0;
    // The dimer lies along x, its parts at ± 1/2: by symmetry, half of it is enough.
    let (length, width) = (0.5 + range, range);
    for i in 0..CELLS {
        let x = length * (i as f64 + 0.5) / CELLS as f64;
        for j in 0..CELLS / 2 {
            let r = width * (j as f64 + 0.5) / (CELLS / 2) as f64;
            let cell = 2.0
                * 2.0
                * std::f64::consts::PI
                * r
                * (length / CELLS as f64)
                * (width / (CELLS / 2) as f64);
            let apart = [x - 0.5, x + 0.5].map(|x| x * x + r * r);
            if apart.iter().any(|squared| *squared < 1.0) {
                occupied += cell;
            } else {
                volume[apart.iter().filter(|squared| **squared < range * range).count()] += cell;
            }
        }
    }
    volume[0] = edge.powi(3) - occupied - volume[1] - volume[2];
    let weights = [0, 1, 2].map(|wells| volume[wells] * libm::exp(depth * wells as f64));
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}
