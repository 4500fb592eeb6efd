//! The energy of particles in flight whose engine does not reckon it: from their masses and
//! velocities at the ends of steps.

use jostle_core::observe::{Change, Clock, Contact, EnergyBalance, Observer, ObserverError, View};
use jostle_core::space::Vector;

use super::drive::Chain;
use super::ledger::RuleCounts;
use super::tape::Tape;

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

/// An observer that adds the energy to what others see, where it has to be reckoned.
pub(super) struct BalanceObserver<N, const D: usize> {
    pub(super) accounts: Option<Accounts<D>>,
    pub(super) next: N,
}

impl<const D: usize, N: Chain<D>> Chain<D> for BalanceObserver<N, D> {
    fn tape(&mut self) -> &mut Tape<D> {
        self.next.tape()
    }

    fn rule_counts(&self) -> &[RuleCounts] {
        self.next.rule_counts()
    }
}

impl<const D: usize, N: Observer<D>> Observer<D> for BalanceObserver<N, D> {
    fn wants_contacts(&self) -> bool {
        self.next.wants_contacts()
    }

    fn wants_edges(&self) -> bool {
        self.next.wants_edges()
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        self.next.contact(contact)
    }

    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        self.next.change(change)
    }

    fn wants_step(&self, clock: Clock) -> bool {
        self.next.wants_step(clock)
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        match self.accounts.as_ref().filter(|_| self.next.wants_step(view.clock)) {
            Some(accounts) => {
                self.next.step(&View { balance: Some(accounts.balance(view)), ..*view })
            }
            None => self.next.step(view),
        }
    }
}
