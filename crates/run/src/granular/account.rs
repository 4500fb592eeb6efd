//! What a granular run has done, for people.

use crate::summary::{Account, RunTotals, imbalance, joule};
use jostle_events::granular::{Granular, Tally};

pub(super) fn account<const D: usize>(engine: &Granular<D>, totals: &RunTotals<'_>) -> Account {
    let (tally, topology) = (engine.tally(), engine.search().topology());
    let Tally { collisions, wall_collisions, trajectory_events, lasting, .. } = tally;
    let mut contacts = format!("{collisions} between balls, {wall_collisions} with walls");
    if lasting > 0 {
        contacts += &format!("; {lasting} in lasting contact, which lost no energy");
    }
    let all = collisions + wall_collisions + trajectory_events + topology.events;
    let events = format!(
        "{all} in all: {trajectory_events} of trajectories, {} of the search structure",
        topology.events
    );
    let [first, last] = &totals.balance;
    let energy = format!(
        "kinetic {} at the start, {} at the end; lost in collisions {}; given by walls {}, by other \
         forces {}\n(unexplained: {:.1e} of the energy exchanged)",
        joule(first.kinetic),
        joule(last.kinetic),
        joule(last.dissipated),
        joule(last.wall_work),
        joule(last.force_work),
        imbalance(&totals.balance)
    );
    Account {
        lines: vec![("contacts", contacts), ("events", events), ("energy", energy)],
        contacts: collisions,
        work: (all as f64, "events"),
        costs: vec![format!("{} pairs of flights examined for a contact", tally.pair_tests)],
        counts: format!("{tally:?} {topology:?}"),
    }
}
