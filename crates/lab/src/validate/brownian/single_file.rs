//! Rods on a ring, which cannot pass each other.

use super::super::statistics::{exact, mean_of_blocks};
use super::super::world::{World, advance, thrown_rods, unwrapped};
use super::super::{CheckError, Context, Findings, Picture};
use jostle_core::theory;

/// How many rods of length 1, and how much of the ring they leave free for each.
const RODS: usize = 250;
const GAP: f64 = 1.0;
/// The rms step, of the order of the gap: rods meet several others in each.
const STEP: f64 = 1.0;

/// <x^2> from an equilibrium start, at every time; exact for any time step.
pub(super) fn displacements(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let lags = [1, 4, 16, 64, 256];
    let steps = 2 * lags[lags.len() - 1];
    let mut blocks = vec![Vec::new(); lags.len()];
    let mut passed = 0;
    for number in 0..context.either(100, 500) {
        let seed = context.seed(number);
        let free = RODS as f64 * GAP;
        let world =
            World::<1>::periodic(RODS as f64 + free).timestep(STEP * STEP / 2.0).species(0.5, 1.0);
        let mut engine = world.seed(seed).with(&thrown_rods(seed, RODS, free))?;
        let mut path = vec![unwrapped(&engine)];
        for _ in 0..steps {
            advance(&mut engine, 1)?;
            path.push(unwrapped(&engine));
        }
        passed +=
            path.iter().flat_map(|rods| rods.windows(2)).filter(|w| w[1][0] < w[0][0]).count();
        for (blocks, &lag) in blocks.iter_mut().zip(&lags) {
            blocks.push(mean_squared(&path, lag));
        }
    }
    findings.add(exact("rods that have passed their neighbour", passed as f64, 0.0, 0.5));
    let law = |time: f64| theory::single_file(RODS, GAP, 1.0, time);
    let mut points = Vec::new();
    let mut errors = Vec::new();
    for (blocks, lag) in blocks.iter().zip(lags) {
        let time = STEP * STEP / 2.0 * lag as f64;
        let what = format!("rods at 50 %, gap 1: <x^2> at D t = {time}");
        let finding = mean_of_blocks(&what, blocks, law(time));
        points.push([time, finding.measured]);
        errors.push(finding.error);
        findings.add(finding);
    }
    let times: Vec<f64> = (0..=40).map(|k| 10f64.powf(-1.5 + f64::from(k) * 0.1)).collect();
    let line = |law: &dyn Fn(f64) -> f64| times.iter().map(|&t| [t, law(t)]).collect();
    findings.show(
        Picture::new("Rods in single file", "D t / gap^2", "<x^2> / gap^2")
            .log(true, true)
            .theory("exact", line(&law))
            .theory("gap 2 sqrt(D t/pi)", line(&|t| theory::single_file_limit(GAP, 1.0, t)))
            .theory("free, 2 D t", line(&|t| 2.0 * t))
            .measured("rods", points, errors),
    );
    Ok(findings)
}

/// Over all rods and all starts within the path.
fn mean_squared(path: &[Vec<jostle_core::space::Vector<1>>], lag: usize) -> f64 {
    let starts = path.len() - lag;
    let squares = (0..starts).map(|k| {
        path[k + lag]
            .iter()
            .zip(&path[k])
            .map(|(now, then)| (now[0] - then[0]).powi(2))
            .sum::<f64>()
    });
    squares.sum::<f64>() / (starts * RODS) as f64
}
