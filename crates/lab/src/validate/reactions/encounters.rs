//! How many particles have met a target at rest, while the region around it empties.

use std::f64::consts::PI;

use super::super::statistics::known_error;
use super::super::{CheckError, Context, Findings, Picture};
use super::swarm::{SWARM, Swarms};
use jostle_core::rules::Chance;
use jostle_core::rules::rates::ReactingPair;
use jostle_core::theory::encounters;

/// So wide that no particle comes from one image of the target to the next within [`UNTIL`].
const EDGE: f64 = 6.0;
const UNTIL: f64 = 1.0;

pub(super) fn in_space(context: &Context) -> Result<Findings, CheckError> {
    all::<3>(context, 4.0 * PI)
}

pub(super) fn in_the_plane(context: &Context) -> Result<Findings, CheckError> {
    all::<2>(context, PI)
}

fn all<const D: usize>(context: &Context, k_a: f64) -> Result<Findings, CheckError> {
    let mut cases = vec![
        (0.1, Chance::Probability(1.0)),
        (0.2, Chance::Probability(1.0)),
        (0.1, Chance::Intrinsic(k_a)),
        (0.2, Chance::Intrinsic(k_a)),
        (0.2, Chance::Intrinsic(0.25 * k_a)),
    ];
    cases.extend(context.either(vec![], vec![(0.05, cases[0].1), (0.05, cases[2].1)]));
    let mut findings = Findings::default();
    let title = format!("Encounters with a target at rest, {D}D");
    let mut picture = Picture::new(&title, "time", "encounters at unit density").log(true, true);
    for (n, (s, chance)) in cases.into_iter().enumerate() {
        let swarms = Swarms::new(EDGE, s, chance, context.seed(n as u64));
        let count = context.either(500.0, 40_000.0 * s) as usize;
        let mut times: Vec<f64> =
            swarms.captures::<D>(count, UNTIL)?.into_iter().flatten().collect();
        times.sort_unstable_by(f64::total_cmp);
        let what = compare::<D>(&mut findings, &swarms, s, &times, count * SWARM)?;
        let [theory, measured] = curves::<D>(&swarms, &times, count * SWARM)?;
        picture = picture.theory(&what, theory).measured(&what, measured, Vec::new());
    }
    findings.show(picture);
    Ok(findings)
}

/// Adds the numbers captured up to some moments. Gives the name of the case.
fn compare<const D: usize>(
    findings: &mut Findings,
    swarms: &Swarms,
    s: f64,
    times: &[f64],
    walkers: usize,
) -> Result<String, CheckError> {
    let k_a = swarms.intrinsic::<D>()?;
    let what = match swarms.chance {
        Chance::Probability(_) => format!("at every contact, s = {s} R"),
        _ => format!("k_a = {k_a:.2} D{}, s = {s} R", ["", "", " R"][D - 1]),
    };
    let p = match swarms.chance {
        Chance::Probability(p) => p,
        _ => ReactingPair::new(D, 1.0, 1.0)?.probability(k_a, swarms.timestep)?,
    };
    let room = room::<D>();
    let up_to = |t: f64| times.partition_point(|&time| time <= t) as f64;
    for t in [0.25 * UNTIL, UNTIL] {
        // Whole steps: theory holds for where particles are then.
        let t = (t / swarms.timestep).round() * swarms.timestep;
        let per_density = encounters::<D>(k_a, 1.0, 1.0, t);
        let share = per_density / room;
        let n = walkers as f64;
        let error = (n * share * (1.0 - share)).sqrt();
        // With the offset of the straight path in k_a, what is left is of second order in s: 1.1 s²
        // for capture at every contact in 3D, by the integral equation of straight steps solved
        // numerically, and of third order as p -> 0. The calibration by p is up to 1.1 % of the
        // time that the reaction takes.
        let calibration = if p < 1.0 { 0.011 * per_density / t / k_a } else { 0.0 };
        let bias = 1.2 * s * s * p / per_density + calibration;
        let name = format!("{D}D, {what}: encounters up to t = {t:.3} R²/D over theory");
        let finding =
            known_error(&name, up_to(t) / (n * share), 1.0, error / (n * share), up_to(t) as usize);
        findings.add(finding.with_bias(bias));
    }
    Ok(what)
}

/// The volume outside contact.
fn room<const D: usize>() -> f64 {
    EDGE.powi(D as i32) - if D == 3 { 4.0 * PI / 3.0 } else { PI }
}

/// Encounters at unit density in time: of theory, and as found.
fn curves<const D: usize>(
    swarms: &Swarms,
    times: &[f64],
    walkers: usize,
) -> Result<[Vec<[f64; 2]>; 2], CheckError> {
    let k_a = swarms.intrinsic::<D>()?;
    let moments: Vec<f64> = (0..30).map(|k| 0.02 * libm::pow(50.0, f64::from(k) / 29.0)).collect();
    let up_to = |t: f64| times.partition_point(|&time| time <= t) as f64;
    let found = |t: &f64| [*t, up_to(*t) / walkers as f64 * room::<D>()];
    let theory = moments.iter().map(|&t| [t, encounters::<D>(k_a, 1.0, 1.0, t)]).collect();
    Ok([theory, moments.iter().step_by(3).map(found).collect()])
}
