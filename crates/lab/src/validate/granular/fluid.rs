//! The elastic gas in equilibrium: its equation of state, which particles meet how often, and the
//! speeds.

use super::super::statistics::{follows, mean_of_blocks, normal_distribution};
use super::super::{CheckError, Context, Finding, Findings, Picture};
use super::world::{GranularWorld, density, gas, listen_for, run_for};
use jostle_core::observe::Contact;
use jostle_core::theory::{collision_rate, contact_value_virial, finite_size, fluid_pressure};
use jostle_events::granular::Granular;
use jostle_events::kinetic::KineticKind;

/// Blocks of a time average.
const BLOCKS: usize = 50;

/// How far the reference of Z is off, relative: the fits of simulations in space, the guessed tail
/// of the virial series in the plane. What finite systems differ by beyond the first order in 1/N
/// is less.
fn known_to<const D: usize>(phi: f64) -> f64 {
    match D {
        2 => 2e-4 + 0.1 * libm::pow(phi, 8.0),
        _ => 3e-4,
    }
}

/// A point of the phase diagram, and what is to find the contacts there.
struct Point {
    phi: f64,
    side: usize,
    kind: KineticKind,
}

/// Z and collision rates of disks and spheres.
pub(super) fn equation_of_state(context: &Context) -> Result<Findings, CheckError> {
    use KineticKind::{Cubic, Direct, Levels, Segments, Tree};
    let mut findings = Findings::default();
    let point = |(phi, side, kind)| Point { phi, side, kind };
    let quick = [(0.1, 7, Segments), (0.3, 7, Cubic), (0.45, 7, Tree)];
    let full = [(0.05, 9, Tree), (0.2, 9, Levels), (0.4, 9, Cubic), (0.49, 9, Levels)];
    measure::<3>(context, &mut findings, [&quick.map(point), &full.map(point)])?;
    let quick = [(0.1, 10, Direct), (0.3, 18, Tree), (0.5, 18, Levels)];
    let full = [(0.2, 24, Segments), (0.4, 24, Cubic), (0.6, 24, Tree)];
    measure::<2>(context, &mut findings, [&quick.map(point), &full.map(point)])?;
    Ok(findings)
}

fn measure<const D: usize>(
    context: &Context,
    findings: &mut Findings,
    [quick, full]: [&[Point]; 2],
) -> Result<(), CheckError> {
    let most = context.either(quick.len(), quick.len() + full.len());
    let mut measured = Vec::new();
    let mut errors = Vec::new();
    for (n, point) in quick.iter().chain(full).take(most).enumerate() {
        let [z, rate] = state::<D>(context, (10 * D + n) as u64, point)?;
        measured.push([point.phi, z.measured]);
        errors.push(z.error);
        findings.add(z);
        findings.add(rate);
    }
    let name = if D == 2 { "disks" } else { "spheres" };
    let line = (0..=100).map(|k| 0.006 * f64::from(k) * if D == 2 { 1.0 } else { 0.82 });
    let line = line.map(|phi| [phi, fluid_pressure::<D>(phi)]).collect();
    findings.show(
        Picture::new(&format!("Equation of state of hard {name}"), "packing fraction", "P V/(N T)")
            .theory("theory", line)
            .measured("from collisions", measured, errors),
    );
    Ok(())
}

/// Z and the collision rate at one point, each corrected for the number of particles.
fn state<const D: usize>(
    context: &Context,
    seed: u64,
    point: &Point,
) -> Result<[Finding; 2], CheckError> {
    let &Point { phi, side, kind } = point;
    let (grains, edge) = gas::<D>(side, phi, context.seed(seed));
    let n = grains.len();
    let (expected, share) = (fluid_pressure::<D>(phi), 1.0 - finite_size::<D>(phi, n as f64));
    let g = (expected - 1.0) / (phi * f64::from(1 << (D - 1)));
    // The mean of |x| over a sphere of so many dimensions, of which x is one and the mean of x² 1,
    // is larger than that of a Gaussian: the total energy is fixed.
    let free = (D * (n - 1)) as f64;
    let expected_rate = collision_rate::<D>(density::<D>(phi), 1.0, g);
    let mut engine = GranularWorld::periodic([edge; D]).kind(kind).start(&grains)?;
    // A simple cubic lattice of spheres, or a square one of disks, melts at any density below
    // freezing.
    run_for(&mut engine, if phi > 0.4 { 150.0 } else { 60.0 } / expected_rate)?;
    let time = context.either(6.0, 60.0) / expected_rate;
    let (mut z, mut rates) = (Vec::new(), Vec::new());
    for _ in 0..BLOCKS {
        let (virial, count) = collisions(&mut engine, time)?;
        // Diameter and mass are 1, and so is the temperature; the output interval, too: the speed
        // is per unit of time.
        z.push(1.0 + virial / (D as f64 * n as f64 * time * share));
        rates.push(2.0 * count / (n as f64 * time * share * (1.0 + 0.25 / free)));
    }
    let at = format!("{D}D, phi {phi}, {}", kind.name());
    let bias = known_to::<D>(phi) * expected;
    let z = mean_of_blocks(&format!("{at}: Z"), &z, expected).with_bias(bias);
    let bias = bias * expected_rate / (expected - 1.0);
    let rate =
        mean_of_blocks(&format!("{at}: collisions per particle and time"), &rates, expected_rate);
    Ok([z, rate.with_bias(bias)])
}

