//! How crowds slow down their members.

use super::super::statistics::{known_error, mean_and_error, mean_of_blocks};
use super::super::world::{advance, unwrapped};
use super::super::{CheckError, Context, Findings, Picture};
use super::fluid::{Fluid, places};
use jostle_core::search::Kind;
use jostle_core::space::Vector;
use jostle_core::theory::contact_value_virial;

/// Between these times the slope of <x^2> is taken, from several origins at distances of 1, in
/// units of diameter^2 / D0.
const WINDOW: [usize; 2] = [3, 12];
const ORIGINS: usize = 2;
/// The largest share by which the steps that are taken change D: in the reference program, steps of
/// a tenth, a twentieth and a fortieth of a diameter agree to 1 %.
const STEP_BIAS: f64 = 0.01;

/// What D/D0 is to be.
#[derive(Clone, Copy)]
struct DiffusionPoint {
    phi: f64,
    /// The rms step along an axis, in diameters.
    step: f64,
    expected: f64,
    /// The standard error of what is expected, if that was itself measured.
    error: f64,
    /// How far theory may be off.
    bias: f64,
    law: &'static str,
}

impl DiffusionPoint {
    /// From the table of the reference program.
    const fn measured(phi: f64, step: f64, expected: f64, error: f64) -> Self {
        Self {
            phi,
            step,
            expected,
            error,
            bias: STEP_BIAS * expected,
            law: "the reference program",
        }
    }

    /// Pairs that meet are the first order in phi. In the plane the last of the way there is slow:
    /// <x^2> has a term 2 D0 (phi/2) ln t, which between the ends of the window makes a small
    /// difference. Of the second order, `second` phi^2 is left out.
    fn first_order<const D: usize>(second: f64) -> Self {
        let phi = 0.05;
        let [from, to] = WINDOW.map(|time| time as f64);
        let late = if D == 2 { 0.5 * phi * libm::log(to / from) / (to - from) } else { 0.0 };
        let expected = 1.0 - 2.0 * phi + late;
        Self { phi, step: 0.1, expected, error: 0.0, bias: second * phi * phi, law: "1 - 2 phi" }
    }
}

const IN_SPACE: [DiffusionPoint; 5] = [
    DiffusionPoint::measured(0.3, 0.1, 0.478, 0.006),
    DiffusionPoint::measured(0.1, 0.1, 0.801, 0.005),
    DiffusionPoint::measured(0.2, 0.1, 0.635, 0.005),
    DiffusionPoint::measured(0.4, 0.1, 0.290, 0.007),
    DiffusionPoint::measured(0.45, 0.05, 0.205, 0.004),
];
const IN_PLANE: [DiffusionPoint; 4] = [
    DiffusionPoint::measured(0.1, 0.1, 0.822, 0.008),
    DiffusionPoint::measured(0.2, 0.1, 0.675, 0.015),
    DiffusionPoint::measured(0.4, 0.1, 0.445, 0.008),
    DiffusionPoint::measured(0.6, 0.05, 0.230, 0.004),
];

/// In space and in the plane, thin and crowded.
pub(super) fn slows_down_in_crowds(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    // What the reference program finds at phi = 0.1 to 0.2 has second orders of 1 phi^2 and 2 to 3
    // phi^2.
    let (pairs_in_space, pairs_in_plane) =
        (DiffusionPoint::first_order::<3>(1.0), DiffusionPoint::first_order::<2>(3.0));
    // In short, a crowd in space and pairs in the plane.
    let spheres = context.either(vec![IN_SPACE[0]], [&IN_SPACE[..], &[pairs_in_space]].concat());
    let disks = context.either(vec![pairs_in_plane], [&IN_PLANE[..], &[pairs_in_plane]].concat());
    let picture = |kind: &str| {
        Picture::new(&format!("Long-time self-diffusion of hard {kind}"), "phi", "D/D0")
            .theory("1 - 2 phi, first order", line(|phi| 1.0 - 2.0 * phi, 20))
    };
    let (spheres, found) = dimension::<3>(context, &spheres, picture("spheres"), &mut findings)?;
    findings.show(with_table::<3>(spheres, &IN_SPACE));
    let (disks, _) = dimension::<2>(context, &disks, picture("disks"), &mut findings)?;
    findings.show(with_table::<2>(disks, &IN_PLANE));
    if context.either(false, true) {
        converges(context, IN_SPACE[0], found[0], &mut findings)?;
    }
    Ok(findings)
}

