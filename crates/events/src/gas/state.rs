//! The state between two steps: all that the rest of a run follows from, besides what the gas is
//! made of.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Gas, GasSetup, GasSetupError, GasTally};
use jostle_core::particles::{ALONE, Particles};
use jostle_core::space::holds;

/// All that changes from step to step and is not made anew, and the disks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GasState<'a> {
    step: u64,
    particles: Cow<'a, Particles<2>>,
    /// \[disk\], \[kg\]
    mass: Cow<'a, [f64]>,
    tally: GasTally,
}

impl Gas {
    /// The state, between steps.
    pub fn state(&self) -> GasState<'_> {
        GasState {
            step: self.clock.step,
            particles: Cow::Borrowed(&self.particles),
            mass: Cow::Borrowed(&self.mass),
            tally: self.tally,
        }
    }

    /// A gas that resumes from `state` as the one that it was taken from would have. The
    /// arrangement decides in which order pairs collide, and so is to be the same.
    ///
    /// # Errors
    /// As [`Gas::new`], and if the state is not one of a gas in such a box.
    pub fn resume(setup: GasSetup, state: GasState<'_>) -> Result<Self, GasSetupError> {
        setup.check(state.particles.radius.iter().copied())?;
        state.check(&setup).map_err(GasSetupError::State)?;
        let GasState { step, particles, mass, tally } = state;
        let mut gas = Self::assembled(setup, particles.into_owned(), mass.into_owned());
        gas.clock.step = step;
        gas.tally = tally;
        Ok(gas)
    }
}

impl GasState<'_> {
    /// Of the largest disk; 0 if there is none. \[nm\]
    pub fn largest_radius(&self) -> f64 {
        self.particles.radius.iter().copied().fold(0.0, f64::max)
    }

    /// Whether all disks are of the first `count` species. The gas does not know how many there
    /// are.
    pub fn is_of_species(&self, count: usize) -> bool {
        self.particles.species.iter().all(|&species| (species as usize) < count)
    }

    /// Whether it hangs together, so that nothing that was read from a file can lead anywhere.
    fn check(&self, setup: &GasSetup) -> Result<(), &'static str> {
        let p = &*self.particles;
        let disks = self.mass.len();
        holds(p.is_even() && p.len() == disks, "its arrays differ in length")?;
        holds(disks < u32::MAX as usize, "it has too many disks")?;
        holds(
            p.id.iter().copied().eq(0..disks as u64),
            "the identities of its disks are not their numbers",
        )?;
        holds(p.alive.iter().all(|&alive| alive), "a disk is gone")?;
        holds(p.unit.iter().all(|&unit| unit == ALONE), "a disk is bound to others")?;
        holds(p.velocity.iter().all(|v| v.is_finite()), "a velocity is not finite")?;
        let edges = setup.domain.edges();
        let inside = p.position.iter().all(|x| (0..2).all(|k| (0.0..=edges[k]).contains(&x[k])));
        holds(inside, "a disk is not in its box")?;
        let is_positive = |x: &f64| *x > 0.0 && x.is_finite();
        holds(p.radius.iter().all(is_positive), "a radius is not a positive number")?;
        holds(self.mass.iter().all(is_positive), "a mass is not a positive number")
    }
}

#[cfg(test)]
mod tests;
