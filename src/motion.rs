//! What moves bodies within a step: diffusion, exact Gaussian displacements without truncation, and
//! drift.

use rayon::prelude::*;

use crate::particles::Particles;
use crate::random::Random;
use crate::space::{Domain, Vector};
use crate::species::{Drift, Species};

/// Bodies handled as one piece of work; no result depends on it.
const CHUNK: usize = 4096;

/// The law of motion of each species over one time step.
#[derive(Clone, Debug)]
pub struct Motion<const D: usize> {
    timestep: f64,
    middle: Vector<D>,
    drift: Vec<Drift>,
    /// How much of the free displacement is left in a harmonic well. \[species\]
    damping: Vec<f64>,
    still: bool,
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

    /// Draws the displacement of every body for step number `step`. Members of a rigid unit are
    /// drawn as if alone; the engine then gives them their unit's.
    pub fn draw(&self, particles: &mut Particles<D>, random: Random, step: u64) {
        let Particles { velocity, id, diffusion_coefficient, species, position, .. } = particles;
        let draw = |first: usize, velocity: &mut [Vector<D>]| {
            let slots = first..first + velocity.len();
            random.normals(step, &id[slots.clone()], velocity);
            for (v, i) in velocity.iter_mut().zip(slots) {
                *v = self.velocity(species[i], diffusion_coefficient[i], position[i], *v);
            }
        };
        velocity.par_chunks_mut(CHUNK).enumerate().for_each(|(n, chunk)| draw(n * CHUNK, chunk));
    }
}
