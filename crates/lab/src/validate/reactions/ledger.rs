//! What happened, and when.

use super::super::CheckError;
use jostle_brownian::Brownian;
use jostle_core::observe::{Change, ChangeKind, Observer, ObserverError};
use jostle_core::rules::{Action, ContactRule};
use jostle_core::space::Vector;

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub(in crate::validate) struct Event<const D: usize> {
    pub(in crate::validate) time: f64,
    pub(in crate::validate) kind: ChangeKind,
    pub(in crate::validate) rule: u16,
    pub(in crate::validate) place: Vector<D>,
}

/// Keeps all that happened.
#[derive(Clone, Debug, Default)]
pub(in crate::validate) struct Ledger<const D: usize>(pub(in crate::validate) Vec<Event<D>>);

impl<const D: usize> Observer<D> for Ledger<D> {
    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        let time = change.step as f64 + change.time;
        self.0.push(Event { time, kind: change.kind, rule: change.rule, place: change.place });
        Ok(())
    }
}

impl<const D: usize> Ledger<D> {
    /// When things of this kind happened. \[steps\]
    pub(in crate::validate) fn times(&self, kind: ChangeKind) -> Vec<f64> {
        self.0.iter().filter(|event| event.kind == kind).map(|event| event.time).collect()
    }

    /// When this rule acted. \[steps\]
    pub(in crate::validate) fn times_of_rule(&self, rule: u16) -> impl Iterator<Item = f64> {
        self.0.iter().filter(move |event| event.rule == rule).map(|event| event.time)
    }

    /// For a single pair: how long it was bound and how long it then was free, time and again, from
    /// the first unbinding on. \[steps\]
    pub(in crate::validate) fn cycles(&self) -> Vec<[f64; 2]> {
        let parted = |kind: ChangeKind| matches!(kind, ChangeKind::Split | ChangeKind::Unbonded);
        let moments: Vec<_> =
            self.0.iter().filter(|event| event.kind != ChangeKind::Refused).collect();
        let first = moments.iter().position(|event| parted(event.kind)).unwrap_or(moments.len());
        let cycles = moments[first..].windows(3).step_by(2);
        cycles.map(|m| [m[2].time - m[1].time, m[1].time - m[0].time]).collect()
    }
}

/// Sums of rows, `size` at a time: blocks that are nearly Gaussian.
pub(in crate::validate) fn blocks<const N: usize>(rows: &[[f64; N]], size: usize) -> Vec<[f64; N]> {
    let sum = |rows: &[[f64; N]]| {
        rows.iter().fold([0.0; N], |sum, row| std::array::from_fn(|k| sum[k] + row[k]))
    };
    rows.chunks_exact(size).map(sum).collect()
}

/// How many particles of a species there are.
pub(in crate::validate) fn count<const D: usize>(engine: &Brownian<D>, species: u16) -> usize {
    let p = engine.particles();
    (0..p.len()).filter(|&slot| p.alive[slot] && p.species[slot] == species).count()
}

/// Rules by which species `0..count` ignore each other.
pub(in crate::validate) fn strangers(count: u16) -> Vec<ContactRule> {
    let pairs = (0..count).flat_map(|a| (0..=a).map(move |b| [b, a]));
    pairs.map(|pair| ContactRule::plain(&format!("{pair:?}"), pair, Action::Ignore)).collect()
}

/// Steps until the time is `until`.
pub(in crate::validate) fn step_until<const D: usize>(
    engine: &mut Brownian<D>,
    until: f64,
    observer: &mut dyn Observer<D>,
) -> Result<(), CheckError> {
    let timestep = engine.clock().timestep;
    while engine.clock().time() < until - 0.5 * timestep {
        engine.step(observer)?;
    }
    Ok(())
}
