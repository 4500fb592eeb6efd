//! What these tests are made of: the worlds of `jostle validate`, in which nothing may go wrong.

use jostle::granular::{Grain, Granular};
use jostle_lab::validate::granular::world;
pub(crate) use jostle_lab::validate::granular::world::{
    GranularWorld, Hear, ball, energy, gas, heat, lattice, overlap, scattered, temperature, uniform,
};

/// Starts that are accepted.
pub(crate) trait Start<const D: usize> {
    fn engine(&self, grains: &[Grain<D>]) -> Granular<D>;
}

impl<const D: usize> Start<D> for GranularWorld<D> {
    fn engine(&self, grains: &[Grain<D>]) -> Granular<D> {
        self.start(grains).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// Runs until `end` without an observer.
pub(crate) fn run<const D: usize>(engine: &mut Granular<D>, end: f64) {
    world::run(engine, end).unwrap_or_else(|fault| panic!("{fault}"));
}
