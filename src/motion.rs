//! What moves bodies within a step: diffusion, exact Gaussian displacements without truncation, and
//! drift; or their own momentum, on ballistic paths.

use rayon::prelude::*;

use crate::particles::{Particles, Stretch};
use crate::random::Random;
use crate::space::{Domain, Vector};
use crate::species::{Drift, Species};

/// Bodies handled as one piece of work, which fits into the fastest cache; no result depends on it.
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
    /// Instead of all that.
    ballistic: Option<Ballistic<D>>,
}

/// Bodies that keep their velocity from step to step, in constant gravity.
///
/// Half of gravity's push comes before the straight path of the step and half after it (Verlet 1967 in
/// its velocity form): without collisions, places and velocities at the ends of steps are those of the
/// exact parabola. Gravity is common to all, so that relative paths are straight lines and contacts of
/// two bodies come at their exact moment with their exact velocities. A wall, at rest, does not fall
/// along: of an impact at the part `t` of a step the energy errs by m g v dt (1 - 2 t), which is zero on
/// average over `t` and leaves the map reversible and its phase volume unchanged.
#[derive(Clone, Debug)]
struct Ballistic<const D: usize> {
    /// 1/m. \[species\], \[1/kg\]
    mobility: Vec<f64>,
    /// What half a step of gravity adds. \[nm per step\]
    half_kick: Vector<D>,
}

impl<const D: usize> Motion<D> {
    /// The laws for `species` at `timestep` \[µs\].
    pub fn new(species: &[Species], domain: &Domain<D>, timestep: f64) -> Self {
        let damping = species.iter().map(|s| match s.drift {
            // The exact width of an Ornstein-Uhlenbeck step: sqrt of (1 - e^(-2x)) / 2x, x = dt/relaxation.
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
            ballistic: None,
        }
    }

    /// Bodies of these `masses` (by species) \[kg\] that fly on by themselves, under `gravity`
    /// \[nm/µs²\].
    #[must_use]
    pub fn ballistic(self, masses: &[f64], gravity: Vector<D>) -> Self {
        let half_kick = gravity * (0.5 * self.timestep * self.timestep);
        let mobility = masses.iter().map(|mass| 1.0 / mass).collect();
        Self { ballistic: Some(Ballistic { mobility, half_kick }), ..self }
    }

    /// How much a push moves a body: 1/m of one that flies, D of one that diffuses. Only its ratio for
    /// the two of a collision counts.
    #[inline]
    pub fn mobility(&self, species: u16, diffusion_coefficient: f64) -> f64 {
        match &self.ballistic {
            None => diffusion_coefficient,
            Some(ballistic) => ballistic.mobility[species as usize],
        }
    }

    /// The rms displacement per axis in one step of a body that diffuses freely. \[nm\]
    #[inline]
    pub fn step_length(&self, diffusion_coefficient: f64) -> f64 {
        (2.0 * diffusion_coefficient * self.timestep).sqrt()
    }

    /// The systematic displacement in one step of a body at `position`. \[nm per step\]
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

    /// A displacement per step of a body: its share of diffusion, from the given standard normals,
    /// and its drift. \[nm per step\]
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

    /// Gives every body its displacement for step number `step`: a new one, or the one it has, after
    /// half a push. Members of a rigid unit are drawn as if alone; the engine then gives them their
    /// unit's.
    pub fn begin(&self, particles: &mut Particles<D>, random: Random, step: u64) {
        match &self.ballistic {
            None => particles.stretches(CHUNK).for_each(|mut bodies| {
                let velocity = std::mem::take(&mut bodies.velocity);
                self.draw(&bodies, random, step, velocity);
            }),
            Some(ballistic) => ballistic.push(particles),
        }
    }

    /// What is left to do once everybody has arrived: the other half of the push.
    pub fn end(&self, particles: &mut Particles<D>) {
        if let Some(ballistic) = &self.ballistic {
            ballistic.push(particles);
        }
    }

    /// Whether bodies diffuse; else they fly.
    pub fn diffuses(&self) -> bool {
        self.ballistic.is_none()
    }

    /// A new displacement for each of some bodies, not more than [`CHUNK`], in step number `step`.
    pub fn draw(&self, bodies: &Stretch<'_, D>, random: Random, step: u64, displacement: &mut [Vector<D>]) {
        let Stretch { id, diffusion_coefficient, species, position, .. } = bodies;
        let mut width = [0.0; CHUNK];
        let width = &mut width[..id.len()];
        self.widths(species, diffusion_coefficient, width);
        random.displacements(step, id, width, displacement);
        if !self.still {
            for ((way, &species), position) in displacement.iter_mut().zip(*species).zip(position.iter()) {
                *way += self.drift(species, *position);
            }
        }
    }

    /// The standard deviation along each axis of what is drawn for each of some bodies, in `width`.
    /// \[nm\]
    fn widths(&self, species: &[u16], diffusion_coefficient: &[f64], width: &mut [f64]) {
        match diffusion_coefficient {
            // Square roots take long, and most populations are of one kind.
            [first, others @ ..] if others.iter().fold(true, |same, other| same & (other == first)) => {
                width.fill(self.step_length(*first));
            }
            all => width.iter_mut().zip(all).for_each(|(width, &one)| *width = self.step_length(one)),
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
            particles.velocity.par_iter_mut().with_min_len(8 * CHUNK).for_each(|v| *v += self.half_kick);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::Body;

    /// Bodies of one kind, then some of all kinds and of their own diffusion coefficients.
    fn draws_agree<const D: usize>(drift: &[Drift]) {
        let species: Vec<_> = drift
            .iter()
            .map(|drift| Species {
                name: "A".into(),
                radius: Some(1.0),
                diffusion_coefficient: Some(0.3),
                drift: drift.clone(),
            })
            .collect();
        let motion = Motion::new(&species, &Domain::new([20.0; D], [true; D]), 0.7);
        let mut particles = Particles::<D>::default();
        for id in 0..(2 * CHUNK as u64 + 77) {
            let mixed = id > CHUNK as u64 + 5;
            particles.push(Body {
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
        motion.begin(&mut particles, random, 4);
        for i in 0..particles.len() {
            let (kind, normals) = (particles.species[i], random.normal(4, particles.id[i]));
            let alone =
                motion.velocity(kind, particles.diffusion_coefficient[i], particles.position[i], normals);
            assert_eq!(particles.velocity[i].0.map(f64::to_bits), alone.0.map(f64::to_bits));
        }
    }

    #[test]
    fn displacements_drawn_together_are_those_of_each_body_to_the_bit() {
        let well = Drift::Well { centre: [3.0, 4.0, 5.0], relaxation: 6.0 };
        let flow = Drift::Constant([0.1, -0.2, 0.3]);
        draws_agree::<1>(&[Drift::Still]);
        draws_agree::<3>(&[Drift::Still, Drift::Still]);
        draws_agree::<1>(&[flow.clone(), well.clone()]);
        draws_agree::<2>(&[Drift::Shear { rate: 0.2, along: 0, across: 1 }, Drift::Still]);
        draws_agree::<3>(&[well, Drift::Still, flow]);
    }
}
