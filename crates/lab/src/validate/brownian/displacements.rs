//! The steps of free particles: Gaussian, and independent of each other.

use std::f64::consts::PI;

use super::super::statistics::{follows, known_error, mean_known, normal_distribution};
use super::super::world::{World, advance, on_lattice, unwrapped};
use super::super::{CheckError, Context, Findings, Picture};
use super::SPECK;
use jostle_core::space::Vector;

/// All displacements of a free run in units of their width, \[step\]\[particle\].
fn displacements<const D: usize>(
    seed: u64,
    particles: usize,
    steps: usize,
) -> Result<Vec<Vec<Vector<D>>>, CheckError> {
    let world = World::<D>::periodic(1000.0).timestep(2.0).species(SPECK, 0.25).ghosts().seed(seed);
    let mut engine = world.with(&on_lattice(1000.0, particles, 1))?;
    let mut last = unwrapped(&engine);
    let mut step = || {
        advance(&mut engine, 1)?;
        let now = unwrapped(&engine);
        let moved = now.iter().zip(&last).map(|(now, last)| *now - *last).collect();
        last = now;
        Ok(moved)
    };
    (0..steps).map(|_| step()).collect()
}

/// Moments, correlations, and the distribution itself, of steps in space.
pub(super) fn steps_are_gaussian_and_independent(
    context: &Context,
) -> Result<Findings, CheckError> {
    let steps = displacements::<3>(context.seed(0), 500, context.either(700, 4000))?;
    let mut findings = Findings::default();
    let all: Vec<f64> = steps.iter().flatten().flat_map(|x| x.0).collect();
    let moments = [
        (1.0, 0.0, "mean"),
        (2.0, 1.0, "variance"),
        (15.0, 0.0, "third moment"),
        (96.0, 3.0, "fourth moment"),
    ];
    for (power, (variance, expected, name)) in (1..).zip(moments) {
        let powers: Vec<f64> = all.iter().map(|x| x.powi(power)).collect();
        findings.add(mean_known(
            &format!("{name} of steps in units of sqrt(2 D dt)"),
            &powers,
            expected,
            f64::sqrt(variance),
        ));
    }
    let mut uncorrelated = |what: &str, products: Vec<f64>| {
        findings.add(mean_known(&format!("correlation {what}"), &products, 0.0, 1.0));
    };
    for (lag, name) in [(1, "with the next step"), (2, "with the step after next")] {
        let pairs = steps.iter().zip(&steps[lag..]).flat_map(|(a, b)| a.iter().zip(b));
        uncorrelated(name, pairs.flat_map(|(a, b)| (0..3).map(|k| a[k] * b[k])).collect());
    }
    let axes = steps.iter().flatten().flat_map(|x| [x[0] * x[1], x[1] * x[2], x[2] * x[0]]);
    uncorrelated("of two axes", axes.collect());
    let particles = steps.iter().flat_map(|step| step.windows(2));
    uncorrelated(
        "of a particle and the next one",
        particles.flat_map(|w| (0..3).map(|k| w[0][k] * w[1][k])).collect(),
    );
    findings.show(Picture::beside_gaussian(
        "Steps of free particles",
        "step along an axis / sqrt(2 D dt)",
        &all,
    ));
    findings.add(follows("steps along an axis beside the Gaussian", all, normal_distribution));
    radial_laws(context, &mut findings)?;
    Ok(findings)
}

/// r^2/4Dt is exponential in the plane, and r has Maxwell's distribution in space.
fn radial_laws(context: &Context, findings: &mut Findings) -> Result<(), CheckError> {
    let steps = context.either(300, 3000);
    let in_plane = displacements::<2>(context.seed(1), 500, steps)?;
    let squares = in_plane.iter().flatten().map(|x| x.norm_squared() / 2.0).collect();
    findings
        .add(follows("r^2/4Dt in the plane beside the exponential", squares, |x| -libm::expm1(-x)));
    let in_space = displacements::<3>(context.seed(2), 500, steps)?;
    let distances = in_space.iter().flatten().map(|x| x.norm()).collect();
    let maxwell = |r: f64| {
        2.0 * normal_distribution(r) - 1.0 - (2.0 / PI).sqrt() * r * libm::exp(-r * r / 2.0)
    };
    findings.add(follows("r in space beside Maxwell's distribution", distances, maxwell));
    let squared: Vec<f64> = in_space.iter().flatten().map(|x| x.norm_squared()).collect();
    let n = squared.len();
    let mean = squared.iter().sum::<f64>() / n as f64;
    findings.add(known_error("<r^2>/2Dt in space", mean, 3.0, (6.0 / n as f64).sqrt(), n));
    Ok(())
}
