//! Particles that live on a sphere or a circle: how they forget where they came from.

use std::f64::consts::PI;

use super::super::statistics::{exact, mean_of_blocks, worse};
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use super::scene::{EDGE, MIDDLE, ball, with_anchor};
use jostle_brownian::Seed;
use jostle_core::environment::{AnchorSurface, Manner};
use jostle_core::observe::NoObserver;
use jostle_core::space::Vector;

/// Of the sphere or circle, and of particles; D = 1.
const RADIUS: f64 = 8.0;
const SIZE: f64 = 0.5;
/// How many harmonics are looked at.
const HARMONICS: usize = 4;
/// D t/R^2
const MOMENTS: [f64; 3] = [0.08, 0.24, 0.72];

/// The first harmonics of an angle with this cosine: Legendre's polynomials on a sphere,
/// Chebyshev's on a circle.
fn harmonics<const D: usize>(cosine: f64) -> [f64; HARMONICS] {
    let mut last = [1.0, cosine];
    std::array::from_fn(|n| {
        let (value, l) = (last[1], (n + 1) as f64);
        let [twice, once] =
            if D == 3 { [(2.0 * l + 1.0) / (l + 1.0), l / (l + 1.0)] } else { [2.0, 1.0] };
        last = [value, twice * cosine * value - once * last[0]];
        value
    })
}

/// How fast a harmonic decays, over D/R^2.
fn rate<const D: usize>(l: usize) -> f64 {
    (l * (l + D - 2)) as f64
}

/// What one step of rms `step` along each direction leaves of the harmonics: it leads along a great
/// circle, in equal chords, and its length is that of a Gaussian displacement that leaves of the
/// first one what diffusion does.
fn left_by_a_step<const D: usize>(step: f64) -> [f64; HARMONICS] {
    let due = -libm::expm1(-0.5 * rate::<D>(1) * (step / RADIUS).powi(2));
    let [mut low, mut high] = [0.5 * step, 1.5 * step];
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if lost_by_steps::<D>(middle)[0] < due { low = middle } else { high = middle }
    }
    lost_by_steps::<D>(0.5 * (low + high)).map(|lost| 1.0 - lost)
}

/// What steps of this Gaussian width take from each harmonic.
fn lost_by_steps<const D: usize>(width: f64) -> [f64; HARMONICS] {
    const SPACING: f64 = 2e-3;
    let longest = match AnchorSurface::ball(Vector([MIDDLE; D]), RADIUS, SIZE) {
        AnchorSurface::Ball { longest, .. } => longest,
        _ => f64::NAN,
    };
    let mut lost = [0.0; HARMONICS];
    for n in 0..5000 {
        let x = (f64::from(n) + 0.5) * SPACING;
        let chords = (x * width / longest).ceil();
        let angle = chords * 2.0 * libm::asin(0.5 * x * width / (chords * RADIUS));
        let bell = libm::exp(-0.5 * x * x) * SPACING;
        let density = if D == 3 { x * bell } else { (2.0 / PI).sqrt() * bell };
        for (lost, harmonic) in lost.iter_mut().zip(harmonics::<D>(libm::cos(angle))) {
            *lost += density * (1.0 - harmonic);
        }
    }
    lost
}

pub(super) fn harmonics_decay(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    decay::<3>(context, "sphere", &mut findings)?;
    decay::<2>(context, "circle", &mut findings)?;
    Ok(findings)
}

