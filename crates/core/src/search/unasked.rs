//! The structure of particles that ignore each other: it takes up nothing and answers that no
//! particle touches any particle.

use super::{Broad, Counters, Finder, Pair, Search};
use crate::space::{Paths, Window};

/// Stands in for a structure where all particles ignore each other, so that none is ever built.
pub struct Unasked<const D: usize>(pub Finder<D>);

impl<const D: usize> Broad<D> for Unasked<D> {
    fn refit(&mut self, _: &Paths<'_, D>, _: Window) {}

    fn near(&self, _: u32, _: &Paths<'_, D>, _: &mut Vec<u32>) {}

    fn update(&mut self, _: u32, _: &Paths<'_, D>) {}

    fn insert(&mut self, _: u32, _: &Paths<'_, D>) {}

    fn remove(&mut self, _: u32) {}

    fn renumber(&mut self, _: &[u32]) {}

    fn counters(&self) -> Counters {
        self.0.counters()
    }

    fn describe(&self) -> String {
        self.0.describe()
    }
}

impl<const D: usize> Search<D> for Unasked<D> {
    fn pairs(&self, _: &Paths<'_, D>, _: &mut Vec<Pair>) {}
}
