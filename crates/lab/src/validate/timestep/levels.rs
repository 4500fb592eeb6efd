//! The same world at several time steps, driven by the same noise.

use super::super::CheckError;
use super::super::world::{World, advance};
use jostle_brownian::{Brownian, Seed, StepError};

/// A world at dt, dt/2, dt/4, .., the coarsest first.
pub(super) struct Levels<const D: usize> {
    engines: Vec<Brownian<D>>,
}

impl<const D: usize> Levels<D> {
    /// So many levels of a world whose time step is the longest, with particles.
    pub(super) fn new(
        world: &World<D>,
        particles: &[Seed<D>],
        levels: u32,
    ) -> Result<Self, CheckError> {
        let engine = |level: u32| -> Result<Brownian<D>, CheckError> {
            let finer = world.clone().timestep(world.timestep / f64::from(1u32 << level));
            Ok(finer.with(particles)?.drawing_finer(1 << (levels - 1 - level)))
        };
        Ok(Self { engines: (0..levels).map(engine).collect::<Result<_, _>>()? })
    }

    /// Continues by so many of the longest steps.
    pub(super) fn advance(&mut self, steps: usize) -> Result<(), StepError> {
        self.engines
            .iter_mut()
            .enumerate()
            .try_for_each(|(level, engine)| advance(engine, steps << level))
    }

    /// Something of each level.
    pub(super) fn map<T>(&self, of: impl FnMut(&Brownian<D>) -> T) -> Vec<T> {
        self.engines.iter().map(of).collect()
    }
}

/// Blocks of the changes from each level to the next.
pub(super) fn changes(blocks: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let of = |pair: &[Vec<f64>]| {
        pair[1].iter().zip(&pair[0]).map(|(fine, coarse)| fine - coarse).collect()
    };
    blocks.windows(2).map(of).collect()
}

/// Blocks of the limit that the last two levels extrapolate to, the error being of first order.
pub(super) fn limits(blocks: &[Vec<f64>]) -> Vec<f64> {
    let [.., coarse, fine] = blocks else { return Vec::new() };
    fine.iter().zip(coarse).map(|(fine, coarse)| 2.0 * fine - coarse).collect()
}
