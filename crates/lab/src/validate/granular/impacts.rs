//! The laws of restitution, against contacts that are integrated or whose work is summed, and in
//! the engine.

use std::f64::consts::PI;

use super::super::statistics::exact;
use super::super::{CheckError, Context, Findings, Picture};
use super::world::{GranularWorld, ball, between, listen_for};
use jostle_core::observe::Contact;
use jostle_core::space::Vector;
use jostle_events::granular::restitution::{EffectiveBall, Impact, Material, Restitution};
use jostle_events::granular::units::{METRE, SECOND};
use jostle_events::granular::{Collisions, Grain};
use jostle_events::kinetic::KineticKind;

const M_PER_S: f64 = METRE / SECOND;
const MM: f64 = 1e-3 * METRE;

/// How far the closed form of the viscoelastic law may be off: 5e-5 below b = 0.1, 7e-4 at 0.3,
/// 5e-3 at 1.
fn pade_error(b: f64) -> f64 {
    1e-5 + 5e-5 * (b / 0.1).min(1.0) + 5e-3 * libm::pow(b, 1.7)
}

/// Restitution, and duration in units of m^(2/5) k^(-2/5) v^(-1/5), of x'' = -x^(3/2) - b sqrt(x)
/// x' from x' = 1 at x = 0 until the force ends.
fn contact(b: f64) -> [f64; 2] {
    let force = |x: f64, v: f64| -x * x.sqrt() - b * x.sqrt() * v;
    let (mut x, mut v, mut t) = (0.0f64, 1.0f64, 0.0);
    let dt = 1e-4;
    loop {
        // Heun's method, halfway: of second order, and the root at the start does no harm.
        let a = force(x, v);
        let (middle, speed) = ((x + 0.5 * dt * v).max(0.0), v + 0.5 * dt * a);
        let (next, after) = (x + dt * speed, v + dt * force(middle, speed));
        // It ends where damping would hold the two together.
        if next <= 0.0 || (after < 0.0 && force(next, after) >= 0.0) {
            return [-v, t + if b > 0.0 { 0.0 } else { x / -v }];
        }
        (x, v, t) = (next, after, t + dt);
    }
}

pub(super) fn restitution(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut picture = Picture::new("Viscoelastic restitution", "b", "e").log(true, false);
    let bs = [0.01, 0.03, 0.1, 0.3, 1.0];
    let line: Vec<[f64; 2]> = bs.iter().map(|&b| [b, contact(b)[0]]).collect();
    let mut points = Vec::new();
    for (n, b) in (0..).zip(bs) {
        points.push([b, viscoelastic(context.seed(n), b, &mut findings)?]);
    }
    picture = picture.theory("integrated contact", line).measured(
        "impacts in the engine",
        points,
        Vec::new(),
    );
    findings.show(picture);
    for (n, ratio) in (10..).zip([0.9, 1.5, 5.0, 50.0]) {
        plastic(context.seed(n), ratio, &mut findings)?;
    }
    duration_and_heat(context.seed(20), &mut findings);
    Ok(findings)
}

/// Two steel balls of any radii, and how fast they meet. \[m/s\]
fn balls(seed: u64) -> ([f64; 2], f64) {
    (
        [between(seed, 0, [1.0, 10.0]) * MM, between(seed, 1, [1.0, 10.0]) * MM],
        between(seed, 2, [0.2, 3.0]),
    )
}

/// The restitution of a head-on impact in the engine.
fn measured(restitution: Restitution, radii: [f64; 2], speed: f64) -> Result<f64, CheckError> {
    let material = Material::default();
    let mut world =
        GranularWorld::closed([0.2 * METRE; 3]).kind(KineticKind::Direct).output_interval(SECOND);
    world.collisions = Collisions { restitution, material, ..world.collisions };
    let gap = 1.0 * MM;
    let at = |x: f64| [0.1 * METRE + x, 0.1 * METRE, 0.1 * METRE];
    let grain = |x: f64, v: f64, radius: f64| Grain {
        radius,
        mass: material.ball_mass(radius),
        ..ball(at(x), [v, 0.0, 0.0])
    };
    let grains =
        [grain(-radii[0], 0.5 * speed, radii[0]), grain(radii[1] + gap, -0.5 * speed, radii[1])];
    let mut engine = world.start(&grains)?;
    let mut met = 0;
    listen_for(&mut engine, 2.0 * gap / speed, |_: &Contact<3>| met += 1)?;
    let [a, b] = [0, 1].map(|i: usize| engine.flights().all[i].velocity);
    let apart: Vector<3> = b - a;
    Ok(if met == 1 { apart[0] / speed } else { f64::NAN })
}

