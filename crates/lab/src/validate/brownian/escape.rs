//! Escape from a well: how long it takes until a particle that is attracted by a fixed one is far from
//! it, beside the equation of Smoluchowski, and how fast the mean converges with the time step.

use super::super::statistics::{known_error, mean_and_error};
use super::super::world::{World, advance};
use super::super::{CheckError, Context, Findings, Picture};
use jostle_brownian::Seed;
use jostle_core::potentials::{Potentials, StepPotential};
use jostle_core::random::Random;
use jostle_core::rules::{Action, ContactRule};
use jostle_core::space::Vector;

/// Where the well ends, the distance of contact being 1, and how deep it is. \[kT\]
const RANGE: f64 = 1.5;
const DEPTH: f64 = 2.0;
/// Where particles start, and where they have escaped.
const START: f64 = 1.25;
const END: f64 = 2.5;
/// Groups of particles in the quick and the full form, and how many are in each.
const GROUPS: [u64; 2] = [40, 300];
const EACH: usize = 60;
/// The rms step along an axis.
const STEPS: [f64; 4] = [0.05, 0.1, 0.2, 0.4];
pub(super) fn from_well(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let picture = Picture::new(
        "Escape from a well of 2 kT",
        "rms step over distance of contact",
        "mean time [contact²/D]",
    );
    let (mut points, mut errors) = (Vec::new(), Vec::new());
    for (n, step) in STEPS.into_iter().enumerate() {
        let (mean, error) = mean_and_error(&escapes(context, context.seed(n as u64), step)?);
        points.push([step, mean]);
        errors.push(error);
    }
    let exact = mean_time();
    let ([limit, slope, _], [error, ..]) = parabola(&points, &errors);
    let samples = STEPS.len() * context.either(GROUPS[0], GROUPS[1]) as usize * EACH;
    let name = "mean time to escape, extrapolated to steps of 0";
    findings.add(known_error(name, limit, exact, error, samples));
    // How fast the longest steps converge: the logarithm of a ratio, each with its error.
    let [(near, near_error), (far, far_error)] =
        [1, 3].map(|n| (points[n][1] - exact, errors[n] / (points[n][1] - exact)));
    let order = 0.5 * libm::log2(far / near);
    let error = 0.5 * near_error.hypot(far_error) / std::f64::consts::LN_2;
    // Steps of finite length have the next order, too.
    let name = "order of its error in the step";
    findings.add(known_error(name, order, 1.0, error, samples).with_bias(0.35));
    findings.remark(format!("it grows by {slope:.2} for each contact distance of the step"));
    let theory = vec![[0.0, exact], [STEPS[3], exact]];
    let picture = picture.theory("Smoluchowski", theory).measured("measured", points, errors);
    findings.show(picture);
    Ok(findings)
}

/// The parabola through points with these errors by least squares: its three coefficients, and their errors.
fn parabola(points: &[[f64; 2]], errors: &[f64]) -> ([f64; 3], [f64; 3]) {
    let (mut normal, mut right) = ([[0.0; 3]; 3], [0.0; 3]);
    for ([x, y], error) in points.iter().zip(errors) {
        let powers = [1.0, *x, x * x];
        for i in 0..3 {
            right[i] += powers[i] * y / (error * error);
            (0..3).for_each(|j| normal[i][j] += powers[i] * powers[j] / (error * error));
        }
    }
    let minor = |i: usize, j: usize| {
        let [a, b] = [(i + 1) % 3, (i + 2) % 3];
        let [c, d] = [(j + 1) % 3, (j + 2) % 3];
        normal[a][c] * normal[b][d] - normal[a][d] * normal[b][c]
    };
    let determinant: f64 = (0..3).map(|j| normal[0][j] * minor(0, j)).sum();
    // The matrix is symmetric, and so is its inverse.
    let inverse = |i: usize, j: usize| minor(i, j) / determinant;
    let coefficients = [0, 1, 2].map(|i| (0..3).map(|j| inverse(i, j) * right[j]).sum());
    (coefficients, [0, 1, 2].map(|i| inverse(i, i).sqrt()))
}

/// The mean time from [`START`] to [`END`] in units of the square of the contact distance over *D*:
/// ∫ y^(-2) e^U(y) ∫ z² e^(-U(z)) dz dy, the outer integral from the start to the end, the inner one from contact to y.
fn mean_time() -> f64 {
    const CELLS: usize = 100_000;
    let width = (END - START) / CELLS as f64;
    let cells = (0..CELLS).map(|n| {
        let y = START + (n as f64 + 0.5) * width;
        let within = y.min(RANGE).powi(3) - 1.0;
        let beyond = (y.powi(3) - RANGE.powi(3)).max(0.0);
        let inner = (within * libm::exp(DEPTH) + beyond) / 3.0;
        let outer = if y < RANGE { libm::exp(-DEPTH) } else { 1.0 };
        width * outer * inner / (y * y)
    });
    cells.sum()
}

/// The mean times of groups of particles, which do not interact with each other. Lists of neighbours hold those
/// that ignore each other, too, so a group is small.
fn escapes(context: &Context, seed: u64, step: f64) -> Result<Vec<f64>, CheckError> {
    let groups = context.either(GROUPS[0], GROUPS[1]);
    (0..groups).map(|group| mean_of_group(EACH, 1000 * seed + group, step)).collect()
}

fn mean_of_group(count: usize, seed: u64, step: f64) -> Result<f64, CheckError> {
    let well = StepPotential::new(vec![RANGE], vec![-DEPTH]);
    // Large enough that none comes round before it has escaped.
    let mut world = World::<3>::periodic(12.0).timestep(0.5 * step * step).seed(seed);
    world = world.species(0.5, 1.0).species(0.5, 0.0);
    world.potentials = Potentials::new(&[Some(0.5); 2], [([0, 1], &well)]);
    world.rules.contact = vec![ContactRule::plain("apart", [0, 0], Action::Ignore)];
    let random = Random::new(seed);
    let middle = Vector([6.0; 3]);
    let mut seeds = vec![Seed { species: 1, position: middle }];
    seeds.extend((0..count as u64).map(|n| {
        let away: Vector<3> = random.normal(u64::MAX, n);
        Seed { species: 0, position: middle + away * (START / away.norm()) }
    }));
    let mut engine = world.with(&seeds)?;
    let mut escaped = vec![false; seeds.len()];
    let (mut inside, mut steps, mut sum) = (count, 0_u64, 0_u64);
    while inside > 0 {
        advance(&mut engine, 1)?;
        steps += 1;
        let p = engine.particles();
        for (place, id) in p.position.iter().zip(&p.id).filter(|(_, id)| **id > 0) {
            let escaped = &mut escaped[*id as usize];
            if !*escaped && (*place - middle).norm() >= END {
                (*escaped, inside) = (true, inside - 1);
                sum += steps;
            }
        }
    }
    Ok(sum as f64 / count as f64 * world.timestep)
}
