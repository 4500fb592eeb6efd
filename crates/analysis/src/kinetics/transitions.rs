//! How clusters of one size become clusters of another.

use std::collections::BTreeMap;

use super::super::scope::Scope;
use super::super::tables::{Cell, Table};
use super::integral::{Integral, TimeBins};
use super::poisson::PoissonRate;
use super::sizes;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// How often a cluster of one size led to one of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Particles in the cluster that was; 0 for clusters that came out of nothing.
    pub from: u64,
    /// Particles in the one that came of it; 0 for clusters that vanished.
    pub to: u64,
    /// How often, and for how long there were how many clusters of the size `from`. \[µs\]
    pub rate: PoissonRate,
}

/// The size-transition matrix. Every cluster that a change ends or changes in size leads to every
/// one that comes of it: a merger of 1 and 3 is one transition 1 → 4 and one 3 → 4, the split of 4
/// into 2 and 2 is two transitions 4 → 2. Changes that leave all sizes as they are do not count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transitions {
    /// Those that were seen, by size.
    pub entries: Vec<Transition>,
    /// For how long there were how many clusters of each size, whether or not they changed. \[µs\]
    pub exposures: Vec<(u64, f64)>,
}

impl Transitions {
    /// One row per pair of sizes that was seen.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&[
            "from size",
            "to size",
            "transitions",
            "clusters × time (s)",
            "rate per cluster (/s)",
            "95 % from (/s)",
            "95 % to (/s)",
        ]);
        for one in &self.entries {
            let [low, high] = one.rate.interval();
            // From µs to s.
            let known = |rate: f64| (one.from > 0).then_some(rate * 1e6);
            let exposure = (one.from > 0).then_some(one.rate.exposure * 1e-6);
            table.push(vec![
                Cell::from(one.from),
                one.to.into(),
                one.rate.events.into(),
                exposure.into(),
                known(one.rate.rate()).into(),
                known(low).into(),
                known(high).into(),
            ]);
        }
        table
    }
}

impl Transitions {
    /// One row per size of cluster: transitions of several runs are pooled with it.
    pub fn exposures_to_table(&self) -> Table {
        let mut table = Table::new(&["from size", "clusters × time (s)"]);
        for &(size, exposure) in &self.exposures {
            table.push(vec![size.into(), (exposure * 1e-6).into()]);
        }
        table
    }

    /// The `count` that happened most often, by size.
    #[must_use]
    pub fn most_frequent(&self, count: usize) -> Self {
        let mut entries = self.entries.clone();
        entries.sort_by_key(|one| std::cmp::Reverse(one.rate.events));
        entries.truncate(count);
        entries.sort_by_key(|one| [one.from, one.to]);
        Self { entries, exposures: self.exposures.clone() }
    }
}

/// Counts how often clusters of one size became clusters of another, from the log of changes. If species are
/// chosen, the size is the number of their particles; 0 is a cluster that has none of them.
///
/// # Errors
/// If there is no frame, or the file cannot be read.
pub fn transitions(reading: &Reading, scope: &Scope) -> Result<Transitions, ReadError> {
    let [from, to] = scope.window(reading)?;
    let chosen = scope.chosen(reading)?;
    let bins = TimeBins { from, to, count: 1 };
    let numbers = std::cell::RefCell::new(BTreeMap::<u64, Integral>::new());
    let shift = |size: u64, time: f64, by: f64| {
        let mut numbers = numbers.borrow_mut();
        let number = numbers.entry(size).or_insert_with(|| Integral::new(&bins));
        number.set(&bins, time, number.value() + by);
    };
    let mut counts: BTreeMap<[u64; 2], u64> = BTreeMap::new();
    sizes::follow(
        reading,
        chosen.as_deref(),
        to,
        |at_first| at_first.iter().for_each(|cluster| shift(cluster.size, from, 1.0)),
        |turn| {
            turn.gone.iter().for_each(|cluster| shift(cluster.size, turn.time, -1.0));
            turn.come.iter().for_each(|&size| shift(size, turn.time, 1.0));
            if turn.time >= from {
                let gone = turn.gone.iter().map(|cluster| cluster.size).collect();
                pairs(gone, turn.come.to_vec())
                    .for_each(|pair| *counts.entry(pair).or_default() += 1);
            }
        },
    )?;
    let exposures: BTreeMap<u64, f64> = numbers
        .into_inner()
        .into_iter()
        .map(|(size, number)| (size, number.finish(&bins)[0]))
        .collect();
    let entry = |([from, to], events): ([u64; 2], u64)| {
        let exposure = exposures.get(&from).copied().unwrap_or(0.0);
        Transition { from, to, rate: PoissonRate { events, exposure } }
    };
    let entries = counts.into_iter().map(entry).collect();
    let there = exposures.iter().filter(|(_, exposure)| **exposure > 0.0);
    Ok(Transitions {
        entries,
        exposures: there.map(|(&size, &exposure)| (size, exposure)).collect(),
    })
}

/// Which lead to which: every particle gone to every particle come, nothing being a size of 0.
fn pairs(mut gone: Vec<u64>, mut come: Vec<u64>) -> impl Iterator<Item = [u64; 2]> {
    gone.sort_unstable();
    come.sort_unstable();
    let same = gone == come;
    for side in [&mut gone, &mut come] {
        if side.is_empty() {
            side.push(0);
        }
    }
    let all = gone.into_iter().flat_map(move |n| come.clone().into_iter().map(move |m| [n, m]));
    all.filter(move |_| !same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_are_those_with_most_events() {
        let entry = |(n, events): (u64, u64)| Transition {
            from: n,
            to: n + 1,
            rate: PoissonRate { events, exposure: 1.0 },
        };
        let entries = [(1, 4), (2, 9), (3, 1), (4, 5)].map(entry).to_vec();
        let all = Transitions { entries, exposures: vec![(1, 2.0)] };
        assert_eq!(all.most_frequent(2).entries, [(2, 9), (4, 5)].map(entry));
        assert_eq!(all.most_frequent(9), all);
    }

    #[test]
    fn all_that_goes_leads_to_all_that_comes() {
        let found =
            |gone: &[u64], come: &[u64]| pairs(gone.to_vec(), come.to_vec()).collect::<Vec<_>>();
        assert_eq!(found(&[3, 1], &[4]), [[1, 4], [3, 4]]);
        assert_eq!(found(&[4], &[2, 2]), [[4, 2], [4, 2]]);
        assert_eq!(found(&[4], &[]), [[4, 0]]);
        assert_eq!(found(&[], &[1]), [[0, 1]]);
        assert_eq!(found(&[2, 1], &[1, 2]), [[0u64; 2]; 0]);
        assert_eq!(found(&[], &[]), [[0u64; 2]; 0]);
    }
}
