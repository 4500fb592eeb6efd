//! Particles with sites that point somewhere turn, at the end of the step and for all of it. Of a
//! particle that moves alone this is free rotational diffusion, since a sphere that turns overlaps
//! nothing; units turn as one (see [`super::rotate`]).

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

use jostle_core::clusters::{Piece, rotational_diffusion};
use jostle_core::motion::Motion;
use jostle_core::particles::{ALONE, Particles};
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Orientation, Vector};
use jostle_core::species::Species;

/// Particles handled as one piece of work; no result depends on it.
const CHUNK: usize = 64;

/// How a particle turns in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tumbling {
    /// The standard deviation of each angle. \[rad\]
    width: f64,
    /// The probability that it forgets how it was turned.
    forgets: f64,
}

impl Tumbling {
    /// How a lone particle of a species turns, if it has a site that points somewhere.
    fn of<const D: usize>(species: &Species, timestep: f64) -> Option<Self> {
        let piece = Piece {
            radius: species.radius?,
            diffusion_coefficient: species.diffusion_coefficient?,
        };
        let of_sphere =
            || rotational_diffusion::<D>(&[Vector::ZERO], &[piece], piece.diffusion_coefficient);
        let diffusion = species.sites.rotational_diffusion().unwrap_or_else(of_sphere);
        species.sites.are_directed().then(|| match D {
            2 => Self { width: (2.0 * diffusion * timestep).sqrt(), forgets: 0.0 },
            _ => Self::in_space(2.0 * diffusion * timestep),
        })
    }

    /// In three dimensions, such that the mean cosine of the angle by which any direction turns is
    /// exp(-`decay`) exactly. Angles that are normal about each axis with variance v give
    /// (1 + 2 (1 - v) exp(-v/2))/3, which falls to 0.04 and no further; of longer steps a part
    /// forgets everything instead.
    fn in_space(decay: f64) -> Self {
        const LONGEST: f64 = 1.0;
        let wanted = libm::exp(-decay.min(LONGEST));
        let mean_cosine = |v: f64| (1.0 + 2.0 * (1.0 - v) * libm::exp(-0.5 * v)) / 3.0;
        let (mut low, mut high) = (0.0, 3.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if mean_cosine(middle) > wanted { low = middle } else { high = middle }
        }
        // Bisection ends at the last place of 1 - v; what is smaller follows from the series.
        let variance = if decay < 1e-5 { decay } else { 0.5 * (low + high) };
        let forgets = if decay > LONGEST { 1.0 - libm::exp(LONGEST - decay) } else { 0.0 };
        Self { width: variance.sqrt(), forgets }
    }
}

/// An orientation that is uniformly distributed, as a function of the seed and the key alone.
pub(super) fn some_orientation<const D: usize>(random: Random, key: [u64; 4]) -> Orientation {
    let mut generator = random.generator(Purpose::Orientation, key);
    if D == 2 {
        let angle = std::f64::consts::TAU * generator.random::<f64>();
        return Orientation::about(Vector([0.0, 0.0, 1.0]), angle);
    }
    let normals = std::array::from_fn(|_| StandardNormal.sample(&mut generator));
    Orientation::of_quaternion(normals).unwrap_or(Orientation::NONE)
}

/// What turns by these angles, of which there is one in two dimensions, about the third axis.
pub(super) fn turn_by<const D: usize>(angles: [f64; 3]) -> Orientation {
    let vector = if D == 2 { [0.0, 0.0, angles[0]] } else { angles };
    Orientation::of_rotation_vector(Vector(vector))
}

/// How particles turn that move alone. \[species\]
#[derive(Clone, Debug)]
pub(super) struct Tumblings(Vec<Option<Tumbling>>);

impl Tumblings {
    pub(super) fn of<const D: usize>(species: &[Species], timestep: f64) -> Self {
        Self(species.iter().map(|one| Tumbling::of::<D>(one, timestep)).collect())
    }

