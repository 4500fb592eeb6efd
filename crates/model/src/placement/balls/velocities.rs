//! How balls move at the start.

use std::f64::consts::{PI, TAU};

use super::{Ball, GranularModel, Model};
use crate::granular::Motion;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::Vector;

/// The velocity of each ball, a function of the seed and its number alone. By Maxwell's law, every
/// ball draws from the distribution of its own mass at the temperature at which one of its species'
/// mean radius has the mean speed that the model gives. Where nothing ever changes the total
/// momentum, in a box that is periodic along all axes and without forces, a start at random has
/// none. \[nm/µs\]
pub fn velocities<const D: usize>(
    model: &Model,
    granular: &GranularModel,
    balls: &[Ball<D>],
) -> Vec<Vector<D>> {
    let random = Random::new(model.run.seed);
    let velocity = |(n, ball): (usize, &Ball<D>)| {
        let law = &granular.balls[ball.species as usize];
        match law.motion {
            Motion::Rest => Vector::ZERO,
            Motion::Alike(velocity) => Vector::from_fn(|k| velocity[k]),
            Motion::Maxwell(speed) => {
                let lighter = law.mass_of(law.mean_radius()) / law.mass_of(ball.radius);
                normals::<D>(&random, n as u64) * (speed / mean_norm(D) * lighter.sqrt())
            }
        }
    };
    let mut all: Vec<Vector<D>> = balls.iter().enumerate().map(velocity).collect();
    if rests_as_a_whole(model, granular) {
        let mass = |ball: &Ball<D>| granular.balls[ball.species as usize].mass_of(ball.radius);
        let (mut momentum, mut total) = (Vector::ZERO, 0.0);
        for (ball, velocity) in balls.iter().zip(&all) {
            momentum += *velocity * mass(ball);
            total += mass(ball);
        }
        if total > 0.0 {
            let mean = momentum * (1.0 / total);
            all.iter_mut().for_each(|velocity| *velocity -= mean);
        }
    }
    all
}

/// The mean length of a vector of `dimension` independent standard normals.
pub(in crate::placement) fn mean_norm(dimension: usize) -> f64 {
    match dimension {
        1 => (2.0 / PI).sqrt(),
        2 => (PI / 2.0).sqrt(),
        _ => (8.0 / PI).sqrt(),
    }
}

/// Independent standard normals (Box and Muller 1958).
pub(in crate::placement) fn normals<const D: usize>(random: &Random, number: u64) -> Vector<D> {
    Vector::from_fn(|k| {
        let uniform = |which| random.uniform(Purpose::Velocity, [number, k as u64, which, 0]);
        let length = (-2.0 * libm::log(1.0 - uniform(0))).sqrt();
        length * libm::cos(TAU * uniform(1))
    })
}

fn rests_as_a_whole(model: &Model, granular: &GranularModel) -> bool {
    let GranularModel { gravity, drag, field, balls, .. } = granular;
    let free =
        gravity.strength() == 0.0 && gravity.driven.is_none() && *drag == 0.0 && field.is_none();
    let at_random = balls.iter().all(|balls| !matches!(balls.motion, Motion::Alike(_)));
    free && at_random
        && model.space.periodic[..model.space.dimension].iter().all(|periodic| *periodic)
}
