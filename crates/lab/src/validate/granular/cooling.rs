//! The inelastic gas without drive: Haff's law.

use super::super::statistics::{mean_and_error, mean_of_blocks};
use super::super::{CheckError, Context, Findings, Picture};
use super::world::{GranularWorld, as_now, density, gas, run_for};
use jostle_core::theory::{collision_rate, contact_value, finite_size};
use jostle_events::granular::Granular;
use jostle_events::kinetic::KineticKind;

/// Dilute, so that velocities do not become correlated soon, and so few that no vortices and
/// clusters fit in.
const PHI: f64 = 0.05;

/// Collisions per particle until which a gas is watched, and how often it is looked at until then.
const MOST: f64 = 20.0;
const LOOKS: usize = 10;

/// Cooling against collisions and against time.
pub(super) fn haff(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    cools::<2>(context, &mut findings, 12, 0.95)?;
    cools::<3>(context, &mut findings, 6, 0.9)?;
    if context.either(false, true) {
        cools::<2>(context, &mut findings, 12, 0.98)?;
        cools::<2>(context, &mut findings, 10, 0.9)?;
        cools::<3>(context, &mut findings, 6, 0.98)?;
        cools::<3>(context, &mut findings, 5, 0.8)?;
    }
    Ok(findings)
}

/// Collisions per particle and time at temperature 1.
fn rate<const D: usize>() -> f64 {
    collision_rate::<D>(density::<D>(PHI), 1.0, contact_value::<D>(PHI))
}

/// An elastic gas in equilibrium, whose grains have restitution `e` from now on.
fn cooling<const D: usize>(side: usize, e: f64, seed: u64) -> Result<Granular<D>, CheckError> {
    let (grains, edge) = gas::<D>(side, PHI, seed);
    let world = GranularWorld::periodic([edge; D]).kind(if D == 2 {
        KineticKind::Cubic
    } else {
        KineticKind::Tree
    });
    let mut engine = world.start(&grains)?;
    run_for(&mut engine, 12.0 / rate::<D>())?;
    Ok(world.restitution(e).start(&as_now(&engine, &grains))?)
}

/// How fast the second Sonine coefficient makes it cool, relative to Maxwellian speeds: per
/// collision, and per time (van Noije and Ernst 1998).
fn sonine<const D: usize>(e: f64) -> [f64; 2] {
    let d = D as f64;
    let above = 16.0 * (1.0 - e) * (1.0 - 2.0 * e * e);
    let a2 = above / (9.0 + 24.0 * d + (8.0 * d - 41.0) * e + 30.0 * e * e * (1.0 - e));
    [1.0 + 0.25 * a2, 1.0 + 3.0 / 16.0 * a2]
}

fn cools<const D: usize>(
    context: &Context,
    findings: &mut Findings,
    side: usize,
    e: f64,
) -> Result<(), CheckError> {
    let d = D as f64;
    let n = libm::pow(side as f64, d);
    let free = d * (n - 1.0);
    let [by_count, by_time] = sonine::<D>(e);
    // Of the energy, per collision: on a sphere of so many dimensions <|x|³>/<|x|> is 2/(D + 1).
    let loss = 2.0 * (1.0 - e * e) / (free + 1.0) * by_count;
    let gases = context.either(40, 400);
    let mut ratios = Vec::new();
    let mut slopes = Vec::new();
    let mut courses = vec![Vec::new(); LOOKS];
    for number in 0..gases {
        let seed = context.seed((1000.0 * e) as u64 * 10_000 + 1000 * D as u64 + number);
        let mut engine = cooling::<D>(side, e, seed)?;
        let begin = engine.balance().kinetic;
        for (look, course) in courses.iter_mut().enumerate() {
            let tau = MOST * (look + 1) as f64 / LOOKS as f64;
            while 2.0 * (engine.tally().collisions as f64) < tau * n {
                let warm = (2.0 * engine.balance().kinetic / free).sqrt();
                run_for(&mut engine, 0.05 / (rate::<D>() * warm))?;
            }
            course.push(engine.balance().kinetic / begin);
        }
        let left = engine.balance().kinetic / begin;
        ratios.push(left / libm::exp(engine.tally().collisions as f64 * libm::log1p(-loss)));
        slopes.push((1.0 / left.sqrt() - 1.0) / engine.now());
    }
    let name = format!("{D}D, e = {e}");
    // Beyond the second Sonine coefficient, and correlations that collisions build up.
    let what = format!("{name}: T over exp(-(1 - e^2) tau/d) at tau = 20");
    findings.add(mean_of_blocks(&what, &ratios, 1.0).with_bias(0.006));
    let g = 1.0 - finite_size::<D>(PHI, n);
    let expected = 0.5 * (1.0 - e * e) / d * rate::<D>() * g * by_time;
    let what = format!("{name}: 1/t0 of T = T0/(1 + t/t0)^2");
    findings.add(mean_of_blocks(&what, &slopes, expected).with_bias(0.006 * expected));
    findings.show(picture::<D>(&name, e, &courses));
    Ok(())
}

fn picture<const D: usize>(name: &str, e: f64, courses: &[Vec<f64>]) -> Picture {
    let law = |tau: f64| [tau, libm::exp(-(1.0 - e * e) * tau / D as f64)];
    let point = |(look, course): (usize, &Vec<f64>)| {
        let (mean, error) = mean_and_error(course);
        ([MOST * (look + 1) as f64 / LOOKS as f64, mean], error)
    };
    let (points, errors) = courses.iter().enumerate().map(point).unzip();
    Picture::new(&format!("Cooling, {name}"), "collisions per particle", "T/T0")
        .log(false, true)
        .theory("exp(-(1 - e^2) tau/d)", vec![law(0.0), law(MOST)])
        .measured("grains", points, errors)
}
