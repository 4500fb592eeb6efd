//! Where the energy went: powers summed to energies with an error of the integrator's order.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use jostle_core::observe::EnergyBalance;

/// An energy that is the integral of a power known at whole steps: Adams and Moulton's formula of
/// fifth order, which looks three steps back.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Account {
    /// \[kg nm²/µs²\]
    pub(super) energy: f64,
    /// At the last steps, the latest first. \[kg nm²/µs³\]
    powers: [f64; 4],
}

impl Account {
    /// A step is over, and the power is now `power`.
    pub(super) fn pass(&mut self, power: f64, dt: f64) {
        let [p0, p1, p2, p3] = self.powers;
        self.energy +=
            dt / 720.0 * (251.0 * power + 646.0 * p0 - 264.0 * p1 + 106.0 * p2 - 19.0 * p3);
        self.powers = [power, p0, p1, p2];
    }
}

/// What the contacts of a run gave and took since the start. \[kg nm²/µs²\]
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Accounts {
    pub(super) damped: Account,
    /// Given by walls that move.
    pub(super) walls: Account,
    /// Taken up by a normal law that has no energy of its own, less what it gave back.
    pub(super) pressed: Account,
    /// Taken by tangential forces, what is in their springs included.
    pub(super) rubbed: Account,
    /// In the tangential springs now.
    pub(super) springs: f64,
    /// In the normal law's energy now.
    pub(super) overlaps: f64,
}

impl Accounts {
    /// A step is over.
    pub(super) fn pass(&mut self, now: &Flows, dt: f64) {
        self.damped.pass(now.damped, dt);
        self.walls.pass(now.walls, dt);
        self.pressed.pass(now.pressed, dt);
        self.rubbed.pass(now.rubbed, dt);
        self.springs = now.springs;
        self.overlaps = now.overlaps;
    }

    /// Whether all of them are numbers.
    pub(super) fn are_finite(&self) -> bool {
        let accounts = [&self.damped, &self.walls, &self.pressed, &self.rubbed];
        let is_finite = |account: &&Account| {
            account.energy.is_finite() && account.powers.iter().all(|p| p.is_finite())
        };
        accounts.iter().all(is_finite) && self.springs.is_finite() && self.overlaps.is_finite()
    }

    /// What contacts hold now, and what has become heat. A spring that a contact's end leaves
    /// stretched is heat too.
    pub(super) fn enter(&self, balance: &mut EnergyBalance) {
        balance.elastic = self.overlaps + self.springs + self.pressed.energy;
        balance.dissipated = self.damped.energy + self.rubbed.energy - self.springs;
        balance.wall_work = self.walls.energy;
    }
}

/// What flows at one moment, and what is stored: sums over contacts. \[kg nm²/µs³\], \[kg nm²/µs²\]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flows {
    /// Into heat by damping.
    pub(super) damped: f64,
    /// From walls that move.
    pub(super) walls: f64,
    /// Into overlaps whose law has no energy.
    pub(super) pressed: f64,
    /// Into springs and heat by tangential forces.
    pub(super) rubbed: f64,
    /// Stored in springs.
    pub(super) springs: f64,
    /// Stored in overlaps.
    pub(super) overlaps: f64,
}

impl AddAssign<&Flows> for Flows {
    fn add_assign(&mut self, other: &Flows) {
        self.damped += other.damped;
        self.walls += other.walls;
        self.pressed += other.pressed;
        self.rubbed += other.rubbed;
        self.springs += other.springs;
        self.overlaps += other.overlaps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_of_fifth_order() {
        let errors = [100, 200, 400].map(|steps| {
            let dt = 2.0 / f64::from(steps);
            // A power that begins as smoothly as the account: nothing before the start.
            let power = |t: f64| libm::pow(libm::sin(t), 6.0);
            let mut account = Account::default();
            for step in 1..=steps {
                account.pass(power(f64::from(step) * dt), dt);
            }
            let exact = 2.0 * 5.0 / 16.0
                - (15.0 * libm::sin(4.0) / 64.0 - 3.0 * libm::sin(8.0) / 64.0
                    + libm::sin(12.0) / 192.0);
            (account.energy - exact).abs()
        });
        for pair in errors.windows(2) {
            let order = libm::log2(pair[0] / pair[1]);
            assert!((4.3..6.5).contains(&order), "order {order}, errors {errors:?}");
        }
    }
}
