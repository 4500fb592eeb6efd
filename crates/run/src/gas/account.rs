//! What a run of a disk gas has done, for people.

use crate::summary::{Account, RunTotals, joule};
use jostle_core::engine::{Engine, Figure};
use jostle_core::observe::EnergyBalance;
use jostle_core::words::digits;

/// How much energy came or went, relative to what there was of motion and, in gravity, of height.
fn imbalance(balance: &[EnergyBalance; 2]) -> f64 {
    let [first, last] = balance.map(|balance| balance.kinetic + balance.potential);
    let [kinetic, potential] = [balance[0].kinetic, balance[0].potential.abs()];
    (last - first) / (kinetic + potential).max(f64::MIN_POSITIVE)
}

/// Of figures that begin with the collisions of two disks, and those with walls.
pub(super) fn account(
    figures: &[Figure],
    engine: &impl Engine<2>,
    totals: &RunTotals<'_>,
) -> Account {
    let count = |n: usize| figures.get(n).map_or(0, |(_, count)| *count as u64);
    let (disks, walls, steps) = (count(0), count(1), engine.clock().step);
    let each =
        |(name, count): &Figure| format!("{} {name}", digits(count / steps.max(1) as f64, 6));
    let work: Vec<_> = figures.iter().skip(2).filter(|(_, count)| *count > 0.0).map(each).collect();
    let [first, last] = &totals.balance;
    let energy = format!(
        "kinetic {} at the start, {} at the end; potential {} and {}\n(relative change of the total: {:+.1e})",
        joule(first.kinetic),
        joule(last.kinetic),
        joule(first.potential),
        joule(last.potential),
        imbalance(&totals.balance)
    );
    Account {
        lines: vec![
            ("contacts", format!("{disks} between disks, {walls} with walls")),
            ("per step", work.join(", ")),
            ("energy", energy),
        ],
        contacts: disks,
        work: (steps as f64 * totals.particles, "particle steps"),
        costs: Vec::new(),
        counts: format!("{figures:?}"),
    }
}