/// What the step does to D in a crowd: as found with that of the `point`, and with two that are
/// longer by roots of 2.
fn converges(
    context: &Context,
    point: DiffusionPoint,
    [shortest, its_error]: [f64; 2],
    findings: &mut Findings,
) -> Result<(), CheckError> {
    let (mut points, mut errors) = (vec![[point.step, shortest]], vec![its_error]);
    for longer in [2f64.sqrt(), 2.0] {
        let (mean, error) = mean_and_error(&slopes::<3>(
            context,
            DiffusionPoint { step: longer * point.step, ..point },
        )?);
        points.push([longer * point.step, mean]);
        errors.push(error);
    }
    let [near, middle, far] = [0, 1, 2].map(|n| points[n][1]);
    let order = ((middle - far) / (near - middle)).log2();
    findings.remark(format!(
        "3D phi {}: D/D0 has order {order:.1} in the time step, from three steps",
        point.phi
    ));
    // Steps are independent of each other: D + (D - D'), of first order in the time step, s^2/2.
    let [limit, error] = [2.0 * near - middle, (2.0 * errors[0]).hypot(errors[1])];
    let what = format!("3D phi {}: D/D0 extrapolated to dt = 0, beside {}", point.phi, point.law);
    let blocks = how_many(context, point.step);
    findings.add(
        known_error(&what, limit, point.expected, error.hypot(point.error), blocks)
            .with_bias(point.bias),
    );
    let line = (0..=20)
        .map(|k| 0.01 * f64::from(k))
        .map(|s| [s, limit + (near - limit) * (s / point.step).powi(2)]);
    let title = format!("Long-time self-diffusion of spheres by the step, phi = {}", point.phi);
    findings.show(
        Picture::new(&title, "rms step / diameter", "D/D0")
            .theory("first order in the time step, through two", line.collect())
            .measured("jostle", points, errors)
            .measured("reference program", vec![[point.step, point.expected]], vec![point.error]),
    );
    Ok(())
}

/// A law from phi = 0.01 to `to` hundredths.
fn line(law: impl Fn(f64) -> f64, to: i32) -> Vec<[f64; 2]> {
    (1..=to).map(|k| f64::from(k) * 0.01).map(|phi| [phi, law(phi)]).collect()
}

fn with_table<const D: usize>(picture: Picture, table: &[DiffusionPoint]) -> Picture {
    let mean_field = |phi: f64| 1.0 / (1.0 + 2.0 * phi * contact_value_virial::<D>(phi));
    picture
        .theory(
            "1/(1 + 2 phi g), mean field (Brady 1994)",
            line(mean_field, if D == 3 { 45 } else { 60 }),
        )
        .measured(
            "reference program",
            table.iter().map(|point| [point.phi, point.expected]).collect(),
            table.iter().map(|point| point.error).collect(),
        )
}

/// D/D0 at several packing fractions; also gives back each with its error.
fn dimension<const D: usize>(
    context: &Context,
    points: &[DiffusionPoint],
    picture: Picture,
    findings: &mut Findings,
) -> Result<(Picture, Vec<[f64; 2]>), CheckError> {
    let (mut places, mut errors) = (Vec::new(), Vec::new());
    let [from, to] = WINDOW;
    for &point in points {
        let what = format!(
            "{D}D phi {}: D/D0 from {from} to {to} diameters^2/D0, s = {}, beside {}",
            point.phi, point.step, point.law
        );
        let finding = mean_of_blocks(&what, &slopes::<D>(context, point)?, point.expected);
        places.push([point.phi, finding.measured]);
        errors.push(finding.error);
        findings.add(finding.beside_measured(point.error).with_bias(point.bias));
    }
    let found = places.iter().zip(&errors).map(|([_, mean], error)| [*mean, *error]).collect();
    Ok((picture.measured("jostle", places, errors), found))
}

/// D/D0 from blocks that share no motion. Particles that meet no particle but make the same
/// Gaussian steps tell how much of the scatter is that of the steps: what they are off by is taken
/// away by the share `expected`^2, with which it comes through.
fn slopes<const D: usize>(
    context: &Context,
    point: DiffusionPoint,
) -> Result<Vec<f64>, CheckError> {
    let DiffusionPoint { phi, step, expected, .. } = point;
    let fluid = Fluid::<D> {
        particles: [0, 15 * 15, 6 * 6 * 6][D - 1],
        ..Fluid::of_equals(phi, Kind::Verlet)
    };
    let steps_apart = (step * 1000.0).round() as u64 * 1_000_000;
    let number =
        |what: u64| steps_apart + (phi * 100.0).round() as u64 * 100 + 10 * D as u64 + what;
    let start = places(&fluid.melted(context.seed(number(0)))?);
    let world = fluid.world(step).seed(context.seed(number(1)));
    let mut engines = [world.with(&start)?, world.ghosts().with(&start)?];
    let steps = (2.0 / (step * step)).round() as usize;
    let mut blocks = Vec::new();
    for _ in 0..how_many(context, step) {
        let mut paths = [const { Vec::new() }; 2];
        for time in 0..WINDOW[1] + ORIGINS {
            for (engine, path) in engines.iter_mut().zip(&mut paths) {
                if time > 0 {
                    advance(engine, steps)?;
                }
                path.push(unwrapped(engine));
            }
        }
        let [crowd, free] = paths.map(|path| slope(&path));
        blocks.push(crowd - expected * expected * (free - 1.0));
    }
    Ok(blocks)
}

/// How many blocks are measured.
fn how_many(context: &Context, step: f64) -> usize {
    context.either(30, if step < 0.1 { 40 } else { 100 })
}

/// The slope of <x^2> / 2 t in the window.
fn slope<const D: usize>(path: &[Vec<Vector<D>>]) -> f64 {
    let [from, to] = WINDOW;
    let squared = |origin: usize, lag: usize| {
        let moved = path[origin + lag]
            .iter()
            .zip(&path[origin])
            .map(|(now, then)| (*now - *then).norm_squared());
        moved.sum::<f64>() / (2 * D * path[origin].len()) as f64
    };
    let of_origin =
        |origin: usize| (squared(origin, to) - squared(origin, from)) / (to - from) as f64;
    (0..ORIGINS).map(of_origin).sum::<f64>() / ORIGINS as f64
}
