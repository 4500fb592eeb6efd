//! The pair distribution where theory gives all of it: rods at any filling, thin fluids of disks
//! and spheres.

use super::super::statistics::{mean_and_error, mean_of_blocks, means_of_blocks};
use super::super::world::advance;
use super::super::{CheckError, Context, Findings, Picture};
use super::fluid::{Fluid, ball};
use super::pairs::PairDistribution;
use jostle_core::search::Kind;
use jostle_core::theory::{dilute_disks, percus_yevick, rods_on_a_ring};

/// The rms step of the runs along an axis, in diameters.
const STEP: f64 = 0.3;

/// Rods, disks, spheres.
pub(super) fn pair_distributions(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut picture = Picture::new("Pair distributions", "r / diameter", "g(r)");
    let rods = Fluid::<1>::of_equals(0.5, Kind::Endpoints);
    let (phi, n) = (rods.phi, rods.particles);
    let exact = move |r: f64| rods_on_a_ring(phi, n, r);
    let bounds = [1.0, 1.2, 1.5, 1.8, 2.0, 2.2, 2.6, 3.0, 3.5, 4.0];
    let seen = sample(context, &rods, &bounds)?;
    let means: Vec<f64> = bounds.windows(2).map(|w| shell_mean::<1>(&exact, w)).collect();
    findings.add(means_of_blocks(
        &format!("{}: g in shells from 1 to 4", rods.name()),
        &seen,
        &means,
    ));
    picture = drawn(picture, "rods, phi = 0.5", &bounds, &seen, 4.0, &exact);

    // Of second order in phi the closure lacks 0.6 phi^2 at contact, and less farther out; the
    // series of disks lacks 2.7 phi^3 at contact.
    let bounds = [1.0, 1.1, 1.3, 1.6, 2.0];
    let spheres = Fluid::<3>::of_equals(0.05, Kind::Slices);
    let closure = |r: f64| percus_yevick(0.05, r);
    let seen = sample(context, &spheres, &bounds)?;
    in_shells(&spheres, &bounds, &seen, &closure, 0.7 * 0.05_f64.powi(2), &mut findings);
    picture = drawn(picture, "spheres, phi = 0.05", &bounds, &seen, 2.0, &closure);
    let disks = Fluid::<2>::of_equals(0.03, Kind::LongStep);
    let dilute = |r: f64| dilute_disks(0.03, r);
    let seen = sample(context, &disks, &bounds)?;
    in_shells(&disks, &bounds, &seen, &dilute, 4.0 * 0.03_f64.powi(3), &mut findings);
    picture = drawn(picture, "disks, phi = 0.03", &bounds, &seen, 2.0, &dilute);
    findings.show(picture);
    Ok(findings)
}

/// g in shells, from each of several blocks.
fn sample<const D: usize>(
    context: &Context,
    fluid: &Fluid<D>,
    bounds: &[f64],
) -> Result<Vec<Vec<f64>>, CheckError> {
    let starts = fluid.equilibrated(context.seed(D as u64), context.either(40, 400))?;
    let mut rows = Vec::new();
    for (number, start) in starts.iter().enumerate() {
        let seed = context.seed(1000 * D as u64 + number as u64);
        let mut engine = fluid.world(STEP).seed(seed).with(start)?;
        let mut pairs = PairDistribution::new(fluid, [0, 0], bounds.to_vec());
        for _ in 0..25 {
            advance(&mut engine, 5)?;
            pairs.sample(&engine.view());
        }
        rows.push(pairs.values(fluid));
    }
    Ok(rows)
}

/// The mean of `g` over a shell.
fn shell_mean<const D: usize>(g: &dyn Fn(f64) -> f64, shell: &[f64]) -> f64 {
    let cuts = 200;
    let at = |k: f64| shell[0] + (shell[1] - shell[0]) * k / f64::from(cuts);
    let weight = |k: i32| ball::<D>(at(f64::from(k) + 1.0)) - ball::<D>(at(f64::from(k)));
    let sum: f64 = (0..cuts).map(|k| g(at(f64::from(k) + 0.5)) * weight(k)).sum();
    sum / (ball::<D>(shell[1]) - ball::<D>(shell[0]))
}

/// Each shell, where theory lacks up to `lacks`.
fn in_shells<const D: usize>(
    fluid: &Fluid<D>,
    bounds: &[f64],
    seen: &[Vec<f64>],
    g: &dyn Fn(f64) -> f64,
    lacks: f64,
    findings: &mut Findings,
) {
    for (bin, shell) in bounds.windows(2).enumerate() {
        let blocks: Vec<f64> = seen.iter().map(|row| row[bin]).collect();
        let what = format!("{}: g from {} to {}", fluid.name(), shell[0], shell[1]);
        // A box of just N particles changes g by (1 - chi)/N at most, far away: the compressibility
        // is 1 - 2^d phi.
        let bias = lacks + f64::from(1_u32 << D) * fluid.phi / fluid.particles as f64;
        findings.add(mean_of_blocks(&what, &blocks, shell_mean::<D>(g, shell)).with_bias(bias));
    }
}

fn drawn(
    picture: Picture,
    name: &str,
    bounds: &[f64],
    seen: &[Vec<f64>],
    farthest: f64,
    g: &dyn Fn(f64) -> f64,
) -> Picture {
    let line = (0..=150)
        .map(|k| 1.0 + (farthest - 1.0) * f64::from(k) / 150.0)
        .map(|r| [r, g(r)])
        .collect();
    let of_bin = |bin: usize| mean_and_error(&seen.iter().map(|row| row[bin]).collect::<Vec<_>>());
    let (points, errors) = bounds
        .windows(2)
        .enumerate()
        .map(|(bin, w)| (of_bin(bin), 0.5 * (w[0] + w[1])))
        .map(|((g, error), r)| ([r, g], error))
        .unzip();
    picture.theory(&format!("{name}, theory"), line).measured(name, points, errors)
}
