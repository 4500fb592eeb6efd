//! Single impacts: closed forms of the force laws.

use std::f64::consts::PI;

use super::super::statistics::exact;
use super::super::{CheckError, Context, Findings, Picture};
use super::world::{
    SMOOTH, advance, floor, forces, length, place, put, rectangle, regular, sum_of_balance,
    velocity, world,
};
use jostle_core::space::{Polygon, Vector};
use jostle_polygons::{ForceLaw, NormalLaw, Polygons, contact_time};

const LAWS: [NormalLaw; 2] = [NormalLaw::Gradient, NormalLaw::Area];

/// Faces and corners that meet a plane.
pub(super) fn on_a_plane(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut picture = Picture::new("A damped face on a plane", "damping ratio", "restitution");
    let line = |k: u32| 0.01 * f64::from(k);
    picture = picture.theory(
        "linear spring and dashpot, never pulling",
        (0..=60).map(|k| [line(k), damped_and_cut(line(k))[0]]).collect(),
    );
    for normal in LAWS {
        let mut points = Vec::new();
        for ratio in [0.1, 0.3, 0.5] {
            let [restitution, duration] = damped_and_cut(ratio);
            let found = face(normal, ratio, context.either(32, 128))?;
            let name = format!("face, {normal:?} law, damping ratio {ratio}");
            findings.add(exact(&format!("{name}: restitution"), found[0], restitution, 1e-4));
            findings.add(exact(
                &format!("{name}: time of contact"),
                found[1] / duration,
                1.0,
                1e-4,
            ));
            points.push([ratio, found[0]]);
        }
        picture = picture.measured(&format!("{normal:?} law"), points, Vec::new());
    }
    findings.show(picture);
    for corners in [3, 4, 6] {
        corner_laws(&mut findings, corners)?;
    }
    Ok(findings)
}

/// Restitution, and duration times omega, of a linear spring and dashpot that never pull.
fn damped_and_cut(ratio: f64) -> [f64; 2] {
    let q = (1.0 - ratio * ratio).sqrt();
    let angle = PI - libm::atan2(2.0 * ratio * q, 1.0 - 2.0 * ratio * ratio);
    [libm::exp(-ratio / q * angle), angle / q]
}

/// A block of width 2 that meets a plane face on with speed 1: its restitution and how long contact
/// lasts, as the mean over the phase within the step at which contact begins. The damping force
/// sets in at once, so that a single run is off by up to `ratio omega dt`, to one side or the other
/// depending on that phase.
fn face(normal: NormalLaw, ratio: f64, phases: u32) -> Result<[f64; 2], CheckError> {
    let block = rectangle(2.0, 1.0);
    let (width, mass, l) = (2.0, 2.0, length(&block));
    let (stiffness, damping) = match normal {
        NormalLaw::Gradient => (width * width / (l * l), 2.0 * ratio * l / width),
        NormalLaw::Area => (width / l, 2.0 * ratio * (l / width).sqrt()),
    };
    let law = ForceLaw { normal, damping, ..SMOOTH };
    let omega = (law.stiffness * stiffness / mass).sqrt();
    let dt = damped_and_cut(ratio)[1] / omega / 200.0;
    let mut sums = [0.0; 2];
    for phase in 0..phases {
        let gap = (f64::from(phase) + 0.5) / f64::from(phases) * dt;
        let mut world = world(law, dt);
        put(&mut world, block.clone(), [0.0, 0.5 + gap], 0.0);
        world.solids[0].velocity = Vector([0.0, -1.0]);
        floor(&mut world);
        let mut engine = Polygons::new(world)?;
        // The last two forces before there is none: the straight line through them ends the
        // contact.
        let (mut last, mut end) = ([0.0; 2], None);
        for n in 1..=260 {
            engine.step()?;
            let force = forces(&mut engine).first().map_or(0.0, |contact| contact.force[1]);
            if force == 0.0 && last[1] > 0.0 {
                end.get_or_insert(f64::from(n - 1) + last[1] / (last[0] - last[1]));
            }
            last = [last[1], force];
        }
        sums[0] += velocity(&mut engine, 0)[1] / f64::from(phases);
        sums[1] += (end.unwrap_or(f64::NAN) * dt - gap) * omega / f64::from(phases);
    }
    Ok(sums)
}

