//! The energy balance close, the better the shorter the step.

use std::f64::consts::PI;

use super::super::statistics::{exact, worse};
use super::super::{CheckError, Context, Findings, Picture};
use super::draw;
use super::world::{
    ROUGH, SMOOTH, advance, floor, length, put, rectangle, regular, sum_of_balance, wall, world,
};
use jostle_core::space::{Domain, Ellipse, Outline, Vector};
use jostle_polygons::{ForceLaw, NormalLaw, Polygons, contact_time};

/// A periodic gas of 36 bodies: polygons of 3 to 8 corners, disks, slabs and ellipses.
fn gas(law: ForceLaw, steps_per_contact: f64, seed: u64) -> Result<Polygons, CheckError> {
    let mut world = world(law, 1.0);
    world.domain = Domain::new([21.0, 21.0], [true, true]);
    for n in 0..36 {
        let outline = match n % 9 {
            6 => Outline::Disk(0.8),
            7 => rectangle(2.0, 0.8),
            8 => Outline::Ellipse(Ellipse::new([1.1, 0.6], 16)),
            corners => regular(3 + corners, 1.0),
        };
        let draw = |k: u64, low: f64, high: f64| draw(seed, 10 * n as u64 + k, [low, high]);
        let at = [1.75 + 3.5 * (n % 6) as f64, 1.75 + 3.5 * (n / 6) as f64];
        let body = put(&mut world, outline, at, draw(0, 0.0, 6.0));
        world.solids[body].velocity = Vector([draw(1, -1.2, 1.2), draw(2, -1.2, 1.2)]);
        world.solids[body].angular_velocity = draw(3, -1.0, 1.0);
    }
    world.timestep = contact_time(&world.law, &world.outlines, &world.solids) / steps_per_contact;
    Ok(Polygons::new(world)?)
}

/// Polygons that fall into a box with walls.
fn boxed(law: ForceLaw, steps_per_contact: f64, seed: u64) -> Result<Polygons, CheckError> {
    let mut world = world(law, 1.0);
    for n in 0..9 {
        let draw = |k: u64, low: f64, high: f64| draw(seed, 10 * n as u64 + k, [low, high]);
        let at = [2.0 + 3.0 * (n % 3) as f64, 2.0 + 3.0 * (n / 3) as f64];
        let body = put(&mut world, regular(3 + n % 5, 0.9), at, draw(0, 0.0, 6.0));
        world.solids[body].velocity = Vector([draw(1, -1.0, 1.0), draw(2, -1.0, 1.0)]);
    }
    for (size, at) in [
        ([20.0, 4.0], [5.0, -2.0]),
        ([20.0, 4.0], [5.0, 12.0]),
        ([4.0, 20.0], [-2.0, 5.0]),
        ([4.0, 20.0], [12.0, 5.0]),
    ] {
        wall(&mut world, size, at);
    }
    world.gravity = Vector([0.3, -1.0]);
    world.timestep = contact_time(&world.law, &world.outlines, &world.solids) / steps_per_contact;
    Ok(Polygons::new(world)?)
}

/// The worst of what the sum of the energy balance was off by within a time, as part of the kinetic
/// energy at first, and the heat as such a part.
fn worst(mut engine: Polygons, time: f64) -> Result<[f64; 2], CheckError> {
    let (begin, kinetic) = (sum_of_balance(&engine), engine.balance().kinetic);
    let mut worst = 0.0_f64;
    while engine.clock().time() < time {
        engine.step()?;
        worst = worse(worst, (sum_of_balance(&engine) - begin).abs() / kinetic);
    }
    Ok([worst, engine.balance().dissipated / kinetic])
}

