//! The energy of particles in flight whose engine does not reckon it: from their masses and
//! velocities at the ends of steps.

use jostle_core::observe::{EnergyBalance, View};
use jostle_core::space::Vector;

/// What the energy is reckoned from.
#[derive(Clone, Debug)]
pub(super) struct Accounts<const D: usize> {
    /// \[kg\], \[species\]
    pub(super) mass: Vec<f64>,
    /// \[nm/µs²\]
    pub(super) gravity: Vector<D>,
}

impl<const D: usize> Accounts<D> {
    /// The mass of each particle, by identity. \[kg\]
    pub(super) fn masses(&self, view: &View<'_, D>) -> Vec<f64> {
        let p = view.particles;
        p.slots_by_id()
            .into_iter()
            .map(|slot| self.mass[p.species[slot as usize] as usize])
            .collect()
    }

    /// The energy of a state; what the state itself says of it, if it does.
    pub(super) fn balance(&self, view: &View<'_, D>) -> EnergyBalance {
        if let Some(balance) = view.balance {
            return balance;
        }
        let (p, per_time) = (view.particles, 1.0 / view.clock.timestep);
        let mut balance = EnergyBalance::default();
        for slot in p.slots_by_id() {
            let i = slot as usize;
            let mass = self.mass[p.species[i] as usize];
            let velocity = p.velocity[i] * per_time;
            balance.kinetic += 0.5 * mass * velocity.norm_squared();
            balance.potential -= mass * self.gravity.dot(view.unwrapped(i));
            for k in 0..D {
                balance.momentum[k] += mass * velocity[k];
            }
        }
        balance
    }
}
