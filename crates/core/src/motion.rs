//! What moves particles within a step: diffusion, exact Gaussian displacements without truncation,
//! and drift; or their own momentum, on ballistic paths.

use rayon::prelude::*;

use crate::particles::{Particles, Stretch};
use crate::planted::{Fault, planted};
use crate::random::Random;
use crate::space::{Domain, Vector};
use crate::species::{Drift, Species};

/// Particles handled as one piece of work, which fits into the fastest cache; no result depends on
/// it.
pub const CHUNK: usize = 512;

/// The law of motion of each species over one time step.
#[derive(Clone, Debug)]
pub struct Motion<const D: usize> {
    timestep: f64,
    middle: Vector<D>,
    drift: Vec<Drift>,
    /// How much of the free displacement is left in a harmonic well. \[species\]
    damping: Vec<f64>,
    still: bool,
    noise: Noise,
    /// Instead of all that.
    ballistic: Option<Ballistic<D>>,
}

/// Particles that keep their velocity from step to step, in constant gravity.
///
/// Half of gravity's push comes before the straight path of the step and half after it (Verlet 1967
/// in its velocity form): without collisions, places and velocities at the ends of steps are those
/// of the exact parabola. Gravity is common to all, so that relative paths are straight lines and
/// contacts of two particles come at their exact moment with their exact velocities. A wall, at
/// rest, does not fall along: of an impact at the part `t` of a step the energy errs by
/// `m g v dt (1 - 2 t)`, which is zero on average over `t` and leaves the map reversible and its
/// phase volume unchanged.
#[derive(Clone, Debug)]
struct Ballistic<const D: usize> {
    /// 1/m. \[species\], \[1/kg\]
    mobility: Vec<f64>,
    /// What half a step of gravity adds. \[nm per step\]
    half_kick: Vector<D>,
}

/// Of how many draws the noise of a step is made: of one, unless it is to be that of finer steps.
///
/// With `draws` = m, step n takes the normals of the fine steps n m to n m + m - 1 and adds them up
/// as the fine steps would: a run at m times the time step then goes along the path of the fine
/// run, as far as particles move freely. In a harmonic well what earlier draws did has faded by the
/// end of the step, exactly as it would have in the fine run.
#[derive(Clone, Debug)]
struct Noise {
    draws: u64,
    /// What the rest of a fine step leaves of the noise before it, and what makes the variance of
    /// the sum one. \[species\]
    fading: Vec<[f64; 2]>,
}

impl Noise {
    const ONE_DRAW: Self = Self { draws: 1, fading: Vec::new() };

    fn new(drift: &[Drift], timestep: f64, draws: u64) -> Self {
        let count = draws as f64;
        let of = |drift: &Drift| match drift {
            Drift::Well { relaxation, .. } => {
                let x = timestep / count / relaxation;
                let share = libm::expm1(-2.0 * x) / libm::expm1(-2.0 * x * count);
                [libm::exp(-x), share.sqrt()]
            }
            _ => Self::unfading(draws),
        };
        Self { draws, fading: drift.iter().map(of).collect() }
    }

    fn unfading(draws: u64) -> [f64; 2] {
        [1.0, 1.0 / (draws as f64).sqrt()]
    }
}

impl<const D: usize> Motion<D> {
    /// The laws for `species` at `timestep` \[µs\].
    pub fn new(species: &[Species], domain: &Domain<D>, timestep: f64) -> Self {
        let damping = species.iter().map(|s| match s.drift {
            // The exact width of an Ornstein-Uhlenbeck step: sqrt of (1 - e^(-2x)) / 2x, x =
            // dt/relaxation.
            Drift::Well { relaxation, .. } => {
                let x = timestep / relaxation;
                (-libm::expm1(-2.0 * x) / (2.0 * x)).sqrt()
            }
            _ => 1.0,
        });
        Self {
            timestep,
            middle: Vector(domain.edges()) * 0.5,
            drift: species.iter().map(|s| s.drift.clone()).collect(),
            damping: damping.collect(),
            still: species.iter().all(|s| s.drift == Drift::Still),
            noise: Noise::ONE_DRAW,
            ballistic: None,
        }
    }

    /// Particles of these `masses` (by species) \[kg\] that fly on by themselves, under `gravity`
    /// \[nm/µs²\].
    #[must_use]
    pub fn ballistic(self, masses: &[f64], gravity: Vector<D>) -> Self {
        let half_kick = gravity * (0.5 * self.timestep * self.timestep);
        let mobility = masses.iter().map(|mass| 1.0 / mass).collect();
        Self { ballistic: Some(Ballistic { mobility, half_kick }), ..self }
    }

    /// The same with the noise of each step made of so many draws, those of steps that many times
    /// finer.
    #[must_use]
    pub fn drawing_finer(self, draws: u64) -> Self {
        let noise = Noise::new(&self.drift, self.timestep, draws.max(1));
        Self { noise, ..self }
    }

