//! What rests, rests; what slides, slides as Coulomb says.

use super::super::statistics::{exact, worse};
use super::super::{CheckError, Context, Findings, Picture};
use super::world::{ROUGH, advance, floor, forces, place, put, rectangle, velocity, world};
use jostle_core::observe::Against;
use jostle_core::space::{Outline, Vector};
use jostle_polygons::{ForceLaw, NormalLaw, Polygons, Setup, contact_time};

const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.5;

/// Stiff, so that blocks sink in by little.
const STIFF: ForceLaw = ForceLaw { stiffness: 1e5, ..ROUGH };

/// A block on a plane that is tilted by so many degrees: gravity is turned, the plane is not.
fn incline(law: ForceLaw, size: [f64; 2], degrees: f64, gravity: f64) -> Setup {
    let mut world = world(law, 2e-4);
    put(&mut world, rectangle(size[0], size[1]), [0.0, 0.5 * size[1]], 0.0);
    floor(&mut world);
    let (sine, cosine) = libm::sincos(degrees.to_radians());
    world.gravity = Vector([sine, -cosine]) * gravity;
    world
}

/// A block that rests, slides or topples, and a disk that rolls.
pub(super) fn on_an_incline(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let limit = libm::atan(FRICTION).to_degrees();
    for degrees in [0.0, 20.0, limit - 0.1] {
        rests(&mut findings, degrees, context.either(20_000, 100_000))?;
    }
    let mut points = vec![[20.0, 0.0]];
    for degrees in [limit + 0.1, 27.0, 30.0, 35.0] {
        points.push([degrees, slides(&mut findings, degrees)?]);
    }
    let line = (0..=40)
        .map(|k| 20.0 + 0.4 * f64::from(k))
        .map(|degrees| [degrees, coulomb(degrees).max(0.0)]);
    findings.show(
        Picture::new("A block on an incline, mu = 0.5", "degrees", "acceleration")
            .theory("g (sin - mu cos), or rest", line.collect())
            .measured("block", points, Vec::new()),
    );
    rolls(&mut findings)?;
    if context.either(false, true) {
        topples(&mut findings)?;
    }
    Ok(findings)
}

fn coulomb(degrees: f64) -> f64 {
    let (sine, cosine) = libm::sincos(degrees.to_radians());
    GRAVITY * (sine - FRICTION * cosine)
}

fn rests(findings: &mut Findings, degrees: f64, steps: u64) -> Result<(), CheckError> {
    let mut engine = Polygons::new(incline(STIFF, [2.0, 1.0], degrees, GRAVITY))?;
    advance(&mut engine, steps)?;
    let before = place(&mut engine, 0);
    advance(&mut engine, steps)?;
    let after = place(&mut engine, 0);
    let creep = (0..3).map(|k| (after[k] - before[k]).abs()).fold(0.0, worse);
    let name = format!("at {degrees:.2} degrees");
    findings.add(exact(
        &format!("{name}: creep of a block of size 2 in {steps} steps"),
        creep,
        0.0,
        1e-6,
    ));
    let (sine, cosine) = libm::sincos(degrees.to_radians());
    let force = forces(&mut engine).first().map_or([f64::NAN; 2], |contact| contact.force.0);
    let off = (force[0] + 2.0 * GRAVITY * sine).abs() + (force[1] - 2.0 * GRAVITY * cosine).abs();
    findings.add(exact(&format!("{name}: the plane bears the weight, off by"), off, 0.0, 1e-5));
    Ok(())
}

fn slides(findings: &mut Findings, degrees: f64) -> Result<f64, CheckError> {
    let mut engine = Polygons::new(incline(STIFF, [2.0, 1.0], degrees, GRAVITY))?;
    advance(&mut engine, 5000)?;
    let before = velocity(&mut engine, 0)[0];
    advance(&mut engine, 10_000)?;
    let acceleration = (velocity(&mut engine, 0)[0] - before) / 2.0;
    let what = format!("at {degrees:.2} degrees: acceleration");
    findings.add(exact(&what, acceleration, coulomb(degrees), 5e-3 * coulomb(degrees)));
    Ok(acceleration)
}

/// A disk rolls with 2/3 of the gravity along the plane. It sinks in by 1.4e-3 of its radius.
fn rolls(findings: &mut Findings) -> Result<(), CheckError> {
    let mut world = world(ForceLaw { wall_friction: 0.8, ..STIFF }, 2e-4);
    put(&mut world, Outline::Disk(1.0), [0.0, 1.0], 0.0);
    floor(&mut world);
    let (sine, cosine) = libm::sincos(20f64.to_radians());
    world.gravity = Vector([sine, -cosine]) * 0.02;
    let mut engine = Polygons::new(world)?;
    advance(&mut engine, 10_000)?;
    let before = velocity(&mut engine, 0);
    advance(&mut engine, 50_000)?;
    let after = velocity(&mut engine, 0);
    let expected = 0.02 * 2.0 / 3.0 * sine;
    let acceleration = (after[0] - before[0]) / 10.0;
    findings.add(exact(
        "rolling disk: acceleration over 2/3 g sin",
        acceleration / expected,
        1.0,
        4e-3,
    ));
    findings.add(exact("rolling disk: spin over velocity", -after[2] / after[0], 1.0, 4e-3));
    Ok(())
}