fn corner_laws(findings: &mut Findings, corners: usize) -> Result<(), CheckError> {
    let outline = regular(corners, 1.0);
    let half_angle = PI * (0.5 - 1.0 / corners as f64);
    let (mass, l, slope, y) =
        (outline.area(), length(&outline), libm::tan(half_angle), SMOOTH.stiffness);
    // Y/l A = Y/l slope x²: an energy of Y slope x³/3 l, and an integral of dx/sqrt(1 - x³).
    let area = libm::cbrt(3.0 * l * mass / (2.0 * y * slope));
    // K A²/2 = Y/l² slope² x⁴/2, and an integral of dx/sqrt(1 - x⁴).
    let gradient = libm::pow(mass * l * l / (y * slope * slope), 0.25);
    let laws = [(NormalLaw::Area, area, 2.804_364), (NormalLaw::Gradient, gradient, 2.622_057_554)];
    for (normal, depth, factor) in laws {
        let time = factor * depth;
        let found = corner(normal, corners, time)?;
        let name = format!("corner of {corners}, {normal:?} law");
        findings.add(exact(&format!("{name}: depth"), found[0] / depth, 1.0, 1e-4));
        findings.add(exact(&format!("{name}: time of contact"), found[1] / time, 1.0, 1e-4));
        findings.add(exact(&format!("{name}: restitution"), found[2], 1.0, 1e-4));
    }
    Ok(())
}

/// A regular polygon that meets a plane with a corner, with speed 1: deepest penetration, duration,
/// restitution. The time step is a 200th of `time`, or less where faces would need that.
fn corner(normal: NormalLaw, corners: usize, time: f64) -> Result<[f64; 3], CheckError> {
    let mut world = world(ForceLaw { normal, ..SMOOTH }, 1.0);
    put(&mut world, regular(corners, 1.0), [0.0, 1.0], corner_down(corners));
    let most = contact_time(&world.law, &world.outlines, &world.solids) / 30.0;
    let dt = (time / 200.0).min(most);
    let steps = (1.2 * time / dt) as usize;
    world.timestep = dt;
    world.solids[0].position[1] += 0.3 * dt;
    world.solids[0].velocity = Vector([0.0, -1.0]);
    floor(&mut world);
    let mut heights = vec![world.solids[0].position[1]];
    let mut engine = Polygons::new(world)?;
    for _ in 0..steps {
        engine.step()?;
        heights.push(place(&mut engine, 0)[1]);
    }
    let lowest = (1..steps).min_by(|&a, &b| heights[a].total_cmp(&heights[b])).unwrap_or(1);
    let [a, b, c] = [heights[lowest - 1], heights[lowest], heights[lowest + 1]];
    let deepest = b - (a - c) * (a - c) / (8.0 * (a - 2.0 * b + c));
    let out = velocity(&mut engine, 0)[1];
    let end = steps as f64 * dt - (heights[steps] - 1.0) / out;
    Ok([1.0 - deepest, end - 0.3 * dt, out])
}

/// Turns a regular polygon, whichever way it was made, so that a corner points down.
fn corner_down(corners: usize) -> f64 {
    let first = Polygon::regular(corners, 1.0).corners()[0];
    -PI / 2.0 - libm::atan2(first[1], first[0])
}

/// What turns: free spin, a spinning square on a wall, two polygons that meet off-centre.
pub(super) fn spin(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let turn = super::draw(context.seed(1), 0, [0.3, 0.6]);
    spinning_square(&mut findings, turn)?;
    for normal in LAWS {
        for (damping, friction) in [(0.0, 0.0), (0.4, 0.6)] {
            let mut worst = [0.0f64; 3];
            for case in 0..context.either(4, 40) {
                let change = glancing(
                    ForceLaw { normal, damping, friction, ..SMOOTH },
                    context.seed(10 + case),
                )?;
                (0..3).for_each(|k| {
                    worst[k] = if change[k].abs() <= worst[k] { worst[k] } else { change[k].abs() }
                });
            }
            let name =
                format!("two polygons, {normal:?} law, damping {damping}, friction {friction}");
            let momentum = worst[0].max(worst[1]);
            findings.add(exact(&format!("{name}: momentum gained"), momentum, 0.0, 1e-12));
            // Forces act where the prediction leads, a little beside: to that order.
            findings.add(exact(&format!("{name}: angular momentum gained"), worst[2], 0.0, 1e-7));
        }
    }
    Ok(findings)
}