    /// Sets each of `sums` to the sum of the draws that make its noise of step number `step`:
    /// `draw(n, ..)` makes those of fine step n.
    pub fn sum_of_draws(
        &self,
        step: u64,
        sums: &mut [Vector<D>],
        mut draw: impl FnMut(u64, &mut [Vector<D>]),
    ) {
        let Noise { draws, .. } = self.noise;
        if draws == 1 {
            return draw(step, sums);
        }
        let [keep, scale] = Noise::unfading(draws);
        let mut normals = vec![Vector::ZERO; sums.len()];
        sums.fill(Vector::ZERO);
        for n in step * draws..(step + 1) * draws {
            draw(n, &mut normals);
            sums.iter_mut().zip(&normals).for_each(|(sum, one)| *sum = *sum * keep + *one);
        }
        sums.iter_mut().for_each(|sum| *sum = *sum * scale);
    }

    /// How much a push moves a particle: 1/m of one that flies, D of one that diffuses. Only its
    /// ratio for the two of a collision counts.
    #[inline]
    pub fn mobility(&self, species: u16, diffusion_coefficient: f64) -> f64 {
        match &self.ballistic {
            None => diffusion_coefficient,
            Some(ballistic) => ballistic.mobility[species as usize],
        }
    }

    /// The rms displacement per axis in one step of a particle that diffuses freely. \[nm\]
    #[inline]
    pub fn step_length(&self, diffusion_coefficient: f64) -> f64 {
        if planted(Fault::NoisePower) {
            return (2.0 * self.timestep).sqrt() * diffusion_coefficient;
        }
        (2.0 * diffusion_coefficient * self.timestep).sqrt()
    }

    /// What share of the width of a free displacement is left to a particle in a harmonic well; 1
    /// for all others.
    pub fn damping(&self, species: u16) -> f64 {
        self.damping[species as usize]
    }

    /// The systematic displacement in one step of a particle at `position`. \[nm per step\]
    pub fn drift(&self, species: u16, position: Vector<D>) -> Vector<D> {
        match &self.drift[species as usize] {
            Drift::Still => Vector::ZERO,
            Drift::Constant(velocity) => Vector::from_fn(|k| velocity[k] * self.timestep),
            Drift::Shear { rate, along, across } => {
                let mut flow = Vector::ZERO;
                flow[*along] = rate * (position[*across] - self.middle[*across]) * self.timestep;
                flow
            }
            Drift::Well { centre, relaxation } => {
                let pull = libm::expm1(-self.timestep / relaxation);
                Vector::from_fn(|k| (position[k] - centre[k]) * pull)
            }
        }
    }

    /// A displacement per step of a particle: its share of diffusion, from the given standard
    /// normals, and its drift. \[nm per step\]
    pub fn velocity(
        &self,
        species: u16,
        diffusion_coefficient: f64,
        position: Vector<D>,
        normals: Vector<D>,
    ) -> Vector<D> {
        let width = self.step_length(diffusion_coefficient);
        if self.still {
            return normals * width;
        }
        normals * (width * self.damping[species as usize]) + self.drift(species, position)
    }

    /// Gives every particle its displacement for step number `step`: a new one, or the one it has,
    /// after half a push. Members of a rigid unit are drawn as if alone; the engine then gives them
    /// their unit's.
    pub fn begin(&self, particles: &mut Particles<D>, random: Random, step: u64) {
        match &self.ballistic {
            None => particles.stretches(CHUNK).for_each(|mut particles| {
                let velocity = std::mem::take(&mut particles.velocity);
                self.draw(&particles, random, step, velocity);
            }),
            Some(ballistic) => ballistic.push(particles),
        }
    }

    /// What is left to do once every particle has arrived: the other half of the push.
    pub fn end(&self, particles: &mut Particles<D>) {
        if let Some(ballistic) = &self.ballistic {
            ballistic.push(particles);
        }
    }

    /// Whether particles diffuse; else they fly.
    pub fn diffuses(&self) -> bool {
        self.ballistic.is_none()
    }

    /// Whether displacements are diffusion alone, each of one draw.
    pub fn is_plain(&self) -> bool {
        self.diffuses() && self.still && self.noise.draws == 1
    }

    /// A new displacement for each of some particles, not more than [`CHUNK`], in step number
    /// `step`.
    pub fn draw(
        &self,
        particles: &Stretch<'_, D>,
        random: Random,
        step: u64,
        displacement: &mut [Vector<D>],
    ) {
        let Stretch { id, diffusion_coefficient, species, position, .. } = particles;
        let mut width = [0.0; CHUNK];
        let width = &mut width[..id.len()];
        self.widths(species, diffusion_coefficient, width);
        match self.noise.draws {
            1 => random.displacements(step, id, width, displacement),
            _ => self.draw_finer(particles, random, step, width, displacement),
        }
        if !self.still {
            for ((way, &species), position) in
                displacement.iter_mut().zip(*species).zip(position.iter())
            {
                *way += self.drift(species, *position);
            }
        }
    }