fn decay<const D: usize>(
    context: &Context,
    what: &str,
    findings: &mut Findings,
) -> Result<(), CheckError> {
    let axes = ["D t / R^2", "mean harmonic of the angle gone"];
    let mut picture = Picture::new(&format!("Diffusion on a {what}"), axes[0], axes[1]);
    for l in 1..=HARMONICS {
        let line = (0..=80).map(|n| f64::from(n) * 0.01).map(|t| [t, libm::exp(-rate::<D>(l) * t)]);
        picture = picture.theory(&format!("l = {l}"), line.collect());
    }
    for (n, (step, count)) in
        (0..).zip([(0.08, context.either(1000, 20_000)), (0.4, context.either(20_000, 200_000))])
    {
        let seed = context.seed(10 * D as u64 + n);
        let mut walk = Walk::<D>::new(step * RADIUS, count, seed)?;
        let (mut points, mut errors) = (Vec::new(), Vec::new());
        for moment in MOMENTS {
            walk.resume(moment)?;
            for (k, values) in walk.values().into_iter().enumerate() {
                let l = k + 1;
                let name = format!("{what}, s = {step} R: harmonic {l} at D t/R^2 = {moment}");
                // Independent steps in any direction: what is left of a harmonic is multiplied.
                let walked = walk.left[k].powf(walk.steps as f64);
                // On a circle arcs are exact; on a sphere the first harmonic is.
                let finding = if n == 0 || D == 2 {
                    let law = libm::exp(-rate::<D>(l) * walk.reduced());
                    mean_of_blocks(&name, &values, law).with_bias((walked - law).abs())
                } else {
                    mean_of_blocks(&format!("{name}, beside finite steps"), &values, walked)
                };
                points.push([walk.reduced(), finding.measured]);
                errors.push(finding.error);
                findings.add(finding);
            }
        }
        picture = picture.measured(&format!("s = {step} R"), points, errors);
        findings.add(exact(&format!("{what}, s = {step} R: off it, over R"), walk.off, 0.0, 1e-13));
    }
    findings.show(picture);
    Ok(())
}

/// Particles that set out from one place.
struct Walk<const D: usize> {
    engine: jostle_brownian::Brownian<D>,
    from: Vector<D>,
    step: f64,
    steps: u64,
    left: [f64; HARMONICS],
    /// How far a particle was from the sphere after a step, over its radius.
    off: f64,
}

impl<const D: usize> Walk<D> {
    fn new(step: f64, count: usize, seed: u64) -> Result<Self, CheckError> {
        let world =
            World::<D>::periodic(EDGE).timestep(0.5 * step * step).species(SIZE, 1.0).ghosts();
        // Nowhere near an axis.
        let from = Vector::from_fn(|k| if D == 2 { [0.6, 0.8][k] } else { [0.48, 0.6, 0.64][k] });
        let start = Seed { species: 0, position: Vector([MIDDLE; D]) + from * RADIUS };
        let world = with_anchor(world.seed(seed), &ball(RADIUS), &[true], Manner::Ignore);
        let engine = world.with(&vec![start; count])?;
        Ok(Self { engine, from, step, steps: 0, left: left_by_a_step::<D>(step), off: 0.0 })
    }

    /// D t/R^2
    fn reduced(&self) -> f64 {
        0.5 * self.steps as f64 * (self.step / RADIUS).powi(2)
    }

    fn resume(&mut self, until: f64) -> Result<(), CheckError> {
        while self.reduced() < until - 1e-9 {
            self.engine.step(&mut NoObserver)?;
            self.steps += 1;
            let places = &self.engine.particles().position;
            let off = |x: &Vector<D>| ((*x - Vector([MIDDLE; D])).norm() / RADIUS - 1.0).abs();
            self.off = places.iter().map(off).fold(self.off, worse);
        }
        Ok(())
    }

    /// Of each harmonic, what it is for each particle.
    fn values(&self) -> [Vec<f64>; HARMONICS] {
        let places = &self.engine.particles().position;
        let out = |x: &Vector<D>| (*x - Vector([MIDDLE; D])) * (1.0 / RADIUS);
        let rows: Vec<_> = places.iter().map(|x| harmonics::<D>(out(x).dot(self.from))).collect();
        std::array::from_fn(|k| rows.iter().map(|row| row[k]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_steps_leave_what_diffusion_leaves() {
        let short = 0.002 * RADIUS;
        for (l, left) in (1..).zip(left_by_a_step::<3>(short)) {
            let law = 0.5 * rate::<3>(l) * (short / RADIUS).powi(2);
            assert!(((1.0 - left) / law - 1.0).abs() < 1e-3, "{l}: {}", (1.0 - left) / law);
        }
        let law = -libm::expm1(-8.0 * (short / RADIUS).powi(2));
        assert!(((1.0 - left_by_a_step::<2>(short)[3]) / law - 1.0).abs() < 1e-3);
        assert!((harmonics::<3>(0.5)[1] + 0.125).abs() < 1e-15);
        assert!((harmonics::<2>(libm::cos(0.3))[3] - libm::cos(1.2)).abs() < 1e-15);
    }
}
