//! Particles with sites that point somewhere turn, at the end of the step and for all of it. Of a
//! particle that moves alone this is free rotational diffusion, since a sphere that turns overlaps
//! nothing; units turn as one (see [`super::rotate`]). What lives on a plane turns about its normal alone, with
//! the same rotational diffusion coefficient.

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

use jostle_core::clusters::{Piece, rotational_diffusion};
use jostle_core::environment::Environment;
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
    /// The axis about which alone it turns, if there is one.
    about: Option<usize>,
}

impl Tumbling {
    /// How a lone particle of a species turns, if it has a site that points somewhere.
    fn of<const D: usize>(species: &Species, about: Option<usize>, timestep: f64) -> Option<Self> {
        let piece = Piece {
            radius: species.radius?,
            diffusion_coefficient: species.diffusion_coefficient?,
        };
        let of_sphere =
            || rotational_diffusion::<D>(&[Vector::ZERO], &[piece], piece.diffusion_coefficient);
        let diffusion = species.sites.rotational_diffusion().unwrap_or_else(of_sphere);
        species.sites.are_directed().then(|| match about {
            Some(_) => Self { width: (2.0 * diffusion * timestep).sqrt(), forgets: 0.0, about },
            None => Self::in_space(2.0 * diffusion * timestep),
        })
    }

    /// How one turns, given some normal deviates.
    fn turn<const D: usize>(&self, normals: Vector<D>) -> Orientation {
        // In two dimensions the first is of the one angle that there is.
        let free = |k: usize| D == 2 || self.about.is_none_or(|axis| axis == k);
        let mut angles = [0.0; 3];
        (0..D).filter(|&k| free(k)).for_each(|k| angles[k] = self.width * normals[k]);
        turn_by::<D>(angles)
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
        Self { width: variance.sqrt(), forgets, about: None }
    }
}

/// An orientation that is uniformly distributed, as a function of the seed and the key alone: of one
/// that turns `about` this axis of space alone if there is one, and stands upright on the plane across it.
pub(super) fn some_orientation(random: Random, key: [u64; 4], about: Option<usize>) -> Orientation {
    let mut generator = random.generator(Purpose::Orientation, key);
    if let Some(axis) = about {
        let angle = std::f64::consts::TAU * generator.random::<f64>();
        let turn = Orientation::about(Vector::from_fn(|k| f64::from(k == axis)), angle);
        return if axis == 2 { turn } else { Orientation::upright(axis).turned(turn) };
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
    pub(super) fn of<const D: usize>(
        species: &[Species],
        environment: &Environment<D>,
        timestep: f64,
    ) -> Self {
        let about = (0..).map(|n| environment.turns_about(n));
        let of = |(one, about): (&Species, _)| Tumbling::of::<D>(one, about, timestep);
        Self(species.iter().zip(about).map(of).collect())
    }

    /// Gives all particles orientations if any site points somewhere, each at random unless it is
    /// turned already.
    pub(super) fn orient<const D: usize>(
        &self,
        particles: &mut Particles<D>,
        environment: &Environment<D>,
        random: Random,
    ) {
        if self.0.iter().all(Option::is_none) {
            return;
        }
        particles.orient();
        for slot in 0..particles.len() {
            if particles.orientation[slot] != Orientation::NONE {
                continue;
            }
            let key = [particles.id[slot], 0, 0, 0];
            // Whatever lives on a plane stands upright, since it may become one whose sites point somewhere.
            let about = environment.turns_about(particles.species[slot]);
            particles.orientation[slot] = some_orientation(random, key, about);
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
                let Some(tumbling) = turns(n) else { continue };
                let (forgets, key) = (tumbling.forgets, |what| [id[n], step, 0, what]);
                if forgets > 0.0 && random.uniform(Purpose::Orientation, key(2)) < forgets {
                    orientation[n] = some_orientation(random, key(3), tumbling.about);
                    continue;
                }
                orientation[n] = orientation[n].turned(tumbling.turn(normals[n]));
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
                    true => some_orientation(random, key, None),
                    false => tumbling.turn(*normals),
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