    /// Diffusive displacements of these `width`s, each the sum of several draws.
    fn draw_finer(
        &self,
        particles: &Stretch<'_, D>,
        random: Random,
        step: u64,
        width: &[f64],
        displacement: &mut [Vector<D>],
    ) {
        let Noise { draws, fading } = &self.noise;
        let fading = |i: usize| fading[particles.species[i] as usize];
        let mut normals = [Vector::ZERO; CHUNK];
        let normals = &mut normals[..displacement.len()];
        displacement.fill(Vector::ZERO);
        for n in step * draws..(step + 1) * draws {
            random.normals(n, particles.id, normals);
            for (i, (sum, normals)) in displacement.iter_mut().zip(&*normals).enumerate() {
                let [keep, _] = fading(i);
                *sum = *sum * keep + *normals;
            }
        }
        for (i, (sum, width)) in displacement.iter_mut().zip(width).enumerate() {
            let [_, scale] = fading(i);
            *sum = *sum * scale * *width;
        }
    }

    /// The standard deviation along each axis of what is drawn for each of some particles, in
    /// `width`. \[nm\]
    fn widths(&self, species: &[u16], diffusion_coefficient: &[f64], width: &mut [f64]) {
        match diffusion_coefficient {
            // Square roots take long, and most populations are of one kind.
            [first, others @ ..]
                if others.iter().fold(true, |same, other| same & (other == first)) =>
            {
                width.fill(self.step_length(*first));
            }
            all => {
                width.iter_mut().zip(all).for_each(|(width, &one)| *width = self.step_length(one))
            }
        }
        if !self.still {
            for (width, &species) in width.iter_mut().zip(species) {
                *width *= self.damping[species as usize];
            }
        }
    }
}

impl<const D: usize> Ballistic<D> {
    fn push(&self, particles: &mut Particles<D>) {
        if self.half_kick != Vector::ZERO {
            particles
                .velocity
                .par_iter_mut()
                .with_min_len(8 * CHUNK)
                .for_each(|v| *v += self.half_kick);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::Particle;

    /// Particles of one kind, then some of all kinds and of their own diffusion coefficients.
    fn draws_agree<const D: usize>(drift: &[Drift]) {
        let species: Vec<_> = drift
            .iter()
            .map(|drift| Species { drift: drift.clone(), ..Species::sphere("A", 1.0, 0.3) })
            .collect();
        let motion = Motion::new(&species, &Domain::new([20.0; D], [true; D]), 0.7);
        let mut particles = Particles::<D>::default();
        for id in 0..(2 * CHUNK as u64 + 77) {
            let mixed = id > CHUNK as u64 + 5;
            particles.push(Particle {
                sites: 0,
                position: Vector::from_fn(|k| (id as f64 * [0.37, 0.51, 0.73][k]) % 20.0),
                velocity: Vector::ZERO,
                since: 0.0,
                radius: 1.0,
                diffusion_coefficient: if mixed { 0.1 + (id % 9) as f64 } else { 0.3 },
                species: if mixed { (id % drift.len() as u64) as u16 } else { 0 },
                id,
                image: [0; D],
            });
        }
        let random = Random::new(8);
        for (motion, draws) in [(motion.clone(), 1), (motion.drawing_finer(3), 3)] {
            motion.begin(&mut particles, random, 4);
            for i in 0..particles.len() {
                let kind = particles.species[i];
                let fading =
                    Noise::new(&motion.drift, motion.timestep, draws).fading[kind as usize];
                let draw = |step| random.normal(step, particles.id[i]);
                let [keep, scale] = fading;
                let all = (4 * draws..5 * draws).map(draw);
                let normals = match draws {
                    1 => draw(4),
                    _ => all.fold(Vector::ZERO, |sum: Vector<D>, one| sum * keep + one) * scale,
                };
                let alone = motion.velocity(
                    kind,
                    particles.diffusion_coefficient[i],
                    particles.position[i],
                    normals,
                );
                assert_eq!(particles.velocity[i].0.map(f64::to_bits), alone.0.map(f64::to_bits));
            }
        }
    }

    /// Fading or not, the variance of the sum is one: in a well, that of the exact law is in the
    /// width.
    #[test]
    fn the_noise_of_many_draws_has_variance_one() {
        let well = Drift::Well { centre: [0.0; 3], relaxation: 1.3 };
        for draws in [1, 2, 7] {
            let noise = Noise::new(&[Drift::Still, well.clone()], 2.0, draws);
            for [keep, scale] in noise.fading {
                let weights = (0..draws).map(|n| scale * keep.powi(n as i32));
                assert!((weights.map(|w| w * w).sum::<f64>() - 1.0).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn displacements_drawn_together_are_those_of_each_particle_to_the_bit() {
        let well = Drift::Well { centre: [3.0, 4.0, 5.0], relaxation: 6.0 };
        let flow = Drift::Constant([0.1, -0.2, 0.3]);
        draws_agree::<1>(&[Drift::Still]);
        draws_agree::<3>(&[Drift::Still, Drift::Still]);
        draws_agree::<1>(&[flow.clone(), well.clone()]);
        draws_agree::<2>(&[Drift::Shear { rate: 0.2, along: 0, across: 1 }, Drift::Still]);
        draws_agree::<3>(&[well, Drift::Still, flow]);
    }
}
