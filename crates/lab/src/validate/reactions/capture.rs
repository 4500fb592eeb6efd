//! How long a particle takes to find its one target, at any time step.

use std::f64::consts::PI;

use super::super::statistics::{mean_known, mean_of_blocks};
use super::super::{CheckError, Context, Findings, Picture};
use super::swarm::Swarms;
use jostle_core::rules::Chance;
use jostle_core::rules::rates::absorbing_radius;
use jostle_core::theory::{late_capture_time, mean_absorption_time, mean_capture_time};

/// Capture at every contact: steps, in contact distances, and edges of the box.
const ALWAYS: [(f64, f64); 2] = [(0.15, 4.0), (0.7, 10.0)];
/// One k_a at time steps a hundred times apart.
const SOMETIMES: [(f64, f64); 3] = [(0.1, 4.0), (0.316_227_766, 5.0), (1.0, 8.0)];

pub(super) fn in_space(context: &Context) -> Result<Findings, CheckError> {
    // half of the time goes into meeting
    captures::<3>(context, 4.0 * PI)
}

pub(super) fn in_the_plane(context: &Context) -> Result<Findings, CheckError> {
    captures::<2>(context, PI)
}

fn captures<const D: usize>(context: &Context, k_a: f64) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut points = Vec::new();
    let always = ALWAYS.map(|(s, edge)| (s, edge, Chance::Probability(1.0)));
    let sometimes = SOMETIMES.map(|(s, edge)| (s, edge, Chance::Intrinsic(k_a)));
    for (n, (s, edge, chance)) in always.into_iter().chain(sometimes).enumerate() {
        let swarms = Swarms::new(edge, s, chance, context.seed(n as u64));
        let point = mean_and_tail::<D>(&mut findings, &swarms, s, context.either(80, 1000))?;
        points.push((n >= ALWAYS.len(), point));
    }
    let of = |given: bool| points.iter().filter(move |(g, _)| *g == given);
    let drawn =
        |given: bool| -> Vec<[f64; 2]> { of(given).map(|(_, [s, mean, _])| [*s, *mean]).collect() };
    let errors = |given: bool| of(given).map(|(_, [.., error])| *error).collect();
    let title = format!("Mean time to capture in a periodic box, {D}D");
    let picture =
        Picture::new(&title, "rms step over contact distance", "time over that of theory");
    let picture = picture.log(true, false).theory("theory", vec![[0.1, 1.0], [1.0, 1.0]]);
    let picture = picture.measured("at every contact", drawn(false), errors(false));
    findings.show(picture.measured("given k_a", drawn(true), errors(true)));
    Ok(findings)
}

/// Adds the mean time, and the law of those that take long. Gives the step, the mean and its error
/// over what theory says.
fn mean_and_tail<const D: usize>(
    findings: &mut Findings,
    swarms: &Swarms,
    s: f64,
    count: usize,
) -> Result<[f64; 3], CheckError> {
    let (edge, k_a) = (swarms.edge, swarms.intrinsic::<D>()?);
    let times = swarms.captures::<D>(count, f64::INFINITY)?;
    let room = edge.powi(D as i32) - if D == 3 { 4.0 * PI / 3.0 } else { PI };
    let always = swarms.chance == Chance::Probability(1.0);
    // The calibration by p adds two terms of which the sum is up to 1.1 % larger than what happens
    // near p = 0.5, and right for p = 1. Where in its step the capture falls is worth half a step
    // at most.
    let (how, expected, calibration) = match absorbing_radius(D, s).filter(|_| always) {
        Some(radius) => {
            ("capture at every contact", mean_absorption_time::<D>(edge, radius, 1.0, 1.0), 0.0)
        }
        None => ("given k_a", mean_capture_time::<D>(edge, k_a, 1.0, 1.0), 0.011 * room / k_a),
    };
    let what = format!("{D}D, {how}, s = {s:.2} R");
    let means: Vec<f64> =
        times.iter().map(|swarm| swarm.iter().sum::<f64>() / swarm.len() as f64).collect();
    let finding = mean_of_blocks(&format!("{what}: mean time"), &means, expected);
    let finding = finding.with_bias(calibration + 0.5 * swarms.timestep);
    let point = [s, finding.measured / expected, finding.error / expected];
    findings.add(finding);
    if always {
        // There the law of late times is not known well enough: the target spans too much of the
        // box.
        return Ok(point);
    }
    // All other modes have died out by then, the slowest as exp(-(2 pi/L)² D t): what is left is
    // exponential.
    let (since, scale) = (0.2 * edge * edge, late_capture_time::<D>(edge, k_a, 1.0, 1.0));
    let late: Vec<f64> =
        times.into_iter().flatten().filter(|&time| time > since).map(|time| time - since).collect();
    let finding = mean_known(
        &format!("{what}: mean of what is left after t = 0.2 L²/D"),
        &late,
        scale,
        scale,
    );
    findings.add(finding.with_bias(calibration));
    Ok(point)
}
