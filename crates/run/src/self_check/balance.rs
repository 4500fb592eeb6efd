//! Whether energy and momentum balance.

use super::{SelfCheckFault, Subject};
use jostle_core::observe::EnergyBalance;

/// What the total momentum may change by, over what particles of this mass and energy can have.
const MOMENTUM: f64 = 1e-8;

/// The energy balance at the start, and the most that was found since.
#[derive(Clone, Debug)]
pub(super) struct Balance {
    first: EnergyBalance,
    /// The most energy that was in motion.
    kinetic: f64,
    /// The largest imbalance so far, over what was turned over.
    worst: f64,
    isolated: usize,
}

impl Balance {
    pub(super) fn new<const D: usize>(first: EnergyBalance, subject: &Subject<D>) -> Self {
        let isolated = subject.isolated.iter().filter(|alone| **alone).count();
        Self { first, kinetic: first.kinetic, worst: 0.0, isolated }
    }

    pub(super) fn check<const D: usize>(
        &mut self,
        step: u64,
        now: EnergyBalance,
        subject: &Subject<D>,
    ) -> Result<(), SelfCheckFault> {
        self.kinetic = self.kinetic.max(now.kinetic);
        if let Some(tolerance) = subject.imbalance {
            let first = &self.first;
            let held = |balance: &EnergyBalance| {
                balance.kinetic + balance.potential + balance.elastic + balance.dissipated
            };
            let given = |balance: &EnergyBalance| balance.wall_work + balance.force_work;
            let by = (held(&now) - held(first)) - (given(&now) - given(first));
            let turned = self.kinetic
                + now.dissipated.abs()
                + now.wall_work.abs()
                + now.force_work.abs()
                + now.elastic
                + (now.potential - first.potential).abs();
            let share = by.abs() / turned.max(f64::MIN_POSITIVE);
            self.worst = self.worst.max(share);
            if share.is_nan() || share > tolerance {
                return Err(SelfCheckFault::Energy { step, by, share, tolerance });
            }
        }
        let scale = (2.0 * subject.mass * self.kinetic).sqrt().max(f64::MIN_POSITIVE);
        for k in (0..D).filter(|&k| subject.isolated[k]) {
            let share = (now.momentum[k] - self.first.momentum[k]).abs() / scale;
            if share.is_nan() || share > MOMENTUM {
                return Err(SelfCheckFault::Momentum { step, axis: ["x", "y", "z"][k], share });
            }
        }
        Ok(())
    }

    /// What was looked at.
    pub(super) fn account<const D: usize>(&self, subject: &Subject<D>) -> Option<String> {
        let energy =
            subject.imbalance.map(|_| format!("energy (unexplained: {:.1e} at most)", self.worst));
        let momentum = (self.isolated > 0).then(|| "momentum".to_owned());
        let parts: Vec<String> = energy.into_iter().chain(momentum).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
