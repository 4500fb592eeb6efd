//! The end of a step: everyone arrives, positions return to the box.

use rayon::prelude::*;

use super::{Brownian, StepError};

/// Bodies handled as one piece of work; no result depends on it.
const CHUNK: usize = 4096;

impl<const D: usize> Brownian<D> {
    /// Puts every body at the end of its path and starts afresh.
    pub(super) fn arrive(&mut self) -> Result<(), StepError> {
        let domain = &self.domain;
        let p = &mut self.particles;
        let lost =
            (p.position.par_chunks_mut(CHUNK), p.velocity.par_chunks(CHUNK), p.since.par_chunks_mut(CHUNK))
                .into_par_iter()
                .zip((p.image.par_chunks_mut(CHUNK), p.radius.par_chunks(CHUNK)).into_par_iter())
                .enumerate()
                .map(|(n, ((position, velocity, since), (image, radius)))| {
                    let mut lost = None;
                    for i in 0..position.len() {
                        let end = position[i] + velocity[i] * (1.0 - since[i]);
                        let (mut place, periods) = domain.wrap(end);
                        for k in (0..D).filter(|&k| !domain.is_periodic(k)) {
                            // A path that ends on a wall may end an ulp behind it.
                            place[k] =
                                place[k].clamp(radius[i], (domain.edges()[k] - radius[i]).max(radius[i]));
                        }
                        if !end.is_finite() {
                            lost = Some(n * CHUNK + i);
                        }
                        position[i] = place;
                        since[i] = 0.0;
                        for k in 0..D {
                            image[i][k] += periods[k];
                        }
                    }
                    lost
                })
                .reduce(|| None, Option::or);
        self.busy.fill(0);
        match lost {
            Some(slot) => Err(StepError::Lost { step: self.clock.step, id: self.particles.id[slot] }),
            None => Ok(()),
        }
    }

    /// The farthest that any part of a body gets from where its path starts. \[nm\]
    pub(super) fn longest_reach(&self) -> f64 {
        let p = &self.particles;
        (0..p.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|i| p.velocity[i].norm() + p.radius[i])
            .reduce(|| 0.0, f64::max)
    }
}