/// A square hits a wall with a corner: its angular momentum about the line of the contact is kept.
fn spinning_square(findings: &mut Findings, turn: f64) -> Result<(), CheckError> {
    // The corner's arm changes while in contact, though little: its mean counts, weighted by the
    // force.
    let law = ForceLaw { stiffness: 1e15, ..SMOOTH };
    let outline = regular(4, 1.0);
    let inertia = outline.second_moment();
    let mut world = world(law, 3e-9);
    put(&mut world, outline, [0.0, libm::cos(turn) + 1e-8], corner_down(4) + turn);
    world.solids[0].velocity = Vector([0.3, -1.0]);
    world.solids[0].angular_velocity = -2.0;
    floor(&mut world);
    let mut engine = Polygons::new(world)?;
    let before = velocity(&mut engine, 0);
    let energy = sum_of_balance(&engine);
    let (mut impulse, mut moment, mut steps) = (0.0, 0.0, 0);
    for _ in 0..1_000_000 {
        engine.step()?;
        let Some(contact) = forces(&mut engine).pop() else {
            if steps > 0 {
                break;
            }
            continue;
        };
        steps += 1;
        impulse += contact.force[1];
        moment += contact.force[1] * contact.arm[0];
    }
    let after = velocity(&mut engine, 0);
    let change = inertia * (after[2] - before[2]) - moment / impulse * 2.0 * (after[1] - before[1]);
    let name = format!("square turned by {turn:.3} on a wall");
    let relative = change / (inertia * before[2]);
    findings.add(exact(
        &format!("{name}: angular momentum about the contact line"),
        relative,
        0.0,
        1e-6,
    ));
    findings.add(exact(&format!("{name}: velocity along the wall"), after[0], 0.3, 1e-12));
    findings.add(exact(&format!("{name}: energy"), sum_of_balance(&engine) / energy, 1.0, 1e-6));
    // A rigid body on a smooth wall: an impulse J = -(1 + e) v/(1/m + arm²/I) with e = 1, at the
    // corner; which sinks in by 4e-4, and as far is the force off the corner.
    let arm = libm::sin(turn);
    let approach = before[1] + before[2] * arm;
    let push = -2.0 * approach / (0.5 + arm * arm / inertia);
    let expected = before[2] + push * arm / inertia;
    findings.add(exact(&format!("{name}: spin afterwards"), after[2], expected, 1e-2));
    Ok(())
}

/// Two polygons of 5 and 7 corners that meet off-centre: what their momentum and angular momentum
/// gain.
fn glancing(law: ForceLaw, seed: u64) -> Result<[f64; 3], CheckError> {
    let draw = |k: u64, low: f64, high: f64| super::draw(seed, k, [low, high]);
    let dt = 1e-4;
    let mut world = world(law, dt);
    put(&mut world, regular(5, 1.0), [0.0, 0.0], draw(0, 0.0, 6.0));
    put(&mut world, regular(7, 0.8), [2.0, draw(1, -0.8, 0.8)], draw(2, 0.0, 6.0));
    world.solids[0].velocity = Vector([1.0, draw(3, -0.2, 0.2)]);
    world.solids[1].velocity = Vector([-1.0, 0.0]);
    world.solids[0].angular_velocity = draw(4, -1.0, 1.0);
    let mut engine = Polygons::new(world)?;
    let before = totals(&mut engine);
    advance(&mut engine, 8000)?;
    let after = totals(&mut engine);
    if engine.tally().contact_steps == 0 {
        return Ok([f64::NAN; 3]);
    }
    Ok(std::array::from_fn(|k| after[k] - before[k]))
}

/// Momentum along x and y, and angular momentum about the origin.
pub(super) fn totals(engine: &mut Polygons) -> [f64; 3] {
    let (masses, inertias) = (engine.masses(), engine.moments_of_inertia());
    let mut sum = [0.0; 3];
    for body in 0..masses.len() {
        let ([x, y, _], [vx, vy, turning]) = (place(engine, body), velocity(engine, body));
        sum[0] += masses[body] * vx;
        sum[1] += masses[body] * vy;
        sum[2] += masses[body] * (x * vy - y * vx) + inertias[body] * turning;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::damped_and_cut;

    #[test]
    fn a_spring_that_never_pulls_is_as_printed() {
        let printed = [(0.1, 0.74408, 2.95608), (0.3, 0.45098, 2.65447), (0.5, 0.29844, 2.41840)];
        for (ratio, restitution, duration) in printed {
            let [e, time] = damped_and_cut(ratio);
            assert!(
                (e - restitution).abs() < 5.1e-6 && (time - duration).abs() < 5.1e-6,
                "{ratio}"
            );
        }
    }
}