/// A block of width over height 0.4 topples above 21.80 degrees. What bears it at last is a corner,
/// which has to sink in the less the closer to that angle it is to stand; the gradient law's
/// corners are soft.
fn topples(findings: &mut Findings) -> Result<(), CheckError> {
    for (normal, stiffness, stands) in
        [(NormalLaw::Area, 3e8, 21.6), (NormalLaw::Gradient, 3e7, 20.0)]
    {
        let law = ForceLaw { normal, stiffness, wall_friction: 3.0, ..ROUGH };
        for (degrees, falls) in [(stands, 0.0), (22.0, 1.0)] {
            let mut world = incline(law, [0.4, 1.0], degrees, 1.0);
            world.timestep = contact_time(&law, &world.outlines, &world.solids) / 30.0;
            let mut engine = Polygons::new(world)?;
            while engine.clock().time() < 8.0 {
                engine.step()?;
            }
            let turned = place(&mut engine, 0)[2].to_degrees();
            let fallen = f64::from(u8::from(turned < -45.0));
            let what = format!("tall block, {normal:?} law, at {degrees} degrees: falls");
            findings.add(exact(&what, fallen, falls, 0.1));
        }
    }
    Ok(())
}

/// Blocks on blocks, and what each bears.
pub(super) fn stack(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let steps = context.either(60_000, 200_000);
    let count = context.either(6, 10);
    let shift = super::draw(context.seed(1), 0, [-0.1, 0.1]);
    pile(&mut findings, NormalLaw::Area, 1e4, [0.0, 0.0], (count, steps))?;
    pile(&mut findings, NormalLaw::Area, 1e4, [shift, 0.01], (count, steps))?;
    // Under the gradient law flush faces lean by about their overlap until corners bear them: stiff
    // enough, that is little, but the stack continues to sway slowly.
    pile(&mut findings, NormalLaw::Gradient, 1e5, [0.0, 0.0], (count, steps))?;
    findings.remark(
        "A stack stands if its top moves by less than 0.1 of a block's width, a fifth of what topples it: a bound that \
         was chosen, since no law says how far stacks sway",
    );
    Ok(findings)
}

/// Every other block is shifted to the other side, and turned.
fn pile(
    findings: &mut Findings,
    normal: NormalLaw,
    stiffness: f64,
    [shift, turn]: [f64; 2],
    (count, steps): (u32, u64),
) -> Result<(), CheckError> {
    let mut world = world(ForceLaw { normal, stiffness, ..ROUGH }, 2.5e-4);
    for n in 0..count {
        let (aside, turned) = if n % 2 == 0 { (shift, 0.0) } else { (-shift, turn) };
        let height = 0.5 + f64::from(n) * (1.0 + turn) + 0.5 * turn;
        put(&mut world, rectangle(1.0, 1.0), [aside, height], turned);
    }
    floor(&mut world);
    world.gravity = Vector([0.0, -1.0]);
    let mut engine = Polygons::new(world)?;
    advance(&mut engine, steps)?;
    let before = place(&mut engine, count as usize - 1);
    let borne = mean_forces(&mut engine, count)?;
    let above = |slot: usize| f64::from(count) - slot as f64;
    let off = borne.iter().enumerate().map(|(slot, found)| (found - above(slot)).abs());
    let worst = off.fold(0.0, |most, x| if x <= most { most } else { x });
    let name = format!("{count} blocks, {normal:?} law, shifted by {shift:.3}");
    let what = format!("{name}: what each bears, off from the weight above, of the weight of all");
    findings.add(exact(&what, worst / f64::from(count), 0.0, 1e-3));
    // It stands. (Flush faces under the gradient law, and blocks that were set down askew, continue
    // to sway slowly.)
    let after = place(&mut engine, count as usize - 1);
    let moved = (0..2).map(|k| (after[k] - before[k]).abs()).fold(0.0, worse);
    findings.add(exact(&format!("{name}: the top moves meanwhile by"), moved, 0.0, 0.1));
    Ok(())
}

/// What the floor bears, and each block but the top one, over 40 000 steps: the weight above,
/// however it sways.
fn mean_forces(engine: &mut Polygons, count: u32) -> Result<Vec<f64>, CheckError> {
    let looks = 4000;
    let mut borne = vec![0.0; count as usize];
    for _ in 0..looks {
        advance(engine, 10)?;
        for force in forces(engine) {
            // The floor first; of two blocks the lower one has the lower number.
            let (slot, found) = match force.against {
                Against::Body(_) => (force.body as usize + 1, -force.force[1]),
                Against::Wall(_) => (0, force.force[1]),
            };
            borne[slot] += found / f64::from(looks);
        }
    }
    Ok(borne)
}