/// The law that makes this impact one of dissipation `b`, from the constants of the material.
fn viscoelastic(seed: u64, b: f64, findings: &mut Findings) -> Result<f64, CheckError> {
    let (radii, speed) = balls(seed);
    let speed = speed * M_PER_S;
    let steel = Material::default();
    let masses = radii.map(|r| 4.0 / 3.0 * PI * r * r * r * steel.density);
    let [radius, mass] = [radii, masses].map(|[x, y]| x * y / (x + y));
    let modulus =
        steel.youngs_modulus / (2.0 * (1.0 - steel.poissons_ratio * steel.poissons_ratio));
    let k = 4.0 / 3.0 * modulus * radius.sqrt();
    let relaxation = b / (1.5 * libm::pow(k / mass, 0.4) * libm::pow(speed, 0.2));
    let e = measured(Restitution::Viscoelastic { relaxation }, radii, speed)?;
    let what = format!("viscoelastic, b = {b}: e of an impact in the engine");
    findings.add(exact(&what, e, contact(b)[0], pade_error(b)));
    Ok(e)
}

/// Thornton's impact: Hertz up to the yield pressure, from there on a force that grows by pi p R
/// per depth, and back as Hertz again on a flatter ball.
fn plastic(seed: u64, ratio: f64, findings: &mut Findings) -> Result<(), CheckError> {
    let (radii, _) = balls(seed);
    let steel = Material::default();
    let pair = EffectiveBall::of_two(radii, radii.map(|r| steel.ball_mass(r)));
    let modulus =
        steel.youngs_modulus / (2.0 * (1.0 - steel.poissons_ratio * steel.poissons_ratio));
    let k = 4.0 / 3.0 * modulus * pair.radius.sqrt();
    // The pressure in the middle, 2 E a/(pi R), reaches the yield pressure where a is this.
    let a_yield = PI * steel.yield_pressure * pair.radius / (2.0 * modulus);
    let yields = a_yield * a_yield / pair.radius;
    let force = |x: f64| {
        let beyond = PI * steel.yield_pressure * pair.radius * (x - yields).max(0.0);
        k * libm::pow(x.min(yields), 1.5) + beyond
    };
    let work = |x: f64| {
        let (steps, mut sum) = (20_000, 0.0);
        let h = x / f64::from(steps);
        for n in 0..steps {
            sum += force((f64::from(n) + 0.5) * h) * h;
        }
        sum
    };
    let at_yield = 0.4 * k * libm::pow(yields, 2.5);
    let energy = at_yield * ratio * ratio;
    let (mut low, mut high) = (0.0, yields * (2.0 + 20.0 * ratio));
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        *(if work(middle) < energy { &mut low } else { &mut high }) = middle;
    }
    let largest = force(low);
    // It flattens to a radius at which Hertz gives this force for this contact, and gives back 2/5
    // F depth.
    let flat = pair.radius * k * libm::pow(low, 1.5) / largest;
    let back = if low > yields { 0.4 * largest * low * pair.radius / flat } else { energy };
    let speed = (2.0 * energy / pair.mass).sqrt();
    let e = measured(Restitution::Plastic, radii, speed)?;
    let what = format!("plastic, {ratio} times the yield speed: e of an impact in the engine");
    findings.add(exact(&what, e, (back / energy).sqrt(), 2e-5));
    Ok(())
}

fn duration_and_heat(seed: u64, findings: &mut Findings) {
    let (radii, speed) = balls(seed);
    let speed = speed * M_PER_S;
    let steel = Material::default();
    let pair = EffectiveBall::of_two(radii, radii.map(|r| steel.ball_mass(r)));
    let impact = Impact::new(&steel, &pair, speed, 0.9);
    let unit = libm::pow(pair.mass / steel.stiffness(&pair), 0.4) / libm::pow(speed, 0.2);
    let what = "duration of an elastic impact over that of the integrated contact";
    findings.add(exact(what, impact.duration / unit / contact(0.0)[1], 1.0, 1e-5));
    let lost = 0.5 * pair.mass * speed * speed * (1.0 - 0.81);
    findings.add(exact("heat over m* v^2 (1 - e^2)/2", impact.energy_lost / lost, 1.0, 1e-12));
    // The caps that the two lose where they would overlap: h_i = depth r_j/(r_1 + r_2), V_i = pi
    // r_i h_i².
    let depth = libm::pow(1.25 * pair.mass * speed * speed / steel.stiffness(&pair), 0.4);
    let cap = |r: f64, other: f64| PI * r * libm::pow(depth * other / (radii[0] + radii[1]), 2.0);
    let volume = cap(radii[0], radii[1]) + cap(radii[1], radii[0]);
    let rise = lost / (steel.density * steel.heat_capacity * volume);
    findings.add(exact(
        "rise of the temperature over heat/(rho c V)",
        impact.temperature_rise / rise,
        1.0,
        1e-12,
    ));
}

#[cfg(test)]
mod tests {
    use super::contact;

    /// From independent integration; the duration of Hertz' elastic impact is 2.943 275 times its
    /// depth (5/4)^(2/5) over the speed.
    #[test]
    fn the_integrated_contact_is_as_printed() {
        for (b, e) in
            [(0.01, 0.988547), (0.05, 0.944397), (0.1, 0.892859), (0.3, 0.722085), (1.0, 0.393931)]
        {
            assert!((contact(b)[0] - e).abs() < 2e-6, "{b}: {:?}", contact(b));
        }
        let [e, time] = contact(0.0);
        assert!(
            (e - 1.0).abs() < 1e-6
                && (time / (2.943_275 * libm::pow(1.25, 0.4)) - 1.0).abs() < 1e-5
        );
    }
}