/// The sum of the speeds with which particles meet in this time, and how many do.
fn collisions<const D: usize>(
    engine: &mut Granular<D>,
    time: f64,
) -> Result<(f64, f64), CheckError> {
    let (mut speeds, mut count) = (0.0, 0.0);
    listen_for(engine, time, |contact: &Contact<D>| {
        speeds += contact.approach;
        count += 1.0;
    })?;
    Ok((speeds, count))
}

/// Speeds of a gas whose particles all start equally fast.
pub(super) fn maxwell_speeds(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    speeds::<2>(context, &mut findings, 20, KineticKind::Segments)?;
    speeds::<3>(context, &mut findings, 7, KineticKind::Tree)?;
    Ok(findings)
}

/// Snapshots are `APART` collisions per particle apart, and each looks at one particle in `SHARE`:
/// the same one is seen again after 30, when it has forgotten its velocity, and the fixed energy of
/// all does not show.
const APART: f64 = 3.0;
const SHARE: usize = 10;

fn speeds<const D: usize>(
    context: &Context,
    findings: &mut Findings,
    side: usize,
    kind: KineticKind,
) -> Result<(), CheckError> {
    let phi = 0.2;
    let (mut grains, edge) = gas::<D>(side, phi, context.seed(D as u64));
    grains
        .iter_mut()
        .for_each(|grain| grain.velocity = grain.velocity * (1.0 / grain.velocity.norm()));
    let mut engine = GranularWorld::periodic([edge; D]).kind(kind).start(&grains)?;
    let n = grains.len() as f64;
    let momentum = engine.balance().momentum;
    let drift = |k: usize| momentum[k] / n;
    let within: f64 = (0..D).map(|k| n * drift(k) * drift(k)).sum();
    let free = (D * (grains.len() - 1)) as f64;
    // In the frame of the centre of mass.
    let temperature = (2.0 * engine.balance().kinetic - within) / free;
    let g = contact_value_virial::<D>(phi);
    let time = APART / (collision_rate::<D>(density::<D>(phi), 1.0, g) * temperature.sqrt());
    run_for(&mut engine, 10.0 * time)?;
    let mut sample = Vec::new();
    let mut fourth = Vec::new();
    for look in 0..context.either(300, 4000) {
        run_for(&mut engine, time)?;
        let mut powers = 0.0;
        for (i, flight) in engine.flights().all.iter().enumerate() {
            for (k, v) in flight.velocity.0.into_iter().enumerate() {
                let x = (v - drift(k)) / (temperature * (1.0 - 1.0 / n)).sqrt();
                powers += x * x * x * x / (n * D as f64);
                if i % SHARE == look % SHARE {
                    sample.push(x);
                }
            }
        }
        fourth.push(powers);
    }
    let title = format!("Velocities in {D} dimensions");
    findings.show(Picture::beside_gaussian(&title, "v/sqrt(T/m)", &sample));
    let blocks: Vec<f64> =
        fourth.chunks(fourth.len() / 40).map(|b| b.iter().sum::<f64>() / b.len() as f64).collect();
    findings.add(follows(&format!("{D}D, components of velocities"), sample, normal_distribution));
    // Exact on the sphere of all velocities of this energy and momentum.
    let expected = 3.0 * free / (free + 2.0);
    findings.add(mean_of_blocks(&format!("{D}D, kurtosis <v^4>/<v^2>^2"), &blocks, expected));
    Ok(())
}
