//! Uniform random numbers for starts and for Monte Carlo references.

use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Vector};

/// Draws one number after the other.
pub(in crate::validate) struct Dice {
    random: Random,
    drawn: u64,
}

impl Dice {
    pub(in crate::validate) fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), drawn: 0 }
    }

    /// In [0, 1).
    pub(in crate::validate) fn uniform(&mut self) -> f64 {
        self.drawn += 1;
        self.random.uniform(Purpose::Placement, [self.drawn, 0, 0, 0])
    }

    /// A place in a cube.
    pub(in crate::validate) fn place<const D: usize>(&mut self, edge: f64) -> Vector<D> {
        Vector::from_fn(|_| self.uniform() * edge)
    }

    /// A uniformly distributed unit vector.
    pub(in crate::validate) fn direction<const D: usize>(&mut self) -> Vector<D> {
        loop {
            let v = Vector::from_fn(|_| 2.0 * self.uniform() - 1.0);
            let r = v.norm();
            if r > 0.1 && r < 1.0 {
                return v * (1.0 / r);
            }
        }
    }

    /// `count` places in a periodic cube, none within `apart` of another or of `avoid`, one after
    /// the other at random: uniform if they are so few that they hardly interact.
    pub(in crate::validate) fn places<const D: usize>(
        &mut self,
        edge: f64,
        count: usize,
        apart: f64,
    ) -> Vec<Vector<D>> {
        let domain = Domain::new([edge; D], [true; D]);
        let mut places: Vec<Vector<D>> = Vec::with_capacity(count);
        while places.len() < count {
            let place = self.place(edge);
            let far = |other: &Vector<D>| {
                domain.nearest_image(*other - place).norm_squared() >= apart * apart
            };
            if places.iter().all(far) {
                places.push(place);
            }
        }
        places
    }
}