    /// Gives all particles orientations if any site points somewhere, each at random unless it is
    /// turned already.
    pub(super) fn orient<const D: usize>(&self, particles: &mut Particles<D>, random: Random) {
        if self.0.iter().all(Option::is_none) {
            return;
        }
        particles.orient();
        for slot in 0..particles.len() {
            if particles.orientation[slot] != Orientation::NONE {
                continue;
            }
            let key = [particles.id[slot], 0, 0, 0];
            particles.orientation[slot] = some_orientation::<D>(random, key);
        }
    }

    /// Lets all particles turn that move alone and have a site that points somewhere.
    pub(super) fn turn<const D: usize>(
        &self,
        particles: &mut Particles<D>,
        motion: &Motion<D>,
        random: Random,
        step: u64,
    ) {
        if !particles.are_oriented {
            return;
        }
        let Particles { orientation, id, species, unit, .. } = particles;
        let of = (orientation.par_chunks_mut(CHUNK), id.par_chunks(CHUNK));
        let kinds = (species.par_chunks(CHUNK), unit.par_chunks(CHUNK));
        (of, kinds).into_par_iter().for_each(|((orientation, id), (species, unit))| {
            let turns = |n: usize| self.0[species[n] as usize].filter(|_| unit[n] == ALONE);
            // Chunks of crowders alone, which have no sites, need no normals.
            if (0..id.len()).all(|n| turns(n).is_none()) {
                return;
            }
            let mut normals = [Vector::<D>::ZERO; CHUNK];
            let normals = &mut normals[..id.len()];
            motion.sum_of_draws(step, normals, |step, normals| random.rotations(step, id, normals));
            for n in 0..id.len() {
                let Some(Tumbling { width, forgets }) = turns(n) else { continue };
                let key = |what| [id[n], step, 0, what];
                if forgets > 0.0 && random.uniform(Purpose::Orientation, key(2)) < forgets {
                    orientation[n] = some_orientation::<D>(random, key(3));
                    continue;
                }
                let mut angles = [0.0; 3];
                (0..D).for_each(|k| angles[k] = width * normals[n][k]);
                orientation[n] = orientation[n].turned(turn_by::<D>(angles));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean cosine of many turns in a row, against exp(-decay) of each: 2e5 particles that turn
    /// once, for four lengths of the step; the standard error is at most 0.0013, and a deviation of
    /// 4.5 of them in any of four has a probability of 3e-5.
    #[test]
    fn directions_are_forgotten_as_they_should_be() {
        let random = Random::new(3);
        for (n, decay) in [0.01, 0.3, 1.0, 2.5].into_iter().enumerate() {
            let tumbling = Tumbling::in_space(decay);
            let ids: Vec<u64> = (0..200_000).collect();
            let mut normals = vec![Vector::<3>::ZERO; ids.len()];
            random.rotations(n as u64, &ids, &mut normals);
            let axis = Vector([0.6, 0.0, 0.8]);
            let cosine = |(&id, normals): (&u64, &Vector<3>)| {
                let key = [id, n as u64, 0, 2];
                let turn = match random.uniform(Purpose::Orientation, key) < tumbling.forgets {
                    true => some_orientation::<3>(random, key),
                    false => turn_by::<3>((*normals * tumbling.width).0),
                };
                turn.apply(axis).dot(axis)
            };
            let cosines: Vec<f64> = ids.iter().zip(&normals).map(cosine).collect();
            let mean = cosines.iter().sum::<f64>() / cosines.len() as f64;
            let square = cosines.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
            let error = square.sqrt() / cosines.len() as f64;
            let expected = libm::exp(-decay);
            assert!((mean - expected).abs() < 4.5 * error, "{decay}: {mean} {expected} {error}");
        }
    }

    #[test]
    fn small_steps_have_the_width_of_free_diffusion() {
        for decay in [1e-12, 0.99e-5, 1.01e-5, 1e-3] {
            let width = Tumbling::in_space(decay).width;
            assert!((width * width / decay - 1.0).abs() < decay + 1e-9, "{decay} {width}");
        }
    }
}