/// A gas and a box, with and without losses.
pub(super) fn energy(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let (steps, time) = (context.either(100.0, 200.0), context.either(4.0, 20.0));
    let cases = [
        ("elastic, Gradient law", NormalLaw::Gradient, 0.0, 0.0),
        ("damped", NormalLaw::Gradient, 0.3, 0.0),
        ("damped, rough", NormalLaw::Gradient, 0.3, 0.5),
        ("damped, rough, Area law", NormalLaw::Area, 0.3, 0.5),
    ];
    for (n, (name, normal, damping, friction)) in (0..).zip(cases) {
        let law = ForceLaw { normal, stiffness: 1e3, damping, friction, ..SMOOTH };
        let [off, heat] = worst(gas(law, steps, context.seed(n))?, time)?;
        let what = format!(
            "gas of polygons, {name}, {steps} steps per contact: gap in the energy balance"
        );
        findings.add(exact(&what, off, 0.0, 1e-3));
        let lossy = f64::from(u8::from(heat > 0.02));
        findings.add(exact(
            &format!("gas of polygons, {name}: heats up"),
            lossy,
            f64::from(u8::from(damping > 0.0)),
            0.1,
        ));
    }
    let law = ForceLaw { stiffness: 1e3, damping: 1.5, ..ROUGH };
    let engine = boxed(law, steps, context.seed(9))?;
    let [off, _] = worst(engine, 2.0 * time)?;
    findings.add(exact("polygons that fall in a box: gap in the energy balance", off, 0.0, 5e-3));
    Ok(findings)
}

/// How errors shrink with the step.
pub(super) fn order(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut picture = Picture::new("Convergence with the time step", "steps per contact", "error")
        .log(true, true);
    for normal in [NormalLaw::Gradient, NormalLaw::Area] {
        let mut points = Vec::new();
        for steps in [90, 180] {
            points.push([f64::from(steps), swaying(normal, steps)?]);
        }
        for pair in points.windows(2) {
            let order = libm::log2(pair[0][1] / pair[1][1]);
            let what = format!(
                "block that sways on a plane, {normal:?} law, {} to {} steps: order",
                pair[0][0], pair[1][0]
            );
            findings.add(exact(&what, order, 5.0, 0.1));
        }
        picture =
            picture.measured(&format!("block that sways, {normal:?} law"), points, Vec::new());
    }
    let law = ForceLaw { stiffness: 1e3, ..SMOOTH };
    let mut points = Vec::new();
    for steps in context.either(vec![50.0, 200.0], vec![50.0, 100.0, 200.0, 400.0]) {
        let mut sum = 0.0;
        let gases = context.either(8, 16);
        for n in 0..gases {
            sum += libm::log(worst(gas(law, steps, context.seed(n))?, 3.0)?[0]) / gases as f64;
        }
        points.push([steps, libm::exp(sum)]);
    }
    let (first, last) = (points[0], points[points.len() - 1]);
    let order = libm::log(first[1] / last[1]) / libm::log(last[0] / first[0]);
    // Where a corner comes to lie within an overlap the force has a bend, which costs the fifth
    // order: about two is left, more or less by which corners meet.
    findings.add(exact("gas of polygons: order of the energy", order, 2.0, 1.0));
    findings.show(picture.measured("energy of a gas of polygons", points, Vec::new()));
    Ok(findings)
}

/// A block that is let go on a plane: it sways in the smooth force of one contact about the depth
/// at which the plane bears it. By how much its energy drifts over twenty periods, of that of its
/// motion. (The first periods are left out: at the start the higher derivatives are not known,
/// which costs its place an order.)
fn swaying(normal: NormalLaw, steps: u32) -> Result<f64, CheckError> {
    let block = rectangle(2.0, 1.0);
    let (width, mass, l, gravity) = (2.0, 2.0, length(&block), 1.0);
    let stiffness = SMOOTH.stiffness
        * match normal {
            NormalLaw::Gradient => width * width / (l * l),
            NormalLaw::Area => width / l,
        };
    let omega = (stiffness / mass).sqrt();
    let dt = PI / omega / f64::from(steps);
    let mut world = world(ForceLaw { normal, ..SMOOTH }, dt);
    put(&mut world, block, [0.0, 0.5], 0.0);
    floor(&mut world);
    world.gravity = Vector([0.0, -gravity]);
    let mut engine = Polygons::new(world)?;
    let period = 2 * u64::from(steps);
    advance(&mut engine, 2 * period)?;
    let begin = sum_of_balance(&engine);
    advance(&mut engine, 20 * period)?;
    Ok((sum_of_balance(&engine) - begin).abs() * omega * omega / (mass * gravity * gravity))
}
